"""The type of the application that the components get, and how it reports their errors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from ci.book import Book, BookError
from ci.catalogues.definitions import Definitions
from ci.catalogues.sentences import Sentences, users_sentences
from ci.site.extension.build_cache import BuildCache


class BookApp(Sphinx):
    """Sphinx with what the components share. It serves annotations only: `share_book` sets the attributes.

    Attributes:
      book: The book that is built.
      cache: Its chapters with their outputs.
      inputs: A digest of what the pages show.
      sentences: The words around the pages, in the language of the site.
      messages: Returns {message: translation} of a page.
      definitions: The terms, set by `cells.terms`.
    """

    book: Book
    cache: BuildCache
    inputs: str
    sentences: Sentences
    messages: Callable[[str], dict[str, str]]
    definitions: Definitions


@contextmanager
def errors_as_sphinx_says_them() -> Iterator[None]:
    """Turn a `BookError` into an `ExtensionError`, which Sphinx reports without a traceback."""
    try:
        yield
    except BookError as error:
        raise ExtensionError(error.say(users_sentences().gettext)) from error
