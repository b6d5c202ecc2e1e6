"""Splittings of hard steps: the theorem, spectra against textbook iterations, and predictions against what sweeps do."""

from pathlib import Path

import numpy as np
import pytest
from pytest import approx

from tests.physics.solver.lcp_problems import FREE, definition, load, matrix_problem, solve_matrix, violation
from tests.physics.solver.test_lcp import STRONG, ZOO, incline, random_problem, stack
from tumble.physics import ContactModel, MjData, MjModel, Splitting, fork, mj_forward, mj_step, mjtCone
from tumble.physics.observe.complementarity import splittings
from tumble.physics.observe.complementarity.problem import RowBound, natural_map, read_problem, row_states
from tumble.physics.observe.complementarity.splittings import (
    best_relaxation,
    compare,
    contraction,
    examine,
    jacobi_best,
    jacobi_limit,
    theorem,
    tried_relaxation,
)
from tumble.physics.observe.complementarity.sweep_map import SweepRule, eigenvalues, power_largest, power_radius

JACOBI, GAUSS_SEIDEL, SOR, CONJUGATE = Splitting
BOX, DISC = int(mjtCone.mjCONE_PYRAMIDAL), int(mjtCone.mjCONE_ELLIPTIC)
SCENES = {"sticks": (incline(20, 0.5), 0), "slides": (incline(30, 0.2), 3), "stack": (stack(1, 1, 1), 0), "zoo": (ZOO, 1)}


def solved(xml: str, steps: int = 0, cone: int = BOX, **options: float) -> tuple[MjModel, MjData]:
    m, d = load(xml, **options)
    m.opt.cone = cone
    mj_step(m, d, steps)
    mj_forward(m, d)
    return m, d


def matrix_rows(a: np.ndarray, b: np.ndarray, kind: str = FREE) -> splittings.LcpProblem:
    m, d = matrix_problem(a, b, kind)
    solve_matrix(m, d, GAUSS_SEIDEL)
    return read_problem(m, d)


def test_the_copy_is_the_problem_by_its_definition() -> None:
    m, d = solved(ZOO, 150)
    problem = read_problem(m, d)
    a, b = definition(m, d)
    np.testing.assert_allclose(problem.matrix(), a, atol=1e-10 * abs(a).max())
    np.testing.assert_allclose(problem.b, b, atol=1e-12)
    np.testing.assert_allclose(problem.matrix() @ problem.impulse + problem.b, problem.velocity, atol=1e-12)


@pytest.mark.parametrize("cone", [BOX, DISC])
@pytest.mark.parametrize("sweeps", [0, 2, 1000])
@pytest.mark.parametrize("scene", SCENES)
def test_natural_map_of_the_rows_has_the_residual_as_its_largest(scene: str, sweeps: int, cone: int) -> None:
    m, d = solved(*SCENES[scene], cone, sweeps=sweeps)
    error = natural_map(read_problem(m, d))
    assert error.max() == approx(d.lcp_residual, rel=1e-9, abs=1e-15)
    if cone == BOX:
        assert error.max() == approx(violation(m, d), rel=1e-6, abs=1e-12)


def test_rows_are_free_fixed_or_sliding() -> None:
    sticks, slides = (row_states(read_problem(*solved(*SCENES[scene]))) for scene in ("sticks", "slides"))
    assert set(sticks.tolist()) == {RowBound.FREE}
    assert (slides.reshape(-1, 3)[:, 1:] == RowBound.SLIDING).any(axis=1).all()  # one tangent is along the slope
    m, d = load("""<mujoco><option gravity="0 0 0"/><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .0999"><freejoint/><geom size=".1"/></body></worldbody></mujoco>""")
    d.qvel[2] = 1.0
    mj_forward(m, d)
    assert set(row_states(read_problem(m, d)).tolist()) == {RowBound.FIXED}  # it opens


@pytest.mark.parametrize("omega", [0.5, 1.0, 1.5])
def test_spectrum_is_that_of_the_textbook_iteration(omega: float) -> None:
    a, b = random_problem(3)
    problem = matrix_rows(a, b)
    low, diagonal = np.tril(a, -1), np.diag(np.diag(a))
    for method, B in ((JACOBI, diagonal / omega), (SOR, low + diagonal / omega)):
        expected = np.linalg.eigvals(np.eye(7) - np.linalg.solve(B, a))
        got = eigenvalues(problem, problem.matrix(), SweepRule(method, False, omega))
        np.testing.assert_allclose(np.sort(abs(got)), np.sort(abs(expected)), atol=1e-12)


