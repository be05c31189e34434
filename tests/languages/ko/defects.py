"""Defects to put into Korean catalogues, as in `tests.catalogues.defects`."""

import re
from functools import cache

from ci.book import here
from ci.catalogues import glossary, wording
from ci.catalogues.parts import parts
from ci.languages.ko import rules as ko
from tests.catalogues.defects import replace


@cache
def terms():
    return glossary.load(here(), "ko")


def other_particle(entry, rng):
    """Exchange the particle after a code span whose reading is known."""
    for match in re.finditer(f"`([^`]+)`{ko.PARTICLE}", entry.msgstr):
        if ko.reading(match[1], terms().folder):
            return entry.msgstr[: match.start(2)] + ko.OTHER[match[2]] + entry.msgstr[match.end(2) :]
    return None


def other_particle_after_term(entry, rng):
    for term in terms().terms:
        match = re.search(f"(?<![가-힣`]){term.forms[0]}{ko.PARTICLE}", entry.msgstr)
        if match and ko.HANGUL.match(term.forms[0][-1]):
            return entry.msgstr[: match.start(1)] + ko.OTHER[match[1]] + entry.msgstr[match.end(1) :]
    return None


def other_particle_after_number(entry, rng):
    match = ko.NUMBER.search(entry.msgstr)
    return match and entry.msgstr[: match.start(2)] + ko.OTHER[match[2]] + entry.msgstr[match.end(2) :]


def terms_of(entry):
    """Return the terms in the prose of a message, where the check looks for them."""
    return terms().found(wording.without_titles(parts(entry.msgid), parts(entry.msgstr)))


def avoided_form(entry, rng):
    """Write a term in a form that the glossary excludes."""
    for term in terms_of(entry):
        if term.avoid and term.forms[0] in entry.msgstr:
            return entry.msgstr.replace(term.forms[0], rng.choice(term.avoid))
    return None


def invented_form(entry, rng):
    for term in terms_of(entry):
        if len(term.forms) == 1 and term.forms[0] in parts(entry.msgstr).prose and term.forms[0] not in entry.msgid:
            return entry.msgstr.replace(term.forms[0], "거시기")
    return None


def second_gloss(entry, rng):
    """Explain the same English by another word."""
    match = re.search(r"([가-힣]+)\(([a-z][a-z ]+)\)", entry.msgstr)
    return match and f"{entry.msgstr} 거시기({match[2]}) 참고."


def without_korean(entry, rng):
    return re.sub("[가-힣]+", "the", entry.msgstr) if wording.is_prose(parts(entry.msgid)) else None


ENTRY_DEFECTS = {
    "plain register": ("register", replace(r"합니다\.", "한다.")),
    "plain copula": ("register", replace(r"입니다\.", "이다.")),
    "casual register": ("register", replace(r"합니다\.", "해요.")),
    "plain question": ("register", replace(r"까요\?", "까?")),
    "plain request": ("register", replace(r"세요\.", "라.")),
    "reader addressed": ("register", lambda entry, rng: f"당신은 {entry.msgstr}"),
    "colon": ("colon", replace(r"다\.$", "다:")),
    "both particles": ("particle", replace(r"`을|`를", "`을(를)")),
    "particle after code": ("particle", other_particle),
    "particle after a term": ("particle", other_particle_after_term),
    "particle after a number": ("particle", other_particle_after_number),
    "avoided form of a term": ("glossary", avoided_form),
    "invented form of a term": ("glossary", invented_form),
    "one term in two ways": ("two ways", second_gloss),
    "no Korean": ("copied", without_korean),
}
