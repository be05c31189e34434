"""Edits, git and refreshes in any order: no edit is lost, and where one file was edited, it counts."""

import random
import re
import shutil

import nbformat
import pytest

from ci.book import BookError
from ci.execution import saved
from ci.notebooks import chapter_text
from ci.notebooks.pairing import pairs

CHAPTER = "book/part/one"
MARKER = re.compile(r"mark-\d+-")
SECTIONS = 5
SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))]
STEPS = 40
CONFLICT = re.compile(r"<<<<<<< .*?\n(.*?)=======\n(.*?)>>>>>>> .*?\n", re.DOTALL)
BRANCHES = ["main", "one", "two"]


def markers(text):
    return set(MARKER.findall(text))


class Author:
    """Does at random what authors do; each edit adds a marker, so that a lost one is noticed."""

    def __init__(self, book, git, refresh, capsys, seed):
        self.book, self.git, self.refresh, self.capsys = book, git, refresh, capsys
        self.random = random.Random(seed)
        self.paths = pairs(book)[CHAPTER]._asdict()
        self.done, self.count, self.last = [], 0, None
        self.edited = set()  # since the last refresh: sides, or "git"
        text = self.texts()["chapter"]
        text += "".join(f"\n## {n}\n\nLine {n}.\n\n```{{code-cell}}\n# Code {n}.\n{n}\n```\n" for n in range(SECTIONS))
        self.paths["chapter"].write_text(text, encoding="utf-8")
        refresh()
        assert git("add", "-A") and git("commit", "-qm", "start")

    def texts(self):
        return {side: path.read_text(encoding="utf-8") if path.exists() else "" for side, path in self.paths.items()}

    def contents(self):
        """What the two say."""
        texts = self.texts()
        return {
            "chapter": chapter_text.content(chapter_text.read(texts["chapter"])),
            "notebook": None if self.in_conflict() else chapter_text.content(saved.parse(texts["notebook"].encode())),
        }

    def in_conflict(self):
        """Whether git could not merge two versions of the notebook."""
        return "<<<<<<< " in self.texts()["notebook"]

    # What an author does to files.

    def edit(self):
        """Adds a marker to a sentence or a piece of code."""
        side = self.last[0] if self.last and self.random.random() < 0.7 else self.random.choice([*self.paths])
        line = f"{self.random.choice(['Line', '# Code'])} {self.random.randrange(SECTIONS)}."
        self.count += 1
        self.last = side, line, f"mark-{self.count}-"
        self.write(*self.last)

    def again(self):
        """Makes the last edit again where it is gone, perhaps in the other file."""
        if self.last:
            side = self.random.choice([self.last[0], *self.paths])
            if self.last[2] not in self.texts()[side]:
                self.write(side, *self.last[1:])

    def write(self, side, line, marker):
        text = self.texts()[side]
        if line in text and "<<<<<<< " not in text:
            self.paths[side].write_text(text.replace(line, f"{line} {marker}"), encoding="utf-8")
            self.edited.add(side)

    def save_in_jupyter(self):
        """Saves the notebook with what Jupyter adds, without an edit."""
        if not self.in_conflict():
            notebook = saved.parse(self.texts()["notebook"].encode())
            notebook.cells[-1].metadata["scrolled"] = self.random.choice([True, False])
            notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
            nbformat.write(notebook, self.paths["notebook"])

    def forget(self):
        """Removes what was built, as in a fresh clone."""
        shutil.rmtree(self.book.built(), ignore_errors=True)
        self.edited.add("git")

    # What an author does with git.

    def by_git(self, *arguments):
        self.edited.add("git")
        return self.git(*arguments)

    def checkout(self):
        self.by_git("checkout", "--", *self.random.choice([["book", "notebooks"], ["book"], ["notebooks"]]))

    def redo(self):
        """Lets git put both back, and makes the last edit again."""
        self.by_git("checkout", "--", "book", "notebooks")
        self.again()

    def commit(self):
        self.git("add", *self.random.choice([["-A"]] * 8 + [["book"], ["notebooks"]]))
        self.by_git("commit", "-qm", "more")

    def stash(self):
        self.by_git("stash")

    def pop(self):
        if not self.by_git("stash", "pop") and not self.git("diff", "--quiet", "--diff-filter=U"):
            self.solve()
            self.git("reset", "-q")
            self.git("stash", "drop")

    def switch(self):
        name = self.random.choice(BRANCHES)
        self.by_git("switch", "-q", name) or self.by_git("switch", "-qc", name)

    def merge(self):
        if not self.by_git("merge", "-q", self.random.choice(BRANCHES)) and self.git(
            "rev-parse", "-q", "--verify", "MERGE_HEAD"
        ):
            self.solve()
            self.git("commit", "-qm", "merged")

    def solve(self):
        """Ends a conflict: in the chapter by hand, in notebooks by one side or not at all."""
        chapter = CONFLICT.sub(self.random.choice([r"\1", r"\2", r"\1\2"]), self.texts()["chapter"])
        self.paths["chapter"].write_text(chapter, encoding="utf-8")
        if self.random.random() < 0.5:
            self.git("checkout", self.random.choice(["--ours", "--theirs"]), "--", "notebooks")
        self.git("add", "-A")

    def rebase(self):
        if not self.by_git("rebase", "-q", self.random.choice(BRANCHES)):
            self.by_git("rebase", "--abort")

    # What a refresh must do.

    def check(self, *take):
        """Refreshes, and looks for edits that are gone."""
        texts, before = self.texts(), self.contents()
        self.capsys.readouterr()
        only = next(iter(self.edited)) if len(self.edited) == 1 and not take else "git"
        try:
            self.refresh(*take)
        except BookError:
            assert self.texts() == texts, self.done
            assert only == "git" and not take, self.done
            sides = ["chapter"] if self.in_conflict() else [*self.paths]
            self.check(self.book.relative(self.paths[self.random.choice(sides)]))
            return
        after, said = self.contents(), self.capsys.readouterr().out
        assert after["chapter"] == after["notebook"], self.done
        assert only == "git" or after[only] == before[only], self.done
        gone = markers("".join(texts.values())) - markers("".join(self.texts().values()))
        assert gone <= self.kept(said), (gone, said, self.done)
        self.edited = set()

    def kept(self, said):
        """The markers in files that were named: copies, or the last commit."""
        copies = [(self.book.root / copy).read_text("utf-8") for copy in re.findall(r"_build/replaced/\S+", said)]
        if "as it was: in the last commit" in said:
            copies += [self.book.committed(path) or "" for path in self.paths.values()]
        return markers("".join(copies))

    def live(self, steps):
        habits = [self.edit] * 5 + [self.again] * 4 + [self.check] * 7 + [self.checkout] * 3 + [self.commit] * 2
        habits += [self.redo] * 3 + [self.stash, self.pop, self.pop, self.switch, self.switch, self.merge, self.rebase]
        habits += [self.save_in_jupyter, self.save_in_jupyter, self.forget]
        for _ in range(steps):
            habit = self.random.choice(habits)
            self.done.append(habit.__name__)
            habit()
        self.check()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_edit_is_lost_whatever_git_does_in_between(book, git, refresh, capsys, seed):
    Author(book, git, refresh, capsys, seed).live(STEPS)
