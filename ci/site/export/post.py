"""Makes a post for a Jekyll blog of a chapter, with its figures, from the notebook as it is stored; executes nothing.

The post stands by itself: what it shows is written beside it, and its links are whole addresses.
"""

import base64
import functools
import itertools
import json
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbconvert import MarkdownExporter
from traitlets.config import Config

from ci import _
from ci.book import Book, BookError, markdown
from ci.catalogues import po
from ci.catalogues.sentences import sentences
from ci.catalogues.translation_progress import page_progress
from ci.notebooks import cells, translate
from ci.site.export import kramdown

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
        return f'![{kramdown.escaped(alt)}](<{{{{ "/{self.assets}/{file}" | relative_url }}}}>)'


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
        raise BookError(_("there is no {file}: run ./ci/book.sh refresh"), file=path) from error
    except (ValueError, nbformat.ValidationError) as error:
        sentence = _("{file} is not a notebook ({error}): run ./ci/book.sh refresh")
        raise BookError(sentence, file=path, error=error) from error


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
                sentence = _("{place}: a post cannot bring {image} along: draw it in a code cell")
                raise BookError(sentence, place=place, image=one.attrs["src"])
            if one.type == "link_open" and not WHOLE.match(one.attrs["href"]):
                sentence = _("{place}: {target} is no page of the book: link to one, or give a whole address")
                raise BookError(sentence, place=place, target=one.attrs["href"])
            if one.type.startswith("html_") and LOADING.search(one.content):
                sentence = _("{place}: a post must not load anything: leave {html} out")
                raise BookError(sentence, place=place, html=one.content.strip())


def rewrite_prose(post, notebook):
    """Changes the Markdown of a notebook into that of the blog.

    Raises:
      BookError: as for `check`.
    """
    for name, cell in zip(cells.names(notebook), notebook.cells, strict=True):
        if cell.cell_type == "markdown":
            cell.source = kramdown.rewrite(cell.source, post.resolve)
            check(cell.source, f"{post.book.relative(post.notebook)}, {name}")


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
            if html := kramdown.harmless(data.pop("text/html", "")):
                data["text/html"] = html
            if kind := next(filter(data.get, PICTURES), None):
                file = f"figure-{len(figures) + 1}{PICTURES[kind]}"
                figures[file] = data[kind].encode() if kind == "image/svg+xml" else base64.b64decode(data[kind])
                output.metadata["picture"] = post.picture(file, translations.get(alt, alt))
    return notebook, resources


def credit(post, gettext):
    """The last line of a post; `gettext` translates its own words."""
    people = {"author": post.book.config["author"], "translator": ""}
    if post.language in post.book.translations:
        people["translator"] = page_progress(post.book, post.page, post.language).translator
    named = [(AUTHOR, people["author"]), (TRANSLATED, people["translator"])]
    links = [(PAGE, post.book.address(post.page, post.language)), (SOURCE, post.book.in_repository(post.notebook))]
    return " · ".join(
        [
            *(kramdown.escaped(gettext(text).format(**people)) for text, person in named if person),
            *(f"[{gettext(text)}]({address})" for text, address in links),
            LICENCE,
        ]
    )


def in_quotes(text):
    """Text as JSON, which YAML is a superset of: what has no quotes, Ruby may take for a number or a date."""
    return json.dumps(text, ensure_ascii=False)


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
    summary = description(notebook)
    rewrite_prose(post, notebook)
    gettext = sentences(post.book, post.language).gettext
    exporter = MarkdownExporter(
        config=CONFIG,
        extra_template_basedirs=[str(TEMPLATES)],
        template_name="jekyll",
        filters={"paragraph": kramdown.paragraph, "fenced": kramdown.fenced, "printed": kramdown.printed},
        preprocessors=[functools.partial(take_figures, post)],
    )
    parts = {
        "title": in_quotes(title),
        "language": post.language,
        "summary": in_quotes(summary),
        "address": post.book.address(post.page, post.language),
        "date": date,
        "changed": changed,
        "badge": post.picture(BADGE, gettext(OPEN)),
        "colab": post.book.in_colab(post.notebook),
        "show_code": gettext(SHOW_CODE),
        "show_solution": gettext(SHOW_SOLUTION),
        "credit": credit(post, gettext),
    }
    text, resources = exporter.from_notebook_node(notebook, resources={"post": parts})
    return text, {BADGE: (TEMPLATES / "jekyll" / BADGE).read_bytes(), **resources["figures"]}
