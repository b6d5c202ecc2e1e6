"""The timeline in the real window: back to any moment by mouse and keys, on from there, bookmarks, pictures of events."""

import numpy as np
import pytest
from msgspec.structs import replace
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QLineEdit

from tests.app.conftest import MODELS, open_and_wait, picture
from tests.app.mouse import move, wheel
from tests.app.panels.timeline.bounce import CHUNK, advance, arrived, bounced, place, show, state_after, words
from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.editing.edits import EditPlace
from tumble.app.film.camera_keys import CameraKeys
from tumble.app.panels.timeline.strip import BOOKMARK, Move, Stand
from tumble.app.session.events import EventKind
from tumble.render.camera import Camera, CameraKind

BALL = MODELS / "ball.xml"
LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton


@pytest.fixture
def window_size():
    return (1100, 700)


@pytest.fixture
def panel(window, qtbot, pump):
    """The dock over the bouncing ball and the sliding brick, paused after more than a second made in small parts."""
    return bounced(window, qtbot, pump)


def pixels(image, aspect):
    """(64, 96, 3): the middle of an image in an aspect, made small."""
    wide = min(image.width(), round(aspect * image.height()))
    cut = image.copy((image.width() - wide) // 2, 0, wide, image.height())
    small = cut.scaled(96, 64, transformMode=Qt.TransformationMode.SmoothTransformation)
    small = small.convertToFormat(QImage.Format.Format_RGB888)
    bits = small.constBits()
    bits.setsize(small.sizeInBytes())
    return np.frombuffer(bits, np.uint8).reshape(64, small.bytesPerLine())[:, : 3 * 96].reshape(64, 96, 3).astype(float)


def difference(one, other):
    """Mean difference of two pictures of the same height's view angle, of 255."""
    aspect = min(image.width() / image.height() for image in (one, other))
    return float(np.abs(pixels(one, aspect) - pixels(other, aspect)).mean())


# ---- back and on


def test_a_press_goes_to_the_moment_under_the_mouse_and_shows_it(window, panel, qtbot):
    late = picture(window.viewport)
    qtbot.mouseClick(panel.view.canvas, LEFT, pos=place(panel, 0.0))
    arrived(panel, qtbot)
    early = picture(window.viewport)
    assert difference(late, early) > 0.5
    qtbot.keyClick(panel.view, Qt.Key.Key_End)
    arrived(panel, qtbot)
    # A step leaves poses of its beginning, going there those of its end.
    assert difference(picture(window.viewport), late) < 0.05
    end = panel.history.end
    qtbot.mouseClick(panel.view.canvas, LEFT, pos=place(panel, 0.4))
    step = arrived(panel, qtbot)
    assert step == pytest.approx(400, abs=0.6 * panel.axis.span / panel.view.wide / 0.001)
    np.testing.assert_array_equal(window.session.snapshot.qpos, state_after(step))
    assert window.session.snapshot.time == pytest.approx(step * 0.001)
    assert window.session.paused
    assert panel.history.end == end
    assert words(panel).startswith("In the past:")
    assert panel.view.shown.now == pytest.approx(step * 0.001)
    assert panel.view.shown.ink == Stand.PAST.value


def test_played_again_it_is_as_it_was_or_takes_another_course(window, panel, qtbot, pump):
    end = panel.history.end
    qtbot.mouseClick(panel.view.canvas, LEFT, pos=place(panel, 0.9))
    arrived(panel, qtbot)
    qtbot.mouseClick(panel.controls.play, LEFT)
    pump.run(0.1)
    qtbot.waitUntil(lambda: words(panel).startswith("Replaying"))
    assert panel.history.end == end
    qtbot.mouseClick(panel.controls.play, LEFT)  # it pauses
    assert window.session.paused
    step = arrived(panel, qtbot)
    assert step < end
    np.testing.assert_array_equal(window.session.snapshot.qpos, state_after(step))
    qtbot.mouseClick(panel.controls.play, LEFT)
    pump.run(0.3)
    assert panel.history.end > end
    qtbot.waitUntil(lambda: words(panel) == "Live")
    window.session.set_paused(True)
    step = arrived(panel, qtbot)
    np.testing.assert_array_equal(window.session.snapshot.qpos, state_after(step))
    assert not panel.controls.go_on.isEnabled()
    end = panel.history.end
    qtbot.mouseClick(panel.view.canvas, LEFT, pos=place(panel, 0.001 * end - 0.93))
    step = arrived(panel, qtbot)
    qtbot.waitUntil(panel.controls.go_on.isEnabled)
    assert "the 0.9" in panel.controls.go_on.toolTip()
    qtbot.mouseClick(panel.controls.go_on, LEFT)
    pump.run(0.05)
    assert step < panel.history.end == panel.history.now < end
    assert all(event.step <= panel.history.end for event in panel.history.events)
    qtbot.waitUntil(lambda: words(panel) == "Live")
    window.session.set_paused(True)
    now = arrived(panel, qtbot)
    np.testing.assert_array_equal(window.session.snapshot.qpos, state_after(now))


def test_keys_go_by_steps_events_and_to_the_ends_and_all_count(window, panel, qtbot):
    panel.view.setFocus()
    history, end = panel.history, panel.history.end
    steps = sorted({event.step for event in history.events})
    assert len(steps) >= 2

    def press(key):
        qtbot.keyClick(panel.view, key)
        return arrived(panel, qtbot)

    assert press(Qt.Key.Key_Left) == end - 1
    assert press(Qt.Key.Key_Left) == end - 2
    np.testing.assert_array_equal(window.session.snapshot.qpos, state_after(end - 2))
    assert press(Qt.Key.Key_Right) == end - 1
    assert press(Qt.Key.Key_Home) == history.first == 0
    assert press(Qt.Key.Key_PageDown) == steps[0]
    assert press(Qt.Key.Key_PageDown) == steps[1]
    assert press(Qt.Key.Key_PageUp) == steps[0]
    assert press(Qt.Key.Key_End) == end
    assert history.end == end
    buttons = panel.controls.buttons
    assert [move for move, button in buttons.items() if not button.isEnabled()] == [Move.SPOT_AFTER, Move.LAST]
    qtbot.mouseClick(buttons[Move.FIRST], LEFT)
    assert arrived(panel, qtbot) == 0
    at = place(panel, steps[0] * 0.001, round(panel.view.track.top() - 6))
    qtbot.mouseDClick(panel.view.canvas, LEFT, pos=at + QPoint(2, 0))  # to the event that is nearest
    assert arrived(panel, qtbot) == steps[0]
    press(Qt.Key.Key_End)
    qtbot.keyClick(panel.view, Qt.Key.Key_Right)  # a new step
    qtbot.waitUntil(lambda: history.now == history.end == end + 1)
    assert window.session.selection == 0  # Page Up is no parent body here
    end = history.end
    for _ in range(30):
        QTest.keyClick(panel.view, Qt.Key.Key_Left)
    assert arrived(panel, qtbot) == end - 30
    wheel(panel.view.canvas, place(panel, 1.2), 12)
    assert panel.axis.start > 0.5
    press(Qt.Key.Key_Home)
    assert panel.axis.start == 0.0


# ---- what is on the strip


def test_events_and_camera_keys_are_told_where_the_mouse_points(panel, qtbot):
    event = next(event for event in panel.history.events if "ball" in event.text)
    move(panel.view.canvas, place(panel, event.step * 0.001))
    assert panel.card.isVisible()
    assert event.text in panel.card.text.text()
    qtbot.waitUntil(lambda: panel.card.picture.isVisible())
    assert panel.card.picture.pixmap().width() > 2 * 120
    free = next(t for t in np.arange(0.05, 1.2, 0.01) if not panel.view.spots_at(QPointF(place(panel, t))))
    move(panel.view.canvas, place(panel, free))
    assert panel.card.text.text() == f"<b>{round(panel.view.time_at(place(panel, free).x()), 3):.3f} s</b>"
    assert not panel.card.picture.isVisible()
    panel.view.leaveEvent(None)
    assert not panel.card.isVisible()
    keys = panel.session.part(CameraKeys)
    keys.add(0.25, Camera())
    keys.add(0.75, Camera())
    assert [time for time, _ in keys.marks()] == [0.25, 0.75]
    for time, text in keys.marks():
        assert text in [spot.text for spot in panel.view.spots_at(QPointF(place(panel, time)))]
    qtbot.mouseDClick(panel.view.canvas, LEFT, pos=place(panel, 0.75))
    arrived(panel, qtbot)
    keys.clear()
    assert not any(spot.text.startswith("Camera") for spot in panel.view.shown.spots.all)


def test_kinds_are_switched_time_is_zoomed_and_memory_is_chosen(panel, qtbot, window, tmp_path, simulation):
    chip = panel.legend.kinds[EventKind.CONTACT]
    count = sum(event.kind is EventKind.CONTACT for event in panel.history.events)
    assert chip.text().split()[-1] == str(count)
    before = len(panel.view.shown.spots)
    qtbot.mouseClick(chip, LEFT)
    assert len(panel.view.shown.spots) == before - count
    assert not panel.view.placed
    qtbot.mouseClick(chip, LEFT)
    assert len(panel.view.shown.spots) == before
    span = panel.axis.span
    at = place(panel, 0.5)
    moment = panel.view.time_at(at.x())
    wheel(panel.view.canvas, at, 5)
    assert panel.axis.span == pytest.approx(span / 1.25**5)
    assert panel.view.time_at(at.x()) == pytest.approx(moment)
    start = panel.axis.start
    qtbot.mousePress(panel.view.canvas, MIDDLE, pos=at)
    move(panel.view.canvas, at - QPoint(60, 0), MIDDLE)
    qtbot.mouseRelease(panel.view.canvas, MIDDLE, pos=at - QPoint(60, 0))
    wheel(panel.view.canvas, at, 2, Qt.KeyboardModifier.ShiftModifier)
    assert panel.axis.start == pytest.approx(start + (60 / panel.view.wide - 0.2) * panel.axis.span)
    assert panel.history.now == panel.history.end  # nothing of it goes anywhere
    qtbot.mouseClick(panel.legend.all, LEFT)
    assert panel.axis.span == pytest.approx(span)
    assert simulation._history_bytes == settings.HISTORY_MEMORY.default * 2**20
    panel.legend.memories[64].trigger()
    qtbot.waitUntil(lambda: simulation._history_bytes == 64 * 2**20)
    assert panel.legend.memory.text() == "64 MB"
    menu = panel.legend.memory.menu()
    menu.aboutToShow.emit()
    assert menu.actions()[0].text().startswith("Reaches back 1.20 s now")
    window.session.store.sync()
    assert Settings(tmp_path / "settings.json").get(settings.HISTORY_MEMORY) == 64


def test_resets_and_edits_are_on_the_strip(window, panel, qtbot, pump):
    window.session.reset()
    advance(window, pump, CHUNK)
    window.edits.apply({EditPlace("opt.gravity", 2): (-5.0,)})
    advance(window, pump, CHUNK)
    qtbot.waitUntil(lambda: panel.view.shown.now == pytest.approx(panel.history.time))
    kinds = {spot.look.word for spot in panel.view.shown.spots.all}
    assert {"Resets", "Edits"} <= kinds
    last = panel.view.shown.spots.all[-1]
    assert last.when < last.time - 1.0  # the simulation's time has begun anew, that of the axis goes on


# ---- bookmarks, other models, other times


def test_bookmarks_are_set_named_gone_to_and_removed(window, panel, qtbot, pump):
    window.viewport.setFocus()
    end = panel.history.end
    qtbot.keyClick(window.viewport, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert [(mark.step, mark.text) for mark in panel.history.bookmarks] == [(end, "Bookmark 1")]
    qtbot.keyClick(window.viewport, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)  # here is one already
    assert len(panel.history.bookmarks) == 1
    advance(window, pump, 100)
    qtbot.mouseClick(panel.controls.flag, LEFT)
    qtbot.waitUntil(lambda: panel.bookmarks.isVisible() and panel.bookmarks.topLevelItemCount() == 2)
    flags = [spot for spot in panel.view.shown.spots.all if spot.look is BOOKMARK]
    assert [spot.text for spot in flags] == ["Bookmark 1", "Bookmark 2"]

    names = panel.bookmarks
    row = names.visualItemRect(names.topLevelItem(0)).center()
    qtbot.mouseClick(names.viewport(), LEFT, pos=row)
    assert arrived(panel, qtbot) == end
    qtbot.keyClick(names, Qt.Key.Key_F2)
    editor = names.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "first touch")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [mark.text for mark in panel.history.bookmarks] == ["first touch", "Bookmark 2"])
    qtbot.waitUntil(lambda: names.topLevelItem(0).text(1) == "first touch")

    qtbot.waitUntil(lambda: len(panel.view._flags) == 2)
    _, area = panel.view._flags[1]
    qtbot.mouseClick(panel.view.canvas, LEFT, pos=area.center().toPoint())
    assert arrived(panel, qtbot) == end + 100
    names.setCurrentItem(names.topLevelItem(1))
    qtbot.keyClick(names, Qt.Key.Key_Delete)
    assert [mark.text for mark in panel.history.bookmarks] == ["first touch"]
    wheel(panel.view.canvas, place(panel, 0.5), 5)
    open_and_wait(qtbot, window.session, BALL)
    window.session.set_paused(False)
    pump.run(0.1)
    window.session.set_paused(True)
    qtbot.waitUntil(lambda: 0.0 < panel.view.shown.end < 1.0)
    assert not panel.history.bookmarks
    assert not panel.bookmarks.isVisible()
    assert panel.axis.whole
    assert len(panel.gallery) == 0


