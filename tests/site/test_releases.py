import json
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from ci.book import TOOLS, BookError, UsageError
from ci.site import freeze as freezing
from ci.site import publish, releases
from ci.site.extension.pages.page_tools import links

PAGE = """<link rel="canonical" href="https://example.github.io/small/{code}/{name}.html" />
<meta property="og:image" content="https://example.github.io/small/{code}/_images/card.png" />
{slot}
{links}
<pre>pip install git+https://github.com/example/small
git clone https://github.com/example/small</pre>
<a href="https://github.com/example/small/issues/new?body=https%3A%2F%2Fexample.github.io%2Fsmall%2F{code}%2F">fault</a>
"""
INSTALL = "%pip install -q git+https://github.com/example/small"
SITE = "https://example.github.io/small"
ONE = "book/part/one"


@pytest.fixture
def book(book, git, catalogue):
    """The small book as a repository, with a notebook that installs the helper module."""
    for code in book.languages:
        notebook = book.notebook(ONE, code)
        notebook.parent.mkdir(parents=True)
        notebook.write_text(json.dumps({"source": [INSTALL]}))
    catalogue(book.catalogue(ONE, "ko"), {"Some text.": "글"})
    catalogue(book.catalogue(TOOLS, "ko"), {"the latest": "최신'판"})
    assert git("add", "-A") and git("commit", "-qm", "book")
    return book


@pytest.fixture(autouse=True)
def build(monkeypatch):
    """Builds pages with links and addresses, without Sphinx."""

    def build(book):
        publish.clean(book)
        for code in book.languages:
            for name in book.pages:
                path = publish.rendering(book) / code / f"{name}.html"
                path.parent.mkdir(parents=True, exist_ok=True)
                tools = "".join(f'<a href="{address}">{label}</a>' for _, address, label in links(book, name, code))
                path.write_text(PAGE.format(code=code, name=name, slot=releases.SLOT, links=tools))
        publish.publish(book)
        return 0

    monkeypatch.setattr(freezing, "build", build)
    return build


def freeze(book, git, version="1.0"):
    assert git("tag", f"v{version}")
    return freezing.freeze(book, version)


def read(book, path):
    return BeautifulSoup((publish.published(book) / path).read_text(), "html.parser")


def canonical(page):
    return page.find("link", rel="canonical")["href"].removeprefix(SITE)


def test_without_releases_a_page_has_no_list_of_editions(book, build):
    build(book)
    page = read(book, f"en/{ONE}.html")
    assert not page.select(".releases, .frozen")
    assert releases.SLOT not in str(page)


def test_every_page_links_to_itself_in_every_edition_the_latest_first(book, git, build):
    for version in ("1.9", "1.10"):
        assert freeze(book, git, version) == 0
    build(book)
    root = publish.published(book).resolve()
    for version in ("", "1.10"):
        path = root / version / "ko" / f"{ONE}.html"
        page, name = read(book, path), version or "최신'판"
        editions = [(link.text, (path.parent / link["href"]).resolve()) for link in page.select(".releases a")]
        versions = {"최신'판": "", "1.10": "1.10", "1.9": "1.9"}
        assert editions == [(text, root / folder / "ko" / f"{ONE}.html") for text, folder in versions.items()]
        assert page.select_one(".releases [aria-current]").text == name
        assert page.summary.text == f"Edition: {name}"
        latest = [(path.parent / link["href"]).resolve() for link in page.select(".frozen a")]
        assert latest == ([root / "ko" / f"{ONE}.html"] if version else [])


def test_a_release_has_the_links_and_the_helper_module_of_its_version(book, git, build):
    freeze(book, git)
    build(book)
    page = read(book, f"1.0/ko/{ONE}.html")
    found = {link.text: link["href"] for link in page.select("a")}
    repository, notebook = "https://github.com/example/small/blob", f"releases/1.0/ko/{ONE}.ipynb"
    assert found["View the source"] == f"{repository}/v1.0/{ONE}.md"
    assert found["View the translation"] == f"{repository}/v1.0/locale/ko/LC_MESSAGES/{ONE}.po"
    assert found["Open in Colab"] == f"https://colab.research.google.com/github/example/small/blob/{notebook}"
    assert unquote(found["Open in Kaggle"]).endswith(f"{repository}/{notebook}")
    assert found["Download the notebook"] == "one.ipynb"
    assert found["fault"].endswith("body=https%3A%2F%2Fexample.github.io%2Fsmall%2F1.0%2Fko%2F")
    assert page.pre.text.splitlines() == [
        "pip install git+https://github.com/example/small@v1.0",
        "git clone --branch v1.0 https://github.com/example/small",
    ]
    assert page.find("meta", property="og:image")["content"] == f"{SITE}/1.0/ko/_images/card.png"
    assert json.loads((publish.published(book) / "1.0" / "ko" / f"{ONE}.ipynb").read_text())["source"] == [
        f"{INSTALL}@v1.0"
    ]
    assert sorted(path.name for path in (releases.folder(book) / "1.0").iterdir()) == ["en", "index.html", "ko"]


