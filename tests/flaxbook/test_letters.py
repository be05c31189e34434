import numpy as np
import pytest

from flaxbook import letters


def test_letters_differ_fill_their_box_and_occur_equally_often():
    counts = np.bincount(letters.load("train")["label"])
    assert len(counts) == 26
    assert counts.max() - counts.min() <= 1
    ink = letters.originals() > 0
    tall = ink[..., 0, :].any(-1) & ink[..., -1, :].any(-1)
    wide = ink[..., :, 0].any(-1) & ink[..., :, -1].any(-1)
    assert letters.originals().max() <= 16
    assert np.all(tall | wide)
    for drawn in np.moveaxis(letters.originals(), 1, 0):
        assert len(np.unique(drawn.reshape(26, -1), axis=0)) == 26


def test_the_same_images_come_again_and_those_of_test_are_others():
    train = letters.load("train")["image"]
    letters.stored.cache_clear()
    assert np.array_equal(train, letters.load("train")["image"])
    both = np.concatenate([train, letters.load("test")["image"]]).reshape(-1, 784)
    assert len(np.unique(both, axis=0)) > 0.99 * len(both)


def test_a_slice_is_part_of_its_split_and_an_empty_one_is_refused():
    assert np.array_equal(letters.load("test[:5]")["label"], letters.load("test")["label"][:5])
    with pytest.raises(ValueError, match="no example"):
        letters.load("test[:0]")
