"""The task: compare three solvers in the state that the simulation is in, in at most four steps."""

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from tests.app.conftest import MODELS, open_and_wait
from tests.app.tasks.steps import choose, click

MOST_STEPS = 4
pytestmark = pytest.mark.pumped


def test_three_solvers_are_compared_in_this_state(window, qtbot, pump):
    open_and_wait(qtbot, window.session, MODELS / "heap.xml")
    pump.run(0.5)
    window.viewport.setFocus()

    def page():
        panel = window.panels.solver
        return panel.convergence

    steps = [
        lambda: QTest.keyClick(window, Qt.Key.Key_Space),
        lambda: choose(window, "Window", "Solver"),
        lambda: click(page().three),
    ]
    assert len(steps) <= MOST_STEPS
    for step in steps:
        step()
        pump.obey()
        qtbot.wait(20)
    table = page().table
    qtbot.waitUntil(lambda: table.topLevelItemCount() == 4)
    rows = [[table.topLevelItem(k).text(column) for column in range(5)] for k in range(4)]
    assert [row[0].split()[0] for row in rows] == ["this", "Newton", "CG", "PGS"]
    costs = [float(row[2]) for row in rows]
    assert costs[1:] == pytest.approx([costs[0]] * 3, rel=1e-3)  # one problem, one minimum
    assert int(rows[3][1]) > int(rows[1][1])  # PGS takes more iterations than Newton
