"""The machinery of the book: everything between its sources and its readers. `./ci/book.sh` runs it."""


def _(sentence: str) -> str:
    """Mark a sentence for translation; it is translated when it is printed."""
    return sentence
