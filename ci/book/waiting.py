"""Shows whoever waits for a command what it does, how far it is, and about how long that takes: stage by stage.

On a terminal that is a bar, which goes when the stage has ended; elsewhere a plain line now and then. All of it is on
stderr, since stdout has what the command says.
"""

import json
import os
import sys
import time
from contextlib import contextmanager

from ci import _
from ci.book import Sentence, files, memory

PATIENCE = 5  # seconds of which nothing need be said
PACE = 10  # seconds from one plain line about something to the next


class Counted:
    """A stage, or a part of one.

    Attributes:
      quick: whether nobody need be told of it.
    """

    def __init__(self, waiting, name, total=None, unit="", expected=None, quick=False):
        self.waiting, self.name, self.total, self.unit = waiting, name, total, unit
        self.expected, self.quick = expected, quick or total == 0 or (expected is not None and expected < PATIENCE)
        self.begun, self.done = waiting.clock(), 0
        self.said = self.begun

    @property
    def seconds(self):
        return self.waiting.clock() - self.begun

    def __str__(self):
        """How far it is, in the language of the user."""
        gettext, said = self.waiting.gettext, []
        values = {"done": self.done, "total": self.total, "unit": gettext(self.unit) if self.unit else ""}
        if self.total is not None:
            said.append(Sentence(_("{done} of {total} {unit}"), **values).say(gettext).rstrip())
        elif self.done:
            said.append(Sentence(_("{unit} done: {done}"), **values).say(gettext).rstrip())
        if seconds := round(memory.to_go(self.seconds, self.done, self.total, self.expected) or 0):
            said.append(Sentence(_("about {seconds} s to go"), seconds=seconds).say(gettext))
        return ", ".join(said)


class Lines:
    """Plain lines."""

    def begin(self, one):
        if not one.quick:
            self.say(one)

    def advance(self, one):
        if one.waiting.clock() - one.said >= PACE or (one.done == one.total and not one.quick):
            self.say(one)

    def take_back(self, stage, part):
        pass

    def end(self):
        pass

    def say(self, one):
        one.said = one.waiting.clock()
        print(": ".join(filter(None, [one.waiting.gettext(one.name), str(one)])), file=sys.stderr, flush=True)


class Bars:
    """Bars on a terminal; those of parts go when they are done."""

    def __init__(self):
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self.tasks = {}
        self.progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[one]}", markup=False),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=sys.stdout.isatty(),  # or a file would lose what the command says
        )
        self.progress.start()

    def begin(self, one):
        self.tasks[one] = self.progress.add_task(one.waiting.gettext(one.name), total=one.total, one=one)

    def advance(self, one):
        self.progress.advance(self.tasks[one])
        if one.done == one.total and not isinstance(one, Stage):
            self.progress.remove_task(self.tasks.pop(one))

    def take_back(self, stage, part):
        self.progress.update(self.tasks[stage], completed=stage.done)
        if part in self.tasks:
            self.progress.remove_task(self.tasks.pop(part))

    def end(self):
        self.progress.stop()


class Stage(Counted):
    """What `stage` gives: called, it has advanced by one."""

    def show(self, display):
        self.display, self.parts = display, {}
        display.begin(self)

    def __call__(self):
        self.done += 1
        self.display.advance(self)

    def start(self, name, total):
        """Begins a part that is counted, too; returns what is to be called when that has advanced by one.

        What a part of this name has done before does not count any more: it is done again.
        """
        if before := self.parts.get(name):
            self.done -= before.done
            self.display.take_back(self, before)
        part = self.parts[name] = Counted(self.waiting, name, total, self.unit, quick=self.quick)
        self.display.begin(part)

        def advance():
            part.done += 1
            self.display.advance(part)
            self()

        return advance


class Waiting:
    """What is shown of one command.

    Args:
      path: of a file that knows how long stages took last time, or None.
      gettext: a function that translates.
      clock: a function that returns seconds.
      name: of the command, since stages of several commands have the same name.

    Attributes:
      took: {stage: seconds}.
    """

    def __init__(self, path=None, gettext=str, clock=time.monotonic, name=""):
        self.path, self.gettext, self.clock, self.name = path, gettext, clock, name
        self.begun, self.took = clock(), {}

    @contextmanager
    def stage(self, name, total=None, unit="", shows_itself=False, remembered=True):
        """As `stage`."""
        key, path = " ".join(filter(None, [self.name, name, unit])), self.path if remembered else None
        expected = memory.expectation(memory.read(path).get(key), total) if path else None
        one = Stage(self, name, total, unit, expected)
        display = Bars() if on_terminal() and not shows_itself else Lines()
        try:
            one.show(display)
            yield one
            if path and one.total != 0:
                known = memory.read(path) | {key: {"seconds": round(one.seconds, 1), "total": one.done}}
                files.write(path, json.dumps(known, indent=1, ensure_ascii=False))
        finally:
            display.end()
            self.took[name] = self.took.get(name, 0) + one.seconds

    def close(self):
        """Says where the time went, if there was any to speak of."""
        seconds = self.clock() - self.begun
        if not self.took or seconds < PATIENCE:
            return
        parts = [
            Sentence(_("{stage} {seconds} s"), stage=Sentence(name), seconds=f"{spent:.1f}").say(self.gettext)
            for name, spent in self.took.items()
        ]
        said = Sentence(_("in {seconds} s: {stages}"), seconds=f"{seconds:.1f}", stages=", ".join(parts))
        print(said.say(self.gettext), file=sys.stderr, flush=True)


def on_terminal():
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


_now = Waiting()


@contextmanager
def command(path, gettext, name):
    """What is waited for within is shown and remembered as for `Waiting`, and at the end the times are said."""
    global _now
    before, _now = _now, Waiting(path, gettext, name=name)
    try:
        yield
    finally:
        _now.close()
        _now = before


def stage(name, total=None, unit="", shows_itself=False, remembered=True):
    """A context manager for a stage of the command that runs; a stage has ended before the next one begins.

    Args:
      name: English, marked by `_`.
      total: how many things there are to do, if that is known.
      unit: what these are, marked by `_`.
      shows_itself: whether something within writes on the terminal by itself, so that there must be no bar.
      remembered: whether it takes about as long each time.

    Returns:
      A `Stage`, to be called whenever a thing is done.
    """
    return _now.stage(name, total, unit, shows_itself, remembered)


def tell(sentence, /, **values):
    """Says something on stdout, in the language of the user.

    Args:
      sentence: English, marked by `_`.
      values: as for `Sentence`.
    """
    print(Sentence(sentence, **values).say(_now.gettext), flush=True)
