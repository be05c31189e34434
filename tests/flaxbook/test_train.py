import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from flaxbook import train


def test_cross_entropy_is_a_mean_over_the_examples():
    logits = jnp.array([[0.0, 0.0], [0.0, 100.0]])
    assert float(train.cross_entropy(logits, jnp.array([0, 1]))) == pytest.approx(np.log(2) / 2, abs=1e-6)


def test_starting_over_traces_again():
    traces = []

    @jax.jit
    def double(x):
        traces.append(x.shape)
        return 2 * x

    double(1.0), double(2.0)
    assert len(traces) == 1
    train.start_over(traces)
    assert traces == []
    double(3.0)
    assert len(traces) == 1


def test_the_last_layer_is_solved_for_and_the_first_stays():
    model = nn.Sequential([nn.Dense(32), nn.relu, nn.Dense(2)])
    images = np.random.default_rng(0).normal(size=(100, 3)).astype(np.float32)
    dataset = {"image": images, "label": (images[:, 0] > 0).astype(np.int32)}
    start = model.init(jax.random.key(0), images)
    solved = train.solve_last_layer(start, dataset)
    assert np.mean(model.apply(solved, images).argmax(-1) == dataset["label"]) > 0.95
    assert solved["params"]["layers_0"] is start["params"]["layers_0"]
    assert jax.tree.map(np.shape, solved) == jax.tree.map(np.shape, start)
