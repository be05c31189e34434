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
from ci.execution.cache import code_cells
from ci.notebooks import agree, translate
from ci.notebooks.pairing import chapter_text
from ci.outputs.nbval import exempt

BOOK = here()
SOURCE = BOOK.source_language
LARGEST = 400 * 1024  # bytes of a notebook

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
    for number, (cell, other) in enumerate(zip(expected.cells, stored(name, language).cells, strict=True), start=1):
        if cell.cell_type == "markdown":
            what = "the text is not that of the catalogue: run ./ci/book.sh refresh"
            assert list(agree.first_line(number, cell.source, other.source, what)) == []


@chapters
@pytest.mark.parametrize("language", BOOK.languages)
def test_notebook_is_executed_in_order(name, language):
    assert list(agree.out_of_order(stored(name, language))) == []


@chapters
def test_every_output_is_compared(name):
    assert [cell.source for cell in code_cells(jupytext.read(BOOK.source(name))) if exempt(cell)] == []


@chapters
@pytest.mark.parametrize("language", BOOK.languages)
def test_notebook_is_small(name, language):
    assert BOOK.notebook(name, language).stat().st_size <= LARGEST


@chapters
def test_figures_are_described(name):
    for number, cell in enumerate(stored(name, SOURCE).cells, start=1):
        if any("image/png" in output.get("data", {}) for output in cell.get("outputs", [])):
            alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
            assert alt, f"{name}, cell {number}: a figure without alt text"


@chapters
def test_markdown_is_plain_enough_for_any_notebook_viewer(name):
    for number, cell in enumerate(stored(name, SOURCE).cells, start=1):
        if cell.cell_type != "markdown":
            continue
        for token in markdown.parser().parse(cell.source):
            kinds = {token.type, *(child.type for child in token.children or [])}
            odd = kinds & {"myst_role", "myst_target", "html_block", "html_inline", "colon_fence", "myst_line_break"}
            assert not odd, f"{name}, cell {number}: {odd} in {token.content[:60]!r} shows literally in a notebook"
            assert not token.info.startswith("{"), f"{name}, cell {number}: directive {token.info}"


@chapters
def test_links_between_chapters_lead_to_notebooks(name):
    for language in BOOK.languages:
        path = BOOK.notebook(name, language)
        for cell in stored(name, language).cells:
            if cell.cell_type != "markdown":
                continue
            for token in markdown.parser().parse(cell.source):
                for child in token.children or []:
                    target = str(child.attrs.get("href", "")) if child.type == "link_open" else ""
                    if target and "://" not in target and not target.startswith("#"):
                        file = path.parent / target.partition("#")[0]
                        assert file.resolve().is_file(), f"{BOOK.relative(path)}: dead link {target}"


@chapters
def test_first_code_cell_installs_the_helper_in_colab_and_nowhere_else(name):
    cell = code_cells(stored(name, SOURCE))[0]
    condition, command = cell.source.splitlines()[-2:]
    assert condition == 'if "google.colab" in sys.modules:'
    assert command.startswith(f"    %pip install -q git+{BOOK.config['repository']['url']}")
    assert cell.metadata.tags == ["remove-cell"]


@chapters
@pytest.mark.parametrize(("first", "second"), [("without", "with"), ("linen", "nnx")])
def test_cells_to_compare_are_neighbours(name, first, second):
    tags = [set(cell.metadata.get("tags", [])) & {first, second} for cell in jupytext.read(BOOK.source(name)).cells]
    for number, tag in enumerate(tags, start=1):
        if tag == {first}:
            assert tags[number : number + 1] == [{second}], f"{name}, cell {number}: no `{second}` cell after it"
        if tag == {second}:
            assert tags[number - 2] == {first}, f"{name}, cell {number}: no `{first}` cell before it"


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
        for cell in code_cells(jupytext.read(BOOK.source(name))):
            if written := re.match(r"%%writefile (\S+)\n", cell.source):
                (tmp_path / written[1]).write_text(cell.source[written.end() :], encoding="utf-8")
                lines += imports(cell.source[written.end() :])
            else:
                lines += imports(cell.source)
        lines += [f"assert not sys.modules.pop('tensorflow', None), {name!r}"]
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{BOOK.root}"}
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_title_of_the_book_is_the_heading_of_its_front_page():
    assert BOOK.source(BOOK.pages[0]).read_text(encoding="utf-8").startswith(f"# {BOOK.title}\n")


def test_notebooks_are_parsed_as_the_site_is():
    assert set(BOOK.config["parse"]["myst_enable_extensions"]) == markdown.MYST_EXTENSIONS


def test_no_notebook_is_left_of_a_chapter_that_is_gone():
    expected = {BOOK.notebook(name, language) for name in BOOK.chapters for language in BOOK.languages}
    assert set((BOOK.root / "notebooks").rglob("*.ipynb")) == expected


def test_nothing_but_the_catalogues_of_the_pages_is_kept_in_locale():
    expected = {BOOK.relative(BOOK.catalogue(name, code)) for name in BOOK.domains for code in BOOK.translations}
    files = subprocess.run(["git", "ls-files", "locale"], cwd=BOOK.root, capture_output=True, text=True, check=True)
    assert {file for file in files.stdout.split() if file.endswith((".po", ".mo"))} == expected


@chapters
@pytest.mark.parametrize("language", BOOK.translations)
def test_notebooks_are_cut_into_the_messages_of_the_catalogues(name, language):
    messages = {entry.msgid for entry in po.parse(BOOK.catalogue(name, language))}
    for number, cell in enumerate(stored(name, SOURCE).cells, start=1):
        if cell.cell_type == "markdown":
            for block in translate.blocks(cell.source):
                assert block.message in messages, f"{name}, cell {number}: run ./ci/book.sh update"


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
