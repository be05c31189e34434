"""The type of the application that the components get."""

from collections.abc import Callable

from sphinx.application import Sphinx

from ci.book import Book
from ci.catalogues.definitions import Definitions
from ci.catalogues.sentences import Sentences
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
