"""The data set, prepared once for all tests of this folder."""

import functools
import os
import subprocess
import sys

import pytest

from flaxbook import digits28

PREPARE = "from flaxbook import tfds_digits28; tfds_digits28.prepare()"


@pytest.fixture(scope="package")
def prepared(tmp_path_factory):
    """Prepares the data set in a folder that all workers share, and draws its images once a worker."""
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "tensorflow_datasets"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TFDS_DATA_DIR", str(folder))  # for other processes
        patch.setattr("tensorflow_datasets.core.constants.DATA_DIR", str(folder))
        patch.setattr(digits28, "examples", functools.cache(digits28.examples))
        done = subprocess.run([sys.executable, "-c", PREPARE], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        yield folder
