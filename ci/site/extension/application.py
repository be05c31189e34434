"""The type of the application that is passed to the components, and the conversion of their errors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from ci.book import Book, BookError
from ci.catalogues.glossary import Definitions
from ci.catalogues.sentences import Sentences, users_sentences
from ci.execution.cache import Entry


class Chapters(NamedTuple):
    """The chapters as a build reads them: each of them once. Callers must not modify them."""

    book: Book
    chapter: Callable[[str], NotebookNode]  # returns a chapter without outputs, given its name
    fetch: Callable[[str], Entry | None]  # returns the cache entry of a chapter


class BookApp(Sphinx):
    """The Sphinx application, with the attributes that the components share.

    The class is used only in annotations: `share_book` sets the attributes on a `Sphinx` object.
    """

    book: Book
    cache: Chapters
    sentences: Sentences  # translations of texts that do not come from a page, in the language of the site
    messages: Callable[[str], dict[str, str]]  # returns {message: translation} for a page
    definitions: Definitions  # set by `cells.terms`


@contextmanager
def errors_as_sphinx_says_them() -> Iterator[None]:
    """Context manager: convert a `BookError` to an `ExtensionError`, which Sphinx reports without a traceback."""
    try:
        yield
    except BookError as error:
        raise ExtensionError(error.say(users_sentences().gettext)) from error
