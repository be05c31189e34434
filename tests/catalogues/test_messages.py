import os
import time

import polib
import pytest

from ci.book import BookError
from ci.catalogues import messages


def test_what_is_marked_in_the_code_is_extracted(book):
    (book.root / "ci").mkdir()
    (book.root / "ci" / "one.py").write_text('from ci import _\n\nX = _("one {y}")\nZ = "not marked"\n')
    messages.extract_sentences(book)
    template = polib.pofile(str(book.root / "_build" / "gettext" / "ci.pot"))
    assert [entry.msgid for entry in template] == ["one {y}"]


@pytest.fixture
def rendered(book, monkeypatch):
    """Stand in for Sphinx and the stored outputs; return the renderings, and the errors that the next ones raise."""
    for path in (book.notebook("book/part/one", "en"), book.root / "ci" / "a.py"):
        path.parent.mkdir(parents=True)
        path.touch()
    for path in book.root.rglob("*.*"):
        os.utime(path, (1, 1))  # older than what is made now, also where clocks are coarse
    renderings, errors = [], []

    def render_all(book, builder, places, **settings):
        renderings.append((builder, *places))
        for error in errors:
            raise error

    monkeypatch.setattr(messages.stored, "fill", lambda book: book.built("stored"))
    monkeypatch.setattr(messages.sphinx, "render_all", render_all)
    return renderings, errors


def change(path):
    """Set the time of the last change of a file to a moment after everything else."""
    later = time.time_ns() + 10**9
    os.utime(path, ns=(later, later))


@pytest.mark.parametrize("changed", ["book/part/one.md", "notebooks/en/part/one.ipynb", "_config.yml"])
def test_messages_are_extracted_once_and_again_when_something_has_changed(book, rendered, changed):
    messages.extract(book)
    (messages.folder(book) / "ci.pot").unlink()
    messages.extract(book)
    assert rendered[0] == [("gettext", "en")]
    assert (messages.folder(book) / "ci.pot").exists()  # sentences are extracted each time
    change(book.root / changed)
    messages.extract(book)
    assert len(rendered[0]) == 2


def test_an_extraction_that_failed_is_repeated(book, rendered):
    renderings, errors = rendered
    messages.extract(book)
    change(book.source("book/index"))
    errors.append(BookError("no"))
    for _time in range(2):
        with pytest.raises(BookError):
            messages.extract(book)
    assert len(renderings) == 3
