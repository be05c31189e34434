"""The type of a fault in a translation; the sentence that describes it can be translated."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Gettext = Callable[[str], str]  # translates a sentence for the user; `str` leaves it in English
OBJECT = "\ufffc"  # replaces code, math and the like in the prose of a message


def printable(text: str) -> str:
    """Replace unprintable characters, which a terminal may interpret, and `OBJECT` by an ellipsis."""
    return "".join("…" if character == OBJECT or not character.isprintable() else character for character in text)


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a translation or its file."""

    rule: str  # the name by which a waiver refers to it
    sentence: str  # English: what is wrong and how to repair it, with the names of values in braces
    values: Mapping[str, object] = field(default_factory=dict)

    def say(self, gettext: Gettext = str) -> str:
        """Return the sentence with its values filled in, both translated by `gettext`."""
        values = {name: printable(gettext(str(value))) for name, value in self.values.items()}
        return gettext(self.sentence).format(**values)

    def __str__(self) -> str:
        return self.say()
