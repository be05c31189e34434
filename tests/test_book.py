"""The book itself: chapters, notebooks and catalogues of this repository agree."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib

import jupytext
import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from ci.book import here, markdown
from ci.catalogues import po
from ci.execution import frameworks
from ci.execution.cache import code_cells
from ci.notebooks import agree, cells, chapter_text, faults, form, leftovers, prose, sabotages, translate
from ci.notebooks.cells import Chapter

BOOK = here()
SOURCE = BOOK.source_language

chapters = pytest.mark.parametrize("name", BOOK.chapters)
translations = pytest.mark.parametrize("language", BOOK.translations)


def stored(name, language):
    return nbformat.read(BOOK.notebook(name, language), as_version=4)


@chapters
def test_chapter_and_notebook_are_paired(name):
    chapter = chapter_text.read(BOOK.source(name).read_text(encoding="utf-8"))
    assert list(agree.unpaired(chapter, stored(name, SOURCE))) == []


@chapters
@translations
def test_translated_notebook_has_the_code_and_outputs_of_the_source(name, language):
    assert list(agree.untranslatable(stored(name, SOURCE), stored(name, language))) == []


@chapters
@translations
def test_translated_notebook_has_the_text_of_the_catalogue(name, language):
    expected = translate.notebook(stored(name, SOURCE), po.load(BOOK.catalogue(name, language)), SOURCE)
    found = zip(cells.names(expected), expected.cells, stored(name, language).cells, strict=True)
    for cell_name, cell, other in found:
        if cell.cell_type == "markdown":
            what = "the text is not that of the catalogue: run ./ci/book.sh refresh"
            assert list(agree.first_line(cell_name, cell.source, other.source, what)) == []


@chapters
@pytest.mark.parametrize("language", BOOK.languages)
def test_notebook_is_executed_in_order(name, language):
    assert list(agree.out_of_order(stored(name, language))) == []


@pytest.mark.parametrize("check", faults.SOURCE, ids=lambda check: check.__name__)
@chapters
def test_chapter_has_no_fault(name, check):
    assert list(map(str, faults.found(Chapter(BOOK, name), [check]))) == []


@pytest.mark.parametrize("check", faults.OUTPUTS, ids=lambda check: check.__name__)
@chapters
def test_notebook_has_no_fault(name, check):
    assert list(map(str, faults.found(Chapter(BOOK, name), [check], stored(name, SOURCE)))) == []


@chapters
def test_every_sabotage_of_a_chapter_can_be_tried(name):
    assert list(map(str, sabotages.faults(BOOK, name))) == []


@chapters
def test_a_chapter_has_enough_sabotages(name):
    enough = 6 if form.in_depth(name) else 8
    assert len(sabotages.listed(BOOK, name)) >= enough, f"write more of them in {name}{sabotages.ENDING}"


@translations
@chapters
def test_translated_notebook_is_small_and_links_where_the_source_does(name, language):
    assert BOOK.notebook(name, language).stat().st_size <= faults.LARGEST
    assert prose.targets(stored(name, language)) == prose.targets(stored(name, SOURCE))


def imports(source):
    """The import statements of a piece of code, also those inside functions, and what it hides from imports."""
    tree = ast.parse(TransformerManager().transform_cell(source))
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    return [
        ast.unparse(node)
        for node in statements
        if isinstance(node, ast.Import | ast.ImportFrom) or ast.unparse(node).startswith("sys.modules[")
    ]


def test_chapters_import_no_tensorflow(tmp_path):
    # A TensorFlow that can be found, as in Colab: whoever imports it, however deep, is caught.
    (tmp_path / "tensorflow").mkdir()
    (tmp_path / "tensorflow" / "__init__.py").write_text("")
    lines = ["import sys"]
    for name in BOOK.chapters:
        if set(frameworks.lacking(BOOK, name)) - {"tensorflow"}:
            continue  # without PyTorch, its import would be the error
        folder = tmp_path / name
        folder.mkdir(parents=True)
        lines += [f"sys.path.insert(0, {str(folder)!r})"]
        for cell in code_cells(jupytext.read(BOOK.source(name))):
            if written := re.match(r"%%writefile (?:-a )?(\S+)\n", cell.source):
                with (folder / written[1]).open("a", encoding="utf-8") as file:
                    file.write(cell.source[written.end() :] + "\n")
                if "tensorflow" not in frameworks.needed(BOOK, name):  # or else it is a program that is about it
                    lines += imports(cell.source[written.end() :])
            else:
                lines += imports(cell.source)
        lines += [f"assert not sys.modules.pop('tensorflow', None), {name!r}"]
    environment = os.environ | {"PYTHONPATH": frameworks.python_path(BOOK, tmp_path, BOOK.root)}
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_title_of_the_book_is_the_heading_of_its_front_page():
    assert BOOK.source(BOOK.pages[0]).read_text(encoding="utf-8").startswith(f"# {BOOK.title}\n")


def test_notebooks_are_parsed_as_the_site_is():
    assert set(BOOK.config["parse"]["myst_enable_extensions"]) == markdown.MYST_EXTENSIONS


def test_nothing_is_missing_and_nothing_is_left_of_a_page_that_is_gone():
    leftovers.refuse_missing(BOOK)
    leftovers.refuse(BOOK)


def test_nothing_but_the_catalogues_of_the_pages_is_kept_in_locale():
    expected = {BOOK.relative(BOOK.catalogue(name, code)) for name in BOOK.domains for code in BOOK.translations}
    files = subprocess.run(["git", "ls-files", "locale"], cwd=BOOK.root, capture_output=True, text=True, check=True)
    assert {file for file in files.stdout.split() if file.endswith((".po", ".mo"))} == expected


@chapters
@pytest.mark.parametrize("language", BOOK.translations)
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


@chapters
@pytest.mark.parametrize("newer", ["chapter", "notebook"])
def test_jupytext_sync_changes_nothing_whichever_file_is_newer(name, newer, tmp_path):
    files = [BOOK.root / "pyproject.toml", BOOK.source(name), BOOK.notebook(name, SOURCE)]
    copies = [tmp_path / BOOK.relative(file) for file in files]
    for file, copy in zip(files, copies, strict=True):
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    os.utime(copies[2 if newer == "chapter" else 1], (1, 1))
    subprocess.run([sys.executable, "-m", "jupytext", "--quiet", "--sync", copies[1]], check=True)
    for file, copy in zip(files, copies, strict=True):
        assert copy.read_bytes() == file.read_bytes(), f"{BOOK.relative(file)}: run ./ci/book.sh refresh"
