import os
import subprocess
import sys
from statistics import median

import pytest
import yaml

from ci.book import BookError, here
from ci.checks import bench
from ci.execution import run, timings
from ci.execution.cache import code_digest, read
from ci.execution.timings import Round, Step


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A clone of the book itself."""
    return bench.clone(here(), tmp_path_factory.mktemp("bench") / "tree")


def test_each_edit_changes_one_file(tree):
    first, second, third = tree.chapters[:3]
    before = {name: code_digest(read(tree, name)) for name in (first, third)}
    for edit in bench.EDITS.values():
        edit(tree)
    done = subprocess.run(["git", "diff", "--name-only"], cwd=tree.root, capture_output=True, text=True, check=True)
    catalogue = tree.relative(tree.catalogue(second, tree.translations[0]))
    assert set(done.stdout.splitlines()) == {f"{first}.md", catalogue, f"{third}.md"}
    assert code_digest(read(tree, first)) == before[first]
    assert code_digest(read(tree, third)) != before[third]


def test_the_usual_project_has_the_notebooks_of_all_chapters(tree, tmp_path):
    language = tree.source_language
    bench.usual_project(tree, language, tmp_path)
    toc = yaml.safe_load((tmp_path / "_toc.yml").read_text(encoding="utf-8"))
    notebooks = [(tmp_path / f"{chapter['file']}.ipynb").read_bytes() for chapter in toc["chapters"]]
    assert notebooks == [tree.notebook(name, language).read_bytes() for name in tree.chapters]


def test_the_output_of_the_commands_says_how_many_cells_were_executed():
    output = f"...\n12 passed in 3 s\n{run.SUMMARY.format(count=3)}\n...\n{run.SUMMARY.format(count=0)}\n"
    assert bench.cells(bench.EXECUTED, output) == 3
    assert bench.cells(bench.VALIDATED, output) == 12


def test_a_command_that_fails_is_named_with_its_output(tmp_path):
    command = [sys.executable, "-c", "raise SystemExit('no such thing')"]
    with pytest.raises(BookError, match=r"raise SystemExit(?s:.*)failed: no such thing"):
        bench.run(command, tmp_path, {})


def test_the_core_seconds_are_those_of_child_processes_and_not_of_waiting(tmp_path):
    child = "import time; end = time.process_time() + 0.5\nwhile time.process_time() < end: pass"
    parent = (
        "import subprocess, sys, time; subprocess.run([sys.executable, '-c', sys.argv[1]]); time.sleep(1); print(7)"
    )
    run = bench.run([sys.executable, "-c", parent, child], tmp_path, {})
    assert run.output == "7\n"
    assert 0.5 < run.busy < run.seconds
    assert 1 < run.megabytes < 1000


def test_a_command_is_stopped_with_the_benchmark(tmp_path, monkeypatch):
    started = []

    def interrupted(pid, _options):
        started.append(pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(bench.os, "wait4", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bench.run(["sleep", "1000"], tmp_path, {})
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


def test_a_small_book_is_refused(book):
    with pytest.raises(BookError, match="the edits need 3 chapters"):
        bench.report(book, 1)


def test_the_usual_way_is_run_once_and_multiplied_by_the_number_of_languages(tree, tmp_path, monkeypatch):
    runs, count = iter([bench.Run("", 10.0, 12.0, 1.0), bench.Run("7 passed", 5.0, 6.0, 1.0)]), len(tree.languages)
    monkeypatch.setattr(bench, "run", lambda *_arguments: next(runs))
    assert bench.usual_way(tree, tmp_path) == Step(count * 15.0, count * 14, 0, count * 18.0)


@pytest.mark.parametrize("processor, kept", [("this", [2, 3, 4]), ("another", [4])])
def test_the_last_rounds_from_the_same_machine_are_kept(book, monkeypatch, capsys, processor, kept):
    def one_round(book):
        number.append(len(number) + 1)
        machine = {"processor": "this", "cores": 2, "date": str(number[-1])}
        return Round("abc", machine, {timings.OURS: Step(float(number[-1]))})

    number = []
    monkeypatch.setattr(bench, "EDITED", 1)
    monkeypatch.setattr(bench, "one_round", one_round)
    (book.root / "locale" / "ko").mkdir(parents=True)
    bench.report(book, 3)
    other = [one._replace(environment=one.environment | {"processor": processor}) for one in timings.load(book)]
    timings.store(book, other)
    bench.report(book, 1)
    assert [one.steps[timings.OURS].seconds for one in timings.load(book)] == kept
    assert f"{float(median(kept))}" in capsys.readouterr().out
