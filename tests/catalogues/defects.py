"""Defects to put into catalogues, each with the rule of the check that it breaks.

A change of an entry is a function of (entry, rng) that returns a translation, or None where it does not fit. A change
of a file is a function of (text, rng) that returns bytes.
"""

import re

from ci.catalogues import wording
from ci.catalogues.parts import parts

CODE = re.compile(r"`[^`]+`")
MATH = re.compile(r"(?<!\$)\$[^$]+\$")
LINK = re.compile(r"\]\(([^)]+)\)")
BOLD = re.compile(r"\*\*([^*\d]+)\*\*")
SENTENCE_END = re.compile(r"(?<=[.?!]) |(?<=[。？！])")
MARKUP = re.compile(r"[`$\[\]*_{}<]")
ENGLISH_WORDS = re.compile(r"(?<![\w-])[a-z]{2,} [a-z]{2,} [a-z]{2,}(?![\w-])")
OWN_WORD = re.compile(r"(?<= )(?:(?![A-Za-z])[^\W\d_])+(?= )")


def replace_one(pattern, text, rng, change):
    """Change one match of a pattern, chosen at random; return None if there is none or if it stays the same."""
    matches = list(re.finditer(pattern, text))
    if not matches:
        return None
    match = rng.choice(matches)
    new = change(match)
    return None if new == match[0] else text[: match.start()] + new + text[match.end() :]


def append(addition):
    """Return a change that appends words to a translation."""
    return lambda entry, rng: f"{entry.msgstr} {addition}"


def replace(pattern, replacement):
    """Return a change of one match of a pattern."""
    return lambda entry, rng: replace_one(pattern, entry.msgstr, rng, lambda match: match.expand(replacement))


def exchange_links(entry, rng):
    """Exchange the targets of two links whose texts are code."""
    links = re.findall(r"\[`[^`]+`\]\([^)]+\)", entry.msgstr)
    if len(links) < 2:
        return None
    (first, target), (second, other) = (link.rsplit("](", 1) for link in links[:2])
    return entry.msgstr.replace(links[0], f"{first}]({other}").replace(links[1], f"{second}]({target}")


def change_number(entry, rng):
    if wording.is_formula(parts(entry.msgid)):  # another rule covers formulas
        return None
    numbers = wording.NUMBER.findall(parts(entry.msgid).prose)
    number = next((number for number in numbers if entry.msgstr.count(number) == 1), None)
    return number and entry.msgstr.replace(number, f"7{number}")


def copy_english(entry, rng):
    return entry.msgid if wording.is_prose(parts(entry.msgid)) else None


def leave_sentence(entry, rng):
    """Leave the last sentence in English, but not the whole message, as `copy_english` does."""
    *others, last = SENTENCE_END.split(entry.msgstr)
    english = SENTENCE_END.split(entry.msgid)[-1]
    if not others or MARKUP.search(last + english) or not wording.is_prose(parts(english)):
        return None
    changed = " ".join([*others, english])
    return None if changed == entry.msgid else changed


def leave_words(entry, rng):
    """Put three English words in place of a translated one."""
    phrases = ENGLISH_WORDS.findall(parts(entry.msgid).prose)
    if not phrases or wording.is_formula(parts(entry.msgid)):
        return None
    return replace_one(OWN_WORD, entry.msgstr, rng, lambda match: rng.choice(phrases))


def link_elsewhere(entry, rng):
    """Link to another chapter."""
    link = re.search(r"\]\([./a-z]*?(\w+)\.(?:ipynb|md)\)", entry.msgstr)
    other = "dropout" if link and link[1] != "dropout" else "batch_norm"
    return entry.msgstr[: link.start(1)] + other + entry.msgstr[link.end(1) :] if link else None


