"""The mouse over the view: names under it, bodies in a box, contacts by their arrows; what a drag means and where it leads."""

from types import SimpleNamespace

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtWidgets import QApplication

from tests.app.conftest import open_and_wait, written
from tests.app.mouse import Mouse, on_screen
from tumble.app.base import settings
from tumble.app.describe.contacts import Names
from tumble.app.describe.numbers import DASH, TIMES
from tumble.app.simulation.perturbation import Grip, GripMode, rotated
from tumble.app.simulation.snapshot import Snapshot
from tumble.app.viewport import hovering
from tumble.app.viewport.choosing import FoundBodies
from tumble.app.viewport.gestures import Click, Drag, click_of, drag_camera, drag_grip, drag_of, seen_height
from tumble.app.viewport.hovering import seen_words
from tumble.physics import MjData, MjModel, mj_forward, mjtObj
from tumble.render.camera import Camera, view_of
from tumble.render.frame import Frame
from tumble.render.picking.pick import Hit

Left, Shift = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
PAIR = f"floor {DASH} brick"
SCENE = """<mujoco><worldbody><light pos="0 -2 3" dir="0 .5 -1"/><geom name="floor" type="plane" size="5 5 .1"/>
<body name="one" pos="-.4 0 .1"><freejoint/><geom name="brick" type="box" size=".1 .1 .1"/></body>
<body name="two" pos="0 0 .1"><freejoint/><geom name="drum" type="cylinder" size=".1 .1"/></body>
<body name="high" pos="0 0 .7"><joint name="turn" axis="0 1 0"/><geom name="ball" size=".1"/>
<geom type="box" size=".05 .05 .05" group="3"/>
<site name="eye" pos="0 -.1 0" size=".03"/></body>
<site name="hook" pos=".4 0 .7" size=".02"/></worldbody>
<tendon><spatial name="cord" width=".01"><site site="eye"/><site site="hook"/></spatial></tendon>
<actuator><motor name="pull" joint="turn"/></actuator>
<sensor><gyro name="rate" site="eye"/></sensor></mujoco>"""


def at(view, point):
    where = on_screen(view, point)
    return np.array([where.x(), where.y()])


