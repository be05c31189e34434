"""The study of growth: its books are distinct, translated and built by the machinery of this one."""

import itertools
from types import SimpleNamespace

import pytest

from ci.book import BookError, here
from ci.checks import growth
from ci.execution import growth as stored
from ci.execution.growth import Cost


def test_no_cell_and_no_sentence_of_a_chapter_is_in_another():
    first, second = (set(growth.chapter(number).split("\n\n")[2:]) for number in (1, 2))
    assert len(first) > 20
    assert not first & second


def test_fewer_languages_leave_no_file_of_the_others(tmp_path):
    for code in ("en", "de", "fr"):
        (tmp_path / "locale" / code).mkdir(parents=True)
    tree = growth.configure(tmp_path, 2)
    assert list(tree.languages) == ["en", "de"]
    assert sorted(path.name for path in (tmp_path / "locale").iterdir()) == ["de", "en"]


@pytest.mark.parametrize("processor, kept", [("this", {1, 2}), ("another", {2})])
def test_a_study_in_parts_keeps_what_is_complete_and_from_the_same_machine(book, monkeypatch, processor, kept):
    def costs(tree):
        if tree.measured == 3:
            raise BookError("stopped")
        yield Cost(tree.measured, 1, stored.COLD, 2.0, 2.0, 2.0)

    drawn = []
    old = [Cost(1, 1, stored.COLD, 1.0, 1.0, 1.0), Cost(2, 1, stored.COLD, 9.0, 9.0, 9.0)]
    stored.store(book, old, {"processor": processor, "date": "2026-01-01"})
    monkeypatch.setattr(growth, "environment", lambda _packages: {"processor": "this", "date": "2026-01-02"})
    monkeypatch.setattr(growth, "write", lambda _book, folder, chapters, _languages: SimpleNamespace(root=chapters))
    monkeypatch.setattr(growth, "configure", lambda root, _count: SimpleNamespace(measured=root))
    monkeypatch.setattr(growth, "costs", costs)
    monkeypatch.setattr(growth, "draw", lambda _book, found: drawn.append(len(found)))
    with pytest.raises(BookError, match="stopped"):
        growth.report(book, [2, 3], [1])
    found, environment = stored.load(book)
    assert {cost.chapters for cost in found} == kept and drawn == [len(kept)]
    assert found[-1].seconds == 2 and environment["date"] == "2026-01-02"


@pytest.mark.slow
def test_a_small_study_is_stored_drawn_and_printed(book, capsys):
    (book.root / "requirements.txt").unlink()
    for name in ("ci", "requirements.txt", ".gitignore", ".venv"):
        (book.root / name).symlink_to(here().root / name)
    (book.root / "book" / "_static").mkdir()
    growth.report(book, (1, 2), (1, 2))
    costs, _environment = stored.load(book)
    assert {(cost.chapters, cost.languages, cost.step) for cost in costs} == {
        *itertools.product((1, 2), (1, 2), stored.STEPS)
    }
    assert (book.root / stored.FIGURE).exists()
    assert f"2 2 {stored.COLD} " in capsys.readouterr().out
