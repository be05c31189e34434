import re
import shutil
import subprocess
import tarfile

import pytest

from ci.book import here

THEME = here().root / "ci" / "site" / "theme"
(SCRIPT,) = (THEME / "static").glob("minisearch-*.js")
VERSION = SCRIPT.stem.removeprefix("minisearch-")


def test_all_places_name_the_same_version():
    assert f'"{SCRIPT.stem}"' in (THEME / "search.html").read_text(encoding="utf-8")
    assert SCRIPT.with_suffix(".LICENSE.txt").exists()
    for readme in here().root.glob("README*.md"):
        assert re.search(r"/minisearch\) ([\d.]+\d)", readme.read_text(encoding="utf-8"))[1] == VERSION


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")
def test_the_script_and_its_licence_are_those_of_npm(tmp_path):
    subprocess.run(["npm", "pack", "--silent", f"minisearch@{VERSION}"], cwd=tmp_path, check=True)
    with tarfile.open(tmp_path / f"minisearch-{VERSION}.tgz") as package:
        script, licence = (package.extractfile(f"package/{name}") for name in ("dist/umd/index.js", "LICENSE.txt"))
        assert SCRIPT.read_bytes() == script.read()
        assert SCRIPT.with_suffix(".LICENSE.txt").read_bytes() == licence.read()
