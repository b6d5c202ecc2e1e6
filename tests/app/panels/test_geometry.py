"""The geometry panel: handles, typed numbers and the brush change the running model, each drag as one step of undo."""

import numpy as np
import pytest
from PyQt6.QtCore import QPointF

from tests.app.conftest import open_and_wait, open_panel, written
from tests.app.mouse import Mouse, on_screen
from tumble.app.editing.edits import Edits
from tumble.app.editing.shapes.shaping import ShapeElement, Shaping
from tumble.app.editing.shapes.structure import StructureFollower
from tumble.app.handles.shape_tool import knobs

pytestmark = pytest.mark.pumped
SCENE = """<mujoco><statistic center="0 0 .5" extent="2"/>
  <asset><hfield name="ground" nrow="21" ncol="21" size="2 2 .5 .5"/></asset>
  <worldbody>
    <light pos="0 0 4"/>
    <geom name="ground" type="hfield" hfield="ground"/>
    <camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 .4 1"/>
    <camera name="tracker" mode="trackcom" pos="0 -2 1"/>
    <body name="block" pos="0 0 1.2"><joint type="slide" axis="1 0 0"/>
      <geom name="box" type="box" size=".2 .2 .2"/><site name="mark" pos="0 0 .4" size=".05"/></body>
    <body name="ball" pos="-1 -1 1"><freejoint/><geom name="ball" size=".1" condim="6" friction="1 .1 .1"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def panel(window, qtbot, tmp_path):
    window.session.set_paused(True)
    panel = open_panel(qtbot, window, "geometry", written(tmp_path / "scene.xml", SCENE))
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    return panel


@pytest.fixture
def mouse(window):
    return Mouse(window.viewport)


def choose(window, qtbot, prefix, name):
    kind = {"geom": "geom", "site": "site", "cam": "camera"}[prefix]
    element = ShapeElement(prefix, getattr(window.session.model, kind)(name).id)
    window.session.select(element.body(window.session.model))
    window.session.part(Shaping).choose(element)
    qtbot.waitUntil(lambda: window.session.is_obeyed)
    return element


def settle(window, qtbot):
    structure, session = window.session.part(StructureFollower), window.session
    qtbot.waitUntil(lambda: not structure.busy and not session.loads.busy and session.is_obeyed)


def knob_place(window, panel, axis, side=1.0):
    """Where the handle of a size is in the view."""
    canvas = window.viewport.tools._canvas()
    places = panel.tool._knob_places(panel.tool._handles(canvas))
    return QPointF(*next(where for knob, where in places if (knob.axis, knob.side) == (axis, side)))


def arrow_ends(window, panel, axis):
    """Where the ends of an arrow are in the view."""
    return (QPointF(*end) for end in panel.tool._handles(window.viewport.tools._canvas()).arrow(axis))


def test_a_click_chooses_the_geom_under_the_mouse(window, qtbot, panel, mouse):
    at = on_screen(window.viewport, window.session.snapshot.frame.geom_xpos[1:2])
    mouse.press(at)
    mouse.release(at)
    assert window.session.part(Shaping).chosen == ShapeElement("geom", 1)
    assert window.session.selection == window.session.model.body("block").id
    assert panel.element.currentText() == "geom box"


def test_dragging_a_square_resizes_and_the_mass_follows(window, qtbot, panel, mouse):
    choose(window, qtbot, "geom", "box")
    model, edits = window.session.model, window.session.part(Edits)
    mass = float(model.body_mass[1])
    at = knob_place(window, panel, 2)
    mouse.drag([at, at - QPointF(0, 10), at - QPointF(0, 25)])
    settle(window, qtbot)
    size = model.geom_size[1]
    assert size[2] > 0.22
    assert (size[:2] == 0.2).all()
    assert model.geom_rbound[1] == np.linalg.norm(size)
    assert model.body_mass[1] == pytest.approx(mass * size[2] / 0.2, rel=1e-9)  # of a density
    assert edits.stack.count() == 1
    assert edits.stack.undoText() == "Resize geom box"
    edits.stack.undo()
    settle(window, qtbot)
    assert model.geom_size[1, 2] == 0.2
    assert model.body_mass[1] == mass


def test_dragging_an_arrow_moves_along_it_and_escape_takes_it_back(window, qtbot, panel, mouse):
    choose(window, qtbot, "site", "mark")
    model, stack = window.session.model, window.session.part(Edits).stack
    neck, tip = arrow_ends(window, panel, 0)
    mouse.drag([tip, tip + 0.2 * (tip - neck), tip + 0.4 * (tip - neck)])
    settle(window, qtbot)
    moved = model.site_pos[0].copy()
    assert moved[0] > 0.05
    assert moved[1:].tolist() == [0.0, 0.4]
    assert stack.count() == 1
    neck, tip = arrow_ends(window, panel, 0)
    mouse.press(tip)
    mouse.move(tip - 0.5 * (tip - neck))
    settle(window, qtbot)
    assert model.site_pos[0, 0] < moved[0]
    window.viewport.tools.cancel()
    settle(window, qtbot)
    np.testing.assert_array_equal(model.site_pos[0], moved)
    assert stack.index() == 1


def test_typed_numbers_are_checked(window, qtbot, panel):
    choose(window, qtbot, "geom", "box")
    panel.size_row.fields[0].setText("0")
    panel.size_row.fields[0].setModified(True)
    panel.size_row.fields[0].commit()
    assert "more than 0" in panel.problem.text()
    panel.pos_row.fields[1].setText("0.25")
    panel.pos_row.fields[1].setModified(True)
    panel.pos_row.fields[1].commit()
    settle(window, qtbot)
    assert window.session.model.geom_pos[1, 1] == 0.25
    assert panel.problem.text() == ""


def test_sites_and_fixed_cameras_have_handles_and_a_camera_that_follows_says_why_not(window, qtbot, panel):
    canvas = window.viewport.tools._canvas
    for prefix, name in (("site", "mark"), ("cam", "eye")):
        choose(window, qtbot, prefix, name)
        assert panel.tool._handles(canvas()) is not None
    choose(window, qtbot, "cam", "tracker")
    assert panel.tool._handles(canvas()) is None
    assert "mode is trackcom" in panel.problem.text()


def test_a_ball_comes_to_rest_on_what_the_brush_has_raised(window, qtbot, panel, mouse, pump):
    choose(window, qtbot, "geom", "ground")
    shaping, edits = window.session.part(Shaping), window.session.part(Edits)
    panel.brush.setChecked(True)
    panel.radius.show_value(0.8)
    panel.strength.show_value(0.5)
    panel._set_brush()
    window.session.set_paused(False)
    pump.run(0.05)
    shaping.begin()
    for _ in range(20):
        shaping.dab((-1.0, -1.0), panel.tool.brush, 0.04)
        pump.run(0.02)
    shaping.end()
    settle(window, qtbot)
    pump.run(3.0)
    ball = window.session.snapshot.xpos[window.session.model.body("ball").id]
    model = window.session.model
    top = float((model.hfield_data.reshape(21, 21)[5, 5] * model.hfield_size[0, 2]) + model.geom_pos[0, 2])
    assert top == pytest.approx(0.4, rel=1e-5)
    assert ball[2] == pytest.approx(top + 0.1, abs=0.02)  # it lies a little beside the tip, and contacts are soft
    assert edits.stack.count() == 1
    edits.stack.undo()
    pump.run(1.0)
    assert window.session.snapshot.xpos[window.session.model.body("ball").id][2] == pytest.approx(0.1, abs=0.01)


def test_a_dug_hole_is_below_the_ground_and_the_bottom_stays(window, qtbot, panel):
    choose(window, qtbot, "geom", "ground")
    panel.brush.setChecked(True)
    panel.mode.setCurrentIndex(1)
    panel.radius.show_value(0.8)
    panel.strength.show_value(0.5)
    panel._set_brush()
    shaping, model = window.session.part(Shaping), window.session.model
    bottom = model.geom_pos[0, 2] - model.hfield_size[0, 3]
    shaping.begin()
    shaping.dab((0.0, 0.0), panel.tool.brush, 0.4)
    shaping.end()
    settle(window, qtbot)
    model = window.session.model
    assert model.geom_pos[0, 2] == pytest.approx(-0.2, rel=1e-5)
    assert model.hfield_data.reshape(21, 21)[10, 10] == 0
    assert model.geom_pos[0, 2] - model.hfield_size[0, 3] == pytest.approx(bottom, abs=1e-9)


def test_the_brush_raises_what_is_under_the_mouse(window, qtbot, panel, mouse):
    choose(window, qtbot, "geom", "ground")
    panel.brush.setChecked(True)
    at = on_screen(window.viewport, np.array([[-1.0, -1.0, 0.0]]))
    mouse.press(at)
    mouse.release(at)
    settle(window, qtbot)
    samples = window.session.model.hfield_data.reshape(21, 21)
    row, column = np.unravel_index(int(samples.argmax()), samples.shape)
    assert abs(row - 5) <= 1
    assert abs(column - 5) <= 1


def test_a_hidden_panel_leaves_the_mouse_and_the_picture_alone(window, qtbot, panel):
    choose(window, qtbot, "geom", "box")
    assert panel.tool.active
    window.panels.dock("geometry").hide()
    qtbot.waitUntil(lambda: not panel.tool.active)


def test_planes_without_end_and_meshes_have_no_handles_of_sizes():
    assert knobs(0, (0.0, 0.0, 0.1)) == []
    assert knobs(7, (0.1, 0.1, 0.1)) == []
    assert {(k.axis, k.side) for k in knobs(3, (0.1, 0.4))} == {(0, 1.0), (0, -1.0), (2, 1.0), (2, -1.0)}
    assert next(k.place for k in knobs(3, (0.1, 0.4)) if k.axis == 2) == (0.0, 0.0, 0.5)  # behind the cap


def test_another_model_and_nothing_chosen_are_no_fault(window, qtbot, panel, tmp_path):
    choose(window, qtbot, "geom", "box")
    open_and_wait(qtbot, window.session, written(tmp_path / "other.xml", "<mujoco><worldbody/></mujoco>"))
    assert window.session.part(Shaping).chosen is None
    assert panel.element.count() == 0
    assert panel.tool._handles(window.viewport.tools._canvas()) is None
    window.viewport.repaint()
