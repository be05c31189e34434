"""The rules for Korean; defects.py has more, which are put into the real catalogues."""

import pytest

from ci.book import here
from ci.catalogues.glossary import Glossary, Term
from ci.languages.ko import rules as ko

LISTS = here().root / "locale" / "ko"
TERMS = Glossary([Term(("batch",), ("배치",), (), ""), Term(("model",), ("모델",), (), "")], LISTS)


def rules(translation):
    return [fault.rule for fault in ko.faults("Some prose.", translation, TERMS)]


@pytest.mark.parametrize(
    "translation",
    [
        "무엇이 필요할까요?",
        "`jit`를 쓰면 `init`은 그대로이고 `x_1`을 `step`으로 나눕니다.",
        "32가 아니라 10이며 8로 나누고 3으로 곱합니다.",
        "`DiffState(0, ...)`는 괜찮습니다.",
        "배치(batch)는 모델(model)로 갑니다.",
        "`pad` 함수는 두 스텝마다 디바이스 여덟 개에서 부릅니다.",
        "이미지니까 그렇습니다. 이름은 함수입니다. `f`를 보세요.",
    ],
)
def test_good_korean_passes(translation):
    assert rules(translation) == []


@pytest.mark.parametrize(
    "translation, rule",
    [
        ("우리는 실행합니다.", "register"),
        ("모델가 큽니다.", "particle"),
        ("배치으로 씁니다.", "particle"),
        ("배치(batch)은 큽니다.", "particle"),
        ("**배치**은 큽니다.", "particle"),
        ("[모델](a.md)를 읽으세요.", "particle"),
        ("배치으로부터 옵니다.", "particle"),
        ("너희의 모델입니다.", "register"),
        ("함수 `pad`를 부릅니다.", "style"),
        ("쉰 에폭 뒤에 봅니다.", "style"),
        ("여덟 디바이스에서 돕니다.", "style"),
        ("가장 새로운 것입니다.", "style"),
        ("이 장에서는 다음을 합니다.", "style"),
        ("계층은 통계량을 간직합니다.", "style"),
    ],
)
def test_what_is_wrong_is_named(translation, rule):
    assert rule in rules(translation)
