"""The words of a command line: verbs, each a function with a sentence for `--help`, and what they are given."""

import argparse
import os
import re
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ci import _
from ci.book import UsageError, nearest

VERBS = {}
DEFAULT = "build"
HEADINGS = (_("positional arguments"), _("options"), _("show this help message and exit"))  # words of argparse
USAGE = _("usage")
# {what argparse says of a command that it cannot read: how the book says it}
MISTAKES = {
    "the following arguments are required: (?P<names>.*)": _(
        "the following arguments are required: {names} ({prog} --help)"
    ),
    "argument (?P<name>.*): invalid (?P<kind>.*) value: (?P<word>.*)": _(
        "argument {name}: invalid {kind} value: {word} ({prog} --help)"
    ),
    "(?P<text>(?s:.*))": "{text} ({prog} --help)",
}


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


def count(text):
    """A number of times.

    Raises:
      ValueError: it is none.
    """
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def number(name, default, kind=count):
    return name, {"nargs": "?", "type": kind, "default": default}


def port(text):
    """A number under which a program can be reached.

    Raises:
      ValueError: it is none.
    """
    if not 0 < int(text) < 2**16:
        raise ValueError(text)
    return int(text)


def path(text):
    """A path as the user means it, who may stand in another folder."""
    return Path(os.environ.get("FLAXBOOK_FROM", "."), text).resolve()


def several(name, metavar):
    return name, {"nargs": "*", "metavar": metavar, "default": []}


def one(name, **options):
    return name, options


class Formatter(argparse.HelpFormatter):
    """Writes the help in the language of the user, also what argparse puts in by itself."""

    def __init__(self, gettext, prog):
        super().__init__(prog, max_help_position=20)
        self.gettext = gettext

    def add_usage(self, usage, actions, groups, prefix=None):
        super().add_usage(usage, actions, groups, f"{self.gettext(USAGE)}: " if prefix is None else prefix)

    def start_section(self, heading):
        super().start_section(self.gettext(heading))

    def _get_help_string(self, action):
        return self.gettext(action.help)


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with a command, with the nearest right word."""

    def error(self, message):
        pattern = next(pattern for pattern in MISTAKES if re.fullmatch(pattern, message))
        raise UsageError(MISTAKES[pattern], prog=self.prog, **re.fullmatch(pattern, message).groupdict())

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            values = {"word": repr(value), "hint": nearest(value, action.choices), "known": ", ".join(action.choices)}
            raise UsageError(_("{word} is not one of the words known here{hint}: {known}"), **values)


def parser(gettext):
    """The parser of the command line, with its help in the language of the user."""
    description = gettext(_("Builds the book, checks it, serves it."))
    formatter = partial(Formatter, gettext)
    door = Parser(prog="./ci/book.sh", description=description, formatter_class=formatter)
    verbs = door.add_subparsers(metavar="VERB", dest="verb")
    for name, verb in VERBS.items():
        sentence = gettext(verb.sentence)
        own = verbs.add_parser(name, help=verb.sentence, description=sentence, formatter_class=formatter)
        for argument, options in verb.arguments:
            own.add_argument(argument, **options)
    return door


def title(arguments):
    """The verb of a parsed command line, and on what it works if that decides what it does."""
    return " ".join(filter(None, [arguments.verb, getattr(arguments, "what", None)]))


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
