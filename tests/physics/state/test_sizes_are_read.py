"""Sizes are what kernels trust: they cannot be set."""

import copy
import pickle

import pytest

from tumble import physics

TEXT = "<mujoco><worldbody><body gravcomp='1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.mark.parametrize("name", ["nq", "nbody", "nM", "ngravcomp", "nstage"])
def test_a_size_is_only_read(name):
    m = physics.MjModel.from_xml_string(TEXT)
    before = getattr(m, name)
    with pytest.raises(AttributeError, match=name):
        setattr(m, name, 7)
    assert getattr(m, name) == before
    for other in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert getattr(other, name) == before
