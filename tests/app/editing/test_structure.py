"""A model whose shapes are changed while it runs is the one that its file, with the changes, compiles to."""

import numpy as np
import pytest

from tests.app.conftest import open_and_wait, written
from tumble import physics
from tumble.app.editing import patch
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.editing.shapes.structure import StructureFollower
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL

pytestmark = pytest.mark.pumped

SCENE = """<mujoco>
  <default><default class="thin"><geom density="500"/></default></default>
  <asset>
    <mesh name="wedge" vertex="0 0 0  .3 0 0  0 .2 0  0 0 .4  .1 .1 .5"/>
    <hfield name="hills" nrow="4" ncol="3" size="2 3 .5 .2" elevation="0 .1 .2  .3 1 .5  .2 .4 .6  0 0 .1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" pos="0 0 -1"/>
    <geom name="terrain" type="hfield" hfield="hills" pos="0 8 0"/>
    <site name="mark" type="box" size=".1 .2 .3" pos="1 1 1" euler="0 30 0"/>
    <camera name="eye" pos="0 -4 2" xyaxes="1 0 0 0 .4 1"/>
    <frame pos="0 0 .5" euler="0 0 40">
      <body name="arm" pos="0 0 1">
        <joint name="hinge" axis="0 1 0" damping="1"/>
        <geom name="sphere" size=".1" pos=".1 0 0"/>
        <geom name="capsule" type="capsule" size=".05 .2" pos=".3 0 .1" axisangle="0 1 0 60"/>
        <geom name="stick" type="capsule" fromto="0 0 0 .5 .1 .2" size=".03"/>
        <geom name="cylinder" type="cylinder" size=".06 .1" pos=".5 0 0"/>
        <frame pos=".2 .1 0" axisangle="0 0 1 25">
          <geom name="ellipsoid" type="ellipsoid" size=".05 .1 .15" pos="0 .3 0" fluidshape="ellipsoid"/>
          <geom name="box" class="thin" type="box" size=".1 .05 .02" pos="0 -.3 0" euler="10 20 30"/>
          <site name="tip" pos=".1 0 0"/>
          <camera name="wrist" pos="0 0 .3" euler="20 0 0"/>
        </frame>
        <geom name="wedge" type="mesh" mesh="wedge" pos="0 0 .4"/>
        <geom name="fitted" type="box" mesh="wedge" pos="0 .5 .4"/>
        <geom name="beam" type="box" fromto="0 .6 0 .4 .7 .1" size=".03"/>
      </body>
    </frame>
    <body name="given" pos="2 0 1"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia=".1 .1 .1"/>
      <geom name="shell" type="box" size=".2 .1 .1"/></body>
    <body name="ball" pos="3 0 1"><freejoint/><geom name="ball" size=".1"/></body>
  </worldbody>
  <tendon><spatial name="rope"><site site="mark"/><geom geom="sphere"/><site site="tip"/></spatial></tendon>
  <actuator><muscle tendon="rope" name="pull"/></actuator>
</mujoco>
"""
TURN = (0.9238795325112867, 0.0, 0.3826834323650898, 0.0)
LEFT_OUT = {f.name for f in MODEL_INTERNAL} | {"paths", "stat_extent", "stat_center", "stat_meansize", "stat_meanmass"}


@pytest.fixture
def scene(qtbot, session, tmp_path):
    session.set_paused(True)
    session.part(StructureFollower)
    open_and_wait(qtbot, session, written(tmp_path / "scene.xml", SCENE))
    return session


def place(session, field, name):
    kind = {"geom": "geom", "site": "site", "cam": "camera", "hfield": "hfield"}[field.partition("_")[0]]
    return EditPlace(field, getattr(session.model, kind)(name).id)


def settle(qtbot, session):
    """Wait until the compiler has seen all changes, and the simulation all that follows."""
    structure = session.part(StructureFollower)
    qtbot.waitUntil(lambda: not structure.busy and not session.loads.busy and session.is_obeyed)


