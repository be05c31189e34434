"""What the commands say, in the language of whoever runs them, and what the site says around its pages.

A sentence is written in English and marked by `_`. Its translations are in the catalogue `ci`, which is kept like that
of a page; a language without it gets English.
"""

import gettext
import os

from ci.book import TOOLS, BookError, here
from ci.catalogues import po

VARIABLES = ("FLAXBOOK_LANG", "LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides


class Sentences(gettext.NullTranslations):
    """The translations of one language, asked as any catalogue of gettext is.

    Attributes:
      known: {English: translation}.
    """

    def __init__(self, known=()):
        super().__init__()
        self.known = dict(known)

    def gettext(self, message):
        return self.known.get(message, message)


def user_language(environment=os.environ):
    """The code of the language a person has set, such as "ko"; "" if none."""
    chosen = next(filter(None, map(environment.get, VARIABLES)), "")
    return chosen.partition("_")[0].partition(".")[0]


def sentences(book, language):
    """Returns the `Sentences` of a language; in one without translations everything is English.

    Raises:
      Refused: the catalogue must not be published.
    """
    return Sentences(po.load(book.catalogue(TOOLS, language)) if language in book.translations else {})


def users_sentences():
    """The `Sentences` of whoever runs the command; English if the book or their catalogue cannot be read."""
    try:
        return sentences(here(), user_language())
    except BookError:
        return Sentences()


def say(sentence, /, **values):
    """Puts values into a sentence in the language of the user."""
    return users_sentences().gettext(sentence).format(**values)
