"""Publishes the rendered languages as one site: the old one stays until the new one is complete.

python -m ci.site clean     before rendering: throw away what an interrupted rendering left
python -m ci.site publish   after rendering: _build/sphinx/LANGUAGE -> _build/html
"""

import html
import json
import shutil
import sys

from ci.chapters import here
from ci.errors import reported

INDEX = """<!doctype html>
<html lang="{source}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<script>
  const languages = {codes}
  const wanted = navigator.languages.map(language => language.split("-")[0])
  location.replace((wanted.find(code => languages.includes(code)) ?? "{source}") + "/{front}.html")
</script>
<h1>{title}</h1>
<ul>
{links}
</ul>
</html>
"""

REDIRECT = """<!doctype html>
<html lang="{code}">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={front}.html">
<title>{title}</title>
<a href="{front}.html">{title}</a>
</html>
"""


def rendering(book):
    """The folder in which Sphinx keeps doctrees and pages between builds, so that it renders only what changed."""
    return book.root / "_build" / "sphinx"


def published(book):
    return book.root / "_build" / "html"


def previous(book):
    return book.root / "_build" / "html.old"


def clean(book):
    """Begins a rendering; one that never came to its end is started afresh, since its pages may be half written."""
    site, old = published(book), previous(book)
    if old.exists() and not site.exists():  # stopped in the middle of the exchange
        old.rename(site)
    folder = rendering(book)
    unfinished = folder / "unfinished"
    if unfinished.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished.touch()


def index(book):
    """The page that leads a reader to the language of their browser, or lets them choose where no script runs."""
    source, front = book.source_language, book.pages[0]
    links = "\n".join(
        f'<li><a href="{code}/{front}.html" lang="{code}" hreflang="{code}">{html.escape(name)}</a></li>'
        for code, name in book.languages.items()
    )
    return INDEX.format(
        source=source, front=front, title=html.escape(book.title), links=links, codes=json.dumps(list(book.languages))
    )


def forget_pages(book):
    """Removes what Sphinx rendered of chapters that are gone."""
    for code in book.languages:
        folder = rendering(book) / code
        for path in [*folder.glob("book/**/*.html"), *folder.glob("_sources/book/**/*.md")]:
            name = path.relative_to(folder).as_posix().removeprefix("_sources/").rpartition(".")[0]
            if name not in book.pages:
                path.unlink()


def publish(book):
    """Ends a rendering: copies all languages beside the published site and exchanges the two."""
    site, old = published(book), previous(book)
    new = site.with_suffix(".new")
    forget_pages(book)
    for left in (new, old):
        shutil.rmtree(left, ignore_errors=True)
    for code in book.languages:
        shutil.copytree(rendering(book) / code, new / code, ignore=shutil.ignore_patterns(".buildinfo"))
        (new / code / "index.html").write_text(
            REDIRECT.format(code=code, front=book.pages[0], title=html.escape(book.title)), encoding="utf-8"
        )
    (new / "index.html").write_text(index(book), encoding="utf-8")
    (new / ".nojekyll").touch()
    if site.exists():
        site.rename(old)
    new.rename(site)
    shutil.rmtree(old, ignore_errors=True)
    (rendering(book) / "unfinished").unlink()


def main():
    book = here()
    with reported():
        if sys.argv[1] == "clean":
            clean(book)
        else:
            publish(book)


if __name__ == "__main__":
    main()