def change(qtbot, session, values):
    session.part(Edits).set_all(values, "Change")
    settle(qtbot, session)


def differing(first, second):
    """Names of the fields in which two models differ."""
    return [name for name, values in numbers(first).items() if not same(values, getattr(second, name))]


def numbers(model):
    """A copy of all fields that a file decides."""
    return {f.name: np.array(getattr(model, f.name)) for f in MODEL if f.name not in LEFT_OUT and f.unit != "address"}


def same(first, second):
    """True for the same numbers; not-a-number is itself."""
    return np.array_equal(first, second, equal_nan=np.asarray(first).dtype.kind == "f")


def require_as_in_file(session):
    """The running model has every number of the one that the patched file compiles to."""
    made = patch.make(session.path, session.model, session.part(Edits).changes())
    assert made.left == []
    before = session.path.read_bytes()
    made.save()
    try:
        assert differing(session.model, physics.MjModel.from_xml_path(str(session.path))) == []
    finally:
        session.path.write_bytes(before)


SIZES = {
    "floor": (4.0, 3.0, 0.2), "sphere": (0.2, 0.0, 0.0), "capsule": (0.07, 0.3, 0.0), "cylinder": (0.1, 0.02, 0.0),
    "ellipsoid": (0.1, 0.02, 0.3), "box": (0.02, 0.3, 0.1), "shell": (0.3, 0.3, 0.1), "ball": (0.3, 0.0, 0.0),
    "beam": (0.05, 0.02, 0.3),
}  # fmt: skip
PLACED = (*SIZES, "stick", "wedge", "fitted", "terrain")


def test_an_unchanged_model_is_that_of_its_file(scene):
    assert differing(scene.model, physics.MjModel.from_xml_path(str(scene.path))) == []


@pytest.mark.parametrize("name", SIZES)
def test_a_size_is_as_if_it_were_in_the_file(qtbot, scene, name):
    change(qtbot, scene, {place(scene, "geom_size", name): SIZES[name]})
    require_as_in_file(scene)


@pytest.mark.parametrize("name", PLACED)
def test_a_pose_is_as_if_it_were_in_the_file(qtbot, scene, name):
    turn = TURN if name != "floor" else (1.0, 0.0, 0.0, 0.0)
    change(qtbot, scene, {place(scene, "geom_pos", name): (0.2, 0.15, 0.3), place(scene, "geom_quat", name): turn})
    require_as_in_file(scene)


@pytest.mark.parametrize(("field", "name"), [("site", "mark"), ("site", "tip"), ("cam", "eye"), ("cam", "wrist")])
def test_poses_of_sites_and_cameras_are_as_if_they_were_in_the_file(qtbot, scene, field, name):
    change(qtbot, scene, {place(scene, f"{field}_pos", name): (0.3, -0.1, 0.7), place(scene, f"{field}_quat", name): TURN})
    require_as_in_file(scene)


def heights(session, *, raised):
    """Samples of the field with one of them raised, as a compiler scales them."""
    data = np.array(session.model.hfield_data)
    data[5] = raised
    return tuple((data / data.max()).astype(np.float32).tolist()), float(data.max())


def test_samples_of_a_height_field_are_as_if_they_were_in_the_file(qtbot, scene):
    data, top = heights(scene, raised=4.0)
    change(qtbot, scene, {EditPlace("hfield_data"): data, EditPlace("hfield_size", 0): (2.0, 3.0, 0.5 * top, 0.2)})
    require_as_in_file(scene)


def test_undo_and_redo_bring_back_what_was_derived(qtbot, scene):
    before = physics.MjModel.from_xml_path(str(scene.path))
    change(qtbot, scene, {place(scene, "geom_size", "box"): SIZES["box"], place(scene, "geom_pos", "sphere"): (0.0, 0.2, 0.0)})
    changed = {name: np.array(getattr(scene.model, name)) for name in ("body_mass", "body_inertia", "geom_rbound")}
    assert changed["body_mass"][1] != before.body_mass[1]
    scene.part(Edits).stack.undo()
    settle(qtbot, scene)
    assert differing(scene.model, before) == []
    scene.part(Edits).stack.redo()
    settle(qtbot, scene)
    assert all(np.array_equal(getattr(scene.model, name), values) for name, values in changed.items())
    require_as_in_file(scene)


