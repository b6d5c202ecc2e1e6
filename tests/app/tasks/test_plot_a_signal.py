"""The task: find any signal and plot it, in at most three steps, without the command palette."""

import pytest

from tests.app.conftest import MODELS, open_and_wait
from tests.app.tasks.steps import choose, enter
from tumble.app.panels.signals.panel import SignalsPanel

MOST_STEPS = 3
pytestmark = pytest.mark.pumped


def test_a_signal_is_found_by_what_it_means_and_plotted(window, qtbot, pump):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")

    def panel():
        made = window.panels.signals
        assert isinstance(made, SignalsPanel)
        return made

    steps = [
        lambda: choose(window, "Window", "Signals"),
        lambda: enter(panel().tree.search, "actuator force hinge"),
    ]
    assert len(steps) <= MOST_STEPS
    for step in steps:
        step()
        pump.obey()
        qtbot.wait(20)
    assert [signal.name for signal in panel().panes[0].signals] == ["qfrc_actuator[hinge]"]
    window.session.set_ctrl(0, 1.0)
    pump.run(0.2)
    qtbot.waitUntil(lambda: panel().traces.now.count == 100)
    _, values = panel().traces.now.samples()
    assert values[-1, 0] == pump.simulation.data.qfrc_actuator[0] != 0
