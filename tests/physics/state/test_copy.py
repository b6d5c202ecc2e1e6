"""Models and data are copied and pickled whole, and copies live their own lives."""

import copy
import pickle

import numpy as np
import pytest

from tumble.physics import MjData, MjModel, mj_step

SCENE = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copy_continues_as_the_original_does(duplicate):
    m = MjModel.from_xml_string(SCENE)
    d = MjData(m)
    d.grow("maxcon", 100)  # a copy must take over grown capacities too
    mj_step(m, d, 50)
    m2, d2 = duplicate(m), duplicate(d)
    assert type(m2) is MjModel
    before = d.qpos.copy()
    mj_step(m2, d2, 50)
    np.testing.assert_array_equal(d.qpos, before)
    mj_step(m, d, 50)
    for name in ("qpos", "qvel", "efc_force", "contact_dist"):
        np.testing.assert_array_equal(getattr(d2, name), getattr(d, name), err_msg=name)
    m2.body_mass[1] = 99
    assert m.body_mass[1] != 99
