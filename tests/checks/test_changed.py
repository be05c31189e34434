"""What a change can affect is checked; what it cannot is left out, and said."""

import pytest

from ci.book import here
from ci.checks import changed, checks

BOOK = here()
CHAPTER = BOOK.chapters[0]


def after(*paths):
    return checks.after_a_change(BOOK, list(paths))


def test_of_a_chapter_its_own_notebook_and_pages():
    kept, left_out = after(BOOK.relative(BOOK.source(CHAPTER)))
    assert kept["notebooks"][-1] == BOOK.relative(BOOK.notebook(CHAPTER, BOOK.source_language))
    assert f"{CHAPTER}-" in " ".join(kept["pages"])
    assert "tests/test_book.py" in kept["unit"] and "tests/book/test_install.py" not in kept["unit"]
    assert left_out == ["lint", "format", "types"]


def test_of_a_catalogue_the_pages_of_its_chapter_and_no_notebook():
    language = BOOK.translations[0]
    kept, left_out = after(*map(BOOK.relative, (BOOK.catalogue(CHAPTER, language), BOOK.notebook(CHAPTER, language))))
    assert f"{CHAPTER}-" in " ".join(kept["pages"])
    assert left_out == ["lint", "format", "types", "notebooks"]


def test_a_chapter_and_a_catalogue_of_no_chapter_together_open_every_page():
    kept, left_out = after(BOOK.relative(BOOK.source(CHAPTER)), "locale/ko/LC_MESSAGES/book/index.po")
    assert kept["pages"] == checks.whole_book(BOOK)["pages"]
    assert kept["notebooks"] == checks.whole_book(BOOK)["notebooks"]
    assert left_out == ["lint", "format", "types"]


def test_of_a_room_its_tests_and_those_of_the_rooms_above_it():
    tests = changed.affected(BOOK, ["ci/catalogues/po.py"]).tests
    rooms = {path.split("/")[1] for path in tests}
    assert {"catalogues", "notebooks", "site", "checks"} <= rooms
    assert "tests/execution/test_run.py" not in tests


def test_a_test_is_run_alone():
    kept, left_out = after("tests/book/test_lock.py")
    assert list(kept) == ["lint", "format", "unit"]
    assert kept["unit"][-1] == "tests/book/test_lock.py"
    assert left_out == ["types", "book", "notebooks", "catalogues", "refresh", "pages"]


@pytest.mark.parametrize("path", ["flaxbook/data.py", "requirements.txt", "ci/book/files.py", "_toc.yml", "of/nobody"])
def test_what_everything_stands_on_or_nobody_knows_is_checked_by_everything(path):
    assert after("tests/book/test_lock.py", path) == (checks.whole_book(BOOK), [])


def test_nothing_changed_needs_no_check():
    kept, left_out = after()
    assert kept == {}
    assert left_out == list(checks.whole_book(BOOK))


def test_rooms_are_those_of_the_machinery():
    rooms = [path.name for path in (BOOK.root / "ci").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert sorted(changed.ROOMS) == sorted(rooms)