def test_theorem_holds_exactly_where_relaxations_converge() -> None:
    a, b = random_problem(0)
    problem = matrix_rows(a, b)
    for omega in (0.1, 1.0, 1.99):
        condition = theorem(problem, problem.matrix(), SweepRule(SOR, False, omega))
        assert condition.holds
        assert condition.definite
        assert condition.fixed
        assert condition.margin == approx(2 / omega - 1)
        assert abs(eigenvalues(problem, problem.matrix(), SweepRule(SOR, False, omega))).max() < 1
    assert not theorem(problem, problem.matrix(), SweepRule(SOR, False, 2.0)).holds
    assert not theorem(problem, problem.matrix(), SweepRule(SOR, False, 2.1)).holds


def test_jacobi_converges_below_its_limit_alone() -> None:
    problem = matrix_rows(STRONG, np.array([-1.0, -1.1, -0.9]))
    condition = theorem(problem, STRONG, SweepRule(JACOBI, False))
    assert condition.largest == approx(2.8)
    assert not condition.holds
    assert theorem(problem, STRONG, SweepRule(JACOBI, False, 0.99 * 2 / 2.8)).holds
    verdict = examine(problem, STRONG, SweepRule(JACOBI, False))
    assert verdict.limit == approx(2 / 2.8)
    assert verdict.best == approx(2 / (2.8 + 0.1), rel=1e-6)  # between the largest and the least eigenvalue
    assert verdict.radius == approx(1 - 0.1 * verdict.best, rel=1e-6)
    for omega, converges in ((0.99 * verdict.limit, True), (1.01 * verdict.limit, False)):
        error = np.ones(3)
        for _ in range(2000):
            error -= omega * STRONG @ error
        assert bool(abs(error).max() < 1e-3) is converges


def test_whole_steps_of_jacobi_are_kept_where_they_are_best() -> None:
    values = np.array([0.1 + 0j, -0.2])
    assert jacobi_limit(values) == approx(2 / 1.2)
    assert jacobi_best(values, jacobi_limit(values)) == approx(2 / (0.9 + 1.2))
    assert jacobi_best(np.array([0.5 + 0j]), 4.0) == approx(1.0)  # not beyond 1, as in the engine


@pytest.mark.parametrize("cone", [BOX, DISC])
@pytest.mark.parametrize("scene", ["sticks", "slides", "stack"])
def test_sweeps_contract_as_their_spectrum_predicts(scene: str, cone: int) -> None:
    """For boxes and discs, rows and blocks, Gauss-Seidel and SOR; a hundredth is left where the last third is of few sweeps."""
    xml, steps = SCENES[scene]
    m, d = solved(xml, steps, cone, tolerance=1e-13)
    seen = 0
    for outcome in compare(m, d):
        if outcome.sweep.method in (GAUSS_SEIDEL, SOR) and outcome.sweeps >= 12:
            assert outcome.contraction == approx(outcome.verdict.radius, abs=0.01), outcome.sweep
            seen += 1
    assert seen >= 3


def test_redundant_contacts_are_singular_but_contract() -> None:
    m, d = solved(incline(20, 0.5))
    outcome = next(o for o in compare(m, d) if o.sweep == SweepRule(GAUSS_SEIDEL, False))
    assert outcome.verdict.theorem.rank == 6  # of 12 rows: a body has six dofs
    assert outcome.verdict.theorem.holds
    assert not outcome.verdict.theorem.definite
    assert not outcome.verdict.theorem.fixed
    assert len(outcome.verdict.eigenvalues) == 6
    assert outcome.verdict.radius < 0.6


def test_rows_that_contradict_each_other_are_told_apart_from_slow_ones() -> None:
    """Two equalities that hold one slider at two places: no impulse serves both."""
    m, d = load("""<mujoco><option gravity="0 0 0"/>
        <worldbody><body><joint name="a" type="slide"/><geom size=".1"/></body></worldbody>
        <equality><joint joint1="a" polycoef=".001 0 0 0 0"/><joint joint1="a" polycoef="-.001 0 0 0 0"/></equality></mujoco>""")
    outcomes = list(compare(m, d))
    assert all(o.verdict.contradiction > 0.05 for o in outcomes)  # a fifth of 1 mm in 2 ms
    assert not any(o.converged for o in outcomes)
    m, d = solved(stack(1, 10))
    assert all(o.verdict.contradiction < 1e-6 for o in compare(m, d))


def test_best_relaxation_needs_fewer_sweeps_than_others() -> None:
    xml, counts = stack(1, 1, 1), []
    problem = read_problem(*solved(xml))
    omega, radius = best_relaxation(problem, block=False)
    for relaxation in (omega, 0.7, 1.8):
        assert radius <= abs(eigenvalues(problem, problem.matrix(), SweepRule(SOR, False, relaxation))).max() + 1e-12
        _, d = solved(xml, method=SOR, block=0, omega=relaxation, sweeps=5000)
        counts.append(int(d.solver_niter[0]))
    assert counts[0] < min(counts[1:])


