"""Makes the book as an EPUB."""

import shutil

from ci.book import sphinx
from ci.execution import run
from ci.site.export import write_all


def write(book, languages, cache):
    """Makes an EPUB in each of some languages from a cache of executed chapters; yields their paths.

    Raises:
      BookError: a page has a fault.
    """
    folder = book.built("epub")
    for language in languages:
        shutil.rmtree(folder / language, ignore_errors=True)
        name = f"flaxbook-{language}"
        places = {language: {"output": folder / language, "doctrees": folder / "doctrees" / language}}
        sphinx.render_all(book, "epub", places, cache=cache, epub_basename=name)
        yield (folder / language / f"{name}.epub").rename(folder / f"{name}.epub")


def export(book, codes):
    """Executes what is to be executed, and makes an EPUB in each of some languages, or of all if none is named."""
    write_all(book, codes, lambda languages: write(book, languages, run.execute(book)[0]))
