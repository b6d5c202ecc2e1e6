"""The forks dock in the real window: forks part from the simulation, as ghosts and as curves, and cost nothing when closed."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt

from tests.app.conftest import MODELS, open_and_wait, open_panel
from tests.app.panels.moments import pixel, stepped
from tests.app.pump import let_pass, simulation_of
from tumble.app.editing.edits import EditPlace
from tumble.app.panels.forks.forks import RUNNING, ForkChoice
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import SetModel

pytestmark = pytest.mark.pumped
INCLINE, HEAP, SOFT, BALL = (MODELS / f"{name}.xml" for name in ("incline", "heap", "soft", "ball"))
LEFT = Qt.MouseButton.LeftButton
POSITION, ANGLE, VELOCITY = range(3)
SPRING = """<mujoco><option timestep="0.002"/><worldbody><light pos="0 0 3"/>
<body name="calm" pos="0.6 0 0.2"><freejoint name="rest"/><geom size="0.2" mass="1"/></body>
<body name="wild" pos="-0.5 0 1"><joint name="spring" type="slide" axis="1 0 0" stiffness="100000" springref="0.01"/>
<geom size="0.1" mass="1"/></body></worldbody></mujoco>"""


def opened(window, qtbot, path):
    return open_panel(qtbot, window, "forks", path, paused=True)


def choose(qtbot, box, text):
    """Go down a box to a text, with the arrow key."""
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findText(text)):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == text


def select(qtbot, panel, row):
    """Click a row of the list: the last one is that of the next fork."""
    rect = panel.table.visualItemRect(panel.table.topLevelItem(row))
    qtbot.mouseClick(panel.table.viewport(), LEFT, pos=rect.center())


def fork(window, qtbot, **texts):
    """Choose the settings of the next fork by keys, click, and wait until it runs."""
    panel = window.panels.forks
    select(qtbot, panel, len(panel.forks.entries))
    for name, text in texts.items():
        widget = getattr(panel.form, name)
        if name in ("step", "solref", "solimp"):
            line = widget.lineEdit() if name == "step" else widget
            line.selectAll()
            qtbot.keyClicks(line, text)
        else:
            choose(qtbot, widget, text)
    count = len(panel.forks.entries)
    qtbot.mouseClick(panel.form.go, LEFT)
    assert len(panel.forks.entries) == count + 1, panel.form.note.text()
    entry = panel.forks.entries[-1]
    qtbot.waitUntil(lambda: entry.state == RUNNING and entry.moment is not None)
    return entry


def heading(panel):
    return panel.form.heading.text()


def cell(panel, row, column):
    return panel.table.topLevelItem(row).text(column)


def test_fork_with_pyramidal_cone_diverges_over_time(window, qtbot):
    panel = opened(window, qtbot, INCLINE)
    entry = fork(window, qtbot, cone="pyramidal")
    assert entry.name == "pyramidal"
    stepped(window, qtbot, 400)
    _, values = entry.traces.now.samples()
    assert len(values) == 400
    assert values[0, POSITION] == 0.0
    assert values[-1, POSITION] > 1e-4
    assert np.mean(values[300:, POSITION]) > np.mean(values[:100, POSITION])
    _, y = panel._curves[entry.key][1].getOriginalDataset()
    assert y.max() == pytest.approx(values[:, POSITION].max())
    assert float(cell(panel, 0, 1)) == pytest.approx(values[-1, POSITION], rel=1e-3)
    panel.measure.setCurrentIndex(VELOCITY)
    assert float(cell(panel, 0, 2)) == pytest.approx(values[:, VELOCITY].max(), rel=1e-3)


def test_a_fork_may_have_the_numbers_of_the_file(window, qtbot):
    opened(window, qtbot, BALL)
    window.edits.set(EditPlace("geom_margin", 0), (0.02,), "margin")
    now, before = fork(window, qtbot), fork(window, qtbot, numbers="as in the file")
    assert before.name == "as in the file"
    forks = simulation_of(window.session).forks.forks
    assert [forks[entry.key].model.geom_margin[0] for entry in (now, before)] == [0.02, 0.0]


def test_fork_ghost_is_drawn_in_its_colour_and_toggled(window, qtbot):
    panel = opened(window, qtbot, BALL)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    entry = fork(window, qtbot)
    assert window.session.frame.ghosts[0].rgb[2] > window.session.frame.ghosts[0].rgb[0]  # blue
    together = pixel(window, [0, 0, 1])
    window.session.send(SetModel(Change("opt.gravity", None, (-8.0, 0.0, 0.0))))  # only the model falls, to a side
    stepped(window, qtbot, 200)
    assert window.session.snapshot.xpos[1, 0] < -0.5
    ghost = pixel(window, [0, 0, 1])
    assert np.argmax(together) == 0  # the body itself, red: no ghost over it while they are one
    assert np.argmax(ghost) == 2
    rect = panel.table.visualItemRect(panel.table.topLevelItem(0))
    qtbot.mouseClick(panel.table.viewport(), LEFT, pos=QPoint(rect.left() + 10, rect.center().y()))
    assert not entry.ghost
    bare = pixel(window, [0, 0, 1])
    assert np.abs(bare - ghost).max() > 0.1
    stepped(window, qtbot, 1)
    assert window.session.frame.ghosts == ()


def test_reset_restarts_forks_and_keeps_previous_traces(window, qtbot):
    panel = opened(window, qtbot, HEAP)
    entry = fork(window, qtbot, step="/ 2")
    stepped(window, qtbot, 100)
    assert entry.moment.error[POSITION] > 0
    assert not panel.before.isEnabled()
    window.viewport.setFocus()
    qtbot.keyClick(window.viewport, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: window.session.snapshot.time == 0.0 and np.isnan(entry.moment.error[POSITION]))
    stepped(window, qtbot, 10)
    assert entry.traces.before.count == 100
    assert entry.traces.now.count == 10
    assert panel.before.isEnabled()
    x, _ = panel._curves[entry.key][0].getOriginalDataset()
    assert len(x) == 100
    assert entry.moment.steps == 20  # still with its own step


def test_diverged_fork_shows_stopped_and_simulation_runs_on(window, qtbot, tmp_path):
    path = tmp_path / "spring.xml"
    path.write_text(SPRING, "utf-8")
    panel = opened(window, qtbot, path)
    fork(window, qtbot, step="x 10")
    well = fork(window, qtbot, step="/ 2")
    window.session.set_paused(False)
    let_pass(window.session, qtbot, 0.2)
    qtbot.waitUntil(lambda: cell(panel, 0, 1) == "stopped")
    assert "blew up" in panel.form.note.text()
    assert "spring" in panel.form.note.text()
    let_pass(window.session, qtbot, 0.2)
    assert int(window.session.snapshot.warning_number.sum()) == 0
    assert well.moment.stopped == ""
    window.session.set_paused(True)
    qtbot.mouseClick(panel.form.restart, LEFT)
    qtbot.waitUntil(lambda: cell(panel, 0, 1) != "stopped")
    assert panel.form.note.text() == ""


def test_forks_are_listed_above_the_boxes_removed_and_refused(window, qtbot):
    panel = opened(window, qtbot, BALL)
    entries = [fork(window, qtbot) for _ in range(3)]
    assert panel.table.mapTo(panel, QPoint()).y() < panel.form.mapTo(panel, QPoint()).y()  # and has room for all rows
    last = panel.table.visualItemRect(panel.table.topLevelItem(3))
    assert panel.table.viewport().rect().contains(last.adjusted(0, 0, -last.width() // 2, -1))
    entries.append(fork(window, qtbot))
    assert len({e.ink for e in entries}) == 4
    qtbot.mouseClick(panel.form.go, LEFT)
    assert "at most 4 forks" in panel.form.note.text()
    assert len(panel.forks.entries) == 4
    button = panel.table.itemWidget(panel.table.topLevelItem(1), 4)
    qtbot.mouseClick(button, LEFT)
    assert [e.key for e in panel.forks.entries] == [entries[k].key for k in (0, 2, 3)]
    stepped(window, qtbot, 1)
    assert [m.key for m in window.session.snapshot.forks] == [entries[k].key for k in (0, 2, 3)]
    select(qtbot, panel, 3)
    panel.form.step.lineEdit().setText("soon")
    qtbot.mouseClick(panel.form.go, LEFT)
    assert "neither seconds" in panel.form.note.text()
    assert len(panel.forks.entries) == 3
    panel.form.step.lineEdit().setText("")
    assert fork(window, qtbot, solref="0.05 1").ink == entries[1].ink  # the colour that became free


def test_forks_step_behind_tabs_but_not_in_a_closed_dock(window, qtbot):
    panel = opened(window, qtbot, BALL)
    entry = fork(window, qtbot, step="/ 2")
    stepped(window, qtbot, 10)
    assert entry.traces.now.count == 10
    window.panels.log.dock.show()
    window.tabifyDockWidget(panel.dock, window.panels.log.dock)
    window.panels.log.dock.raise_()
    stepped(window, qtbot, 10)
    assert entry.traces.now.count == 20
    panel.dock.raise_()
    panel.dock.setFloating(True)
    stepped(window, qtbot, 10)
    panel.dock.setFloating(False)
    stepped(window, qtbot, 10)
    assert entry.traces.now.count == 40  # and never begun anew
    panel.dock.close()
    qtbot.waitUntil(lambda: not panel.forks.running)
    stepped(window, qtbot, 10)
    assert entry.traces.now.count == 40
    assert window.session.snapshot.forks == window.session.extras.ghosts == ()
    panel.dock.toggleViewAction().trigger()
    stepped(window, qtbot, 10)
    assert entry.traces.now.count == 10
    assert entry.moment.steps == 20  # anew, from where the simulation was


def test_ctrl_d_adds_a_fork_and_a_new_model_clears_forks(window, qtbot):
    open_and_wait(qtbot, window.session, HEAP)
    assert not window.panels.forks.dock.isVisible()
    qtbot.keyClick(window.viewport, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert window.panels.forks.dock.isVisible()
    entry = window.panels.forks.forks.entries[0]
    qtbot.waitUntil(lambda: entry.state == RUNNING)
    let_pass(window.session, qtbot, 0.3)
    qtbot.waitUntil(lambda: entry.traces.now.count > 100)
    open_and_wait(qtbot, window.session, BALL)
    assert window.panels.forks.forks.entries == []
    assert window.panels.forks.table.topLevelItemCount() == 1  # the next one
    stepped(window, qtbot, 2)
    assert window.session.snapshot.forks == ()


def test_without_a_model_or_with_sleep_and_rk4_none_is_made(window, qtbot):
    qtbot.keyClick(window.viewport, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert "Open a model first" in window.panels.forks.form.note.text()
    panel = opened(window, qtbot, MODELS / "boxes.xml")
    choose(qtbot, panel.form.integrator, "RK4")
    qtbot.mouseClick(panel.form.go, LEFT)
    assert "RK4 does not go with the flag sleep" in panel.form.note.text()
    assert panel.forks.entries == []


def test_unchanged_fork_says_so_and_is_edited_in_place(window, qtbot):
    panel = opened(window, qtbot, INCLINE)
    assert heading(panel) == "Next fork"
    qtbot.keyClick(window.viewport, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    (entry,) = panel.forks.entries
    qtbot.waitUntil(lambda: entry.state == RUNNING and entry.moment is not None)
    assert heading(panel) == "Fork: unchanged, 0.000 s"
    assert panel.table.currentItem().text(0) == entry.name
    stepped(window, qtbot, 50)
    assert entry.moment.error[POSITION] == 0.0
    assert "Same settings: it will not differ" in panel.form.note.text()
    assert panel.plot.getPlotItem().titleLabel.text == "Same settings: no difference"
    choose(qtbot, panel.form.cone, "pyramidal")
    qtbot.waitUntil(lambda: entry.state == RUNNING)
    stepped(window, qtbot, 200)
    assert entry.name == panel.table.topLevelItem(0).text(0) == "pyramidal"
    assert heading(panel) == "Fork: pyramidal"
    assert entry.traces.now.count == 200  # from the moment of the change
    assert entry.traces.before.count == 50
    assert entry.moment.error[POSITION] > 1e-6
    assert panel.form.note.text() == ""
    assert not panel.plot.getPlotItem().titleLabel.isVisible()


def test_boxes_are_of_the_chosen_fork_refuse_and_know_no_change(window, qtbot):
    panel = opened(window, qtbot, HEAP)
    entry = fork(window, qtbot, solver="CG")
    assert panel.form.solver.currentText() == "CG"  # of the fork, which is chosen now
    select(qtbot, panel, 1)
    assert heading(panel) == "Next fork"
    assert panel.form.chosen() == ForkChoice()
    choose(qtbot, panel.form.solver, "PGS")
    assert entry.name == "CG"
    select(qtbot, panel, 0)
    assert panel.form.solver.currentText() == "CG"
    select(qtbot, panel, 1)
    assert panel.form.solver.currentText() == "PGS"
    choose(qtbot, panel.form.solver, panel.form.solver.itemText(0))
    entry = fork(window, qtbot, solimp="0.9 0.95 0.001 0.5 2")
    line = panel.form.solimp
    line.selectAll()
    qtbot.keyClicks(line, "0.5")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert "solimp takes 5 numbers" in panel.form.note.text()
    assert entry.state == RUNNING
    assert entry.name == "solimp 0.9 0.95 0.001 0.5 2"
    line.selectAll()
    qtbot.keyClicks(line, "0.5 0.6 0.01 0.5 2")
    select(qtbot, panel, 2)  # without Return
    qtbot.waitUntil(lambda: entry.state == RUNNING)
    assert entry.name == "solimp 0.5 0.6 0.01 0.5 2"
    now = window.session.model.opt.timestep
    entry = fork(window, qtbot, step=repr(float(now)))
    assert panel.forks.is_same(entry)
    assert "Same settings" in panel.form.note.text()
    window.edits.set(EditPlace("opt.timestep"), (now / 2,), "timestep")
    assert not panel.forks.is_same(entry)
