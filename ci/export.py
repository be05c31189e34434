"""Writes a chapter as a post for a Jekyll blog, with its figures, from the notebook as it is stored; executes nothing.

python -m ci.export LANGUAGE CHAPTER [FOLDER]

The post stands by itself: what it shows is written beside it, and its links are whole addresses.
"""

import argparse
import base64
import datetime
import errno
import functools
import itertools
import os
import posixpath
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import nbformat
import yaml
from nbconvert import MarkdownExporter
from traitlets.config import Config

from ci import jekyll, markdown, po, translate
from ci.chapters import Book, BookError, here
from ci.errors import reported
from ci.faults import _
from ci.preview import find_page
from ci.progress import page_progress
from ci.words import sentences

OPEN, SHOW_CODE, SHOW_SOLUTION = _("Open in Colab"), _("Show the code"), _("Show the solution")
AUTHOR, TRANSLATED = _("Author: {author}"), _("Translation: {translator}")
PAGE, SOURCE = _("This chapter in the book"), _("View the source")
LICENCE = "[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)"

TEMPLATES = Path(__file__).parent / "templates"
BADGE = "badge.svg"
PICTURES = {"image/png": ".png", "image/jpeg": ".jpg", "image/svg+xml": ".svg"}
CONFIG = Config(
    {
        "TagRemovePreprocessor": {
            "enabled": True,
            "remove_cell_tags": {"remove-cell"},
            "remove_input_tags": {"remove-input"},
            "remove_all_outputs_tags": {"remove-output"},
        },
        "ExtractOutputPreprocessor": {"enabled": False},  # `take_figures` numbers them and describes them
        "NbConvertBase": {"display_data_priority": [*PICTURES, "text/html", "text/plain"]},
    }
)
LONGEST_DESCRIPTION = 160  # characters
MARKED = re.compile(translate.marked("(.*)", r"\w+"))
WHOLE = re.compile(r"(https?|mailto):")
LOADING = re.compile(r"<(audio|embed|iframe|img|link|object|script|source|style|video)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Post:
    """A chapter in a language; where it comes from, and where the parts of its post are."""

    book: Book
    page: str
    language: str

    @property
    def notebook(self):
        return self.book.notebook(self.page, self.language)

    @property
    def name(self):
        return f"{posixpath.basename(self.page)}-{self.language}"

    @property
    def assets(self):
        """The folder of its figures in the blog."""
        return f"assets/flaxbook/{self.name}"

    def resolve(self, target):
        """Gives a link to a page of the book, or to a section of this one, a whole address; leaves others alone."""
        path, mark, section = target.partition("#")
        beside = posixpath.join(posixpath.dirname(self.page), re.sub(r"\.(ipynb|md)$", "", path))
        page = posixpath.normpath(beside) if path else self.page
        return self.book.address(page, self.language) + mark + section if page in self.book.pages else target

    def picture(self, file, alt):
        """Markdown that shows a file of the assets, at whatever path of its host the blog is."""
        return f'![{jekyll.escaped(alt)}](<{{{{ "/{self.assets}/{file}" | relative_url }}}}>)'


class Quoted(str):
    """Text that is put in quotes always: Ruby takes more of what has none for numbers than Python does."""


class FrontMatter(yaml.SafeDumper):
    """YAML of which every line is complete by itself."""

    def ignore_aliases(self, data):
        return True


FrontMatter.add_representer(
    Quoted, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


def plain(text):
    """The text of a block of Markdown, without its marks and that of a missing translation."""
    children = markdown.parser().parseInline(MARKED.sub(r"\1", text))[0].children
    shown = (child for child in children if child.type != "html_inline")
    return " ".join("".join(" " if one.type.endswith("break") else one.content for one in shown).split())


def shortened(text):
    """A text of `LONGEST_DESCRIPTION` characters at most, cut between two words if it has any."""
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    cut = text[:LONGEST_DESCRIPTION]
    return (cut.rpartition(" ")[0] or cut[:-1]).rstrip(" .,:;") + "…"


def read(post):
    """Reads the stored notebook of a post.

    Raises:
      BookError: there is none, or it cannot be read.
    """
    path = post.book.relative(post.notebook)
    try:
        return nbformat.read(post.notebook, as_version=4)
    except FileNotFoundError as error:
        raise BookError(f"there is no {path}: run ./ci/refresh.sh") from error
    except (ValueError, nbformat.ValidationError) as error:
        raise BookError(f"{path} is not a notebook ({error}): run ./ci/refresh.sh") from error


def blocks(notebook, kind):
    """Yields (cell, its lines, text) for each top-level block of a kind, such as "paragraph", in the prose."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for opener, inline in itertools.pairwise(markdown.parser().parse(cell.source)):
                if opener.type == f"{kind}_open" and opener.level == 0:
                    yield cell, slice(*opener.map), inline.content


def take_title(notebook):
    """Takes the first heading out of a notebook, since Jekyll prints the title; returns its text, "" without one."""
    for cell, place, text in blocks(notebook, "heading"):
        lines = cell.source.split("\n")
        del lines[place]
        cell.source = "\n".join(lines)
        return plain(text)
    return ""


def description(notebook):
    """The beginning of the first paragraph."""
    return next((shortened(plain(text)) for *_place, text in blocks(notebook, "paragraph")), "")


def check(text, place):
    """Raises BookError if Markdown shows, loads or links to what would not be found beside a post."""
    for token in markdown.parser().parse(text):
        for one in token.children or [token]:
            if one.type == "image":
                raise BookError(f"{place}: a post cannot bring {one.attrs['src']} along: draw it in a code cell")
            if one.type == "link_open" and not WHOLE.match(one.attrs["href"]):
                raise BookError(
                    f"{place}: {one.attrs['href']} is no page of the book: link to one, or give a whole address"
                )
            if one.type.startswith("html_") and LOADING.search(one.content):
                raise BookError(f"{place}: a post must not load anything: leave {one.content.strip()} out")


def rewrite_prose(post, notebook):
    """Changes the Markdown of a notebook into that of the blog.

    Raises:
      BookError: as for `check`.
    """
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "markdown":
            cell.source = jekyll.rewrite(cell.source, post.resolve)
            check(cell.source, f"{post.book.relative(post.notebook)}, cell {number}")


def take_figures(post, notebook, resources):
    """Moves the pictures of a notebook into `resources["figures"]`, {file: bytes}, and leaves Markdown in their place.

    nbconvert calls this after it has removed cells. What other outputs have in HTML is made harmless as well.
    """
    translations = po.load(post.book.catalogue(post.page, post.language))
    figures = resources["figures"] = {}
    for cell in notebook.cells:
        alt = " ".join(cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "").split())
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if html := jekyll.harmless(data.pop("text/html", "")):
                data["text/html"] = html
            if kind := next(filter(data.get, PICTURES), None):
                file = f"figure-{len(figures) + 1}{PICTURES[kind]}"
                figures[file] = data[kind].encode() if kind == "image/svg+xml" else base64.b64decode(data[kind])
                output.metadata["picture"] = post.picture(file, translations.get(alt, alt))
    return notebook, resources


def credit(post, words):
    """The last line of a post; `words` are the translations of its own."""
    people = {"author": post.book.config["author"], "translator": ""}
    if post.language in post.book.translations:
        people["translator"] = page_progress(post.book, post.page, post.language).translator
    named = [(AUTHOR, people["author"]), (TRANSLATED, people["translator"])]
    links = [(PAGE, post.book.address(post.page, post.language)), (SOURCE, post.book.in_repository(post.notebook))]
    return " · ".join(
        [
            *(jekyll.escaped(words.get(text, text).format(**people)) for text, person in named if person),
            *(f"[{words.get(text, text)}]({address})" for text, address in links),
            LICENCE,
        ]
    )


def front_matter(post, title, summary, date, changed):
    """What Jekyll and its plugins know of a post, as YAML."""
    facts = {
        "layout": "post",
        "title": Quoted(title),
        "lang": post.language,
        "description": Quoted(summary),
        "excerpt": Quoted(summary),  # Jekyll would take the first paragraph, which is the badge
        "canonical_url": post.book.address(post.page, post.language),
        "date": date,
        "last_modified_at": changed,
    }
    return yaml.dump(facts, Dumper=FrontMatter, allow_unicode=True, sort_keys=False, width=float("inf"))


def render(post, date, changed):
    """Returns (Markdown of the post, {file: bytes} of its assets).

    Args:
      date: of the post.
      changed: the date of its last change.

    Raises:
      BookError: there is no such notebook, or something in it cannot be in a post.
    """
    notebook = read(post)
    title = take_title(notebook) or post.name
    front = front_matter(post, title, description(notebook), date, changed)
    rewrite_prose(post, notebook)
    words = sentences(post.book, post.language)
    exporter = MarkdownExporter(
        config=CONFIG,
        extra_template_basedirs=[str(TEMPLATES)],
        template_name="jekyll",
        filters={"paragraph": jekyll.paragraph, "fenced": jekyll.fenced, "printed": jekyll.printed},
        preprocessors=[functools.partial(take_figures, post)],
    )
    parts = {
        "front_matter": front,
        "badge": post.picture(BADGE, words.get(OPEN, OPEN)),
        "colab": post.book.in_colab(post.notebook),
        "show_code": words.get(SHOW_CODE, SHOW_CODE),
        "show_solution": words.get(SHOW_SOLUTION, SHOW_SOLUTION),
        "credit": credit(post, words),
    }
    text, resources = exporter.from_notebook_node(notebook, resources={"post": parts})
    return text, {BADGE: (TEMPLATES / "jekyll" / BADGE).read_bytes(), **resources["figures"]}


def last_change(post):
    """The date of the newest commit that touched the notebook; today where there is none."""
    command = ["git", "log", "-1", "--format=%cs", "--", post.notebook]
    try:
        day = subprocess.run(command, cwd=post.book.root, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:  # no git on this machine
        day = ""
    return datetime.date.fromisoformat(day) if day else datetime.date.today()


def date_of(folder, name):
    """The date of a post that is in a blog already: it is part of its address, which must not change; else None."""
    pattern = re.compile(rf"(\d{{4}}-\d\d-\d\d)-{re.escape(name)}\.md")
    found = filter(None, (pattern.fullmatch(path.name) for path in (folder / "_posts").glob("*.md")))
    return max((datetime.date.fromisoformat(match[1]) for match in found), default=None)


def write(files):
    """Writes files, {path: bytes}, in this order; what is there stays until all the new ones are complete.

    Raises:
      BookError: a place cannot be written.
    """
    new = {path: path.with_name(f"{path.name}.new") for path in files}
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            new[path].write_bytes(content)
        for path in files:
            os.replace(new[path], path)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise BookError(f"cannot write {error.filename} ({error.strerror}): name another folder") from error
    finally:
        for path in filter(Path.exists, new.values()):
            path.unlink()


def export(post, folder):
    """Writes a post and its assets into the folder of a blog, and takes away the figures it no longer has.

    Returns:
      The path of the post.

    Raises:
      BookError: as for `render` and `write`; the folder is as it was.
    """
    if folder.is_file():
        raise BookError(f"{folder} is a file: name a folder")
    changed = last_change(post)
    date = date_of(folder, post.name) or changed
    text, assets = render(post, date, changed)
    path = folder / "_posts" / f"{date}-{post.name}.md"
    files = {folder / post.assets / file: content for file, content in assets.items()}
    write(files | {path: text.encode()})
    for old in set((folder / post.assets).glob("figure-*")).difference(files):
        old.unlink()
    return path


def find_post(book, language, chapter):
    """Returns the `Post` a person means.

    Raises:
      BookError: there is no such language or chapter.
    """
    if language not in book.languages:
        raise BookError(f"the book is not in {language!r}; it is in {', '.join(book.languages)}")
    page = find_page(book, chapter)
    if page not in book.chapters:
        raise BookError(f"{page} is no chapter with code; those are {', '.join(book.chapters)}")
    return Post(book, page, language)


def main():
    arguments = argparse.ArgumentParser(description="Writes a chapter as a post for a Jekyll blog.")
    arguments.add_argument("language", help="such as ko")
    arguments.add_argument("chapter", help="its name, such as dropout")
    arguments.add_argument("folder", nargs="?", type=Path, help="of the blog; _build/export if none is named")
    chosen = arguments.parse_args()
    book = here()
    with reported():
        post = find_post(book, chosen.language, chosen.chapter)
        print("written:", export(post, chosen.folder or book.root / "_build" / "export"))


if __name__ == "__main__":
    main()
