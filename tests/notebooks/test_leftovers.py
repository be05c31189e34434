import pytest

from ci.book import BookError
from ci.notebooks import leftovers, trials

CHAPTER = "book/part/one"


@pytest.fixture
def left(book):
    """Leaves files of a page that is gone."""

    def left(*names):
        for name in names:
            path = book.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("", encoding="utf-8")

    return left


@pytest.fixture
def said(book):
    """Returns the lines of the refusal after the first one."""

    def said():
        with pytest.raises(BookError) as refused:
            leftovers.refuse(book)
        return str(refused.value).splitlines()[1:]

    return said


def test_each_file_has_a_line_with_the_commands_that_remove_or_move_it(book, left, said):
    left("book/part/one.trials.yml", "notebooks/en/part/one.ipynb")
    files, catalogue = ["book/part/gone.trials.yml", "notebooks/ja/x.ipynb"], "locale/ko/LC_MESSAGES/book/gone.po"
    left(*files, catalogue, "notebooks/ko/gone one.ipynb")
    word = "'notebooks/ko/gone one.ipynb'"
    first, second, third, fourth = said()
    assert [first, third] == [
        f"{name}: no page has it; rm {name}, or after a renaming mv {name} NEW" for name in files
    ]
    assert second.startswith(f"{catalogue}: no page has it; after ./ci/book.sh update, which saves what")
    assert fourth == f"notebooks/ko/gone one.ipynb: no page has it; rm {word}, or after a renaming mv {word} NEW"


def test_entries_of_lists_are_left_too(book, said, edit):
    (book.root / "locale").mkdir()
    (book.root / "locale" / "search.csv").write_text(
        f"page,section,language,words\n{CHAPTER},,en,x\nbook/gone,,en,x\n"
    )
    book.config["frameworks"] = {CHAPTER: ["torch"], "book/gone": ["torch"]}
    trials.store(book, CHAPTER, trials.Result(1, 1, 0, 0, 0))
    edit(trials.results_path(book), CHAPTER, "book/gone")
    what = "book/gone is gone; take its lines out, or write the new name of the page"
    places = ("locale/search.csv", "_config.yml, frameworks", "book/trials.json")
    assert said() == [f"{place}: {what}" for place in places]


def test_what_belongs_to_a_page_or_to_jupyter_is_no_leftover(book, left):
    left(
        book.relative(book.notebook(CHAPTER, "ko")),
        book.relative(book.catalogue("book/index", "ko")),
        "book/part/one.trials.yml",
        "notebooks/en/.ipynb_checkpoints/x.ipynb",
    )
    leftovers.refuse(book)


def test_notebooks_that_are_missing_or_empty_are_named(book, left):
    left("notebooks/en/part/one.ipynb")
    missing = r"notebooks/en/part/one\.ipynb, notebooks/ko/part/one\.ipynb"
    with pytest.raises(BookError, match=f"^there is no {missing}: run ./ci/book.sh refresh"):
        leftovers.refuse_missing(book)
    left("notebooks/ko/part/one.ipynb")
    for language in book.languages:
        book.notebook(CHAPTER, language).write_text('{"cells": []}')
    leftovers.refuse_missing(book)


def test_a_notebook_that_git_could_not_merge_is_not_published(book, left):
    left("notebooks/en/part/one.ipynb", "notebooks/ko/part/one.ipynb")
    for language in book.languages:
        book.notebook(CHAPTER, language).write_text('<<<<<<< ours\n{"cells": []}\n=======\n>>>>>>> theirs\n')
    with pytest.raises(BookError, match=r"^notebooks/en/part/one\.ipynb cannot be read: git could not merge two"):
        leftovers.refuse_missing(book)
