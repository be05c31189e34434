"""Each form of Markdown that a chapter may have is the same in every language, on the site and in notebooks."""

import json
import re
from pathlib import Path

import polib

from ci.book import Book, markdown, sphinx
from ci.catalogues import po
from ci.notebooks import faults, translate
from ci.notebooks.cells import Chapter
from tests.conftest import HEAD_OF_CELLS

# One form a line, as JSON; `word` is what the translation changes.
FORMS = [json.loads(line) for line in Path(__file__).with_name("forms.txt").read_text(encoding="utf-8").splitlines()]
# What differs between languages: the head of a page, the credit of a translation, names, marks.
NAMES = "ids|names|dupnames|translated|slug|source|backrefs|classes|refid|xml:space"
OF_A_LANGUAGE = re.compile(rf'<document.*|<paragraph[^>]*>\s+\d+ % translated| (?:{NAMES})="[^"]*"')


def translated(text):
    return text.replace("Word", "Wort").replace("word", "wort")


def shape(page):
    """Return a rendered page on one line, without what differs between languages."""
    return " ".join(OF_A_LANGUAGE.sub("", page).split())


def html(source):
    """Return Markdown as the parser renders it, on one line."""
    return " ".join(markdown.parser().render(source).split())


def test_a_form_is_the_same_in_each_language(book, edit):
    edit(book.root / "_config.yml", "helper: flaxbook\n", "")
    names = [f"book/form{number}" for number in range(len(FORMS))]
    toc = "".join(f"  - file: {name}\n" for name in names)
    (book.root / "_toc.yml").write_text(f"format: jb-book\nroot: book/index\nchapters:\n{toc}")
    for name, form in zip(names, FORMS, strict=True):
        (book.root / f"{name}.md").write_text(f"{HEAD_OF_CELLS}# Title\n\n{form}\n", encoding="utf-8")
    (book.root / "book/part/one.md").unlink()
    book, differing = Book(book.root), []
    for name, form in zip(names, FORMS, strict=True):
        chapter = Chapter(book, name)
        assert not faults.found(chapter, faults.SOURCE), form
        cells = [cell.cell.source for cell in chapter.prose]
        messages = {block.message: translated(block.message) for cell in cells for block in translate.blocks(cell)}
        file = polib.POFile()
        file.metadata = {"Content-Type": po.CONTENT_TYPE}
        file.extend(polib.POEntry(msgid=message, msgstr=text) for message, text in messages.items())
        path = book.catalogue(name, "ko")
        path.parent.mkdir(parents=True, exist_ok=True)
        file.save(str(path))
        notebook = translate.notebook(chapter.notebook, messages, "en")
        if [html(cell.source) for cell in notebook.cells] != [html(translated(cell)) for cell in cells]:
            differing.append(("in the notebook", form))
    for language in book.languages:
        places = {"output": book.built(language), "doctrees": book.built("doctrees", language)}
        process = sphinx.fork(
            book, "pseudoxml", language, cache=book.built("x"), strict=False, nb_execution_mode="off", **places
        )
        process.join()
        assert process.exitcode == 0
    for name, form in zip(names, FORMS, strict=True):
        english, other = (shape(book.built(code, f"{name}.pseudoxml").read_text()) for code in book.languages)
        if translated(english) != other:
            differing.append(("on the site", form))
    assert differing == []
