"""Run a training loop, and compute its loss."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import jax
import numpy as np
import optax

from flaxbook import data

State = TypeVar("State")


def cross_entropy(logits: jax.Array, labels: jax.Array) -> jax.Array:
    """Return the mean cross-entropy between softmax(logits) and the labels, in nats.

    Args:
      logits: float array of shape (n, classes).
      labels: integer array of shape (n,), the class of each example, from 0. JAX does not check it: the loss of a
        class that is too large is NaN, and -1 is the last class.
    """
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def start_over(traces: list) -> None:
    """Clear everything that JAX has compiled, and the list of traces counted so far."""
    jax.clear_caches()
    traces.clear()


def fit(
    train_step: Callable[[State, dict[str, np.ndarray]], tuple[State, jax.Array]],
    state: State,
    dataset: Mapping[str, np.ndarray],
    *,
    epochs: int,
    batch_size: int,
    seed: int = 0,
) -> tuple[State, np.ndarray]:
    """Call `train_step` on every batch of every epoch, shuffled anew in each epoch; omit short last batches.

    Args:
      train_step: `(state, batch) -> (state, loss)`, with `batch` as `data.batches` yields it.
      state: the first argument of `train_step`, such as a `TrainState`.
      dataset: arrays of the same length, by name.
      epochs: number of passes through the data.
      batch_size: number of examples per step.
      seed: determines the order of the examples.

    Returns:
      (state, losses): the last state, and the losses as a float array of shape (epochs, steps per epoch).

    Raises:
      ValueError: as for `data.batches`, or there are fewer examples than a batch has.
    """
    data.full_batches(dataset, batch_size)
    losses: list[list[jax.Array]] = []
    for epoch in range(epochs):
        losses.append([])
        for batch in data.batches(dataset, batch_size, seed=(seed, epoch), drop_remainder=True):
            state, loss = train_step(state, batch)
            losses[-1].append(loss)
    return state, np.array(jax.device_get(losses))


def solve_last_layer(variables: dict, dataset: Mapping[str, np.ndarray], *, penalty: float = 1.0) -> dict:
    """Solve for the last layer of a dense network by least squares, instead of training it.

    Every machine finds the same solution, up to rounding. The target is 10 for the logit of the right class and 0 for
    the others. The first layer stays as it is (A. Rahimi and B. Recht, Random features for large-scale
    kernel machines, 2007).

    Args:
      variables: those of `nn.Sequential([nn.Dense(...), nn.relu, nn.Dense(...)])`.
      dataset: {"image": float array of shape (n, pixels), "label": integer array of shape (n,)}.
      penalty: weight of the squared parameters; above 0, there is exactly one solution.

    Returns:
      Variables of the same structure; only the last layer is new, in float32.
    """
    first, last = (variables["params"][name] for name in ("layers_0", "layers_2"))
    hidden = np.maximum(dataset["image"] @ np.float64(first["kernel"]) + np.float64(first["bias"]), 0)
    hidden = np.column_stack([hidden, np.ones(len(hidden))])
    wanted = 10 * np.eye(len(last["bias"]))[dataset["label"]]
    solved = np.linalg.solve(hidden.T @ hidden + penalty * np.eye(hidden.shape[1]), hidden.T @ wanted)
    layer = {"kernel": np.float32(solved[:-1]), "bias": np.float32(solved[-1])}
    return {**variables, "params": {**variables["params"], "layers_2": layer}}