def test_a_layout_that_changes_keeps_state_selection_and_undo(qtbot, scene, pump):
    """A free ball with its geom off its centre has no diagonal inertia: the matrix needs more room."""
    scene.set_paused(False)
    pump.run(0.1)
    scene.set_paused(True)
    qtbot.waitUntil(lambda: scene.is_obeyed)
    ball, model = scene.model.body("ball").id, scene.model
    scene.select(ball)
    height = float(pump.simulation.data.qpos[-5])
    assert model.body_simple[ball]
    change(qtbot, scene, {place(scene, "geom_pos", "ball"): (0.1, 0.0, 0.0)})
    assert scene.model is not model
    assert not scene.model.body_simple[ball]
    require_as_in_file(scene)
    assert pump.simulation.data.time == pytest.approx(0.1, abs=0.01)
    assert float(pump.simulation.data.qpos[-5]) == height
    assert scene.selection == ball
    assert scene.part(Edits).count == 1
    assert differing(scene.bundle.compile(), scene.model) == []  # so that replays have the model that ran
    scene.part(Edits).stack.undo()
    settle(qtbot, scene)
    assert scene.part(Edits).count == 0
    assert differing(scene.model, physics.MjModel.from_xml_path(str(scene.path))) == []


def test_going_back_in_time_brings_back_shapes_and_the_trees_over_them(qtbot, scene, pump):
    before = physics.MjModel.from_xml_path(str(scene.path))
    scene.set_paused(False)
    pump.run(0.1)
    change(qtbot, scene, {place(scene, "geom_pos", "box"): (0.0, 0.4, 0.1), place(scene, "geom_size", "sphere"): (0.2, 0.0, 0.0)})
    pump.run(0.1)
    after = numbers(scene.model)
    assert not np.array_equal(after["bvh_aabb"], before.bvh_aabb)
    end = scene.history.now
    scene.history.go(5)
    settle(qtbot, scene)
    qtbot.waitUntil(lambda: scene.history.now == 5)
    assert differing(scene.model, before) == []
    scene.history.go(end)
    qtbot.waitUntil(lambda: scene.history.now == end)
    settle(qtbot, scene)
    assert all(same(values, getattr(scene.model, name)) for name, values in after.items())


def test_a_drag_is_one_step_of_undo_however_long_it_takes(qtbot, scene):
    structure, edits, box = scene.part(StructureFollower), scene.part(Edits), place(scene, "geom_size", "box")
    first = edits.value(box)
    gesture = structure.begin_gesture()
    for k in range(1, 4):
        edits.set_all({box: (0.1 * k, 0.05, 0.02)}, "Resize", gesture)
    edits.set_all({place(scene, "geom_pos", "box"): (0.0, 0.0, 0.1)}, "Resize", gesture)
    structure.end_gesture()
    settle(qtbot, scene)
    assert edits.stack.count() == 1
    require_as_in_file(scene)
    edits.stack.undo()
    settle(qtbot, scene)
    assert edits.value(box) == first
    assert edits.count == 0


def test_what_a_file_cannot_have_is_told_and_stays(qtbot, scene):
    """A mass that follows from geoms has no attribute: the change of it stays while shapes change."""
    mass = EditPlace("body_mass", scene.model.body("arm").id)
    change(qtbot, scene, {mass: (7.0,)})
    change(qtbot, scene, {place(scene, "geom_size", "box"): SIZES["box"]})
    assert scene.model.body_mass[mass.index] == 7.0
    assert "follows from the geoms" in scene.part(StructureFollower).problem
