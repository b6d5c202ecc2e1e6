"""States of the last steps: gone back to, they lead on to the same states again."""

import numpy as np
import pytest

import physics
from app.examples import EXAMPLES
from app.history import History


@pytest.fixture(scope="module")
def slope():
    return physics.MjModel.from_xml_path(str(next(e.path for e in EXAMPLES if e.path.stem == "slope")))


def test_from_a_state_gone_back_to_the_same_steps_follow_bit_for_bit(slope):
    m, d = slope, physics.MjData(slope)
    history = History(m)
    seen = []
    for _ in range(40):
        history.record(m, d)
        physics.mj_step(m, d)
        seen.append((d.time, d.qpos.copy(), d.qvel.copy()))
    assert history.back(m, d, 15) == 15
    assert d.time == seen[24][0]
    np.testing.assert_array_equal(d.qpos, seen[24][1])
    for time, qpos, qvel in seen[25:]:
        physics.mj_step(m, d)
        assert d.time == time
        np.testing.assert_array_equal(d.qpos, qpos)
        np.testing.assert_array_equal(d.qvel, qvel)


def test_only_the_last_seconds_are_kept_in_the_same_memory(slope):
    m, d = slope, physics.MjData(slope)
    size = 8 * physics.mj_stateSize(m, int(physics.mjtState.mjSTATE_INTEGRATION))
    history = History(m, most_bytes=10 * size)
    times = []
    for _ in range(25):
        history.record(m, d)
        times.append(d.time)
        physics.mj_step(m, d)
    assert len(history) == 10
    np.testing.assert_array_equal(history.component(m, int(physics.mjtState.mjSTATE_TIME))[:, 0], times[-10:])
    assert history.back(m, d, 100) == 10
    assert d.time == times[15]
    assert history.back(m, d, 1) == 0
    assert d.time == times[15]
