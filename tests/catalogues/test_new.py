import pytest

from ci.book import Book, BookError
from ci.catalogues import glossary, update


def test_a_language_is_added_to_the_list(book):
    before = (book.root / "_config.yml").read_text(encoding="utf-8")
    update.add(book, "ja", update.new_name(book, "ja"))
    assert list(Book(book.root).languages.items())[-1] == ("ja", "日本語")
    after = (book.root / "_config.yml").read_text(encoding="utf-8")
    assert [line for line in after.splitlines() if line not in before.splitlines()] == ["  ja: 日本語"]


@pytest.mark.parametrize("code", ["xx", "", "jaja", "JA", "pt_BR", "../ko", "ja\n"])
def test_what_is_no_language_is_refused(book, code):
    with pytest.raises(BookError, match="is not the code of a language: use two or three letters"):
        update.new_name(book, code)


def test_a_language_has_one_code_and_is_not_added_twice(book):
    with pytest.raises(BookError, match="the code of this language is ko"):
        update.new_name(book, "kor")
    with pytest.raises(BookError, match="already in 한국어"):
        update.new_name(book, "ko")


def test_the_next_steps_name_the_files_a_row_of_the_glossary_if_there_is_one_and_the_preview(book):
    assert "glossary" not in "\n".join(map(str, update.next_steps(book, "ko")))
    (book.root / "locale").mkdir(exist_ok=True)
    glossary.path(book).touch()
    said = "\n".join(map(str, update.next_steps(update.add(book, "ja", "日本語"), "ja")))
    for text in ("日本語", "_config.yml locale/ja notebooks/ja", "batch,ja,", "./ci/book.sh preview ja"):
        assert text in said


def test_a_list_of_languages_on_one_line_is_refused():
    with pytest.raises(BookError, match="write each of the languages on a line of its own"):
        update.with_language("languages: {en: English}\n", "ja", "日本語")
