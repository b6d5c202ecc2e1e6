"""What the plots of runs show, computed without a window."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt6.QtCore import QObject

from tumble.app.panels.study.plots.heat_map import cells
from tumble.app.panels.study.plots.line_plot import median_lines
from tumble.app.panels.study.plots.parallel_plot import MOST_LINES, parallels, path_of
from tumble.app.panels.study.plots.pareto_plot import front
from tumble.app.panels.study.plots.plot_inks import LEVELS, level_of
from tumble.app.panels.study.plots.scatter_plot import cloud
from tumble.app.panels.study.plots.tornado_plot import INSTEAD, SOBOL, tornado
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import RunTable
from tumble.app.study.design import design
from tumble.app.study.study_file import parse
from tumble.app.study.trial import RunRow

TEXT = """model = "slope.xml"
seconds = 1.0
[parameters.friction]
path = "geom[box].friction[0]"
low = 0.0
high = 1.0
[parameters.stiff]
path = "geom[box].solref[0]"
low = 0.01
high = 1.0
log = true
[parameters.cone]
path = "option.cone"
values = ["pyramidal", "elliptic"]
[measures]
slid = {change = "xpos[box, x]"}
depth = {min = "contact.dist[0]"}
"""
STUDY = parse(TEXT, "slope.toml")


def run_row(run, friction, stiff=0.1, cone="elliptic", slid=0.0, depth=0.0, status="done", repetition=0):
    return RunRow(run, repetition, (friction, stiff, cone), (slid, depth), status, 0.5)


def filled(rows):
    return RunTable.empty(STUDY).with_rows(rows)


def everything(table):
    return np.ones(table.count, bool)


def grid(count=5):
    """slid = friction + 10 stiff over a grid, twice with +-0.5 of noise."""
    frictions, stiffs = np.linspace(0, 1, count), np.geomspace(0.01, 1.0, count)
    points = [(f, s, sign) for f in frictions for s in stiffs for sign in (-1, 1)]
    return filled([run_row(k, f, s, slid=f + 10 * s + 0.5 * sign, repetition=k % 2) for k, (f, s, sign) in enumerate(points)])


# ---- the table


def test_rows_are_appended_and_a_run_that_comes_again_takes_the_place_of_its_row():
    table = filled([run_row(0, 0.1), run_row(1, 0.2)]).with_rows([run_row(1, 0.7), run_row(5, 0.9, status="did not compile")])
    assert table.run.tolist() == [0, 1, 5]
    assert table.column("friction").tolist() == [0.1, 0.7, 0.9]
    assert table.failed == 1
    assert table.row_of(5) == 2
    assert table.row_of(2) == -1


def test_words_are_places_in_their_list_and_shown_as_words():
    table = filled([run_row(0, 0.1, cone="elliptic"), run_row(1, 0.1, cone="pyramidal")])
    assert table.column("cone").tolist() == [1.0, 0.0]
    assert [table.text("cone", value) for value in table.column("cone")] == ["elliptic", "pyramidal"]


def test_a_logarithmic_parameter_goes_to_its_axis_and_back():
    table = filled([run_row(0, 0.1, stiff=0.01)])
    assert table.on_axis("stiff").tolist() == [-2.0]
    assert table.from_axis("stiff", -2.0) == pytest.approx(0.01)


def test_marked_runs_are_within_all_ranges(qtbot):
    parent = QObject()
    marks, table = RunMarks(parent), grid()
    assert marks.mask(table).all()
    marks.mark({"friction": (0.2, 0.8)})
    marks.mark({"stiff": (0.05, 2.0)})
    mask = marks.mask(table)
    assert mask.tolist() == [
        0.2 <= f <= 0.8 and s >= 0.05 for f, s in zip(table.column("friction"), table.column("stiff"), strict=True)
    ]
    marks.drop("stiff")
    marks.clear()
    assert marks.mask(table).all()


# ---- scatter


def test_scatter_leaves_out_failures_and_colours_the_range_from_end_to_end():
    table = filled([run_row(k, k / 4, slid=k) for k in range(5)] + [run_row(5, 0.3, slid=np.nan, status="blew up")])
    points = cloud(table, "friction", "slid", "slid")
    assert points.rows.tolist() == [0, 1, 2, 3, 4]
    assert (points.low, points.high) == (0.0, 4.0)
    assert points.level.tolist() == [0, 6, 12, 17, LEVELS - 1]


def test_shades_of_equal_numbers_are_the_middle_one_and_none_has_none():
    assert level_of(np.array([2.0, np.nan]), 2.0, 2.0).tolist() == [round(0.5 * (LEVELS - 1)), -1]


# ---- lines


def test_a_line_has_the_median_of_repetitions_at_each_value_and_their_band():
    table = grid()
    only = table.column("stiff") < 0.011
    (line,) = median_lines(table, "friction", "slid", "", only)
    assert line.x == pytest.approx(np.linspace(0, 1, 5))
    assert line.middle == pytest.approx(line.x + 0.1)
    assert line.count.tolist() == [2] * 5
    assert line.high - line.low == pytest.approx(0.8)  # eight tenths of the distance of the two


def test_another_parameter_splits_runs_into_lines():
    lines = median_lines(grid(3), "friction", "slid", "stiff", everything(grid(3)))
    assert [line.label for line in lines] == ["stiff 0.01", "stiff 0.1", "stiff 1"]
    assert [float(line.middle[0]) for line in lines] == pytest.approx([0.1, 1.0, 10.0])


def test_many_values_are_put_into_even_parts_of_the_range():
    table = filled([run_row(k, k / 999, slid=k / 999) for k in range(1000)])
    (line,) = median_lines(table, "friction", "slid", "", everything(table))
    assert line.count.sum() == 1000
    assert line.middle == pytest.approx(line.x, abs=0.001)  # the grid's own spacing


# ---- heat map


def test_a_grid_has_a_cell_for_each_point_with_its_mean():
    shown = cells(grid(), "friction", "stiff", "slid", everything(grid()))
    assert shown.mean.shape == (5, 5)
    expected = np.linspace(0, 1, 5)[None] + 10 * np.geomspace(0.01, 1.0, 5)[:, None]
    assert shown.mean == pytest.approx(expected)
    assert (shown.count == 2).all()
    assert shown.x == pytest.approx([-0.125, 0.125, 0.375, 0.625, 0.875, 1.125])
    assert shown.y[[0, -1]] == pytest.approx([-2.25, 0.25])  # decades


def test_other_points_are_binned_and_cells_without_runs_have_no_number():
    rng = np.random.default_rng(1)
    table = filled([run_row(k, f, s, slid=1.0) for k, (f, s) in enumerate(rng.uniform(0.01, 1.0, (400, 2)))])
    shown = cells(table, "friction", "stiff", "slid", everything(table))
    assert shown.count.sum() == 400
    assert np.isnan(shown.mean[shown.count == 0]).all()
    assert shown.mean[shown.count > 0] == pytest.approx(1.0)


# ---- parallel coordinates


def test_axes_reach_from_the_least_to_the_greatest_and_lines_have_gaps_between_them():
    table = filled([run_row(0, 0.2, slid=1.0), run_row(1, 0.4, slid=3.0), run_row(2, 0.6, slid=np.nan)])
    shown = parallels(table, ("friction", "slid"), "slid", everything(table))
    assert shown.rows.tolist() == [0, 1]
    assert shown.ends.tolist() == [[0.2, 0.6], [1.0, 3.0]]
    assert shown.places == pytest.approx(np.array([[0.0, 0.0], [0.5, 1.0]]))
    x, y = path_of(shown.places)
    assert np.isnan(y[2::3]).all()
    assert x[:2].tolist() == [0.0, 1.0]


def test_of_many_runs_all_marked_ones_are_drawn_up_to_a_limit():
    table = filled([run_row(k, k / 9999, slid=k) for k in range(10_000)])
    marked = np.arange(10_000) < 500
    shown = parallels(table, ("friction", "slid"), "slid", marked)
    assert marked[shown.rows].sum() == 500
    assert len(shown.rows) <= 500 + MOST_LINES // 3


# ---- Pareto front


@pytest.mark.parametrize(("x_least", "y_least"), [(True, True), (True, False), (False, True), (False, False)])
def test_no_point_of_the_front_is_beaten_and_all_others_are(x_least, y_least):
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 12, (2, 200)).astype(float)  # with ties
    better_x, better_y = (np.subtract if least else lambda a, b: np.subtract(b, a) for least in (x_least, y_least))
    best = set(front(x, y, x_least=x_least, y_least=y_least).tolist())

    def beaten(k):
        dx, dy = better_x(x, x[k]), better_y(y, y[k])
        return bool(((dx <= 0) & (dy <= 0) & ((dx < 0) | (dy < 0))).any())

    assert not any(beaten(k) for k in best)
    places = {(x[k], y[k]) for k in best}
    assert all(beaten(k) or (x[k], y[k]) in places for k in range(200))


def test_the_front_of_nothing_is_empty():
    assert front(np.zeros(0), np.zeros(0)).tolist() == []


# ---- sensitivities


def test_correlations_find_what_rises_and_what_falls_and_say_what_they_are():
    rng = np.random.default_rng(0)
    points = rng.uniform(0.01, 1.0, (200, 2))
    table = filled([run_row(k, f, s, slid=f**3 - 0.1 * s) for k, (f, s) in enumerate(points)])
    shown = tornado(table, [], STUDY, "slid", everything(table))
    assert [bar.parameter for bar in shown.bars] == ["friction", "stiff"]  # the cone is the same in all
    assert shown.bars[0].value > 0.9
    assert shown.bars[1].value < -0.1
    assert shown.words.endswith(INSTEAD)


def test_a_sensitivity_study_has_sobols_indices_with_intervals():
    """Of x + 2 y the variances are as 1 to 4."""
    text = TEXT.replace('[parameters.cone]\npath = "option.cone"\nvalues = ["pyramidal", "elliptic"]\n', "").replace(
        "log = true", ""
    )
    study = parse(text + '[sweep]\nmethod = "sensitivity"\nruns = 2048\n', "slope.toml")
    points = design(study).points
    rows = [RunRow(k, 0, (f, s), (f + 2 * (s - 0.01) / 0.99, 0.0), "done", 0.1) for k, (f, s) in enumerate(points)]
    table = RunTable.empty(study).with_rows(rows)
    shown = tornado(table, rows, study, "slid", everything(table))
    assert [bar.parameter for bar in shown.bars] == ["stiff", "friction"]
    assert shown.words.startswith(SOBOL)
    for bar, expected in zip(shown.bars, (0.8, 0.2), strict=True):
        assert bar.low < expected < bar.high
        assert bar.value == pytest.approx(expected, abs=0.05)  # the sample's error
