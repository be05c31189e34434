"""Brings each catalogue up to date with the messages in _build/gettext; makes the ones that are missing.

python -m ci.update [LANGUAGE ...]
"""

import subprocess
import sys

import polib

from ci import po
from ci.bars import tracked
from ci.chapters import BookError, here
from ci.errors import reported
from ci.faults import _
from ci.words import say

MERGE = ["--update", "--previous", "--no-wrap", "--backup=none", "--quiet"]


def new_catalogue(path, language):
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Project-Id-Version": "flaxbook",
        "PO-Revision-Date": "",
        "Language": language,
        "Last-Translator": "",
        "X-Reviewer": "",
        "MIME-Version": "1.0",
        "Content-Type": po.CONTENT_TYPE,
        "Content-Transfer-Encoding": "8bit",
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(path))


def update(book, name, language):
    """Merges the messages of a page into its catalogue. What has changed becomes fuzzy and keeps the old English.

    Raises:
      Refused: the catalogue cannot be read; it is left as it is.
    """
    template = book.root / "_build" / "gettext" / f"{name}.pot"
    messages = polib.pofile(str(template))
    messages.metadata.pop("POT-Creation-Date", None)  # a date that changes by itself is noise in a diff
    messages.save(str(template))
    path = book.catalogue(name, language)
    if path.exists():
        po.parse(path)
    else:
        new_catalogue(path, language)
    subprocess.run(["msgmerge", *MERGE, path, template], check=True)
    subprocess.run(["msgattrib", "--no-obsolete", "--no-wrap", "--output", path, path], check=True)
    if fuzzy := len(po.parse(path).fuzzy_entries()):
        print(say(_("{path}: entries whose English has changed: {count}"), path=book.relative(path), count=fuzzy))


def main():
    book = here()
    with reported():
        for language in sys.argv[1:] or book.translations:
            if language not in book.translations:
                raise BookError(f"{language!r} is no language of the book: it has {', '.join(book.translations)}")
            for name in tracked(book.domains, language):
                update(book, name, language)


if __name__ == "__main__":
    main()
