"""Read the lists in locale/, each a CSV file in UTF-8."""

import csv
from collections.abc import Iterator
from pathlib import Path

from ci import _
from ci.book import BookError


def rows(path: Path, columns: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line, {column: text}) for each row of a list; a list that does not exist has no rows.

    Raises:
      BookError: the file is not CSV in UTF-8, its columns are not `columns`, or a row has too many or too few cells.
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
                    sentence = _("{file}:{line}: the row must have {count} columns: put text with commas in quotes")
                    raise BookError(sentence, file=path.name, line=reader.line_num, count=len(columns))
                yield reader.line_num, row
    except (UnicodeDecodeError, csv.Error) as error:
        raise BookError(_("{file}: not a CSV file in UTF-8: {error}"), file=path.name, error=error) from error
