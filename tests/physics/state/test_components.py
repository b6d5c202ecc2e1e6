"""State vectors: order, sizes and copies, against the reference bit for bit."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import STATE, load, mirror_model, put_state
from tests.physics.state.kinds import KINDS
from tumble.physics.errors import ModelError
from tumble.physics.run.copy_data import mj_copyData
from tumble.physics.state.components import mj_copyState, mj_extractState, mj_getState, mj_setState, mj_stateSize
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtState

ALL = (1 << mjtState.mjNSTATE) - 1
SIGNATURES = [0, *(1 << k for k in range(mjtState.mjNSTATE)), mjtState.mjSTATE_PHYSICS, mjtState.mjSTATE_FULLPHYSICS,
              mjtState.mjSTATE_USER, mjtState.mjSTATE_INTEGRATION, 0b10_1010_1010_1010]  # fmt: skip


@pytest.fixture
def both():
    rm, rd = load(KINDS, mujoco)
    rng = np.random.default_rng(1)
    rd.time = 3.5
    for name in (n for n in STATE if n != "eq_active"):
        getattr(rd, name)[:] = rng.normal(size=getattr(rd, name).shape)
    m = mirror_model(rm)
    d = Data(m)
    put_state(d, rd)
    return m, d, rm, rd


@pytest.mark.parametrize("sig", SIGNATURES)
def test_vectors_are_those_of_the_reference(both, sig):
    m, d, rm, rd = both
    size = mujoco.mj_stateSize(rm, int(sig))
    assert mj_stateSize(m, sig) == size
    ours, theirs = np.full(size, np.nan), np.empty(size)
    mj_getState(m, d, ours, sig)
    mujoco.mj_getState(rm, rd, theirs, int(sig))
    np.testing.assert_array_equal(ours, theirs)


def test_what_is_set_is_what_is_got(both):
    m, d, _, _ = both
    wanted = np.arange(mj_stateSize(m, ALL), dtype=float)
    mj_setState(m, d, wanted, ALL)
    got = np.empty_like(wanted)
    mj_getState(m, d, got, ALL)
    np.testing.assert_array_equal(got, wanted)
    assert d.time == 0.0
    assert d.qpos.tolist() == list(range(1, 1 + m.nq))


def test_setting_touches_only_what_is_selected(both):
    m, d, _, _ = both
    before = d.qpos.copy()
    mj_setState(m, d, np.zeros(m.nv), mjtState.mjSTATE_QVEL)
    assert not d.qvel.any()
    np.testing.assert_array_equal(d.qpos, before)


def test_extracting_equals_getting_the_smaller_selection(both):
    m, d, _, _ = both
    big, small = mjtState.mjSTATE_INTEGRATION, mjtState.mjSTATE_QVEL | mjtState.mjSTATE_MOCAP_POS | mjtState.mjSTATE_TIME
    whole, direct, cut = (np.empty(mj_stateSize(m, s)) for s in (big, small, small))
    mj_getState(m, d, whole, big)
    mj_getState(m, d, direct, small)
    mj_extractState(m, whole, big, cut, small)
    np.testing.assert_array_equal(cut, direct)
    with pytest.raises(ModelError, match="selects components that 2 does not have"):
        mj_extractState(m, np.zeros(m.nq), 2, np.zeros(m.nv), 4)


def test_copied_state_is_equal_and_independent(both):
    m, d, _, _ = both
    other = Data(m)
    mj_copyState(m, d, other, mjtState.mjSTATE_QPOS | mjtState.mjSTATE_TIME)
    assert other.time == d.time
    np.testing.assert_array_equal(other.qpos, d.qpos)
    assert not other.qvel.any()
    d.qpos[0] += 1
    assert other.qpos[0] != d.qpos[0]


def test_copied_data_are_equal_even_when_their_capacities_differ(both):
    m, d, _, _ = both
    d.grow("maxcon", 100)
    d.inner.ncon = 40
    d.contact_dist[:] = np.arange(40)
    other = Data(m)
    view = other.qpos
    mj_copyData(other, m, d)
    assert other.ncon == 40
    np.testing.assert_array_equal(other.contact.dist, d.contact.dist)
    np.testing.assert_array_equal(view, d.qpos)
    other.contact_dist[0] = 9
    assert d.contact_dist[0] == 0
    smaller = Data(other.model.__class__({"nq": 1}))
    with pytest.raises(ModelError, match="other sizes"):
        mj_copyData(smaller, m, d)


def test_wrong_sizes_and_signatures_are_refused(both):
    m, d, _, _ = both
    with pytest.raises(TypeError, match=r"state should be 13 float64 numbers, mj_stateSize\(m, sig\); it has \(3,\)"):
        mj_getState(m, d, np.zeros(3), mjtState.mjSTATE_QPOS)
    with pytest.raises(TypeError, match="13 float64 numbers"):
        mj_getState(m, d, np.zeros(13, np.float32), mjtState.mjSTATE_QPOS)
    with pytest.raises(ModelError, match="invalid state signature -1 < 0"):
        mj_stateSize(m, -1)
    with pytest.raises(ModelError, match="invalid state signature 16384 >="):
        mj_stateSize(m, 1 << 14)
