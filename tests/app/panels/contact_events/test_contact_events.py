"""The contact events dock in the real window: bounces are lanes, a click chooses, and nothing is seen while it is closed."""

import csv

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import QFileDialog

from tests.app.conftest import MODELS, open_and_wait
from tests.app.mouse import wheel
from tests.app.panels.moments import live
from tests.app.pump import let_pass
from tumble.app.panels.contact_events.lanes import Lanes

pytestmark = pytest.mark.pumped
BOUNCE, HEAP, BALL = MODELS / "bounce.xml", MODELS / "heap.xml", MODELS / "ball.xml"
LEFT = Qt.MouseButton.LeftButton
DASH = " \N{EN DASH} "


@pytest.fixture
def panel(window, qtbot):
    """The dock open over the bouncing ball and the sliding brick, paused after a second made in one call."""
    open_and_wait(qtbot, window.session, BOUNCE)
    shown(window, qtbot)
    window.session.set_paused(True)
    window.session.reset(0)
    window.session.step(1000)
    qtbot.waitUntil(lambda: abs(window.panels.contact_events.lanes.time - 1.0) < 1e-9)
    return window.panels.contact_events


def shown(window, qtbot):
    panel = window.panels.contact_events
    panel.dock.show()
    panel.dock.raise_()
    window.resizeDocks([panel.dock], [320], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: window.session.is_obeyed)
    qtbot.waitUntil(lambda: panel._visible and live(window) is not None and live(window).tap != 0)


def slot(panel, name):
    return list(panel.view.shown.names).index(name)


def place(panel, name, time):
    return QPoint(int(panel.view.x_of(time)), round(panel.view.middle(slot(panel, name))))


def test_bounces_are_bars_that_are_told_under_the_mouse(window, panel, qtbot):
    assert set(panel.view.shown.names) == {f"floor{DASH}ball", f"floor{DASH}brick"}
    ball = panel.lanes.touches(panel.lanes.lane_of((0, 1)))
    assert [(t.made, t.broke) for t in ball] == [(True, True)] * 2
    row = panel.view.cells[slot(panel, f"floor{DASH}ball")]
    bars = np.flatnonzero(np.diff((row >= 0).astype(int), prepend=0) == 1)
    np.testing.assert_allclose(panel.view.left + bars, [panel.view.x_of(t.begin) for t in ball], atol=1)
    assert "2 pairs" in panel.summary.text()
    image = panel.view.grab().toImage()
    colours = {image.pixelColor(place(panel, f"floor{DASH}brick", t) + QPoint(0, 7)).name() for t in np.arange(0.1, 0.9, 0.02)}
    assert len(colours & {"#e8b44c", "#6cc28a"}) == 2  # it slips, then sticks
    first = panel.lanes.touches(panel.lanes.lane_of((0, 1)))[0]
    told = []
    panel.view.pointed.connect(lambda k: told.append(panel.told(k) if k >= 0 else ""))
    qtbot.mouseMove(panel.view.viewport(), place(panel, f"floor{DASH}ball", first.peak_time))
    qtbot.waitUntil(lambda: bool(told) and f"peak {first.peak:.2f} N" in told[-1])
    assert "smooth" in told[-1]


def test_a_click_chooses_the_pair_and_tells_what_happened(window, panel, qtbot):
    session = window.session
    second = panel.lanes.touches(panel.lanes.lane_of((0, 1)))[1]
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=place(panel, f"floor{DASH}ball", second.peak_time))
    assert session.contact_choice.pair == (0, 1)
    assert session.contact_choice.index == -1  # in the air now
    text = panel.details.text()
    assert f"floor{DASH}ball" in text
    assert f"made {second.begin:.4f} s, broke {second.end:.4f} s" in text
    assert f"at {second.peak_time:.4f} s" in text
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=place(panel, f"floor{DASH}brick", 0.9))
    assert session.contact_choice.pair == (0, 2)
    assert session.contact_choice.index >= 0
    assert "slips" in panel.details.text()
    assert "continues" in panel.details.text()
    window.panels.contacts.dock.bring()  # in front of it, with the same choice
    qtbot.waitUntil(lambda: window.panels.contacts.live)
    qtbot.waitUntil(lambda: window.panels.contacts.gauge.pair == f"floor{DASH}brick")
    panel.dock.raise_()
    qtbot.waitUntil(lambda: panel.view.isVisible() and not window.panels.contacts.live)
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=QPoint(20, place(panel, f"floor{DASH}ball", 0.5).y()))  # its name
    assert session.contact_choice.pair == (0, 1)


