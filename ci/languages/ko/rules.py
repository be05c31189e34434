"""Rules for Korean: register, punctuation, and the particles that depend on how the word before them ends."""

import csv
import re
from functools import cache

from ci import _
from ci.book import here
from ci.catalogues import wording
from ci.catalogues.fault import Fault
from ci.catalogues.parts import parts

HANGUL = re.compile(r"[가-힣]")
END = r"(?=[.?!]\)?(?:\s|$))"
PLAIN = re.compile(rf"(?:(?<![니시])다|(?<!니)까|라|시오|니){END}|(?<!평)가(?=\?(?:\s|$))")
NOUNS_IN_YO = "필주중개소수"  # 필요, 주요, …: not a verb's ending
POLITE = re.compile(rf"(?:(?<![세{NOUNS_IN_YO}])요(?=[.!]\)?(?:\s|$))|(?<![까나가{NOUNS_IN_YO}])요(?=\?)|죠{END})")
ADDRESS = re.compile(r"(?<![가-힣])(?:당신|우리|너희)(?=[은는이가의을를도에\s])")
UNDECIDED = re.compile(r"(?:[은을이과]\([는를가와]\)|[는를가와]\([은을이과]\)|\(으\)로)")

MANY = "다섯|여섯|일곱|여덟|아홉|열|스물|스무|서른|마흔|쉰|예순|일흔|여든|아흔"
NOUN_BEFORE_CODE = re.compile(r"(?<![가-힣])(함수|메서드|인자|클래스|변수|필드|속성|옵션|플래그|모듈|객체|컬렉션) $")
# What reads like a translation: (pattern, what to write instead).
STYLE = [
    (re.compile(r"[가-힣]니까(?=\?)"), "-나요?, -ㄹ까요?"),
    (re.compile(rf"(?<![가-힣])(?:{MANY}) (?:에폭|스텝|퍼센트)"), "50에폭"),
    (re.compile(rf"(?<![가-힣])(?:{MANY}) (?:디바이스|호스트|프로세스)"), "디바이스 여덟 개"),
    (re.compile(r"흉내 ?[내낸냅]"), "시뮬레이션하다"),
    (re.compile(r"가장 새로운"), "가장 최근의"),
    (re.compile(r"다음을 합니다"), "할 일은 다음과 같습니다"),
    (
        re.compile(r"간직[하한합]|(?<![가-힣])지[니닌닙](?=[고다는니])|이름을 얻|허락[하한합]"),
        "가지다, 되다 같은 쉬운 말",
    ),
]

# After a consonant and after a vowel.
PARTICLES = [
    ("을", "를"),
    ("은", "는"),
    ("이", "가"),
    ("과", "와"),
    ("으로", "로"),
    ("이나", "나"),
    ("이란", "란"),
    ("이라는", "라는"),
    ("이라고", "라고"),
    ("으로는", "로는"),
    ("으로도", "로도"),
    ("으로서", "로서"),
    ("으로써", "로써"),
    ("으로부터", "로부터"),
]
OTHER = dict(PARTICLES) | {vowel: consonant for consonant, vowel in PARTICLES}
AFTER_CONSONANT = {consonant for consonant, _vowel in PARTICLES}
PARTICLE = f"({'|'.join(sorted(OTHER, key=len, reverse=True))})(?![가-힣])"
LIEUL = 8  # among the final consonants of Unicode; 로 follows it as it follows a vowel
DIGITS = dict(zip("0123456789", ["영", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"], strict=True))
LAST_WORD = re.compile(r"([A-Z]?[a-z]+|[A-Z]+|\d)[^A-Za-z0-9.]*$")
NUMBER = re.compile(r"(?<![\w.,/-])-?[\d.,]*(\d)" + PARTICLE)  # of 1/4, the 1 is read last
GLOSS = r"(?:\([A-Za-z][A-Za-z -]*\))?"


def faults(message, translation, glossary):
    """Yields the `Fault`s of one translation, given the Korean `Glossary`."""
    if wording.is_formula(parts(message)):
        return
    other = parts(translation)
    if message == translation:
        return  # said already, where it matters
    if wording.is_prose(parts(message)) and not HANGUL.search(other.prose):
        yield Fault("copied", _("there is no Korean in it: translate it"))
        return
    yield from register_faults(other.prose)
    yield from style_faults(other)
    yield from particle_faults(other, glossary)


def register_faults(prose):
    for match in [*PLAIN.finditer(prose), *POLITE.finditer(prose)]:
        sentence = _("‘{ending}’: the book is written in -습니다, requests in -하세요")
        yield Fault("register", sentence, {"ending": prose[max(0, match.start() - 3) : match.end() + 1]})
    if match := ADDRESS.search(prose):
        yield Fault("register", _("‘{word}’: leave the person out"), {"word": match[0]})
    if prose.rstrip().endswith(":"):
        yield Fault("colon", _("a Korean sentence does not end with a colon: write a full stop"))
    for match in UNDECIDED.finditer(prose):
        sentence = _("‘{form}’: decide by how the word before it is read")
        yield Fault("particle", sentence, {"form": match[0]})


def style_faults(translation):
    for pattern, better in STYLE:
        for match in pattern.finditer(translation.prose):
            yield Fault("style", _("‘{form}’: better {better}"), {"form": match[0], "better": better})
    for (kind, text), (following, code) in zip(translation.flow, translation.flow[1:], strict=False):
        if kind == "text" and following == "code" and (match := NOUN_BEFORE_CODE.search(text)):
            values = {"noun": match[1], "code": code}
            yield Fault("style", _("‘{noun} `{code}`’: the noun follows the code, `{code}` {noun}"), values)


@cache
def readings():
    """Returns {last word of a code span: how it is read}."""
    path = here().root / "locale" / __name__.split(".")[-2] / "readings.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {row["word"]: row["reading"] for row in csv.DictReader(file)}


def reading(code):
    """How a code span is read at its end, in Hangul; None if nobody can say."""
    match = LAST_WORD.search(code)
    return match and (DIGITS.get(match[1]) or readings().get(match[1].lower()))


def fitting(particle, word):
    """The form of a particle that fits a word in Hangul."""
    final = (ord(word[-1]) - ord("가")) % 28  # Unicode, chapter 3.12: 28 syllables for each beginning
    to_vowel = not final or (final == LIEUL and particle.removeprefix("으").startswith("로"))
    return OTHER[particle] if (particle in AFTER_CONSONANT) == to_vowel else particle


def particle_faults(translation, glossary):
    """Looks at the particles after code, numbers and the terms of the glossary."""
    flow, prose = translation.flow, translation.prose
    for (kind, code), (_next, text) in zip(flow, flow[1:], strict=False):
        if kind == "code" and (match := re.match(PARTICLE, text)) and (word := reading(code)):
            yield from particle_fault(f"`{code}`", word, match[1])
    for match in NUMBER.finditer(prose):
        yield from particle_fault(match[0].removesuffix(match[2]), DIGITS[match[1]], match[2])
    terms = [term.forms[0] for term in glossary.terms if HANGUL.match(term.forms[0][-1])]
    if terms:
        longest_first = "|".join(sorted(terms, key=len, reverse=True))
        for match in re.finditer(rf"(?<![가-힣])({longest_first}){GLOSS}{PARTICLE}", prose):
            yield from particle_fault(match[1], match[1], match[2])


def particle_fault(shown, word, particle):
    right = fitting(particle, word)
    if right != particle:
        sentence = _("particle after {word}, which is read {reading}: {right}, not {wrong}")
        yield Fault("particle", sentence, {"word": shown, "reading": word, "right": right, "wrong": particle})
