"""Brings each catalogue up to date with the messages in _build/gettext; makes the ones that are missing."""

import subprocess

import polib

from ci import translate
from ci.chapters import here
from ci.errors import reported


def new_catalogue(path, language):
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Project-Id-Version": "flaxbook",
        "Language": language,
        "Last-Translator": "",
        "X-Reviewer": "",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(path))


def main():
    book = here()
    with reported():
        for language in book.translations:
            for name in book.pages:
                template = book.root / "_build" / "gettext" / f"{name}.pot"
                messages = polib.pofile(str(template))
                messages.metadata.pop("POT-Creation-Date", None)  # a date that changes by itself is noise in a diff
                messages.save(str(template))
                path = book.catalogue(name, language)
                if not path.exists():
                    new_catalogue(path, language)
                options = ["--update", "--previous", "--no-wrap", "--backup=none", "--quiet"]
                subprocess.run(["msgmerge", *options, path, template], check=True)
                subprocess.run(["msgattrib", "--no-obsolete", "--no-wrap", "--output", path, path], check=True)
                entries = translate.parse(path)
                print(f"{book.relative(path)}: {entries.percent_translated()} % translated")


if __name__ == "__main__":
    main()
