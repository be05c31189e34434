"""Posts for a blog, made from a built page with every trap in it."""

import datetime
import re

import pytest
import yaml
from bs4 import BeautifulSoup

from ci.book import BookError
from ci.site import publish
from ci.site.export import post as posts
from ci.site.export.post import Post
from tests.site.export.conftest import PNG

PAGE = "book/part/one"
SITE = "https://example.github.io/small/en"
SOURCE = "github.com/example/small/blob/main/notebooks/en/part/one.ipynb"
FOLDER = re.compile(r"\{\{ '(?P<path>[^']*)' \| relative_url \}\}|(?P<else>\{[{%])")


@pytest.fixture
def page(built):
    """The path of the built page."""
    return publish.published(built) / "en" / f"{PAGE}.html"


@pytest.fixture
def export(built, tmp_path):
    """Exports the chapter; returns the path of its post."""
    return lambda: posts.export(Post(built, PAGE, "en"), tmp_path / "blog")


def parts(path):
    """The front matter of a post, and its body as Liquid leaves it, parsed."""
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)

    def said(match):
        assert not match["else"], f"Liquid would act on {match.string[match.start() : match.end() + 40]!r}"
        return match["path"]

    return yaml.safe_load(front), BeautifulSoup(FOLDER.sub(said, body), "html.parser")


def snapshot(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_post_has_the_name_and_the_front_matter_that_jekyll_expects(export, tmp_path):
    path, today = export(), datetime.date.today()
    assert path == tmp_path / "blog" / "_posts" / f"{today}-one-en.html"
    assert parts(path)[0] == {
        "layout": "post",
        "title": 'One & "only"',
        "lang": "en",
        "description": 'What {{ it }} is "about"',
        "excerpt": 'What {{ it }} is "about"',
        "canonical_url": f"{SITE}/{PAGE}.html",
        "date": today,
        "last_modified_at": today,
    }


@pytest.mark.parametrize("title", ["1,000", "yes", 'a: "b" \\ #c', ":d", "2026-11-21", "{{ e }}", "한글 '제목'"])
def test_a_title_is_text_to_any_yaml_library(export, edit, page, title):
    edit(page, 'One &amp; "only"', title)
    assert parts(export())[0]["title"] == title


def test_a_post_is_the_article_without_what_works_only_on_the_site(export):
    _front, body = parts(export())
    assert body.select("h1, .page-tools, .headerlink, .definition, .report, .only-dark, button") == []
    assert body.select_one("details > pre").get_text() == "1 + 1"
    assert "A key" in body.get_text()


def test_a_post_begins_with_the_badge_and_ends_with_the_credit(export):
    _front, body = parts(export())
    first, *_, last = body.select("p")
    assert first.a["href"] == f"https://colab.research.google.com/{SOURCE.replace('github.com', 'github')}"
    assert first.img["alt"] == "Open in Colab"
    assert last.get_text().startswith("Author: Kim & Lee · This chapter in the book · ")
    assert [link["href"] for link in last.select("a")][:2] == [f"{SITE}/{PAGE}.html", f"https://{SOURCE}"]


@pytest.mark.parametrize("text", ["{{ x }}", "{% if x %}", "{%- raw -%} {% endraw %} {{ y }}", "{{{%endraw%}"])
def test_jekyll_leaves_what_looks_like_its_templates_alone(export, edit, page, text):
    edit(page, "1 + 1", text)
    assert parts(export())[1].pre.get_text() == text


@pytest.mark.parametrize(
    "target, address",
    [
        ("one.html", f"{SITE}/{PAGE}.html"),
        ("../index.html#a-section", f"{SITE}/book/index.html#a-section"),
        ("#a-section", f"{SITE}/{PAGE}.html#a-section"),
        ("https://example.org/one.html#x", "https://example.org/one.html#x"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_links_lead_to_the_site(export, edit, page, target, address):
    edit(page, "1 + 1", f'<a href="{target}">a</a>')
    assert parts(export())[1].pre.a["href"] == address


@pytest.mark.parametrize(
    "html, left",
    [
        ("<b onclick='a()'>b</b>", "<b>b</b>"),
        ("<script>a()</script><style>b {}</style>", ""),
        ("<a href='JavaScript:a()'>b</a>", "<a>b</a>"),
        ("<img src='https://example.org/x.png'><img src='//example.org/x.png'>", ""),
        ("<iframe src='x'></iframe>", ""),
    ],
)
def test_html_of_an_output_neither_acts_nor_loads(export, edit, page, html, left):
    edit(page, "1 + 1", html)
    assert parts(export())[1].pre.decode_contents() == left


def test_figures_are_files_with_their_descriptions(export, tmp_path):
    _front, body = parts(export())
    badge, figure = body.select("img")
    assert figure["alt"] == "A {{ b }}"
    assert (tmp_path / "blog" / figure["src"][1:]).read_bytes() == PNG
    assert (tmp_path / "blog" / badge["src"][1:]).read_bytes().startswith(b"<svg")


def test_a_page_that_was_not_built_is_named(export, page, tmp_path):
    page.unlink()
    with pytest.raises(BookError, match=f"{PAGE} is not in the built book"):
        export()
    assert not (tmp_path / "blog").exists()


def test_a_folder_that_is_a_file_or_has_one_in_the_way_is_named(export, tmp_path):
    folder = tmp_path / "blog"
    folder.write_text("mine")
    with pytest.raises(BookError, match="blog is a file: name a folder"):
        export()
    folder.unlink()
    folder.mkdir()
    (folder / "_posts").write_text("mine")
    with pytest.raises(BookError, match=r"cannot write .*_posts.*: name another folder"):
        export()
    assert list(snapshot(folder)) == [folder / "_posts"]


def test_a_second_export_writes_the_same_and_a_failed_one_nothing(export, edit, page, tmp_path, monkeypatch):
    def fail(*_paths):
        raise PermissionError(13, "no", "x")

    export()
    before = snapshot(tmp_path / "blog")
    export()
    assert snapshot(tmp_path / "blog") == before
    edit(page, "1 + 1", "2 + 2")
    monkeypatch.setattr("ci.book.files.os.replace", fail)
    with pytest.raises(BookError):
        export()
    assert snapshot(tmp_path / "blog") == before


def test_a_post_keeps_its_date_and_loses_the_figures_it_no_longer_has(export, edit, page, tmp_path):
    other = tmp_path / "blog" / "_posts" / "2021-01-02-the-one-en.md"
    other.parent.mkdir(parents=True)
    other.write_text("another post")
    other.with_name("2020-03-04-one-en.md").write_text("the post as it was")
    edit(page, "1 + 1", '<img src="../../_images/a.png">')
    path = export()
    edit(page, '<img src="../../_images/a.png">', "1 + 1")
    assert export() == path
    assert set(other.parent.iterdir()) == {other, path}
    assert parts(path)[0]["date"] == datetime.date(2020, 3, 4)
    assert parts(path)[0]["last_modified_at"] == datetime.date.today()
    assert [picture.name for picture in (tmp_path / "blog").rglob("*.png")] == ["figure-1.png"]


def test_a_post_has_the_date_of_the_commit_that_last_changed_its_notebook(export, built, git, monkeypatch):
    notebook = built.notebook(PAGE, "en")
    notebook.parent.mkdir(parents=True)
    notebook.write_text("{}")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2024-05-06T12:00:00+0900")
    assert git("add", "notebooks") and git("-c", "commit.gpgsign=false", "commit", "-q", "-m", "x")
    assert export().name == "2024-05-06-one-en.html"
