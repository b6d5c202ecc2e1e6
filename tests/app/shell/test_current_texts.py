"""What the window says is so now: nothing that was said of an earlier state stays after it, and nothing is promised."""

from datetime import datetime

import pytest
from PyQt6.QtCore import QLockFile, QPoint, Qt
from PyQt6.QtWidgets import QLabel

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.rescue.recovery import Left
from tumble.app.rescue.recovery_dialog import RecoveryDialog
from tumble.app.rescue.reporting import _replay_part
from tumble.app.session.history import Cut
from tumble.app.viewport.readout import LEFT_VIEW

ARM, BOXES, LEFT = MODELS / "arm.xml", MODELS / "boxes.xml", Qt.MouseButton.LeftButton


def test_that_time_was_stopped_is_said_until_it_goes_on_and_nowhere_after_a_reset(window, qtbot, pump):
    open_and_wait(qtbot, window.session, ARM)
    panel, session = window.panels.breakpoints, window.session
    panel.dock.bring()
    session.set_paused(False)
    panel.breakpoints.add("time > 0.0995")
    pump.run(0.5)
    qtbot.waitUntil(lambda: session.paused and "Stopped at 0.100 s" in panel.place.text())
    assert panel.place.isVisibleTo(panel)
    session.set_paused(False)
    pump.run(0.05)
    qtbot.waitUntil(lambda: "Stopped last at 0.100 s" in panel.place.text())
    session.set_paused(True)
    session.reset()
    qtbot.waitUntil(lambda: not panel.place.isVisibleTo(panel))
    assert panel.breakpoints.last is None  # nor is it said by a panel that is opened now


def test_a_state_that_the_engine_has_reset_itself_keeps_its_explanation(window, qtbot, pump):
    open_and_wait(qtbot, window.session, MODELS / "blowup.xml")
    panel = window.panels.breakpoints
    panel.dock.bring()
    panel.breakpoints.set_on("blowup", True)
    window.session.set_paused(False)
    pump.run(5.0)
    qtbot.waitUntil(lambda: panel.dofs.isVisibleTo(panel))
    assert "Stopped at" in panel.place.text()
    assert panel.report.text() == f"The most violent dofs and constraints at {panel.place.text().split()[2]} s:"


def test_sleeping_is_on_in_all_words_from_the_moment_it_is_switched_on(window, qtbot, pump):
    open_and_wait(qtbot, window.session, BOXES)
    window.session.set_paused(True)
    panel = window.panels.islands
    panel.dock.bring()
    qtbot.waitUntil(lambda: panel.live and panel.table.rows.reading is not None)
    qtbot.mouseClick(panel.table.viewport(), LEFT, pos=panel.table.visualRect(panel.table.rows.index(1, 0)).center())

    def said():
        return f"{panel.note.text()} {panel.detail.text()} {panel.table.rows.describe(1)}"

    assert "sleeping is off" not in said()
    qtbot.mouseClick(panel.switch, LEFT, pos=QPoint(8, 8))
    assert not panel.switch.isChecked()
    assert said().count("leeping is off") == 3  # before the simulation has had the time to answer
    pump.obey()
    qtbot.mouseClick(panel.switch, LEFT, pos=QPoint(8, 8))
    assert panel.switch.isChecked()
    assert "leeping is off" not in said()


@pytest.mark.parametrize("paused", [True, False])
def test_only_a_simulation_that_stands_asks_to_be_played(window, qtbot, pump, paused):
    window.session.set_paused(paused)
    open_and_wait(qtbot, window.session, ARM)
    panels = window.panels
    for key in ("solver", "contact_events", "signals"):
        panels.dock(key).bring()
    panels.signals.add("time")
    texts = [
        panels.signals.status.text(),
        panels.solver.rolling.summary.text(),
        panels.solver.convergence.summary.text(),
        panels.contact_events.empty_text(),
    ]
    for text in texts:
        assert text
        assert ("Space" in text) == paused, text


def left(folder, seconds):
    return Left(folder / "it.tumble", "humanoid.xml", datetime.now().timestamp(), QLockFile(str(folder / "a.lock")), "", seconds)


def test_what_was_saved_is_as_long_as_it_is_said_to_be(window, qtbot, pump, tmp_path):
    dialog = RecoveryDialog([left(tmp_path, 0.5)], datetime.now())
    qtbot.addWidget(dialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("0.50 s" in text for text in texts)
    assert not any("10 s" in text for text in texts)
    open_and_wait(qtbot, window.session, ARM)
    window.session.set_paused(False)
    pump.run(0.5)
    cuts = []
    window.session.history.cut(cuts.append, 10.0)
    pump.obey()
    part = _replay_part(cuts[0], {}, [])
    assert part.about == "a replay of the last 0.50 s of simulated time"
    assert isinstance(cuts[0], Cut)
    assert cuts[0].replay({}, []).view["seconds"] == pytest.approx(0.5, abs=0.01)


def test_a_body_that_falls_out_of_the_view_is_missed_until_it_is_there_again(window, qtbot, pump, tmp_path):
    path = tmp_path / "no_floor.xml"
    path.write_text('<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    open_and_wait(qtbot, window.session, path)
    view, session = window.viewport, window.session
    said = lambda: view._overlay().hint  # noqa: E731
    pump.run(0.01)
    view.grabFramebuffer()
    assert said() == ""
    session.set_paused(False)
    pump.run(1.5)
    qtbot.waitUntil(lambda: session.snapshot.time > 1.0)
    view.grabFramebuffer()
    assert said() == LEFT_VIEW
    session.reset()
    pump.obey()
    qtbot.waitUntil(lambda: session.snapshot.time == 0)
    view.grabFramebuffer()
    assert said() == ""


def test_the_status_bar_says_no_longer_that_a_model_is_loading_once_it_is_there(window, qtbot):
    session, bar = window.session, window.statusBar()
    open_and_wait(qtbot, session, ARM)
    session.load_started.emit("model.tumble-model")  # a script's: that it is there is not said
    assert bar.currentMessage() == "Loading model.tumble-model"
    session.load_ended.emit({})
    assert bar.currentMessage() == ""