@pytest.mark.parametrize("missing", [releases.SLOT, 'rel="canonical"', "/blob/main/book/part/one.md"])
def test_a_page_without_a_text_that_a_release_replaces_is_an_error(book, git, missing, monkeypatch):
    monkeypatch.setattr(f"{__name__}.PAGE", PAGE.replace(missing, ""))
    if missing not in PAGE:
        monkeypatch.setattr(f"{__name__}.links", lambda *_: [])
    with pytest.raises(BookError, match=r"book/(index|part/one)\.html does not have .*update ci/site/freeze\.py"):
        freeze(book, git)
    assert releases.versions(book) == []


@pytest.mark.parametrize("address", ["git+https://github.com/example/small-other", "flaxbook"])
def test_a_notebook_that_installs_something_else_is_an_error(book, git, address, edit):
    edit(book.notebook(ONE, "en"), "git+https://github.com/example/small", address)
    assert git("commit", "-qam", "other")
    with pytest.raises(BookError, match=r"one\.ipynb does not have git\+"):
        freeze(book, git)


def test_a_release_keeps_a_language_and_notebooks_that_the_latest_edition_changes(book, git, build, edit):
    freeze(book, git)
    edit(book.root / "_config.yml", "      ko: 한국어\n", "")
    edit(book.notebook(ONE, "en"), "%pip", "%uv pip")
    build(type(book)(book.root))
    page = read(book, "1.0/ko/book/index.html")
    assert [link.text for link in page.select(".releases a")] == ["the latest", "1.0"]
    assert canonical(page) == "/1.0/ko/book/index.html"
    for version, is_changed in {"": True, "1.0": False}.items():
        assert ("%uv" in (publish.published(book) / version / "en" / f"{ONE}.ipynb").read_text()) == is_changed


def test_the_canonical_page_is_the_latest_unless_only_releases_have_the_page(book, git, build, edit):
    freeze(book, git)
    edit(book.root / "_toc.yml", "file: book/part/one", "file: book/part/two")
    book.source(ONE).rename(book.source("book/part/two"))
    for code in book.languages:
        book.notebook(ONE, code).rename(book.notebook("book/part/two", code))
    build(type(book)(book.root))
    assert canonical(read(book, "1.0/en/book/index.html")) == "/en/book/index.html"
    assert canonical(read(book, f"1.0/en/{ONE}.html")) == f"/1.0/en/{ONE}.html"
    new = read(book, "en/book/part/two.html")
    assert new.find("a", string="1.0")["href"] == "../../../1.0/en/index.html"


@pytest.mark.parametrize("version", ["v1.0", "latest", "1.", "../1", "", "１.０", "1.00", "01"])
def test_a_malformed_version_is_an_error(book, version):
    with pytest.raises(UsageError, match="no version: use numbers and dots"):
        freezing.check(book, freezing.Release(book.root, version))


def test_a_version_can_be_released_once(book, git):
    (releases.folder(book) / "1.0").mkdir(parents=True)
    with pytest.raises(BookError, match=r"1\.0 is in _build/releases already"):
        freeze(book, git)


def test_a_release_needs_its_tag_on_the_current_commit(book, git):
    with pytest.raises(BookError, match=r"`git tag v1\.0`$"):
        freezing.freeze(book, "1.0")
    assert git("tag", "v1.0") and git("commit", "--allow-empty", "-qm", "later")
    with pytest.raises(BookError, match=r"`git tag v1\.0`$"):
        freezing.freeze(book, "1.0")


@pytest.mark.parametrize("path", ["book/index.md", "book/new.md"])
def test_files_that_differ_from_the_tag_are_an_error(book, git, path):
    (book.root / path).write_text("# Other\n")
    with pytest.raises(BookError, match=rf"differ from v1\.0.*{path}$"):
        freeze(book, git)


def test_a_failed_build_makes_no_release(book, git, monkeypatch):
    monkeypatch.setattr(freezing, "build", lambda _book: 1)
    assert freeze(book, git) == 1
    assert releases.versions(book) == []


def test_an_interrupted_freeze_makes_no_release_and_can_be_repeated(book, git, build, monkeypatch):
    def stop(*_):
        (releases.folder(book) / "1.0.new" / "left.html").touch()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(freezing, "freeze_notebook", stop)
        freeze(book, git)
    assert releases.versions(book) == []
    freezing.freeze(book, "1.0")
    assert releases.versions(book) == ["1.0"]
    assert not list(releases.folder(book).rglob("left.html"))


@pytest.mark.parametrize("missing", ["index.html", "en/index.html"])
def test_an_incomplete_release_is_an_error_and_leaves_the_published_site(book, git, build, missing):
    freeze(book, git)
    (releases.folder(book) / "1.0" / missing).unlink()
    with pytest.raises(BookError, match=f"there is no _build/releases/1.0/{missing}"):
        build(book)
    assert read(book, "en/book/index.html").find("a", string="View the source")
