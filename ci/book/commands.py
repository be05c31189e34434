"""The command line. Each command (a `Verb`) is a function with a sentence for `--help` and a list of arguments."""

import argparse
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ci import _
from ci.book import Book, BookError, UsageError, files, nearest

STOPPED = _("stopped; nothing is lost, and the next run goes on from here")
DEFAULT = "build"
HELP = ("-h", "--help")
PLACEHOLDER = re.compile(r"%(?:\(\w+\))?\w")
# The messages of argparse that users see, listed here so that they are extracted into the catalogue.
ARGPARSE = (
    _("usage: "),
    _("positional arguments"),
    _("options"),
    _("show this help message and exit"),
    _("the following arguments are required: %s"),
    _("argument %(argument_name)s: %(message)s"),
    _("invalid %(type)s value: %(value)r"),
    _("expected one argument"),
)

Work = Callable[[Book, argparse.Namespace], int | None]  # returns the exit status, None for 0
Gettext = Callable[[str], str]


class Argument(NamedTuple):
    """An argument of a command: its name or flag, and keyword arguments of `ArgumentParser.add_argument`."""

    name: str
    options: dict[str, Any]


class Verb(NamedTuple):
    """A command: the function that runs it, its help and its arguments."""

    work: Work
    sentence: str
    """What the command does, in English, for `--help`."""
    arguments: tuple[Argument, ...]
    locked: bool
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
    return Argument(name, options)


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
    """An argument parser that raises `UsageError`, with the most similar valid word, instead of exiting."""

    def error(self, message: str) -> Any:
        """Raise `UsageError` with a message of argparse."""
        raise UsageError(f"{message} ({self.prog} --help)")

    def _check_value(self, action: argparse.Action, value: str) -> None:
        if action.choices is None or value in action.choices:
            return
        known = list(action.choices)
        full = {name.rpartition(" ")[2]: name for name in VERBS if " " in name and name not in known}
        hint = nearest(value, [*known, *full], full) if action.nargs == argparse.PARSER else nearest(value, known)
        sentence = _("unknown word {word}{hint}; choose from {known}")
        raise UsageError(sentence, word=repr(value), hint=hint, known=", ".join(known))


def parser(gettext: Gettext) -> Parser:
    """Return the parser of the command line, with its help translated by `gettext`."""

    def say(sentence: str) -> str:
        return gettext(sentence).replace("%", "%%")  # argparse would treat a single % as a placeholder

    style = partial(argparse.HelpFormatter, max_help_position=20)
    description = gettext(_("Builds the book, checks it, serves it."))
    door = Parser(prog="./ci/book.sh", description=description, formatter_class=style)
    inner = {"": door.add_subparsers(metavar="VERB", required=True)}

    def add(name: str, sentence: str) -> Parser:
        first, _space, last = name.rpartition(" ")
        return inner[first].add_parser(last, help=say(sentence), description=say(sentence), formatter_class=style)

    for name, verb in VERBS.items():
        first = name.rpartition(" ")[0]
        if first not in inner:
            inner[first] = add(first, GROUPS[first]).add_subparsers(metavar="WHAT", required=True)
        own = add(name, verb.sentence)
        own.set_defaults(verb=name)
        for argument in verb.arguments:
            text = {"help": say(argument.options["help"])} if "help" in argument.options else {}
            own.add_argument(argument.name, **argument.options | text)
    return door


@contextmanager
def argparse_translated(gettext: Gettext) -> Iterator[None]:
    """Translate the messages of argparse by `gettext` within the context.

    A translation that lacks a placeholder of its message is not used.
    """

    def translate(message: str) -> str:
        translation = gettext(message)
        same = sorted(PLACEHOLDER.findall(translation)) == sorted(PLACEHOLDER.findall(message))
        return translation if same else message

    names = vars(argparse)
    before, names["_"] = names["_"], translate
    try:
        yield
    finally:
        names["_"] = before


def parse(argv: Sequence[str], gettext: Gettext) -> argparse.Namespace:
    """Parse a command line; the result's `verb` is a key of `VERBS`. Raise UsageError for unknown or missing words."""
    if not argv or (argv[0].startswith("-") and argv[0] not in HELP):
        argv = [DEFAULT, *argv]
    with argparse_translated(gettext):
        arguments, unknown = parser(gettext).parse_known_args(argv)
    if unknown:
        flags = [argument.name for argument in VERBS[arguments.verb].arguments if argument.name.startswith("-")]
        sentence = _("unknown argument {word}{hint} (./ci/book.sh {verb} --help)")
        word, hint = repr(unknown[0]), nearest(unknown[0], flags)
        raise UsageError(sentence, word=word, hint=hint, verb=arguments.verb)
    return arguments


def guarded(work: Callable[[], int | None], gettext: Gettext) -> int:
    """Do the work of a program; return its exit status, after one line for an error: 2 for one of usage, or else 1.

    Ctrl-C exits with 130.
    """
    # SIGINT too: a process in the background ignores it, as do its children, which could then not be interrupted.
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)
    try:
        with files.disk_faults_as_errors():
            return int(work() or 0)
    except BookError as error:
        print(f"error: {error.say(gettext)}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        print(gettext(STOPPED), file=sys.stderr, flush=True)
        os._exit(130)  # sys.exit does not work with the open sockets of an interrupted kernel
