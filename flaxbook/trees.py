"""How two trees of arrays differ: of parameters, of statistics, of whole training states."""

import jax
import jax.numpy as jnp
import numpy as np


def as_numbers(leaf):
    """A leaf as a NumPy array; of a random key, the integers in it."""
    is_key = isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(leaf) if is_key else leaf)


def paired(a, b):
    """The leaves of two trees of one structure, two by two.

    Raises:
      ValueError: the trees differ in structure.
    """
    return zip(*map(jax.tree.leaves, (a, jax.tree.map(lambda _, leaf: leaf, a, b))), strict=True)


def differences(a, b):
    """Counts the arrays that differ between two trees, to the bit.

    Args:
      a, b: trees of one structure, of arrays, numbers or random keys.

    Returns:
      The number of leaves whose type, shape or any bit differs.

    Raises:
      ValueError: the trees differ in structure.
    """

    def differ(x, y):
        x, y = as_numbers(x), as_numbers(y)
        return x.dtype != y.dtype or x.shape != y.shape or x.tobytes() != y.tobytes()

    return sum(differ(x, y) for x, y in paired(a, b))


def distance(a, b):
    """How far one tree of arrays is from another, all their numbers in one long vector each.

    Args:
      a, b: trees of one structure, of arrays of numbers.

    Returns:
      The Euclidean norm of a - b, divided by that of b.

    Raises:
      ValueError: the trees differ in structure, or b is zero.
    """
    pairs = [(as_numbers(x).astype(np.float64), as_numbers(y).astype(np.float64)) for x, y in paired(a, b)]
    size = np.sqrt(sum(np.sum(y**2) for _, y in pairs))
    if not size:
        raise ValueError("the second tree is zero: there is no distance relative to it")
    return float(np.sqrt(sum(np.sum((x - y) ** 2) for x, y in pairs)) / size)
