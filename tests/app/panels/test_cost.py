"""Performance panel: stages that add up to the step, islands and pairs that the view shows, and no bit changed by measuring."""

import numpy as np
import pytest

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics
from tumble.app.panels.cost.memory_page import rows_of
from tumble.app.profile import FIRST_STAGE, STEP_STAGES, TIMERS, Profiler, StepCosts, step_tap
from tumble.app.viewport.figures import Drawing

pytestmark = pytest.mark.pumped
HEAP = MODELS / "heap.xml"


def test_stage_times_sum_to_step_and_split_collision():
    boxes = "".join(f'<body pos="{k % 6} {k // 6} .5"><freejoint/><geom type="box" size=".6 .2 .2"/></body>' for k in range(36))
    m = physics.MjModel.from_xml_string(f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{boxes}</worldbody></mujoco>')
    d = physics.MjData(m)
    physics.mj_step(m, d)
    costs, tap = StepCosts(), step_tap(d)
    tap.attach()
    before = np.array([d.timer[timer].duration for timer in TIMERS])
    physics.mj_step(m, d, 40)
    spent = np.array([d.timer[timer].duration for timer in TIMERS]) - before
    stages = dict(zip((stage.name for stage in STEP_STAGES), costs.of_stages(spent).tolist(), strict=True))
    assert sum(stages.values()) == pytest.approx(spent[physics.mjtTimer.mjTIMER_STEP], rel=1e-9)
    assert stages["broad phase"] == spent[physics.mjtTimer.mjTIMER_COL_BROAD]
    assert stages["narrow phase"] >= spent[physics.mjtTimer.mjTIMER_COL_NARROW] > 0
    assert all(seconds > 0 for seconds in stages.values())
    costs.take(tap.since(0))
    _, values = costs.now.samples()
    assert values.shape[0] == 40
    assert (values[-1, FIRST_STAGE:] >= 0).all()


def test_profiler_runs_only_while_visible_and_changes_no_bit(window, qtbot, pump):
    open_and_wait(qtbot, window.session, HEAP)
    profiler = window.session.part(Profiler)
    dock = window.panels.dock("cost")
    pump.run(0.1)
    dock.bring()
    qtbot.waitUntil(lambda: profiler.is_on)
    pump.run(0.4)
    panel = window.panels.cost
    panel.refresh()
    measured, table = profiler.costs.now.count, panel.stages.table
    assert 150 < measured <= 200
    assert table.topLevelItemCount() == len(STEP_STAGES)
    assert panel.stages.summary.text().startswith("A step takes ")
    table.setCurrentItem(table.topLevelItem(8))
    assert panel.go.text() == "Open Solver"
    panel.go.click()
    qtbot.waitUntil(lambda: window.panels.dock("solver").is_made and not profiler.is_on)  # it is in front now
    pump.run(0.1)
    assert profiler.costs.now.count == measured
    m = physics.MjModel.from_xml_path(str(HEAP))
    d = physics.MjData(m)
    now = pump.simulation.data
    physics.mj_step(m, d, round(now.time / m.opt.timestep))
    assert now.qpos.tobytes() == d.qpos.tobytes()
    assert now.qvel.tobytes() == d.qvel.tobytes()


def test_an_island_and_a_pair_are_shown_in_the_view(window, qtbot, pump):
    session = window.session
    open_and_wait(qtbot, session, HEAP)
    window.panels.dock("cost").bring()
    qtbot.waitUntil(lambda: window.panels.dock("cost").is_made)
    panel, drawing = window.panels.cost, session.part(Drawing)
    pump.run(1.0)
    panel.tabs.setCurrentIndex(1)
    table = panel.islands.table
    names = {table.topLevelItem(k).text(0): k for k in range(table.topLevelItemCount())}
    assert set(names) == {"low and 1 more", "apart"}
    table.setCurrentItem(table.topLevelItem(names["low and 1 more"]))
    bodies = [physics.mj_name2id(session.model, physics.mjtObj.mjOBJ_BODY, name) for name in ("low", "high")]
    low, high = (int(session.model.body_geomadr[body]) for body in bodies)
    assert session.selection == bodies[0]
    centres = [figure.points.mean(axis=0) for figure in drawing.figures]
    assert len(centres) == 2
    for geom, centre in zip((low, high), centres, strict=True):
        assert np.linalg.norm(centre - session.snapshot.frame.geom_xpos[geom]) < 0.15  # its corners are not visited equally often
    pump.run(0.2)
    panel.refresh()
    assert "low and 1 more" in [item.text(0) for item in table.selectedItems()]  # wherever it is listed by now
    panel.tabs.setCurrentIndex(2)
    assert not drawing.figures
    panel.pairs.chosen.emit(0, high)
    assert len(drawing.figures) == 1  # a plane has no end
    assert panel.go.text() == "Open Collision"
    panel.pairs.kind_chosen.emit([(0, low), (0, high)])
    assert len(drawing.figures) == 2
    window.panels.dock("cost").hide()
    qtbot.waitUntil(lambda: not drawing.figures)


def test_memory_page_lists_what_is_kept(window, qtbot, pump):
    session = window.session
    open_and_wait(qtbot, session, HEAP)
    window.panels.dock("cost").bring()
    panel = window.panels.cost
    assert not panel.probe.weighs
    pump.run(0.2)
    panel.tabs.setCurrentWidget(panel.memory)
    pump.run(0.2)
    qtbot.waitUntil(lambda: panel.memory.table.topLevelItemCount() == 7)
    table = panel.memory.table
    sizes = {table.topLevelItem(k).text(0): float(table.topLevelItem(k).text(1)) for k in range(7)}
    assert sizes["Model"] == pytest.approx(session.loaded_model.nbytes / 2**20, abs=0.06)
    assert sizes["Data of the simulation"] == pytest.approx(pump.simulation.data.nbytes / 2**20, abs=0.06)
    assert sizes["Timeline"] == pytest.approx(session.history.nbytes / 2**20, abs=0.06)
    assert sizes["Everything else"] > 50
    assert "The process uses" in panel.memory.summary.text()
    panel.tabs.setCurrentIndex(0)
    assert not panel.probe.weighs


def test_memory_without_a_word_of_the_system_is_the_sum_of_its_rows():
    rows = rows_of([("Model", 3 * 2.0**20), ("Timeline", 2.0**20)], float("nan"))
    assert rows == [(("Model", "3.0", "75.0"), 0.75), (("Timeline", "1.0", "25.0"), 0.25)]
    assert rows_of([("Model", 2.0**20)], 4 * 2.0**20)[1] == (("Everything else", "3.0", "75.0"), 0.75)
