"""Adds a language to the book's list and to the readmes: python -m ci.new_language CODE"""

import re
import sys

import yaml
from babel import Locale, UnknownLocaleError

from ci.chapters import Book, BookError, here
from ci.errors import reported

LIST = re.compile(r"(<!-- languages -->\n).*?(<!-- /languages -->)", re.DOTALL)


def language_name(code):
    """Returns the name of a language in itself, such as "日本語" for "ja".

    Raises:
      BookError: there is no such language.
    """
    try:
        if not re.fullmatch("[a-z]{2,3}", code):
            raise ValueError(code)
        locale = Locale.parse(code)
        if locale.language != code:
            raise BookError(f"{code!r}: the code of this language is {locale.language}")
        name = locale.get_display_name(code)
    except (UnknownLocaleError, ValueError) as error:
        raise BookError(f"{code!r} is no language: give its code of two or three letters, such as ja") from error
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
        raise BookError("_config.yml: write each of the book_languages on a line of its own")
    last_key, last_value = node.value[-1]
    lines = config.splitlines(keepends=True)
    lines.insert(last_value.end_mark.line + 1, f"{' ' * last_key.start_mark.column}{code}: {name}\n")
    return "".join(lines)


def with_languages(readme, languages):
    """Writes the list of languages, {code: name}, into the text of a readme."""
    links = "".join(f"- [{name}](notebooks/{code})\n" for code, name in languages.items())
    return LIST.sub(lambda match: match[1] + links + match[2], readme)


def add(book, code):
    """Adds a language to a book.

    Raises:
      BookError: there is no such language, or the book has it already; nothing is changed.
    """
    if code in book.languages:
        raise BookError(f"the book is already in {book.languages[code]} ({code})")
    name = language_name(code)
    config = book.root / "_config.yml"
    config.write_text(with_language(config.read_text(encoding="utf-8"), code, name), encoding="utf-8")
    languages = Book(book.root).languages
    for readme in book.root.glob("README*.md"):
        readme.write_text(with_languages(readme.read_text(encoding="utf-8"), languages), encoding="utf-8")


if __name__ == "__main__":
    with reported():
        if len(sys.argv) != 2:
            raise BookError("which language? ./ci/locale.sh new CODE, such as ja")
        add(here(), sys.argv[1])
