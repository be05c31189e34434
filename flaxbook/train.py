"""The loop around a training step."""

import numpy as np

from flaxbook import data


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
