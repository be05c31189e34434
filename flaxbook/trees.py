"""Compare two trees of arrays, such as parameters, statistics or whole training states."""

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def as_numbers(leaf: Any) -> np.ndarray:
    """Return a leaf as a NumPy array; for a random key, its integers."""
    is_key = isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(leaf) if is_key else leaf)


def paired(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """Return pairs of corresponding leaves of two trees with the same structure.

    Raises:
      ValueError: the trees differ in structure.
    """
    return zip(*map(jax.tree.leaves, (a, jax.tree.map(lambda _, leaf: leaf, a, b))), strict=True)


def differences(a: Any, b: Any) -> int:
    """Count the leaves that are not identical to the bit in two trees.

    Args:
      a, b: trees with the same structure, of arrays, numbers or random keys.

    Returns:
      The number of leaves whose dtype, shape or any bit differs.

    Raises:
      ValueError: the trees differ in structure.
    """

    def differ(x: Any, y: Any) -> bool:
        x, y = as_numbers(x), as_numbers(y)
        return x.dtype != y.dtype or x.shape != y.shape or x.tobytes() != y.tobytes()

    return sum(differ(x, y) for x, y in paired(a, b))


def distance(a: Any, b: Any) -> float:
    """Return the relative distance between two trees, each taken as one long vector.

    Args:
      a, b: trees with the same structure, of arrays of numbers.

    Returns:
      The Euclidean norm of a - b, divided by the norm of b; it has no unit.

    Raises:
      ValueError: the trees differ in structure, or b is zero.
    """
    pairs = [(as_numbers(x).astype(np.float64), as_numbers(y).astype(np.float64)) for x, y in paired(a, b)]
    size = np.sqrt(sum(np.sum(y**2) for _, y in pairs))
    if not size:
        raise ValueError("the second tree is zero: there is no distance relative to it")
    return float(np.sqrt(sum(np.sum((x - y) ** 2) for x, y in pairs)) / size)
