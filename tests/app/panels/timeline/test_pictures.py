"""Pictures of events on the time line, in the real window."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PyQt6.QtCore import QRectF, Qt

from tests.app.conftest import picture
from tests.app.likeness import difference, pixels
from tests.app.mouse import move
from tests.app.panels.timeline.bounce import arrived, place
from tumble.app.panels.timeline.bookmarks import mark_here
from tumble.app.session.events import EventKind
from tumble.render.camera import CameraKind

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window_size():
    return (1100, 700)


def test_pictures_are_of_their_moments_as_the_view_shows_them(window, panel, qtbot):
    events = [event for event in panel.history.events if event.kind is EventKind.CONTACT]
    pair = events[0], events[-1]
    view = window.viewport
    view.set_camera(replace(view.camera, distance=0.5 * view.camera.distance))
    qtbot.waitUntil(lambda: not panel._rest.isActive() and not panel.gallery.waiting)
    assert len(panel.view.placed) >= 2
    for event in pair:
        move(panel.view.canvas, place(panel, event.step * 0.001))
        qtbot.waitUntil(lambda event=event: panel.gallery.has(event.frame))
    thumbs = [panel.gallery.picture(event.frame) for event in pair]
    panel.view.leaveEvent(None)
    views = []
    for event in pair:
        panel._ask(event.step)
        assert arrived(panel, qtbot) == event.step
        views.append(picture(view))
    # Small pictures have other edges; a level of 255 in the mean is what that leaves.
    assert max(difference(thumbs[k], views[k]) for k in (0, 1)) < 1.0
    aspect = min(image.width() / image.height() for image in (*thumbs, *views))
    small, large = ([pixels(image, aspect) for image in images] for images in (thumbs, views))
    changed = np.abs(large[0] - large[1]).max(axis=2) > 25.0
    assert changed.sum() > 30
    for k in (0, 1):  # where the two moments differ, it is its own moment that is seen
        same, other = (np.abs(small[k] - large[i])[changed].mean() for i in (k, 1 - k))
        assert same < 0.35 * other


def test_pictures_come_one_by_one_and_stay(panel, qtbot):
    qtbot.waitUntil(lambda: not panel.gallery.waiting)
    wanted = [spot for spot, _ in panel.view.placed]
    assert all(panel.gallery.has(spot.frame) for spot in wanted)
    drawn = panel.gallery.drawn
    for _ in range(5):
        panel._draw()
    assert not panel.gallery.waiting
    qtbot.wait(200)
    assert panel.gallery.drawn == drawn
    assert [spot.frame for spot, _ in panel.view.placed] == [spot.frame for spot in wanted]


def test_every_picture_is_over_its_spot_at_any_size(window, panel, qtbot):
    mark_here(panel.session)
    for tall in (420, 290, 330):
        window.resizeDocks([panel.dock], [tall], Qt.Orientation.Vertical)
        qtbot.wait(100)
        assert panel.view.placed
        areas = [area for _, area in panel.view.placed]
        assert all(area.left() <= panel.view.x_of(spot.time) <= area.right() for spot, area in panel.view.placed)
        assert all(one.right() < other.left() for one, other in pairwise(sorted(areas, key=QRectF.left)))
        assert {area.height() for area in areas} == {panel.view.tall}


def test_a_camera_at_rest_makes_the_pictures_anew(window, panel, qtbot):
    qtbot.waitUntil(lambda: not panel.gallery.waiting)
    drawn, count = panel.gallery.drawn, len(panel.view.placed)
    before = panel.gallery.picture(panel.view.placed[0][0].frame).copy()
    view = window.viewport
    for k in range(10):
        view.set_camera(type(view.camera)(CameraKind.FREE, view.camera.lookat, view.camera.distance, 30.0 + k, -20.0))
        panel._draw()
        qtbot.wait(10)
        assert panel.gallery.drawn == drawn  # it moves
    qtbot.waitUntil(lambda: panel.gallery.drawn == drawn + count)
    assert difference(before, panel.gallery.picture(panel.view.placed[0][0].frame)) > 1.0


def test_a_picture_leaves_the_view_as_it_was(window, panel, qtbot):
    qtbot.waitUntil(lambda: not panel.gallery.waiting)
    before = picture(window.viewport)
    image = window.viewport.thumbnail(panel.history.events[0].frame, 60, 40)
    assert (image.width(), image.height()) == (60, 40)
    assert difference(picture(window.viewport), before) == 0.0


def test_a_click_on_a_picture_goes_to_its_moment(panel, qtbot):
    spot, area = panel.view.placed[0]
    qtbot.mouseClick(panel.view.canvas, LEFT, pos=area.center().toPoint())
    assert arrived(panel, qtbot) == spot.step
