"""`mj_setConst` after a change of the model: equal to the reference's, and without touching the state."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.parity import both, differences
from tests.physics.compiler.test_parity import SCENE, TENDONS, random_tree, world
from tumble.physics.compiler.setconst import mj_setConst
from tumble.physics.state.data import Data


@pytest.mark.parametrize("seed", range(4))
def test_after_changing_masses_and_poses(seed: int) -> None:
    after = TENDONS + '<actuator><motor joint="jb"/><motor tendon="t1"/></actuator>'
    m, reference = both(world(SCENE + random_tree(seed), after=after))
    rng = np.random.default_rng(seed)
    mass, pos, ref = rng.uniform(1, 2, m.nbody), rng.normal(size=(m.nbody, 3)), rng.normal(size=m.nq)
    scalar = m.jnt_type >= 2
    for model in (m, reference):
        model.body_mass[1:] *= mass[1:]
        model.body_pos[1:] += pos[1:]
        model.qpos0[model.jnt_qposadr[scalar]] += ref[: scalar.sum()]
        model.dof_armature[:] += 0.1
    d = Data(m)
    d.qpos = state = rng.normal(size=m.nq)
    mj_setConst(m, d)
    mujoco.mj_setConst(reference, mujoco.MjData(reference))
    assert differences(m, reference) == []
    assert (d.qpos == state).all()
