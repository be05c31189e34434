"""Posts for a blog, made from a chapter with every trap in it."""

import datetime
import re
import shutil

import pytest
import yaml

from ci.book import BookError
from ci.site.export import post as posts
from tests.site.export.conftest import CELL, OPENING, PNG, SOURCE

PAGE = "book/part/one"
SITE = "https://example.github.io/small/en"
ADDRESS = f"{SITE}/{PAGE}.html"
NOTEBOOK = "github.com/example/small/blob/main/notebooks/en/part/one.ipynb"
LIQUID = re.compile(r"\{\{ '(?P<text>[^']*)'(?: \| relative_url)? \}\}|(?P<else>\{[{%])")


@pytest.fixture
def export(book, chapter, tmp_path):
    """Writes the chapter and exports it; returns the path of its post."""

    def export(*arguments):
        chapter(*arguments)
        return posts.export(book, PAGE, "en", tmp_path / "blog")

    return export


def parts(path):
    """The front matter of a post, and its body as Liquid leaves it."""
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)

    def said(match):
        assert not match["else"], f"Liquid would act on {match.string[match.start() : match.end() + 40]!r}"
        return match["text"]

    return yaml.safe_load(front), LIQUID.sub(said, body)


def snapshot(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_post_has_the_name_and_the_front_matter_that_jekyll_expects(export, tmp_path):
    path, today = export(), datetime.date.today()
    assert path == tmp_path / "blog" / "_posts" / f"{today}-one-en.md"
    front = parts(path)[0]
    description = front.pop("description")
    assert description == front.pop("excerpt")
    assert description.startswith('What {{ it }} is "about", with') and len(description) <= 200
    assert front == {
        "layout": "post",
        "title": 'One & "only"',
        "lang": "en",
        "canonical_url": ADDRESS,
        "date": today,
        "last_modified_at": today,
    }


@pytest.mark.parametrize("title", ["1,000", 'a: "b" \\\\ #c', "2026-11-21", "{{ e }}", "한글 '제목'"])
def test_a_title_is_text_to_any_yaml_library(export, title):
    assert parts(export(SOURCE.replace('One & "only"', title)))[0]["title"] == title.replace("\\\\", "\\")


def test_a_post_has_the_badge_the_text_the_code_the_outputs_and_the_credit(export, tmp_path):
    _front, body = parts(export())
    links = f"[This chapter in the book]({ADDRESS}) · [View the source](https://{NOTEBOOK})"
    formula = '<math alttext="x^2" xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>'
    opening = OPENING.format(formula=f"{{::nomarkdown}}{formula}{{:/nomarkdown}}", site=SITE)
    cell = CELL.format(figure="![A {{ b }}](/assets/small/one-en/figure-1.png)")
    assert body == (
        "\n[![Open in Colab](/assets/small/one-en/badge.svg)]"
        f"(https://colab.research.google.com/{NOTEBOOK.replace('.com', '')})\n\n"
        f"{opening}\n"
        f'<details markdown="1"><summary>Show this cell</summary>\n\n{cell}\n</details>\n\n'
        f"* * *\n\nAuthor: Kim & Lee · {links} · {posts.LICENCE}\n"
    )
    folder = tmp_path / "blog" / "assets" / "small" / "one-en"
    assert (folder / "figure-1.png").read_bytes() == PNG
    assert (folder / "badge.svg").read_bytes().startswith(b"<svg")


@pytest.mark.parametrize("text", ["{{ x }}", "{% if x %}", "{%- raw -%} {% endraw %} {{ y }}", "{{{%endraw%}"])
def test_jekyll_leaves_what_looks_like_its_templates_alone(export, text):
    assert f"```text\n{text}\n```" in parts(export(SOURCE, text))[1]


def test_html_and_attributes_are_text_and_an_output_cannot_leave_its_fence(export):
    html = "<script>a()</script> <b onclick='a()'>b</b> {: onclick='a()'}"
    output = f"```\n{html}\n{{::nomarkdown}}\n````"
    _front, body = parts(export(SOURCE.replace("What", f"{html} `<b>` What"), output))
    escaped = re.sub(r"[<]|\{:", r"\\\g<0>", html)
    assert f"\n{escaped} `<b>` What" in body
    assert f"\n`````text\n{output}\n`````\n" in body


def test_a_chapter_without_stored_outputs_is_named(export, book, tmp_path):
    with pytest.raises(BookError, match=r"there is no notebooks/en/part/one\.ipynb"):
        posts.export(book, PAGE, "en", tmp_path / "blog")
    assert not (tmp_path / "blog").exists()


def test_a_folder_that_is_a_file_or_has_one_in_the_way_is_named(export, tmp_path):
    folder = tmp_path / "blog"
    folder.write_text("mine")
    with pytest.raises(BookError, match=r"cannot write .*blog.*: name another folder"):
        export()
    folder.unlink()
    folder.mkdir()
    (folder / "_posts").write_text("mine")
    with pytest.raises(BookError, match=r"cannot write .*_posts.*: name another folder"):
        export()
    assert list(snapshot(folder)) == [folder / "_posts"]


def test_a_second_export_writes_the_same_and_a_failed_one_nothing(export, tmp_path, monkeypatch):
    def fail(*_paths):
        raise PermissionError(13, "no", "x")

    export()
    before = snapshot(tmp_path / "blog")
    export()
    assert snapshot(tmp_path / "blog") == before
    monkeypatch.setattr("ci.book.files.os.replace", fail)
    with pytest.raises(BookError):
        export(SOURCE, "other")
    assert snapshot(tmp_path / "blog") == before


def test_a_post_keeps_its_date_and_loses_the_figures_it_no_longer_has(export, tmp_path):
    other = tmp_path / "blog" / "_posts" / "2021-01-02-the-one-en.html"
    other.parent.mkdir(parents=True)
    other.write_text("another post")
    other.with_name("2020-03-04-one-en.html").write_text("the post as it was")
    figure = tmp_path / "blog" / "assets" / "small" / "one-en" / "figure-2.png"
    figure.parent.mkdir(parents=True)
    figure.touch()
    path = export()
    assert set(other.parent.iterdir()) == {other, path}
    assert parts(path)[0]["date"] == datetime.date(2020, 3, 4)
    assert parts(path)[0]["last_modified_at"] == datetime.date.today()
    assert [picture.name for picture in figure.parent.glob("*.png")] == ["figure-1.png"]


def test_a_post_has_the_date_of_the_commit_that_last_changed_its_notebook(export, git, monkeypatch):
    export()
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2024-05-06T12:00:00+0900")
    assert git("add", "notebooks") and git("-c", "commit.gpgsign=false", "commit", "-q", "-m", "x")
    shutil.rmtree(export().parent)
    assert export().name == "2024-05-06-one-en.md"
