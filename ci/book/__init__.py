"""The book: its pages in the order of `_toc.yml`, its chapters (pages with code), languages, paths and URLs."""

import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from ci import _
from ci.book.errors import BookError, Sentence, UsageError, nearest

__all__ = ["Book", "BookError", "Sentence", "UsageError", "front_matter", "here", "nearest"]

COLAB = "https://colab.research.google.com/github"
KAGGLE = "https://www.kaggle.com/kernels/welcome?src="
TOOLS = "ci"  # the name of the catalogue with the messages of the commands and of the site
ENGLISH = "en"  # the language of these messages
NEEDED: dict[str, type] = {"title": str, "author": str, "repository.url": str, "languages": dict}  # in `_config.yml`
NEEDED |= {"execute.timeout": int, "sphinx": dict}
OPTIONAL = {"helper": str, "variables": list, "packages": dict, "lines_not_compared": list, "html": dict}
# What reading YAML can raise: bad dates and bytes are ValueErrors.
NOT_YAML = (yaml.YAMLError, ValueError, RecursionError)
CODE_CELL = re.compile(r"^`{3,}\{code-cell\}", re.MULTILINE)
HEADER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)  # front matter


@dataclass(frozen=True)
class Book:
    """A book in the folder `root`."""

    root: Path

    @cached_property
    def config(self) -> dict[str, Any]:
        """The content of `_config.yml`."""
        try:
            config = yaml.safe_load((self.root / "_config.yml").read_text(encoding="utf-8"))
        except (*NOT_YAML, OSError) as error:
            raise BookError(f"_config.yml: {one_line(error)}: write it as docs/your_own_book.md says") from error
        wrong = [name for name, kind in NEEDED.items() if not (type(at(config, name)) is kind and at(config, name))]
        wrong += [name for name, kind in OPTIONAL.items() if not isinstance(at(config, name) or kind(), kind)]
        if wrong:
            raise BookError(f"_config.yml: there is no right {', '.join(wrong)}: add it, as in docs/your_own_book.md")
        if not all(isinstance(word, str) for pair in config["languages"].items() for word in pair):
            raise BookError('_config.yml: languages: write each as "code": name, such as "no": Norsk')
        if config["repository"]["url"].count("/") < 2:
            raise BookError("_config.yml: repository: url is no address such as https://github.com/ada/my-book")
        return config

    @property
    def cell_timeout(self) -> int:
        """The time limit of a cell, in seconds."""
        return self.config["execute"]["timeout"]

    @property
    def title(self) -> str:
        """The title of the book."""
        return self.config["title"]

    @property
    def repository(self) -> str:
        """The URL of the repository, without a trailing slash."""
        return self.config["repository"]["url"].rstrip("/")

    @property
    def name(self) -> str:
        """The name of the repository, which begins the names of exported files."""
        return self.repository.rpartition("/")[2]

    @property
    def helper(self) -> str:
        """The name of the helper module, a folder beside `book`; "" if the book has none."""
        return self.config.get("helper") or ""

    @property
    def variables(self) -> list[str]:
        """The names of the environment variables on which outputs depend."""
        return self.config.get("variables") or []

    @property
    def packages(self) -> dict[str, str]:
        """{package whose version is stored with the outputs: its name on pages, or "" if they do not show it}."""
        return self.config.get("packages") or {}

    @property
    def lines_not_compared(self) -> list[str]:
        """Lines that cells print on some machines only, which no comparison of outputs counts."""
        return self.config.get("lines_not_compared") or []

    @property
    def branch(self) -> str:
        """The default branch of the repository."""
        return self.config["repository"].get("branch", "main")

    @property
    def site(self) -> str:
        """The URL of the published book, without a trailing slash: `html.baseurl`, by default that of GitHub Pages."""
        owner = self.repository.split("/")[-2].lower()
        return self.config.get("html", {}).get("baseurl", f"https://{owner}.github.io/{self.name}").rstrip("/")

    @property
    def languages(self) -> dict[str, str]:
        """The languages, {code: name}; the first one is the source language, in which the book is written."""
        return self.config["languages"]

    @property
    def source_language(self) -> str:
        """The code of the language in which the book is written."""
        return next(iter(self.languages))

    @cached_property
    def translations(self) -> list[str]:
        """The codes of the languages into which the book is translated: all except the source language."""
        return list(self.languages)[1:]

    @cached_property
    def pages(self) -> list[str]:
        """The names of all pages, such as "book/training/batch_norm", in the order of `_toc.yml`."""
        from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml  # imports Sphinx, which is slow

        try:
            site_map = parse_toc_yaml(self.root / "_toc.yml")
        except (MalformedError, *NOT_YAML, OSError, TypeError, AttributeError) as error:
            raise BookError(f"_toc.yml: {one_line(error)}: write it as docs/your_own_book.md says") from error
        pages = [name.removesuffix(".md") for name in site_map]
        on_disk = {self.relative(path).removesuffix(".md") for path in (self.root / "book").rglob("*.md")}
        for name in pages:
            if name not in on_disk:
                hint = nearest(name, on_disk.difference(pages))
                raise BookError(f"_toc.yml lists {name}, but there is no {name}.md{hint}: write it or remove the line")
        for name in sorted(on_disk.difference(pages)):
            raise BookError(f"_toc.yml does not list {name}.md: add the line `- file: {name}`, or remove the file")
        return pages

    @property
    def domains(self) -> list[str]:
        """The names of all catalogues: one for each page, and `TOOLS`."""
        return [*self.pages, TOOLS]

    def domains_in(self, language: str) -> list[str]:
        """Return the names of the catalogues in a language; the source language, unless English, has only `TOOLS`."""
        if language in self.translations:
            return self.domains
        return [TOOLS] if language in self.languages and language != ENGLISH else []

    @property
    def catalogues(self) -> dict[Path, tuple[str, str]]:
        """{path of a catalogue: (its name, its language)} of all catalogues, whether they exist or not."""
        return {self.catalogue(name, code): (name, code) for code in self.languages for name in self.domains_in(code)}

    @cached_property
    def chapters(self) -> list[str]:
        """The names of the pages with code, whose header has a `kernelspec`, in the order of `_toc.yml`."""
        headers = {name: front_matter(self.source(name)) for name in self.pages}
        chapters = [name for name, header in headers.items() if "kernelspec" in header]
        for name in chapters:
            if not isinstance(at(headers[name], "kernelspec.name"), str):
                raise BookError(f"{name}.md: `kernelspec` in its header names no kernel: copy that of another chapter")
            if not is_notebook(headers[name]):  # MyST-NB would take it for a page without cells
                raise BookError(f"{name}.md: add the line `file_format: mystnb` to its header")
        for name in set(self.pages).difference(chapters):
            if CODE_CELL.search(self.source(name).read_text(encoding="utf-8")):
                raise BookError(f"{name}.md has code cells, but its header names no kernel: copy that of a chapter")
        return chapters

    def built(self, *names: str | Path) -> Path:
        """Return a path under `_build`, the folder of generated files and of the releases."""
        return self.root.joinpath("_build", *names)

    def source(self, name: str) -> Path:
        """Return the path of the Markdown file of a page."""
        return self.root / f"{name}.md"

    def notebook(self, name: str, language: str) -> Path:
        """Return the path of the notebook of a chapter."""
        return self.root / "notebooks" / language / f"{name.removeprefix('book/')}.ipynb"

    def catalogue(self, name: str, language: str) -> Path:
        """Return the path of the catalogue of one of the `domains` in a language."""
        return self.root / "locale" / language / "LC_MESSAGES" / f"{name}.po"

    def relative(self, path: Path) -> str:
        """Return a path relative to the root of the book, with forward slashes."""
        return path.relative_to(self.root).as_posix()

    def in_repository(self, path: Path) -> str:
        """Return the URL of a file on GitHub, in the default branch."""
        return f"{self.repository}/blob/{self.branch}/{quote(self.relative(path))}"

    def in_colab(self, notebook: Path) -> str:
        """Return the URL at which Colab opens a notebook of the repository."""
        return self.in_repository(notebook).replace("https://github.com", COLAB)

    def in_kaggle(self, notebook: Path) -> str:
        """Return the URL at which Kaggle opens a copy of a notebook of the repository."""
        return KAGGLE + quote(self.in_repository(notebook), safe="")

    def address(self, name: str, language: str) -> str:
        """Return the URL of a published page."""
        return f"{self.site}/{language}/{name}.html"

    def find_page(self, wanted: str) -> str:
        """Return the page whose name ends so, or that has this file, notebook or catalogue; or raise UsageError."""
        ending = re.sub(r"\.(md|po|ipynb)$", "", wanted).rpartition("LC_MESSAGES/")[2]
        ending = "/" + re.sub(rf"^notebooks/({'|'.join(self.languages)})/", "book/", ending)
        pages = [page for page in self.pages if f"/{page}".endswith(ending)]
        if len(pages) != 1:
            names = [page.rpartition("/")[2] for page in self.pages]
            values = {"wanted": repr(wanted), "pages": ", ".join(pages or self.pages)}
            hint = nearest(ending.rpartition("/")[2], names)
            raise UsageError(_("{wanted} is no page of the book{hint}: it has {pages}"), hint=hint, **values)
        return pages[0]

    def find_chapter(self, wanted: str) -> str:
        """Return the full name of a chapter, as `find_page` does; raise UsageError for a page without code."""
        page = self.find_page(wanted)
        if page not in self.chapters:
            chapters = ", ".join(self.chapters)
            raise UsageError(_("{page} is no chapter with code; those are {chapters}"), page=page, chapters=chapters)
        return page

    def git(self, *arguments: str) -> str | None:
        """Run git in the root of the book; return its output, or None if it fails or is not installed."""
        command = ["git", "-C", str(self.root), *arguments]
        try:
            done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
        except FileNotFoundError:
            return None
        return done.stdout if done.returncode == 0 else None

    def committed(self, path: Path) -> str | None:
        """Return the text of a file in the last commit, or None if the commit does not have it."""
        return self.git("show", f"HEAD:./{self.relative(path)}")

    def find_language(self, wanted: str, among: Iterable[str] | None = None) -> str:
        """Return a language code; raise UsageError if it is not in `among`, by default the languages of the book."""
        known = list(self.languages if among is None else among)
        if wanted not in known:
            values = {"wanted": repr(wanted), "hint": nearest(wanted, known), "languages": ", ".join(known)}
            raise UsageError(_("{wanted} is no language of the book{hint}: it has {languages}"), **values)
        return wanted


