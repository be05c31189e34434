"""Build the book from its chapters to its pages."""

from ci import _
from ci.book import Book
from ci.catalogues.sentences import say
from ci.execution import run
from ci.notebooks import leftovers
from ci.site import publish

FAILED = _("not executed, so its page has the outputs of its notebook: {error}")


def build(book: Book, keep_going: bool = False) -> int:
    """Execute what has changed, render all languages and publish them; return the exit status.

    Args:
      keep_going: As for `run.execute`.
    """
    leftovers.refuse_missing(book)
    cache, errors = run.execute(book, keep_going=keep_going)
    publish.render(book, cache)
    publish.publish(book)
    print(say(_("The book is in _build/html; to read it: ./ci/book.sh serve")))
    for error in errors:
        print(say(FAILED, error=str(error).splitlines()[0]))
    return int(bool(errors))
