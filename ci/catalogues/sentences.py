"""Translate the messages of the commands and of the site, which are English and marked by `_`.

Their catalogue, `ci`, is like that of a page; a sentence without a translation stays English.
"""

import gettext
import os
from collections.abc import Mapping

from ci.book import TOOLS, Book, BookError, here
from ci.catalogues import po

VARIABLES = ("FLAXBOOK_LANG", "LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides


class Sentences(gettext.NullTranslations):
    """A translations object of Python's gettext for one language, with the messages {English: translation}."""

    def __init__(self, known: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.known = dict(known or {})

    def gettext(self, message: str) -> str:
        """Return the translation of a message, or the message."""
        return self.known.get(message, message)


def user_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the code of the language that the user has set, such as "ko"; "" if none is set."""
    chosen = next(filter(None, map(environment.get, VARIABLES)), "")
    return chosen.partition("_")[0].partition(".")[0]


def sentences(book: Book, language: str) -> Sentences:
    """Return the `Sentences` of a language, English without a catalogue; raise Refused if it must not be published."""
    return Sentences(po.load(book.catalogue(TOOLS, language)) if TOOLS in book.domains_in(language) else {})


def users_sentences() -> Sentences:
    """Return the `Sentences` of the user's language; they are English if the book or the catalogue cannot be read."""
    try:
        return sentences(here(), user_language())
    except BookError:
        return Sentences()


def say(sentence: str, /, **values: object) -> str:
    """Return a sentence in the language of the user, with its values filled in."""
    return users_sentences().gettext(sentence).format(**values)
