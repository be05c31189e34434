"""Command lines, on click. A wrong one ends with one line, as every other error does."""

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from ci import _
from ci.book import Book, BookError, UsageError, display, lock, nearest

FULL = _("no space left on the disk: free some and run again; nothing is lost")
READ_ONLY = _("{path} cannot be written: change its permissions, or work in a copy of this folder")
NO_FILE = _("{path}: {reason}: put an ordinary file there, or remove what names it")
STOPPED = _("stopped; nothing is lost, and the next run goes on from here")
HELP = ["-h", "--help"]
OPTIONS: dict[str, Any] = {"help_option_names": HELP, "max_content_width": 120}
UNLOCKED = ("serve", "status", "preview", "post")  # commands that do not hold the lock of the working tree


class Command(click.Command):
    """A command that passes the book to its function, and holds the lock of the working tree meanwhile."""

    def invoke(self, ctx: click.Context) -> int | None:
        """Call the function, with the book and with the words of the command line."""
        with nullcontext() if self.name in UNLOCKED else lock.held(ctx.obj.built()):
            return ctx.invoke(self.callback, ctx.obj, **ctx.params)  # type: ignore[arg-type]


class Group(click.Group):
    """A group of commands, which knows what an unknown word may mean."""

    command_class, group_class = Command, type

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command that the first word names; raise `UsageError` if it names none."""
        if args[0] not in self.commands:
            groups = [group for group in self.commands.values() if isinstance(group, Group)]
            inside = {name: f"{group.name} {name}" for group in groups for name in group.commands}
            raise unknown(args[0], self.commands, inside)
        return super().resolve_command(ctx, args)


def unknown(word: str, known: Iterable[str], meant: Mapping[str, str] | None = None) -> UsageError:
    """Return the error of a word that is not `known`; `meant` are other words and what to propose for them."""
    hint = nearest(word, [*known, *(meant or {})], meant)
    sentence = _("unknown word {word}{hint}; choose from {known}")
    return UsageError(sentence, word=repr(word), hint=hint, known=", ".join(known))


def path(text: str) -> Path:
    """Return the absolute path of a word, which may be relative to the folder where the user started the command."""
    return Path(os.environ.get("FLAXBOOK_FROM", "."), text).resolve()


def run(command: click.Command, words: Sequence[str], book: Book, gettext: Callable[[str], str] = str) -> int:
    """Run a command line; return its exit status: 1 after an error, 2 if it is one of usage, 130 after Ctrl-C."""
    # SIGINT too: a process in the background ignores it, as do its children, which could then not be interrupted.
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)
    try:
        with display.translated(gettext):
            return command.invoke(command.make_context(command.name, list(words), obj=book, **OPTIONS)) or 0
    except click.exceptions.Exit as ended:  # of `--help`
        return ended.exit_code
    except Exception as error:
        known = as_book_error(error)
        print(f"error: {known.say(gettext)}", file=sys.stderr)
        return 2 if isinstance(known, UsageError) else 1
    except KeyboardInterrupt:
        print(gettext(STOPPED), file=sys.stderr, flush=True)
        os._exit(130)  # sys.exit does not work with the open sockets of an interrupted kernel


def as_book_error(error: Exception) -> BookError:
    """Return an error of the command line or of the disk as a `BookError`; raise an error that is not foreseen."""
    match error:
        case BookError():
            return error
        case click.NoSuchOption(ctx=click.Context() as context, option_name=word):
            flags = [flag for parameter in context.command.get_params(context) for flag in parameter.opts]
            return unknown(word, [flag for flag in flags if flag.startswith("-")])
        case click.UsageError(ctx=context):  # none where a flag lacks its value
            return UsageError(error.format_message() + (f" ({context.command_path} --help)" if context else ""))
        case OSError(errno=errno.ENOSPC):
            return BookError(FULL)
        case OSError(errno=errno.EROFS | errno.EACCES):
            return BookError(READ_ONLY, path=error.filename)
        case OSError(errno=errno.EISDIR | errno.ENOTDIR | errno.ENOENT | errno.ELOOP, filename=str() | Path() as file):
            return BookError(NO_FILE, path=file, reason=error.strerror)
    raise error
