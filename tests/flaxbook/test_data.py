import os
import re
import subprocess
import sys

import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow_datasets as tfds

from ci.book import here
from flaxbook import data, train

pytestmark = pytest.mark.usefixtures("prepared")


@pytest.fixture(scope="module")
def test_split():
    return data.load("test")


def test_mnist_has_the_same_splits_cut_from_those_of_tfds():
    cut = [data.instruction(split, "mnist") for split in ("train", "validation", "train[-5:]+validation[10%:20%]")]
    assert cut == ["train[0:50000]", "train[50000:60000]", "train[49995:50000]+train[51000:52000]"]
    with pytest.raises(ValueError, match="50001 is beyond 50000 examples"):
        data.instruction("train[:50001]", "mnist")


def test_a_split_is_loaded_as_arrays_and_flat_images_are_the_same_pixels_from_0_to_1(test_split):
    flat = data.load("test[:20]", flat=True)
    assert [(array.shape, array.dtype) for array in (*test_split.values(), *flat.values())] == [
        ((10_000, 28, 28, 1), np.uint8),
        ((10_000,), np.int32),
        ((20, 784), np.float32),
        ((20,), np.int32),
    ]
    assert (np.rint(flat["image"] * 255) == test_split["image"][:20].reshape(20, 784)).all()
    assert (flat["label"] == test_split["label"][:20]).all()


def test_tfds_is_imported_only_when_data_are_wanted_and_tensorflow_never():
    code = "import sys; from flaxbook import data, train; before = 'tensorflow_datasets' in sys.modules"
    code += "; data.load('test[:1]'); sys.exit(before or 'tensorflow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_an_unknown_data_set_is_refused_with_the_known_ones(monkeypatch):
    monkeypatch.setenv("FLAXBOOK_DATASET", "cifar")
    with pytest.raises(ValueError, match="no data set 'cifar': set FLAXBOOK_DATASET to one of digits28, mnist"):
        data.load("test")


def test_mnist_out_of_reach_is_one_line_that_says_how_to_go_back(monkeypatch):
    class Offline:
        def download_and_prepare(self):
            raise ConnectionError("no route to host\nand a long story")

    monkeypatch.setenv("FLAXBOOK_DATASET", "mnist")
    monkeypatch.setattr("tensorflow_datasets.builder", lambda *args, **options: Offline())
    with pytest.raises(data.DatasetUnavailable) as caught:
        data.load("test")
    (line,) = str(caught.value).splitlines()
    assert "ConnectionError: no route to host" in line
    assert "unset FLAXBOOK_DATASET" in line


BROKEN_TFDS = """\
from absl import logging

try:
    from tensorflow_datasets.public_api import *
except Exception as exception:
    logging.exception(exception)
"""
MISSING_TFDS = "raise ModuleNotFoundError('No module named tensorflow_datasets')"
FAULT = "raise TypeError('gencode 6.31.1 runtime 5.29.6\\nand a long story')"


@pytest.fixture
def without_tfds(tmp_path):
    """Runs Python where TFDS is missing, or fails as in Colab: its import logs the reason and leaves no `core`."""
    package = tmp_path / "tensorflow_datasets"
    package.mkdir()
    (package / "public_api.py").write_text(FAULT)

    def run(*command, package_text=BROKEN_TFDS, **variables):
        (package / "__init__.py").write_text(package_text)
        path = f"{tmp_path}:{here().root}"
        environment = os.environ | {"PYTHONPATH": path, "TFDS_DATA_DIR": str(tmp_path / "data")} | variables
        return subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, check=False)

    return run


LOAD = """\
import logging
import sys

import jax.numpy as jnp
import numpy as np

from flaxbook import data

parts = [data.load(split) for split in sys.argv[2:]]
np.savez(sys.argv[1], *(part[key] for part in parts for key in ("image", "label")))
assert logging.root.handlers == []
try:
    data.builder()
except data.DatasetUnavailable as error:
    print(error)
"""


def test_without_tfds_the_same_arrays_are_made_and_the_reader_is_told_once(without_tfds, tmp_path):
    splits = ["test[:1000]", "test[10%:20%]"]
    done = without_tfds("-c", LOAD, str(tmp_path / "loaded.npz"), *splits)
    assert (done.returncode, done.stderr) == (0, f"{data.IN_MEMORY}\n")
    assert done.stdout.startswith(f"{data.IN_MEMORY} It has no builder")
    expected = [data.load(split)[key] for split in splits for key in ("image", "label")]
    with np.load(tmp_path / "loaded.npz") as loaded:
        for made, array in zip(loaded.values(), expected, strict=True):
            assert made.dtype == array.dtype
            assert np.array_equal(made, array)
    assert not (tmp_path / "data").exists()


