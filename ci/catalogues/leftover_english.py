"""English that is left in the middle of a translation."""

import re
import unicodedata
from difflib import SequenceMatcher

from ci import _
from ci.catalogues.fault import OBJECT, Fault

BETWEEN = " .,;:!?\"'“”‘’–—"
RUN = re.compile(rf"[A-Za-z][A-Za-z'’-]*(?:[{BETWEEN}]+[A-Za-z][A-Za-z'’-]*)+")
PLAIN_WORD = re.compile(r"a|[a-z]{2,}")  # not a name, nor scikit-learn
PLAIN = 2  # plain words in a row; the two of a gloss or a title are in parentheses or in a link
SHARED = 3  # words in a row, as in the English, that another language in its script does not have by chance
BRACKETS = re.compile(r"[(（]([^()（）]*)[)）]")
GLOSS = 5  # words of English that may stand in parentheses


def faults(text, english, terms):
    """Yields a `Fault` for each run of English words that are neither names, nor terms, nor a gloss in parentheses.

    Args:
      text: prose of the translation, without the titles it shares with the English.
      english: prose of the message.
      terms: those of the glossary that are in the message; some are said in English.
    """
    runs = (run.split() for run in RUN.findall(without_glosses(without_terms(text, terms))))
    if not is_another_script(text, english):
        runs = (part for run in runs for part in shared(run, english.split()))
    for run in runs:
        if plain_words(run) >= PLAIN:
            sentence = _(
                "‘{words}’ is English: translate it; if it must stay, write `# waive half: REASON` above the entry"
            )
            yield Fault("half", sentence, {"words": " ".join(run).strip(BETWEEN)})


def without_terms(text, terms):
    for form in (form for term in terms for form in term.forms if form.isascii()):
        text = re.sub(rf"\b{re.escape(form)}\b", OBJECT, text, flags=re.IGNORECASE)
    return text


def without_glosses(text):
    def is_gloss(inside):
        return inside.isascii() and len(inside.split()) <= GLOSS

    return BRACKETS.sub(lambda match: OBJECT if is_gloss(match[1]) else match[0], text)


def is_another_script(text, english):
    """Whether there are letters in a text that are neither Latin nor in the English."""
    letters = {one for one in text if one.isalpha()}.difference(english)
    return any(not unicodedata.name(one, "LATIN").startswith("LATIN") for one in letters)


def shared(run, english):
    """Returns the parts of a run that stand in the English, word for word."""
    ours, theirs = ([word.strip(BETWEEN).lower() for word in words] for words in (run, english))
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return [run[block.a : block.a + block.size] for block in blocks if block.size >= SHARED]


def plain_words(run):
    """The most words in a row that are neither capitalized nor hyphenated."""
    plain = "".join("x" if PLAIN_WORD.fullmatch(word.strip(BETWEEN)) else " " for word in run)
    return max(map(len, plain.split()), default=0)
