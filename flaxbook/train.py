"""The loop around a training step, and the loss in it."""

import jax
import numpy as np
import optax

from flaxbook import data


def cross_entropy(logits, labels):
    """Returns the mean cross-entropy between softmax(logits) and the labels, in nats.

    Args:
      logits: float array of shape (n, classes).
      labels: integer array of shape (n,).
    """
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def start_over(traces):
    """Makes JAX forget what it has compiled, and empties a list of the traces counted so far."""
    jax.clear_caches()
    traces.clear()


def fit(train_step, state, dataset, *, epochs, batch_size, seed=0):
    """Calls `train_step` on every batch of every epoch, shuffled anew each epoch; leaves out short last batches.

    Args:
      train_step: `(state, batch) -> (state, loss)`, with `batch` as `data.batches` yields it.
      state: what `train_step` takes first, such as a `TrainState`.
      dataset: dictionary of arrays with one leading dimension.
      epochs, batch_size: how often to go through the data, and in what steps.
      seed: an int; decides the order of the examples.

    Returns:
      (state, losses): the last state, and a float array of shape (epochs, steps per epoch).
    """
    losses = []
    for epoch in range(epochs):
        losses.append([])
        for batch in data.batches(dataset, batch_size, seed=(seed, epoch), drop_remainder=True):
            state, loss = train_step(state, batch)
            losses[-1].append(loss)
    return state, np.array(losses)
