"""The solver dock in the real window: curves, the iteration slider, other solvers, and nothing at all while it is closed."""

import numpy as np
import pytest
from PyQt6.QtCore import Qt

from tests.app.conftest import MODELS, open_and_wait, open_panel
from tests.app.panels.moments import live
from tests.app.pump import let_pass
from tumble import physics
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import SetModel

pytestmark = pytest.mark.pumped
HEAP, BALL = MODELS / "heap.xml", MODELS / "ball.xml"
LEFT = Qt.MouseButton.LeftButton


def shown(window, qtbot, path=HEAP):
    return open_panel(qtbot, window, "solver", path)


def frozen(window, qtbot, steps=12):
    """The heap, a few steps after it was let go: still settling, so that there is something to solve."""
    panel, session = shown(window, qtbot), window.session
    session.set_paused(True)
    session.reset()
    session.step(steps)
    page = panel.convergence
    qtbot.waitUntil(lambda: page.go.isEnabled() and round(panel.comparison.reading.time / 0.002) == steps)
    return panel, page, live(window)


def again(qtbot, panel, solver, tolerance="", iterations=0):
    page, before = panel.convergence, [solved for _, solved in panel.comparison.solves]
    page.solver.setCurrentText(solver)
    page.tolerance.setText(tolerance)
    page.iterations.setValue(iterations)
    qtbot.mouseClick(page.go, LEFT)
    qtbot.waitUntil(lambda: [solved for _, solved in panel.comparison.solves] != before)
    return panel.comparison.solves[-1][1]


def test_convergence_has_a_curve_per_island_point_per_iterate(window, qtbot):
    panel, page, data = frozen(window, qtbot)
    record = panel.comparison.record
    assert len(record) == data.nisland == 2
    assert len(page._curves) == 2
    for curve, trace, count in zip(page._curves, record, data.solver_niter, strict=False):
        x, y = curve.getOriginalDataset()
        assert len(x) == count + 1 > 1  # the start, and one for each iteration
        assert (y > 0).all()
        np.testing.assert_array_equal(x, trace.iteration)
    page.quantity.setCurrentIndex(page.quantity.findData("slope"))
    x, y = page._curves[0].getOriginalDataset()
    least = max(2.0**-52 * np.abs(record[0].slope).max(), 1e-300)  # a slope may be zero, of which there is no logarithm
    np.testing.assert_array_equal(y, np.maximum(np.abs(record[0].slope[1:]), least))
    assert "2 islands" in page.summary.text()


