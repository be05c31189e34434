import subprocess
import sys

import numpy as np
import pytest

from flaxbook import data, digits28, train


def test_a_split_is_loaded_as_arrays():
    test = data.load("test")
    assert test["image"].shape == (10_000, 28, 28, 1)
    assert test["image"].dtype == np.uint8
    assert test["label"].shape == (10_000,)
    assert test["label"].dtype == np.int32


def test_what_is_stored_is_what_was_drawn():
    def sorted_rows(images, labels):
        rows = np.column_stack([images.reshape(len(images), -1), labels])
        return rows[np.lexsort(rows.T)]

    stored = data.load("test")
    images, labels, _ = digits28.examples("test")
    assert np.array_equal(sorted_rows(stored["image"], stored["label"]), sorted_rows(images, labels))


def test_a_slice_is_a_part_of_its_split():
    assert np.array_equal(data.load("test[:7]")["label"], data.load("test")["label"][:7])


def test_loading_imports_no_tensorflow():
    code = "import sys; from flaxbook import data; data.load('test[:1]'); sys.exit('tensorflow' in sys.modules)"
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
    monkeypatch.setattr(data.tfds, "builder", lambda *args, **options: Offline())
    with pytest.raises(data.DatasetUnavailable) as caught:
        data.load("test")
    (line,) = str(caught.value).splitlines()
    assert "ConnectionError: no route to host" in line
    assert "unset FLAXBOOK_DATASET" in line


DATASET = {"image": np.arange(10)[:, None], "label": np.arange(10)}


def labels(**options):
    return [batch["label"].tolist() for batch in data.batches(DATASET, 4, **options)]


def test_batches_come_in_order_and_the_last_may_be_short():
    assert labels() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert labels(drop_remainder=True) == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_a_seed_shuffles_reproducibly_and_keeps_examples_together():
    assert labels(seed=1) == labels(seed=1) != labels(seed=2)
    for batch in data.batches(DATASET, 4, seed=1):
        assert np.array_equal(batch["image"][:, 0], batch["label"])


def test_fit_goes_through_the_data_and_collects_losses():
    seen = []

    def step(state, batch):
        seen.append(batch["label"].tolist())
        return state + 1, float(state)

    state, losses = train.fit(step, 0, DATASET, epochs=2, batch_size=4, seed=3)
    assert state == 4
    assert losses.tolist() == [[0, 1], [2, 3]]
    assert seen[:2] != seen[2:]  # another order in the second epoch