@pytest.mark.parametrize("block", [False, True])
def test_trying_relaxations_finds_about_the_best_one(block: bool) -> None:
    m, d = solved(stack(1, 1, 1))
    omega, left = tried_relaxation(*fork(m, d), block=block)
    assert omega == approx(best_relaxation(read_problem(m, d), block=block)[0], abs=0.3)  # at the stack both are flat there
    for other in (0.5, 1.9):
        _, worse = solved(stack(1, 1, 1), method=SOR, block=block, omega=other, sweeps=150, tolerance=0)
        assert left < worse.lcp_residual


def test_search_for_a_relaxation_can_be_stopped() -> None:
    def stop() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        best_relaxation(read_problem(*solved(stack(1))), block=True, wanted=stop)


def test_power_iteration_finds_the_largest_eigenvalues() -> None:
    problem = read_problem(*solved(stack(1, 1, 1)))
    A = problem.matrix()
    for block in (False, True):
        sweep = SweepRule(GAUSS_SEIDEL, block)
        assert power_radius(problem, A, sweep, 400) == approx(abs(eigenvalues(problem, A, sweep)).max(), rel=2e-3)
        sweep = SweepRule(JACOBI, block)
        assert power_largest(problem, A, sweep, 400) == approx(theorem(problem, A, sweep).largest, rel=1e-3)


def test_many_rows_are_sampled_and_more_are_only_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    m, d = solved(stack(1, 1, 1))
    monkeypatch.setattr(splittings, "MOST_EXACT", 10)
    sampled = list(compare(*fork(m, d)))
    assert all(o.verdict.sampled and o.verdict.theorem is None for o in sampled)
    assert all(0.3 < o.verdict.limit < 0.6 for o in sampled if o.sweep.method is JACOBI)
    assert all(0.9 < o.verdict.radius < 1 for o in sampled if o.sweep.method is SOR)
    monkeypatch.setattr(splittings, "MOST_SAMPLED", 10)
    measured = list(compare(*fork(m, d)))
    assert all(np.isnan(o.verdict.radius) and o.problem.half.size == 0 for o in measured)
    assert [o.sweeps for o in measured] == [o.sweeps for o in sampled]


def test_a_soft_model_is_compared_as_a_hard_one() -> None:
    m = MjModel.from_xml_string(stack(1))
    d = MjData(m)
    mj_step(m, d, 50)
    before = d.qpos.tobytes(), d.qacc.tobytes()
    outcomes = list(compare(*fork(m, d)))
    assert [o.sweep for o in outcomes] == list(splittings.sweeps_of(m.tumble.lcp_omega))
    assert m.tumble.contact_model == ContactModel.SOFT
    assert (d.qpos.tobytes(), d.qacc.tobytes()) == before


def test_nothing_is_compared_where_no_constraint_acts() -> None:
    m, d = load("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    assert list(compare(m, d)) == []


def test_contraction_is_of_the_last_third_above_rounding() -> None:
    falls = np.concatenate([[1.0, 0.5], 0.5 * 0.9 ** np.arange(1, 30)])
    assert contraction(falls) == approx(0.9)
    assert contraction(np.concatenate([falls, np.zeros(20)])) == approx(0.9)
    assert np.isnan(contraction(falls[:3]))


def documented(heading: str) -> list[list[str]]:
    """Rows of a table of docs/lcp.md."""
    lines = (Path(__file__).parents[3] / "docs" / "lcp.md").read_text("utf-8").splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith(f"| {heading}"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


DOCUMENTED = {"one box": stack(1), "three boxes": stack(1, 1, 1), "1 kg under 10 kg": stack(1, 10)}


def test_the_page_on_hard_contacts_has_the_numbers_of_today() -> None:
    rows = documented("predicted (measured)")
    found = {}
    for name, xml in DOCUMENTED.items():
        m, d = solved(xml)
        found[name] = {(o.sweep.method, o.sweep.block): o for o in compare(m, d)}
    assert len(rows) == 6
    for (words, *cells), (method, block) in zip(
        rows, [(method, block) for method in (JACOBI, GAUSS_SEIDEL, SOR) for block in (False, True)], strict=True
    ):
        assert words == f"{['Jacobi', 'Gauss-Seidel', 'SOR 1.3'][method]}{', 3x3 blocks' if block else ''}"
        for cell, outcomes in zip(cells, found.values(), strict=True):
            outcome = outcomes[method, block]
            predicted, measured = cell.rstrip(")").split(" (")
            assert float(predicted) == approx(outcome.verdict.radius, abs=2e-3)
            if measured != "-":
                assert float(measured) == approx(outcome.contraction, abs=5e-3)
