"""Check that a translation keeps the parts of its message, so that it can neither break nor endanger a page."""

import html
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ci import _
from ci.catalogues.parts import OBJECT, parts

Gettext = Callable[[str], str]  # translates a sentence for the user; `str` leaves it in English
COMPARED = {
    "code": _("inline code"),
    "math": _("math"),
    "links": _("link targets"),
    "addresses": _("link targets"),
    "images": _("images"),
    "html": _("HTML or roles"),
    "footnotes": _("footnotes"),
    "braces": _("text in braces"),
}
# A translation may have at most LONGER times the characters of its message, plus EXTRA: no language needs more, and
# parsing a long text takes long.
LONGER = 4
EXTRA = 200
LONGEST = 4000  # characters of a message
INVISIBLE = {"Cc", "Cf", "Co", "Cs"}  # Unicode categories of characters that a reviewer cannot see
INVISIBLE_LETTERS = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | set(map(chr, range(0xFE00, 0xFE10)))
ALLOWED_INVISIBLE = {"\u200c", "\u200d"}  # joiners, which some scripts need


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


def _listed(counter: Counter[str]) -> str:
    return ", ".join(f"`{text}`" if count == 1 else f"`{text}` ({count}×)" for text, count in counter.items())


def _invisible(text: str) -> set[str]:
    characters = set(text) - ALLOWED_INVISIBLE
    return {char for char in characters if unicodedata.category(char) in INVISIBLE or char in INVISIBLE_LETTERS}


def _unparsed_faults(message: str, translation: str) -> Iterator[Fault]:
    """Yield faults of size and invisible characters; a translation that has any must not be parsed."""
    limit = LONGER * len(message) + EXTRA
    if len(message) > LONGEST:
        yield Fault("size", _("no page has an entry as long as this: remove it"))
    elif len(translation) > limit:
        sentence = _("it has {size} characters: {limit} are allowed")
        yield Fault("size", sentence, {"size": len(translation), "limit": limit})
    odd = _invisible(html.unescape(translation)) - _invisible(message) - {"\n", "\r", "\t"}
    if odd:
        sentence = _("it has invisible characters ({characters}): remove them")
        yield Fault("invisible", sentence, {"characters": ", ".join(sorted(f"U+{ord(char):04X}" for char in odd))})


def faults(message: str, translation: str) -> Iterator[Fault]:
    """Yield the faults of structure of a translation; if there are none, it is safe to publish."""
    if unparsed := list(_unparsed_faults(message, translation)):
        yield from unparsed
        return
    english, other = parts(message), parts(translation)
    for name, label in COMPARED.items():
        lost, added = getattr(english, name) - getattr(other, name), getattr(other, name) - getattr(english, name)
        if lost:
            sentence = _("{what}: {parts} is missing: copy it from the English unchanged")
            yield Fault(name, sentence, {"what": label, "parts": _listed(lost)})
        if added:
            sentence = _("{what}: {parts} is not in the English: remove it")
            yield Fault(name, sentence, {"what": label, "parts": _listed(added)})
    # The message of a heading may look like another block by itself, such as "1. Setup".
    if other.blocks not in (["paragraph_open"], english.blocks):
        sentence = _("it is more than one paragraph of text: write one paragraph without list, heading or fence")
        yield Fault("blocks", sentence)
    if len(translation.splitlines()) > 1:
        yield Fault("lines", _("it has a line break: write one line"))
    if other.marks > english.marks:
        sentence = _(
            "an asterisk, underscore or backtick would be shown literally: "
            "close the emphasis before a parenthesis, or put a space after it"
        )
        yield Fault("marks", sentence)
    if translation != translation.strip() and message == message.strip():
        yield Fault("spaces", _("it begins or ends with a space: remove the space"))
