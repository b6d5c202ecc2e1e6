"""The task: return to the branch that was left. In at most two steps from where it was left for another future."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest

from tests.app.panels.timeline.bounce import CHUNK, advance, arrived, bounced, place, words

MOST_STEPS = 2
LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.pumped


def state(window):
    snapshot = window.session.snapshot
    return np.concatenate([snapshot.qpos, snapshot.qvel, snapshot.ctrl]).tobytes()


def test_what_was_left_by_going_on_is_returned_to_as_it_was(window, qtbot, pump, tmp_path):
    panel = bounced(window, qtbot, lambda: advance(window, pump, CHUNK))
    history = window.session.history
    end, before, told = history.end, state(window), [e.step for e in history.events]
    assert panel.branches.isHidden()

    QTest.mouseClick(panel.view.canvas, LEFT, pos=place(panel, 0.3))
    fork = arrived(panel, qtbot)
    QTest.mouseClick(panel.controls.go_on, LEFT)
    pump.run(0.1)
    window.session.set_paused(True)
    arrived(panel, qtbot)
    other, length = state(window), history.end
    assert fork < length < end
    assert history.course == f"Branch 2, from {fork * history.timestep:.2f} s"
    assert [(b.name, b.fork, b.end) for b in history.branches] == [("Branch 1", fork, end)]
    assert max(e.step for e in history.events) <= length
    panel._draw()
    bar = panel.branches.bars[0]
    assert bar.isVisible()
    assert bar.x() == pytest.approx(panel.view.x_of(fork * history.timestep), abs=1.0)
    assert bar.x() + bar.width() == pytest.approx(panel.view.x_of(end * history.timestep), abs=2.0)

    steps = [lambda: QTest.mouseClick(bar, LEFT, pos=QPoint(30, 8))]
    assert len(steps) <= MOST_STEPS
    for step in steps:
        step()
    assert arrived(panel, qtbot) == end
    assert state(window) == before
    assert [e.step for e in history.events] == told
    qtbot.waitUntil(lambda: words(panel) == "Live, paused")
    assert history.course == "Branch 1"
    assert [b.name for b in history.branches] == [f"Branch 2, from {fork * history.timestep:.2f} s"]

    replay, told_of = tmp_path / "one", []
    window.replays.saved.connect(lambda path, seconds: told_of.append(path))
    window.replays.save(replay, window.view_state())
    pump.obey()
    qtbot.waitUntil(lambda: bool(told_of))
    bar_of_status = window.statusBar()
    assert "of Branch 1; not in it: Branch 2, from" in bar_of_status.currentMessage()

    # The other one gets a name in its bar, is returned to by the key, and is dropped, which the user has asked for.
    panel._draw()
    QTest.keyClick(panel.branches.bars[1], Qt.Key.Key_F2)
    QTest.keyClicks(panel.branches.name, "soft start")
    QTest.keyClick(panel.branches.name, Qt.Key.Key_Return)
    assert [b.name for b in history.branches] == ["soft start"]
    window.actions_by_name["return_branch"].trigger()
    assert arrived(panel, qtbot) == length
    assert state(window) == other
    said = []
    window.session.status.connect(said.append)
    panel._draw()
    QTest.keyClick(panel.branches.bars[0], Qt.Key.Key_Delete)
    arrived(panel, qtbot)
    assert history.branches == []
    assert said == []

    # One that has to make room is named.
    window.session.history.go(fork)
    arrived(panel, qtbot)
    history.go_on()
    window.session.set_paused(True)
    arrived(panel, qtbot)
    assert "soft start is kept" in said[0]
    pump.simulation.limit_history(1000)
    pump.run(0.1)
    window.session.step(200)
    arrived(panel, qtbot)
    assert [text for text in said if "soft start was dropped: the memory for the history is full" in text]


def test_panels_forget_what_they_gathered_of_another_course_than_the_one_that_is_returned_to(window, qtbot, pump):
    panel = bounced(window, qtbot, lambda: advance(window, pump, CHUNK))
    history, panels = window.session.history, window.panels
    history.go(history.end // 2)
    arrived(panel, qtbot)
    panels.dock("signals").bring()
    panels.signals.add("energy[0]")
    history.go_on()
    for key in ("signals", "contact_events", "solver"):
        panels.dock(key).bring()
        qtbot.waitUntil(panels.dock(key).isVisible)
        pump.run(0.2)
    window.session.set_paused(True)
    arrived(panel, qtbot)
    assert panels.signals.traces.now.count > 0
    assert panels.contact_events.lanes.time > 0
    history.return_to_last()
    arrived(panel, qtbot)
    assert panels.signals.traces.before is None
    assert panels.signals.traces.now.count == 0
    assert panels.contact_events.lanes.time == 0
    assert len(panels.contact_events.lanes) == 0
    assert panels.solver.history.now.count == 0
