"""Find English words that are not translated within a translation."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from ci import _
from ci.catalogues.fault import OBJECT, Fault
from ci.catalogues.glossary import Term

BETWEEN = " .,;:!?\"'“”‘’–—"
RUN = re.compile(rf"[A-Za-z][A-Za-z'’-]*(?:[{BETWEEN}]+[A-Za-z][A-Za-z'’-]*)+")
PLAIN_WORD = re.compile(r"a|[a-z]{2,}")  # neither a name nor hyphenated, as scikit-learn is
PLAIN = 2  # so many plain words in a row count as English; glosses and titles have been removed
SHARED = 3  # a language in Latin script shares fewer words in a row with the English by chance
BRACKETS = re.compile(r"[(（]([^()（）]*)[)）]")
GLOSS = 5  # the largest number of English words that may stand in parentheses


def faults(text: str, english: str, terms: Sequence[Term]) -> Iterator[Fault]:
    """Yield a fault for each run of English words that are neither names, nor terms, nor short English in parentheses.

    Args:
      text: prose of the translation, without the titles it shares with the English.
      english: prose of the message.
      terms: the terms of the glossary in the message; the translations of some are English.
    """
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
        return OBJECT if match[1].isascii() and len(match[1].split()) <= GLOSS else match[0]

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
