"""The command line: what ./ci/book.sh decides before there is an environment, and how its verbs get their words."""

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from ci import __main__ as door
from ci.book import commands, files, here
from ci.book import lock as tree_lock
from ci.catalogues import check, messages
from ci.catalogues.sentences import Sentences
from ci.catalogues.structure import Fault
from ci.site.export import post as posts
from tests.checks import left

ROOT = here().root


@pytest.fixture
def tree(tmp_path):
    """The script in a tree of its own, whose machinery only says where it stands and what it was given."""
    tree = tmp_path / "a tree 책"
    (tree / "ci" / "book").mkdir(parents=True)
    for name in ("book.sh", "book/install.py", "book/lock.py"):
        (tree / "ci" / name).write_text((ROOT / "ci" / name).read_text())
    (tree / "ci" / "__init__.py").touch()
    (tree / "ci" / "__main__.py").write_text(
        "import os, sys\nprint(os.getcwd())\nprint(os.environ['FLAXBOOK_FROM'])\nprint(sys.argv[1:])\n"
    )
    (tree / "requirements.txt").write_text("")
    (tree / ".venv" / "bin").mkdir(parents=True)
    (tree / ".venv" / "bin" / "python").symlink_to(sys.executable)
    program(tree / ".venv" / "bin" / "uv", "echo Would make no changes >&2")
    return tree


