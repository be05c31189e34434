"""Posts for a blog, made from a small notebook with every trap in it, and from each chapter of the book."""

import base64
import datetime
import re
from functools import cache

import nbformat
import pytest
import yaml
from markdown_it import MarkdownIt
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.book import TOOLS, Book, BookError, here, markdown
from ci.site.export import blog
from ci.site.export.post import Post, shortened
from tests.conftest import in_depth

BOOK = here()
PAGE = "book/part/one"
TRANSLATOR = {"Last-Translator": "Park <park@example.org>"}
SITE = "https://example.github.io/small"
PARSER = MarkdownIt("commonmark").enable("table")
PNG = b"\x89PNG of a figure"
LIQUID = re.compile(
    r'\{% raw %\}(?P<raw>.*?)\{% endraw %\}|\{\{ "(?P<said>[^"]*)"(?: \| relative_url)? \}\}|(?P<else>\{[{%])',
    re.DOTALL,
)


@pytest.fixture
def book(book, edit):
    """The small book, with an author."""
    edit(book.root / "_config.yml", "title:", "author: Kim & Lee\ntitle:")
    return Book(book.root)


@pytest.fixture
def post(book, tmp_path):
    """Exports a notebook of some cells in a language; returns what Liquid leaves of the body of its post."""

    def post(*cells, language="en", title="# One"):
        store(book, new_markdown_cell(title), *cells, language=language)
        return body(blog.export(Post(book, PAGE, language), tmp_path / "blog"))

    return post


def store(book, *cells, language="en"):
    path = book.notebook(PAGE, language)
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=list(cells)), path)


def stream(text):
    return new_output("stream", text=text)


def figure(**data):
    return new_output("display_data", data={"image/png": base64.b64encode(PNG).decode(), **data})


def code(source="x", *outputs, tags=(), **metadata):
    return new_code_cell(source, outputs=list(outputs), metadata={"tags": list(tags), **metadata})


def said(match):
    assert not match["else"], f"Liquid would act on {match.string[match.start() : match.end() + 40]!r}"
    return match["said"] if match["raw"] is None else match["raw"]


def body(path):
    """What Liquid makes of a post, without the front matter; it is whatever stands outside of "raw"."""
    return LIQUID.sub(said, path.read_text(encoding="utf-8").split("\n---\n", 1)[1])


def front(path):
    return yaml.safe_load(path.read_text(encoding="utf-8").split("---\n")[1])


@cache
def parse(text):
    """All tokens, those within a line included, as a Markdown parser finds them that knows tables but no math."""
    return [child for token in PARSER.parse(text) for child in (token, *(token.children or []))]


def fences(text, language=""):
    """The code blocks in a language; by default all of the source, without outputs."""
    blocks = [token for token in parse(text) if token.type == "fence"]
    shown = [token for token in blocks if (token.info == language if language else token.info != "text")]
    return [token.content.removesuffix("\n") for token in shown]


def links(text):
    return [token.attrs["href"] for token in parse(text) if token.type == "link_open"]


def test_a_post_has_the_name_and_the_front_matter_that_jekyll_expects(book, tmp_path):
    store(book, new_markdown_cell("# One: *a* `b` $c$\n\nSome **text**\nwith [a link](one.ipynb)."), language="ko")
    today = datetime.date.today()
    path = blog.export(Post(book, PAGE, "ko"), tmp_path / "blog")
    assert path == tmp_path / "blog" / "_posts" / f"{today}-one-ko.md"
    assert front(path) == {
        "layout": "post",
        "title": "One: a b c",
        "lang": "ko",
        "description": "Some text with a link.",
        "excerpt": "Some text with a link.",
        "canonical_url": f"{SITE}/ko/book/part/one.html",
        "date": today,
        "last_modified_at": today,
    }
    assert not [token for token in parse(body(path)) if token.type == "heading_open"]


@pytest.mark.parametrize("title", ["1,000", "yes", 'a: "b" \\ #c', ":d", "2026-11-21", "{{ e }}", "한글 '제목'"])
def test_a_title_is_text_to_any_yaml_library(book, tmp_path, title):
    store(book, new_markdown_cell(f"# {title}"))
    path = blog.export(Post(book, PAGE, "en"), tmp_path)
    assert front(path)["title"] == title
    assert re.search(r'^title: ".*"$', path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    "text, short",
    [
        ("word " * 32, ("word " * 32).strip()),
        ("word " * 33, "word " * 31 + "word…"),
        ("말" * 161, "말" * 159 + "…"),
        ("x" * 150 + ". " + "y" * 20, "x" * 150 + "…"),
    ],
)
def test_a_description_is_cut_between_words(text, short):
    assert shortened(text.strip()) == short
    assert len(short) <= 160


