"""Length ranges that are found by pulling: the reference's, whatever else is tied to the joints, and found soon."""

import math

import mujoco
import numpy as np
import pytest

from tumble import physics
from tumble.physics.compiler.relations import lengthrange


def arms(number: int, links: int, cords: int, more: str = "", option: str = "") -> str:
    """Arms of so many links, with so many tendons each from the ground to the links, a muscle on every one."""
    bodies, tendons, muscles = "", "", ""
    for a in range(number):
        bodies += f'<site name="low{a}" pos="{a} .1 -.3"/><site name="high{a}" pos="{a} 0 .3"/>'
        for k in range(links):
            axis = ("0 1 0", "0 .6 .8")[k % 2]
            bodies += f"""<body pos="{a if k == 0 else 0.2} 0 0"><joint name="j{a}.{k}" axis="{axis}" range="-60 60"/>
              <geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/><site name="s{a}.{k}" pos=".1 0 .05"/>"""
        bodies += "</body>" * links
        for c in range(cords):
            tendons += f"""<spatial name="t{a}.{c}"><site site="{("low", "high")[c // links % 2]}{a}"/>
              <site site="s{a}.{c % links}"/></spatial>"""
            muscles += f'<muscle tendon="t{a}.{c}"/>'
    rule = '<compiler><lengthrange inttotal="1" interval=".2" tolrange=".5" timeconst=".1"/></compiler>'
    return f"""<mujoco>{rule}{option}<worldbody>{bodies}</worldbody><tendon>{tendons}</tendon><actuator>{muscles}</actuator>
      {more}</mujoco>"""


LIMITED = arms(1, 3, 6).replace('<spatial name="t0.4"', '<spatial name="t0.4" range="0 .25" limited="true"')


@pytest.mark.parametrize("xml", [
    arms(2, 3, 6),
    LIMITED,
    arms(1, 3, 6, '<equality><tendon tendon1="t0.0" tendon2="t0.4"/></equality>'),
    arms(1, 3, 6).replace('<spatial name="t0.3"', '<spatial armature="5" name="t0.3"'),
    arms(1, 3, 6).replace('<spatial name="t0.3"', '<spatial stiffness="1000" damping="20" frictionloss="9" name="t0.3"'),
    arms(1, 3, 6, option='<option integrator="RK4"/>'),
    arms(1, 3, 6, option='<option integrator="implicitfast" solver="PGS"/>'),
], ids=["free", "limited", "coupled", "armature", "springs", "rk4", "implicit"])  # fmt: skip
def test_ranges_are_the_references_whatever_ties_the_joints(xml: str) -> None:
    ours, theirs = physics.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    np.testing.assert_allclose(ours.actuator_lengthrange, theirs.actuator_lengthrange, rtol=1e-5)
    for name in ("tendon_num", "tendon_length0"):  # what was put aside meanwhile is back
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, err_msg=name)
    assert ours.opt.integrator == theirs.opt.integrator
    assert ours.opt.disableflags == theirs.opt.disableflags


def test_a_tendon_that_ties_the_joints_changes_the_ranges() -> None:
    free, tied = (physics.MjModel.from_xml_string(xml).actuator_lengthrange for xml in (arms(1, 3, 6), LIMITED))
    assert np.abs(free - tied).max() > 0.02


def test_of_hundreds_of_tendons_only_those_that_matter_get_paths_and_steps_are_done_many_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without it, loading 490 muscles took longer than in the reference: four times as long with ten joints as now."""
    drawn: list[np.ndarray] = []
    done = lengthrange.pull.on

    def watched(m: physics.MjModel, *rest: float) -> None:
        drawn.append(np.flatnonzero(m.tendon_num))
        done(m, *rest)

    monkeypatch.setattr(lengthrange.pull, "on", watched)
    physics.MjModel.from_xml_string(LIMITED)
    assert {tuple(seen) for seen in drawn} == {tuple(sorted({t, 4})) for t in range(6)}
    assert len(drawn) == 6 * 2 * math.ceil(1 / 0.01 / lengthrange._AT_ONCE)
