"""How every command of the book ends: an error a person can act on is one message and exit status 1."""

import errno
import os
import sys
from contextlib import contextmanager

from sqlalchemy.exc import OperationalError

from ci.chapters import BookError
from ci.words import explain

NO_SPACE = "error: no space left on the disk: free some and run again; nothing is lost"


@contextmanager
def reported():
    """Turns a `BookError`, a full disk or Ctrl-C into a message on stderr and an exit status that is not 0."""
    try:
        yield
    except BookError as error:
        sys.exit(f"error: {explain(error)}")
    except KeyboardInterrupt:
        print("stopped; nothing is lost, and the next run goes on from here", file=sys.stderr, flush=True)
        os._exit(130)  # the sockets of a kernel that was stopped in the middle do not survive an ordinary exit
    except OperationalError as error:  # from the database of jupyter-cache
        if "disk is full" not in str(error):
            raise
        sys.exit(NO_SPACE)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.exit(NO_SPACE)
