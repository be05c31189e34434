"""The command line. Each command (a `Verb`) is a function with a sentence for `--help` and a list of arguments."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ci import _
from ci.book import Book, BookError, UsageError, display, files, nearest

STOPPED = _("stopped; nothing is lost, and the next run goes on from here")
DEFAULT = "build"
HELP = ("-h", "--help")

Work = Callable[[Book, argparse.Namespace], int | None]  # returns the exit status, None for 0
Argument = tuple[str, dict[str, Any]]  # name or flag, and keyword arguments of `ArgumentParser.add_argument`


class Verb(NamedTuple):
    """A command: the function that runs it, its help and its arguments."""

    work: Work
    sentence: str
    """What the command does, for `--help`."""
    arguments: tuple[Argument, ...] = ()
    locked: bool = True
    """Whether the command holds the lock of the working tree (`ci.book.lock`) while it runs."""


VERBS: dict[str, Verb] = {}
GROUPS: dict[str, str] = {}  # {first word of commands of two words: its sentence for `--help`}


def verb(sentence: str, *arguments: Argument, locked: bool = True) -> Callable[[Work], Work]:
    """Decorator: register a function as a command. The function `export_post` becomes the command `export post`."""

    def register(work: Work) -> Work:
        VERBS[work.__name__.replace("_", " ")] = Verb(work, sentence, arguments, locked)
        return work

    return register


def argument(name: str, **options: Any) -> Argument:
    """Return an `Argument` with keyword arguments of `ArgumentParser.add_argument`."""
    return name, options


def argument_list(name: str, metavar: str) -> Argument:
    """Return an `Argument` that accepts any number of words."""
    return argument(name, nargs="*", metavar=metavar, default=[])


def port(text: str) -> int:
    """Convert an argument to a port number; raise ValueError if it is not one."""
    if not 0 < int(text) < 2**16:
        raise ValueError(text)
    return int(text)


def path(text: str) -> Path:
    """Return the absolute path of an argument.

    A relative one is resolved against the folder in which the user started the command.
    """
    return Path(os.environ.get("FLAXBOOK_FROM", "."), text).resolve()


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` instead of exiting."""

    def error(self, message: str) -> Any:
        """Raise `UsageError` with a message of argparse."""
        raise UsageError(f"{message} ({self.prog} --help)")


def parser() -> Parser:
    """Return the parser of the command line."""
    door = Parser(
        prog="./ci/book.sh", description="Builds the book, checks it, serves it; ./ci/test.sh checks it all."
    )
    inner = {"": door.add_subparsers(metavar="VERB", required=True)}

    def add(name: str, sentence: str) -> Parser:
        first, _space, last = name.rpartition(" ")
        return inner[first].add_parser(last, help=sentence, description=sentence)

    for name, verb in VERBS.items():
        first = name.rpartition(" ")[0]
        if first not in inner:
            inner[first] = add(first, GROUPS[first]).add_subparsers(metavar="WHAT", required=True)
        own = add(name, verb.sentence)
        own.set_defaults(verb=name)
        for word, options in verb.arguments:
            own.add_argument(word, **options)
    return door


def refuse_unknown_verb(argv: Sequence[str]) -> None:
    """Raise `UsageError`, with the most similar command, if the first words are no command."""
    known = list(dict.fromkeys(name.partition(" ")[0] for name in VERBS))
    word, meant = argv[0], {name.rpartition(" ")[2]: name for name in VERBS}
    if word in GROUPS and len(argv) > 1:
        known, word = [name.rpartition(" ")[2] for name in VERBS if name.startswith(f"{word} ")], argv[1]
    if word not in [*known, *HELP]:
        hint = nearest(word, [*known, *meant], meant)
        sentence = _("unknown word {word}{hint}; choose from {known}")
        raise UsageError(sentence, word=repr(word), hint=hint, known=", ".join(known))


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; the result's `verb` is a key of `VERBS`. Raise UsageError for unknown or missing words."""
    if not argv or (argv[0].startswith("-") and argv[0] not in HELP):
        argv = [DEFAULT, *argv]
    refuse_unknown_verb(argv)
    arguments, unknown = parser().parse_known_args(argv)
    if unknown:
        flags = [name for name, _options in VERBS[arguments.verb].arguments if name.startswith("-")]
        sentence = _("unknown argument {word}{hint} (./ci/book.sh {verb} --help)")
        word, hint = repr(unknown[0]), nearest(unknown[0], flags)
        raise UsageError(sentence, word=word, hint=hint, verb=arguments.verb)
    return arguments


def guarded(work: Callable[[], int | None], gettext: Callable[[str], str]) -> int:
    """Do the work of a program; return its exit status, after one line for an error: 2 for one of usage, or else 1.

    Ctrl-C exits with 130.
    """
    # SIGINT too: a process in the background ignores it, as do its children, which could then not be interrupted.
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)
    try:
        with files.disk_faults_as_errors(), display.translated(gettext):
            return int(work() or 0)
    except BookError as error:
        print(f"error: {error.say(gettext)}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        print(gettext(STOPPED), file=sys.stderr, flush=True)
        os._exit(130)  # sys.exit does not work with the open sockets of an interrupted kernel
