import json
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from ci.book import TOOLS, Book, BookError, UsageError
from ci.execution import run
from ci.site import build as building
from ci.site import publish, releases
from ci.site.extension.pages.page_tools import links
from ci.site.releases import Release

PAGE = """<link rel="canonical" href="{latest}/{code}/{name}.html" />
<meta property="og:image" content="{site}/{code}/_images/card.png" />
{slot}
<article><h1>{name}</h1>{links}</article>
"""


@pytest.fixture
def book(book, git, catalogue):
    """The small book as a repository, with a notebook that installs a helper."""
    for code in book.languages:
        notebook = book.notebook("book/part/one", code)
        notebook.parent.mkdir(parents=True)
        notebook.write_text(json.dumps({"source": ["%pip install -q git+https://github.com/example/small"]}))
    catalogue(book.catalogue("book/part/one", "ko"), {"Some text.": "글"})
    catalogue(book.catalogue(TOOLS, "ko"), {"the latest": "최신'판"})
    assert git("add", "-A") and git("commit", "-qm", "book")
    return book


@pytest.fixture(autouse=True)
def build(monkeypatch):
    """Builds the book, with what the extension renders but without Sphinx."""

    def render(book, _cache, **_settings):
        publish.clean(book)
        for code in book.languages:
            for name in book.pages:
                path = publish.rendering(book) / code / f"{name}.html"
                path.parent.mkdir(parents=True, exist_ok=True)
                tools = "".join(f'<a href="{address}">{label}</a>' for _, address, label in links(book, name, code))
                values = {"latest": Book(book.root).site, "site": book.site, "slot": releases.SLOT, "links": tools}
                path.write_text(PAGE.format(code=code, name=name, **values))

    def build(book):
        publish.render(book, None)
        publish.publish(book)

    monkeypatch.setattr(publish, "render", render)
    monkeypatch.setattr(run, "execute", lambda _book: (None, []))
    return build


