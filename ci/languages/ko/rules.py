"""Check Korean translations: register, punctuation, style, and the particles that depend on the sound before them."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from ci import _
from ci.catalogues import lists, wording
from ci.catalogues.glossary import Glossary
from ci.catalogues.parts import Parts, parts
from ci.catalogues.structure import Fault

HANGUL = re.compile(r"[가-힣]")
END = r"(?=[.?!]\)?(?:\s|$))"
PLAIN = re.compile(rf"(?:(?<![니시])다|(?<!니)까|라|시오|니){END}|(?<!평)가(?=\?(?:\s|$))")
NOUNS_IN_YO = "필주중개소수"  # 필요, 주요, …: here 요 is not the ending of a verb
POLITE = re.compile(rf"(?:(?<![세{NOUNS_IN_YO}])요(?=[.!]\)?(?:\s|$))|(?<![까나가{NOUNS_IN_YO}])요(?=\?)|죠{END})")
ADDRESS = re.compile(r"(?<![가-힣])(?:당신|우리|너희)(?=[은는이가의을를도에\s])")
UNDECIDED = re.compile(r"(?:[은을이과]\([는를가와]\)|[는를가와]\([은을이과]\)|\(으\)로)")

NOUN_BEFORE_CODE = re.compile(r"(?<![가-힣])(함수|메서드|인자|클래스|변수|필드|속성|옵션|플래그|모듈|객체|컬렉션) $")

PAIRS = (
    "을/를 은/는 이/가 과/와 으로/로 이나/나 이란/란 이라는/라는 이라고/라고 으로는/로는 으로도/로도"
    " 으로서/로서 으로써/로써 으로부터/로부터"
)
AFTER_CONSONANT = dict(pair.split("/") for pair in PAIRS.split())  # {form after a consonant: form after a vowel}
OTHER = AFTER_CONSONANT | {vowel: consonant for consonant, vowel in AFTER_CONSONANT.items()}
PARTICLE = f"({'|'.join(sorted(OTHER, key=len, reverse=True))})(?![가-힣])"
LIEUL = 8  # the number of ㄹ among the final consonants of Unicode; 로 follows it as it follows a vowel
DIGITS = dict(zip("0123456789", ["영", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"], strict=True))
LAST_WORD = re.compile(r"([A-Z]?[a-z]+|[A-Z]+|\d)[^A-Za-z0-9.]*$")
NUMBER = re.compile(r"(?<![\w.,/-])-?[\d.,]*(\d)" + PARTICLE)  # in 1/4, the 1 is read last
GLOSS = r"(?:\([A-Za-z][A-Za-z -]*\))?"


def faults(message: str, translation: str, glossary: Glossary) -> Iterator[Fault]:
    """Yield the faults of a translation, given the Korean glossary."""
    if wording.is_formula(parts(message)) or message == translation:  # `wording` covers both
        return
    other = parts(translation)
    if wording.is_prose(parts(message)) and not HANGUL.search(other.prose):
        yield Fault("copied", _("there is no Korean in it: translate it"))
        return
    yield from _register_faults(other.prose)
    yield from _style_faults(other, glossary)
    yield from _particle_faults(other, glossary)


def _register_faults(prose: str) -> Iterator[Fault]:
    """Yield a fault for each verb in another register, for a pronoun of address and a final colon.

    Also for each undecided particle, such as 을(를).
    """
    for match in [*PLAIN.finditer(prose), *POLITE.finditer(prose)]:
        sentence = _("‘{ending}’: the book is written in -습니다, requests in -하세요")
        yield Fault("register", sentence, {"ending": prose[max(0, match.start() - 3) : match.end() + 1]})
    if address := ADDRESS.search(prose):
        yield Fault("register", _("‘{word}’: leave the pronoun out"), {"word": address[0]})
    if prose.rstrip().endswith(":"):
        yield Fault("colon", _("a Korean sentence does not end with a colon: write a full stop"))
    for match in UNDECIDED.finditer(prose):
        sentence = _("‘{form}’: choose one particle by how the word before it is read")
        yield Fault("particle", sentence, {"form": match[0]})


@cache
def style(folder: Path) -> list[tuple[re.Pattern[str], str]]:
    """Return (pattern of an expression that sounds translated, what to write instead) from the list of a folder."""
    rows = lists.rows(folder / "style.csv", ["pattern", "better"])
    return [(re.compile(row["pattern"]), row["better"]) for _line, row in rows]


def _style_faults(translation: Parts, glossary: Glossary) -> Iterator[Fault]:
    """Yield a fault for each expression that sounds translated, and for each noun in front of code."""
    for pattern, better in style(glossary.folder):
        for match in pattern.finditer(translation.prose):
            yield Fault("style", _("‘{form}’: write {better} instead"), {"form": match[0], "better": better})
    for (kind, text), (following, code) in pairwise(translation.flow):
        if kind == "text" and following == "code" and (noun := NOUN_BEFORE_CODE.search(text)):
            values = {"noun": noun[1], "code": code}
            yield Fault("style", _("‘{noun} `{code}`’: write the noun after the code: `{code}` {noun}"), values)


@cache
def readings(folder: Path) -> dict[str, str]:
    """Return {last word of a code span: how it is read, in Hangul} from the list of a folder."""
    return {row["word"]: row["reading"] for _line, row in lists.rows(folder / "readings.csv", ["word", "reading"])}


def reading(code: str, folder: Path) -> str | None:
    """Return how the last word of a code span is read, in Hangul, or None if that is unknown."""
    match = LAST_WORD.search(code)
    return (DIGITS.get(match[1]) or readings(folder).get(match[1].lower())) if match else None


def fitting(particle: str, word: str) -> str:
    """Return the form of a particle that is right after a word in Hangul."""
    final = (ord(word[-1]) - ord("가")) % 28  # Unicode, chapter 3.12: 28 finals for each initial and vowel
    to_vowel = not final or (final == LIEUL and particle.removeprefix("으").startswith("로"))
    return OTHER[particle] if (particle in AFTER_CONSONANT) == to_vowel else particle


def _particle_faults(translation: Parts, glossary: Glossary) -> Iterator[Fault]:
    """Yield a fault for each wrong particle after code, a number or a term of the glossary."""
    for (kind, code), (_next, text) in pairwise(translation.flow):
        if kind == "code" and (match := re.match(PARTICLE, text)) and (word := reading(code, glossary.folder)):
            yield from _particle_fault(f"`{code}`", word, match[1])
    prose = translation.prose
    for match in NUMBER.finditer(prose):
        yield from _particle_fault(match[0].removesuffix(match[2]), DIGITS[match[1]], match[2])
    terms = [term.forms[0] for term in glossary.terms if HANGUL.match(term.forms[0][-1])]
    if terms:
        longest_first = "|".join(sorted(terms, key=len, reverse=True))
        for match in re.finditer(rf"(?<![가-힣])({longest_first}){GLOSS}{PARTICLE}", prose):
            yield from _particle_fault(match[1], match[1], match[2])


def _particle_fault(shown: str, word: str, particle: str) -> Iterator[Fault]:
    """Yield a fault if a particle does not fit a word in Hangul, which readers see as `shown`."""
    right = fitting(particle, word)
    if right != particle:
        sentence = _("particle after {word}, which is read {reading}: {right}, not {wrong}")
        yield Fault("particle", sentence, {"word": shown, "reading": word, "right": right, "wrong": particle})
