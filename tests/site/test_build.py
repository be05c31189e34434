"""What a build says when a chapter could not be executed."""

import pytest

from ci.book import BookError
from ci.site import build


@pytest.mark.parametrize(
    "errors", [[], [BookError("one, code cell 1: it raises")]], ids=["all executed", "one failed"]
)
def test_a_build_that_kept_going_fails_if_a_chapter_has_failed(book, monkeypatch, capsys, errors):
    monkeypatch.setattr(build.leftovers, "refuse_missing", lambda book: None)
    monkeypatch.setattr(build.run, "execute", lambda book, keep_going: (book.built("cache"), errors))
    monkeypatch.setattr(build.publish, "render", lambda book, cache: None)
    monkeypatch.setattr(build.publish, "publish", lambda book: None)
    assert build.build(book, keep_going=True) == len(errors)
    assert ("one, code cell 1: it raises" in capsys.readouterr().out) == bool(errors)