def prepare(book, git, version):
    """Let the files name a version, as the commit of a release does."""
    (book.root / "CITATION.cff").write_text(f'version: "{version}"\ndate-released: "2026-01-02"\n')
    (book.root / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')
    (book.root / "CHANGELOG.md").write_text(f"# Changelog\n\n## {version} - 2026-01-02\n")
    assert git("add", "CITATION.cff", "pyproject.toml", "CHANGELOG.md") and git("commit", "-qm", version)
    assert git("tag", f"v{version}")


def freeze(book, git, version):
    prepare(book, git, version)
    building.freeze(Release(book.root, version))


def read(book, *names):
    return BeautifulSoup(publish.published(book).joinpath(*names).read_text(), "html.parser")


def test_every_page_leads_to_itself_in_every_edition_the_latest_first(book, git, build):
    for version in ("1.0", "1.9", "1.10"):
        freeze(book, git, version)
    build(book)
    for version in ("", "1.0", "1.10"):
        page = read(book, version, "ko", "book", "part", "one.html")
        place = publish.published(book) / version / "ko" / "book" / "part"
        found = {link.text: (place / link["href"]).resolve() for link in page.select(".releases a")}
        root = publish.published(book).resolve()
        assert found == {
            "최신'판": root / "ko/book/part/one.html",
            **{name: root / name / "ko/book/part/one.html" for name in ("1.10", "1.9", "1.0")},
        }
        assert list(found) == ["최신'판", "1.10", "1.9", "1.0"]
        name = version or "최신'판"
        assert page.select_one(".releases [aria-current]").text == name
        assert page.summary.text == f"Edition: {name}"
        frozen = [(place / link["href"]).resolve() for link in page.select(".frozen a")]
        assert frozen == ([root / "ko/book/part/one.html"] if version else [])


def test_links_and_helper_of_a_release_are_those_of_its_version(book, git, build):
    freeze(book, git, "1.0")
    build(book)
    page = read(book, "1.0", "ko", "book", "part", "one.html")
    found = {link.text: link["href"] for link in page.select("a")}
    repository, notebook = "https://github.com/example/small/blob", "releases/1.0/ko/book/part/one.ipynb"
    assert found["View the source"] == f"{repository}/v1.0/book/part/one.md"
    assert found["View the translation"] == f"{repository}/v1.0/locale/ko/LC_MESSAGES/book/part/one.po"
    assert found["Open in Colab"] == f"https://colab.research.google.com/github/example/small/blob/{notebook}"
    assert unquote(found["Open in Kaggle"]).endswith(f"{repository}/{notebook}")
    assert found["Download the notebook"] == "one.ipynb"
    card = page.find("meta", property="og:image")["content"]
    assert card == "https://example.github.io/small/1.0/ko/_images/card.png"
    notebook = publish.published(book) / "1.0" / "ko" / "book" / "part" / "one.ipynb"
    assert json.loads(notebook.read_text())["source"] == ["%pip install -q git+https://github.com/example/small@v1.0"]


def test_a_language_that_left_the_book_stays_in_its_releases(book, git, build, edit):
    freeze(book, git, "1.0")
    edit(book.root / "_config.yml", "  ko: 한국어\n", "")
    build(type(book)(book.root))
    page = read(book, "1.0", "ko", "book", "index.html")
    assert [link.text for link in page.select(".releases a")] == ["the latest", "1.0"]
    canonical = page.find("link", rel="canonical")["href"]
    assert canonical == "https://example.github.io/small/1.0/ko/book/index.html"


def test_a_release_is_the_book_alone_and_stays_as_it_is_while_the_book_goes_on(book, git, build, edit):
    freeze(book, git, "1.0")
    assert sorted(path.name for path in (releases.folder(book) / "1.0").iterdir()) == ["en", "index.html", "ko"]
    with pytest.raises(BookError, match=r"1\.0 is in _build/releases already"):
        building.freeze(Release(book.root, "1.0"))
    edit(book.notebook("book/part/one", "en"), "%pip", "%uv pip")
    build(book)
    assert "%uv" in (publish.published(book) / "en" / "book" / "part" / "one.ipynb").read_text()
    assert "%uv" not in (publish.published(book) / "1.0" / "en" / "book" / "part" / "one.ipynb").read_text()


def test_the_latest_edition_is_the_one_that_counts_unless_a_page_is_no_longer_in_it(book, git, build, edit):
    freeze(book, git, "1.0")
    edit(book.root / "_toc.yml", "file: book/part/one", "file: book/part/two")
    book.source("book/part/one").rename(book.source("book/part/two"))
    for code in book.languages:
        book.notebook("book/part/one", code).rename(book.notebook("book/part/two", code))
    build(type(book)(book.root))
    canonical = {
        name: read(book, "1.0", "en", "book", f"{name}.html").find("link", rel="canonical")["href"]
        for name in ("index", "part/one")
    }
    assert canonical == {
        "index": "https://example.github.io/small/en/book/index.html",
        "part/one": "https://example.github.io/small/1.0/en/book/part/one.html",
    }
    new = read(book, "en", "book", "part", "two.html")
    assert new.find("a", string="1.0")["href"] == "../../../1.0/en/index.html"


@pytest.mark.parametrize("version", ["v1.0", "1.", "../1", "", "1.00"])
def test_what_is_no_version_is_refused(book, version):
    with pytest.raises(UsageError, match="not a version: use numbers and dots"):
        building.freeze(Release(book.root, version))
    assert releases.versions(book) == []


@pytest.mark.parametrize(
    "name, old, new, said",
    [
        ("CITATION.cff", '"1.0"', '"0.9"', r"CITATION\.cff says version 0\.9;"),
        ("pyproject.toml", '"1.0"', '"1"', r"pyproject\.toml says version 1;"),
        ("CHANGELOG.md", "01-02", "01-03", r"CHANGELOG\.md has no line `## 1\.0 - 2026-01-02`;"),
    ],
)
def test_the_files_of_a_release_name_its_version(book, git, edit, name, old, new, said):
    prepare(book, git, "1.0")
    edit(book.root / name, old, new)
    with pytest.raises(BookError, match=f"not release 1.0: {said}"):
        building.freeze(Release(book.root, "1.0"))


def test_a_release_needs_its_tag_on_the_commit_that_is_checked_out(book, git):
    prepare(book, git, "1.0")
    assert git("tag", "--delete", "v1.0")
    with pytest.raises(BookError, match=r"`git tag v1\.0`$"):
        building.freeze(Release(book.root, "1.0"))
    assert git("tag", "v1.0") and git("commit", "--allow-empty", "-qm", "later")
    with pytest.raises(BookError, match=r"`git tag v1\.0`$"):
        building.freeze(Release(book.root, "1.0"))


@pytest.mark.parametrize("path", ["book/index.md", "book/new.md"])
def test_a_release_is_what_its_tag_says(book, git, path):
    prepare(book, git, "1.0")
    (book.root / path).write_text("# Other\n")
    with pytest.raises(BookError, match=rf"differ from v1\.0.*{path}$"):
        building.freeze(Release(book.root, "1.0"))


def test_a_release_that_is_not_complete_leaves_the_published_site(book, git, build):
    build(book)
    assert not read(book, "en", "book", "part", "one.html").select(".releases, .frozen")
    freeze(book, git, "1.0")
    (releases.folder(book) / "1.0" / "index.html").unlink()
    with pytest.raises(BookError, match="there is no _build/releases/1.0/index.html"):
        build(book)
    assert read(book, "en", "book", "index.html").find("a", string="View the source")


@pytest.mark.parametrize("address", ["git+https://github.com/example/small-other", "flaxbook"])
def test_a_release_stops_at_a_notebook_that_installs_something_else_and_is_begun_anew(book, git, edit, address):
    own, path = "git+https://github.com/example/small", book.notebook("book/part/one", "ko")
    edit(path, own, address)
    assert git("commit", "-qam", "other")
    with pytest.raises(BookError, match=r"one\.ipynb does not install git\+"):
        freeze(book, git, "1.0")
    assert releases.versions(book) == []
    edit(path, address, own)
    assert git("commit", "-qam", "book") and git("tag", "--force", "v1.0")
    building.freeze(Release(book.root, "1.0"))
    assert releases.versions(book) == ["1.0"]
