"""The words of a command line: verbs, each a function with a sentence for `--help`, and what they are given."""

import argparse
from typing import NamedTuple

from ci import _
from ci.book import UsageError, nearest

VERBS = {}
DEFAULT = "build"


class Verb(NamedTuple):
    """A verb of the command line.

    Attributes:
      work: the function that does it.
      sentence: English; what it does, for `--help`.
      arguments: (name or flag, options) of `add_argument`.
      locked: whether no other command may work on the tree meanwhile.
    """

    work: object
    sentence: str
    arguments: tuple
    locked: bool


def verb(sentence, *arguments, locked=True):
    """Makes a function a `Verb` of the same name."""

    def register(work):
        VERBS[work.__name__] = Verb(work, sentence, arguments, locked)
        return work

    return register


def number(name, default, kind=int):
    return name, {"nargs": "?", "type": kind, "default": default}


def port(text):
    """A number under which a program can be reached.

    Raises:
      ValueError: it is none.
    """
    if not 0 < int(text) < 2**16:
        raise ValueError(text)
    return int(text)


def several(name, metavar):
    return name, {"nargs": "*", "metavar": metavar}


def one(name, **options):
    return name, options


def wide(prog):
    return argparse.HelpFormatter(prog, max_help_position=16)


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with a command, with the nearest right word."""

    def error(self, message):
        raise UsageError(f"{message} ({self.prog} --help)")

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            values = {"word": repr(value), "hint": nearest(value, action.choices), "known": ", ".join(action.choices)}
            raise UsageError(_("{word} is not one of the words known here{hint}: {known}"), **values)


def parser(gettext):
    """The parser of the command line, with its help in the language of the user."""
    description = gettext(_("Builds the book, checks it, serves it."))
    door = Parser(prog="./ci/book.sh", description=description, formatter_class=wide)
    verbs = door.add_subparsers(metavar="VERB", dest="verb")
    for name, verb in VERBS.items():
        sentence = gettext(verb.sentence)
        own = verbs.add_parser(name, help=sentence, description=sentence)
        for argument, options in verb.arguments:
            own.add_argument(argument, **options)
    return door


def parse(argv, gettext):
    """Parses a command line.

    Raises:
      UsageError: a word in it is unknown or missing.
    """
    arguments, unknown = parser(gettext).parse_known_args(argv)
    verb = arguments.verb or DEFAULT
    rest = next((name for name, options in VERBS[verb].arguments if options.get("nargs") == argparse.REMAINDER), None)
    if rest:  # argparse stops at an option that comes first
        setattr(arguments, rest, unknown + getattr(arguments, rest))
    elif unknown:
        known = [name for name, _options in VERBS[verb].arguments if name.startswith("-")]
        values = {"word": repr(unknown[0]), "hint": nearest(unknown[0], known), "verb": verb}
        raise UsageError(_("{word} means nothing to this verb{hint}: ./ci/book.sh {verb} --help"), **values)
    return arguments
