"""What the book consists of: pages in the order of `_toc.yml`, chapters (pages with code), languages."""

import difflib
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import yaml

from ci import _

COLAB = "https://colab.research.google.com/github"
KAGGLE = "https://www.kaggle.com/kernels/welcome?src="
TOOLS = "ci"  # the catalogue of what the commands say
CODE_CELL = re.compile(r"^`{3,}\{code-cell\}", re.MULTILINE)
HEADER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)  # of a page


class Sentence:
    """Something to be said, in whichever language.

    Args:
      sentence: English, marked by `_`, with the names of values in braces; or a whole message, without values.
      values: {name: value}; a value may be a `Sentence`.
    """

    def __init__(self, sentence, /, **values):
        self.sentence, self.values = sentence, values

    def say(self, gettext=str):
        """The sentence, translated by a function such as that of `ci.catalogues.sentences`."""
        values = {
            name: value.say(gettext) if isinstance(value, Sentence) else value for name, value in self.values.items()
        }
        return gettext(self.sentence).format(**values) if values else gettext(self.sentence)

    def __str__(self):
        return self.say()


class BookError(Sentence, Exception):
    """Something in the book is wrong; the message says what, where and how to put it right."""


class UsageError(BookError):
    """A word of the command line is not one that the command knows."""


def nearest(word, known):
    """ " (did you mean …?)" with the known word that looks most like another, or "" if none does."""
    found = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return Sentence(_(" (did you mean {word}?)"), word=found[0]) if found else ""


