import subprocess

import pytest

from ci.book import BookError
from ci.notebooks import leftovers

CHAPTER = "book/part/one"


@pytest.fixture
def left(book):
    """Leaves files of a page that is gone; those whose name has "known" in it are known to git."""

    def left(*names):
        for name in names:
            path = book.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("", encoding="utf-8")
        known = [name for name in names if "known" in name]
        for command in (["init", "-q"], ["add", *known, "_toc.yml"]):
            subprocess.run(["git", *command], cwd=book.root, check=True)

    return left


def test_all_of_them_are_named_with_the_command_that_removes_them(book, left):
    known = ("notebooks/ko/known one.ipynb", "book/part/known.sabotage.yml", "locale/ko/LC_MESSAGES/book/known.po")
    left(*known, "notebooks/en/new.ipynb")
    with pytest.raises(BookError) as refused:
        leftovers.refuse(book)
    assert (
        "git rm -f 'notebooks/ko/known one.ipynb' book/part/known.sabotage.yml locale/ko/LC_MESSAGES/book/known.po "
        "&& rm notebooks/en/new.ipynb\n" in str(refused.value)
    )
    command = str(refused.value).partition("To remove what is left: ")[2].partition("\n")[0]
    subprocess.run(command.replace("git rm", "git rm -q"), shell=True, cwd=book.root, check=True)
    leftovers.refuse(book)


def test_what_belongs_to_a_page_or_to_jupyter_is_no_leftover(book, left):
    left(
        book.relative(book.notebook(CHAPTER, "ko")),
        book.relative(book.catalogue("book/index", "ko")),
        "book/part/one.sabotage.yml",
        "notebooks/en/.ipynb_checkpoints/x.ipynb",
    )
    leftovers.refuse(book)


def test_a_notebook_that_is_missing_in_one_language_is_named(book, left):
    left("notebooks/en/part/one.ipynb")
    with pytest.raises(BookError, match=r"^there is no notebooks/ko/part/one\.ipynb: run ./ci/book.sh refresh"):
        leftovers.refuse_missing(book)
    left("notebooks/ko/part/one.ipynb")
    leftovers.refuse_missing(book)
