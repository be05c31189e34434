"""Build the book: execute its chapters, render its pages and publish them."""

from ci import _
from ci.book import Book, display
from ci.catalogues.sentences import say
from ci.execution import run
from ci.notebooks import leftovers
from ci.site import publish

FAILED = _("not executed, so its page has the outputs of its notebook: {error}")


def build(book: Book, keep_going: bool = False) -> int:
    """Build and publish all languages; return the exit status.

    Args:
      keep_going: Whether to show a chapter that fails with the outputs stored in its notebook, instead of raising.

    Raises:
      BookError: A chapter, a page or a release has a fault.
    """
    leftovers.refuse_missing(book)
    cache, errors = run.execute(book, keep_going=keep_going)
    publish.render(book, cache)
    with display.stage(_("publishing")):
        publish.publish(book)
    print(say(_("The book is in _build/html; to read it: ./ci/book.sh serve")))
    for error in errors:
        print(say(FAILED, error=str(error).splitlines()[0]))
    return int(bool(errors))
