"""Makes the book as an EPUB."""

import shutil

from ci.book import sphinx


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