def test_without_a_model_it_says_so_and_hears_nothing(window, qtbot):
    show(window, qtbot)
    panel = window.panels.timeline
    assert words(panel) == "No model"
    assert not any(button.isEnabled() for button in (*panel.controls.buttons.values(), panel.controls.play, panel.controls.flag))
    qtbot.mouseClick(panel.view.canvas, LEFT, pos=QPoint(100, 100))
    qtbot.keyClick(panel.view, Qt.Key.Key_End)
    move(panel.view.canvas, QPoint(100, 100))
    assert not panel.card.isVisible()
    assert panel.requests.aim is None


def test_a_closed_dock_draws_nothing(window, panel, qtbot, pump):
    session = window.session
    move(panel.view.canvas, place(panel, 0.5))
    panel.dock.hide()
    assert not panel.card.isVisible()
    drawn, pictures = panel.drawn, panel.gallery.drawn
    session.reset()
    session.set_paused(False)
    for _ in range(10):
        pump.run(0.05)
        qtbot.wait(10)
    assert session.snapshot.time > 0.4
    window.viewport.set_camera(window.viewport.camera)
    session.set_paused(True)
    assert (panel.drawn, panel.gallery.drawn) == (drawn, pictures)
    assert not any(timer.isActive() for timer in (panel._late, panel._rest, panel._develop))
    show(window, qtbot)
    qtbot.waitUntil(lambda: panel.drawn > drawn)


