"""Data of another model are refused by everything that would run compiled code on them: it would leave their memory."""

from __future__ import annotations

import numpy as np
import pytest

from tumble import physics

SMALL = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
LARGE = SMALL.replace("</worldbody>", "<body pos='1 0 0'><joint/><geom size='.1'/></body>" * 9 + "</worldbody>")


@pytest.fixture(scope="module")
def pairs():
    small, large = physics.MjModel.from_xml_string(SMALL), physics.MjModel.from_xml_string(LARGE)
    return (small, physics.MjData(large)), (large, physics.MjData(small))


@pytest.mark.parametrize(
    "name",
    ["mj_step", "mj_step1", "mj_step2", "mj_forward", "mj_inverse", "mj_resetData", "mj_kinematics", "mj_comPos", "mj_makeM",
     "mj_factorM", "mj_collision", "mj_comVel", "mj_energyPos", "mj_energyVel", "mj_subtreeVel", "mj_rnePostConstraint",
     "mj_passive", "mj_island", "mj_sensorPos"],
)  # fmt: skip
def test_a_stage_refuses_them(pairs, name):
    for m, d in pairs:
        with pytest.raises(physics.ModelError, match="model of other sizes"):
            getattr(physics, name)(m, d)


def test_a_query_refuses_them(pairs):
    for m, d in pairs:
        jacobian, rows = np.zeros((3, m.nv)), np.zeros((1, m.nv))
        for ask in (
            lambda m=m, d=d, j=jacobian: physics.mj_jac(m, d, j, j, np.zeros(3), 1),
            lambda m=m, d=d, j=jacobian: physics.mj_jacSubtreeCom(m, d, j, 1),
            lambda m=m, d=d, r=rows: physics.mj_solveM(m, d, r, r),
            lambda m=m, d=d, r=rows: physics.mj_mulM(m, d, r[0], r[0]),
        ):
            with pytest.raises(physics.ModelError, match="model of other sizes"):
                ask()
