"""Handles, limbs, the measure and cameras, by the hand on the real window."""

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication

from tests.app.conftest import open_and_wait, written
from tests.app.mouse import Mouse, on_screen
from tumble.app.handles.gizmo import Handle, HandleKind, Handles
from tumble.app.simulation.commands import SetState
from tumble.app.viewport.axes import CORNER, RADIUS
from tumble.app.viewport.tools import Canvas
from tumble.app.viewport.view_menus import SavedViews
from tumble.render.camera import Camera, CameraKind, look_at

SCENE = """<mujoco><statistic center="0 0 0.5" extent="2"/><visual><global azimuth="60" elevation="-20"/></visual>
<worldbody>
  <geom name="floor" type="plane" size="3 3 .1"/>
  <body name="box" pos="0 0 0.8"><freejoint/><geom type="box" size=".1 .1 .1"/>
    <body name="lid" pos="0 0 .15"><geom name="lid" type="box" size=".05 .05 .05"/></body></body>
  <body name="hook" mocap="true" pos="0.6 0 1"><geom size=".06" contype="0" conaffinity="0"/></body>
  <body name="ball" pos="-.7 0 .2"><joint name="slide" type="slide" axis="0 1 0"/><geom name="ball" size=".2"/></body>
  <body name="torso" pos="0 -1 1"><freejoint/><geom size=".1"/>
    <body name="upper"><joint name="shoulder" axis="0 1 0" range="-60 150"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
      <body name="hand" pos=".4 0 0"><joint name="elbow" axis="0 1 0" range="-140 0"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body></body></body>
</worldbody></mujoco>"""
BOX, LID, HOOK, BALL, TORSO, UPPER, HAND = range(1, 8)
Left, Right = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
Ctrl, NoKey = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier

pytestmark = pytest.mark.pumped


@pytest.fixture
def view(window, qtbot, tmp_path):
    """The scene, paused, with a camera that does not glide."""
    open_and_wait(qtbot, window.session, written(tmp_path / "scene.xml", SCENE))
    window.session.set_paused(True)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    window.viewport.smooth = False
    return window.viewport


@pytest.fixture
def mouse(view):
    return Mouse(view)


def at_pixel(view, point):
    where = on_screen(view, point)
    return np.array([where.x(), where.y()])


