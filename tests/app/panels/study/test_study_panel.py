"""The study panel in the real window: a file, its runs and plots, and the way of a run back to the model."""

from __future__ import annotations

import shutil
from time import sleep

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, QRectF, Qt

from tests.app.conftest import drop, open_and_wait
from tests.app.study.slope import FRICTION, HEAD, SLID, SLOPE
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.library.examples import EXAMPLES, STUDIES
from tumble.app.panels.forks.forks import RUNNING, Forks
from tumble.app.panels.study.new_study import compose
from tumble.app.panels.study.studies import OTHER_RESULTS
from tumble.app.panels.study.study_panel import FILE, RUNS
from tumble.app.panels.study.study_run import run_study
from tumble.app.session.loader import read_compiled
from tumble.app.session.requests import OpenStudy
from tumble.app.study import crews
from tumble.app.study.measures import read as read_measures
from tumble.app.study.model_file import model_file
from tumble.app.study.study_file import load, parse
from tumble.app.study.variants import Variants
from tumble.physics import MjModel, mjtGeom

pytestmark = pytest.mark.pumped
LEFT = Qt.MouseButton.LeftButton
BOX_FRICTION = '[parameters.friction]\npath = "geom[box].friction[0]"\nlow = 0.1\nhigh = 1.0\n'
KIND = '[parameters.kind]\npath = "geom[rod].type"\nvalues = ["capsule", "cylinder"]\n'
SWEEP = '[sweep]\nmethod = "grid"\n'
SHORT = HEAD.replace("0.4", "0.02")
TEXT = SHORT + BOX_FRICTION + SLID + SWEEP


@pytest.fixture
def window_size():
    return (1200, 800)


@pytest.fixture
def study(tmp_path):
    """A study of five runs next to its model."""
    (tmp_path / "slope.xml").write_text(SLOPE)
    path = tmp_path / "slide.toml"
    path.write_text(TEXT)
    return path


