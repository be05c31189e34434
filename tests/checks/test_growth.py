"""The study of growth: its books are distinct, translated and built by the machinery of this one."""

import itertools

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


def test_a_command_that_fails_is_named_with_its_output(book):
    with pytest.raises(BookError, match=r"false failed"):
        growth.run(book, ["false"])


@pytest.mark.parametrize("processor, kept", [("this", {1, 2}), ("another", {2})])
def test_other_sizes_are_kept_if_they_are_from_the_same_machine(book, monkeypatch, processor, kept):
    costs = [Cost(1, 1, stored.COLD, 1.0, 1.0, 1.0), Cost(2, 1, stored.COLD, 9.0, 9.0, 9.0)]
    stored.store(book, costs, {"processor": processor, "date": "2026-01-01"})
    monkeypatch.setattr(growth, "environment", lambda _packages: {"processor": "this", "date": "2026-01-02"})
    monkeypatch.setattr(growth, "write", lambda book, _folder, chapters, languages: book)
    monkeypatch.setattr(growth, "configure", lambda _folder, count: book)
    monkeypatch.setattr(growth, "costs", lambda _tree: [Cost(2, 1, stored.COLD, 2.0, 2.0, 2.0)])
    monkeypatch.setattr(growth, "draw", lambda _book, _costs: None)
    growth.report(book, [2], [1])
    found, _environment = stored.load(book)
    assert {cost.chapters for cost in found} == kept
    assert found[-1].seconds == 2


@pytest.mark.slow
def test_a_small_study_is_stored_drawn_and_printed(book, capsys):
    for name in ("ci", "requirements.txt", ".gitignore", ".venv"):
        (book.root / name).symlink_to(here().root / name)
    (book.root / "book" / "_static").mkdir()
    growth.report(book, (1, 2), (1, 2))
    costs, _environment = stored.load(book)
    assert {(cost.chapters, cost.languages, cost.step) for cost in costs} == {
        *itertools.product((1, 2), (1, 2), stored.STEPS)
    }
    assert (book.root / stored.FIGURE).exists()
    assert len(capsys.readouterr().out.splitlines()) == len(costs)
