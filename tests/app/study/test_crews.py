"""A sweep does every run once, however it is interrupted and wherever it runs, and its table is the same."""

from __future__ import annotations

import math
import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.app.study.slope import FRICTION, HEAD, SLID, plan, study
from tests.app.study.test_trial import DRIVEN, driven
from tumble.app.base.files import FileError
from tumble.app.study.crews import Cluster, Threads, carry_out
from tumble.app.study.design import design
from tumble.app.study.objective import Objective
from tumble.app.study.results import Results, study_of
from tumble.app.study.sensitivity import _indices
from tumble.app.study.study_file import StudyError
from tumble.app.study.trial import Plan, RunRow

GRID = HEAD + FRICTION + "points = 4\n[parameters.hinge]\npath = \"joint[hinge].damping\"\nvalues = [0.1, 1.0]\n" + SLID
GRID += '[sweep]\nmethod = "grid"\n'


def contents(rows: list[RunRow]) -> list[tuple[object, ...]]:
    """All of the rows but how long they took."""
    return [(row.run, row.repetition, row.values, row.measures, row.status) for row in rows]


def swept(made: Plan, path: Path, threads: int = 2) -> list[RunRow]:
    results = Results(path, made.study)
    assert carry_out(made, Threads(made, threads), results)
    return results.rows()


def test_a_grid_has_all_combinations(tmp_path: Path) -> None:
    rows = swept(plan(tmp_path, GRID), tmp_path / "a.sqlite")
    assert [row.values for row in rows] == [(f, d) for f in np.linspace(0.05, 1.0, 4).tolist() for d in (0.1, 1.0)]
    slid = [row.measures[0] for row in rows[::2]]
    assert slid[0] > 0.1 > slid[-1]
    assert rows[0].measures == rows[1].measures  # the hinge is far from the box


def test_a_sweep_that_was_stopped_goes_on_with_equal_results(tmp_path: Path) -> None:
    made = plan(tmp_path, GRID.replace("points = 4", "points = 30") + "[noise]\nvelocity = 0.1\n")
    whole = swept(made, tmp_path / "whole.sqlite")
    results, calls = Results(tmp_path / "parts.sqlite", made.study), []
    assert not carry_out(made, Threads(made, 2), results, lambda: bool(calls.append(0)) or len(calls) > 40)
    before = results.rows()
    assert 0 < len(before) < len(whole)
    assert carry_out(made, Threads(made, 1), results)
    assert contents(results.rows()) == contents(whole)
    assert [row.wall for row in results.rows() if row.run == before[0].run] == [before[0].wall]


def test_a_sweep_with_a_controller_goes_on_with_equal_results(tmp_path: Path) -> None:
    made = driven(tmp_path, study=DRIVEN + '[sweep]\nmethod = "grid"\n[noise]\nvelocity = 0.1\n')
    whole = swept(made, tmp_path / "whole.sqlite")
    results, calls = Results(tmp_path / "parts.sqlite", made.study), []
    assert not carry_out(made, Threads(made, 1), results, lambda: bool(calls.append(0)) or len(calls) > 500)
    assert 0 < len(results.rows()) < len(whole)
    assert carry_out(made, Threads(made, 2), results)
    assert contents(results.rows()) == contents(whole)


def test_results_of_another_study_are_not_mixed(tmp_path: Path) -> None:
    made, other = plan(tmp_path, GRID), plan(tmp_path, GRID.replace("0.4", "0.3"))
    swept(made, tmp_path / "a.sqlite")
    assert study_of(tmp_path / "a.sqlite") == made.study
    results = Results(tmp_path / "a.sqlite", other.study)
    with pytest.raises(StudyError, match="results of another study"):
        carry_out(other, Threads(other, 1), results)
    assert len(results.rows()) == 8
    assert carry_out(other, Threads(other, 1), results, restart=True)
    assert study_of(tmp_path / "a.sqlite") == other.study


def test_a_file_that_is_no_table_and_a_folder_that_is_not_there(tmp_path: Path) -> None:
    made = plan(tmp_path, GRID)
    (tmp_path / "text.sqlite").write_text("this is some text, and no table at all" * 30)
    with pytest.raises(FileError, match="is no file of results"):
        Results(tmp_path / "text.sqlite", made.study).begin(made)
    with pytest.raises(FileError, match="unable to open"):
        Results(tmp_path / "none" / "a.sqlite", made.study).begin(made)


