"""Attaching after deletions, whole worlds as bodies, and parts whose files lie in another folder: as in the reference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.parity import differences
from tumble import physics

PARENT = """<mujoco><worldbody><body name="p" pos="1 2 3"><joint name="pj"/><geom size=".1"/><site name="s" pos="0 0 1"/></body>
</worldbody><actuator><motor name="pm" joint="pj"/></actuator></mujoco>"""
CHILD = """<mujoco><worldbody><geom name="floor" type="box" size="1 1 .1"/>
<body name="a"><joint name="aj"/><geom size=".1"/><body name="c"><joint name="cj"/><geom size=".1"/></body></body>
<body name="b"><joint name="bj" type="free"/><geom size=".1"/></body></worldbody>
<actuator><motor name="am" joint="aj"/><motor name="cm" joint="cj"/></actuator>
<keyframe><key name="k" qpos="1 2 3 4 5 1 0 0 0" ctrl="6 7"/></keyframe></mujoco>"""
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
MESH = """<mujoco><compiler meshdir="meshes"/><asset><mesh name="t" file="t.obj"/></asset>
<worldbody><body name="a"><geom type="mesh" mesh="t"/></body></worldbody></mujoco>"""


def specs(engine: Any) -> tuple[Any, Any]:
    return engine.MjSpec.from_string(PARENT), engine.MjSpec.from_string(CHILD)


def whole(engine: Any, gone: str) -> Any:
    parent, child = specs(engine)
    parent.copy_during_attach = True
    child.delete(child.body(gone))
    parent.attach(child, prefix="x_", frame=parent.worldbody.add_frame())
    return parent.compile()


@pytest.mark.parametrize("gone", ["b", "c"])
def test_keyframes_of_an_attached_spec_shrink_with_what_was_deleted(gone: str) -> None:
    ours, theirs = whole(physics, gone), whole(mujoco, gone)
    for name in ("key_qpos", "key_qvel", "key_ctrl"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("gone", ["b", "c"])
def test_keyframes_shrink_with_a_deleted_body(gone: str) -> None:
    models = []
    for engine in (physics, mujoco):
        _, child = specs(engine)
        child.delete(child.body(gone))
        models.append(child.compile())
    assert differences(*models) == []


def test_numbers_that_are_written_after_a_deletion_count() -> None:
    _, child = specs(physics)
    child.delete(child.body("b"))
    child.key("k").qpos, child.key("k").ctrl = [8.0, 9.0], [1.0, 2.0]
    model = child.compile()
    assert model.key_qpos.tolist() == [[8.0, 9.0]]
    assert model.key_ctrl.tolist() == [[1.0, 2.0]]


def test_copies_of_a_spec_have_what_its_keyframes_say() -> None:
    _, child = specs(physics)
    child.delete(child.body("b"))
    assert child.copy().compile().key_qpos.tolist() == child.compile().key_qpos.tolist() == [[1.0, 2.0]]


def in_site(parent: Any, world: Any) -> Any:
    return parent.site("s").attach_body(world, "x_", "")


def in_frame(parent: Any, world: Any) -> Any:
    return parent.worldbody.add_frame(pos=[1, 0, 0]).attach_body(world, "", "_y")


@pytest.mark.parametrize("attach", [in_site, in_frame])
def test_a_world_is_attached_as_a_body_of_its_name(attach: Callable[[Any, Any], Any]) -> None:
    models, names = [], []
    for engine in (physics, mujoco):
        parent, child = specs(engine)
        child.delete(child.body("b"))  # whose free joint is for children of the world alone
        child.compile()  # else the reference leaves the names of keyframes as they are
        names.append(attach(parent, child.worldbody).name)
        models.append(parent.compile())
    assert names[0] == names[1]
    assert differences(*models) == []


def test_a_world_whose_name_is_taken_is_not_attached() -> None:
    parent, child = specs(physics)
    with pytest.raises(ValueError, match="repeated name 'world'"):
        parent.worldbody.add_frame().attach_body(child.worldbody, "", "")
    parent.worldbody.add_body(name="p_")
    other = physics.MjSpec.from_string(PARENT)
    with pytest.raises(ValueError, match="repeated name 'p_' in body"):
        parent.site("s").attach_body(other.worldbody, "", "_")
    parent.delete(parent.body("p_"))
    assert parent.compile().nbody == 2


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("beside", [False, True])
def test_a_part_finds_its_files_from_where_it_was_read(tmp_path: Path, copy: bool, beside: bool) -> None:
    (tmp_path / "part" / "meshes").mkdir(parents=True)
    (tmp_path / "part" / "meshes" / "t.obj").write_text(TETRAHEDRON)
    (tmp_path / "part" / "m.xml").write_text(MESH)
    (tmp_path / "p.xml").write_text(PARENT)
    part = physics.MjSpec.from_file(tmp_path / "part" / "m.xml")
    part = part.copy() if copy else part
    parent = physics.MjSpec.from_file(tmp_path / "p.xml") if beside else physics.MjSpec.from_string(PARENT)
    parent.worldbody.add_frame().attach_body(part.body("a"), "x_", "")
    for spec in (parent, parent.copy()):
        assert spec.compile().nmesh == 1
    if beside:
        parent.to_file(tmp_path / "whole.xml")
        assert physics.MjModel.from_xml_path(tmp_path / "whole.xml").nmesh == 1
