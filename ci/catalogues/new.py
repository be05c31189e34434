"""Add a language to `languages` in `_config.yml`."""

import re
from collections.abc import Iterator

from babel import Locale, UnknownLocaleError

from ci import _
from ci.book import Book, BookError, Sentence, UsageError, files

LANGUAGES = re.compile(r"^languages:[ \t]*(?:#.*)?\n(?:(?P<indent> +)\S+:.*\n)+", re.MULTILINE)
NEXT = (
    _("{name} has been added; its pages are in English until they are translated. To commit: {files}"),
    _("Add terms to locale/glossary.csv as rows in alphabetical order, such as {row}"),
    _("To see the translation while you write it: ./ci/book.sh preview {code}"),
)


def new_name(book: Book, code: str) -> str:
    """Return the name of a new language in the language itself, such as "日本語" for "ja".

    Raises:
      UsageError: there is no such language, its code is another one, or the book has it already.
    """
    if code in book.languages:
        raise UsageError(_("the book is already in {language} ({code})"), language=book.languages[code], code=code)
    try:
        if not re.fullmatch("[a-z]{2,3}", code):
            raise ValueError(code)
        locale = Locale.parse(code)
        if locale.language != code:
            raise UsageError(_("{code}: the code of this language is {right}"), code=repr(code), right=locale.language)
        name = locale.get_display_name(code) or code
    except (UnknownLocaleError, ValueError) as error:
        sentence = _("{code} is not the code of a language: use two or three letters, such as ja")
        raise UsageError(sentence, code=repr(code)) from error
    return name[0].upper() + name[1:]


def with_language(config: str, code: str, name: str) -> str:
    """Return the text of `_config.yml` with a line added to the list of languages and nothing else changed.

    Raises:
      BookError: the list does not have one line for each language.
    """
    listed = LANGUAGES.search(config)
    if not listed:
        raise BookError(_("_config.yml: write each of the languages on a line of its own"))
    return f"{config[: listed.end()]}{listed['indent']}{code}: {name}\n{config[listed.end() :]}"


def add(book: Book, code: str, name: str) -> Book:
    """Add a language to `_config.yml`; return a `Book` that reads it again."""
    config = book.root / "_config.yml"
    files.write(config, with_language(config.read_text(encoding="utf-8"), code, name))
    return Book(book.root)


def next_steps(book: Book, code: str) -> Iterator[Sentence]:
    """Yield sentences that say what to do after a language has been added."""
    paths = f"_config.yml locale/{code} notebooks/{code}"
    for sentence in NEXT:
        yield Sentence(sentence, name=book.languages[code], code=code, files=paths, row=f"batch,{code},…,,")