def handle_at(window, body, handle):
    """A pixel of a handle of the selected body, of world axes."""
    view, snapshot = window.viewport, window.session.snapshot
    seen = view.view()
    handles = Handles.at(np.array(snapshot.xpos[body]), np.eye(3), Canvas(seen, view.width(), view.height()))
    if handle.kind is HandleKind.MOVE:
        arrow = handles.arrow(handle.axis)
        return arrow[1] * 0.9 + arrow[0] * 0.1
    points, near = handles.ring(handle.axis)
    chosen = [p for p, n in zip(points, near, strict=True) if n and handles.pick(*p) == handle]
    return chosen[len(chosen) // 2]


def test_arrows_and_rings_move_and_turn_bodies_in_steps(window, view, mouse):
    session = window.session
    window.actions_by_name["gizmo"].setChecked(True)
    session.select(LID)  # welded to the box, which moves
    start = np.array(session.snapshot.qpos[:7])
    at, halfway, end = (at_pixel(view, np.add(start[:3], [x, 0, 0])) for x in (0.12, 0.2, 0.333))  # of the arrow's line
    mouse.drag([at, halfway, end], keys=Ctrl)
    moved = np.array(session.snapshot.qpos[:7]) - start
    assert moved[0] == pytest.approx(0.21, abs=1e-9)
    assert np.abs(moved[1:]).max() < 1e-12
    window.actions_by_name["undo"].trigger()
    QApplication.processEvents()
    assert (session.snapshot.qpos[:7] == start).all()
    window.actions_by_name["redo"].trigger()
    QApplication.processEvents()
    assert session.snapshot.qpos[0] == start[0] + moved[0]
    before = view.camera
    mouse.drag([np.add(at, [0, 150]), np.add(at, [40, 150])])  # next to the handles the hand orbits as always
    assert view.camera.azimuth != before.azimuth
    window.edits.stack.undo()
    QApplication.processEvents()
    view.set_camera(before)
    undone = window.edits.stack.index()
    session.select(BOX)
    start, at = np.array(session.snapshot.qpos[:7]), handle_at(window, BOX, Handle(HandleKind.TURN, 2))
    mouse.press(at)
    mouse.move(np.add(at, [50, 0]), keys=Ctrl)
    quat = np.array(session.snapshot.qpos[3:7])
    angle = np.degrees(2 * np.arctan2(quat[3], quat[0]))
    assert abs(angle) > 10
    assert angle / 15 == pytest.approx(round(angle / 15), abs=1e-6)
    assert np.abs(quat[1:3]).max() < 1e-12
    window.actions_by_name["free_camera"].trigger()  # Escape
    QApplication.processEvents()
    assert (session.snapshot.qpos[:7] == start).all()
    assert window.edits.stack.index() == undone


def test_handle_holds_free_body_and_moves_mocap_body(window, view, mouse, pump):
    session = window.session
    window.actions_by_name["gizmo"].setChecked(True)
    for body in (BOX, HOOK):
        session.select(body)
        session.set_paused(True)
        QApplication.processEvents()
        at = handle_at(window, body, Handle(HandleKind.MOVE, 2))
        session.set_paused(False)
        mouse.press(at)
        mouse.move(at - [0, 40])
        pump.run(0.3)
        held = np.array(session.snapshot.xpos[body])
        pump.run(0.3)
        assert session.snapshot.xpos[body] == pytest.approx(held, abs=1e-4)  # the fall of a step
        assert held[2] > (0.8, 1.0)[body == HOOK] + 0.05
        mouse.release(at - [0, 40])
    assert window.edits.stack.undoText() == "Move hook"
    window.actions_by_name["undo"].trigger()
    pump.run(0.02)
    assert session.snapshot.mocap_pos[0] == pytest.approx([0.6, 0, 1], abs=1e-12)


@pytest.mark.parametrize("handles", [False, True])
def test_click_just_after_pause_moves_nothing_and_adds_no_undo(window, view, mouse, pump, *, handles):
    session, stack, data = window.session, window.edits.stack, pump.simulation.data
    window.actions_by_name["gizmo"].setChecked(handles)
    session.select(BOX)
    session.set_paused(False)
    pump.run(0.2)
    at = handle_at(window, BOX, Handle(HandleKind.MOVE, 2)) if handles else at_pixel(view, np.array(session.snapshot.xpos[BOX]))
    pump.simulation.step(3)  # which the window has not seen yet
    stands = data.qpos.tobytes()
    session.set_paused(True)
    mouse.press(at, keys=NoKey if handles else Ctrl)
    mouse.release(at, keys=NoKey if handles else Ctrl)
    assert data.qpos.tobytes() == stands
    assert not stack.canUndo()


def test_limb_drag_solves_inverse_kinematics_and_is_undoable(window, view, mouse):
    session = window.session
    tip = np.add(np.array(session.snapshot.xpos[HAND]), [0.2, 0, 0])
    view.set_camera(look_at(view.camera, tip))  # within the narrow view between the panels
    before, at = np.array(session.snapshot.qpos), at_pixel(view, tip)
    mouse.press(at, Right, Ctrl)  # selects the body under the mouse, at that point
    local = view.local_point.copy()
    for k in range(1, 9):
        mouse.move(np.add(at, [-4 * k, -6 * k]), Right, Ctrl)
    mouse.release(np.add(at, [-32, -48]), Right, Ctrl)
    snapshot = session.snapshot
    assert session.selection == HAND
    reached = snapshot.xpos[HAND] + np.asarray(snapshot.xmat[HAND]).reshape(3, 3) @ local
    expected = tip[2] + 48 * 2 * np.tan(np.radians(22.5)) * view.camera.distance / view.height()
    assert reached[2] == pytest.approx(expected, abs=0.08)  # the plane of the arm is not that of the drag
    changed = np.flatnonzero(np.abs(snapshot.qpos - before) > 1e-9)
    assert list(changed) == [15, 16]  # shoulder and elbow, not the free joint
    assert -140 <= np.degrees(snapshot.qpos[16]) <= 1e-9
    window.actions_by_name["undo"].trigger()
    QApplication.processEvents()
    assert (session.snapshot.qpos == before).all()
    mouse.press(at, Right, Ctrl)
    mouse.move(np.add(at, [-32, -48]), Right, Ctrl)
    assert (session.snapshot.qpos != before).any()
    window.actions_by_name["free_camera"].trigger()  # Escape
    QApplication.processEvents()
    assert (session.snapshot.qpos == before).all()


def test_the_measure_follows_points_and_bodies(window, view, mouse, pump):
    session, actions = window.session, window.actions_by_name
    actions["measure"].setChecked(True)
    measure = window.posing.measure
    view.set_camera(Camera(lookat=(0, 0, 0.5), distance=4, azimuth=90, elevation=0))
    lid, ball = (np.array(session.snapshot.frame.geom_xpos[g]) for g in (2, 4))
    for point in (lid, ball):
        mouse.click(at_pixel(view, point - [0, 0.05, 0]))
    ends = measure.ends()
    assert ends[0] == pytest.approx(lid - [0, 0.05, 0], abs=0.01)
    assert np.linalg.norm(ends[1] - ball) == pytest.approx(0.2, abs=1e-6)  # on the sphere's surface
    actions["copy_measure"].trigger()
    assert QGuiApplication.clipboard().text().startswith(f"{np.linalg.norm(ends[1] - ends[0]):.9g} m (dx ")
    session.send(SetState("qpos", 7, (0.1,)))
    QApplication.processEvents()
    assert measure.ends()[1] == pytest.approx(ends[1] + [0, 0.1, 0], abs=1e-9)
    actions["measure_bodies"].setChecked(True)
    assert not actions["measure"].isChecked()
    for point in (lid, np.add(ball, [0, 0.1, 0])):
        mouse.click(at_pixel(view, point))
    corner = np.array([-0.05, 0.05, 0.90])
    apart = corner - (np.add(ball, [0, 0.1, 0]))
    assert measure.distance() == pytest.approx(np.linalg.norm(apart) - 0.2, abs=1e-6)
    actions["free_camera"].trigger()
    assert measure.ends() is None
    actions["free_camera"].trigger()
    assert not actions["measure_bodies"].isChecked()


def test_axes_projection_and_saved_views(window, view, mouse):
    session, actions = window.session, window.actions_by_name
    right, up = view.view().right, view.view().up
    centre = np.array([view.width() - CORNER, CORNER])
    mouse.click(centre + RADIUS * np.array([right[2], -up[2]]))
    assert (view.camera.azimuth, view.camera.elevation) == (90.0, -90.0)  # from above
    mouse.click(centre)  # the same end faces the eye: from below
    assert view.camera.elevation == 90.0
    mouse.drag([np.add(centre, [20, 20]), np.add(centre, [60, 20])])
    assert view.camera.elevation < 90.0
    actions["orthographic"].trigger()
    assert view.camera.orthographic
    assert view.view().orthographic
    hit = view.looking.pick(QPointF(*at_pixel(view, np.array(session.snapshot.xpos[BALL]))))
    assert hit.body == BALL
    saved = view.camera
    views = session.part(SavedViews)
    views.save("from the side", saved)
    assert actions["view_1"].text() == "from the side"
    view.smooth = True
    actions["align"].trigger()
    assert view.tiles.active.gliding.under_way
    assert not view.camera.orthographic
    QApplication.processEvents()
    actions["view_1"].trigger()
    assert view.camera == saved
    view.smooth = False
    assert [v.name for v in SavedViews(session).all()] == ["from the side"]  # as the next start reads it
    views.rename("from the side", "side")
    views.remove("side")
    assert not actions["view_1"].isEnabled()
    assert view.camera.kind is CameraKind.FREE
