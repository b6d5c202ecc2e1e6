"""Several views in one window: where they lie, the mouse, keys, pixels, what is kept, how much of OpenGL they take."""

from __future__ import annotations

import ctypes
import json

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from tests.app.conftest import open_and_wait, opened_window, picture
from tests.app.mouse import Mouse
from tests.app.pump import HandPumped
from tumble.app.replay.replay_view import options_from
from tumble.app.shell import view_flags as view_state
from tumble.app.shell.view_flags import show_views
from tumble.app.viewport.photo import Photo, array_of
from tumble.app.viewport.tiles.arrangement import Arrangement, Corner, areas
from tumble.app.viewport.tiles.heads import HeadPart
from tumble.render.camera import CameraKind
from tumble.render.options import LabelMode, PictureMode

pytestmark = pytest.mark.pumped

SCENE = """<mujoco><statistic center="0 0 0.3" extent="1"/>
<asset><texture name="t" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".3 .4 .5" width="64" height="64"/>
<material name="m" texture="t" texrepeat="4 4" reflectance=".3"/></asset>
<worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1" material="m"/>
  <camera name="wide" pos="0 -2 1" xyaxes="1 0 0 0 .4 1" resolution="200 100"/>
  <body name="box" pos="0 0 0.3"><freejoint/><geom type="box" size=".1 .15 .2" rgba=".8 .3 .2 1"/>
    <camera name="own" pos=".5 0 .4" xyaxes="0 1 0 -.6 0 1"/></body>
</worldbody></mujoco>"""
Left, Right = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
Ctrl, NoKey = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window_size():
    return (1100, 700)


@pytest.fixture
def view(window, qtbot, tmp_path):
    """The scene, paused, with a camera that does not glide, and room for the view."""
    return ready(window, qtbot, tmp_path)


def ready(window, qtbot, folder):
    path = folder / "scene.xml"
    path.write_text(SCENE)
    for dock in window.docks:
        dock.hide()
    open_and_wait(qtbot, window.session, path)
    window.session.set_paused(True)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    window.viewport.smooth = False
    return window.viewport


def middle(view, tile):
    return QPointF(view.tiles.area(tile).picture.center())


def show(window, name):
    window.actions_by_name[f"views_{name}"].trigger()
    QApplication.processEvents()


def cut(view, area):
    """Pixels of a part of the view, without what is written over it."""
    return array_of(picture(view))[area.y() : area.y() + area.height(), area.x() : area.x() + area.width(), :3].astype(int)


def alone(view, tile, size):
    """What a view shows, drawn by itself."""
    view.makeCurrent()
    view._anchor.use()
    ctx = view._ctx
    target = ctx.framebuffer([ctx.renderbuffer(size, 4)], ctx.depth_renderbuffer(size))
    view._renderer.render(target, view._session.frame, tile.camera, tile.options, *size, view._selection())
    pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(size[1], size[0], 3)[::-1]
    owned = (target, *target.color_attachments, target.depth_attachment)
    view._anchor.use()
    for resource in owned:
        resource.release()
    view.doneCurrent()
    return pixels.astype(int)


