"""What terms mean, and where a text uses them."""

import pytest

from ci.book import BookError
from ci.catalogues import glossary

GLOSSARY = """\
english,language,term,avoid,note
batch,ko,배치,,
batch normalization,ko,배치 정규화,,
key,ko,키,,
in-place;in place,ko,제자리,,
activation function,ko,활성화 함수,,
activation,ko,활성화;활성값,,
"""
DEFINITIONS = """\
english,language,definition,but not in
batch,en,Examples of one step.,
batch,ko,한 스텝의 예제.,
batch normalization,en,It rescales.,
batch normalization,ko,다시 맞춘다.,
key,ko,난수의 출발점.,
in-place,en,Over the old.,in place of
activation,en,A result.,
activation,ko,결과.,
"""


@pytest.fixture
def definitions(book):
    locale = book.root / "locale"
    locale.mkdir(exist_ok=True)
    (locale / "glossary.csv").write_text(GLOSSARY, encoding="utf-8")
    (locale / "definitions.csv").write_text(DEFINITIONS, encoding="utf-8")
    return lambda language: glossary.Definitions(book, language)


@pytest.mark.parametrize(
    "language, message, text, found",
    [
        ("en", "Two batches", None, ["batches"]),
        ("en", "Batch normalization of a batch", None, ["Batch normalization", "batch"]),
        ("en", "An activation function", None, []),
        ("en", "A key", None, []),
        ("en", "It works in place", None, ["in place"]),
        ("en", "It stands in place of it", None, []),
        ("en", "The debatched", None, []),
        ("ko", "Two batches", "배치 두 개와 재배치", ["배치"]),
        ("ko", "They are placed", "그것을 배치합니다", []),
        ("ko", "A key of batch normalization", "배치 정규화의 키가", ["배치 정규화", "키"]),
        ("ko", "An activation", "활성값은", ["활성값"]),
        ("ko", "An activation function", "활성화 함수", []),
    ],
)
def test_terms_are_found_where_they_are_meant(definitions, language, message, text, found):
    text = text or message
    assert [text[start:end] for start, end, _ in definitions(language).uses(message, text)] == found


def test_a_definition_names_the_term_in_the_other_languages(definitions):
    [(*_, definition)] = definitions("en").uses("a batch", "a batch")
    assert (definition.own, definition.text, definition.others) == ("batch", "Examples of one step.", {"ko": "배치"})
    [(*_, definition)] = definitions("ko").uses("a batch", "배치")
    assert (definition.own, definition.text, definition.others) == ("배치", "한 스텝의 예제.", {"en": "batch"})


def test_a_list_with_other_columns_is_refused(book, definitions):
    path = book.root / "locale" / "definitions.csv"
    path.write_text("english,language,definition\n", encoding="utf-8")
    with pytest.raises(BookError, match="but not in"):
        glossary.definitions(book, "en")
