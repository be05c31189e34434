"""Choose the checks, tests and chapters that a change can affect, for `./ci/book.sh test --changed`."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ci.book import Book

# (pattern, checks): the first pattern that matches a changed path names its checks. A path that matches none, such as
# flaxbook/, requirements.txt or ci/book, can affect everything.
CODE = ("lint", "format", "types", "unit")
PAGES = ("book", "refresh", "pages")
AFFECTED = [
    (r"book/.*\.md|notebooks/{source}/.*\.ipynb", ("unit", "notebooks", "catalogues", *PAGES)),
    (r"notebooks/.*\.ipynb", ("unit", "book", "refresh")),  # translated: made from the source
    (r"book/.*(sabotage|lesson).*", ("unit", "book")),
    (r"locale/.*", ("unit", "catalogues", *PAGES)),
    (r"tests/pages/.*", ("lint", "format", "pages")),
    (r"tests/.*", ("lint", "format", "unit")),
    (r"ci/site/.*", (*CODE, *PAGES)),
    (r"ci/checks/.*", CODE),
    (r"ci/notebooks/.*", (*CODE, *PAGES)),
    (r"ci/(languages|catalogues)/.*", (*CODE, "catalogues", *PAGES)),
    (r"CITATION.*", ("unit", *PAGES)),
    (
        r"(README|CONTRIBUTING|CHANGELOG|LICENSE|docs/|noxfile|\.git|\.weblate|\.pre-commit).*",
        ("unit",),
    ),
]
# The subpackages of `ci`; each can import only from those after it.
ROOMS = ("site", "checks", "notebooks", "languages", "catalogues", "execution", "outputs", "book")
READS_THE_BOOK = re.compile(r"\bhere\(\)|\bBOOK\b|\bgit\b")  # found in tests that read the book
TEXT = re.compile(r"(?:book|notebooks/\w+|locale/\w+/LC_MESSAGES/book)/(.*)\.(?:md|ipynb|po)")


class Affected(NamedTuple):
    """What a change can affect."""

    checks: set[str] | None
    """The names of checks; None for all of them."""
    tests: list[str]
    """The paths to pass to pytest for the check "unit"."""
    chapters: list[str] | None
    """The chapters to which the checks "notebooks" and "pages" can be limited; None for all of them."""


def paths(book: Book) -> list[str]:
    """Return the files that differ from the last commit, including untracked ones, relative to the book's root."""
    known = book.git("diff", "--name-only", "--no-renames", "HEAD") or ""
    new = book.git("ls-files", "--others", "--exclude-standard") or ""
    return sorted({*known.splitlines(), *new.splitlines()})


def affected(book: Book, changed: Sequence[str]) -> Affected:
    """Return what a change of these paths can affect: everything if one of them matches no pattern of `AFFECTED`."""
    patterns = [(pattern.format(source=book.source_language), checks) for pattern, checks in AFFECTED]
    names: set[str] = set()
    for path in changed:
        checks = next((checks for pattern, checks in patterns if re.fullmatch(pattern, path)), None)
        if checks is None:
            return Affected(None, ["tests"], None)
        names.update(checks)
    return Affected(names, tests(book, changed), chapters(book, changed))


def tests(book: Book, changed: Sequence[str]) -> list[str]:
    """Return the test files that a change of these paths can affect, without those of pages.

    These are the changed ones, those of a changed subpackage of `ci` and of the subpackages that can import from it,
    and, if anything outside `tests/` has changed, those that read the book.
    """
    every = [path for path in sorted((book.root / "tests").rglob("test_*.py")) if "pages" not in path.parts]
    rooms = {above for path in changed if path.startswith("ci/") for above in rooms_above(path.split("/")[1])}
    names = [path for path in every if book.relative(path) in changed or path.relative_to(book.root).parts[1] in rooms]
    if any(not path.startswith("tests/") for path in changed):
        names += [path for path in every if READS_THE_BOOK.search(path.read_text(encoding="utf-8"))]
    return sorted({book.relative(path) for path in names})


def rooms_above(room: str) -> tuple[str, ...]:
    """Return a subpackage of `ci` and those that can import from it; all of them for an unknown name."""
    return ROOMS[: ROOMS.index(room) + 1] if room in ROOMS else ROOMS


def chapters(book: Book, changed: Sequence[str]) -> list[str] | None:
    """Return the changed chapters if only texts, notebooks and catalogues of chapters have changed, or else None."""
    matches = [TEXT.fullmatch(path) for path in changed]
    names = {f"book/{match[1]}" for match in matches if match}
    only = all(matches) and names <= set(book.chapters)
    return [name for name in book.chapters if name in names] if only else None
