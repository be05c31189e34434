import pytest

from ci.book import here
from ci.checks import kills


@pytest.fixture(scope="module")
def train(tmp_path_factory):
    return kills.load_module(kills.write_program(here(), tmp_path_factory.mktemp("program")))


def test_the_newest_checkpoint_alone_decides_whether_a_run_can_go_on(train, tmp_path):
    assert kills.newest(train, tmp_path) is None
    state = train.create_state(0)
    with train.ocp.CheckpointManager(tmp_path) as manager:
        for step in (1, 2):
            train.save(manager, state.replace(step=state.step + step), train.Batches({}))
    assert int(kills.newest(train, tmp_path).step) == 2
    (tmp_path / "2/state/_METADATA").write_text("")
    with pytest.raises(ValueError):
        kills.newest(train, tmp_path)
