"""Make the notebooks of all languages from the chapters, the cached outputs and the catalogues."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import nbformat
from jupytext.combine import combine_inputs_with_outputs
from nbformat import NotebookNode

from ci import _
from ci.book import Book, BookError, display, files
from ci.catalogues import po
from ci.execution import environment, frameworks, saved, stored
from ci.execution.cache import Entry, code_cells, code_digest, executed
from ci.notebooks import cells, chapter_text, translate
from ci.notebooks.pairing import refuse_edits
from ci.outputs import compare

Text = tuple[Path, str]  # the path and the text of a notebook


def with_outputs(book: Book, name: str, done: NotebookNode) -> NotebookNode:
    """Return a chapter as jupytext reads it, with the outputs of `done`, the executed chapter, and counts 1..n."""
    notebook = chapter_text.read(book.source(name).read_text(encoding="utf-8"))
    cells = zip(code_cells(notebook), code_cells(done), strict=True)
    for count, (cell, executed_cell) in enumerate(cells, start=1):
        cell.execution_count = count
        cell.outputs = counted([nbformat.from_dict({**output}) for output in executed_cell.outputs], count)
    return notebook


def agree(book: Book, fresh: NotebookNode, old: NotebookNode) -> bool:
    """Return whether two notebooks have the same code, and outputs that match, as announced or within tolerances."""
    new, before = code_cells(fresh), code_cells(old)
    if [cell.source for cell in new] != [cell.source for cell in before]:
        return False
    found = (
        compare.differences(other.outputs, cell.outputs, compare.tolerance(cell.metadata), book.lines_not_compared)
        for cell, other in zip(new, before, strict=True)
    )
    return all(environment.announces(book, differences) for differences in found if differences)


def counted(outputs: list[NotebookNode], count: int) -> list[NotebookNode]:
    """Set the execution count of a cell in its outputs; return them."""
    for output in outputs:
        if output.output_type == "execute_result":
            output.execution_count = count
    return outputs


def build(book: Book, name: str, done: NotebookNode, execution: dict | None = None) -> NotebookNode:
    """Return the notebook of a chapter in the source language: its prose and code, with the outputs of `done`.

    The ids of cells in the stored notebook are kept. So are its outputs if all of them match the new ones, so that the
    file changes only if the book has changed; otherwise all are new, since the numbers of a page must be those of one
    execution. Outputs of the last commit come first, since Jupyter may have written others that match, too. Everything
    else that Jupyter writes is dropped. `execution`, as of `stored.execution`, is stored if code or outputs are new.
    """
    fresh = with_outputs(book, name, done)
    path = book.notebook(name, book.source_language)
    fresh.metadata[stored.EXECUTION] = execution
    if not (old := saved.load(book, path)):
        return fresh
    committed = nbformat.v4.new_notebook()
    with suppress(BookError):
        committed = saved.parse((book.committed(path) or "").encode())
    ids = [cell.get("id") for cell in combine_inputs_with_outputs(fresh, old).cells]
    for cell, id in zip(fresh.cells, ids, strict=True):
        cell.id = id or cell.id
    if known := next((notebook for notebook in (committed, old) if agree(book, fresh, notebook)), None):
        for cell, other in zip(code_cells(fresh), code_cells(known), strict=True):
            cell.outputs = counted(other.outputs, cell.execution_count)
    said = old.metadata.get(stored.EXECUTION)
    same = [cell.outputs for cell in code_cells(fresh)] == [cell.outputs for cell in code_cells(old)]
    if execution and said and said["code"] == execution["code"] and same:
        fresh.metadata[stored.EXECUTION] = said
    return fresh


def execution_of(book: Book, name: str, entry: Entry) -> dict | None:
    """Return the record of the execution of a cache entry, as `stored.execution`; None if it needs no frameworks."""
    if not frameworks.needed(book, name):
        return None
    if not entry.was_executed:
        return entry.data.get(stored.EXECUTION)  # None if the chapter failed
    return {"date": entry.data["environment"]["date"], "code": code_digest(entry.notebook)}


def text_of(notebook: NotebookNode) -> str:
    """Serialise a notebook; of its metadata, keep only `kernelspec` and the record of its execution."""
    execution = notebook.metadata.get(stored.EXECUTION)
    kept = {"kernelspec": dict(notebook.metadata.kernelspec)} | ({stored.EXECUTION: execution} if execution else {})
    notebook.metadata = nbformat.from_dict(kept)
    return nbformat.writes(nbformat.validator.normalize(notebook)[1], version=4) + "\n"


def all_notebooks(book: Book) -> Iterator[Text]:
    """Yield (path, text) of the notebook of each chapter in each language, with the outputs in the cache."""
    cache = executed(book)
    for name in book.chapters:
        entry = cache.fetch(name)
        if not entry:
            raise BookError(f"{name}.md has changed since it was executed: run ./ci/book.sh refresh")
        notebook = build(book, name, entry.notebook, execution_of(book, name, entry))
        yield book.notebook(name, book.source_language), text_of(notebook)
        yield from translated_notebooks(book, name, notebook)


def stored_notebooks(book: Book) -> Iterator[Text]:
    """Yield (path, text) of each translated notebook, with the outputs stored in those of the source language."""
    for name in book.chapters:
        done, execution = stored.with_stored_outputs(book, name), stored.execution(book, name)
        yield from translated_notebooks(book, name, build(book, name, done, execution))


def translated_notebooks(book: Book, name: str, notebook: NotebookNode) -> Iterator[Text]:
    """Yield (path, text) of each translation of a notebook."""
    for language in book.translations:
        messages = po.load(book.catalogue(name, language))
        translated = translate.notebook(notebook, messages, book.source_language)
        yield book.notebook(name, language), text_of(translated)


def first_difference(old: str, new: str) -> str:
    """Return the first cell in which two serialised notebooks differ, and how, such as "(code cell 3: outputs)"."""
    if not old:
        return "(new)"
    try:
        before, after = (saved.parse(text.encode()) for text in (old, new))
    except BookError:
        return "(was not a notebook)"
    if len(before.cells) != len(after.cells):
        return "(number of cells)"
    for name, was, now in zip(cells.names(after), before.cells, after.cells, strict=True):
        if was != now:
            return f"({name}: {', '.join(key for key in now if was.get(key) != now[key])})"
    return "(metadata)"


def bring_up_to_date(book: Book, notebooks: Iterable[Text], check: bool) -> int:
    """Write the notebooks that differ from their files, or only print their names if `check`; return their number."""
    changed = 0
    with display.stage(_("making the notebooks")) as advance:
        for path, text in notebooks:
            old = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
            advance()
            if old == text:
                continue
            changed += 1
            what = f"{book.relative(path)} {first_difference(old, text)}"
            if check:
                print(f"out of date: {what}")
            else:
                print(f"written: {what}{kept(book, path, old)}")
                files.write(path, text)
    return changed


def kept(book: Book, path: Path, old: str) -> str:
    """Copy a notebook that differs from the last commit, since somebody may have edited it; return a note on it."""
    if not old or old == book.committed(path):
        return ""
    said = f"; as it was: {book.relative(files.keep(book, path))}"
    language = path.relative_to(book.root / "notebooks").parts[0]
    return said + f" (translations are edited in locale/{language})" * (language in book.translations)


def write_all(book: Book) -> None:
    """Write the notebooks of all languages, with the outputs in the cache."""
    refuse_edits(book)
    print(f"notebooks: {bring_up_to_date(book, all_notebooks(book), check=False)} changed")


def write_translated(book: Book) -> None:
    """Write the translated notebooks, with the outputs stored in those of the source language, which do not change."""
    print(f"notebooks: {bring_up_to_date(book, stored_notebooks(book), check=False)} changed")


def check(book: Book) -> None:
    """Raise BookError if a notebook differs from what `write_all` would write."""
    if bring_up_to_date(book, all_notebooks(book), check=True):
        raise BookError("run ./ci/book.sh refresh and commit what it writes")
    print("notebooks: up to date")
