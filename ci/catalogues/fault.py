"""What is wrong with a translation, in words that can themselves be translated."""

from dataclasses import dataclass, field

OBJECT = "\ufffc"  # stands in prose for what is none


def printable(value):
    """A value without the characters that would act on a terminal; in place of code and the like, three dots."""
    if not isinstance(value, str):
        return value
    return "".join("…" if character == OBJECT or not character.isprintable() else character for character in value)


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong.

    Attributes:
      rule: the name by which a waiver refers to it.
      sentence: English; says what is wrong and how to put it right, with the names of values in braces.
      values: {name: value}.
    """

    rule: str
    sentence: str
    values: dict = field(default_factory=dict)

    def say(self, gettext=str):
        """Returns the sentence with its values, each translated by a function from text to text."""
        values = {name: printable(gettext(value)) for name, value in self.values.items()}
        return gettext(self.sentence).format(**values)

    def __str__(self):
        return self.say()
