"""Measure how the costs of a book grow with its size, and store them in book/growth.json: `nox -s growth`.

The books are synthetic: each chapter has code, a figure and sentences of its own, and all catalogues are complete. The
machine should have nothing else to do. The whole study takes more than an hour on two cores.
"""

import argparse
import itertools
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import polib
import yaml
from babel import Locale

from ci.book import Book, BookError, here
from ci.checks import bench, checks
from ci.checks.bench import BUILD, Run, edit_prose
from ci.execution import growth
from ci.execution.environment import environment
from ci.execution.growth import Cost

CHAPTERS = (10, 30, 100)
WORD = re.compile(r"(`[^`]+`)|[a-z]+")
CODES = ("en", "de", "fr", "es", "it", "nl", "pt", "sv", "da", "fi")
LANGUAGES = (1, 2, 5, 10)
SECTIONS = 6  # of a chapter
REFRESH = [*checks.CI, "refresh"]
HEADER = "---\nfile_format: mystnb\nkernelspec: {display_name: Python 3, language: python, name: python3}\n---\n"
FIRST_CELL = """\
```{{code-cell}}
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt

x = jnp.linspace(0, {number}, 100)
```
"""
SECTION = """
## Part {section} of {number}

This is sentence {section} of chapter {number}, which is about `jnp.sin` and about *{section}* waves. A second one
follows, as it does on most pages, and says that the sum of chapter {number} is printed below.

- The first point of part {section} in chapter {number}.
- The second point of part {section} in chapter {number}.

```{{code-cell}}
f = jax.jit(lambda x: jnp.sin({section} * x + {number}).sum())
print({number}, jax.value_and_grad(f)(1.0)[1] > 100)
```
"""
FIGURE = """
```{{code-cell}}
:mystnb: {{image: {{alt: "A sine wave, moved by {number}."}}}}

plt.plot(x, jnp.sin(x + {number}))
plt.show()
```
"""


def chapter(number: int) -> str:
    """Return the Markdown of a chapter; no cell and no sentence is in another one."""
    parts = [SECTION.format(section=section, number=number) for section in range(1, SECTIONS + 1)]
    return (
        HEADER
        + f"# Chapter {number}\n\n"
        + FIRST_CELL.format(number=number)
        + "".join(parts)
        + FIGURE.format(number=number)
    )


def configure(folder: Path, languages: int) -> Book:
    """Write the configuration of a book with some of the `LANGUAGES`, and remove the others; return the book."""
    names = {code: Locale.parse(code).get_display_name(code) for code in CODES[:languages]}
    about = {"title": "Growth", "author": "nobody", "repository": {"url": "https://github.com/growth/growth"}}
    config = yaml.safe_dump(about | {"languages": names}, allow_unicode=True, sort_keys=False)
    (folder / "_config.yml").write_text(config, encoding="utf-8")
    for code in CODES[languages:]:
        shutil.rmtree(folder / "locale" / code, ignore_errors=True)
        shutil.rmtree(folder / "notebooks" / code, ignore_errors=True)
    return Book(folder)


def translate(path: Path) -> None:
    """Complete a catalogue: each word is reversed, and code, which has the same parts in all languages, is kept."""
    entries = polib.pofile(str(path), wrapwidth=0)
    for entry in entries:
        entry.msgstr = WORD.sub(lambda word: word[0] if word[1] else word[0][::-1], entry.msgid)
    entries.metadata |= {"Last-Translator": "nobody", "PO-Revision-Date": "2026-01-01"}
    entries.save()


def write(book: Book, folder: Path, chapters: int, languages: int) -> Book:
    """Write a synthetic book into a folder, with the machinery of this book; return it.

    Its chapters are executed, its notebooks written, and its catalogues complete.
    """
    for name in ("ci", "requirements.txt", ".gitignore"):
        copy = shutil.copytree if (book.root / name).is_dir() else shutil.copy
        copy(book.root / name, folder / name)
    (folder / ".venv").symlink_to(book.root / ".venv")
    (folder / "book").mkdir()
    (folder / "book" / "index.md").write_text("# Growth\n", encoding="utf-8")
    files = [f"book/chapter{number}" for number in range(1, chapters + 1)]
    for number, name in enumerate(files, start=1):
        (folder / f"{name}.md").write_text(chapter(number), encoding="utf-8")
    toc = {"format": "jb-book", "root": "book/index", "chapters": [{"file": name} for name in files]}
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    run(configure(folder, 1), REFRESH)
    tree = configure(folder, languages)
    run(tree, [*checks.CI, "update"])
    for name, code in itertools.product(tree.pages, tree.translations):
        translate(tree.catalogue(name, code))
    run(tree, REFRESH)
    return tree


