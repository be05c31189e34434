"""Sentences that are translated when they are printed, and exceptions with such a sentence as message."""

import difflib
from collections.abc import Callable, Iterable, Mapping

from ci import _


class Sentence:
    """Something to print in the language of the user.

    Args:
      sentence: English, marked by `_` if it is to be translated, with the names of values in braces.
      values: {name: value}; a value may be a `Sentence`.
    """

    def __init__(self, sentence: str, /, **values: object) -> None:
        self.sentence, self.values = sentence, values

    def say(self, gettext: Callable[[str], str] = str) -> str:
        """Return the sentence, translated by a function such as `gettext.gettext`; without values, braces remain."""
        parts = self.values.items()
        said = {name: value.say(gettext) if isinstance(value, Sentence) else value for name, value in parts}
        return gettext(self.sentence).format(**said) if said else gettext(self.sentence)

    def __str__(self) -> str:
        return self.say()


class BookError(Sentence, Exception):
    """Something in the book is wrong; the message says what, where, and how to repair it."""


class UsageError(BookError):
    """A word of the command line is unknown or missing."""


def nearest(word: str, known: Iterable[str], meant: Mapping[str, str] | None = None) -> Sentence | str:
    """Return " (did you mean …?)" with the known word most similar to a word, or "" if none is similar.

    `meant` is {known word: what to propose for it}, by default the word itself.
    """
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return Sentence(_(" (did you mean {word}?)"), word=(meant or {}).get(close[0], close[0])) if close else ""