def test_names_boxes_and_contacts(window, qtbot, pump, tmp_path, monkeypatch):
    path = written(tmp_path / "scene.xml", SCENE)
    session, view = window.session, window.viewport
    window.actions_by_name["reload_on_save"].setChecked(False)  # or what was just written is looked at again
    open_and_wait(qtbot, session, path)
    view.smooth = False
    view.set_camera(Camera(lookat=(0.0, 0.0, 0.35), distance=2.6, azimuth=90.0, elevation=-15.0))
    pump.run(0.3)
    session.set_paused(True)
    qtbot.waitUntil(lambda: view.is_drawn and not session.loads.busy)
    mouse, hover = Mouse(view), view.hover

    def named(point):
        place = at(view, point)
        monkeypatch.setattr(hovering, "REST", 60_000)  # on a busy machine the event alone may take longer than a rest
        mouse.send(QEvent.Type.MouseMove, place + 40.0, Qt.MouseButton.NoButton)
        assert hover.lines == []  # it moves
        monkeypatch.setattr(hovering, "REST", 20)
        mouse.send(QEvent.Type.MouseMove, place, Qt.MouseButton.NoButton)
        qtbot.waitUntil(lambda: bool(hover.lines))
        return hover.lines

    assert named([-0.4, -0.1, 0.1]) == ["geom brick", "of body one", f"box 0.2 {TIMES} 0.2 {TIMES} 0.2 m"]
    drawn = []
    monkeypatch.setattr(view, "update", lambda: drawn.append(1))
    qtbot.wait(100)
    assert not drawn  # a resting mouse costs no picture
    monkeypatch.undo()
    assert named([0.0, -0.13, 0.7])[:3] == ["site eye", "of body high", "rate: 0 0 0 rad/s"]
    length = np.linalg.norm([0.4, 0.1, 0.0])
    assert named([0.2, -0.05, 0.7]) == ["tendon cord", f"{1e3 * length:.1f} mm long"]
    view.set_option("contact_force", True)
    normal = session.snapshot.contact("force")[:, 0]
    pairs, places = session.snapshot.contact_sides(), session.snapshot.contact("pos")
    names = Names(session.loaded_model)
    first = next(i for i in range(session.snapshot.ncon) if names.pair(pairs[i]) == PAIR and places[i][1] < 0)
    arrow = session.snapshot.contact("pos")[first] + [0.0, -0.001, 0.02]
    name = named(arrow)
    assert name[:2] == ["contact", PAIR]
    assert name[2].startswith(f"stick, {normal[first]:.3f}"[:10])

    # A double click on the arrow opens the panel of contacts and chooses that one.
    assert not session.contact_choice.open
    mouse.double_click(at(view, arrow))
    qtbot.waitUntil(lambda: session.contact_choice.index == first)
    assert session.selection == 0
    view.set_option("contact_force", False)

    # The switch in the menu, which the settings remember.
    switch = window.actions_by_name["hover"]
    assert switch.isChecked()
    switch.trigger()
    mouse.send(QEvent.Type.MouseMove, at(view, [-0.4, -0.1, 0.1]), Qt.MouseButton.NoButton)
    qtbot.wait(60)
    assert hover.lines == []
    assert session.store.get(settings.HOVER) is False

    # A box around both that lie on the floor; the floor itself is no body that is found.
    QApplication.processEvents()  # the panel of contacts has taken some of the view's room
    corners = [at(view, [-0.6, 0.0, 0.35]), at(view, [-0.1, 0.0, 0.2]), at(view, [0.25, 0.0, 0.03])]
    camera = view.camera
    mouse.press(corners[0], Left, Shift)
    mouse.move(corners[1], Left, Shift)
    band = view.grab().toImage()
    mouse.move(corners[2], Left, Shift)
    mouse.release(corners[2], Left, Shift)
    assert view.camera == camera
    bodies = session.part(FoundBodies)
    assert bodies.bodies == (1, 2)
    assert window.panels.parameters.several.geoms == (1, 2)
    glowing = view.grab().toImage()
    assert glowing != band
    assert window.actions_by_name["free_camera"].trigger() is None  # Escape
    assert bodies.bodies == ()
    # One body alone is selected, as by a double click; an empty box selects nothing.
    mouse.drag([at(view, [-0.15, 0, 0.9]), at(view, [0.1, 0, 0.75])], Left, Shift)
    assert session.selection == 3
    mouse.drag([at(view, [-0.8, 0, 1.0]), at(view, [-0.6, 0, 0.8])], Left, Shift)
    assert session.selection == 0
    mouse.drag([at(view, [-0.8, 0, 1.0]), at(view, [-0.8, 0, 1.0]) + 1.0], Left, Shift)  # a click is no box
    assert view.camera == camera


def test_every_kind_has_words():
    model = MjModel.from_xml_string(SCENE)
    data = MjData(model)
    mj_forward(model, data)
    snapshot = Snapshot(data)
    snapshot.fill(data)
    names, spot = Names(model), (0.0, 0.0, 0.0)

    def words(kind, index, body=-1):
        return seen_words(model, names, snapshot, Hit(int(kind), index, body, spot, spot, 1.0))

    assert words(mjtObj.mjOBJ_GEOM, 0, 0) == ["geom floor", "of the world", f"plane 10 {TIMES} 10 m"]
    assert words(mjtObj.mjOBJ_GEOM, 2, 2) == ["geom drum", "of body two", "cylinder radius 100 mm, length 200 mm"]
    assert words(mjtObj.mjOBJ_GEOM, 4, 3)[0] == "geom 4"
    assert words(mjtObj.mjOBJ_JOINT, 2, 3) == ["joint turn", "of body high", "hinge, 0°"]
    assert words(mjtObj.mjOBJ_JOINT, 0, 1)[2] == "free"
    assert words(mjtObj.mjOBJ_ACTUATOR, 0, 3) == ["actuator pull", "of body high", "control 0 N·m"]
    assert words(mjtObj.mjOBJ_BODY, 1, 1) == ["body one", "mass 8 kg"]
    assert words(mjtObj.mjOBJ_SENSOR, 0, 3)[-1] == "rate: 0 0 0 rad/s"
    assert words(mjtObj.mjOBJ_LIGHT, 0, 0)[-1] == "spot"
    assert seen_words(model, names, snapshot, Hit(200, 99, -1, spot, spot, 1.0)) == []  # a contact that has ended


L, M, R = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
NONE, CTRL, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def _model():
    return SimpleNamespace(
        stat=SimpleNamespace(extent=2.0, center=np.zeros(3)),
        vis=SimpleNamespace(
            global_=SimpleNamespace(fovy=45.0, orthographic=0, azimuth=90.0, elevation=-45.0),
            map=SimpleNamespace(znear=0.01, zfar=50.0),
        ),
    )


