"""What a change can affect, so that who writes waits for no more than that."""

import re
from typing import NamedTuple

from ci.book import git

# What the checks of a change are, by the paths it touches: the first pattern counts. A path that none fits can affect
# everything, and so can flaxbook/, the packages and the parts of `ci` that all others stand on.
CODE = ("lint", "format", "unit")
PAGES = ("book", "refresh", "pages")
AFFECTED = [
    (r"book/.*\.md|notebooks/{source}/.*\.ipynb", ("unit", "notebooks", "catalogues", *PAGES)),
    (
        r"notebooks/.*\.ipynb",
        ("unit", "book", "refresh"),
    ),  # of a translation: made of the source
    (r"book/(.*sabotage.*|bench\.json)", ("unit", "book")),
    (r"locale/.*", ("unit", "catalogues", "defects", *PAGES)),
    (r"tests/pages/.*", ("lint", "format", "pages")),
    (r"tests/.*", CODE),
    (r"ci/site/.*", (*CODE, *PAGES)),
    (r"ci/checks/catalogues\.py", (*CODE, "defects")),
    (r"ci/checks/.*", CODE),
    (r"ci/notebooks/.*", (*CODE, *PAGES)),
    (r"ci/(languages|catalogues)/.*", (*CODE, "catalogues", "defects", *PAGES)),
    (r"(README|CONTRIBUTING|CITATION|LICENSE|\.github|\.weblate|\.gitignore).*", ("unit",)),
]
ROOMS = ("site", "checks", "notebooks", "languages", "catalogues", "execution", "outputs", "book")  # from above
READS_THE_BOOK = re.compile(r"\bhere\(\)|\bBOOK\b|\bgit\b")  # a test with this looks at the book itself
TEXT = re.compile(r"(?:book|notebooks/\w+|locale/\w+/LC_MESSAGES/book)/(.*)\.(?:md|ipynb|po)")


class Affected(NamedTuple):
    """What is to be checked."""

    checks: set
    """Their names; None for all of them."""
    tests: list
    """The paths that pytest is given for the check "unit"."""
    chapters: list
    """To which the checks "notebooks" and "pages" can be limited, or None."""


def paths(book):
    """The files that differ from the last commit, new ones included, relative to the book."""
    known = git.git(book, "diff", "--name-only", "--no-renames", "HEAD") or ""
    new = git.git(book, "ls-files", "--others", "--exclude-standard") or ""
    return sorted({*known.splitlines(), *new.splitlines()})


def affected(book, changed):
    """Returns the `Affected` of changed paths; of a path that cannot be judged, everything."""
    patterns = [(pattern.format(source=book.source_language), checks) for pattern, checks in AFFECTED]
    found = [next((checks for pattern, checks in patterns if re.fullmatch(pattern, path)), None) for path in changed]
    if None in found:
        return Affected(None, ["tests"], None)
    return Affected(set().union(*found), tests(book, changed), chapters(book, changed))


def tests(book, changed):
    """The test files that a change can affect: its own, those of its room and the rooms above, and of the book."""
    every = [path for path in sorted((book.root / "tests").rglob("test_*.py")) if "pages" not in path.parts]
    rooms = {above for path in changed if path.startswith("ci/") for above in rooms_above(path.split("/")[1])}
    names = [path for path in every if book.relative(path) in changed or path.relative_to(book.root).parts[1] in rooms]
    if any(not path.startswith("tests/") for path in changed):
        names += [path for path in every if READS_THE_BOOK.search(path.read_text(encoding="utf-8"))]
    return sorted({book.relative(path) for path in names})


def rooms_above(room):
    """A room of `ci` and those that can import from it."""
    return ROOMS[: ROOMS.index(room) + 1] if room in ROOMS else ROOMS


def chapters(book, changed):
    """The chapters that are all a change touches, or None if it touches more."""
    found = {f"book/{match[1]}" for path in changed if (match := TEXT.fullmatch(path))}
    only = all(TEXT.fullmatch(path) for path in changed) and found <= set(book.chapters)
    return [name for name in book.chapters if name in found] if only else None
