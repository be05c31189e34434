"""Puts defects into the real catalogues and counts how many the check finds.

A defect is a copy of one catalogue with one change. It is found if the check names the rule that was broken, and, for
a defect of an entry, that entry.
"""

import random
import re
import tempfile
from itertools import islice
from pathlib import Path

from ci.book import languages
from ci.catalogues import check, glossary, messages, po, wording
from ci.catalogues.parts import parts
from ci.checks import change

SEED = 0
PER_KIND = 4  # defects
CODE = re.compile(r"`[^`]+`")
MATH = re.compile(r"(?<!\$)\$[^$]+\$")
LINK = re.compile(r"\]\(([^)]+)\)")
BOLD = re.compile(r"\*\*([^*\d]+)\*\*")
SENTENCE_END = re.compile(r"(?<=[.?!]) |(?<=[。？！])")
MARKUP = re.compile(r"[`$\[\]*_{}<]")
ENGLISH_WORDS = re.compile(r"(?<![\w-])[a-z]{2,} [a-z]{2,} [a-z]{2,}(?![\w-])")
OWN_WORD = re.compile(r"(?<= )(?:(?![A-Za-z])[^\W\d_])+(?= )")


def put_in(addition):
    return lambda entry, rng: f"{entry.msgstr} {addition}"


def replaced(pattern, replacement):
    """Returns a change of one match of a pattern, chosen at random."""
    return lambda entry, rng: change.replaced(pattern, entry.msgstr, rng, lambda match: match.expand(replacement))


def swapped_links(entry, rng):
    """Exchanges the targets of two links whose texts are code."""
    links = re.findall(r"\[`[^`]+`\]\([^)]+\)", entry.msgstr)
    if len(links) < 2:
        return None
    (first, one), (second, other) = (link.rsplit("](", 1) for link in links[:2])
    return entry.msgstr.replace(links[0], f"{first}]({other}").replace(links[1], f"{second}]({one}")


def changed_number(entry, rng):
    prose = "" if wording.is_formula(parts(entry.msgid)) else parts(entry.msgid).prose  # another rule's
    found = [number for number in wording.NUMBER.findall(prose) if entry.msgstr.count(number) == 1]
    return entry.msgstr.replace(found[0], f"7{found[0]}") if found else None


def copied(entry, rng):
    return entry.msgid if wording.is_prose(parts(entry.msgid)) else None


def half_copied(entry, rng):
    """Leaves the last sentence in English, but not all of the message, as `copied` does."""
    *others, last = SENTENCE_END.split(entry.msgstr)
    english = SENTENCE_END.split(entry.msgid)[-1]
    plain = others and wording.is_prose(parts(english)) and not MARKUP.search(last + english)
    return left if plain and (left := " ".join([*others, english])) != entry.msgid else None


def words_copied(entry, rng):
    """Puts three words of the English in place of a word."""
    found = ENGLISH_WORDS.findall(parts(entry.msgid).prose)
    prose = found and not wording.is_formula(parts(entry.msgid))
    return change.replaced(OWN_WORD, entry.msgstr, rng, lambda match: rng.choice(found)) if prose else None


def lost_text(entry, rng):
    return ""


def other_page(entry, rng):
    """Leads a link to another chapter."""
    found = re.search(r"\]\([./a-z]*?(\w+)\.(?:ipynb|md)\)", entry.msgstr)
    other = "dropout" if found and found[1] != "dropout" else "batch_norm"
    return entry.msgstr[: found.start(1)] + other + entry.msgstr[found.end(1) :] if found else None


