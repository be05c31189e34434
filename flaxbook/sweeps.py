"""Train the same network with many learning rates and seeds, in one compiled program."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import jax
import numpy as np
import optax

from flaxbook import data

Loss = Callable[[Any, Mapping[str, Any]], jax.Array]


def run(
    loss_fn: Loss,
    optimizer: Callable[..., optax.GradientTransformation],
    tables: np.ndarray,
    starts: Any,
    dataset: Mapping[str, np.ndarray],
    *,
    batch_size: int,
    seeds: Sequence[int] | np.ndarray,
) -> tuple[Any, np.ndarray]:
    """Train a network for each table of rates and each seed.

    With one table and one seed it is the usual loop over `data.batches(dataset, batch_size, seed=(seed, epoch),
    drop_remainder=True)`, with one update per batch.

    Args:
      loss_fn: `(params, batch) -> loss`.
      optimizer: function of Optax with an argument `learning_rate`, such as `optax.adamw`.
      tables: float array of shape (tables, steps), the rate of every step.
      starts: parameters whose leaves have the seeds as their first axis: the start of each seed.
      dataset: arrays of the same length, by name.
      batch_size: number of examples per step.
      seeds: determine the order of the examples.

    Returns:
      (params, losses): the last parameters, whose leaves have the axes (tables, seeds, ...), and the training losses
      as a float array of shape (tables, seeds, steps).

    Raises:
      ValueError: as for `train.fit`.
    """
    tables = np.asarray(tables, np.float32)
    per_epoch = data.full_batches(dataset, batch_size)
    n, steps = data.count(dataset, batch_size), tables.shape[1]
    orders = [
        np.random.default_rng((seed, epoch)).permutation(n)[: per_epoch * batch_size]
        for seed in seeds
        for epoch in range(-(-steps // per_epoch))
    ]
    rows = np.reshape(orders, (len(seeds), -1, batch_size))[:, :steps]
    params, losses = over_all(tables, starts, rows, dict(dataset), loss_fn=loss_fn, optimizer=optimizer)
    return params, np.asarray(losses)


@partial(jax.jit, static_argnames=("loss_fn", "optimizer"))
def over_all(tables: Any, starts: Any, rows: Any, dataset: Any, *, loss_fn: Loss, optimizer: Any) -> Any:
    """Train all networks of `run`: a scan over the steps, mapped over the tables and the seeds."""

    def step(carry: Any, now: Any) -> Any:
        params, opt_state = carry
        rate, chosen = now
        batch = {key: values[chosen] for key, values in dataset.items()}
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, opt_state = optimizer(learning_rate=rate).update(grads, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), loss

    def one(rates: Any, params: Any, rows: Any) -> Any:
        (params, _), losses = jax.lax.scan(step, (params, optimizer(learning_rate=0.0).init(params)), (rates, rows))
        return params, losses

    return jax.vmap(jax.vmap(one, (None, 0, 0)), (0, None, None))(tables, starts, rows)


@partial(jax.jit, static_argnames="loss_fn")
def losses(loss_fn: Loss, params: Any, dataset: Any) -> jax.Array:
    """Return the loss on a dataset of each network that `run` has trained, of shape (tables, seeds)."""
    each = jax.vmap(jax.vmap(loss_fn, (0, None)), (0, None))
    return each(params, dataset)