def test_wheel_and_drag_go_through_time_and_follow_returns(window, panel, qtbot):
    canvas, view = panel.view.viewport(), panel.view
    wheel(view.canvas, QPoint(view.left + 200, 30), 5)
    assert panel.times.span == pytest.approx(5.0 / 1.25**5)
    assert panel.times.stop == pytest.approx(max(1.0, panel.times.span))  # it follows
    assert panel.span.currentIndex() == -1
    start = panel.times.start
    qtbot.mousePress(canvas, LEFT, pos=QPoint(view.left + 100, 30))
    qtbot.mouseMove(canvas, QPoint(view.left + 160, 30))
    qtbot.mouseMove(canvas, QPoint(view.left + 220, 30))
    qtbot.mouseRelease(canvas, LEFT, pos=QPoint(view.left + 220, 30))
    assert panel.times.start == pytest.approx(start - 120 / view.wide * panel.times.span)
    assert not panel.follow.isChecked()
    assert window.session.contact_choice.pair is None  # a drag chooses nothing
    window.session.step(200)
    qtbot.waitUntil(lambda: abs(panel.lanes.time - 1.2) < 1e-9)
    assert panel.times.start < start
    qtbot.mouseClick(panel.follow, LEFT, pos=QPoint(8, panel.follow.height() // 2))
    assert panel.times.stop == pytest.approx(max(1.2, panel.times.span))


def test_lanes_are_filtered_and_their_events_saved(window, panel, qtbot, monkeypatch, tmp_path):
    qtbot.keyClicks(panel.search, "slider")  # the body of the brick
    assert panel.view.shown.names == [f"floor{DASH}brick"]
    assert panel.search.hidden.text() == "The filter hides 1: clear"
    qtbot.keyClicks(panel.search, "x")
    assert list(panel.view.shown.names) == []
    assert "No pair" in panel.view.empty
    panel.search.clear()
    window.session.select(window.session.model.body("drop").id)
    panel.own.click()
    assert panel.view.shown.names == [f"floor{DASH}ball"]
    panel.search.hidden.click()
    assert not panel.own.isChecked()
    assert len(panel.view.shown.names) == 2
    panel.own.click()
    window.session.select(window.session.model.body("slider").id)
    assert panel.view.shown.names == [f"floor{DASH}brick"]
    panel.search.hidden.click()
    target = tmp_path / "events.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    qtbot.mouseClick(panel.export, LEFT)
    qtbot.waitUntil(lambda: target.exists() and panel.export.isEnabled())
    rows = list(csv.DictReader(target.read_text("utf-8").splitlines()))
    ball = [(row["event"], float(row["time [s]"])) for row in rows if row["geom2"] == "ball"]
    assert [event for event, _ in ball] == ["make", "smooth", "peak", "break"] * 2
    touches = panel.lanes.touches(panel.lanes.lane_of((0, 1)))
    assert [time for event, time in ball if event in ("make", "break")] == [t for x in touches for t in (x.begin, x.end)]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "no" / "events.csv"), ""))
    with qtbot.waitSignal(window.session.status) as blocker:
        qtbot.mouseClick(panel.export, LEFT)
    assert "not saved" in blocker.args[0]


def test_a_closed_dock_sees_and_draws_nothing(window, panel, qtbot, monkeypatch):
    session = window.session
    panel.dock.hide()
    qtbot.waitUntil(lambda: live(window).tap == 0)
    drawn, kept = panel.drawn, len(panel.lanes)
    calls = []
    monkeypatch.setattr(Lanes, "take", lambda self, touches: calls.append(touches))
    session.set_paused(False)
    time = session.snapshot.time
    let_pass(session, qtbot, 0.2)
    assert (panel.drawn, len(panel.lanes), calls) == (drawn, kept, [])
    monkeypatch.undo()
    assert not session.contact_choice.open
    shown(window, qtbot)
    let_pass(session, qtbot, 0.1)
    qtbot.waitUntil(lambda: panel.lanes.time > time)


def test_contact_lanes_follow_reset_and_other_models(window, panel, qtbot, pump):
    session = window.session
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=place(panel, f"floor{DASH}ball", 0.5))
    session.reset()
    session.step(2)
    qtbot.waitUntil(lambda: abs(panel.lanes.time - 0.002) < 1e-9)
    assert panel.view.shown.names == [f"floor{DASH}brick"]
    assert "no longer in the history" in panel.details.text()
    open_and_wait(qtbot, session, BALL)
    session.step(20)
    qtbot.waitUntil(lambda: abs(panel.lanes.time - 0.04) < 1e-9)
    assert not panel.view.shown.pairs
    assert "No contacts yet" in panel.view.empty
    open_and_wait(qtbot, session, HEAP)
    session.set_paused(False)
    pump.run_until(lambda: len(panel.view.shown.pairs) > 2)
