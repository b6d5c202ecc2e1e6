"""The profiler (F3) and the sensors (F4) over the view."""

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from tests.app.conftest import open_and_wait
from tumble.app.library.examples import EXAMPLES
from tumble.app.profile.profiler import Profiler

pytestmark = pytest.mark.pumped


def test_f3_plots_what_a_step_costs_and_f4_shows_what_every_sensor_reads(window, qtbot, pump):
    rover = next(example.path for example in EXAMPLES if example.path.stem == "rover")
    open_and_wait(qtbot, window.session, rover)
    insets, profiler = window.viewport.insets, window.session.part(Profiler)
    insets.show_profiler(True)
    assert {plot.empty for plot in insets.plots()} == {"Waiting for a step"}  # it plays
    window.session.set_paused(True)
    assert {plot.empty for plot in insets.plots()} == {"No steps yet: Space plays"}
    window.session.set_paused(False)
    insets.show_profiler(False)
    assert (insets.plots(), insets.bars()) == ([], None)
    plain = window.viewport.grabFramebuffer()
    window.viewport.setFocus()
    for key in (Qt.Key.Key_F3, Qt.Key.Key_F4):
        QTest.keyClick(window, key)
    pump.run(0.3)
    qtbot.waitUntil(lambda: bool(insets.plots()[0].time.size))
    cost, _, sizes = insets.plots()
    assert [name for name, _, _ in cost.curves] == ["step", "collision", "constraints"]
    step, collision, constraints = (values[-1] for _, _, values in cost.curves)
    assert 0 < collision + constraints < step
    data = pump.simulation.data
    assert sizes.curves[0][2][-1] == data.nefc
    assert cost.limit == pytest.approx(1e6 * window.session.loaded_model.opt.timestep)
    bars = insets.bars()
    assert len(bars.rows) == window.session.loaded_model.nsensordata
    name, value, share = bars.rows[2]
    assert name == "acceleration, 2"
    assert float(value.split()[0]) == pytest.approx(data.sensordata[2], rel=1e-3)
    assert value.endswith("m/s²")
    assert 0 < share <= 1
    assert window.viewport.grabFramebuffer() != plain
    for key in (Qt.Key.Key_F3, Qt.Key.Key_F4):
        QTest.keyClick(window, key)
    assert (insets.plots(), insets.bars(), profiler.is_on) == ([], None, False)