def test_repetitions_have_noise_of_their_own(tmp_path: Path) -> None:
    text = GRID.replace("seconds", "repetitions = 2\nseconds") + "[noise]\nvelocity = 0.1\n"
    rows = swept(plan(tmp_path, text), tmp_path / "a.sqlite")
    assert [row.repetition for row in rows[:4]] == [0, 1, 0, 1]
    assert rows[0].values == rows[1].values
    assert rows[0].measures != rows[1].measures


def test_a_search_finds_the_least(tmp_path: Path) -> None:
    text = HEAD + FRICTION + SLID + '[sweep]\nmethod = "minimize"\nruns = 60\nobjective = "abs(slid - 0.05)"\n'
    made = plan(tmp_path, text)
    rows = swept(made, tmp_path / "a.sqlite")
    best = min(rows, key=Objective(made.study).cost)
    assert abs(best.measures[0] - 0.05) < 0.005
    assert contents(swept(made, tmp_path / "b.sqlite", 1)) == contents(rows)
    with pytest.raises(StudyError, match=r"sweep\.objective: .*there is no 'slip'; there are friction, slid"):
        Objective(study(text.replace("abs(slid", "abs(slip")))


def test_points_fill_the_ranges() -> None:
    head = HEAD + SLID
    for method in ("latin-hypercube", "sobol", "random"):
        text = head + FRICTION + f'log = true\n[sweep]\nmethod = "{method}"\nruns = 64\n'
        values = np.array([point[0] for point in design(study(text)).points])
        assert stats.kstest(np.log(values), stats.uniform(math.log(0.05), math.log(20)).cdf).pvalue > 0.01
        assert design(study(text)) == design(study(text))
        assert design(study("seed = 5\n" + text)) != design(study(text))
    normal = head + '[parameters.friction]\npath = "a"\nmean = 0.5\ndeviation = 0.1\nlow = 0.45\n[sweep]\nruns = 200\n'
    values = np.array([point[0] for point in design(study(normal)).points])
    assert values.min() >= 0.45
    assert stats.kstest(values, stats.truncnorm(-0.5, math.inf, 0.5, 0.1).cdf).pvalue > 0.01


def test_a_grid_that_no_computer_ends_is_refused() -> None:
    axes = "".join(f'[parameters.p{k}]\npath = "a"\nlow = 0.0\nhigh = 1.0\npoints = 100\n' for k in range(5))
    with pytest.raises(StudyError, match="10000000000 points; at most 10000000"):
        design(study(HEAD + SLID + axes + '[sweep]\nmethod = "grid"\n'))


def test_indices_of_the_function_of_ishigami() -> None:
    """Known in closed form: Ishigami and Homma, An importance quantification technique, 1990."""
    rng = np.random.default_rng(0)
    a, b = rng.uniform(-math.pi, math.pi, (2, 8192, 3))

    def value(x: np.ndarray) -> np.ndarray:
        return np.asarray(np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0]))

    mixed = np.array([value(np.where(np.arange(3) == k, b, a)) for k in range(3)])
    found = _indices("y", value(a), value(b), mixed)
    assert found.first == pytest.approx([0.314, 0.442, 0.0], abs=0.03)
    assert found.total == pytest.approx([0.558, 0.442, 0.244], abs=0.03)
    assert np.all((found.first_range[:, 0] < [0.314, 0.442, 0.0]) & (found.first_range[:, 1] > [0.314, 0.442, 0.0]))


@pytest.mark.fuzz  # processes start for some seconds
def test_a_cluster_gives_the_same_table_when_a_worker_dies(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    made = plan(tmp_path, GRID.replace("points = 4", "points = 300").replace("0.4", "2.0"))
    whole = swept(made, tmp_path / "whole.sqlite")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        victim = next(iter(client.run(os.getpid).values()))
        threading.Timer(1.5, os.kill, (victim, signal.SIGKILL)).start()
        results = Results(tmp_path / "cluster.sqlite", made.study)
        assert carry_out(made, Cluster(made, client), results)
        assert victim not in client.run(os.getpid).values()
    assert contents(results.rows()) == contents(whole)