# {kind: (rule that is broken, change of an entry)}; a change returns a translation, or None where it does not fit.
ENTRY_DEFECTS = {
    "code changed": ("code", replaced(CODE, "`x_y`")),
    "code lost": ("code", replaced(CODE, "x")),
    "code added": ("code", put_in("`import os`")),
    "math changed": ("math", replaced(MATH, "$z$")),
    "math lost": ("math", replaced(MATH, "z")),
    "math added": ("math", put_in("$z$")),
    "formula changed": ("formula", replaced(re.compile(r"\\frac"), r"\\sqrt")),
    "number of a formula changed": ("braces", replaced(re.compile(r"(?<=\\frac\{)1"), "71")),
    "link target changed": ("links", replaced(LINK, "](https://example.org)")),
    "link lost": ("links", replaced(re.compile(r"\[([^\]`]+)\]\([^)]+\)"), r"\1")),
    "link to another page": ("links", other_page),
    "links exchanged": ("links", swapped_links),
    "link added": ("links", put_in("[x](https://example.org)")),
    "link without text": ("links", put_in("[](https://example.org)")),
    "link broken": ("links", replaced(re.compile(r"\]\((http[^)]+)\)"), r" \1")),
    "mail address": ("addresses", put_in("a@b.example")),
    "struck through": ("marks", put_in("~~x~~")),
    "bare address": ("addresses", put_in("https://example.org")),
    "javascript link": ("addresses", put_in("[x](javascript:alert(1))")),
    "javascript link, escaped": ("addresses", put_in("[x](java&#115;cript:alert(1))")),
    "data link": ("addresses", put_in("[x](data:text/html;base64,PHNjcmlwdD4=)")),
    "image added": ("images", put_in("![x](x.png)")),
    "script": ("html", put_in("<script>alert(1)</script>")),
    "event handler": ("html", put_in("<img src=x onerror=alert(1)>")),
    "HTML in entities": ("html", put_in("&lt;script&gt;")),
    "unclosed HTML": ("html", put_in("<img src=x onerror=alert(1) //")),
    "role": ("html", put_in("{ref}`x`")),
    "raw role": ("html", put_in("{raw}`<b>x</b>`")),
    "footnote": ("footnotes", put_in("[^1]")),
    "substitution": ("braces", put_in("{{ x }}")),
    "directive": ("blocks", lambda entry, rng: "```{include} /etc/passwd\n```\n\n" + entry.msgstr),
    "code cell": ("blocks", lambda entry, rng: "```{code-cell}\nx\n```\n\n" + entry.msgstr),
    "colon fence": ("blocks", lambda entry, rng: ":::{note}\nx\n:::\n\n" + entry.msgstr),
    "heading": ("blocks", lambda entry, rng: "# " + entry.msgstr),
    "list": ("blocks", lambda entry, rng: "- " + entry.msgstr),
    "quote": ("blocks", lambda entry, rng: "> " + entry.msgstr),
    "line break": ("lines", lambda entry, rng: entry.msgstr.replace(" ", "\n", 1) if " " in entry.msgstr else None),
    "literal asterisks": ("marks", put_in("**x(y)**z")),
    "literal underscores": ("marks", put_in("_x_y z")),
    "leading space": ("spaces", lambda entry, rng: " " + entry.msgstr),
    "trailing space": ("spaces", lambda entry, rng: entry.msgstr + " "),
    "invisible character": ("invisible", put_in("\u202e")),
    "invisible character, escaped": ("invisible", put_in("&#8238;")),
    "far too long": ("size", lambda entry, rng: entry.msgstr * 20 + "x" * 4000),
    "deeply nested": ("size", lambda entry, rng: "[" * 50_000),
    "number changed": ("numbers", changed_number),
    "bold lost": ("emphasis", replaced(BOLD, r"\1")),
    "bold added": ("emphasis", put_in("**x**")),
    "English copied": ("copied", copied),
    "a sentence left in English": ("half", half_copied),
    "words left in English": ("half", words_copied),
    "text lost": ("state", lost_text),
}


def header(pattern, replacement):
    """Returns a change of the first place in a file."""
    return lambda text, rng: re.sub(pattern, replacement, text, count=1).encode()


def after_headers(addition):
    return lambda text, rng: text.replace("\n\nmsgid", f"\n\n{addition}\nmsgid", 1).encode()


def duplicated(text, rng):
    blocks = text.split("\n\n")
    return "\n\n".join([*blocks[:3], blocks[2], *blocks[3:]]).encode()


def conflicting(text, rng):
    blocks = text.split("\n\n")
    other = re.sub(r'msgstr "[^"]', 'msgstr "x', blocks[2], count=1)
    return "\n\n".join([*blocks[:3], other, *blocks[3:]]).encode()


def entry_lost(text, rng):
    blocks = text.rstrip("\n").split("\n\n")
    del blocks[rng.randrange(1, len(blocks))]
    return ("\n\n".join(blocks) + "\n").encode()


