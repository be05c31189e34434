import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ci.book import Book, BookError, here
from ci.checks import bench, edits, ways
from ci.checks.measured import Meter
from ci.execution import run, timings
from ci.execution.cache import code_digest, read
from ci.execution.timings import Step

CHAPTER = "book/part/one"
TAKE = "import time; block = bytearray(200_000_000); time.sleep(1.5); print(len(block))"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The book itself, as a bench clones it."""
    folder = tmp_path_factory.mktemp("bench") / "tree"
    return ways.clone(here(), folder)


def changed(tree):
    """The files that differ from the commit, and their number of changed lines; afterwards they do not."""

    def git(*words):
        return subprocess.run(["git", *words], cwd=tree.root, capture_output=True, text=True, check=True).stdout

    git("add", "--intent-to-add", ".")
    found = [line.split("\t")[2] for line in git("diff", "--numstat").splitlines()]
    git("reset", "-q", "--hard")
    git("clean", "-fdq", "book")
    return found


def test_each_edit_is_of_one_file_and_does_what_it_says(tree):
    first, second, third, fourth = tree.chapters[:4]
    before = {name: code_digest(read(tree, name)) for name in tree.chapters}
    edits.prose(tree)
    assert code_digest(read(tree, first)) == before[first]
    assert changed(tree) == [f"{first}.md"]
    edits.catalogue(tree)
    assert changed(tree) == [tree.relative(tree.catalogue(second, tree.translations[0]))]
    edits.code(tree)
    assert code_digest(read(tree, third)) != before[third]
    assert changed(tree) == [f"{third}.md"]
    more = edits.chapter(tree)
    (new,) = set(more.chapters) - set(tree.chapters)
    assert code_digest(read(more, new)) not in before.values()
    assert changed(tree) == ["_toc.yml", f"{new}.md"]
    one = edits.source_language_alone(tree)
    assert list(one.languages) == [tree.source_language] and one.chapters == tree.chapters
    assert "_config.yml" in changed(tree)


def test_the_usual_project_has_all_chapters_and_nothing_of_ours(tree, tmp_path):
    for code in tree.languages:
        ways.usual_project(tree, code, tmp_path / code)
        toc = yaml.safe_load((tmp_path / code / "_toc.yml").read_text(encoding="utf-8"))
        files = [tmp_path / code / f"{chapter['file']}.ipynb" for chapter in toc["chapters"]]
        assert [file.read_bytes() for file in files] == [
            tree.notebook(name, code).read_bytes() for name in tree.chapters
        ]
        config = yaml.safe_load((tmp_path / code / "_config.yml").read_text(encoding="utf-8"))
        assert config["execute"]["execute_notebooks"] == "force"


def test_the_floor_is_shared_by_the_cores_but_cuts_no_notebook_in_two():
    assert ways.floor_seconds({"a": 10, "b": 20, "c": 30}, 2) == 30
    assert ways.floor_seconds({"a": 10, "b": 20, "c": 31}, 1) == 61
    assert ways.floor_seconds({"a": 1, "b": 1, "c": 31}, 2) == 31


def test_cells_are_counted_by_what_the_build_says():
    said = f"...\n{run.SUMMARY.format(count=12)}\n...\n{run.SUMMARY.format(count=0)}\n"
    assert ways.executed_cells(said) == 12
    with pytest.raises(AssertionError):
        ways.executed_cells("something else")


def test_a_small_book_is_refused_before_anything_is_measured(book):
    with pytest.raises(BookError, match="too little to measure"):
        bench.report(book, 1)


def test_what_was_measured_is_stored_drawn_and_printed_beside_the_last_one(book, monkeypatch, capsys):
    step = {name: Step(number + 1.0, 1, 2, 10**9) for number, name in enumerate(timings.STEPS)}
    monkeypatch.setattr(bench, "refuse_small", lambda book: None)
    monkeypatch.setattr(bench, "prepare_data", lambda: None)
    monkeypatch.setattr(bench, "one_round", lambda book, number, commit: dict(step))
    monkeypatch.setattr(bench, "all_checks", lambda book, commit: (Step(600.0), {"en": 10**6}))
    timings.path(book).write_text("broken", encoding="utf-8")
    book.built().mkdir()
    for rounds in (1, 3):
        bench.report(book, rounds)
    found = timings.load(book)
    assert len(found["rounds"]) == 3
    assert found["rounds"][-1]["checks"].seconds == 600
    said = capsys.readouterr().out
    assert "before (" in said and "this book 1.0 GB; the site: en 1.0 MB" in said
    assert book.built("bench.png").stat().st_size > 1000


def test_what_was_broken_off_goes_on_with_the_commit_it_began_with(book, monkeypatch, capsys):
    measured, failing = [], {2}

    def one_round(book, number, commit):
        measured.append((number, commit))
        if number in failing:
            raise BookError("a cell failed")
        return {name: Step(1.0, 1, 1, 1) for name in timings.STEPS}

    monkeypatch.setattr(bench, "refuse_small", lambda book: None)
    monkeypatch.setattr(bench, "prepare_data", lambda: None)
    monkeypatch.setattr(bench, "one_round", one_round)
    monkeypatch.setattr(bench, "all_checks", lambda book, commit: (Step(600.0), {"en": 10**6}))
    monkeypatch.setattr(bench.git, "git", lambda *_: "abc\n")
    book.built().mkdir()
    with pytest.raises(BookError, match="a cell failed"):
        bench.report(book, 3)
    monkeypatch.setattr(bench.git, "git", lambda *_: "def\n")
    failing.clear()
    bench.report(book, 3)
    assert measured == [(1, "abc"), (2, "abc"), (2, "abc"), (3, "abc")]
    assert "goes on with commit abc after 1 rounds; to begin again, delete book/bench.json" in capsys.readouterr().out
    bench.report(book, 1)
    assert measured[4:] == [(1, "def")]


def test_what_is_no_commit_of_a_repository_is_said(tmp_path):
    with pytest.raises(BookError, match="could not clone"):
        ways.clone(Book(tmp_path / "nothing"), tmp_path / "tree")


def test_seconds_and_memory_are_of_the_command_and_what_it_starts(tmp_path):
    lines = []
    meter = Meter(None, tmp_path / "log", lines.append)
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {TAKE!r}], check=True)"
    assert meter.run([sys.executable, "-c", child], tmp_path) == "200000000\n"
    assert meter.seconds > 1.5
    assert meter.memory > 200_000_000
    assert len(lines) == 1


def test_processor_seconds_are_those_at_work_and_not_those_asleep(tmp_path):
    meters = [Meter(None, tmp_path / "log", print) for _ in range(2)]
    wait = "import time; time.sleep(1)"
    work = "import time\nwhile time.process_time() < 1: pass"
    for meter, code in zip(meters, (wait, work), strict=True):
        child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}], check=True)"
        meter.run([sys.executable, "-c", child], tmp_path)
    asleep, at_work = (meter.processor for meter in meters)
    assert at_work - asleep > 0.5


def test_a_command_that_fails_is_named_with_what_it_said(tmp_path):
    meter = Meter(None, tmp_path / "log", print)
    with pytest.raises(BookError) as error:
        meter.run([sys.executable, "-c", "raise SystemExit('no such thing')"], Path(tmp_path))
    assert "no such thing" in error.value.say(str)