def test_the_mouse_and_the_menus_act_on_the_view_under_the_mouse(window, view):
    tiles, actions = view.tiles, window.actions_by_name
    show(window, "four")
    first, second, third, fourth = tiles.all
    assert [tile.camera.kind for tile in tiles.all] == [CameraKind.FREE, CameraKind.FIXED, CameraKind.FIXED, CameraKind.FREE]
    before = [tile.camera for tile in tiles.all]
    at = middle(view, fourth)
    Mouse(view).drag([at, at + QPointF(30, 0)])
    assert tiles.active is fourth
    assert [tile.camera == camera for tile, camera in zip(tiles.all, before, strict=True)] == [True, True, True, False]
    turned = before[3].azimuth - fourth.camera.azimuth
    assert turned == pytest.approx(180.0 * 30 / view.tiles.area(fourth).picture.height())  # half a turn a height
    actions["contact_force"].trigger()
    actions["labels"].trigger()
    assert [tile.options.contact_force for tile in tiles.all] == [False, False, False, True]
    assert [tile.options.label for tile in tiles.all] == [LabelMode.NONE] * 3 + [LabelMode.BODY]
    at = middle(view, first)
    wheel = QWheelEvent(
        at, view.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, NoKey, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(view, wheel)
    assert tiles.active is first
    assert first.camera.distance < before[0].distance
    assert not actions["contact_force"].isChecked()
    view.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert tiles.active is second
    QTest.keyClick(window, Qt.Key.Key_BracketRight)
    assert (second.camera.fixed, view.camera_name()) == (1, "camera own")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert second.camera.kind is CameraKind.FREE
    assert window._summary.text().endswith("free camera")
    # A double click selects what that view shows there, and no other.
    seen = third.view(tiles.area(third).picture)
    x, y, _ = seen.project(window.session.snapshot.xpos[1], *tiles_size(view, third))[0]
    Mouse(view).send(QEvent.Type.MouseButtonDblClick, QPointF(tiles.area(third).picture.topLeft()) + QPointF(x, y), Left)
    assert (tiles.active, window.session.selection) == (third, 1)
    show(window, "beside")  # without it
    assert tiles.active is first


def tiles_size(view, tile):
    area = view.tiles.area(tile).picture
    return area.width(), area.height()


def test_view_header_chooses_menus_and_maximizes_one_view(window, view):
    tiles, heads = view.tiles, view.heads
    assert not tiles.several
    show(window, "inset")
    small = tiles.all[1]
    parts = heads._parts(small, tiles.area(small).head.toRectF())
    popped = []
    for part, menu in heads._menus.items():
        menu.aboutToShow.connect(lambda part=part: popped.append(part))
        Mouse(view).send(QEvent.Type.MouseButtonPress, parts[part].center(), Left)
        Mouse(view).send(QEvent.Type.MouseButtonRelease, parts[part].center(), Left)
        menu.close()
    assert popped == [HeadPart.CAMERA, HeadPart.MODE, HeadPart.ARRANGE]
    assert tiles.active is small
    depth = next(action for action in heads._menus[HeadPart.MODE].actions() if action.text() == "Depth")
    depth.trigger()
    assert [tile.options.mode for tile in tiles.all[:2]] == [PictureMode.SHADED, PictureMode.DEPTH]
    area = tiles.area(small)
    assert area.picture.width() / area.picture.height() == pytest.approx(2.0, abs=0.05)  # as its camera's pictures
    bar = QPointF(parts[HeadPart.MODE].right() + 10, area.head.center().y())
    Mouse(view).drag([bar, QPointF(300, 300), QPointF(60, 50)])
    assert tiles.corner is Corner.TOP_LEFT
    bar = QPointF(tiles.area(small).head.topLeft()) + (bar - QPointF(area.head.topLeft()))
    Mouse(view).send(QEvent.Type.MouseButtonDblClick, bar, Left)
    assert (tiles.only, tiles.shown()) == (True, [small])
    assert tiles.area(small).picture == QRect(0, tiles.head, view.width(), view.height() - tiles.head)
    assert tiles.area(tiles.all[0]).picture.isEmpty()
    view.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert (tiles.only, len(tiles.shown())) == (False, 2)
    assert not window.actions_by_name["only_view"].isChecked()


def test_each_view_shows_its_camera_in_its_mode_wherever_it_lies(window, view):
    for tile, mode in zip(view.tiles.all, (PictureMode.SHADED, PictureMode.DEPTH, PictureMode.SEGMENTATION, PictureMode.SHADED),
                          strict=True):  # fmt: skip
        tile.options.mode = mode
    for name in ("four", "large", "inset"):
        show(window, name)
        for tile in view.tiles.shown():
            area = view.tiles.area(tile).picture
            own, seen = alone(view, tile, (area.width(), area.height())), cut(view, area)
            away = np.abs(own - seen).max(axis=2) > 8
            if name == "inset" and tile.index == 0:
                small = view.tiles.area(view.tiles.all[1])
                over = small.head.united(small.picture).translated(-area.topLeft())
                away[over.top() : over.bottom() + 1, over.left() : over.right() + 1] = False
            inner = away[2:-2, 2:-2]  # without the edge of the active one
            assert np.mean(inner) < 0.005, (name, tile.index)  # slopes that choose a mip level are taken of pairs of pixels


@pytest.mark.slow
def test_a_picture_and_a_recording_show_all_views_where_they_lie(window, view):
    view.tiles.all[1].options.mode = PictureMode.SEGMENTATION
    show(window, "large")
    width, height = view.width() // 2, view.height() // 2
    photo = array_of(view.photograph(Photo(width, height, panels=True, all_views=True))).astype(int)
    assert photo.shape == (height, width, 4)
    for tile in view.tiles.shown():
        area = view.tiles.area(tile).picture.adjusted(4, 4, -4, -60)  # without the line of time
        half = photo[area.y() // 2 : area.bottom() // 2, area.x() // 2 : area.right() // 2, :3]
        assert half.mean(axis=(0, 1)) == pytest.approx(cut(view, area).mean(axis=(0, 1)), abs=6)  # the axes are in neither
    opaque, clear = (array_of(view.photograph(Photo(width, height, t, all_views=True)))[:, :, 3] for t in (False, True))
    assert (opaque == 255).all()
    assert (clear[:4] == 0).all()  # the sky of all
    assert (clear == 255).any()
    assert view.photograph(Photo(90, 60)).width() == 90  # of the active one

    class Recorder:
        panels = active = True
        seen: list[np.ndarray] = []  # noqa: RUF012  # of this test

        def look(self, read):
            self.seen.append(read())

    view.onlooker = Recorder()
    grabbed = array_of(view.grabFramebuffer()).astype(int)
    view.onlooker = None
    away = np.abs(Recorder.seen[-1][:, :, :3].astype(int) - grabbed[:, :, :3]).max(axis=2) > 8
    assert Recorder.seen[-1].shape == (view.height(), view.width(), 4)
    assert away.mean() < 0.15  # the axes and the edge of the active view are no part of videos


def test_a_pull_in_a_small_view_moves_as_in_a_large_one(window, view, pump):
    session = window.session
    moved = []
    for name, index in (("one", 0), ("large", 3)):
        show(window, name)
        tile = view.tiles.all[index]
        tile.camera = view.tiles.all[0].camera
        session.reset()
        pump.obey()
        area = view.tiles.area(tile).picture
        start = np.array(session.snapshot.xpos[1])
        x, y, _ = tile.view(area).project(start, area.width(), area.height())[0]
        at = QPointF(area.topLeft()) + QPointF(x, y)
        session.select(0)
        Mouse(view).drag([at, at + QPointF(0.1 * area.height(), -0.2 * area.height())], Right, Ctrl)
        pump.obey()
        assert session.selection == 1
        moved.append(np.array(session.snapshot.xpos[1]) - start)
    assert np.linalg.norm(moved[0]) > 0.1
    assert moved[1] == pytest.approx(moved[0], abs=0.02)  # to a pixel of the small one


def test_views_are_kept_by_settings_layouts_and_replays(qtbot, tmp_path, no_threads_left):
    with opened_window(qtbot, tmp_path, HandPumped()) as window:
        view = ready(window, qtbot, tmp_path)
        show(window, "large")
        view.tiles.activate(view.tiles.all[2])
        window.actions_by_name["contact_point"].trigger()
        view.set_mode(PictureMode.SEGMENTATION)
        view.tiles.activate(view.tiles.all[0])
        view.set_mode(PictureMode.DEPTH)
        window.layouts.save("robot")
        state = json.loads(json.dumps(window.view_state()))
        cameras = [tile.camera for tile in view.tiles.all]
        window.session.store.sync()
    with opened_window(qtbot, tmp_path, HandPumped()) as window:
        view = ready(window, qtbot, tmp_path)
        tiles = view.tiles
        assert tiles.arrangement is Arrangement.LARGE
        assert window.actions_by_name["views_large"].isChecked()
        assert [tile.options.mode for tile in tiles.all[::2]] == [PictureMode.DEPTH, PictureMode.SEGMENTATION]
        assert [tile.options.contact_point for tile in tiles.all] == [False, False, True, False]
        show(window, "one")
        tiles.all[2].options = options_from({})
        window.layouts.show("robot")
        assert (tiles.arrangement, tiles.all[2].options.mode) == (Arrangement.LARGE, PictureMode.SEGMENTATION)
        show(window, "one")
        for tile in tiles.all:
            view.set_camera(tiles.all[3].camera, tile)
        window.session.view = state
        view_state.take_up(window.session, view, window.panels)
        assert [tile.camera for tile in tiles.all] == cameras
        assert (tiles.arrangement, tiles.all[2].options.contact_point) == (Arrangement.LARGE, True)
        for damaged in (None, [], {"arrangement": "many", "corner": 7, "options": [3, [], None]}, {"options": 5}):
            show_views(view, damaged)
        assert tiles.arrangement is Arrangement.LARGE


@pytest.mark.slow
def test_changing_arrangements_makes_no_more_of_opengl(window, view):
    window.resize(400, 300)
    gl = ctypes.CDLL("libGL.so.1")
    kinds = ("Buffer", "Texture", "Renderbuffer", "Framebuffer", "Program", "VertexArray")

    def alive():
        view.makeCurrent()
        counts = {kind: sum(bool(getattr(gl, f"glIs{kind}")(name)) for name in range(1, 3000)) for kind in kinds}
        view.doneCurrent()
        return counts

    def round_trip():
        for arrangement in Arrangement:
            view.tiles.arrange(arrangement)
            view.grabFramebuffer()

    for _ in range(2):
        round_trip()
    before = alive()
    for _ in range(8):
        round_trip()
    assert alive() == before


SIZES = ((960, 640), (961, 743), (400, 900), (240, 180), (3, 2))
HEAD = 24


def whole(area):
    return area.head.united(area.picture)


@pytest.mark.parametrize("arrangement", list(Arrangement))
@pytest.mark.parametrize("size", SIZES)
def test_views_tile_the_viewport_with_equal_sizes_per_kind(arrangement, size):
    width, height = size
    tiles = areas(arrangement, width, height, HEAD)
    assert len(tiles) == arrangement.count
    for area in tiles:
        assert area.picture.width() >= 1
        assert area.picture.height() >= 1
        if min(size) > 100:
            assert QRect(0, 0, width, height).contains(whole(area))
            assert area.head.height() == (HEAD if arrangement is not Arrangement.ONE else 0)
    if min(size) < 100:
        return
    kinds = [tiles] if arrangement not in (Arrangement.LARGE, Arrangement.INSET) else [tiles[:1], tiles[1:]]
    assert all(len({(area.picture.width(), area.picture.height()) for area in kind}) == 1 for kind in kinds)
    if arrangement is Arrangement.INSET:
        assert tiles[0].picture.contains(whole(tiles[1]))
        return
    for k, one in enumerate(tiles):
        assert not any(whole(one).intersects(whole(other)) for other in tiles[k + 1 :])
    covered = sum(whole(area).width() * whole(area).height() for area in tiles)
    assert covered > 0.95 * width * height
    assert max(whole(area).right() for area in tiles) == width - 1
    assert max(whole(area).bottom() for area in tiles) == height - 1


def test_inset_view_takes_each_corner_and_its_camera_aspect():
    for corner in Corner:
        small = whole(areas(Arrangement.INSET, 900, 700, HEAD, corner, aspect=2.0)[1])
        assert (small.center().x() > 450, small.center().y() > 350) == (corner.right, corner.lower)
        assert Corner.at(right=corner.right, lower=corner.lower) is corner
    picture = areas(Arrangement.INSET, 900, 700, HEAD, aspect=2.0)[1].picture
    assert picture.width() / picture.height() == pytest.approx(2.0, abs=0.05)
    assert areas(Arrangement.INSET, 900, 700, HEAD, aspect=0.5)[1].picture.height() <= 0.46 * 700
    assert Corner.BOTTOM_LEFT.next is Corner.TOP_LEFT


def test_small_views_go_below_the_large_one_in_portrait():
    large, *small = areas(Arrangement.LARGE, 400, 900, HEAD)
    assert all(area.head.top() > large.picture.bottom() for area in small)
    assert whole(large).width() == 400