def front_matter(path: Path) -> dict[str, Any]:
    """Return the YAML header of a Markdown file, empty if there is none; raise BookError if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BookError(f"{path.name} is not UTF-8: save it as UTF-8") from error
    if text.startswith("\ufeff"):
        raise BookError(f"{path.name} begins with a byte order mark: save it as UTF-8 without BOM")
    match = HEADER.match(text)
    try:
        header = (match and yaml.safe_load(match[1])) or {}
        if not isinstance(header, dict):
            raise ValueError("no line of the form `key: value`")
    except NOT_YAML as error:
        reason = one_line(error)
        raise BookError(f"{path.name}: the text between the first two lines --- is not YAML: {reason}") from error
    return header


def one_line(error: BaseException) -> str:
    """Return what an error says, on one line, without what its library shows below."""
    return " ".join(str(error).split("\n\n")[0].split())


def at(settings: Any, name: str) -> Any:
    """Return a value in nested mappings by the keys in its name, such as "repository.url"; None if it is not there."""
    for key in name.split("."):
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings


def is_notebook(header: dict[str, Any]) -> bool:
    """Return whether the header of a Markdown file says that the file is a notebook, in a form that MyST-NB knows."""
    return at(header, "jupytext.text_representation.format_name") == "myst" or header.get("file_format") == "mystnb"


def here() -> Book:
    """Return the book to which this file belongs."""
    return Book(Path(__file__).resolve().parents[2])
