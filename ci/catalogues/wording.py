"""What is expected of a translation in any language: numbers, emphasis, terms, and that it is one."""

import re

from ci import _
from ci.catalogues import leftover_english
from ci.catalogues.fault import OBJECT, Fault
from ci.catalogues.parts import IN_BRACES, parts

NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?!\d|(?:st|nd|rd|th)\b)")
NUMBER_WORD = re.compile(
    r"(?i)\b(?:zeros?|ones?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|twenty|thirty|forty|fifty|"
    r"sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|half|halves|thirds?|quarters?|fourths?|fifths?|"
    r"sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?|once|twice|singles?|pairs?|both|first|second|doubl\w+|tripl\w+|\w+fold|January|February|March|April|May|June|July|"
    r"August|September|October|November|December|\d+(?:st|nd|rd|th))(?:-\w+)?\b"
)
UNSPOKEN = {"0", "1"}  # "no steps" and "a step" may be said with a number
FORMULA = re.compile(r"\\[A-Za-z]+")
WORD = re.compile(r"\b[a-z]{2,}\b")
WAIVER = _("if something else is meant, write `# waive glossary: REASON` above the entry")
GLOSS = re.compile(r"(\w+)[*_]*\(([A-Za-z][A-Za-z -]*)\)")


def is_formula(english):
    """Whether a message is a displayed formula, which the catalogues do not tell from prose."""
    return bool(FORMULA.search(english.prose))


def faults(message, translation, glossary):
    """Yields the `Fault`s of one translation, given the `Glossary` of its language."""
    english, other = parts(message), parts(translation)
    if is_formula(english):
        if message.split() != translation.split():
            yield Fault("formula", _("a formula is copied unchanged"))
        return
    yield from number_faults(english.prose, other.prose)
    yield from emphasis_faults(english.emphasis, other.emphasis)
    if message == translation and is_prose(english):
        yield Fault("copied", _("it is the English as it stands: translate it"))
        return
    yield from leftover_english.faults(without_titles(other, english), english.prose, glossary.found(english.prose))
    yield from term_faults(without_titles(english, other), other.prose, glossary)


def without_titles(one, other):
    """The prose of one of a message and its translation, without what is in braces and link texts that both have."""
    titles = {text for kind, text in other.flow if kind == "link"}
    own = [text for kind, text in one.flow if kind == "text" or (kind == "link" and text not in titles)]
    return IN_BRACES.sub(" ", OBJECT.join(own))


def is_prose(english):
    """Whether there is something to translate: two words, names and titles of linked works not counted."""
    return len(WORD.findall("".join(text for kind, text in english.flow if kind == "text"))) > 1


def number_faults(english, other):
    wanted, found = NUMBER.findall(english), NUMBER.findall(other)
    lost = [number for number in set(wanted) if found.count(number) < wanted.count(number)]
    if lost:
        sentence = _("the number {numbers} of the English is missing")
        yield Fault("numbers", sentence, {"numbers": ", ".join(sorted(lost))})
    added = set(found).difference(wanted, UNSPOKEN)
    if added and not NUMBER_WORD.search(english):
        sentence = _("the number {numbers} is not in the English: take it out")
        yield Fault("numbers", sentence, {"numbers": ", ".join(sorted(added))})


def emphasis_faults(english, other):
    for mark in sorted({*english, *other}):
        if english[mark] != other[mark]:
            sentence = _("{mark}emphasis{mark}: {wanted} in the English, {found} here")
            yield Fault("emphasis", sentence, {"mark": mark, "wanted": english[mark], "found": other[mark]})


def term_faults(english, other, glossary):
    """Looks for terms of the English text that are translated otherwise than the glossary says."""
    found = glossary.found(english)
    used = forms_used(other, found)
    for term in found:
        values = {"english": term.english[0], "term": ", ".join(term.forms), "waiver": WAIVER}
        wrong = [form for form in term.avoid if form.lower() in used]
        if wrong:
            sentence = _("glossary: {english} is {term}, not {wrong}; {waiver}")
            yield Fault("glossary", sentence, values | {"wrong": ", ".join(wrong)})
        elif not any(form.lower() in other.lower() for form in term.forms):
            sentence = _("glossary: {english} is {term}, which is not in the translation; {waiver}")
            yield Fault("glossary", sentence, values)


def forms_used(text, terms):
    """Returns the forms, right and wrong, of some terms that stand in a text; a longer one hides those within it."""
    forms = {form.lower() for term in terms for form in term.forms + term.avoid}
    pattern = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    return set(re.findall(pattern, text.lower())) if forms else set()


def gloss_faults(translations):
    """Compares over a page what stands before the English of a term in parentheses, as in 파이트리(pytree).

    Args:
      translations: (key, translation) in the order of the page.

    Yields:
      (key, `Fault`) where the same English explains another word than before.
    """
    first = {}
    for key, translation in translations:
        for word, english in GLOSS.findall(parts(translation).prose):
            before = first.setdefault(english.lower(), word)
            if before != word:
                sentence = _("{english} is {first} earlier on the page and {word} here: keep to one")
                yield key, Fault("two ways", sentence, {"english": english, "first": before, "word": word})
