"""Show the progress of a command on stderr: a progress bar on a terminal, elsewhere a plain line at intervals."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from ci import _
from ci.book import Sentence

QUICK = 5  # seconds; after a shorter command, the time of each stage is not printed
PACE = 10  # minimum seconds between two plain lines about the same stage or part

_gettext: Callable[[str], str] = str  # translates into the language of the user
_took: dict[str, float] = {}  # {stage of the running command: seconds it took}


class Count(ProgressColumn):
    """The column of the progress bar with the count, the total and the estimated time left."""

    def render(self, task: Task) -> Text:
        """Return text such as "2 of 4 cells, about 11 s to go", without the parts that are unknown."""
        unit, done, parts = task.fields["unit"], int(task.completed), []
        if task.total is not None:
            count = Sentence(_("{done} of {total} {unit}"), done=done, total=int(task.total), unit=Sentence(unit))
            parts.append(count.say(_gettext).rstrip())
        elif done:
            parts.append(Sentence(_("{unit} done: {done}"), unit=Sentence(unit), done=done).say(_gettext))
        if seconds := round(task.time_remaining or 0):
            parts.append(Sentence(_("about {seconds} s to go"), seconds=seconds).say(_gettext))
        return Text(", ".join(parts))


class Stage:
    """A stage of a command, such as the execution of the chapters. Call it each time an item is done."""

    def __init__(self, progress: Progress, name: str, total: int | None, unit: str) -> None:
        self.progress, self.unit, self.begun = progress, unit, time.monotonic()
        self.parts: dict[str, Task] = {}
        self.whole = self._begin(name, total)

    @property
    def seconds(self) -> float:
        """The seconds since the stage began."""
        return time.monotonic() - self.begun

    def __call__(self) -> None:
        """Count one more item as done."""
        self._advance(self.whole, 1)

    def start(self, name: str, total: int) -> Callable[[], None]:
        """Begin a part of the stage, such as a chapter; return the function to call each time an item of it is done.

        A part that begins again, such as a chapter whose kernel died, is counted again from 0.
        """
        if name in self.parts:
            self._advance(self.whole, -int(self.parts[name].completed))
            self.progress.update(self.parts[name].id, visible=False)
        part = self.parts[name] = self._begin(name, total)

        def advance() -> None:
            self._advance(part, 1)
            self.progress.update(part.id, visible=not part.finished)
            self()

        return advance

    def _begin(self, name: str, total: int | None) -> Task:
        self.progress.add_task(_gettext(name), total=total, visible=total != 0, unit=self.unit, printed=self.begun)
        task = self.progress.tasks[-1]
        if total != 0:
            self._print(task)
        return task

    def _advance(self, task: Task, count: int) -> None:
        self.progress.advance(task.id, count)
        if time.monotonic() - task.fields["printed"] >= PACE:
            self._print(task)

    def _print(self, task: Task) -> None:
        """Print a plain line about a task if there is no progress bar."""
        task.fields["printed"] = time.monotonic()
        if self.progress.disable:
            line = [task.description, Count().render(task).plain]
            print(": ".join(filter(None, line)), file=sys.stderr, flush=True)


@contextmanager
def stage(name: str, total: int | None = None, unit: str = "", shows_itself: bool = False) -> Iterator[Stage]:
    """Show the progress of a stage of the running command within the context; do not nest stages.

    Args:
      name: The name of the stage in English, marked by `_`.
      total: The number of items, if it is known.
      unit: The name of the items in English, marked by `_`.
      shows_itself: Whether code within the context writes to the terminal, so that no bar may be shown.
    """
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        *(BarColumn(), Count(), TimeElapsedColumn()),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),  # if stdout is a file, redirection would send its lines to stderr
        disable=shows_itself or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb",
    )
    shown = Stage(progress, name, total, unit)
    try:
        with progress:
            yield shown
    finally:
        _took[name] = _took.get(name, 0) + shown.seconds


@contextmanager
def command(gettext: Callable[[str], str]) -> Iterator[None]:
    """Translate the progress of a command by `gettext`; print the time of each stage if it took `QUICK` or longer."""
    global _gettext
    before, _gettext, begun = _gettext, gettext, time.monotonic()
    _took.clear()
    try:
        yield
    finally:
        seconds = time.monotonic() - begun
        if _took and seconds >= QUICK:
            stages = ", ".join(
                Sentence(_("{stage} {seconds} s"), stage=Sentence(name), seconds=f"{spent:.1f}").say(gettext)
                for name, spent in _took.items()
            )
            closing = Sentence(_("in {seconds} s: {stages}"), seconds=f"{seconds:.1f}", stages=stages)
            print(closing.say(gettext), file=sys.stderr, flush=True)
        _gettext = before


def tell(sentence: str, /, **values: object) -> None:
    """Print a sentence on stdout, in the language of the user; the arguments are those of `Sentence`."""
    print(Sentence(sentence, **values).say(_gettext), flush=True)
