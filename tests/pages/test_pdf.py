"""A small book, printed: what a reader of the PDF sees.

poppler reads the text, many times as fast as pypdf; pypdf reads the bookmarks.
"""

import re
import shutil
import subprocess
from contextlib import closing

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_output
from pypdf import PdfReader

from ci.book import Book
from ci.execution.cache import code_cells, executed, read
from ci.site.export import pdf
from tests.conftest import CONFIG, HEAD_OF_CELLS

LANGUAGES = ("en", "ko")
TOC = """\
format: jb-book
root: book/index
parts:
  - {caption: First part, chapters: [{file: book/part/one}]}
  - {caption: Second part, chapters: [{file: book/part/two}]}
"""
FIGURE = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><circle cx="45" cy="45" r="40"/></svg>'
LINE = "a_name_of_fifty_letters_which_no_line_of_paper_has = " * 4 + "1"
PAGES = {
    "book/index": "# A small book\n\nRead [the shapes](part/one.md#shapes) first.\n",
    "book/part/one": f"""\
{HEAD_OF_CELLS}
# One & only

Some text with $x^2 + y^2$.

```{{code-cell}}
:mystnb: {{image: {{alt: "A circle."}}}}

{LINE}
```

## Shapes

As above.

## Questions

1. What is round?

   - A. a circle
   - B. a square

Answers:

1. **A.** Its radius is the same everywhere.
""",
    "book/part/two": f"""\
{HEAD_OF_CELLS}
# Two

Of [the other page](one.ipynb#shapes), and of [this one](#shapes).

```{{code-cell}}
:tags: [hide-cell]

print("folded")
```

## Shapes

| one | two | three | four | five | six | seven |
|-----|-----|-------|------|------|-----|-------|
| `a_long_name_of_code` | {"many words " * 9} | `a_long_name_of_code` | a | b | `another_long_name` | {"words " * 9} |
""",
}
KOREAN = {"A small book": "작은 책", "One & only": "하나", "Two": "둘", "Shapes": "모양", "As above.": "위와 같다."}
TITLES = {"en": ["A small book", "One & only", "Two"], "ko": ["작은 책", "하나", "둘"]}
SECTIONS = {"en": ["Shapes", "Questions"], "ko": ["모양", "Questions"]}
READ = ("a_name_of_fifty_letters", "What is round?", "B. a square", "Its radius is the same", 'print("folded")')
MARGIN = 50  # points at the left and the right, in which nothing stands
BETWEEN = ["-x", "0", "-y", "50", "-W", "595", "-H", "742"]  # an A4 page without its heading and its number
WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="[\d.-]+" xMax="([\d.-]+)"')
WIDTH = re.compile(r'<page width="([\d.]+)"')


@pytest.fixture(scope="module")
def written(browser, tmp_path_factory):
    """{language: path of the PDF} of the book; its HTML stands in a folder beside them."""
    if not shutil.which("pdftotext"):
        pytest.skip("nothing here reads the text of a PDF (Debian: apt install poppler-utils)")
    root, head = tmp_path_factory.mktemp("book"), 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    catalogue = head + "".join(f'\nmsgid "{message}"\nmsgstr "{text}"\n' for message, text in KOREAN.items())
    files = {"_config.yml": CONFIG, "_toc.yml": TOC, "requirements.txt": ""}
    files |= {f"{name}.md": text for name, text in PAGES.items()}
    files |= {f"locale/ko/LC_MESSAGES/{name}.po": catalogue for name in PAGES}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    book = Book(root)
    cache = executed(book)
    cache.prepare()
    for name in book.chapters:
        notebook = read(book, name)
        for cell in code_cells(notebook):
            cell.outputs = [new_output("display_data", {"image/svg+xml": FIGURE, "text/plain": "<Figure>"})]
        cache.store(notebook, name, {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdf, "opened", lambda: closing(browser.new_page()))
        return dict(zip(LANGUAGES, pdf.write(book, LANGUAGES, cache.path), strict=True))


@pytest.fixture(params=LANGUAGES)
def printed(request, written):
    """(language, path of the PDF) of the book."""
    return request.param, written[request.param]


def read_text(path, *options):
    """The text of a PDF."""
    return subprocess.run(["pdftotext", *options, path, "-"], capture_output=True, text=True, check=True).stdout


def pages(path):
    """The texts of the pages, with one space between two words."""
    return [" ".join(page.split()) for page in read_text(path, "-layout").split("\f")[:-1]]


def test_the_contents_say_on_which_page_a_chapter_is(printed):
    language, path = printed
    _title, contents, *_rest = texts = pages(path)
    assert contents.endswith(" 2") and all(re.search(r" \d+$", text) for text in texts[1:])
    numbers = pdf.page_numbers(path.read_bytes())
    for name, title in list(zip(PAGES, TITLES[language], strict=True))[1:]:
        number = numbers[f"document-{name}"]
        assert re.search(rf"{re.escape(title)} {number}\b", contents)
        assert title in texts[number - 1]


def test_ids_are_unique_and_links_lead_into_the_book(printed):
    language, path = printed
    folder = path.parent / language
    page = BeautifulSoup((folder / f"{path.name.removesuffix(f'-{language}.pdf')}.html").read_text(), "html.parser")
    ids = [element["id"] for element in page.select("[id]")]
    assert len(ids) == len(set(ids))
    inner = [link["href"] for link in page.select("a[href]") if not link["href"].startswith("https:")]
    assert [target for target in inner if target.removeprefix("#") not in ids] == []
    assert inner.count("#book/part/one/shapes") > inner.count("#book/part/two/shapes") > 0
    assert all((folder / image["src"]).exists() for image in page.select("article img"))
    assert page.select_one('article img[alt="A circle."]') and page.select_one("article math")


def test_nothing_is_cut_at_the_margins(printed):
    text = read_text(printed[1], "-bbox")
    width = float(WIDTH.search(text)[1])
    words = [tuple(map(float, bounds)) for bounds in WORD.findall(text)]
    assert len(words) > 60
    assert [bounds for bounds in words if bounds[0] < MARGIN or bounds[1] > width - MARGIN] == []


def test_code_answers_and_what_was_folded_can_be_read(printed):
    text = "".join(read_text(printed[1], *BETWEEN).split())  # where a line ends, a PDF has no space
    assert [words for words in READ if "".join(words.split()) not in text] == []


def test_bookmarks_lead_to_parts_chapters_and_sections(printed):
    language, path = printed
    reader, numbers = PdfReader(path), pdf.page_numbers(path.read_bytes())

    def bookmarks(outline, level=0):
        for entry in outline:
            if isinstance(entry, list):
                yield from bookmarks(entry, level + 1)
            else:
                yield entry.title, level, reader.get_destination_page_number(entry) + 1

    front, one, two = TITLES[language]
    first, second = (numbers[f"document-book/part/{name}"] for name in ("one", "two"))
    marks = list(bookmarks(reader.outline))
    parts = [("First part", 0, first), ("Second part", 0, second)]
    assert {(front, 0, 3), (one, 1, first), (two, 1, second), *parts} <= set(marks)
    assert [title for title, level, _page in marks if level == 2] == [*SECTIONS[language], SECTIONS[language][0]]
