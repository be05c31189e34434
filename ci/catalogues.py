"""Checks the catalogues: every message translated, and each translation made of the same parts as its source.

python -m ci.catalogues               against the messages in _build/gettext
"""

import sys
from collections import Counter
from dataclasses import dataclass, field

import polib

from ci import translate
from ci.chapters import here
from ci.errors import reported

HEADERS = ("Last-Translator", "X-Reviewer", "Language", "Content-Type")


@dataclass
class Parts:
    """What a translation must take over unchanged, counted; and what shows that the Markdown went wrong."""

    blocks: list = field(default_factory=list)
    code: Counter = field(default_factory=Counter)
    math: Counter = field(default_factory=Counter)
    links: Counter = field(default_factory=Counter)
    images: Counter = field(default_factory=Counter)
    html: Counter = field(default_factory=Counter)
    asterisks: int = 0


COMPARED = {"code": "inline code", "math": "math", "links": "link targets", "images": "images", "html": "HTML"}


def parts(text):
    """Parses one block of Markdown into its `Parts`."""
    found = Parts()
    for token in translate.parser().parse(text):
        if token.type != "inline":
            if token.nesting != -1 and token.level == 0:
                found.blocks.append(token.type)
            continue
        for child in token.children:
            match child.type:
                case "code_inline":
                    found.code[child.content] += 1
                case "math_inline" | "math_inline_double":
                    found.math[child.content] += 1
                case "link_open":
                    found.links[child.attrs["href"]] += 1
                case "image":
                    found.images[child.attrs["src"]] += 1
                case "html_inline" | "myst_role":
                    found.html[child.content] += 1
                case "text":
                    found.asterisks += child.content.count("*") + child.content.count("`")
    return found


def listed(counter):
    return ", ".join(f"`{text}`" if count == 1 else f"`{text}` ({count} times)" for text, count in counter.items())


def entry_faults(message, translation):
    """Compares a translation with its message.

    Returns:
      A list of sentences, each saying what is wrong and how to put it right; empty if nothing is.
    """
    faults = []
    english, other = parts(message), parts(translation)
    for name, label in COMPARED.items():
        lost, added = getattr(english, name) - getattr(other, name), getattr(other, name) - getattr(english, name)
        if lost:
            faults.append(f"{label}: {listed(lost)} is missing: copy it from the English unchanged")
        if added:
            faults.append(f"{label}: {listed(added)} is not in the English: take it out")
    # A heading's or list item's message has no mark of its own, so that a lone digit or dash would start a list.
    if english.blocks == ["paragraph_open"] and other.blocks != english.blocks:
        faults.append("it is more than one paragraph of text: write one paragraph without list, heading or fence")
    if "\n" in translation:
        faults.append("it has a line break: write one line")
    if other.asterisks > english.asterisks:
        faults.append(
            "an asterisk or backtick would be printed as it stands: "
            "close the emphasis before a parenthesis, or put a space after it"
        )
    if translation != translation.strip():
        faults.append("it begins or ends with a space: take it out")
    return faults


def catalogue_faults(catalogue, expected):
    """Compares a parsed catalogue with the messages its page has now.

    Args:
      catalogue: a `polib.POFile`.
      expected: the messages of the page, in order.

    Yields:
      (line in the file, sentence).
    """
    for header in HEADERS:
        if not catalogue.metadata.get(header):
            yield 1, f"the header {header} is missing: fill it in"
    present = set()
    for entry in catalogue:
        line, short = entry.linenum, f"{entry.msgid[:50]!r}"
        present.add(entry.msgid)
        if entry.obsolete or entry.msgid not in expected:
            yield line, f"{short} is no longer in the English: run ./ci/locale.sh update"
        elif entry.fuzzy:
            yield line, f"{short} is fuzzy: revise the translation and remove the line `#, fuzzy`"
        elif not entry.msgstr:
            yield line, f"{short} is not translated"
        else:
            yield from ((line, f"{short}: {fault}") for fault in entry_faults(entry.msgid, entry.msgstr))
    for message in expected:
        if message not in present:
            yield 1, f"{message[:50]!r} is missing: run ./ci/locale.sh update"


def check(book, messages):
    """Checks all catalogues of a book against the folder `messages` of .pot files.

    Returns:
      (number of entries checked, list of faults as "file:line: sentence").
    """
    count, faults = 0, []
    for language in book.translations:
        for name in book.pages:
            path = book.catalogue(name, language)
            expected = [entry.msgid for entry in polib.pofile(str(messages / f"{name}.pot"))]
            if not path.exists():
                faults.append(f"{book.relative(path)}:1: there is no such catalogue: run ./ci/locale.sh update")
                continue
            count += len(expected)
            catalogue = translate.parse(path)
            faults += [
                f"{book.relative(path)}:{line}: {sentence}" for line, sentence in catalogue_faults(catalogue, expected)
            ]
    return count, faults


def main():
    book = here()
    with reported():
        if "--parse" in sys.argv:
            for language in book.translations:
                for name in book.pages:
                    translate.load(book.catalogue(name, language))
            return
        count, faults = check(book, book.root / "_build" / "gettext")
    print("\n".join(faults))
    print(f"catalogues: {count} entries checked, {len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
