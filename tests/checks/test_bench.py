import subprocess
import sys

import pytest
import yaml

from ci.book import BookError, here
from ci.checks import bench
from ci.execution import run, timings
from ci.execution.cache import code_digest, read
from ci.execution.timings import Step


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


def test_a_small_book_is_refused(book):
    with pytest.raises(BookError, match="the edits need 3 chapters"):
        bench.report(book, 1)


def test_what_was_measured_is_stored_and_printed(book, monkeypatch, capsys):
    monkeypatch.setattr(bench, "EDITED", 1)
    monkeypatch.setattr(bench, "one_round", lambda book: {timings.USUAL: Step(9.0), timings.OURS: Step(3.0, 1, 2)})
    monkeypatch.setattr(bench, "all_checks", lambda book: Step(600.0))
    (book.root / "locale" / "ko").mkdir(parents=True)
    bench.report(book, 2)
    measured = timings.load(book)
    assert [list(steps) for steps in measured["rounds"]] == [["usual", "ours"], ["usual", "ours", "checks"]]
    assert "3.00" in capsys.readouterr().out