def test_iteration_slider_shows_contact_forces_of_iterates(window, qtbot):
    panel, page, _ = frozen(window, qtbot)
    session = window.session
    own = session.snapshot.contact("force").copy()
    last = page.slider.maximum()
    assert page.slider.value() == last == panel.comparison.record.iterates - 1 > 1
    assert session.frame is session.snapshot.frame
    page.slider.setFocus()
    qtbot.keyClick(page.slider, Qt.Key.Key_Home)
    assert page.place.text() == f"0 / {last}"
    first = session.frame.contact_force
    np.testing.assert_array_equal(first, panel.comparison.record.contact_forces(0))
    assert np.abs(first - own).max() > 1.0  # newtons
    for _ in range(last):
        qtbot.keyClick(page.slider, Qt.Key.Key_Right)
    assert page.slider.value() == last
    np.testing.assert_allclose(session.frame.contact_force, own, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(session.snapshot.contact("force"), own)  # which the others read: not touched
    qtbot.keyClick(page.slider, Qt.Key.Key_Left)
    qtbot.mouseClick(page.leave, LEFT)
    assert session.frame is session.snapshot.frame
    assert page.slider.value() == last
    qtbot.keyClick(page.slider, Qt.Key.Key_Home)
    session.step()
    qtbot.waitUntil(lambda: round(session.snapshot.time / 0.002) == 13 and page.go.isEnabled())
    assert session.frame is session.snapshot.frame  # another step, nothing of the one before


def test_pgs_finds_what_newton_found_and_changes_nothing(window, qtbot):
    panel, page, data = frozen(window, qtbot)
    qacc, state = data.qacc.copy(), data.qpos.copy()
    solved = again(qtbot, panel, "PGS", "0", 20_000)
    assert np.abs(solved.qacc - qacc).max() < 1e-6
    assert len(page._curves) == 4
    styles = [curve.opts["pen"].style() for curve in page._curves]
    assert styles[:2] == [Qt.PenStyle.SolidLine] * 2
    assert Qt.PenStyle.SolidLine not in styles[2:]
    page.compress.click()  # the long solve no longer hides the short one
    x, _ = page._curves[2].getOriginalDataset()
    assert x[-1] == pytest.approx(np.log10(1 + solved.record[0].iteration[-1]))
    page.compress.click()
    assert page.table.topLevelItemCount() == 2
    assert float(page.table.topLevelItem(1).text(4)) < 1e-6
    assert int(page.table.topLevelItem(1).text(1)) == solved.niter.max()
    hard = again(qtbot, panel, "LCP conjugate", "1e-6")
    assert np.abs(hard.qacc - qacc).max() > 1e-3  # another model of contact
    np.testing.assert_array_equal(data.qacc, qacc)
    np.testing.assert_array_equal(data.qpos, state)
    page.tolerance.setText("soon")
    qtbot.mouseClick(page.go, LEFT)
    assert "not a number" in page.remark.text()
    assert len(panel.comparison.solves) == 2
    qtbot.mouseClick(page.clear, LEFT)
    assert len(page._curves) == 2
    window.session.step()
    qtbot.waitUntil(lambda: not page.clear.isEnabled() and page.go.isEnabled())


def test_nothing_is_recorded_or_taken_while_the_dock_is_closed(window, qtbot):
    panel = shown(window, qtbot)
    assert not window.session.paused
    let_pass(window.session, qtbot, 0.1)
    qtbot.waitUntil(lambda: physics.is_recording(live(window)) and panel.history.now.count > 5)
    panel.dock.hide()
    qtbot.waitUntil(lambda: not physics.is_recording(live(window)))
    taken = panel.probe.taken
    let_pass(window.session, qtbot, 0.1)  # it runs on
    assert panel.probe.taken == taken
    assert live(window).maxR == 0  # the memory is given back
    panel.dock.show()
    let_pass(window.session, qtbot, 0.1)
    qtbot.waitUntil(lambda: panel.probe.taken > taken and physics.is_recording(live(window)))


def test_step_before_dock_opened_can_be_inspected(window, qtbot):
    open_and_wait(qtbot, window.session, HEAP)
    window.session.set_paused(True)
    window.session.reset()
    window.session.step(8)
    window.panels.solver.dock.show()
    qtbot.waitUntil(lambda: window.panels.solver.convergence.go.isEnabled())
    assert window.panels.solver.comparison.record is not None


def test_solver_panel_handles_other_model_and_no_contacts(window, qtbot, pump):
    window.panels.solver.dock.show()
    page = window.panels.solver.convergence
    assert not page.go.isEnabled()
    assert not page.slider.isEnabled()
    panel, _, _ = frozen(window, qtbot)
    page.slider.setValue(0)
    open_and_wait(qtbot, window.session, BALL)  # while scrubbing, and without any contact
    qtbot.waitUntil(lambda: physics.is_recording(live(window)))
    window.session.step(3)
    qtbot.waitUntil(lambda: "nothing to solve" in page.summary.text())
    assert not page.go.isEnabled()
    assert not page._curves
    assert window.session.frame is window.session.snapshot.frame
    window.session.reset()
    window.session.set_paused(False)
    pump.run_until(lambda: panel.history.now.count > 5)


def test_solver_history_plots_sizes_and_stage_times(window, qtbot):
    panel = shown(window, qtbot)
    panel.tabs.setCurrentIndex(1)
    let_pass(window.session, qtbot, 0.2)
    qtbot.waitUntil(lambda: panel.history.now.count > 20)
    window.session.set_paused(True)
    qtbot.waitUntil(lambda: panel.convergence.go.isEnabled())
    x, y = panel.rolling.sizes.curves[0].getOriginalDataset()
    assert len(x) > 20
    assert y[-1] == live(window).nefc == window.session.snapshot.nefc
    time, spent = panel.rolling.stages.curves[7].getOriginalDataset()
    assert (spent[1:] > 0).all()  # the solver's, in microseconds
    assert (np.diff(time) > 0).all()
    assert "rows" in panel.rolling.summary.text()


def test_the_limit_of_iterations_is_marked_where_reached(window, qtbot):
    panel, page, _ = frozen(window, qtbot)
    panel.tabs.setCurrentIndex(1)
    window.session.send(SetModel(Change("opt.iterations", None, (1,))))
    window.session.step()
    qtbot.waitUntil(lambda: "limit reached" in page.summary.text())
    x, y = panel.rolling.iterations.marks.getOriginalDataset()
    assert list(y) == [1.0]
    assert x[0] == pytest.approx(window.session.snapshot.time)
    qtbot.waitUntil(lambda: "limit reached 1 times" in panel.rolling.summary.text())
