"""Spatial tendons: paths against geometry, moment arms against differences, and everything against the reference."""

import math

import mujoco
import numpy as np
import pytest

from tests.physics.reference import assert_close, posed, put_state, twins
from tumble import physics

SCENE = """
<mujoco>
  <option jacobian="dense"/>
  <worldbody>
    <site name="high" pos="0 0 2"/><site name="far" pos="1 .2 1.2"/>
    <geom name="still" type="cylinder" size=".2 .3" pos=".5 .1 1.5" euler="70 20 0"/>
    <body name="arm" pos="0 0 1">
      <joint type="ball"/>
      <geom name="hub" size=".1"/>
      <geom name="drum" type="cylinder" size=".1 .2" pos=".15 0 0" euler="80 0 0" contype="0"/>
      <site name="a" pos=".3 0 0"/><site name="b" pos="-.3 0 .1"/><site name="side" pos=".1 .3 .2"/>
      <site name="in hub" pos=".02 .01 .01"/><site name="in drum" pos=".15 .15 .01"/><site name="off drum" pos=".15 .18 .01"/>
      <body name="hand" pos=".5 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom size=".1"/>
        <site name="tip" pos=".3 0 0"/><site name="nail" pos=".3 0 .1"/>
      </body>
    </body>
    <body name="ball" pos=".4 .5 1.4"><freejoint/><geom name="round" size=".15"/>
      <site name="c" pos=".2 .1 0"/><site name="d" pos=".1 .1 -.2"/></body>
  </worldbody>
  <tendon>
    <spatial name="limited" range="1 1.1"><site site="high"/><geom geom="hub"/><site site="tip"/></spatial>
    <spatial><site site="high"/><geom geom="round"/><site site="tip"/></spatial>
    <spatial stiffness="10" damping="1">
      <site site="high"/><geom geom="hub" sidesite="side"/><site site="tip"/><geom geom="round"/><site site="far"/>
    </spatial>
    <spatial frictionloss=".1"><site site="high"/><geom geom="hub" sidesite="in hub"/><site site="tip"/></spatial>
    <spatial springlength=".1 .4" stiffness="3"><site site="c"/><geom geom="drum"/><site site="nail"/></spatial>
    <spatial>
      <site site="c"/><geom geom="drum" sidesite="side"/><site site="nail"/>
      <pulley divisor="3"/><site site="tip"/><site site="d"/><geom geom="round"/><site site="a"/>
    </spatial>
    <spatial><site site="c"/><geom geom="drum" sidesite="in drum"/><site site="nail"/></spatial>
    <spatial><site site="c"/><geom geom="drum" sidesite="off drum"/><site site="nail"/></spatial>
    <spatial>
      <site site="far"/><geom geom="still"/><site site="nail"/><geom geom="still" sidesite="side"/><site site="b"/>
    </spatial>
    <spatial name="heavy" armature=".3">
      <site site="far"/><site site="nail"/><site site="c"/><pulley divisor="2"/><site site="d"/><site site="high"/>
    </spatial>
    <fixed armature=".1"><joint joint="elbow" coef="2"/></fixed>
    <spatial range="3 4" frictionloss="1"><site site="a"/><site site="b"/></spatial>
  </tendon>
  <actuator><motor tendon="limited"/></actuator>
</mujoco>
"""


def _random_state(model: mujoco.MjModel, data: mujoco.MjData, rng: np.random.Generator) -> None:
    data.qpos[:] = rng.normal(size=model.nq)
    data.qpos[5:8] = np.array([0.4, 0.5, 1.4]) + 0.4 * rng.normal(size=3)
    mujoco.mj_normalizeQuat(model, data.qpos)
    data.qvel[:], data.ctrl[:] = rng.normal(size=model.nv), rng.normal(size=model.nu)


