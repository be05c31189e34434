"""English that is left in the middle of a translation, in any language."""

import pytest

from ci.catalogues import wording
from ci.catalogues.glossary import Glossary, Term

TERMS = Glossary([Term(("running average",), ("Running Average",), (), "")])
JUMPS = "The weights jump with every batch: their running average is a smooth line below."


def leftovers(message, translation):
    return [fault.values["words"] for fault in wording.faults(message, translation, TERMS) if fault.rule == "half"]


@pytest.mark.parametrize(
    "translation, words",
    [
        ("가중치는 배치마다 튑니다. their average is a smooth line below.", "their average is a smooth line below"),
        ("Die Gewichte springen: is a smooth line below.", "is a smooth line below"),
        ("Веса прыгают with every batch.", "with every batch"),
        ("가중치는 every batch마다 튑니다.", "every batch"),
        ("가중치는 튑니다(their running average is a smooth line).", "is a smooth line"),
    ],
)
def test_english_words_in_a_row_are_named(translation, words):
    assert any(words in found for found in leftovers(JUMPS, translation))


@pytest.mark.parametrize(
    "message, translation",
    [
        (JUMPS, "가중치는 튀지만, 그 이동 평균(running average)은 매끄럽습니다."),
        (JUMPS, "가중치는 튀지만, 그 Running Average는 매끄럽습니다."),
        (JUMPS, "Die Gewichte springen, ihr Running Average ist eine glatte Linie in der Mitte."),
        ("Call `a b c` of scikit-learn now.", "scikit-learn의 `a b c`를 부르세요."),
        ("Read [words of a title](a.md) twice.", "[words of a title](a.md)을 두 번 읽으세요."),
        ("Jason Yosinski, Jeff Clune, Hod Lipson, in turn", "차례로 Jason Yosinski, Jeff Clune, Hod Lipson"),
        ("Multiple data (MPMD) run.", "다중 데이터(single program, multiple data)를 실행합니다."),
    ],
)
def test_names_terms_titles_code_and_glosses_may_stay(message, translation):
    assert leftovers(message, translation) == []
