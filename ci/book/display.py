"""Show the progress of a command on stderr: rich's bars on a terminal, elsewhere a line for each stage and chapter."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn

from ci.book.errors import Sentence

_gettext: Callable[[str], str] = str  # translates into the language of the user


class Stage:
    """A stage of a command, such as the execution of the chapters. Call it each time an item is done."""

    def __init__(self, progress: Progress, name: str, total: int | None) -> None:
        self.progress, self.whole = progress, progress.add_task(_gettext(name), total=total, visible=total != 0)
        self.parts: dict[str, Task] = {}
        if total != 0:
            self._print(_gettext(name))

    def __call__(self, items: int = 1) -> None:
        """Count more items as done."""
        self.progress.advance(self.whole, items)

    def start(self, name: str, total: int) -> Callable[[], None]:
        """Begin a part of the stage, such as a chapter; return the function to call each time an item of it is done.

        A part that begins again, such as a chapter whose kernel died, is counted again from 0.
        """
        if name in self.parts:
            self.progress.advance(self.whole, -self.parts[name].completed)
            self.progress.update(self.parts[name].id, visible=False)
        self.progress.add_task(name, total=total)
        part = self.parts[name] = self.progress.tasks[-1]

        def advance() -> None:
            self.progress.advance(part.id)
            if part.finished:
                self.progress.update(part.id, visible=False)
                self._print(name)
            self()

        return advance

    def _print(self, line: str) -> None:
        if self.progress.disable:
            print(line, file=sys.stderr, flush=True)


@contextmanager
def stage(name: str, total: int | None = None) -> Iterator[Stage]:
    """Show the progress of a stage, whose name is English, marked by `_`, within the context; do not nest stages."""
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        *(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),  # if stdout is a file, redirection would send its lines to stderr
        disable=not sys.stderr.isatty() or os.environ.get("TERM") == "dumb",
    )
    with progress:
        yield Stage(progress, name, total)


@contextmanager
def translated(gettext: Callable[[str], str]) -> Iterator[None]:
    """Translate what is shown within the context by `gettext`."""
    global _gettext
    before, _gettext = _gettext, gettext
    try:
        yield
    finally:
        _gettext = before


def tell(sentence: str, /, **values: object) -> None:
    """Print a sentence on stdout, in the language of the user; the arguments are those of `Sentence`."""
    print(Sentence(sentence, **values).say(_gettext), flush=True)
