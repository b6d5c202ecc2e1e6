"""The matrices panel in the real window: pictures, names, values, choices in the view, islands and export."""

import csv

import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from PyQt6.QtWidgets import QFileDialog
from pytest import approx

from tests.app.conftest import open_panel, written
from tests.app.panels.moments import live, stepped
from tumble import physics
from tumble.app.describe.numbers import TIMES
from tumble.app.look import theme
from tumble.app.panels.matrices import matrix_picture
from tumble.app.panels.matrices.matrix_picture import condition_and_rank, make_picture
from tumble.app.panels.matrices.matrix_readings import MatrixKind, read_matrix
from tumble.app.widgets.cell_image import FAINTEST, WIDEST, ZERO, bytes_of, pyramid
from tumble.physics.query.system_matrices import SparseMatrix

pytestmark = pytest.mark.pumped
SCENE = """<mujoco><option timestep=".002"/><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="2 2 .1"/>
  <body name="one" pos="0 0 .099"><freejoint name="first"/><geom name="cube" type="box" size=".1 .1 .1"/></body>
  <body name="arm" pos="1 0 1"><joint name="swing" axis="0 1 0" damping=".3"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="a" pos=".3 0 0"/></body>
  <body name="two" pos=".5 0 .099"><freejoint name="second"/><geom name="block" type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <tendon><fixed name="cord"><joint joint="swing" coef="2"/></fixed></tendon>
  <actuator><motor name="turn" joint="swing" gear="7"/></actuator></mujoco>"""


@pytest.fixture
def panel(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "matrices", written(tmp_path / "scene.xml", SCENE), paused=True)
    stepped(window, qtbot, 20)
    qtbot.waitUntil(lambda: made.picture is not None)
    return made


def show(qtbot, panel, kind):
    panel.kind.setCurrentIndex(list(MatrixKind).index(kind))
    qtbot.waitUntil(lambda: panel.picture is not None and panel.picture.reading.kind is kind)
    return panel.picture


def test_inertia_is_shown_as_it_is(window, panel):
    model, data = window.session.loaded_model, live(window)
    full = np.zeros((model.nv, model.nv))
    physics.mj_fullM(model, full, data.qM)
    assert panel.picture.values == approx(full)
    assert panel.picture.condition == approx(np.linalg.cond(full))
    assert f"13 {TIMES} 13" in panel.properties.text()
    assert "symmetric" in panel.properties.text()


@pytest.mark.parametrize("kind", [k for k in MatrixKind if k is not MatrixKind.DERIVATIVE], ids=lambda kind: kind.name)
def test_every_matrix_has_a_picture_with_names(window, qtbot, panel, kind):
    picture = show(qtbot, panel, kind)
    assert np.isfinite(picture.values).all()
    assert picture.values.any()
    for side in (0, 1):
        names = [panel._name(side, k) for k in range(picture.shape[side])]
        assert all(names)
    assert panel.properties.text().endswith(picture.about)


def test_derivative_says_which_integrators_compute_it(window, qtbot, panel):
    panel.kind.setCurrentIndex(list(MatrixKind).index(MatrixKind.DERIVATIVE))
    qtbot.waitUntil(lambda: "implicitfast" in panel.empty.text())
    assert panel.view.isHidden()
    assert not panel.npz.isEnabled()


def test_value_and_names_under_the_mouse(window, qtbot, panel):
    picture = show(qtbot, panel, MatrixKind.MOMENTS)
    column = int(np.flatnonzero(picture.values[0])[0])
    place = panel.view.box.mapViewToScene(QPointF(column + 0.5, 0.5))
    assert panel.view.cell_at(place) == (0, column)
    panel.view._on_moved(place)
    assert panel.cell.text() == f"7   turn {TIMES} swing   [0, {column}]"
    assert panel.view.cell_at(QPointF(-50, -50)) == (-1, -1)


def test_row_or_column_chooses_its_element(window, qtbot, panel):
    model = window.session.loaded_model
    picture = show(qtbot, panel, MatrixKind.JACOBIAN)
    row = next(k for k in range(picture.shape[0]) if "block" in panel._name(0, k))
    panel.view.picked.emit(row, -1)
    assert set(window.session.contact_choice.pair) == {model.geom("floor").id, model.geom("block").id}
    swing = next(k for k in range(picture.shape[1]) if panel._name(1, k) == "swing")
    panel.view.picked.emit(-1, swing)
    assert window.session.selection == model.body("arm").id
    assert window.session.contact_choice.pair is None


