"""What the book consists of: pages in the order of `_toc.yml`, chapters (pages with code), languages."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import yaml
from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

COLAB = "https://colab.research.google.com/github"
TOOLS = "ci"  # the catalogue of what the commands say


class BookError(Exception):
    """Something in the book is wrong; the message says what, where and how to put it right."""


@dataclass(frozen=True)
class Book:
    """A book in the folder `root`."""

    root: Path

    @cached_property
    def config(self):
        """The content of `_config.yml`."""
        return yaml.safe_load((self.root / "_config.yml").read_text(encoding="utf-8"))

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
        try:
            site_map = parse_toc_yaml(self.root / "_toc.yml")
        except (MalformedError, yaml.YAMLError) as error:
            raise BookError(f"_toc.yml: {error}") from error
        pages = [name.removesuffix(".md") for name in site_map]
        on_disk = {
            path.relative_to(self.root).with_suffix("").as_posix() for path in (self.root / "book").rglob("*.md")
        }
        for name in pages:
            if name not in on_disk:
                raise BookError(f"_toc.yml lists {name}, but there is no {name}.md: write it, or take the line out")
        for name in sorted(on_disk.difference(pages)):
            raise BookError(f"{name}.md is in no part of _toc.yml: add the line `- file: {name}`, or remove the file")
        return pages

    @property
    def domains(self):
        """The names of all that has a catalogue: the pages, and what the commands say."""
        return [*self.pages, TOOLS]

    @cached_property
    def chapters(self):
        """The pages that are notebooks, in the order of `_toc.yml`."""
        import jupytext  # takes a second, which the preview of a page would wait for

        return [name for name in self.pages if "kernelspec" in jupytext.read(self.source(name)).metadata]

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

    def address(self, name, language):
        """The address at which a page is published."""
        return f"{self.site}/{language}/{name}.html"


def here():
    """The book this file belongs to."""
    return Book(Path(__file__).resolve().parents[1])
