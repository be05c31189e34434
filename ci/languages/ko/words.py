"""Patterns for Korean words, in which no space separates a noun from its particle and from the nouns around it.

Search finds any two or more adjacent syllables within a word: 손실 in 손실을 and 손실함수, 하강 in 경사하강법.
"""

from pathlib import Path
from typing import Any

from ci.catalogues import lists

FOLDER = Path(__file__).parent
LETTERS = "가-힣"  # for use within the brackets of a regular expression
CASE = "에서|에게|에|으로|로|으로서|로서|으로써|로써|으로부터|로부터|까지|부터|마다|보다|처럼|와|과|이랑|랑|이나|나"
PARTICLES = (
    f"(?:{CASE})?(?:은|는|도|만|의)|{CASE}|이|가|을|를|조차|밖에"
    "|이?란|이?라는|이?라고|이?며|이?고|이지만|이므로|입니다|이었습니다"
)
# The endings of a noun that 하다, 되다 or 시키다 makes a verb: 변환하기, 변환할, 변환됨.
NOUN_AS_VERB = (
    "(?:하|되|시키)(?:기|는|고|지|지만|면|면서|도록|려면|려고|는지|는데|나요|던|게)?"
    "|(?:한|할|해|했|함|된|될|돼|됐|됨|하였|되었)(?:다|요|서|어요|때|는데|는지|지|더니|습니다|다면|다가|나요|까요|도)?|(?:합|됩)니다"
)
# The endings of other verbs, first those after which a stem of one syllable is left, too: 작으면, 바뀌었는데.
VERB = "(?:었|았)?(?:습니다|어요|아요|으면|어서|아서|으니까?|었다|았다|더니|는데도?|는지|을까요?|나요|까요|네요)"
SHORT_VERB = "는다|던|지만|지|고|기|면서?|니까|서|요|죠|음|었|았|어|아"
ENDING = f"(?:(?<=..)(?:{PARTICLES}|{NOUN_AS_VERB}|{SHORT_VERB})|(?<=.){VERB})"  # what search cuts off from a word
# Words of a question that do not say what it is about.
COMMON = (
    "방법 어떻게 왜 무엇 무슨 뭐 뭘 어디 언제 어떤 얼마 하는 할 때 하기 하면 해야 것 수 좀 및 그 이 저 더 잘 꼭 너무"
    " 자꾸 갑자기 사용법 사용 이유 법 쓰는 쓰기 쓰나 하는법 뭐예요 뭔가요 무엇인가요 있는지 있나 싶어요 되나요"
    " 대해 관련 필요한가요 가능한가요"
)
NOUN_BEGINS = r"(?<!\w)"
REST_OF_WORD = r"\w*"  # what follows a noun without a space, such as a particle


def for_search() -> dict[str, Any]:
    """Return how the search splits and compares words.

    stems.csv: the last syllable of the stem of a verb, and what becomes of it: 느림, 느려 and 느린 are 느리.
    sounds.csv: how an English word sounds in either spelling. Replacements leave its consonants, those that Korean
    does not tell apart as one letter: 오토캐스트 and autocast are both tkst. Korean syllables are decomposed first.
    Source: 외래어 표기법 (https://korean.go.kr/kornorms), chapter 3, section 1.
    """
    stems = {row["stem"]: row["forms"] for _line, row in lists.rows(FOLDER / "stems.csv", ["stem", "forms", "note"])}
    sounds: dict[str, list[tuple[str, str]]] = {"own": [], "English": []}
    for _line, row in lists.rows(FOLDER / "sounds.csv", ["spelling", "pattern", "sound", "note"]):
        sounds[row["spelling"]].append((row["pattern"], row["sound"]))
    return {"letters": LETTERS, "ending": ENDING, "last": stems, "common": COMMON, "sounds": sounds}
