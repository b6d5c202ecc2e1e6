"""The panel of hard contacts in the real window: comparisons, words on each splitting, choices, settings in the file."""

import csv

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtWidgets import QFileDialog
from pytest import approx

from tests.app.conftest import open_panel, written
from tests.app.panels.moments import live, stepped
from tests.physics.solver.test_lcp import stack
from tumble import physics
from tumble.app.editing import patch
from tumble.app.editing.edits import Edits
from tumble.app.look import theme
from tumble.app.panels.lcp.splitting_plots import predicted_curve
from tumble.app.panels.lcp.splitting_report import PARTS, analyse, explained, row_bars, theorem_text, too_large
from tumble.app.shell.main_window import MainWindow
from tumble.app.simulation.commands import SetState
from tumble.physics import ContactModel, Splitting, fork
from tumble.physics.observe.complementarity import splittings
from tumble.physics.observe.complementarity.problem import natural_map

pytestmark = pytest.mark.pumped
SCENE = stack(1, 1).replace('<geom type="plane"', '<geom name="floor" type="plane"')
LOOSE = "<mujoco><worldbody><body pos='0 0 9'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.fixture
def panel(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "lcp", written(tmp_path / "stack.xml", SCENE), paused=True)
    qtbot.waitUntil(lambda: made.outcome is not None)
    return made


def chosen(panel, method, *, block=False):
    panel.choose(panel.report.place(method, block=block))
    return panel.outcome


def compared_again(qtbot, panel, act, until=lambda report: True):
    """Do something after which the splittings are compared again; until: what the report then says."""
    before = panel.report
    act()
    qtbot.waitUntil(lambda: panel.report is not before and panel.outcome is not None and until(panel.report))


def test_soft_contacts_are_compared_as_hard_ones(window, panel):
    assert "contacts are soft now" in panel.summary.toolTip() + panel.summary.text()
    assert window.session.loaded_model.tumble.contact_model == ContactModel.SOFT
    assert panel.table.topLevelItemCount() == 8
    assert panel.outcome.sweep.method is Splitting.CONJUGATE  # the model's
    assert panel.outcome.sweep.block


def test_why_a_splitting_converges_is_told_before_it_is_used(panel):
    outcome = chosen(panel, Splitting.JACOBI)
    limit = outcome.verdict.theorem.largest
    assert limit > 2
    assert theorem_text(outcome).startswith("for ")
    for part in ("not positive definite", "chooses", "A is singular", "friction move"):
        assert part in panel.words.text()
    outcome = chosen(panel, Splitting.SOR)
    assert "condition holds" in panel.words.text()
    assert f"{outcome.verdict.radius:.3f}"[:4] in panel.words.text()
    assert panel.table.currentItem().toolTip(0) == panel.words.text()


def test_the_prediction_is_a_line_through_the_measured_curve(panel):
    outcome = chosen(panel, Splitting.GAUSS_SEIDEL)
    sweeps, value = predicted_curve(outcome)
    slope = (np.log(value[1]) - np.log(value[0])) / (sweeps[1] - sweeps[0])
    assert np.exp(slope) == approx(outcome.verdict.radius)
    through = 2 * len(outcome.residual) // 3
    assert np.exp(np.log(value[0]) + slope * (through - sweeps[0])) == approx(outcome.residual[through])
    assert len(predicted_curve(chosen(panel, Splitting.CONJUGATE))[0]) == 0


def test_use_makes_contacts_hard_in_one_step_of_undo(window, qtbot, panel):
    edits, model = window.session.part(Edits), window.session.loaded_model
    chosen(panel, Splitting.GAUSS_SEIDEL)
    compared_again(qtbot, panel, panel.use.click, lambda report: report.hard)
    assert (model.tumble.contact_model, model.tumble.lcp_method, model.tumble.lcp_block) == (1, Splitting.GAUSS_SEIDEL, 0)
    assert panel.outcome.sweep.method is Splitting.GAUSS_SEIDEL
    assert "soft" not in panel.summary.toolTip()
    compared_again(qtbot, panel, edits.stack.undo, lambda report: not report.hard)
    assert (model.tumble.contact_model, model.tumble.lcp_method, model.tumble.lcp_block) == (0, Splitting.CONJUGATE, 1)


