"""What a translation must take over from its message unchanged, so that it can neither break nor endanger a page."""

import html
import unicodedata

from ci import _
from ci.catalogues.fault import Fault
from ci.catalogues.parts import parts

COMPARED = {
    "code": _("inline code"),
    "math": _("math"),
    "links": _("link targets"),
    "addresses": _("link targets"),
    "images": _("images"),
    "html": _("HTML or roles"),
    "footnotes": _("footnotes"),
    "braces": _("what stands in braces"),
}
# How long a translation may be: no language of the world needs more, and a parser must not be kept busy.
LONGER = 4  # times the message,
EXTRA = 200  # and characters
LONGEST = 4000  # characters of a message
INVISIBLE = {"Cc", "Cf", "Co", "Cs"}  # Unicode categories; what a reviewer cannot see
INVISIBLE_LETTERS = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | set(map(chr, range(0xFE00, 0xFE10)))
ALLOWED_INVISIBLE = {"\u200c", "\u200d"}  # joiners, which some scripts need


def listed(counter):
    return ", ".join(f"`{text}`" if count == 1 else f"`{text}` ({count}×)" for text, count in counter.items())


def invisible(text):
    """Returns the characters of a text that leave no mark, as a set."""
    found = {one for one in set(text) if unicodedata.category(one) in INVISIBLE or one in INVISIBLE_LETTERS}
    return found - ALLOWED_INVISIBLE


def unparsed_faults(message, translation):
    """Yields what can be said, and must be, before a parser sees the translation."""
    limit = LONGER * len(message) + EXTRA
    if len(message) > LONGEST:
        yield Fault("size", _("no page has an entry as long as this: take it out"))
    elif len(translation) > limit:
        sentence = _("it has {size} characters: {limit} are allowed")
        yield Fault("size", sentence, {"size": len(translation), "limit": limit})
    odd = invisible(html.unescape(translation)) - invisible(message) - {"\n", "\r", "\t"}
    if odd:
        sentence = _("it has characters that cannot be seen ({characters}): take them out")
        yield Fault("invisible", sentence, {"characters": ", ".join(sorted(f"U+{ord(one):04X}" for one in odd))})


def faults(message, translation):
    """Compares a translation with its message.

    Yields:
      `Fault`s; none if the translation may be published as far as its structure goes.
    """
    unparsed = list(unparsed_faults(message, translation))
    yield from unparsed
    if unparsed:
        return
    english, other = parts(message), parts(translation)
    for name, label in COMPARED.items():
        lost, added = getattr(english, name) - getattr(other, name), getattr(other, name) - getattr(english, name)
        if lost:
            sentence = _("{what}: {parts} is missing: copy it from the English unchanged")
            yield Fault(name, sentence, {"what": label, "parts": listed(lost)})
        if added:
            sentence = _("{what}: {parts} is not in the English: take it out")
            yield Fault(name, sentence, {"what": label, "parts": listed(added)})
    # The message of a heading may itself read as another block, such as "1. Setup".
    if other.blocks not in (["paragraph_open"], english.blocks):
        sentence = _("it is more than one paragraph of text: write one paragraph without list, heading or fence")
        yield Fault("blocks", sentence)
    if len(translation.splitlines()) > 1:
        yield Fault("lines", _("it has a line break: write one line"))
    if other.marks > english.marks:
        sentence = _(
            "an asterisk, underscore or backtick would be printed as it stands: "
            "close the emphasis before a parenthesis, or put a space after it"
        )
        yield Fault("marks", sentence)
    if translation != translation.strip() and message == message.strip():
        yield Fault("spaces", _("it begins or ends with a space: take it out"))
