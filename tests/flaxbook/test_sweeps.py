import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from flaxbook import data, sweeps

SEEDS = [3, 4]
RATES = np.array([[0.1] * 7, np.linspace(0.0, 0.05, 7)])
generator = np.random.default_rng(0)
POINTS = {"x": generator.normal(size=(11, 2)).astype(np.float32), "y": generator.normal(size=11).astype(np.float32)}
STARTS = {"w": jnp.array([[0.0, 1.0], [2.0, 3.0]])}


def squares(params, batch):
    return ((batch["x"] @ params["w"] - batch["y"]) ** 2).mean()


@pytest.fixture(scope="module")
def trained():
    return sweeps.run(squares, optax.adamw, RATES, STARTS, POINTS, batch_size=4, seeds=SEEDS)


@pytest.mark.parametrize("table, seed", [(0, 1), (1, 0)])
def test_each_network_is_trained_as_by_the_usual_loop(trained, table, seed):
    rates = jnp.asarray(RATES[table], jnp.float32)
    tx = optax.adamw(lambda count: rates[count])
    params = jax.tree.map(lambda leaf: leaf[seed], STARTS)
    opt_state = tx.init(params)
    seen = []
    for epoch in range(4):
        for batch in data.batches(POINTS, 4, seed=(SEEDS[seed], epoch), drop_remainder=True):
            if len(seen) < 7:
                loss, grads = jax.value_and_grad(squares)(params, batch)
                updates, opt_state = tx.update(grads, opt_state, params)
                params = optax.apply_updates(params, updates)
                seen.append(loss)
    np.testing.assert_allclose(trained[1][table, seed], seen, rtol=1e-3)
    np.testing.assert_allclose(trained[0]["w"][table, seed], params["w"], rtol=1e-3)


def test_losses_are_those_of_each_network_on_all_examples(trained):
    params, _ = trained
    losses = sweeps.losses(squares, params, POINTS)
    alone = squares({"w": params["w"][1, 0]}, POINTS)
    assert losses.shape == (2, 2)
    assert float(losses[1, 0]) == pytest.approx(float(alone), rel=1e-5)


def test_parameters_of_half_precision_stay_finite():
    """Adam's b2 of 0.999 is 1 in bfloat16."""
    starts = {"w": STARTS["w"].astype(jnp.bfloat16)}
    params, losses = sweeps.run(squares, optax.adamw, RATES, starts, POINTS, batch_size=4, seeds=SEEDS)
    assert params["w"].dtype == jnp.bfloat16
    assert np.isfinite(losses).all()