def test_a_click_finds_the_best_relaxation_and_uses_it(window, qtbot, panel):
    model = window.session.loaded_model
    chosen(panel, Splitting.SOR, block=True)
    compared_again(qtbot, panel, panel.best.click, lambda report: report.sweep.method is Splitting.SOR)
    assert model.tumble.lcp_method == Splitting.SOR
    assert model.tumble.lcp_block == 1
    assert panel.outcome.sweep.omega == approx(model.tumble.lcp_omega)
    others = panel.report.outcomes[panel.report.place(Splitting.GAUSS_SEIDEL, block=True)]
    assert panel.outcome.verdict.radius <= others.verdict.radius
    assert panel.best.isEnabled()


def test_of_many_rows_relaxations_are_tried(window, qtbot, panel, monkeypatch):
    monkeypatch.setattr("tumble.app.panels.lcp.splitting_report.MOST_EXACT", 10)
    said = []
    window.session.status.connect(said.append)
    compared_again(qtbot, panel, panel.best.click, lambda report: report.sweep.method is Splitting.SOR)
    assert any("150 sweeps" in text for text in said)
    assert 1.0 <= window.session.loaded_model.tumble.lcp_omega <= 1.8


def test_a_splitting_that_was_chosen_stays_chosen(window, qtbot, panel):
    chosen(panel, Splitting.SOR)
    compared_again(qtbot, panel, lambda: stepped(window, qtbot, 3), lambda report: report.time > 0)
    assert panel.outcome.sweep.method is Splitting.SOR


def test_bars_are_the_natural_map_and_a_click_chooses_the_contact(window, qtbot, panel):
    panel.tabs.setCurrentWidget(panel.natural_page)
    outcome = panel.outcome
    assert panel.bars.value == approx(natural_map(outcome.problem))
    assert panel.bars.value.max() == approx(outcome.problem.residual)
    panel.natural.hovered.emit(4)
    assert "floor" in panel.row.toolTip() + panel.row.text()
    panel.natural.picked.emit(4)
    choice = window.session.contact_choice
    assert choice.pair is not None
    assert choice.index == 1  # row 4 is a tangent of the second corner
    qtbot.waitUntil(lambda: panel.natural._bars.opts["brushes"][4].color() == theme.colour("ink0"))
    box = panel.natural.plot.getPlotItem().getViewBox()
    assert panel.natural._row_at(box.mapViewToScene(QPointF(4.0, box.viewRange()[1][0]))) in (4, -1)


def test_of_very_many_rows_the_worst_are_drawn(monkeypatch, panel):
    monkeypatch.setattr("tumble.app.panels.lcp.splitting_report.MOST_BARS", 5)
    bars = row_bars(panel.outcome)
    assert len(bars.row) == 5
    assert bars.left == len(panel.outcome.problem) - 5
    assert bars.value.max() == approx(panel.outcome.problem.residual)


def test_matrices_are_a_and_its_splitting(qtbot, panel):
    outcome = chosen(panel, Splitting.SOR)
    panel.tabs.setCurrentWidget(panel.matrix)
    shown = {}
    for k, part in enumerate(PARTS):
        panel.part.setCurrentIndex(k)
        qtbot.waitUntil(lambda: panel.picture is not None and panel.picture.kind[0] == k)  # noqa: B023  at once
        shown[part.label] = panel.picture.values
    A, B, C, blocks = shown.values()
    assert approx(outcome.problem.matrix()) == A
    assert approx(A) == B + C
    assert np.tril(B, -1) == approx(np.tril(A, -1))
    assert np.diag(B) == approx(np.diag(A) / outcome.sweep.omega)
    assert blocks[:3, :3] == approx(A[:3, :3])
    assert not blocks[:3, 3:].any()
    panel.view.hovered.emit(0, 1)
    assert "floor" in panel.cell.text() + panel.cell.toolTip()


