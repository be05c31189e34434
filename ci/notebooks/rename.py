"""Renames a page: its file, its line in `_toc.yml`, its notebooks, sabotages, catalogues, what search
knows of it, the links from and to it.

All is worked out before anything is written. Outputs stay, and so does the cache, which knows chapters by their code.
"""

import os
import posixpath
import re
from dataclasses import dataclass

import polib

from ci import _
from ci.book import COLAB, Book, BookError, UsageError, files, git, waiting
from ci.catalogues import search_words
from ci.notebooks import sabotages
from ci.notebooks.make import text_of
from ci.notebooks.pairing import chapter_text
from ci.notebooks.pairing.pair import as_notebook

NAME = re.compile(r"book(/[A-Za-z0-9][A-Za-z0-9_-]*)+")
LINK = re.compile(r"(\]\(<?|^ {0,3}\[[^\]\n]+\]:[ \t]+<?)([^)>\s]+)", re.MULTILINE)
FENCED = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1", re.MULTILINE | re.DOTALL)
SHOWN = 20  # places where the old name is left


@dataclass(frozen=True)
class Renaming:
    """A page of a book that gets another name."""

    book: Book
    old: str
    new: str

    def now(self, page):
        """The name of a page afterwards."""
        return self.new if page == self.old else page

    def files(self, page):
        """Lists the files that may belong to a page: its source first, notebooks, sabotages, catalogues."""
        book = self.book
        notebooks = [book.notebook(page, language) for language in book.languages]
        catalogues = [book.catalogue(page, language) for language in book.translations]
        return [book.source(page), *notebooks, sabotages.path(book, page), *catalogues]

    def addressed(self, text):
        """Renames the page in addresses, and in paths from the root of the repository."""
        text = re.sub(rf"\b{re.escape(self.old)}(?=\.(?:md|html)\b)", self.new, text)
        before, after = (name.removeprefix("book/") for name in (self.old, self.new))
        return re.sub(rf"(\bnotebooks/\w+/){re.escape(before)}(?=\.ipynb\b)", rf"\g<1>{after}", text)

    def target(self, target, page):
        """Where a link of a page leads afterwards."""
        if target.startswith((self.book.site, self.book.repository, COLAB)):
            return self.addressed(target)
        path, mark, section = target.partition("#")
        stem, kind = posixpath.splitext(path)
        goal = posixpath.normpath(posixpath.join(posixpath.dirname(page), stem))
        if kind not in (".ipynb", ".md") or goal not in self.book.pages or self.old not in (page, goal):
            return target
        return posixpath.relpath(self.now(goal), posixpath.dirname(self.now(page))) + kind + mark + section

    def relinked(self, text, page):
        """The Markdown of a page, or a catalogue with it, with its links as they are to be; code stays as it is."""

        def rewritten(prose):
            return LINK.sub(lambda found: found[1] + self.target(found[2], page), prose)

        ends = [0, *(end for found in FENCED.finditer(text) for end in found.span()), len(text)]
        parts = [text[first:stop] for first, stop in zip(ends, ends[1:], strict=False)]
        return "".join(part if number % 2 else rewritten(part) for number, part in enumerate(parts))

    def notebook(self, text, page):
        """A notebook as text, with its links as they are to be."""
        notebook = as_notebook(text)
        if notebook is None:  # as git leaves one that it cannot merge
            raise BookError(f"the notebook of {page} is not a notebook: run ./ci/book.sh refresh, and rename again")
        before = [cell.source for cell in notebook.cells]
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = self.relinked(cell.source, page)
        return text if before == [cell.source for cell in notebook.cells] else text_of(notebook)

    def catalogue(self, text, page):
        """A catalogue as text, with its links as they are to be.

        Raises:
          BookError: one of them is broken over two lines, as some editors do.
        """
        new = self.relinked(text, page)
        texts = [[(entry.msgid, entry.msgstr) for entry in polib.pofile(either)] for either in (text, new)]
        if [tuple(self.relinked(part, page) for part in entry) for entry in texts[0]] != texts[1]:
            raise BookError(f"{page}.po: a link is broken over two lines: run ./ci/book.sh update, and rename again")
        return new

    def rewritten(self, path, page):
        """What a file of a page is to say."""
        text = path.read_bytes().decode()
        by_kind = {".md": self.relinked, ".ipynb": self.notebook, ".po": self.catalogue}
        return by_kind[path.suffix](text, page) if path.suffix in by_kind else text

    def contents(self):
        """Returns {path: (new path, new text)} of all files that change or move."""
        book = self.book
        found = {}
        for page in book.pages:
            for path, new in zip(self.files(page), self.files(self.now(page)), strict=True):
                if path.exists():
                    found[path] = new, self.rewritten(path, page)
        for path in book.root.glob("*.md"):
            found[path] = path, self.addressed(path.read_bytes().decode())
        results = sabotages.results_path(book)
        if results.exists():
            found[results] = results, results.read_text(encoding="utf-8").replace(f'"{self.old}"', f'"{self.new}"')
        toc, config = book.root / "_toc.yml", book.root / "_config.yml"
        found[toc] = toc, self.listed(toc.read_bytes().decode())
        key = re.compile(rf"^( +){re.escape(self.old)}(?=:)", re.MULTILINE)  # of `frameworks`
        found[config] = config, key.sub(rf"\g<1>{self.new}", config.read_bytes().decode())
        name = re.compile(rf"(?<![\w/-]){re.escape(self.old)}(?![\w/-])")
        for path in [search_words.path(book), *book.root.glob("tests/pages/questions.*.csv")]:
            if path.exists():
                found[path] = path, name.sub(self.new, path.read_bytes().decode())
        same = [path for path, (new, text) in found.items() if path == new and path.read_bytes().decode() == text]
        return {path: content for path, content in found.items() if path not in same}

    def listed(self, toc):
        """`_toc.yml` with the new name.

        Raises:
          BookError: the line is written in a way that is not known here.
        """
        pattern = rf"((?:file|root): *[\"']?){re.escape(self.old)}(?=(?:\.md)?[\"']?[ \t]*(?:[#}},]|$))"
        line = re.compile(pattern, re.MULTILINE)
        text, count = line.subn(rf"\g<1>{self.new}", toc)
        if count != 1:
            raise BookError(f"_toc.yml: write the page on a line of its own, `- file: {self.old}`, and rename again")
        return text


