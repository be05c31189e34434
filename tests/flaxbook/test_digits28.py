import hashlib
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_digits

from flaxbook import data, digits28, tfds_digits28

pytestmark = pytest.mark.usefixtures("prepared")

# SHA-256 of all pixels and labels; whoever changes what is drawn changes the version of the data, too.
DIGESTS = {
    "train": "2553ca9b6e4a338de64c3e3eb51f27a65a2e4aa04ad6464e84fed39fcfa475d6",
    "validation": "474e210144af77c78a4936a750d4754d817d81a73197cde1a8ee689585302133",
    "test": "e160844436f9bdaa34cebdf9c8721635c552a96a28556997da86b70af4b276f3",
}


@pytest.fixture(scope="module")
def splits():
    return {split: digits28.examples(split) for split in digits28.NUM_EXAMPLES}


def test_images_are_all_different_keep_their_labels_and_no_original_is_in_two_splits(splits):
    drawings = [sorted(set(originals)) for _, _, originals in splits.values()]
    assert list(map(len, drawings)) == [1201, 196, 400]
    assert sorted(sum(drawings, [])) == list(range(1797))
    target = load_digits().target
    for _, labels, originals in splits.values():
        assert np.array_equal(labels, target[originals])
    images = np.concatenate([images for images, _, _ in splits.values()]).reshape(-1, 784)
    assert len(np.unique(images, axis=0)) == len(images)


def test_every_machine_makes_the_same_bytes(splits):
    for split, (images, labels, _) in splits.items():
        assert hashlib.sha256(images.tobytes() + labels.tobytes()).hexdigest() == DIGESTS[split]


SMALL = {"train": 30, "validation": 10, "test": 20}
PREPARE = f"""
import os, sys
from flaxbook import digits28, tfds_digits28
digits28.NUM_EXAMPLES, draw = {SMALL}, digits28.examples
def examples(split):
    os.write(1, b"drawn\\n")
    if split == "test" and "interrupted" in sys.argv:
        os.kill(os.getpid(), {signal.SIGKILL.value})
    return draw(split)
digits28.examples = examples
os.write(1, b"ready\\n")
sys.stdin.read()
tfds_digits28.prepare()
"""


def start(folder, *words):
    """Starts a process that prepares a small data set once its standard input is closed; it says what it draws."""
    return subprocess.Popen(
        [sys.executable, "-c", PREPARE, *words],
        env={**os.environ, "TFDS_DATA_DIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_after_an_interruption_one_of_two_preparations_at_once_begins_anew_and_the_other_waits_for_it(tmp_path):
    process = start(tmp_path, "interrupted")
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert list(tmp_path.glob("digits28/incomplete*/*"))
    with start(tmp_path) as first, start(tmp_path) as second:
        assert [process.stdout.readline() for process in (first, second)] == ["ready\n"] * 2
        for process in (first, second):
            process.stdin.close()
        drawn = sorted(process.stdout.read() for process in (first, second))
    assert (first.returncode, second.returncode) == (0, 0)
    assert drawn == ["", "drawn\n" * 3]
    assert [path.name for path in tmp_path.glob("digits28/*/")] == ["2.0.0"]
    builder = tfds_digits28.prepare(tmp_path)
    assert {split: info.num_examples for split, info in builder.info.splits.items()} == SMALL


SPLITS = ["train[:1000]", "test[-7:-2]", "test[10:20%]", "test[33.3333%:-66%]", "test[-0%:2]"]
SPLITS += ["test[0.005%:0.015%]"]  # 0.5 and 1.5: rounded to even
SPLITS += ["train[:-95%] + test[2:5]+test[3:6]", "validation", "all"]
NO_SPLITS = ["valid", "test[3]", "test[]", "test [:3]", "test[:10_001]", "test[:101%]", "test+", "", "test[:0]"]


@pytest.mark.parametrize("split", SPLITS)
def test_in_memory_is_what_tfds_stores_byte_for_byte_and_in_its_order(split):
    expected, made = data.load(split), digits28.load(split)
    for key in ("image", "label"):
        assert (made[key].dtype, made[key].shape) == (expected[key].dtype, expected[key].shape)
        assert made[key].tobytes() == expected[key].tobytes()


@pytest.mark.parametrize("split", NO_SPLITS)
def test_in_memory_a_split_is_refused_where_tfds_refuses_it(split):
    for load in (data.load, digits28.load):
        with pytest.raises(ValueError):
            load(split)


def test_who_writes_into_a_split_in_memory_changes_no_other():
    digits28.load("test")["label"][:] = -1
    assert digits28.load("test")["label"].min() == 0