def _view(azimuth=90.0, elevation=-30.0):
    return view_of(Camera(azimuth=azimuth, elevation=elevation, distance=3.0), _model(), Frame(), 1.5)


@pytest.mark.parametrize(
    ("button", "modifiers", "selected", "drag"),
    [
        (L, NONE, False, Drag.ORBIT),
        (L, CTRL, False, Drag.ORBIT),
        (L, CTRL, True, Drag.TURN_BODY),
        (L, NONE, True, Drag.ORBIT),
        (R, NONE, False, Drag.PAN_VERTICAL),
        (R, SHIFT, True, Drag.PAN_HORIZONTAL),
        (R, CTRL, True, Drag.MOVE_BODY_VERTICAL),
        (R, CTRL | SHIFT, True, Drag.MOVE_BODY_HORIZONTAL),
        (R, CTRL | SHIFT, False, Drag.PAN_HORIZONTAL),
        (M, NONE, True, Drag.ZOOM),
        (Qt.MouseButton.BackButton, NONE, True, Drag.NOTHING),
    ],
)
def test_what_a_drag_means(button, modifiers, selected, drag):
    assert drag_of(button, modifiers, selected) is drag


def test_what_a_double_click_means():
    assert click_of(L, NONE) is Click.SELECT
    assert click_of(R, NONE) is Click.CENTRE
    assert click_of(R, CTRL) is Click.TRACK
    assert click_of(M, NONE) is Click.NOTHING


@pytest.mark.parametrize("drag", [Drag.MOVE_BODY_VERTICAL, Drag.MOVE_BODY_HORIZONTAL])
def test_a_point_moved_sideways_stays_under_the_mouse(drag):
    view = _view(azimuth=37.0)
    grip = Grip(1, GripMode.TRANSLATE, np.zeros(3), np.array([0.2, -0.1, 0.3]), np.array([1.0, 0, 0, 0]))
    moved = drag_grip(grip, view, drag, 0.1, 0.0)
    before, after = (view.project(g.target, 900, 600)[0] for g in (grip, moved))
    assert after[0] - before[0] == pytest.approx(0.1 * 600)
    assert after[1] == pytest.approx(before[1])


def test_vertical_moves_go_up_and_horizontal_ones_away():
    view = _view(azimuth=90.0)  # looks along +y
    grip = Grip(1, GripMode.TRANSLATE, np.zeros(3), np.zeros(3), np.array([1.0, 0, 0, 0]))
    up = drag_grip(grip, view, Drag.MOVE_BODY_VERTICAL, 0.0, -0.1).target
    away = drag_grip(grip, view, Drag.MOVE_BODY_HORIZONTAL, 0.0, -0.1).target
    reach = 0.1 * seen_height(view, np.zeros(3))
    np.testing.assert_allclose(up, [0, 0, reach], atol=1e-12)
    np.testing.assert_allclose(away, [0, reach, 0], atol=1e-12)


def test_turning_follows_the_mouse():
    view = _view(azimuth=90.0, elevation=0.0)
    grip = Grip(1, GripMode.ROTATE, np.zeros(3), np.zeros(3), np.array([1.0, 0, 0, 0]))
    near = np.array([0.0, -1.0, 0.0])  # a point on the side of the eye
    right = rotated(drag_grip(grip, view, Drag.TURN_BODY, 0.1, 0.0).quat, near)
    down = rotated(drag_grip(grip, view, Drag.TURN_BODY, 0.0, 0.1).quat, near)
    assert right[0] > 0.2
    assert down[2] < -0.2


def test_body_drag_does_not_move_the_camera():
    camera = Camera()
    assert drag_camera(camera, _model(), Drag.TURN_BODY, 0.1, 0.1) is camera
    assert drag_camera(camera, _model(), Drag.ZOOM, 0.0, -0.1).distance < camera.distance
    assert drag_camera(camera, _model(), Drag.ORBIT, 0.1, 0.0).azimuth != camera.azimuth
    assert drag_camera(camera, _model(), Drag.PAN_VERTICAL, 0.0, 0.1).lookat[2] != camera.lookat[2]
    assert drag_camera(camera, _model(), Drag.PAN_HORIZONTAL, 0.0, 0.1).lookat[1] != camera.lookat[1]
