import polib
import pytest

from ci.catalogues import wording
from ci.catalogues.glossary import Glossary, Term


def term(english, forms, avoid=()):
    return Term(tuple(english.split(";")), tuple(forms.split(";")), tuple(avoid), "")


TERMS = Glossary(
    [
        term("batch", "배치", ["묶음", "배치 사이즈"]),
        term("batch size", "배치 크기", ["배치 사이즈"]),
        term("gradient", "그래디언트"),
        term("gradient descent", "경사 하강법"),
        term("split;splits", "나누;분할"),
    ]
)


@pytest.mark.parametrize(
    "message, translation",
    [
        ("The batches and the batch size", "배치와 배치 크기"),
        ("by gradient descent", "경사 하강법으로"),
        ("The data are split.", "데이터를 나누었습니다."),
        ("`batch` of code", "코드의 `batch`"),
        ("{batch} of ten", "{batch} 10개"),
        ("T. Fawcett, [ROC](a.md), 2006.", "T. Fawcett, [ROC](a.md), 2006."),
        (r"y = \frac{x}{2}", r"y = \frac{x}{2}"),
        ("It doubles the cost.", "비용이 2배가 됩니다."),
    ],
)
def test_what_is_right_passes(message, translation):
    assert list(wording.faults(message, translation, TERMS)) == []


@pytest.mark.parametrize(
    "message, translation, rule",
    [
        ("Each batch", "묶음마다", "glossary"),
        ("The batch size", "배치 사이즈", "glossary"),
        ("Each batch of that batch size", "그 배치 사이즈의 배치마다", "glossary"),
        ("by gradient descent", "그래디언트 하강으로", "glossary"),
        ("Keep 3 of 1,000.", "1,000개 가운데 둡니다.", "numbers"),
        ("Keep 3 of 1,000.", "1,000개 가운데 4개를 둡니다.", "numbers"),
    ],
)
def test_what_is_wrong_is_named(message, translation, rule):
    faults = [fault for fault in wording.faults(message, translation, TERMS) if fault.rule == rule]
    assert faults
    assert rule != "glossary" or "write `# waive glossary: REASON` above the entry" in str(faults[0])


def test_a_term_explained_by_two_words_on_a_page_is_named_where_it_changes():
    glosses = ["파이트리(pytree)를", "파이트리(pytree)는", "파이나무(pytree)가", "형상(shape)"]
    ((entry, fault),) = wording.gloss_faults(polib.POEntry(msgstr=text) for text in glosses)
    assert (entry.msgstr, fault.rule) == (glosses[2], "two ways")
