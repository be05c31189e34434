"""Check translations into any language: numbers, emphasis, terms of the glossary, words that are still English."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import polib

from ci import _
from ci.catalogues.glossary import Glossary, Term
from ci.catalogues.parts import IN_BRACES, OBJECT, Parts, parts
from ci.catalogues.structure import Fault

NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?!\d|(?:st|nd|rd|th)\b)")
NUMBER_WORDS = Path(__file__).with_name("number_words.txt").read_text(encoding="utf-8").split()  # patterns
NUMBER_WORD = re.compile(rf"(?i)\b(?:{'|'.join(NUMBER_WORDS)})(?:-\w+)?\b")
UNSPOKEN = {"0", "1"}  # "no steps" and "a step" may be translated with a number
FORMULA = re.compile(r"\\[A-Za-z]+")
WORD = re.compile(r"\b[a-z]{2,}\b")
WAIVER = _("if something else is meant, write `# waive glossary: REASON` above the entry")
GLOSS = re.compile(r"(\w+)[*_]*\(([A-Za-z][A-Za-z -]*)\)")
BETWEEN = " .,;:!?\"'“”‘’–—"
RUN = re.compile(rf"[A-Za-z][A-Za-z'’-]*(?:[{BETWEEN}]+[A-Za-z][A-Za-z'’-]*)+")
PLAIN_WORD = re.compile(r"a|[a-z]{2,}")  # neither a name nor hyphenated, as scikit-learn is
PLAIN = 2  # so many plain words in a row count as English; glosses and titles have been removed
SHARED = 3  # a language in Latin script shares fewer words in a row with the English by chance
BRACKETS = re.compile(r"[(（]([^()（）]*)[)）]")
LONGEST_GLOSS = 5  # the largest number of English words that may stand in parentheses


def is_formula(english: Parts) -> bool:
    """Return whether a message is a displayed formula, by its LaTeX commands: catalogues do not mark formulas."""
    return bool(FORMULA.search(english.prose))


def faults(message: str, translation: str, glossary: Glossary) -> Iterator[Fault]:
    """Yield the faults of a translation, given the glossary of its language."""
    english, other = parts(message), parts(translation)
    if is_formula(english):
        if message.split() != translation.split():
            yield Fault("formula", _("a formula is copied unchanged"))
        return
    yield from _number_faults(english.prose, other.prose)
    yield from _emphasis_faults(english.emphasis, other.emphasis)
    if message == translation and is_prose(english):
        yield Fault("copied", _("it is identical to the English: translate it"))
        return
    yield from _english_faults(without_titles(other, english), english.prose, glossary.found(english.prose))
    yield from _term_faults(without_titles(english, other), other.prose, glossary)


def without_titles(text_of: Parts, other: Parts) -> str:
    """Return the prose of a message or its translation, without text in braces and link texts that `other` has too."""
    titles = {text for kind, text in other.flow if kind == "link"}
    own = [text for kind, text in text_of.flow if kind == "text" or (kind == "link" and text not in titles)]
    return IN_BRACES.sub(" ", OBJECT.join(own))


def is_prose(english: Parts) -> bool:
    """Return whether a message must be translated: outside of links, it has two or more lower-case words."""
    return len(WORD.findall("".join(text for kind, text in english.flow if kind == "text"))) > 1


def _number_faults(english: str, other: str) -> Iterator[Fault]:
    """Yield a fault for numbers that are lost or added; English number words may become digits."""
    wanted, present = Counter(NUMBER.findall(english)), Counter(NUMBER.findall(other))
    if lost := wanted - present:
        sentence = _("the number {numbers} of the English is missing")
        yield Fault("numbers", sentence, {"numbers": ", ".join(sorted(lost))})
    added = set(present).difference(wanted, UNSPOKEN)
    if added and not NUMBER_WORD.search(english):
        sentence = _("the number {numbers} is not in the English: remove it")
        yield Fault("numbers", sentence, {"numbers": ", ".join(sorted(added))})


def _emphasis_faults(english: Counter[str], other: Counter[str]) -> Iterator[Fault]:
    """Yield a fault for each kind of emphasis that does not occur as often as in the English."""
    for mark in sorted({*english, *other}):
        if english[mark] != other[mark]:
            sentence = _("{mark}emphasis{mark}: {wanted} in the English, {found} here")
            yield Fault("emphasis", sentence, {"mark": mark, "wanted": english[mark], "found": other[mark]})


def _term_faults(english: str, other: str, glossary: Glossary) -> Iterator[Fault]:
    """Yield a fault for each term of the English text that is not translated as the glossary says."""
    terms = glossary.found(english)
    used = _forms_used(other, terms)
    for term in terms:
        values = {"english": term.english[0], "term": ", ".join(term.forms), "waiver": WAIVER}
        wrong = [form for form in term.avoid if form.lower() in used]
        if wrong:
            sentence = _("glossary: {english} is {term}, not {wrong}; {waiver}")
            yield Fault("glossary", sentence, values | {"wrong": ", ".join(wrong)})
        elif not any(form.lower() in other.lower() for form in term.forms):
            sentence = _("glossary: {english} is {term}, which is not in the translation; {waiver}")
            yield Fault("glossary", sentence, values)


def _forms_used(text: str, terms: Sequence[Term]) -> set[str]:
    """Return the right and wrong forms of terms in a text, in lower case; where they overlap, only the longest."""
    forms = {form.lower() for term in terms for form in term.forms + term.avoid}
    pattern = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    return set(re.findall(pattern, text.lower())) if forms else set()


def gloss_faults(entries: Iterable[polib.POEntry]) -> Iterator[tuple[polib.POEntry, Fault]]:
    """Yield (entry, fault) where a gloss, as in 파이트리(pytree), explains another word than before on the page."""
    first: dict[str, str] = {}
    for entry in entries:
        for word, english in GLOSS.findall(parts(entry.msgstr).prose):
            before = first.setdefault(english.lower(), word)
            if before != word:
                sentence = _("{english} is {first} earlier on the page and {word} here: use the same word")
                yield entry, Fault("two ways", sentence, {"english": english, "first": before, "word": word})


def _english_faults(text: str, english: str, terms: Sequence[Term]) -> Iterator[Fault]:
    """Yield a fault for each run of English words except names, terms and glosses; the text has no titles."""
    runs: Iterable[list[str]] = (run.split() for run in RUN.findall(_without_glosses(_without_terms(text, terms))))
    if not _is_another_script(text, english):
        runs = (part for run in runs for part in _shared(run, english.split()))
    for run in runs:
        if _plain_words(run) >= PLAIN:
            sentence = _(
                "‘{words}’ is English: translate it; if it must stay, write `# waive half: REASON` above the entry"
            )
            yield Fault("half", sentence, {"words": " ".join(run).strip(BETWEEN)})


def _without_terms(text: str, terms: Sequence[Term]) -> str:
    for form in (form for term in terms for form in term.forms if form.isascii()):
        text = re.sub(rf"\b{re.escape(form)}\b", OBJECT, text, flags=re.IGNORECASE)
    return text


def _without_glosses(text: str) -> str:
    def hidden(match: re.Match[str]) -> str:
        return OBJECT if match[1].isascii() and len(match[1].split()) <= LONGEST_GLOSS else match[0]

    return BRACKETS.sub(hidden, text)


def _is_another_script(text: str, english: str) -> bool:
    """Return whether a text has letters that are neither Latin nor in the English."""
    letters = filter(str.isalpha, set(text).difference(english))
    return any(not unicodedata.name(letter, "LATIN").startswith("LATIN") for letter in letters)


def _shared(run: list[str], english: list[str]) -> list[list[str]]:
    """Return the parts of a run of words, of at least `SHARED` words, that the English has word for word."""
    ours, theirs = ([word.strip(BETWEEN).lower() for word in words] for words in (run, english))
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return [run[block.a : block.a + block.size] for block in blocks if block.size >= SHARED]


def _plain_words(run: list[str]) -> int:
    """Return the largest number of words in a row that are neither capitalized nor hyphenated."""
    plain = "".join("x" if PLAIN_WORD.fullmatch(word.strip(BETWEEN)) else " " for word in run)
    return max(map(len, plain.split()), default=0)