# {kind: (rule that is broken, change of an entry)}
ENTRY_DEFECTS = {
    "code changed": ("code", replace(CODE, "`x_y`")),
    "code lost": ("code", replace(CODE, "x")),
    "code added": ("code", append("`import os`")),
    "math changed": ("math", replace(MATH, "$z$")),
    "math lost": ("math", replace(MATH, "z")),
    "math added": ("math", append("$z$")),
    "formula changed": ("formula", replace(re.compile(r"\\frac"), r"\\sqrt")),
    "number of a formula changed": ("braces", replace(re.compile(r"(?<=\\frac\{)1"), "71")),
    "link target changed": ("links", replace(LINK, "](https://example.org)")),
    "link lost": ("links", replace(re.compile(r"\[([^\]`]+)\]\([^)]+\)"), r"\1")),
    "link to another page": ("links", link_elsewhere),
    "links exchanged": ("links", exchange_links),
    "link added": ("links", append("[x](https://example.org)")),
    "link without text": ("links", append("[](https://example.org)")),
    "link broken": ("links", replace(re.compile(r"\]\((http[^)]+)\)"), r" \1")),
    "mail address": ("addresses", append("a@b.example")),
    "struck through": ("marks", append("~~x~~")),
    "bare address": ("addresses", append("https://example.org")),
    "javascript link": ("addresses", append("[x](javascript:alert(1))")),
    "javascript link, escaped": ("addresses", append("[x](java&#115;cript:alert(1))")),
    "data link": ("addresses", append("[x](data:text/html;base64,PHNjcmlwdD4=)")),
    "image added": ("images", append("![x](x.png)")),
    "script": ("html", append("<script>alert(1)</script>")),
    "event handler": ("html", append("<img src=x onerror=alert(1)>")),
    "HTML in entities": ("html", append("&lt;script&gt;")),
    "unclosed HTML": ("html", append("<img src=x onerror=alert(1) //")),
    "role": ("html", append("{ref}`x`")),
    "raw role": ("html", append("{raw}`<b>x</b>`")),
    "footnote": ("footnotes", append("[^1]")),
    "substitution": ("braces", append("{{ x }}")),
    "directive": ("blocks", lambda entry, rng: "```{include} /etc/passwd\n```\n\n" + entry.msgstr),
    "code cell": ("blocks", lambda entry, rng: "```{code-cell}\nx\n```\n\n" + entry.msgstr),
    "colon fence": ("blocks", lambda entry, rng: ":::{note}\nx\n:::\n\n" + entry.msgstr),
    "heading": ("blocks", lambda entry, rng: "# " + entry.msgstr),
    "list": ("blocks", lambda entry, rng: "- " + entry.msgstr),
    "quote": ("blocks", lambda entry, rng: "> " + entry.msgstr),
    "line break": ("lines", lambda entry, rng: entry.msgstr.replace(" ", "\n", 1) if " " in entry.msgstr else None),
    "literal asterisks": ("marks", append("**x(y)**z")),
    "literal underscores": ("marks", append("_x_y z")),
    "leading space": ("spaces", lambda entry, rng: " " + entry.msgstr),
    "trailing space": ("spaces", lambda entry, rng: entry.msgstr + " "),
    "invisible character": ("invisible", append("\u202e")),
    "invisible character, escaped": ("invisible", append("&#8238;")),
    "far too long": ("size", lambda entry, rng: entry.msgstr * 20 + "x" * 4000),
    "deeply nested": ("size", lambda entry, rng: "[" * 50_000),
    "number changed": ("numbers", change_number),
    "bold lost": ("emphasis", replace(BOLD, r"\1")),
    "bold added": ("emphasis", append("**x**")),
    "English copied": ("copied", copy_english),
    "a sentence left in English": ("half", leave_sentence),
    "words left in English": ("half", leave_words),
    "text lost": ("state", lambda entry, rng: ""),
}


def change_first(pattern, replacement):
    """Return a change of the first match in a file."""
    return lambda text, rng: re.sub(pattern, replacement, text, count=1).encode()


def after_headers(addition):
    """Return a change that adds a line above the first entry."""
    return lambda text, rng: text.replace("\n\nmsgid", f"\n\n{addition}\nmsgid", 1).encode()


def lose_entry(text, rng):
    blocks = text.rstrip("\n").split("\n\n")
    del blocks[rng.randrange(1, len(blocks))]
    return ("\n\n".join(blocks) + "\n").encode()


# {kind: (rule that is broken, change of a file)}
FILE_DEFECTS = {
    "fuzzy": ("state", after_headers("#, fuzzy")),
    "waiver without reason": ("waiver", after_headers("# waive glossary:")),
    "waiver of nothing": ("waiver", after_headers("# waive register: because")),
    "entry lost": ("state", lose_entry),
    "English changed": ("state", change_first(r'\n\nmsgid "', r'\n\nmsgid "X')),
    "entry of no page": ("state", lambda text, rng: (text + '\nmsgid "x"\nmsgstr "x"\n').encode()),
    "missing quote": ("file", change_first(r'\n\nmsgid "', "\n\nmsgid ")),
    "translator missing": ("header", change_first(r'"Last-Translator: [^"]*"\n', "")),
    "reviewer missing": ("header", change_first(r'"X-Reviewer: [^"]*"\n', "")),
    "date missing": ("header", change_first(r'"PO-Revision-Date: [^"]*"\n', "")),
}
