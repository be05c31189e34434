"""What stands above each page: its languages, its notebook, its source, and how long it takes."""

from pathlib import Path

from ci import _
from ci.execution import stored
from ci.execution.cache import read
from ci.notebooks import form
from ci.site import facts

SHOWN = "shown of the cache"  # in the metadata of a page
IN_COLAB, IN_KAGGLE, DOWNLOAD = _("Open in Colab"), _("Open in Kaggle"), _("Download the notebook")
SOURCE, CATALOGUE = _("View the source"), _("View the translation")
READ, READ_AND_RUN = _("About {read} min to read"), _("About {read} min to read, {run} min to run")
MADE = _("Outputs of {date}: JAX {jax}, Flax {flax}, Optax {optax}, Python {Python}, {cores} cores of {processor}")
CHECKED, STATUS = _("How they are checked"), "book/status"
KEPT = _("About {read} min to read; not run in this build, the outputs are those of {date}")
NOT_RUN = _("About {read} min to read; not run in this build, the outputs are those of the notebook")


def links(book, name, language):
    """Returns [(kind, address, label)] of what belongs to a page in a language."""
    found = []
    if name in book.chapters:
        notebook = book.notebook(name, language)
        found.append(("colab", book.in_colab(notebook), IN_COLAB))
        found.append(("kaggle", book.in_kaggle(notebook), IN_KAGGLE))
        found.append(("download", f"{Path(name).name}.ipynb", DOWNLOAD))
    found.append(("source", book.in_repository(book.source(name)), SOURCE))
    if language in book.translations and book.catalogue(name, language).exists():
        found.append(("source", book.in_repository(book.catalogue(name, language)), CATALOGUE))
    return found


def duration(cache, name, gettext):
    """A line that says how long a chapter of a cache takes."""
    reading, running = form.reading_minutes(read(cache.book, name)), facts.running_minutes(cache, name)
    entry = cache.fetch(name)
    kept = entry and not entry.was_executed
    date = kept and entry.data.get(stored.EXECUTION, {}).get("date")
    sentence = READ_AND_RUN if running else KEPT if date else NOT_RUN if kept else READ
    return gettext(sentence).format(read=reading, run=running, date=date)


def made(cache, name, gettext):
    """A line that says when, with what and on which machine the outputs of a chapter were made; "" if not here."""
    entry = cache.fetch(name)
    return gettext(MADE).format(**entry.data["environment"]) if entry and entry.was_executed else ""


def shown(cache, name):
    """What a page shows of its entry in a cache: outputs of which digest, and how they were made."""
    record = cache.match(read(cache.book, name))
    return record and [record.data[key] for key in ("file", "execution_seconds", "environment") if key in record.data]


def keep_shown(app, docname, _source):
    if docname in app.book.chapters:
        app.env.metadata[docname][SHOWN] = shown(app.cache, docname)


def outdated(app, env, *_changes):
    """The pages whose outputs are others now, while their text is as it was."""
    chapters = (name for name in app.book.chapters if SHOWN in env.metadata[name])
    return [name for name in chapters if env.metadata[name][SHOWN] != shown(app.cache, name)]


def add_tools(app, pagename, templatename, context, doctree):
    book, language, gettext = app.book, app.config.language, app.sentences.gettext
    path = f"{pagename}{app.builder.out_suffix}"
    context["languages"] = [
        {"code": code, "name": name, "here": f"../{code}/{path}", "published": book.address(pagename, code)}
        for code, name in book.languages.items()
    ]
    context["tools"] = []
    if pagename in book.pages:
        context["tools"] = [(kind, address, gettext(text)) for kind, address, text in links(book, pagename, language)]
    if pagename in book.chapters:
        context["duration"] = duration(app.cache, pagename, gettext)
        context["made"] = made(app.cache, pagename, gettext)
        context["checked"] = (STATUS, gettext(CHECKED)) if STATUS in book.pages else None


def set_addresses(app, config):
    """Tells Sphinx, and what describes pages to other sites, where this language is published."""
    book = app.book
    config.html_baseurl = config.ogp_site_url = f"{book.site}/{config.language}/"
    config.ogp_site_name = config.html_title


def setup_page_tools(app):
    app.connect("config-inited", set_addresses, priority=950)  # after the title is translated
    app.connect("html-page-context", add_tools)
    app.connect("source-read", keep_shown)
    app.connect("env-get-outdated", outdated)
