"""Checks the catalogues: every message translated, and each translation made of the same parts as its source.

python -m ci.catalogues          against the messages in _build/gettext
python -m ci.catalogues --parse  only whether each is a valid catalogue
"""

import re
import sys
from collections import Counter
from dataclasses import dataclass, field

import polib

from ci import translate
from ci.chapters import BookError, here
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
    footnotes: Counter = field(default_factory=Counter)
    marks: int = 0


COMPARED = {
    "code": "inline code",
    "math": "math",
    "links": "link targets",
    "images": "images",
    "html": "HTML or roles",
    "footnotes": "footnotes",
}
# What some viewer takes for a link, math or HTML although the Markdown of the book does not.
LIKE_A_LINK = re.compile(r"(?i)(?:javascript|vbscript|data):\S*|https?://\S+|www\.\S+|\]\(\S*")
LIKE_MATH = re.compile(r"\\begin\{|\\\\?[(\[]")
LIKE_HTML = re.compile(r"<\S*")
FOOTNOTE = re.compile(r"\[\^[^\]]+\]")
WITH_CONTENT = ("html_block", "fence", "colon_fence", "code_block", "math_block", "myst_line_comment", "myst_target")


def parts(text):
    """Parses one block of Markdown into its `Parts`."""
    found = Parts(math=Counter(LIKE_MATH.findall(text)), footnotes=Counter(FOOTNOTE.findall(text)))
    for token in translate.parser().parse(text):
        if token.type in WITH_CONTENT:
            found.html[token.content] += 1
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
                case "html_inline":
                    found.html[child.content] += 1
                case "myst_role":
                    found.html[f"{{{child.meta['name']}}} {child.content}"] += 1
                case "text":
                    found.marks += sum(map(child.content.count, "*_`"))
                    found.links.update(LIKE_A_LINK.findall(child.content))
                    found.html.update(LIKE_HTML.findall(child.content))
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
    # The message of a heading may itself read as another block, such as "1. Setup".
    if other.blocks not in (["paragraph_open"], english.blocks):
        faults.append("it is more than one paragraph of text: write one paragraph without list, heading or fence")
    if len(translation.splitlines()) > 1:
        faults.append("it has a line break: write one line")
    if other.marks > english.marks:
        faults.append(
            "an asterisk, underscore or backtick would be printed as it stands: "
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
            template = messages / f"{name}.pot"
            if not template.exists():
                raise BookError(f"there is no {book.relative(template)}: run ./ci/messages.sh first")
            expected = [entry.msgid for entry in polib.pofile(str(template))]
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
    print(f"catalogues: {count} entries checked, faults: {len(faults)}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
