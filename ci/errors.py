"""How every command of the book ends: an error a person can act on is one message and exit status 1."""

import errno
import sys
from contextlib import contextmanager

from ci.chapters import BookError


@contextmanager
def reported():
    """Turns a `BookError` or a full disk into a message on stderr and exit status 1."""
    try:
        yield
    except BookError as error:
        sys.exit(f"error: {error}")
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.exit(f"error: no space left on the disk ({error.filename or 'while writing'}): free some and run again")
