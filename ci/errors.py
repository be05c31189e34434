"""How every command of the book ends: an error a person can act on is one message and exit status 1."""

import errno
import sys
from contextlib import contextmanager

from ci.chapters import BookError


@contextmanager
def reported():
    """Turns a `BookError`, a full disk or Ctrl-C into a message on stderr and an exit status that is not 0."""
    try:
        yield
    except BookError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        print("stopped; nothing is lost, and the next run goes on from here", file=sys.stderr)
        sys.exit(130)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.exit(f"error: no space left on the disk ({error.filename or 'while writing'}): free some and run again")