def new_name(old, wanted):
    """The name of a page from what a person types: a path, or another word for the last part of the old name.

    Raises:
      UsageError: a page cannot be called so.
    """
    wanted = wanted.removesuffix(".md")
    if "/" not in wanted:
        wanted = f"{posixpath.dirname(old)}/{wanted}"
    name = wanted if wanted.startswith("book/") else f"book/{wanted}"
    if not NAME.fullmatch(name):
        raise UsageError(f"{wanted!r} cannot be the name of a page: write letters, digits, - and _, such as part/name")
    return name


def refuse_taken(renaming):
    """Raises UsageError if something has the new name, as a page or as a file that was left."""
    for path in renaming.files(renaming.new):
        if path.exists():
            raise UsageError(f"{renaming.book.relative(path)} is there already: choose another name, or remove it")


def refuse_unfinished(book, paths):
    """Raises BookError if one of the notebooks that change does not say what its chapter says: which one is right?"""
    for name in book.chapters:
        chapter, path = book.source(name), book.notebook(name, book.source_language)
        if path not in paths or not path.exists():
            continue
        notebook = as_notebook(path.read_text(encoding="utf-8"))
        said = chapter_text.read(chapter.read_text(encoding="utf-8"))
        if notebook is None or chapter_text.digest(said) != chapter_text.digest(notebook):
            names = f"{book.relative(chapter)} and {book.relative(path)}"
            raise BookError(f"{names} differ, one of them was edited: run ./ci/book.sh refresh, and rename again")


def remove(path, root):
    """Removes a file, its compiled form if it is a catalogue, and the folders that are empty then."""
    path.unlink()
    path.with_suffix(".mo").unlink(missing_ok=True)
    for folder in path.parents:
        if folder == root or any(folder.iterdir()):
            return
        os.rmdir(folder)


def mentions(book, old):
    """Lists where else, in files that git knows, the old name is left, as "path:line"; links are not among them."""
    found = git.git(book, "grep", "-nIwF", "-e", old.removeprefix("book/"), "--", ":!*.po", ":!*.ipynb") or ""
    lines = found.splitlines()
    return [":".join(line.split(":", 2)[:2]) for line in lines][:SHOWN]


def rename(book, old, wanted):
    """Renames a page; yields what to tell the person who did it.

    Raises:
      UsageError: the new name cannot be used.
      BookError: edits would be lost, or a link cannot be changed; nothing is written.
    """
    renaming = Renaming(book, old, new_name(old, wanted))
    refuse_taken(renaming)
    with waiting.stage(_("renaming")):
        contents = renaming.contents()
        refuse_unfinished(book, contents)
        files.write_all({new: text.encode() for new, text in contents.values()})
        for path, (new, _text) in contents.items():
            if path != new:
                remove(path, book.root)
    others = sum(path == new for path, (new, _text) in contents.items())
    yield f"{old} is {renaming.new} now; files moved: {len(contents) - others}, others changed: {others}"
    if left := mentions(book, old):
        yield f"the old name also stands in {', '.join(left)}: look whether it means the page"
    yield "Now run ./ci/book.sh refresh, which executes nothing for this, and git add -A ."
