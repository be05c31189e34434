import pytest

from ci.book import BookError, here
from ci.catalogues import glossary

HEAD = "english,language,term,avoid,note\n"


def load(book, text):
    (book.root / "locale").mkdir(exist_ok=True)
    (book.root / "locale" / "glossary.csv").write_text(text, encoding="utf-8")
    return glossary.load(book, "ko")


def test_the_longest_term_is_found_in_its_plural_too(book):
    rows = ["batch,ko,배치,,", '"batch size",ko,배치 크기,,', "leaf;leaves,ko,리프,,", "batch,ja,バッチ,,"]
    terms = load(book, HEAD + "\n".join(rows))
    found = terms.found("Batch sizes of two batches; leaves")
    assert [term.english[0] for term in found] == ["batch size", "batch", "leaf"]
    assert terms.found("debatched") == []


@pytest.mark.parametrize(
    "text, reason",
    [
        ("english,korean\n", "glossary.csv:1: the columns must be english, language, term, avoid, note"),
        (HEAD + "batch,ko\n", "glossary.csv:2: the row must have 5 columns"),
        (HEAD + "batch,ko,a,b,c,d\n", "glossary.csv:2: the row must have 5 columns"),
        (HEAD + "batch,ko,,,\n", "glossary.csv:2: the English or the translation is missing"),
        (HEAD + "batch,ko,배치,,\nBatch,ko,묶음,,\n", "glossary.csv:3: 'Batch' occurs twice for 'ko'"),
    ],
)
def test_a_row_that_cannot_be_right_is_named(book, text, reason):
    with pytest.raises(BookError, match=reason):
        load(book, text)


@pytest.mark.parametrize("content", [b"english\xff", (HEAD + f'"{"x" * 200_000}",ko,a,,\n').encode()])
def test_a_file_that_is_no_csv_is_named(book, content):
    (book.root / "locale").mkdir()
    (book.root / "locale" / "glossary.csv").write_bytes(content)
    with pytest.raises(BookError, match="glossary.csv: not a CSV file in UTF-8"):
        glossary.load(book, "ko")


def test_a_byte_order_mark_of_a_spreadsheet_does_no_harm(book):
    assert load(book, "\ufeff" + HEAD + "batch,ko,배치,,\n").terms[0].forms == ("배치",)


def test_the_list_of_the_book_has_no_language_that_the_book_has_not():
    assert {language for language, _ in glossary.terms(glossary.path(here()))} <= set(here().translations)


@pytest.mark.parametrize("language", here().translations)
def test_the_list_of_the_book_contradicts_itself_nowhere(language):
    terms = glossary.load(here(), language).terms
    lines = [term.english[0].lower() for term in terms]
    assert lines == sorted(lines)
    for term in terms:
        assert not set(term.forms) & set(term.avoid), term


@pytest.mark.parametrize("language", [here().source_language, *list(here().translations)[:1]])
def test_at_least_eighty_terms_of_the_book_are_defined_in_every_language(language):
    defined = glossary.definitions(here(), language)
    terms = {term.english[0] for code in here().translations for term in glossary.load(here(), code).terms}
    assert len(defined) >= 80 and set(defined) <= terms
    assert [english for english, meaning in defined.items() if not meaning.strip()] == []