@pytest.fixture
def script(tree, clean_environment):
    """Runs the script of that tree; returns the finished process."""

    def script(*words, path=tree / "ci" / "book.sh", cwd=None, **environment):
        return subprocess.run(
            ["/bin/bash", path, *words],
            cwd=cwd,
            env=clean_environment | environment,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return script


def program(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_words_and_the_folder_of_the_user_reach_the_verb_in_the_tree_behind_a_link(tree, script, tmp_path):
    home, link = tmp_path / "home", tree.with_name("link")
    home.mkdir()
    link.symlink_to(tree)
    words = ["export", "post", "ko", "one", "a b", "*", "", "--x='y'"]
    done = script(*words, path=link / "ci" / "book.sh", cwd=home)
    assert done.stdout.splitlines() == [str(tree), str(home), str(words)], done.stderr


def test_a_python_that_is_too_old_is_named_with_what_is_needed(tmp_path, tree, script):
    shutil.rmtree(tree / ".venv")
    program(tmp_path / "bin" / "python3", '[ "$1" = --version ] && echo "Python 3.9.1"\nexit 1')
    for name in ("dirname", "cat"):
        (tmp_path / "bin" / name).symlink_to(f"/usr/bin/{name}")
    done = script(PATH=str(tmp_path / "bin"))
    assert done.returncode == 1
    assert "error: the book needs Python 3.11, 3.12 or 3.13; found Python 3.9.1" in done.stderr


@pytest.fixture
def command(book, monkeypatch, capsys):
    """Runs a command on the small book, in this process and in English; returns (exit status, stdout, stderr)."""
    monkeypatch.setattr(door, "here", lambda: book)
    monkeypatch.setenv("FLAXBOOK_LANG", "en")
    monkeypatch.delenv(tree_lock.HELD, raising=False)

    def command(*words):
        capsys.readouterr()
        return door.main(list(words)), *capsys.readouterr()

    handlers = {ending: signal.getsignal(ending) for ending in (signal.SIGTERM, signal.SIGHUP)}
    yield command
    for ending, handler in handlers.items():  # those of the door would reach the tests that come after it
        signal.signal(ending, handler)


def test_what_is_exported_goes_into_the_folder_of_the_user_and_one_line_says_so(book, command, tmp_path, monkeypatch):
    exported = []
    monkeypatch.setenv("FLAXBOOK_FROM", str(tmp_path))
    monkeypatch.setattr(posts, "export", lambda *post: exported.append(post[1:3]) or post[3] / "one.html")
    for words, folder in ((["my blog"], tmp_path / "my blog"), ([], book.built("export"))):
        assert command("export", "post", "ko", "one", *words) == (0, f"written: {folder}/one.html\n", "")
    assert exported == [("book/part/one", "ko")] * 2


VERBS = {
    **{name: verb for name, verb in door.cli.commands.items() if name != "export"},
    **{f"export {name}": verb for name, verb in door.export.commands.items()},
}


@pytest.fixture
def noted(monkeypatch):
    """Puts verbs that only note what they are given in place of all; returns the list of their notes."""
    notes = []

    def note(name):
        monkeypatch.setattr(VERBS[name], "callback", lambda book, **words: notes.append((name, words)))

    for name in VERBS:
        note(name)
    return notes


@pytest.mark.parametrize(
    "words, said",
    [
        ("buld", "unknown word 'buld' (did you mean build?); choose from build, serve"),
        ("pdf", "unknown word 'pdf' (did you mean export pdf?); choose from build, serve"),
        ("export ebup", "unknown word 'ebup' (did you mean epub?); choose from post, epub, pdf"),
        ("export", "Missing command. (./ci/book.sh export --help)"),
        ("check --format pdf", "Invalid value for '--format': 'pdf' is not one of 'text', 'github'. (./ci/book.sh"),
        ("check --format", "Option '--format' requires an argument."),
        ("check --formt text", "unknown word '--formt' (did you mean --format?); choose from --format, --advise"),
        ("build quickly", "Got unexpected extra argument (quickly) (./ci/book.sh build --help)"),
        ("serve eight", "Invalid value for '[PORT]': 'eight' is not a valid integer"),
        ("preview ko --port 70000", "Invalid value for '--port': 70000 is not in the range"),
        ("preview en", "'en' is no language of the book: it has ko"),
        ("update k", "'k' is no language of the book (did you mean ko?): it has ko"),
        ("export epub fr", "'fr' is no language of the book: it has en, ko"),
        ("export post en two", "'two' is no page of the book: it has book/index, book/part/one"),
        ("export post en index", "book/index is no chapter with code; those are book/part/one"),
        ("prove oen", "'oen' is no page of the book (did you mean one?): it has book/index, book/part/one"),
        ("new ko", "the book is already in 한국어 (ko)"),
    ],
)
def test_a_word_that_is_not_known_is_said_in_one_line_with_the_nearest_that_is(command, words, said):
    status, out, err = command(*words.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: {said}")


@pytest.mark.parametrize("words", [[], ["--keep-going"]])
def test_without_a_verb_the_book_is_built(command, noted, words):
    assert command(*words)[0] == 0
    assert noted == [("build", {"keep_going": bool(words)})]


def test_the_help_names_every_verb_with_its_sentence(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    for name, verb in VERBS.items():
        group, _, word = name.rpartition(" ")
        status, out, _ = command(*group.split(), "--help")
        assert status == 0 and re.search(rf"^  {word} +{re.escape(verb.help.rstrip('.'))}", out, re.MULTILINE)
        status, out, _ = command(*name.split(), "-h")
        assert status == 0 and verb.help in out


@pytest.mark.parametrize(
    "words, arrives",
    [
        (["serve"], {"port": 8000}),
        (["refresh", "--check"], {"check": True, "take": ()}),
        (["check", "a.po", "--format", "github", "--advise"], {"files": ("a.po",), "form": "github", "advise": True}),
        (["preview", "ko", "--port", "9"], {"language": "ko", "chapter": None, "port": 9}),
        (["export", "pdf", "ko", "en"], {"languages": ("ko", "en")}),
    ],
)
def test_each_verb_gets_its_words(command, noted, words, arrives):
    assert command(*words)[::2] == (0, "")
    (name, arrived), *others = noted
    assert (words[: len(name.split())], arrived, others) == (name.split(), arrives, [])


@pytest.mark.parametrize(
    "known, said",
    [
        ({}, "no space left on the disk: free some and run again; nothing is lost"),
        ({commands.FULL: "디스크를 비우세요"}, "디스크를 비우세요"),
    ],
)
def test_a_full_disk_is_said_in_the_language_of_the_user(command, monkeypatch, known, said):
    def work(book):
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr(door, "users_sentences", lambda: Sentences(known))
    monkeypatch.setattr(VERBS["status"], "callback", work)
    assert command("status") == (1, "", f"error: {said}\n")


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_tree_in_which_nothing_can_be_written_is_said(command, book, monkeypatch, number):
    def read_only(path, *options):
        raise OSError(number, "no", str(path))

    monkeypatch.setattr(tree_lock.os, "open", read_only)
    said = f"error: {book.built('lock')} cannot be written: change its permissions, or work in a copy of this folder\n"
    assert command("update") == (1, "", said)


def test_a_fault_of_the_book_is_not_one_of_the_command_line(command, edit, book):
    edit(book.root / "_toc.yml", "book/part/one", "book/part/none")
    status, _, err = command("status")
    assert (status, err.count("\n")) == (1, 1)
    assert "there is no book/part/none.md" in err


def test_a_verb_works_under_the_lock_unless_it_only_reads(book, command, monkeypatch):
    held = {}
    for name, verb in VERBS.items():

        def work(book, *, name=name, **words):
            held[name] = os.environ.get(tree_lock.HELD) == str(book.built())

        monkeypatch.setattr(verb, "callback", work)
        assert command(*name.split(), *("x" for parameter in verb.params if parameter.required))[0] == 0
    assert [name for name in VERBS if not held[name]] == ["serve", "status", "preview", "export post"]
    assert tree_lock.HELD not in os.environ


FAULTS = [check.Problem("one.po", 1, "One", Fault("state", "it is not translated"))]


@pytest.mark.parametrize("words, faults, status", [([], FAULTS, 1), (["--advise"], FAULTS, 0), ([], [], 0)])
def test_a_fault_of_a_catalogue_fails_the_check_unless_it_only_advises(command, monkeypatch, words, faults, status):
    monkeypatch.setattr(messages, "extract", lambda book: None)
    monkeypatch.setattr(check, "check", lambda book, messages, files: check.Report(faults))
    found, out, _ = command("check", "--format", "text", *words)
    assert (found, "it is not translated" in out) == (status, bool(faults))


@pytest.fixture
def whole(book):
    """The small book as a tree of its own, with all of the machinery and a helper module that does nothing."""
    shutil.copytree(ROOT / "ci", book.root / "ci", ignore=shutil.ignore_patterns("__pycache__"))
    (book.root / "flaxbook" / "__init__.py").touch()
    (book.root / "flaxbook" / "__main__.py").write_text("def main():\n    pass\n")
    return book


def test_ctrl_c_leaves_no_process_and_no_lock(whole, edit, clean_environment, monkeypatch, capfd):
    monkeypatch.delenv(tree_lock.HELD, raising=False)
    started, mark = whole.root / "started", str(whole.root)
    sleeping = f"open({str(started)!r}, 'w').close(); import time; time.sleep(300)"
    edit(whole.source("book/part/one"), "x = 1 + 1\n", f"{sleeping}\n")
    for language in whole.languages:  # without which nothing is built
        files.write(whole.notebook("book/part/one", language), "{}")
    environment = clean_environment | {"PYTHONPATH": mark, left.MARK: mark, "LC_ALL": "C"}
    build = subprocess.Popen(
        [sys.executable, "-m", "ci"], cwd=whole.root, env=environment, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while not started.exists():
        assert build.poll() is None and time.monotonic() < deadline
    build.send_signal(signal.SIGINT)
    said = build.communicate(timeout=120)[1]
    assert build.returncode == 130
    assert said.splitlines()[-1] == "stopped; nothing is lost, and the next run goes on from here"
    assert "Traceback" not in said
    assert left.marked(mark) == []
    with tree_lock.held(whole.built()):
        assert capfd.readouterr().err == ""
