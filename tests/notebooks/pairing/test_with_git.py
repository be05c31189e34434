"""Edits, git and refreshes in any order: no edit is lost without a word, and the side that was edited counts."""

import random
import re
import shutil

import nbformat
import pytest

from ci.book import BookError
from ci.book import git as git_history
from ci.notebooks.pairing import chapter_text, pair

CHAPTER = "book/part/one"
MARKER = re.compile(r"mark-\d+-")
SECTIONS = 5
SEEDS = range(6)
STEPS = 40
CONFLICT = re.compile(r"<<<<<<< .*?\n(.*?)=======\n(.*?)>>>>>>> .*?\n", re.DOTALL)


def markers(path):
    return set(MARKER.findall(path.read_text(encoding="utf-8"))) if path.exists() else set()


class Author:
    """Does at random what authors do, and knows what must come of it."""

    def __init__(self, book, git, refresh, capsys, seed):
        self.book, self.git, self.refresh, self.capsys = book, git, refresh, capsys
        self.random = random.Random(seed)
        self.pair = pair.Pair(book, CHAPTER)
        self.done, self.made, self.last, self.saved = [], 0, None, False
        self.refused = self.refreshed = self.one_sided = self.kept = 0
        self.seen = set()  # states in which the two agreed when they were refreshed or committed
        self.edits = set()  # the sides edited since the two agreed in such a state
        text = book.source(CHAPTER).read_text(encoding="utf-8")
        text += "".join(f"\n## {n}\n\nLine {n}.\n\n```{{code-cell}}\n# Code {n}.\n{n}\n```\n" for n in range(SECTIONS))
        book.source(CHAPTER).write_text(text, encoding="utf-8")
        refresh()
        assert git("add", "-A") and git("commit", "-qm", "start")
        self.look()

    @property
    def paths(self):
        return list(self.pair.paths.values())

    def states(self):
        """What the two say, None for what cannot be read."""
        texts = [path.read_text(encoding="utf-8") for path in self.paths if path.exists()]
        if len(texts) < 2 or "<<<<<<< " in "".join(texts):
            return None, None
        return tuple(
            chapter_text.digest(pair.as_version(side, text)) for side, text in zip(self.pair.paths, texts, strict=True)
        )

    def agree(self):
        chapter, notebook = self.states()
        return chapter is not None and chapter == notebook

    def look(self):
        """Takes note of a state in which the two agree, as a refresh and a commit do."""
        if self.agree():
            self.seen.add(self.states()[0])

    def rest(self):
        """Where the two agree in a known state, there is no edit to take over."""
        if self.agree() and self.states()[0] in self.seen:
            self.edits, self.saved = set(), False

    # What an author does to files.

    def edit(self):
        """Adds a marker to a sentence or a piece of code."""
        side = (
            self.last[0] if self.last and self.random.random() < 0.7 else self.random.choice(["chapter", "notebook"])
        )
        line = self.random.choice(["Line", "# Code"]) + f" {self.random.randrange(SECTIONS)}."
        self.made += 1
        self.last = side, line, f"mark-{self.made}-"
        self.write(*self.last)

    def again(self):
        """Makes the last edit again where it is gone, perhaps on the other side."""
        if self.last:
            side = self.random.choice([self.last[0], self.last[0], "chapter", "notebook"])
            if self.last[2] not in markers(self.pair.paths[side]):
                self.write(side, *self.last[1:])

    def write(self, side, line, marker):
        path = self.pair.paths[side]
        if not path.exists() or "<<<<<<< " in (text := path.read_text(encoding="utf-8")) or line not in text:
            return
        path.write_text(text.replace(line, f"{line} {marker}"), encoding="utf-8")
        self.edits.add(side)

    def save_in_jupyter(self):
        """Saves the notebook with what Jupyter adds, without an edit."""
        path = self.pair.paths["notebook"]
        notebook = pair.as_notebook(path.read_text(encoding="utf-8")) if path.exists() else None
        if notebook:
            notebook.cells[-1].metadata["scrolled"] = self.random.choice([True, False])
            self.saved = True
            notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
            nbformat.write(notebook, path)

    def forget(self):
        """Removes what is noted here, as in a fresh clone."""
        shutil.rmtree(self.book.built(), ignore_errors=True)
        states = {self.pair.committed(side) for side in self.pair.paths}
        self.seen = states if len(states) == 1 else set()
        self.edits.add("git")

    # What an author does with git.

    def by_git(self, *arguments):
        """Runs git, which may put the two anywhere."""
        before = [path.read_bytes() if path.exists() else None for path in self.paths]
        result = self.git(*arguments)
        if before != [path.read_bytes() if path.exists() else None for path in self.paths]:
            self.edits.add("git")
        return result

    def checkout(self):
        self.by_git("checkout", "--", *self.random.choice([("book", "notebooks")] * 3 + [("book",), ("notebooks",)]))

    def redo(self):
        """Lets git put both back, and makes the last edit again."""
        self.by_git("checkout", "--", "book", "notebooks")
        self.rest()
        if self.last and self.last[2] not in markers(self.pair.paths[self.last[0]]):
            self.write(*self.last)

    def commit(self):
        if self.random.random() < 0.8:
            self.git("add", "-A")
            self.look()
        else:
            self.git("add", self.random.choice(["book", "notebooks"]))
        self.git("commit", "-qm", "more")

    def stash(self):
        self.by_git("stash")

    def pop(self):
        if self.by_git("stash", "pop"):
            return
        if self.git("diff", "--quiet", "--diff-filter=U") is False:
            self.solve()
            self.git("reset", "-q")
            self.git("stash", "drop")

    def switch(self):
        name = self.random.choice(["main", "one", "two"])
        self.by_git("switch", "-q", name) or self.by_git("switch", "-qc", name)

    def solve(self):
        """Ends a conflict: in the chapter by hand, in notebooks by one side or not at all."""
        chapter, notebook = self.paths
        keep = self.random.choice([r"\1", r"\2", r"\1\2"])
        chapter.write_text(CONFLICT.sub(keep, chapter.read_text(encoding="utf-8")), encoding="utf-8")
        if self.random.random() < 0.5:
            self.git("checkout", self.random.choice(["--ours", "--theirs"]), "--", "notebooks")
        self.git("add", "-A")
        self.edits.add("git")

    def merge(self):
        if not self.by_git("merge", "-q", self.random.choice(["main", "one", "two"])) and self.git(
            "rev-parse", "-q", "--verify", "MERGE_HEAD"
        ):
            self.solve()
            self.git("commit", "-qm", "merged")

    def rebase(self):
        if not self.by_git("rebase", "-q", self.random.choice(["main", "one", "two"])):
            self.by_git("rebase", "--abort")

    # What a refresh must do.

    def check(self, take=()):
        """Refreshes, and looks for edits that are gone."""
        before = [path.read_bytes() if path.exists() else None for path in self.paths]
        held = markers(self.paths[0]) | markers(self.paths[1])
        wanted = dict(zip(self.pair.paths, self.states(), strict=True))
        self.capsys.readouterr()
        edited, certain = self.only_edited(wanted)
        try:
            self.refresh(*take)
        except BookError as error:
            assert [path.read_bytes() if path.exists() else None for path in self.paths] == before, self.done
            assert not certain, (error, self.done)
            self.refused += 1
            if not take and "--take" in str(error):
                self.check([self.book.relative(self.random.choice(self.paths))])
            return
        said = self.capsys.readouterr().out
        assert self.agree(), self.done
        if edited and not take:
            assert self.states()[0] == wanted[edited], self.done
            self.one_sided += 1
        self.nothing_is_gone(held - markers(self.paths[0]), said)
        self.refreshed += 1
        self.edits, self.saved = set(), False
        self.look()

    def only_edited(self, wanted):
        """The side that was edited if the other one was left in a known state; whether no refusal is allowed.

        A known state that an author has made again may be refused, unless git had put both back to the last commit.
        """
        side = next(iter(self.edits)) if len(self.edits) == 1 else None
        other = {"chapter": "notebook", "notebook": "chapter"}.get(side)
        if not other or wanted[other] not in self.seen:
            return None, False
        again = wanted[side] in self.seen
        if again and self.saved:  # Jupyter wrote the notebook after the edit: the times say nothing
            return None, False
        return side, not again or wanted[other] == self.pair.agreed()

    def nothing_is_gone(self, gone, said):
        """Every marker that is gone stands in a file that was named: a copy, or the last commit."""
        kept = {
            marker for copy in re.findall(r"_build/replaced/\S+", said) for marker in markers(self.book.root / copy)
        }
        if "as it was: in the last commit" in said:
            for side in self.pair.paths:
                kept |= set(MARKER.findall(git_history.committed(self.book, self.pair.paths[side]) or ""))
        assert gone <= kept, (gone, said, self.done)
        self.kept += bool(gone)

    def live(self, steps):
        habits = [self.edit] * 5 + [self.again] * 4 + [self.check] * 7 + [self.checkout] * 3 + [self.commit] * 2
        habits += [self.redo] * 3 + [self.stash, self.pop, self.pop, self.switch, self.switch, self.merge, self.rebase]
        habits += [self.save_in_jupyter, self.save_in_jupyter, self.forget]
        for _ in range(steps):
            habit = self.random.choice(habits)
            self.done.append(habit.__name__)
            habit()
            self.rest()
        self.check()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_edit_is_lost_whatever_git_does_in_between(book, git, refresh, capsys, seed):
    author = Author(book, git, refresh, capsys, seed)
    author.live(STEPS)
    assert author.refreshed