@dataclass(frozen=True)
class Book:
    """A book in the folder `root`."""

    root: Path

    @cached_property
    def config(self):
        """The content of `_config.yml`.

        Raises:
          BookError: it is not YAML.
        """
        try:
            return yaml.safe_load((self.root / "_config.yml").read_text(encoding="utf-8"))
        except (yaml.YAMLError, OSError) as error:
            raise BookError(f"_config.yml: {error}") from error

    @property
    def cell_timeout(self):
        """Seconds that a cell may take."""
        return self.config["execute"]["timeout"]

    @property
    def title(self):
        return self.config["title"]

    @property
    def repository(self):
        """The address of the repository, without a slash at the end."""
        return self.config["repository"]["url"].rstrip("/")

    @property
    def branch(self):
        return self.config["repository"]["branch"]

    @property
    def site(self):
        """The address at which the book is published, without a slash at the end.

        That of `html.baseurl`, or else where GitHub Pages publishes the repository.
        """
        owner, name = self.repository.split("/")[-2:]
        return self.config.get("html", {}).get("baseurl", f"https://{owner.lower()}.github.io/{name}").rstrip("/")

    @property
    def languages(self):
        """{code: name}, the first one being the language of the source."""
        return self.config["sphinx"]["config"]["book_languages"]

    @property
    def source_language(self):
        """The code of the language the book is written in."""
        return next(iter(self.languages))

    @cached_property
    def translations(self):
        """The language codes that have catalogues: all but the source's."""
        return list(self.languages)[1:]

    @cached_property
    def pages(self):
        """The names of all pages, such as "book/training/batch_norm", in the order of `_toc.yml`.

        Raises:
          BookError: `_toc.yml` is malformed, or it and the folder `book` differ.
        """
        from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml  # Sphinx, for one list of names

        try:
            site_map = parse_toc_yaml(self.root / "_toc.yml")
        except (MalformedError, yaml.YAMLError, OSError) as error:
            raise BookError(f"_toc.yml: {error}") from error
        pages = [name.removesuffix(".md") for name in site_map]
        on_disk = {
            path.relative_to(self.root).with_suffix("").as_posix() for path in (self.root / "book").rglob("*.md")
        }
        for name in pages:
            if name not in on_disk:
                hint = nearest(name, on_disk.difference(pages))
                sentence = _("_toc.yml lists {name}, but there is no {name}.md{hint}: write it, or take the line out")
                raise BookError(sentence, name=name, hint=hint)
        for name in sorted(on_disk.difference(pages)):
            sentence = _("{name}.md is in no part of _toc.yml: add the line `- file: {name}`, or remove the file")
            raise BookError(sentence, name=name)
        return pages

    @property
    def domains(self):
        """The names of all that has a catalogue: the pages, and what the commands say."""
        return [*self.pages, TOOLS]

    @cached_property
    def chapters(self):
        """The pages that are notebooks, in the order of `_toc.yml`.

        Raises:
          BookError: a page has code cells, and nothing says in what they run.
        """
        found = [name for name in self.pages if "kernelspec" in front_matter(self.source(name))]
        for name in set(self.pages).difference(found):
            if CODE_CELL.search(self.source(name).read_text(encoding="utf-8")):
                sentence = _("{name}.md has code cells, but its header names no kernel: copy that of another chapter")
                raise BookError(sentence, name=name)
        return found

    def built(self, *names):
        """A path under `_build`, where everything is that can be made again, and the releases, which have a branch."""
        return self.root.joinpath("_build", *names)

    def source(self, name):
        return self.root / f"{name}.md"

    def notebook(self, name, language):
        return self.root / "notebooks" / language / f"{name.removeprefix('book/')}.ipynb"

    def catalogue(self, name, language):
        return self.root / "locale" / language / "LC_MESSAGES" / f"{name}.po"

    def relative(self, path):
        return path.relative_to(self.root).as_posix()

    def in_repository(self, path):
        """The address at which the repository shows a file."""
        return f"{self.repository}/blob/{self.branch}/{quote(self.relative(path))}"

    def in_colab(self, notebook):
        """The address at which Colab opens a notebook of the repository."""
        return self.in_repository(notebook).replace("https://github.com", COLAB)

    def in_kaggle(self, notebook):
        """The address at which Kaggle opens a copy of a notebook of the repository."""
        return KAGGLE + quote(self.in_repository(notebook), safe="")

    def address(self, name, language):
        """The address at which a page is published."""
        return f"{self.site}/{language}/{name}.html"

    def find_page(self, wanted):
        """The page a person means by its name or the end of it, or by the path of its file, notebook or catalogue.

        Raises:
          UsageError: there is none, or more than one.
        """
        ending = re.sub(r"\.(md|po|ipynb)$", "", wanted).rpartition("LC_MESSAGES/")[2]
        ending = "/" + re.sub(rf"^notebooks/({'|'.join(self.languages)})/", "book/", ending)
        found = [page for page in self.pages if f"/{page}".endswith(ending)]
        if len(found) != 1:
            names = {page.rpartition("/")[2]: page for page in self.pages}
            values = {"wanted": repr(wanted), "pages": ", ".join(found or self.pages)}
            hint = nearest(ending.rpartition("/")[2], names)
            raise UsageError(_("{wanted} is no page of the book{hint}: it has {pages}"), hint=hint, **values)
        return found[0]

    def find_chapter(self, wanted):
        """As `find_page`, for a page with code."""
        page = self.find_page(wanted)
        if page not in self.chapters:
            chapters = ", ".join(self.chapters)
            raise UsageError(_("{page} is no chapter with code; those are {chapters}"), page=page, chapters=chapters)
        return page

    def find_language(self, wanted, among=None):
        """Returns a language of the book, or of some of its languages.

        Raises:
          UsageError: the book does not have it.
        """
        known = list(self.languages if among is None else among)
        if wanted not in known:
            values = {"wanted": repr(wanted), "hint": nearest(wanted, known), "languages": ", ".join(known)}
            raise UsageError(_("{wanted} is no language of the book{hint}: it has {languages}"), **values)
        return wanted


def front_matter(path):
    """The YAML between the dashes at the head of a Markdown file, as a dict; empty without one."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BookError(_("{file} is not UTF-8: save it as UTF-8"), file=path.name) from error
    if text.startswith("\ufeff"):
        raise BookError(_("{file} begins with a byte order mark: save it as UTF-8 without BOM"), file=path.name)
    found = HEADER.match(text)
    try:
        return (found and yaml.safe_load(found[1])) or {}
    except yaml.YAMLError as error:
        sentence = _("{file}: what stands between its first two lines --- is not YAML: {error}")
        raise BookError(sentence, file=path.name, error=error) from error


def here():
    """The book this file belongs to."""
    return Book(Path(__file__).resolve().parents[2])
