"""What makes a build read pages again."""

import subprocess
import sys

import pytest

from ci.site import releases
from ci.site.extension.build_cache import opened
from ci.site.extension.inputs import CI, MACHINERY, inputs_digest, machinery

WITHOUT_EFFECT = {  # what a page looks like does not depend on these
    *("ci.book.display", "ci.book.errors", "ci.book.files", "ci.book.installed"),
    *("ci.execution", "ci.execution.compiled", "ci.execution.environment", "ci.notebooks"),
}


def test_the_machinery_has_all_modules_that_the_extension_imports():
    program = "import sys, ci.site.extension; print(*(name for name in sys.modules if name.startswith('ci.')))"
    done = subprocess.run([sys.executable, "-c", program], cwd=CI.parent, capture_output=True, text=True, check=True)
    paths = [path.relative_to(CI.parent).with_suffix("").as_posix() for path in machinery()]
    missing = set(done.stdout.split()) - {path.replace("/", ".").removesuffix(".__init__") for path in paths}
    assert missing == WITHOUT_EFFECT


@pytest.mark.parametrize("pattern", MACHINERY)
def test_each_pattern_of_the_machinery_matches_a_file(pattern):
    assert any(CI.glob(pattern))


def test_the_machinery_has_no_module_of_checks_and_of_the_publishing():
    names = {path.relative_to(CI).as_posix() for path in machinery()}
    assert {"site/extension/pages/tables.py", "site/theme/static/book.css", "site/theme/page.html"} <= names
    assert not [name for name in names if name.startswith(("checks/", "site/export/"))]
    assert "site/publish.py" not in names


def test_inputs_are_the_sources_the_catalogues_the_outputs_and_the_releases(book, catalogue, execute, edit):
    def digest():
        return inputs_digest(book, opened(book))

    digests = [digest()]
    edit(book.source("book/part/one"), "Some text.", "Other text.")
    digests.append(digest())
    catalogue(book.catalogue("book/part/one", "ko"), {"One": "하나"})
    digests.append(digest())
    execute()
    digests.append(digest())
    (book.root / "CITATION.cff").write_text('version: "1.0"\n')
    digests.append(digest())
    (releases.folder(book) / "1.0").mkdir(parents=True)
    digests.append(digest())
    assert len(set(digests)) == 6 and digest() == digests[-1]