def _dense(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    full = np.zeros((model.ntendon, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(full, data.ten_J.ravel(), data.ten_J_rownnz, data.ten_J_rowadr, data.ten_J_colind.ravel())
        return full
    return data.ten_J.reshape(full.shape)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_paths_and_forces_are_those_of_the_reference(jacobian: str) -> None:
    xml = SCENE.replace('jacobian="dense"', f'jacobian="{jacobian}"')
    rm, rd, m, d = twins(xml)
    assert_close(m, rm, ["wrap_type", "wrap_objid", "wrap_prm", "tendon_length0", "tendon_invweight0", "tendon_lengthspring",
                         "tendon_treenum", "tendon_treeid", "dof_simplenum", "dof_invweight0"])  # fmt: skip
    rng, wrapped = np.random.default_rng(0), 0
    for _ in range(60):
        _random_state(rm, rd, rng)
        rd.qacc_warmstart[:] = 0
        put_state(d, rd)
        mujoco.mj_forward(rm, rd)
        physics.mj_forward(m, d)
        assert_close(d, rd, ["ten_length", "ten_wrapadr", "ten_wrapnum", "qM"])
        # where a path touches the inside of a geom, the reference stops its search at 1e-6
        assert_close(d, rd, ["ten_velocity", "qfrc_passive", "qfrc_bias", "qfrc_actuator"], 1e-5, 1e-5)
        np.testing.assert_allclose(d.ten_J, _dense(rm, rd), 1e-5, 1e-5)
        n = int(rd.ten_wrapadr[-1] + rd.ten_wrapnum[-1])
        np.testing.assert_array_equal(d.wrap_obj.ravel()[:n], rd.wrap_obj.ravel()[:n])
        np.testing.assert_allclose(d.wrap_xpos.ravel()[: 3 * n], rd.wrap_xpos.ravel()[: 3 * n], 1e-5, 1e-5)
        wrapped += int((rd.wrap_obj.ravel()[:n] >= 0).sum())
        assert d.nefc == rd.nefc
        scale = 1 + np.abs(rd.qacc).max()
        np.testing.assert_allclose(d.qacc / scale, rd.qacc / scale, 1e-5, 1e-5)
    assert wrapped > 200  # points on geoms: the comparison is about something


PEG = """
<mujoco>
  <worldbody>
    <geom name="peg" type="{kind}" size=".5 .5"/>
    <site name="left" pos="-1 0 {low}"/><site name="right" pos="1 0 {high}"/>
    <site name="above" pos="0 {side} 0"/>
    <body><joint axis="0 0 1"/><geom size=".1"/></body>
  </worldbody>
  <tendon><spatial><site site="left"/><geom geom="peg" {sidesite}/><site site="right"/></spatial></tendon>
</mujoco>
"""


@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
def test_wrapped_tendon_is_two_tangents_and_an_arc(kind: str) -> None:
    _, d = posed(PEG.format(kind=kind, low=0, high=0, side=2, sidesite=""))
    tangent, arc = math.sqrt(1 - 0.25), math.pi - 2 * math.acos(0.5)
    assert d.ten_length[0] == pytest.approx(2 * tangent + 0.5 * arc, abs=1e-14)


def test_a_string_around_a_cylinder_rises_as_a_helix() -> None:
    _, d = posed(PEG.format(kind="cylinder", low=-0.4, high=0.6, side=2, sidesite='sidesite="above"'))
    flat = 2 * math.sqrt(0.75) + 0.5 * (math.pi - 2 * math.acos(0.5))
    assert d.ten_length[0] == pytest.approx(math.hypot(flat, 1.0), abs=1e-14)  # unrolled, it is a straight line
    assert d.wrap_xpos.reshape(-1, 3)[1, 1] > 0  # on the side of its side site


def test_a_string_through_a_ring_is_as_short_as_can_be() -> None:
    xml = PEG.format(kind="sphere", low=0.2, high=0.3, side=0.1, sidesite='sidesite="above"')
    xml = xml.replace('pos="-1 0 0.2"', 'pos="-1 .8 0.2"').replace('pos="1 0 0.3"', 'pos="0.7 .9 0.3"')
    _, d = posed(xml)
    points = np.random.default_rng(0).normal(size=(200_000, 3))
    points *= 0.5 / np.linalg.norm(points, axis=1)[:, None]
    tried = np.linalg.norm(points - [-1, 0.8, 0.2], axis=1) + np.linalg.norm(points - [0.7, 0.9, 0.3], axis=1)
    assert d.ten_wrapnum[0] == 4
    assert tried.min() - 1e-4 < d.ten_length[0] <= tried.min()  # as near as so many points come


@pytest.mark.parametrize(("path", "message"), [
    ('<site site="a"/>', "two sites"),
    ('<site site="a"/><site site="a"/>', "repeats site"),
    ('<site site="a"/><geom geom="hub"/>', "before and after"),
    ('<site site="a"/><geom geom="box"/><site site="b"/>', "sphere or a cylinder"),
    ('<site site="a"/><site site="b"/><pulley divisor="2"/>', "followed by a branch"),
    ('<site site="a"/><site site="b"/><pulley divisor="0"/><site site="a"/><site site="b"/>', "must be positive"),
    ('<site site="a"/><site site="b"/><pulley divisor="2"/><site site="a"/>', "alone in its branch"),
])  # fmt: skip
def test_a_path_that_is_none_is_an_error_at_its_place(path: str, message: str) -> None:
    xml = f"""<mujoco><worldbody><body><freejoint/><geom name="hub" size=".1"/><geom name="box" type="box" size=".1 .1 .1"/>
      <site name="a"/><site name="b" pos="1 0 0"/></body></worldbody><tendon><spatial>{path}</spatial></tendon></mujoco>"""
    with pytest.raises(physics.MjcfError, match=message):
        physics.MjModel.from_xml_string(xml)