def test_nothing_to_split_is_said(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "lcp", written(tmp_path / "loose.xml", LOOSE), paused=True)
    qtbot.waitUntil(lambda: "no constraint acts" in made.empty.text())
    assert not made.use.isEnabled()
    assert not made.best.isEnabled()
    made.use.click()
    made._search()


def test_posing_compares_again(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "lcp", written(tmp_path / "stack.xml", SCENE), paused=True)
    qtbot.waitUntil(lambda: made.outcome is not None)
    rows = len(made.outcome.problem)
    lift = SetState("qpos", 9, (0.5,))  # of the upper box
    compared_again(qtbot, made, lambda: window.session.send(lift), lambda report: len(report.rows.kind) < rows)


def test_sleeping_models_are_compared_awake(window, qtbot, tmp_path):
    xml = SCENE.replace("<worldbody>", '<option><flag sleep="enable"/></option><worldbody>', 1)
    made = open_panel(qtbot, window, "lcp", written(tmp_path / "sleepy.xml", xml), paused=True)
    qtbot.waitUntil(lambda: made.outcome is not None)
    stepped(window, qtbot, 600)
    qtbot.waitUntil(lambda: made.report is not None and made.report.time > 1.1)
    assert len(made.outcome.problem) == 24


def test_no_copy_is_made_for_a_hidden_panel(window, qtbot, panel):
    window.panels.dock("contacts").bring()
    qtbot.waitUntil(lambda: not panel.live)
    taken = panel.probe.taken
    stepped(window, qtbot, 20)
    assert panel.probe.taken == taken


def test_too_large_models_are_not_copied(monkeypatch, panel):
    monkeypatch.setattr("tumble.app.panels.lcp.splitting_report.MOST_DOFS", 3)
    assert "dofs" in too_large(panel.session.loaded_model)


def test_of_many_rows_is_said_what_is_known(monkeypatch, window, panel):
    monkeypatch.setattr(splittings, "MOST_EXACT", 10)
    report = analyse(*fork(window.session.loaded_model, live(window)))
    for outcome in report.outcomes:
        assert "power iteration" in explained(outcome, report)
        assert theorem_text(outcome).startswith("for " if outcome.sweep.method is Splitting.JACOBI else "holds")


def test_rows_are_saved_with_names(qtbot, panel, tmp_path, monkeypatch):
    path = tmp_path / "rows.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    panel.csv.click()
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(panel.csv.isEnabled)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(panel.outcome.problem)
    assert [float(row["impulse"]) for row in rows] == approx(panel.outcome.problem.impulse)
    assert rows[0]["element"].startswith("floor")


def test_settings_are_written_to_the_file(window: MainWindow, qtbot, panel):
    session, path = window.session, panel.session.path
    chosen(panel, Splitting.SOR)
    compared_again(qtbot, panel, panel.use.click, lambda report: report.hard)
    made = patch.make(path, session.loaded_model, session.part(Edits).changes())
    assert made.left == []
    made.save()
    again = physics.MjModel.from_xml_path(str(path))
    assert (again.tumble.contact_model, again.tumble.lcp_method, again.tumble.lcp_block) == (1, Splitting.SOR, 0)


def test_the_panel_is_found_by_task(window):
    spec = next(dock for dock in window.panels.docks if dock.objectName() == "lcp")
    for words in ("spectral radius", "why does it not converge", "contraction"):
        assert words in spec.words


def test_words_give_way_to_the_table_where_there_is_little_height(window, qtbot, panel):
    panel.resize(900, 200)
    assert panel.words.isHidden()
    panel.resize(900, 400)
    assert not panel.words.isHidden()
    assert panel.words.alignment() & Qt.AlignmentFlag.AlignTop