@pytest.fixture(scope="module")
def folder_of_runs(tmp_path_factory):
    """The study with all its results."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "slope.xml").write_text(SLOPE)
    path = folder / "slide.toml"
    path.write_text(TEXT)
    nothing = lambda *args: None  # noqa: E731
    assert run_study(load(path), path, path.with_suffix(".sqlite"), nothing, nothing, nothing, lambda: False, restart=False)
    return folder


@pytest.fixture
def results(folder_of_runs, tmp_path):
    """The study with results of its own."""
    shutil.copytree(folder_of_runs, tmp_path, dirs_exist_ok=True)
    return tmp_path / "slide.toml"


def opened(window, qtbot, path):
    """The panel with a study, and its model open."""
    window.session.set_paused(True)
    with qtbot.waitSignal(window.session.model_loaded):
        window.open_path(path)
    return window.panels.study


def run(qtbot, panel):
    """Press Start, and wait for the end."""
    qtbot.mouseClick(panel.go, LEFT)
    assert panel.studies.running
    qtbot.waitUntil(lambda: not panel.studies.running)


def done(window, qtbot, path):
    panel = opened(window, qtbot, path)
    assert panel.studies.table.count == 5
    return panel


def chosen(panel, number):
    panel.studies.marks.choose(number)
    return panel.studies.rows[number].values


def friction(window):
    return window.session.loaded_model.geom("box").friction[0]


# ---- the file


def test_without_a_study_the_panel_says_what_to_do(window, qtbot):
    window.panels.dock("study").bring()
    panel = window.panels.study
    assert panel.empty.isVisible()
    assert not panel.splitter.isVisible()
    assert not panel.new.isEnabled()  # no model is open


def test_a_dropped_study_opens_with_its_model(window, qtbot, study):
    with qtbot.waitSignal(window.session.model_loaded):
        drop(window, study)
    panel = window.panels.study
    assert panel.editor.text.toPlainText() == TEXT
    assert window.session.path == study.with_name("slope.xml")
    assert not panel.model_button.isVisible()


def test_changes_of_another_model_are_not_lost_by_opening_a_study(window, qtbot, study, tmp_path):
    other = tmp_path / "other.xml"
    other.write_text(SLOPE)
    open_and_wait(qtbot, window.session, other)
    edits = window.session.part(Edits)
    edits.set(EditPlace("opt.timestep"), (0.001,), "Change")
    window.session.ask(OpenStudy(study))
    panel = window.panels.study
    qtbot.waitUntil(lambda: panel.studies.path == study)
    assert window.session.path == other
    assert panel.model_button.text() == "Open slope.xml"
    qtbot.mouseClick(panel.model_button, LEFT)
    assert "revert" in panel.message.text()
    edits.restore()
    with qtbot.waitSignal(window.session.model_loaded):
        qtbot.mouseClick(panel.model_button, LEFT)


def test_a_mistake_is_shown_at_its_line_and_nothing_can_start(window, qtbot, study):
    panel = opened(window, qtbot, study)
    panel.editor.text.setPlainText(TEXT.replace("low = 0.1", "low = 2"))
    assert panel.editor.problem.text() == "Line 5, column 1: low must be less than high: 2 is not less than 1"
    assert not panel.go.isEnabled()
    qtbot.mouseClick(panel.editor.show_place, LEFT)
    assert panel.editor.text.textCursor().block().text() == "low = 2"
    panel.editor.text.setPlainText(TEXT.replace("low = 0.1", "low = 0.5"))
    assert not panel.editor.problem.isVisible()
    assert panel.go.isEnabled()
    assert "(not saved)" in panel.state.text()
    qtbot.mouseClick(panel.editor.save, LEFT)
    assert "low = 0.5" in study.read_text()


def test_a_path_that_leads_nowhere_is_shown_at_its_parameter(window, qtbot, study):
    study.write_text(TEXT.replace("geom[box]", "geom[bax]"))
    panel = opened(window, qtbot, study)
    run(qtbot, panel)
    assert panel.message.text().startswith(f"{study}:3:2: parameter friction:")
    assert "box" in panel.message.text()
    assert panel.studies.table.count == 0


def test_a_file_that_another_program_saves_is_shown_as_it_is_then(window, qtbot, study):
    panel = opened(window, qtbot, study)
    study.write_text(TEXT.replace("high = 1.0", "high = 0.9"))
    qtbot.waitUntil(lambda: "high = 0.9" in panel.editor.text.toPlainText())
    panel.editor.text.setPlainText(TEXT)  # the user's own change is not overwritten
    study.write_text(TEXT.replace("high = 1.0", "high = 0.8"))
    qtbot.waitUntil(lambda: "another program" in panel.message.text())
    assert panel.editor.text.toPlainText() == TEXT


# ---- runs


def test_runs_come_into_table_and_plots_and_are_there_when_it_is_opened_again(window, qtbot, study, tmp_path):
    panel = opened(window, qtbot, study)
    run(qtbot, panel)
    assert panel.tabs.currentIndex() == RUNS
    assert panel.state.text() == "slide.toml: 5 runs, all done"
    assert not panel.go.isVisible()
    assert panel.list.runs.rowCount() == 5
    slid = panel.studies.table.column("slid")
    assert np.isfinite(slid).all()
    view = panel.plots.first.currentWidget()
    assert sorted(view.points_shown.x) == pytest.approx(np.linspace(0.1, 1.0, 5))
    other = tmp_path / "other.toml"
    other.write_text(TEXT)
    window.session.ask(OpenStudy(other))
    qtbot.waitUntil(lambda: panel.studies.path == other)
    assert panel.studies.table.count == 0
    window.session.ask(OpenStudy(study))
    qtbot.waitUntil(lambda: panel.studies.path == study)
    assert panel.studies.table.column("slid").tolist() == pytest.approx(slid[np.argsort(panel.studies.table.run)])
    assert not panel.go.isVisible()
    panel.editor.text.setPlainText(TEXT.replace("high = 1.0", "high = 0.9"))
    assert panel.go.isVisible()


def test_a_stopped_study_goes_on_with_what_is_left(window, qtbot, study, monkeypatch):
    rows = crews.Threads.rows

    def three(self, runs, stopped):
        yield from rows(self, runs[:3], stopped)
        while not stopped():
            sleep(0.001)

    monkeypatch.setattr(crews, "WRITTEN_EVERY", 0.0)
    panel = opened(window, qtbot, study)
    with monkeypatch.context() as patched:
        patched.setattr(crews.Threads, "rows", three)
        qtbot.mouseClick(panel.go, LEFT)
        qtbot.waitUntil(lambda: panel.studies.table.count == 3)
        qtbot.mouseClick(panel.go, LEFT)
        qtbot.waitUntil(lambda: not panel.studies.running)
    assert "Go on" in panel.message.text()
    first = dict(panel.studies.rows)
    run(qtbot, panel)
    assert panel.studies.table.count == 5
    assert all(panel.studies.rows[number] is row for number, row in first.items())
    assert not panel.go.isVisible()


def test_a_run_that_fails_is_a_row_with_its_reason(window, qtbot, study):
    size = '[parameters.size]\npath = "geom[box].size[0]"\nvalues = [0.1, -0.1]\n'
    study.write_text(SHORT + size + SLID + SWEEP)
    panel = opened(window, qtbot, study)
    run(qtbot, panel)
    table = panel.studies.table
    assert table.failed == 1
    assert "1 failed" in panel.state.text()
    row = next(k for k, status in enumerate(table.status) if status != "done")
    assert "size" in panel.list.runs.cell(row, "status")


def test_results_of_another_version_are_forgotten_only_on_request(window, qtbot, results):
    panel = done(window, qtbot, results)
    panel.editor.text.setPlainText(TEXT.replace("high = 1.0", "high = 0.9"))
    run(qtbot, panel)
    assert panel.message.text() == OTHER_RESULTS
    assert panel.again.isVisible()
    qtbot.mouseClick(panel.again, LEFT)
    qtbot.waitUntil(lambda: not panel.studies.running)
    assert panel.studies.table.column("friction").max() == pytest.approx(0.9)
    assert not panel.again.isVisible()


def test_a_closed_window_ends_the_runs(window, qtbot, study):
    study.write_text(HEAD + BOX_FRICTION + "points = 1000\n" + SLID + SWEEP)
    panel = opened(window, qtbot, study)
    qtbot.mouseClick(panel.go, LEFT)
    qtbot.waitUntil(lambda: panel.studies.table.count > 0)
    assert window.cleanup()


def test_a_study_with_a_controller_runs_it_only_once_the_user_trusts_its_text(window, qtbot, study):
    study.write_text('controller = "hold.py"\n' + TEXT)
    text = "def control(model, data):\n    data.ctrl[0] = 0.5\n"
    study.with_name("hold.py").write_text(text)
    panel = opened(window, qtbot, study)
    qtbot.mouseClick(panel.go, LEFT)
    dialog = panel.trust
    qtbot.waitUntil(dialog.isVisible)
    assert not panel.studies.running
    assert dialog.text.toPlainText() == text
    qtbot.mouseClick(dialog.refuse, LEFT)
    assert not dialog.isVisible()
    assert panel.message.text() == "hold.py was not run"
    qtbot.mouseClick(panel.go, LEFT)
    qtbot.waitUntil(dialog.agree.isEnabled)
    qtbot.mouseClick(dialog.agree, LEFT)
    qtbot.waitUntil(lambda: panel.studies.table.count == 5 and not panel.studies.running)
    assert panel.studies.table.failed == 0
    chosen(panel, 3)
    with qtbot.waitSignal(window.session.model_loaded):  # no question: it is trusted now
        qtbot.mouseClick(panel.actions_bar.replay, LEFT)
    assert window.session.snapshot.qpos.shape == (8,)
    study.with_name("hold.py").write_text(text + "# other\n")
    qtbot.mouseClick(panel.actions_bar.replay, LEFT)
    qtbot.waitUntil(dialog.isVisible)


def test_the_state_says_how_many_variants_are_compiled_while_it_prepares(window, qtbot, study, monkeypatch):
    texts = []
    panel = opened(window, qtbot, study)
    panel.studies.changed.connect(lambda: texts.append(panel.state.text()))
    run(qtbot, panel)
    assert "slide.toml: preparing, variant 1 of 3" in texts


# ---- marks and choice


def test_a_rectangle_marks_runs_in_all_views_and_a_click_chooses_one(window, qtbot, results):
    panel = done(window, qtbot, results)
    view = panel.plots.first.currentWidget()
    view.box.brushed.emit(QRectF(QPointF(0.3, -10.0), QPointF(0.8, 10.0)), QPointF(0.3, -10.0))
    assert panel.list.runs.rowCount() == 3
    assert panel.marked.text().startswith("3 of 5")
    x, y = (values[np.argmin(abs(view.points_shown.x - 0.55))] for values in (view.points_shown.x, view.points_shown.y))
    run_number = view.nearest(QPointF(x, y))
    assert panel.studies.rows[run_number].values == (pytest.approx(0.55),)
    panel.studies.marks.choose(run_number)
    assert panel.actions_bar.words.text().startswith(f"Run {run_number}: friction 0.55")
    assert panel.list.selectedIndexes()[0].data() == str(run_number)
    qtbot.mouseClick(panel.unmark, LEFT)
    assert panel.list.runs.rowCount() == 5


def test_the_list_is_sorted_by_a_click_on_its_heading_and_its_row_is_the_chosen_run(window, qtbot, results):
    panel = done(window, qtbot, results)
    heading = panel.list.horizontalHeader()
    at = heading.sectionViewportPosition(1) + 10
    for descending in (False, True):
        qtbot.mouseClick(heading.viewport(), LEFT, pos=heading.viewport().rect().topLeft() + QPointF(at, 8).toPoint())
        numbers = [float(panel.list.runs.index(row, 1).data()) for row in range(5)]
        assert numbers == sorted(numbers, reverse=descending)
    panel.list.selectRow(0)
    assert panel.studies.marks.chosen == 4


@pytest.mark.slow
def test_every_plot_is_drawn_with_words_and_without_in_both_themes(window, qtbot, study):
    cone = '[parameters.cone]\npath = "option.cone"\nvalues = ["pyramidal", "elliptic"]\n'
    study.write_text(SHORT + BOX_FRICTION + cone + SLID + 'late = {max = "xpos[box, z]"}\n' + SWEEP)
    panel = opened(window, qtbot, study)
    run(qtbot, panel)
    for number, view in enumerate(panel.plots.first.views):
        panel.plots.first.setCurrentIndex(number)
        qtbot.waitUntil(lambda: bool(view.note.text()))  # noqa: B023  at once
        window.actions_by_name["theme_light"].trigger()
        view.marks.mark({"friction": (0.2, 0.9)})
        ground = view.plot.grab().toImage().pixelColor(70, 12)
        assert ground.lightness() > 200, view.title
        view.marks.clear()
        window.actions_by_name["theme_dark"].trigger()
        assert view.plot.grab().toImage().pixelColor(70, 12).lightness() < 60, view.title


# ---- from a run to the model


def test_a_run_is_forked_beside_the_simulation(window, qtbot, results):
    panel = done(window, qtbot, results)
    (value,) = chosen(panel, 3)
    qtbot.mouseClick(panel.actions_bar.fork, LEFT)
    forks = window.session.part(Forks)
    qtbot.waitUntil(lambda: len(forks.entries) == 1 and forks.entries[0].state == RUNNING)
    assert forks.entries[0].name == "slide run 3"
    (change,) = forks.entries[0].difference.changes
    assert (change.field, change.value[0]) == ("geom_friction", pytest.approx(value))


def test_a_run_is_given_to_the_model_and_taken_back(window, qtbot, results, pump):
    panel = done(window, qtbot, results)
    (value,) = chosen(panel, 1)
    before = float(friction(window))
    qtbot.mouseClick(panel.actions_bar.apply, LEFT)
    edits = window.session.part(Edits)
    qtbot.waitUntil(lambda: edits.count == 1)
    pump.obey()
    assert friction(window) == pytest.approx(value)
    edits.stack.undo()
    pump.obey()
    assert friction(window) == before


def test_a_run_that_needs_another_model_is_opened_and_not_forked(window, qtbot, study):
    study.write_text(SHORT + KIND + SLID + SWEEP)
    panel = opened(window, qtbot, study)
    run(qtbot, panel)
    assert chosen(panel, 1) == ("cylinder",)
    qtbot.mouseClick(panel.actions_bar.fork, LEFT)
    qtbot.waitUntil(lambda: "compiled again" in panel.message.text())
    with qtbot.waitSignal(window.session.model_loaded):
        qtbot.mouseClick(panel.actions_bar.apply, LEFT)
    assert window.session.loaded_model.geom("rod").type == mjtGeom.mjGEOM_CYLINDER
    assert study.with_name("slope.xml").read_text() == SLOPE
    assert window.session.path == study.with_name("slope.xml")


def test_the_numbers_of_a_run_are_written_to_the_file_as_a_patch(window, qtbot, results):
    panel = done(window, qtbot, results)
    chosen(panel, 0)
    qtbot.mouseClick(panel.actions_bar.write, LEFT)
    view = panel.actions_bar.writing.view
    qtbot.waitUntil(lambda: view.isVisible() and view.save.isEnabled())
    lines = [line for line in view.text.toPlainText().splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert len(lines) == 2
    assert 'friction="0.1 0.01 0.001"' in lines[1]
    with qtbot.waitSignal(window.session.model_loaded):
        qtbot.mouseClick(view.save, LEFT)
    assert 'friction="0.1 0.01 0.001"' in results.with_name("slope.xml").read_text()
    assert friction(window) == 0.1


def test_a_run_is_opened_as_a_replay_on_the_time_line(window, qtbot, results):
    panel = done(window, qtbot, results)
    (value,) = chosen(panel, 3)
    with qtbot.waitSignal(window.session.model_loaded):
        qtbot.mouseClick(panel.actions_bar.replay, LEFT)
    assert window.session.path.name == "slide-run-3.tumble"
    assert friction(window) == value
    history = window.session.history
    assert (history.now, history.end) == (0, 10)
    start = window.session.snapshot.frame.xpos[1, 0]
    history.go(10)
    qtbot.waitUntil(lambda: window.session.history.now == 10)
    slid = panel.studies.rows[3].measures[0]
    assert window.session.snapshot.frame.xpos[1, 0] - start == slid
    assert panel.model_button.isVisible()  # back to the model


def test_a_run_of_a_model_that_has_changed_since_is_not_replayed(window, qtbot, results):
    panel = done(window, qtbot, results)
    chosen(panel, 3)
    results.with_name("slope.xml").write_text(SLOPE.replace("0.12", "0.13"))
    qtbot.mouseClick(panel.actions_bar.replay, LEFT)
    qtbot.waitUntil(lambda: "has changed since" in panel.message.text())
    assert window.session.path == results.with_name("slope.xml")


# ---- a new study


def new_text(window, qtbot, model):
    window.panels.dock("study").bring()
    panel = window.panels.study
    qtbot.mouseClick(panel.new, LEFT)
    path = model.with_name(f"{model.stem}-study.toml")
    qtbot.waitUntil(lambda: panel.studies.path == path)
    assert panel.tabs.currentIndex() == FILE
    assert not panel.studies.problem
    return panel, path.read_text()


def test_a_new_study_varies_the_numbers_that_were_changed(window, qtbot, study):
    model = study.with_name("slope.xml")
    open_and_wait(qtbot, window.session, model)
    box = window.session.loaded_model.geom("box").id
    changes = {EditPlace("geom_friction", box): (0.8, 0.01, 0.001), EditPlace("opt.timestep"): (0.001,)}
    window.session.part(Edits).set_all(changes, "Change")
    panel, text = new_text(window, qtbot, model)
    assert set(panel.studies.study.parameters) == {"box_friction", "option_timestep"}
    parameter = panel.studies.study.parameters["box_friction"]
    assert (parameter.path, parameter.low, parameter.high) == ("geom[box].friction[0]", 0.5, 0.9)
    assert "0.6 in the file" in text
    panel.editor.text.setPlainText(text.replace("runs = 200", "runs = 3").replace("seconds = 2.0", "seconds = 0.01"))
    run(qtbot, panel)
    assert panel.studies.table.count == 3


def test_a_new_study_varies_the_numbers_of_the_selected_body(window, qtbot, study):
    model = study.with_name("slope.xml")
    open_and_wait(qtbot, window.session, model)
    window.session.select(window.session.loaded_model.body("arm").id)
    panel, _ = new_text(window, qtbot, model)
    paths = {parameter.path for parameter in panel.studies.study.parameters.values()}
    assert {"joint[hinge].damping", "geom[rod].friction[0]", "inertial[arm].mass"} <= paths
    assert not any("density" in path for path in paths)  # the <inertial> makes it idle
    assert all("arm" in str(measure) or "qvel" in str(measure) for measure in panel.studies.study.measures.values())


def test_a_second_new_study_leaves_the_first_as_it_is(window, qtbot, study):
    model = study.with_name("slope.xml")
    open_and_wait(qtbot, window.session, model)
    panel, text = new_text(window, qtbot, model)
    assert "factor = true" in text  # nothing is changed or selected
    qtbot.mouseClick(panel.new, LEFT)
    qtbot.waitUntil(lambda: panel.studies.path == model.with_name("slope-study-2.toml"))


def test_a_new_study_of_a_model_without_geoms_varies_its_timestep(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text("""<mujoco><option timestep="0.008"/><worldbody><body name="arm"><joint/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>""")
    parameter = parse(compose(path, MjModel.from_xml_path(str(path)), {}, 0), "new").parameters["option_timestep"]
    assert (parameter.low, parameter.high) == (0.002, 0.016)


def test_friction_is_tied_in_a_study(window, qtbot, study):
    """Two paths of one parameter: the fork changes both geoms."""
    study.write_text(SHORT + FRICTION + "points = 2\n" + SLID + SWEEP)
    panel = opened(window, qtbot, study)
    run(qtbot, panel)
    chosen(panel, 0)
    qtbot.mouseClick(panel.actions_bar.fork, LEFT)
    forks = window.session.part(Forks)
    qtbot.waitUntil(lambda: len(forks.entries) == 1)
    assert len(forks.entries[0].difference.changes) == 2


@pytest.mark.parametrize("example", STUDIES, ids=lambda example: example.file)
def test_an_example_study_fits_its_model(example):
    study = load(example.path)
    path = model_file(study, example.path)
    assert path == next(other.path for other in EXAMPLES if other.file == study.model)
    assert None not in Variants(read_compiled(path).bundle, study.parameters).initial
    assert len(read_measures(study.measures, read_compiled(path).model)) == len(study.measures)
