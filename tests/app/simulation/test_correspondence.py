"""The state of a model brought into the same model read again, by names and places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tumble import physics
from tumble.app.simulation.correspondence import GONE, Correspondence

MODEL = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="box" pos="0 0 0.3"><freejoint/><geom size="0.1" type="sphere"/></body>
    <body pos="1 0 1">
      <joint axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body name="tip" pos="0.3 0 0"><joint name="ball" type="ball"/><geom size="0.05"/></body>
    </body>
    <body name="hand" mocap="true" pos="0 0 2"><geom size="0.02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <equality><weld name="grasp" body1="hand" body2="box" active="false"/></equality>
  <actuator>
    <general name="slow" joint="ball" gear="0 1 0" dyntype="filter" dynprm="0.5"/>
    <motor name="last" joint="ball"/>
  </actuator>
</mujoco>
"""


def loaded(text: str) -> tuple[Any, Any]:
    model = physics.MjModel.from_xml_string(text)
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    return model, data


def carried(old: tuple[Any, Any], text: str) -> tuple[Any, Any]:
    model, data = loaded(text)
    kept = Correspondence(old[0], model)
    kept.transfer(kept.taken(old[1]), data)
    physics.mj_forward(model, data)
    return model, data


def moving(steps: int = 200) -> tuple[Any, Any]:
    model, data = loaded(MODEL)
    data.ctrl[:] = (0.7, 0.01)
    data.mocap_pos[0] = (0.1, 0.2, 2.5)
    data.eq_active[0] = 1
    data.xfrc_applied[1, 2] = 0.5
    physics.mj_step(model, data, steps)
    return model, data


def test_reload_after_comment_edit_continues_bit_for_bit():
    model, data = moving()
    other, there = carried((model, data), MODEL.replace("<worldbody>", "<worldbody><!-- nothing -->"))
    physics.mj_step(model, data, 200)
    physics.mj_step(other, there, 200)
    for name in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart", "xfrc_applied", "mocap_pos", "eq_active"):
        assert np.array_equal(getattr(data, name), getattr(there, name)), name
    assert there.time == data.time


def test_reload_starts_new_elements_and_keeps_the_others():
    model, data = moving()
    text = MODEL.replace('<body name="box"', '<body name="new" pos="2 0 1"><freejoint/><geom size="0.1"/></body><body name="box"')
    text = text.replace("<actuator>", '<actuator><motor name="first" joint="ball" gear="0 0 1"/>')
    other, there = carried((model, data), text)
    assert other.nq == model.nq + 7
    assert np.array_equal(there.qpos[7:14], data.qpos[:7])  # of the box
    assert np.array_equal(there.joint("ball").qpos, data.joint("ball").qpos)
    assert np.array_equal(there.joint("ball").qvel, data.joint("ball").qvel)
    assert list(there.body("new").xpos) == [2, 0, 1]
    assert there.actuator("slow").ctrl[0] == 0.7
    assert there.actuator("first").ctrl[0] == 0
    assert there.act[0] == data.act[0] != 0


def test_what_is_gone_or_of_another_type_is_left_out():
    model, data = moving()
    text = MODEL.replace('type="ball"', 'type="hinge"').replace('gear="0 1 0"', "").replace("<freejoint/>", "")
    other, there = carried((model, data), text)
    kept = Correspondence(model, other)
    assert kept.element("jnt", 2) == GONE
    assert kept.element("jnt", 1) == 0
    assert kept.element("dof", 6) == 0
    assert there.joint("ball").qpos[0] == 0
    assert there.qpos[0] == data.qpos[7]
    assert kept.element("geom", 99) == GONE
    assert not kept.knows("opt")


def test_unnamed_elements_correspond_by_body_and_order():
    text = "<mujoco><worldbody>{}</worldbody></mujoco>"
    one = '<body pos="0 0 {0}"><joint axis="0 1 0"/><geom size="0.{0}"/><geom size="0.0{0}"/></body>'
    named = '<body name="n" pos="0 1 1"><freejoint/><geom size="0.1"/></body>'
    old, _ = loaded(text.format(one.format(1) + one.format(2)))
    new, _ = loaded(text.format(named + one.format(1) + one.format(2)))
    kept = Correspondence(old, new)
    assert [kept.element("body", b) for b in range(old.nbody)] == [0, 2, 3]
    assert [kept.element("geom", g) for g in range(old.ngeom)] == [1, 2, 3, 4]
    assert [kept.element("jnt", j) for j in range(old.njnt)] == [1, 2]


def test_reload_applies_changed_mocap_pose_and_eq_active():
    model, data = moving()
    text = MODEL.replace('mocap="true" pos="0 0 2"', 'mocap="true" pos="0 0 3"').replace('active="false"', 'active="true"')
    data.eq_active[0] = 0
    _, there = carried((model, data), text)
    assert list(there.mocap_pos[0]) == [0, 0, 3]
    assert there.eq_active[0] == 1


def test_trees_that_start_asleep_stay_awake_when_continued():
    text = MODEL.replace("<worldbody>", '<option><flag sleep="enable"/></option><worldbody>')
    model, data = loaded(text)
    data.qpos[:3] = (0.5, 0.5, 0.3)
    data.qvel[:] = 0
    _, there = carried((model, data), text.replace('<body name="box"', '<body name="box" sleep="init"'))
    assert there.tree_asleep[0] < 0
    assert there.body("box").xpos == pytest.approx([0.5, 0.5, 0.3])


def test_what_is_on_its_way_arrives_after_the_reload_too():
    sensors = """<sensor><jointvel name="dip" joint="hinge" nsample="4" delay="0.008"/>
      <clock nsample="2" interval="0.01"/></sensor>"""
    late = MODEL.replace('joint="ball"/>', 'joint="ball" nsample="5" delay="0.01"/>')
    late = late.replace('<joint axis="0 1 0"', '<joint name="hinge" axis="0 1 0"').replace("</mujoco>", f"{sensors}</mujoco>")
    old = loaded(late)
    for k in range(50):
        old[1].ctrl[:] = 0.1, 0.01 * k
        physics.mj_step(*old)
    new = carried(old, late)
    more = carried(old, late.replace("<actuator>", '<actuator><motor name="first" joint="ball" nsample="9"/>'))
    physics.mj_forward(*old)
    for k in range(20):
        for model, data in (old, new, more):
            data.ctrl[-2:] = 0.2, -0.01 * k
            physics.mj_step(model, data)
        assert new[1].history.tobytes() == old[1].history.tobytes()
        assert new[1].sensordata.tobytes() == more[1].sensordata.tobytes() == old[1].sensordata.tobytes()
        assert more[1].qpos.tobytes() == new[1].qpos.tobytes() == old[1].qpos.tobytes()
    changed = carried(old, late.replace('nsample="5"', 'nsample="6"'))  # another buffer begins as after a reset
    assert changed[1].history[1] == 5
    physics.mj_step(*changed, 20)
