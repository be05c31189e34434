"""What a build renders again: Sphinx's own incremental build, and what it cannot know."""

import pytest

from ci.book import sphinx
from ci.execution.cache import cache_path
from ci.site import extension

CHAPTER, FRONT = "book/part/one", "book/index"


@pytest.fixture
def rendered(book, kernels, execute):
    """Renders the executed book in Korean; returns the pages that were written, {name: text}."""
    execute()
    output, times = book.built("ko"), {}
    places = {"cache": cache_path(book), "output": output, "doctrees": book.built("doctrees")}

    def rendered():
        process = sphinx.fork(book, "html", "ko", **places)
        process.join()
        assert process.exitcode == 0
        pages = {path.relative_to(output).with_suffix("").as_posix(): path for path in output.rglob("book/**/*.html")}
        before = dict(times)
        times.update({name: path.stat().st_mtime_ns for name, path in pages.items()})
        return {name: path.read_text() for name, path in pages.items() if times[name] != before.get(name)}

    assert set(rendered()) == {CHAPTER, FRONT}
    assert rendered() == {}
    return rendered


def test_a_page_with_another_translation_is_rendered_again(book, rendered, catalogue):
    catalogue(book.catalogue(CHAPTER, "ko"), {"Some text.": "어떤 글."})
    assert "어떤 글." in rendered()[CHAPTER]
    catalogue(book.catalogue(CHAPTER, "ko"), {"Some text.": "다른 글."})
    assert "다른 글." in rendered()[CHAPTER]


def test_a_chapter_that_was_executed_again_is_rendered_again_with_the_new_outputs(kernels, execute, rendered):
    kernels.printed = "two is 3\n"
    execute(anew=True)
    pages = rendered()
    assert "two is 3" in pages[CHAPTER] and "two is 2" not in pages[CHAPTER]


def test_a_change_of_the_machinery_or_of_a_fact_renders_all_pages_again(
    book, rendered, catalogue, edit, tmp_path, monkeypatch
):
    monkeypatch.setattr(extension, "CI", tmp_path / "machinery")
    assert set(rendered()) == {CHAPTER, FRONT}
    (tmp_path / "machinery").mkdir()
    (tmp_path / "machinery" / "book.css").write_text("a {}")
    assert set(rendered()) == {CHAPTER, FRONT}
    edit(book.root / "_config.yml", "title: A small", "title: Another small")
    assert "Another small book" in rendered()[FRONT]
    catalogue(book.catalogue("ci", "ko"), {"Open in Colab": "Colab에서 열기"})
    assert "Colab에서 열기" in rendered()[CHAPTER]


def test_a_page_that_is_gone_goes(book, rendered, edit):
    book.source(CHAPTER).unlink()
    edit(book.root / "_toc.yml", "parts:\n  - caption: Part one\n    chapters:\n      - file: book/part/one\n", "")
    rendered()
    assert not (book.built("ko") / f"{CHAPTER}.html").exists()
