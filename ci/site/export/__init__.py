"""Takes the book elsewhere: a chapter as a post for a blog, the whole book as an EPUB or a PDF."""

from ci import _
from ci.catalogues.sentences import say


def write_all(book, codes, write):
    """Says which files a function writes of the book in some languages, or in all if none is named.

    Args:
      write: yields the path of each file, given a list of languages.

    Raises:
      UsageError: the book does not have a language.
      BookError: as `write`.
    """
    languages = [book.find_language(code) for code in codes or book.languages]
    for file in write(languages):
        print(say(_("written: {path}"), path=book.relative(file)))
