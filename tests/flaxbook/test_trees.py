import jax
import jax.numpy as jnp
import numpy as np
import pytest

from flaxbook import trees

TREE = {"w": np.array([3.0, 4.0], np.float32), "n": 2}


def test_bits_and_the_contents_of_random_keys_are_compared():
    assert trees.differences(TREE, TREE) == 0
    assert trees.differences({"x": np.nan}, {"x": np.nan}) == 0
    assert trees.differences({"x": 0.0}, {"x": -0.0}) == 1
    assert trees.differences(jax.random.key(0), jax.random.key(0)) == 0
    assert trees.differences(jax.random.key(0), jax.random.key(1)) == 1


@pytest.mark.parametrize(
    "other",
    [
        TREE | {"w": np.array([3.0, 4.0000005], np.float32)},
        TREE | {"w": np.array([3.0, 4.0], np.float64)},
        TREE | {"w": np.array([[3.0, 4.0]], np.float32)},
        TREE | {"w": jnp.array([3.0, 5.0])},
        TREE | {"n": 3},
    ],
)
def test_bit_type_and_shape_make_an_array_differ(other):
    assert trees.differences(TREE, other) == 1


@pytest.mark.parametrize("count", [trees.differences, trees.distance])
def test_trees_of_another_structure_are_refused(count):
    with pytest.raises(ValueError, match=r"structure|mismatch|keys|Dict"):
        count(TREE, {"w": TREE["w"]})


def test_distance_is_relative_to_the_second_tree_which_may_not_be_zero():
    assert trees.distance({"w": np.array([3.0, 5.0])}, {"w": np.array([3.0, 4.0])}) == pytest.approx(0.2)
    with pytest.raises(ValueError, match="zero"):
        trees.distance({"w": np.ones(2)}, {"w": np.zeros(2)})