def test_islands_are_blocks(window, qtbot, panel):
    show(qtbot, panel, MatrixKind.JACOBIAN)
    panel.islands.setChecked(True)
    qtbot.waitUntil(lambda: panel.picture is not None and panel.picture.by_island)
    picture, data = panel.picture, live(window)
    assert data.nisland == 2
    rows, columns = picture.marks
    assert len(rows) == 1  # between the two islands
    assert len(columns) == 2  # and before the dof without one
    assert not picture.values[: rows[0], columns[0] :].any()
    assert not picture.values[rows[0] :, : columns[0]].any()
    plain = read_matrix(window.session.loaded_model, data, MatrixKind.JACOBIAN).matrix.dense()
    assert picture.values == approx(plain[np.ix_(picture.row, picture.column)])


def test_export_reads_back(window, qtbot, panel, tmp_path, monkeypatch):
    picture = show(qtbot, panel, MatrixKind.MOMENTS)
    target = tmp_path / "moments.npz"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    panel.npz.click()
    qtbot.waitUntil(target.exists)
    with np.load(target) as saved:
        assert saved["matrix"] == approx(picture.values)
        assert saved["rows"].tolist() == ["turn"]
        assert saved["columns"].tolist()[6] == "swing"
    table = tmp_path / "moments.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(table), ""))
    panel.csv.click()
    qtbot.waitUntil(table.exists)
    head, line = csv.reader(table.read_text().splitlines())
    assert head[7] == "swing"
    assert [float(number) for number in line[1:]] == approx(picture.values[0])


def test_picture_follows_time(window, qtbot, pump, panel):
    show(qtbot, panel, MatrixKind.INERTIA)
    before = panel.picture.reading.time
    window.session.set_paused(False)
    pump.run_until(lambda: panel.picture.reading.time > before)


def test_condition_number_of_a_larger_matrix_follows_while_time_stands(window, qtbot, panel, monkeypatch):
    monkeypatch.setattr(matrix_picture, "MOST_CONDITION", 5)
    show(qtbot, panel, MatrixKind.JACOBIAN)
    qtbot.waitUntil(lambda: not np.isnan(panel.picture.condition))
    assert "singular" in panel.properties.text()  # more rows than dofs that they depend on


def test_picture_takes_the_colours_of_another_theme(window, qtbot, panel, monkeypatch):
    show(qtbot, panel, MatrixKind.INERTIA)
    dark = panel.view.image.lut[ZERO].copy()
    assert dark.tolist() == [*theme.colour("field").getRgb()[:3]]
    monkeypatch.setattr(theme._look, "theme", "light")
    panel.view.setBackground(theme.colour("field"))  # as relook_plot does
    assert panel.view.image.lut[ZERO].tolist() == [*theme.colour("field").getRgb()[:3]] != dark.tolist()


def test_model_without_dofs_says_why_there_is_no_matrix(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "matrices", written(tmp_path / "still.xml", "<mujoco><worldbody/></mujoco>"), paused=True)
    qtbot.waitUntil(lambda: made.empty.text() == "This model has no dof")


def test_panel_is_found_by_its_task(window, panel):
    window.finder.toggle()
    for typed in ("inertia matrix", "condition number", "delassus"):
        assert window.finder.find(typed)[0].title == "Matrices"


def test_colours_tell_sign_and_size():
    image = bytes_of(np.array([[1.0, -1.0, 0.0], [1e-3, -1e-30, np.nan]]))
    assert image[0].tolist() == [255, 1, ZERO]
    assert ZERO < image[1, 0] < 255
    assert image[1, 1] == ZERO - round(127 * FAINTEST)
    assert image[1, 2] == 255  # what is not a number is seen
    assert (bytes_of(np.zeros((2, 2))) == ZERO).all()


def test_small_pictures_of_a_large_matrix_lose_no_number():
    image = np.full((2 * WIDEST + 3, 5), ZERO, np.uint8)
    image[2 * WIDEST + 2, 4], image[0, 0] = 10, 250
    levels = pyramid(image)
    assert max(levels[-1].shape) <= WIDEST
    assert levels[-1].min() == 10
    assert levels[-1].max() == 250


def test_condition_number_and_rank():
    assert condition_and_rank(np.array([[3.0, 1.0], [0.0, 2.0]])) == (approx(np.linalg.cond([[3, 1], [0, 2]])), 2)
    assert condition_and_rank(np.diag([4.0, 2.0, 1.0])) == (approx(4.0), 3)
    assert condition_and_rank(np.ones((3, 3))) == (np.inf, 1)


def test_a_large_matrix_has_small_images_and_is_left_when_no_longer_wanted(window, panel):
    rng = np.random.default_rng(0)
    reading = panel.picture.reading
    row, column = rng.integers(0, 1200, (2, 40_000))
    large = SparseMatrix(row, column, rng.normal(size=40_000), (1200, 1200))
    made = make_picture(type(reading)(MatrixKind.INERTIA, 1, 0.0, large), by_island=False)
    assert [level.shape for level in made.levels] == [(1200, 1200), (600, 600)]
    assert np.isnan(made.condition)

    def stop():
        raise InterruptedError

    with pytest.raises(InterruptedError):
        make_picture(made.reading, by_island=False, wanted=stop)