def test_a_missing_translation_does_not_show_in_title_and_description(book, tmp_path):
    marked = '<span lang="en">One</span> <sup>en</sup>'
    store(book, new_markdown_cell(f"# {marked}\n\n{marked}"), language="ko")
    path = blog.export(Post(book, PAGE, "ko"), tmp_path)
    assert (front(path)["title"], front(path)["description"]) == ("One", "One")
    assert marked in body(path)


def test_a_post_begins_with_the_badge_and_ends_with_the_credit(post):
    first, *_, last = post(new_markdown_cell("Text.")).strip().split("\n")
    notebook = "github.com/example/small/blob/main/notebooks/en/part/one.ipynb"
    colab = f"https://colab.research.google.com/{notebook.replace('github.com', 'github')}"
    assert first == f"[![Open in Colab](</assets/flaxbook/one-en/badge.svg>)]({colab})"
    assert last.startswith("Author: Kim & Lee · [")
    assert links(last)[:2] == [f"{SITE}/en/book/part/one.html", f"https://{notebook}"]


def test_the_words_of_a_post_are_translated_and_the_translator_is_named(book, post, catalogue):
    catalogue(book.catalogue(PAGE, "ko"), "", TRANSLATOR)
    words = {
        "Open in Colab": "열기",
        "Author: {author}": "지은이: {author}",
        "Translation: {translator}": "번역: {translator}",
        "Show the solution": "풀이",
    }
    catalogue(book.catalogue(TOOLS, "ko"), words)
    text = post(code(tags=["hide-cell"]), language="ko")
    assert "[![열기](" in text
    assert "지은이: Kim & Lee · 번역: Park · [This chapter in the book](" in text
    assert "<summary>풀이</summary>" in text


@pytest.mark.parametrize(
    "text",
    ["{{ x }}", "{% if x %}", "{%- raw -%} {% endraw %} {{ y }}", "{{% endraw %}}", "{{{%endraw%}", "a {% endraw"],
)
def test_jekyll_leaves_what_looks_like_its_templates_alone(post, text):
    output = stream(f"{text}\n"), stream("plain")
    shown = post(new_markdown_cell(f"Prose with `{text}`."), code(f"print({text!r})", *output))
    assert [token.content for token in parse(shown) if token.type == "code_inline"] == [text]
    assert fences(shown) == [f"print({text!r})"]
    assert fences(shown, "text") == [text, "plain"]


