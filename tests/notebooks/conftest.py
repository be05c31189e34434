"""A refresh of the small book whose outputs are made up."""

import nbformat
import pytest

from ci.book import files
from ci.execution.cache import code_cells
from ci.notebooks import chapter_text, make, pairing


@pytest.fixture
def refresh(book):
    """Does what `./ci/book.sh refresh` does, but makes the outputs up; takes the files that are to count."""

    def made_up(name):
        chapter = chapter_text.read(book.source(name).read_text(encoding="utf-8"))
        for cell in code_cells(chapter):
            cell.outputs = [nbformat.v4.new_output("stream", text=f"{len(cell.source)} characters, 0.5 s\n")]
        return chapter

    def refresh(*take):
        pairing.bring_together(book, take)
        for name in book.chapters:
            notebook = make.build(book, name, made_up(name))
            files.write(book.notebook(name, "en"), make.text_of(notebook))
            for path, text in make.translated_notebooks(book, name, notebook):
                files.write(path, text)

    return refresh