def test_without_tfds_there_is_nothing_to_prepare_and_no_mnist(without_tfds):
    done = without_tfds("-m", "flaxbook", package_text=MISSING_TFDS)
    said = f"digits28: nothing to prepare. {data.IN_MEMORY}\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    for text, reason in (
        (MISSING_TFDS, "No module named tensorflow_datasets)"),
        (BROKEN_TFDS, "TypeError: gencode 6.31.1 runtime 5.29.6)"),
    ):
        done = without_tfds("-m", "flaxbook", package_text=text, FLAXBOOK_DATASET="mnist")
        (line,) = done.stderr.splitlines()
        assert (done.returncode, done.stdout) == (1, "")
        assert line.startswith("error: MNIST needs TensorFlow Datasets, which cannot be used here (")
        assert reason in line and "unset FLAXBOOK_DATASET" in line


def test_tfds_divides_a_split_as_full_eval_says(test_split):
    parts = np.array_split(np.arange(10_000), 6)
    for share, part in zip(tfds.even_splits("test", 6), parts, strict=True):
        assert np.array_equal(data.load(share)["image"], test_split["image"][part])


DATASET = {"image": np.arange(10)[:, None], "label": np.arange(10)}


def labels(**options):
    return [batch["label"].tolist() for batch in data.batches(DATASET, 4, **options)]


def test_a_seed_shuffles_reproducibly_and_without_one_batches_come_in_order():
    assert labels() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert labels(drop_remainder=True) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert labels(seed=1) == labels(seed=1) != labels(seed=2)
    for batch in data.batches(DATASET, 4, seed=1):
        assert np.array_equal(batch["image"][:, 0], batch["label"])


@pytest.mark.parametrize(
    "dataset, batch_size, said",
    [
        ({}, 4, "give at least one array, and all with the examples as first dimension; shapes: {}"),
        (DATASET | {"label": np.arange(9)}, 4, "first dimension; shapes: {'image': (10, 1), 'label': (9,)}"),
        ({"label": np.arange(0)}, 4, "there are 0 examples, and a batch has 4: take smaller batches"),
        (DATASET | {"word": np.array(["a"] * 10)}, 4, "'word' is of <U1: give an array of numbers, or leave it out"),
        (DATASET | {"row": [1] * 10}, 4, "'row' is of list: give an array of numbers, or leave it out"),
        (DATASET, 0, "the batch size is 0: write a whole number of at least 1"),
        (DATASET, 2.5, "the batch size is 2.5: write a whole number of at least 1"),
        (DATASET, 11, "there are 10 examples, and a batch has 11: take smaller batches"),
    ],
)
def test_data_that_make_no_batch_are_refused(dataset, batch_size, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        train.fit(lambda state, batch: (state, 0.0), 0, dataset, epochs=1, batch_size=batch_size)


def test_a_split_without_examples_and_a_folder_that_cannot_be_written_are_said(tmp_path):
    with pytest.raises(ValueError, match=re.escape("there is no example in 'train[:0]'")):
        data.load("train[:0]")
    (tmp_path / "file").touch()
    environment = os.environ | {"TFDS_DATA_DIR": str(tmp_path / "file")}
    done = subprocess.run(
        [sys.executable, "-m", "flaxbook"], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "error: digits28 cannot be stored (NotADirectoryError" in done.stderr
    assert "set TFDS_DATA_DIR to a folder that can be written" in done.stderr


def test_fit_goes_through_the_data_and_collects_losses():
    seen = []

    def step(state, batch):
        seen.append(batch["label"].tolist())
        return state + 1, float(state)

    state, losses = train.fit(step, 0, DATASET, epochs=2, batch_size=4, seed=3)
    assert state == 4
    assert losses.tolist() == [[0, 1], [2, 3]]
    _, half = train.fit(lambda state, _batch: (state, jnp.bfloat16(0.5)), 0, DATASET, epochs=2, batch_size=4)
    assert half.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert seen[:2] != seen[2:]  # another order in the second epoch