@pytest.mark.parametrize("playing", [False, True])
def test_reset_in_the_past_is_one_event_and_reversible(window, panel, qtbot, pump, playing):
    session, history = window.session, panel.history
    history.go(400)
    arrived(panel, qtbot)
    if playing:
        history.play()
        pump.run(0.02)
        assert history.playing
    left = history.now
    QTest.keyClick(window.viewport, Qt.Key.Key_Backspace)
    pump.run(0.05)
    arrived(panel, qtbot)
    resets = [event for event in history.events if event.kind is EventKind.RESET]
    assert len(resets) == 1
    assert left <= resets[0].step <= history.end < 1000
    assert session.snapshot.time == pytest.approx((history.now - left) * 0.001, abs=0.002)
    history.go(left - 1)
    arrived(panel, qtbot)
    np.testing.assert_array_equal(session.snapshot.qpos, state_after(left - 1))
    assert [event for event in history.events if event.kind is EventKind.RESET] == resets


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


def test_pictures_come_one_by_one_stay_and_lead_to_their_moments(panel, qtbot, window):
    qtbot.waitUntil(lambda: not panel.gallery.waiting)
    placed = [spot for spot, _ in panel.view.placed]
    assert all(panel.gallery.has(spot.frame) for spot in placed)
    drawn = panel.gallery.drawn
    for _ in range(5):
        panel._draw()
    assert not panel.gallery.waiting
    qtbot.wait(200)
    assert panel.gallery.drawn == drawn
    assert [spot.frame for spot, _ in panel.view.placed] == [spot.frame for spot in placed]
    before = picture(window.viewport)
    image = window.viewport.thumbnail(panel.history.events[0].frame, 60, 40)
    assert (image.width(), image.height()) == (60, 40)
    assert difference(picture(window.viewport), before) == 0.0
    spot, area = panel.view.placed[0]
    qtbot.mouseClick(panel.view.canvas, LEFT, pos=area.center().toPoint())
    assert arrived(panel, qtbot) == spot.step


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
