"""The lists in locale/, each a CSV file in UTF-8."""

import csv

from ci import _
from ci.book import BookError


def rows(path, columns):
    """Reads a list; one that is not there is empty.

    Yields:
      (line, {column: text}).

    Raises:
      BookError: it has other columns, or a row that cannot be right, with its line; or it is no such file.
    """
    if not path.exists():
        return
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if reader.fieldnames != columns:
                sentence = _("{file}:1: the columns must be {columns}")
                raise BookError(sentence, file=path.name, columns=", ".join(columns))
            for row in reader:
                if None in row or None in row.values():
                    sentence = _("{file}:{line}: not {count} columns: put a text with commas in quotes")
                    raise BookError(sentence, file=path.name, line=reader.line_num, count=len(columns))
                yield reader.line_num, row
    except (UnicodeDecodeError, csv.Error) as error:
        raise BookError(_("{file}: not a CSV file in UTF-8: {error}"), file=path.name, error=error) from error