def run(tree: Book, command: list[str]) -> Run:
    """Run a command with the machinery of a book."""
    return bench.run(command, tree.root, {"PYTHONPATH": str(tree.root)})


def measure(tree: Book, step: str, command: list[str]) -> Cost:
    """Return what a command costs in a book."""
    return Cost(len(tree.chapters), len(tree.languages), step, *run(tree, command)[1:])


def costs(tree: Book) -> Iterator[Cost]:
    """Run all steps in a synthetic book, from nothing; yield their costs, and leave the sources as they were."""
    shutil.rmtree(tree.built())
    yield measure(tree, growth.COLD, BUILD)
    yield measure(tree, "checks", [*checks.CI, "test"])
    yield measure(tree, "nothing", BUILD)
    source = tree.source(tree.chapters[0])
    before = source.read_bytes()
    edit_prose(tree)
    yield measure(tree, "prose", BUILD)
    source.write_bytes(before)


def draw(book: Book, found: Sequence[Cost]) -> None:
    """Draw the seconds of two steps over the chapters, a line for each number of languages, and the fit dotted."""
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained", sharey=True)
    for ax, (step, title) in zip(
        axes, {growth.COLD: "from nothing", "prose": "a sentence changed"}.items(), strict=True
    ):
        model = growth.model(found, step)
        sizes = np.geomspace(min(cost.chapters for cost in found), growth.LARGEST[0])
        for color, count in enumerate(sorted({cost.languages for cost in found})):
            own = [cost for cost in found if (cost.step, cost.languages) == (step, count)]
            label = f"{count} language{'s' * (count > 1)}"
            ax.plot([cost.chapters for cost in own], [cost.seconds for cost in own], f"C{color}o-", ms=4, label=label)
            ax.plot(sizes, model.seconds(sizes, count), f"C{color}:", lw=1)
        ax.set(title=title, xlabel="chapters", xscale="log", yscale="log")
    axes[0].set_ylabel("seconds")
    axes[1].legend()
    figure.savefig(book.root / growth.FIGURE, metadata={"Date": None})
    plt.close(figure)


def report(book: Book, sizes: Iterable[int], languages: Iterable[int]) -> None:
    """Measure books of all sizes; store and draw the results after each number of chapters.

    The study can be made in parts: stored results of other sizes are kept if they come from such a machine with these
    packages. They then get the date of the last part.
    """
    machine = environment(book.packages)
    stored, before = growth.load(book)
    found = {cost[:3]: cost for cost in stored if before | {"date": ""} == machine | {"date": ""}}
    most, *fewer = sorted(languages, reverse=True)
    for chapters in sizes:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "init", "--quiet", folder], check=True)
            tree = write(book, Path(folder), chapters, most)
            for count in (most, *fewer):
                tree = configure(tree.root, count)
                subprocess.run(["git", "add", "--all"], cwd=folder, check=True)  # a check asks git which files exist
                for cost in costs(tree):
                    print(*cost[:3], *(f"{value:.1f}" for value in cost[3:]), flush=True)
                    found[cost[:3]] = cost
        measured = sorted(found.values())
        growth.store(book, measured, machine)
        draw(book, measured)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chapters", nargs="+", type=int, default=CHAPTERS)
    parser.add_argument("--languages", nargs="+", type=int, default=LANGUAGES, choices=range(1, len(CODES) + 1))
    try:
        chosen = parser.parse_args()
        report(here(), chosen.chapters, chosen.languages)
    except BookError as error:
        raise SystemExit(f"error: {error.say(str)}") from error
