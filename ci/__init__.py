"""The code that executes, checks, translates and publishes the book. `./ci/book.sh` runs it."""


def _(sentence: str) -> str:
    """Return the sentence unchanged. The call marks it for the message catalogues; it is translated when printed."""
    return sentence