@pytest.mark.parametrize(
    "target, address",
    [
        ("one.ipynb", f"{SITE}/en/book/part/one.html"),
        ("../part/one.ipynb#a-section", f"{SITE}/en/book/part/one.html#a-section"),
        ("../index.md", f"{SITE}/en/book/index.html"),
        ("#a-section", f"{SITE}/en/book/part/one.html#a-section"),
        ("https://example.org/one.ipynb#x", "https://example.org/one.ipynb#x"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_links_lead_to_the_site(post, target, address):
    text = post(new_markdown_cell(f"See [`a`]({target}) and `[b](one.ipynb)`."))
    assert address in links(text)
    assert "`[b](one.ipynb)`" in text


def test_figures_are_files_with_translated_descriptions(book, post, catalogue, tmp_path):
    alt = "A [b] | *c* {{ d }}"
    catalogue(book.catalogue(PAGE, "ko"), {alt: "그림 [b] | *c* {{ d }}"})
    outputs = figure(), figure(**{"text/html": "<img src='https://example.org/x.png'>"})
    text = post(
        code("draw()", figure(), tags=["remove-cell"]),
        code("draw()", *outputs, mystnb={"image": {"alt": alt}}),
        language="ko",
    )
    assert "\n\n\n" not in text
    pictures = [token for token in parse(text) if token.type == "image"][1:]
    folder = "/assets/flaxbook/one-ko"
    assert [token.attrs["src"] for token in pictures] == [f"{folder}/figure-1.png", f"{folder}/figure-2.png"]
    assert {token.content for token in pictures} == {"그림 \\[b\\] \\| \\*c\\* \\{\\{ d \\}\\}"}
    written = {path.name: path.read_bytes() for path in (tmp_path / "blog" / folder[1:]).iterdir()}
    assert written.pop("badge.svg").startswith(b"<svg")
    assert written == {"figure-1.png": PNG, "figure-2.png": PNG}


def test_outputs_are_what_a_terminal_would_show(post):
    traceback = ["\x1b[0;31mValueError\x1b[0m", "\x1b[1mno\x1b[0m"]
    text = post(
        code(
            "x",
            stream("\x1b[31mred\x1b[0m\r\n 1 %\r50 %\r99 %\r"),
            stream("red\n100 %\r\x1b[K99 %\n"),
            new_output("error", ename="ValueError", evalue="no", traceback=traceback),
            new_output("execute_result", data={"text/plain": "  3 | 4"}, execution_count=1),
            stream("\n"),
        )
    )
    assert fences(text, "text") == ["red\n99 %", "red\n99 %", "ValueError\nno", "  3 | 4"]
    assert "\x1b" not in text
    assert "\n\n\n" not in text


def test_html_of_an_output_is_shown_without_what_acts_or_loads(post):
    html = (
        "<style>td {color: red}</style><!-- no --><div onclick='a()'><table border='1'>\n\n<tr><td colspan='2'>$x$"
        "</td></tr></table><img src='https://example.org/x.png'><a href='javascript:a()'>b</a><script>a()</script>"
        "</div>"
    )
    table = new_output("execute_result", data={"text/html": html, "text/plain": "x"}, execution_count=1)
    nothing = new_output("display_data", data={"text/html": "<script>a()</script>", "text/plain": "<a.Plot>"})
    text = post(code("x", table, nothing))
    shown = '<div markdown="0">\n<div><table>\n<tr><td colspan="2">$x$</td></tr></table>b</div>\n</div>\n'
    assert [token.content for token in parse(text) if token.type == "html_block"] == [shown]
    assert fences(text, "text") == ["<a.Plot>"]


def test_tags_leave_out_and_fold_what_they_name(post):
    text = post(
        code("install()", tags=["remove-cell"]),
        code("quiet()", stream("shown"), tags=["remove-input"]),
        code("loud()", stream("not shown"), tags=["remove-output"]),
        code("# Without", tags=["without"]),
        code("long()", stream("out"), tags=["hide-input"]),
        code("solve()", stream("solved"), tags=["hide-cell"]),
    )
    assert fences(text) == ["loud()", "# Without", "long()", "solve()"]
    assert fences(text, "text") == ["shown", "out", "solved"]
    folded = re.findall(r'<details markdown="1">\n(.*?)\n</details>\n\n', text, re.DOTALL)
    assert folded == [
        "<summary>Show the code</summary>\n\n```python\nlong()\n```\n",
        "<summary>Show the solution</summary>\n\n```python\nsolve()\n```\n\n```text\nsolved\n```\n",
    ]


def test_a_cell_of_another_language_is_marked_as_such(post):
    assert fences(post(code("%%bash\nls")), "bash") == ["%%bash\nls"]


@pytest.mark.parametrize("inner", ["```", "``````"])
def test_fences_are_longer_than_any_within(post, inner):
    source = f'x = """\n{inner}python\n{inner}\n"""\n\n\n# </details>'
    text = post(code(source, stream(f"{inner}\n"), tags=["hide-cell"]))
    assert fences(text) == [source]
    assert fences(text, "text") == [inner]


@pytest.mark.parametrize(
    "text, message",
    [
        ("![a](a.png)", r"notebooks/en/part/one\.ipynb, the last text: a post cannot bring a\.png along: draw it"),
        ("![a](https://example.org/a.png)", r"the last text: a post cannot bring https://example\.org/a\.png along"),
        ("[a](two.ipynb)", r"the last text: two\.ipynb is no page of the book: link to one, or give a whole address"),
        ("[a][b]\n\n[b]: one.ipynb", r"the last text: one\.ipynb is no page"),
        ("<b>x</b> <img src=x>", r"the last text: a post must not load anything: leave <img src=x> out"),
        ("<script>\nx\n</script>", r"the last text: a post must not load anything: leave <script>"),
    ],
)
def test_what_would_not_be_there_is_named_with_its_place(post, text, message):
    with pytest.raises(BookError, match=message):
        post(new_markdown_cell(text))


def test_a_notebook_that_is_missing_or_broken_is_named(book, tmp_path):
    post = Post(book, PAGE, "ko")
    with pytest.raises(BookError, match=r"there is no notebooks/ko/part/one\.ipynb: run \./ci/book\.sh refresh"):
        blog.export(post, tmp_path / "blog")
    store(book, new_markdown_cell("# One"), language="ko")
    post.notebook.write_text(post.notebook.read_text()[:40])
    with pytest.raises(BookError, match=r"notebooks/ko/part/one\.ipynb is not a notebook"):
        blog.export(post, tmp_path / "blog")
    assert not (tmp_path / "blog").exists()


def test_a_folder_that_is_a_file_or_has_one_in_the_way_is_named(book, tmp_path):
    store(book, new_markdown_cell("# One"))
    post, folder = Post(book, PAGE, "en"), tmp_path / "blog"
    folder.write_text("mine")
    with pytest.raises(BookError, match="blog is a file: name a folder"):
        blog.export(post, folder)
    folder.unlink()
    folder.mkdir()
    (folder / "_posts").write_text("mine")
    with pytest.raises(BookError, match=r"cannot write .*_posts.*: name another folder"):
        blog.export(post, folder)
    assert [path for path in folder.rglob("*") if path.is_file()] == [folder / "_posts"]


def snapshot(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_second_export_writes_the_same_and_a_failed_one_nothing(post, tmp_path, monkeypatch):
    def fail(*_paths):
        raise PermissionError(13, "no", "x")

    text, picture = new_markdown_cell("Text."), code("{x: {}}", figure())
    post(text, picture)
    before = snapshot(tmp_path / "blog")
    assert all(b"{%" not in content for content in before.values())  # nothing is hidden from Liquid without need
    post(text, picture)
    assert snapshot(tmp_path / "blog") == before
    with pytest.raises(BookError):
        post(new_markdown_cell("[a](nowhere.md)"))
    assert snapshot(tmp_path / "blog") == before
    monkeypatch.setattr("ci.book.files.os.replace", fail)
    with pytest.raises(BookError):
        post(new_markdown_cell("Other text."))
    assert snapshot(tmp_path / "blog") == before


def test_a_post_keeps_its_date_and_loses_the_figures_it_no_longer_has(book, post, tmp_path):
    other = tmp_path / "blog" / "_posts" / "2021-01-02-the-one-en.md"
    other.parent.mkdir(parents=True)
    other.write_text("another post")
    path = other.with_name("2020-03-04-one-en.md")
    path.write_text("the post as it was")
    post(code("x", figure(), figure()))
    post(code("x", figure()))
    assert set(other.parent.iterdir()) == {other, path}
    assert front(path)["date"] == datetime.date(2020, 3, 4)
    assert front(path)["last_modified_at"] == datetime.date.today()
    assert [picture.name for picture in (tmp_path / "blog").rglob("*.png")] == ["figure-1.png"]


def test_a_post_has_the_date_of_the_commit_that_last_changed_its_notebook(book, git, tmp_path, monkeypatch):
    store(book, new_markdown_cell("# One"))
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2024-05-06T12:00:00+0900")
    assert git("add", "notebooks") and git("-c", "commit.gpgsign=false", "commit", "-q", "-m", "x")
    assert blog.export(Post(book, PAGE, "en"), tmp_path / "blog").name == "2024-05-06-one-en.md"


def formulas(cells):
    tokens = [token for cell in cells for token in markdown.parser().parse(cell.source)]
    inline = [
        child.content.strip() for token in tokens for child in token.children or [] if child.type == "math_inline"
    ]
    return inline, [token.content.strip() for token in tokens if token.type == "math_block"]


@pytest.mark.parametrize("language", BOOK.languages)
@pytest.mark.parametrize("page", BOOK.chapters)
def test_each_chapter_of_the_book_is_whole_and_stands_by_itself(page, language, tmp_path):
    text = body(blog.export(Post(BOOK, page, language), tmp_path))
    tokens = parse(text)
    cells = nbformat.read(BOOK.notebook(page, language), as_version=4).cells
    cells = [cell for cell in cells if "remove-cell" not in cell.metadata.get("tags", [])]
    sources = [cell for cell in cells if cell.cell_type == "code"]
    prose = [cell for cell in cells if cell.cell_type == "markdown"]

    shown = [[cell.source] if cell in sources else fences(cell.source) for cell in cells]
    assert fences(text) == sum(shown, [])
    outputs = [output for cell in sources for output in cell.outputs]
    figures = [output for output in outputs if "image/png" in output.get("data", {})]
    printed = [output.get("text") or output.data["text/plain"] for output in outputs if output not in figures]
    assert fences(text, "text") == [output.removesuffix("\n") for output in printed]

    pictures = [token for token in tokens if token.type == "image"]
    assert len(pictures) == 1 + len(figures)
    assert all(token.content for token in pictures)
    assert {tmp_path / token.attrs["src"][1:] for token in pictures} == set((tmp_path / "assets").rglob("*.*"))
    assert all(re.match("https://", link) for link in links(text))

    folded = [cell for cell in sources if {"hide-cell", "hide-input"} & set(cell.metadata.get("tags", []))]
    assert text.count('<details markdown="1">') == text.count("\n</details>\n") == len(folded)
    assert folded or in_depth(page)
    inline, display = formulas(prose)
    outside_code = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert re.findall(r"^\$\$\n(.*?)\n\$\$$", outside_code, re.DOTALL | re.MULTILINE) == display
    assert re.findall(r"\$\$([^\n]+?)\$\$", outside_code) == inline
    headings = sum(token.type == "heading_open" for cell in prose for token in parse(cell.source))
    assert sum(token.type == "heading_open" for token in tokens) == headings - 1
