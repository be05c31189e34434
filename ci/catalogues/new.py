"""Adds a language to the list of the book."""

import re

import yaml
from babel import Locale, UnknownLocaleError

from ci import _
from ci.book import Book, BookError, Sentence, UsageError, files

NEXT = (
    _("{name} has begun, all of it in English at first. To commit: {files}"),
    _("Terms are rows of locale/glossary.csv, in alphabetical order, such as {row}"),
    _("To see what you translate: ./ci/book.sh preview {code}"),
)


def language_name(code):
    """Returns the name of a language in itself, such as "日本語" for "ja".

    Raises:
      UsageError: there is no such language.
    """
    try:
        if not re.fullmatch("[a-z]{2,3}", code):
            raise ValueError(code)
        locale = Locale.parse(code)
        if locale.language != code:
            raise UsageError(_("{code}: the code of this language is {right}"), code=repr(code), right=locale.language)
        name = locale.get_display_name(code)
    except (UnknownLocaleError, ValueError) as error:
        sentence = _("{code} is no language: give its code of two or three letters, such as ja")
        raise UsageError(sentence, code=repr(code)) from error
    return name[0].upper() + name[1:]


def with_language(config, code, name):
    """Adds a line to the list of languages in the text of `_config.yml`; everything else stays as it is.

    Raises:
      BookError: the list does not have a line for each language.
    """
    node = yaml.compose(config)
    for key in ("sphinx", "config", "book_languages"):
        node = next(value for name_node, value in node.value if name_node.value == key)
    if node.flow_style:
        raise BookError(_("_config.yml: write each of the book_languages on a line of its own"))
    last_key, last_value = node.value[-1]
    lines = config.splitlines(keepends=True)
    lines.insert(last_value.end_mark.line + 1, f"{' ' * last_key.start_mark.column}{code}: {name}\n")
    return "".join(lines)


def new_name(book, code):
    """The name of a language that the book does not have yet.

    Raises:
      UsageError: there is no such language, or the book has it already.
    """
    if code in book.languages:
        raise UsageError(_("the book is already in {language} ({code})"), language=book.languages[code], code=code)
    return language_name(code)


def add(book, code, name):
    """Adds a language to the list of a book; returns the book with it."""
    config = book.root / "_config.yml"
    files.write(config, with_language(config.read_text(encoding="utf-8"), code, name))
    return Book(book.root)


def next_steps(book, code):
    """Yields what somebody does who has just added a language, as `Sentence`s."""
    files = f"_config.yml locale/{code} notebooks/{code}"
    for sentence in NEXT:
        yield Sentence(sentence, name=book.languages[code], code=code, files=files, row=f"batch,{code},…,,")
