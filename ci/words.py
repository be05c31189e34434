"""What the commands say, in the language of whoever runs them, and what the site says around its pages.

A sentence is written in English and marked by `_`. Its translations are in the catalogue `ci`, which is kept like that
of a page; a language without it gets English.

python -m ci.words  writes the template of that catalogue
"""

import os

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from ci import po
from ci.chapters import TOOLS, here

SOURCES = ("ci", "book/_ext", "book/_themes")
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
VARIABLES = ("FLAXBOOK_LANG", "LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides


def user_language(environment=os.environ):
    """The code of the language a person has set, such as "ko"; "" if none."""
    chosen = next(filter(None, map(environment.get, VARIABLES)), "")
    return chosen.partition("_")[0].partition(".")[0]


def sentences(book, language):
    """Returns {English: translation} of what the commands say; empty for a language without translations."""
    return po.load(book.catalogue(TOOLS, language)) if language in book.translations else {}


def explain(error):
    """The text of a `BookError`, in the language of the user as far as it is translated."""
    if not isinstance(error, po.Refused):
        return str(error)
    try:
        return error.say(sentences(here(), user_language()))
    except po.Refused:  # the translations themselves are
        return str(error)


def say(sentence, /, **values):
    """Puts values into a sentence in the language of the user."""
    book = here()
    return sentences(book, user_language()).get(sentence, sentence).format(**values)


def extract(book):
    """Writes what the commands say into _build/gettext, as a template for catalogues."""
    catalogue = Catalog(charset="utf-8")
    for folder in SOURCES:
        for found in extract_from_dir(book.root / folder, METHODS, keywords={"_": None}):
            message = catalogue.add(found[2])  # the sentence alone: file and line would change with every edit
            message.flags.discard("python-format")  # which Babel guesses from a per cent sign
    path = book.root / "_build" / "gettext" / f"{TOOLS}.pot"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, omit_header=True, width=0)


if __name__ == "__main__":
    extract(here())
