"""The book itself: chapters, notebooks and catalogues of this repository agree."""

import ast
import itertools
import json
import os
import re
import subprocess
import sys
import tomllib

import jupytext.cli
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from ci.book import here, markdown
from ci.catalogues import po
from ci.execution import frameworks
from ci.execution.cache import code_cells
from ci.notebooks import chapter_text, translate, trials
from ci.notebooks.cells import Chapter
from ci.site import releases

BOOK = here()
SOURCE = BOOK.source_language

chapters = pytest.mark.parametrize("name", BOOK.chapters)
translations = pytest.mark.parametrize("language", BOOK.translations)


@chapters
def test_what_was_tried_was_noticed_and_held(name):
    state = trials.state(BOOK, name)
    if not state.not_tried:
        assert (state.noticed, state.held) == (state.sabotages, state.lessons), f"run ./ci/book.sh prove {name}"


def chapter_imports(name, folder):
    """The import statements of a chapter, also those inside functions, and what it hides from imports.

    Its programs are written into a folder.
    """
    for cell in code_cells(jupytext.read(BOOK.source(name))):
        code = cell.source
        if written := re.match(r"%%writefile (?:-a )?(\S+)\n", code):
            code = code[written.end() :]
            with (folder / written[1]).open("a", encoding="utf-8") as file:
                file.write(code + "\n")
        if not written or "tensorflow" not in frameworks.needed(BOOK, name):  # or else the program is about it
            tree = ast.parse(TransformerManager().transform_cell(code))
            statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
            for node in statements:
                if isinstance(node, ast.Import | ast.ImportFrom) or ast.unparse(node).startswith("sys.modules["):
                    yield ast.unparse(node)


@pytest.mark.slow
def test_nothing_that_chapters_import_imports_tensorflow(tmp_path):
    # A TensorFlow that can be found, as in Colab: whoever imports it, however deep, is caught.
    (tmp_path / "tensorflow").mkdir()
    (tmp_path / "tensorflow" / "__init__.py").write_text("")
    lines = ["import contextlib, sys"]
    for name in BOOK.chapters:
        if set(frameworks.lacking(BOOK, name)) - {"tensorflow"}:
            continue  # without PyTorch, its import would be the error
        folder = tmp_path / name
        folder.mkdir(parents=True)
        lines += [f"sys.path.insert(0, {str(folder)!r})"]
        for statement in chapter_imports(name, folder):  # a program of the chapter may read what a cell has written
            lines += [f"with contextlib.suppress(FileNotFoundError): {statement}"]
        lines += [f"assert not sys.modules.pop('tensorflow', None), {name!r}"]
    places = [tmp_path, BOOK.root, *filter(None, [frameworks.folder(BOOK)])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, places))}
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_title_of_the_book_is_the_heading_of_its_front_page():
    lines = BOOK.source(BOOK.pages[0]).read_text(encoding="utf-8").splitlines()
    assert next(line for line in lines if line.startswith("# ")) == f"# {BOOK.title}"


def test_the_facts_of_the_citation_are_those_of_the_book():
    facts, project = releases.cited(BOOK), tomllib.loads((BOOK.root / "pyproject.toml").read_text(encoding="utf-8"))
    assert (facts["title"], facts["url"], facts["repository-code"]) == (BOOK.title, BOOK.site, BOOK.repository)
    assert [author["name"] for author in facts["authors"]] == [BOOK.config["author"]]
    assert releases.unprepared(BOOK, project["project"]["version"]) == []


def test_notebooks_are_parsed_as_the_site_is():
    assert set(BOOK.config["parse"]["myst_enable_extensions"]) == markdown.MYST_EXTENSIONS


def test_nothing_but_the_catalogues_of_the_pages_is_kept_in_locale():
    expected = {BOOK.relative(BOOK.catalogue(name, code)) for name in BOOK.domains for code in BOOK.translations}
    files = subprocess.run(["git", "ls-files", "locale"], cwd=BOOK.root, capture_output=True, text=True, check=True)
    assert {file for file in files.stdout.split() if file.endswith((".po", ".mo"))} == expected


@chapters
@translations
def test_notebooks_are_cut_into_the_messages_of_the_catalogues(name, language):
    messages = {entry.msgid for entry in po.parse(BOOK.catalogue(name, language))}
    for cell in Chapter(BOOK, name).prose:
        for block in translate.blocks(cell.cell.source):
            assert block.message in messages, f"{name}.md:{cell.line + block.first}: run ./ci/book.sh update"


def test_the_address_of_the_repository_is_the_same_everywhere():
    address = BOOK.config["repository"]["url"]
    command = ["git", "grep", "-hoIE", r"https://github\.com/[^/ ]+/flaxbook", "--", ":!tests"]
    found = subprocess.run(command, cwd=BOOK.root, capture_output=True, text=True, check=True).stdout.split()
    assert set(found) == {address}
    assert len(found) > len(BOOK.chapters)


def test_weblate_finds_every_catalogue():
    pattern = json.loads((BOOK.root / ".weblate" / "discovery.json").read_text(encoding="utf-8"))["match"]
    for language in BOOK.translations:
        for name in BOOK.domains:
            found = re.fullmatch(pattern, BOOK.relative(BOOK.catalogue(name, language)))
            assert found and found.groupdict() == {"language": language, "component": name}


@pytest.mark.parametrize("name", ["README.md", "README.ko.md", "CONTRIBUTING.md", "CONTRIBUTING.ko.md"])
def test_links_of_the_readme_lead_to_files(name):
    for target in re.findall(r"\]\(([^)#:]+)\)", (BOOK.root / name).read_text(encoding="utf-8")):
        assert (BOOK.root / target).exists(), f"{name}: dead link {target}"


def test_scripts_accept_the_versions_of_python_that_the_package_does():
    required = tomllib.loads((BOOK.root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    low, high = re.search(
        r"\((3, \d+)\) <= sys.version_info < \((3, \d+)\)", (BOOK.root / "ci/book.sh").read_text()
    ).groups()
    assert required == f">={low.replace(', ', '.')},<{high.replace(', ', '.')}"


def test_jupyter_pairs_chapters_with_the_notebooks_of_the_first_language():
    settings = tomllib.loads((BOOK.root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["jupytext"]
    assert settings["formats"] == {"book": "md:myst", f"notebooks/{SOURCE}": "ipynb"}
    assert settings["cell_metadata_filter"] == ",".join([*chapter_text.PAIRED, "-all"])


def test_jupytext_sync_changes_no_byte_of_a_chapter_or_a_notebook(tmp_path):
    pairs = [(BOOK.source(name), BOOK.notebook(name, SOURCE)) for name in BOOK.chapters]
    copies = {file: tmp_path / BOOK.relative(file) for file in itertools.chain(*pairs)}
    for file, copy in [*copies.items(), (BOOK.root / "pyproject.toml", tmp_path / "pyproject.toml")]:
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    for number, pair in enumerate(pairs):  # of every other pair the chapter is newer, and the notebook of the others
        os.utime(copies[pair[number % 2]], (1, 1))
    jupytext.cli.jupytext(["--quiet", "--sync", *(str(copies[chapter]) for chapter, _notebook in pairs)])
    assert [file for file, copy in copies.items() if file.read_bytes() != copy.read_bytes()] == []