# {kind: (rule, change of a file)}; a change returns bytes.
FILE_DEFECTS = {
    "fuzzy": ("state", after_headers("#, fuzzy")),
    "fuzzy misspelt": ("file", after_headers("#, fuzy")),
    "fuzzy as a comment": ("file", after_headers("# fuzzy")),
    "unknown flag": ("file", after_headers("#, c-format")),
    "waiver without reason": ("waiver", after_headers("# waive glossary:")),
    "waiver of nothing": ("waiver", after_headers("# waive register: because")),
    "entry lost": ("state", entry_lost),
    "English changed": ("state", header(r'\n\nmsgid "', r'\n\nmsgid "X')),
    "obsolete entry": ("state", lambda text, rng: (text + '\n#~ msgid "x"\n#~ msgstr "x"\n').encode()),
    "duplicate": ("file", duplicated),
    "conflicting duplicate": ("file", conflicting),
    "missing quote": ("file", header(r'\n\nmsgid "', "\n\nmsgid ")),
    "odd escape": ("file", header(r'\nmsgstr "(?=[^"])', r'\nmsgstr "\\x3c')),
    "conflict of git": ("file", after_headers("<<<<<<< HEAD")),
    "byte order mark": ("file", lambda text, rng: b"\xef\xbb\xbf" + text.encode()),
    "another encoding": ("file", lambda text, rng: text.encode("utf-16")),
    "NUL": ("file", lambda text, rng: text.encode().replace(b"msgstr", b"msg\0str", 1)),
    "another charset declared": ("file", header("charset=UTF-8", "charset=UTF-7")),
    "context": ("file", after_headers('msgctxt "x"')),
    "translator missing": ("header", header(r'"Last-Translator: [^"]*"\n', "")),
    "reviewer missing": ("header", header(r'"X-Reviewer: [^"]*"\n', "")),
    "date missing": ("header", header(r'"PO-Revision-Date: [^"]*"\n', "")),
}


def language_defects(language):
    """The defects that the language has of its own; there a change may be a pair for `replaced`."""
    own = languages.module(language, "defects")
    pairs = own.ENTRY_DEFECTS.items() if own else ()
    return {kind: (rule, replaced(*made) if isinstance(made, tuple) else made) for kind, (rule, made) in pairs}


def complete_catalogues(book, language):
    """Returns {page: catalogue} of those that are declared complete, the only ones in which nothing may be missing."""
    found = {page: po.parse(book.catalogue(page, language)) for page in book.domains}
    return {page: catalogue for page, catalogue in found.items() if po.is_complete(catalogue)}


def entry_mutants(book, language, made, rng):
    """Yields (page, English, bytes of the catalogue) where a change fits and nothing is waived."""
    found = complete_catalogues(book, language)
    entries = [(page, entry) for page, catalogue in found.items() for entry in catalogue.translated_entries()]
    places = [(page, entry) for page, entry in entries if not check.waivers(entry)]
    for page, entry in rng.sample(places, len(places)):
        old, new = entry.msgstr, made(entry, rng)
        if new is not None and new != old:
            found[page].wrapwidth, entry.msgstr = 0, new
            yield page, entry.msgid, str(found[page]).encode()
            entry.msgstr = old


def file_mutants(book, language, made, rng):
    pages = list(complete_catalogues(book, language))
    for page in rng.sample(pages, len(pages)):
        text = book.catalogue(page, language).read_text(encoding="utf-8")
        if (content := made(text, rng)) != text.encode():
            yield page, None, content


def verdicts(book):
    """Yields (kind, True, whether it was found, where) for up to PER_KIND defects of each kind and language.

    Args:
      book: whose catalogues are without faults, and whose messages have been extracted.
    """
    with tempfile.TemporaryDirectory(dir=book.built()) as folder:
        copy = Path(folder) / "defect.po"
        for language in book.translations:
            terms = glossary.load(book, language)
            rng = random.Random(SEED)
            kinds = [
                *((kind, defect, entry_mutants) for kind, defect in ENTRY_DEFECTS.items()),
                *((kind, defect, entry_mutants) for kind, defect in language_defects(language).items()),
                *((kind, defect, file_mutants) for kind, defect in FILE_DEFECTS.items()),
            ]
            for kind, (rule, made), mutants in kinds:
                for page, message, content in islice(mutants(book, language, made, rng), PER_KIND):
                    copy.write_bytes(content)
                    expected = check.expected_messages(book, messages.folder(book), page)
                    checked = check.check_file(book, copy, expected, language, terms)
                    found = any(one.fault.rule == rule and message in (None, one.message) for one in checked.problems)
                    yield kind, True, found, f"{language}, {page}: {message or ''}"
