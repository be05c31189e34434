"""How long it takes to read and to run a chapter, in minutes."""

import re
from math import ceil

from jupyter_cache import get_cache

from ci.execute import cache_path, cached, read

WORDS_A_MINUTE = 238  # silent reading of English non-fiction: Brysbaert, 2019, doi:10.1016/j.jml.2019.104047
WORD = re.compile(r"\w+")
STEP = 5  # an estimate is no better than this


def reading_minutes(book, name):
    """Of the English, code included: a translation says as much. Rounded to a multiple of five."""
    words = sum(len(WORD.findall(cell.source)) for cell in read(book, name).cells)
    return max(STEP, STEP * round(words / WORDS_A_MINUTE / STEP))


def running_minutes(book, name):
    """As measured when the chapter was executed here, rounded up; None if it was not."""
    found = cached(get_cache(cache_path(book)), read(book, name))
    return ceil(found[1]["execution_seconds"] / 60) if found else None
