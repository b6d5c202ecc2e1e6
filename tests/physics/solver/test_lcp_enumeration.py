"""Hard contacts against enumeration: all ways in which the rows of a small problem can be, tried one by one."""

import itertools
import math

import numpy as np
import pytest

from tests.physics.solver.lcp_problems import definition, load, matrix_problem, put_matrix, solve_matrix
from tumble.physics import mj_forward
from tumble.physics.state.own import Splitting


def enumerated(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The solution of LCP(a, b) found by trying every set of rows that push."""
    for chosen in itertools.product((False, True), repeat=len(b)):
        push, x = np.array(chosen), np.zeros(len(b))
        x[push] = np.linalg.solve(a[np.ix_(push, push)], -b[push])
        if (x >= 0).all() and ((a @ x + b)[~push] >= 0).all():
            return x
    raise AssertionError("a positive definite problem has a solution")


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=pytest.mark.slow)])
def test_small_problems_have_the_solution_that_enumeration_finds(count: int) -> None:
    """One to five rows, condition below 1e4: the natural map of 1e-12 leaves an error of 1e-8 at most."""
    random, problems = np.random.default_rng(3), {n: matrix_problem(np.eye(n), np.zeros(n)) for n in range(1, 6)}
    for k in range(count):
        n = int(random.integers(1, 6))
        root = random.normal(size=(n, n))
        a, b = root @ root.T + 0.05 * np.eye(n), random.normal(size=n)
        m, d = problems[n]
        put_matrix(d, a, b)
        assert solve_matrix(m, d, list(Splitting)[k % 4], sweeps=10_000) <= 1e-12
        np.testing.assert_allclose(d.lcp_impulse, enumerated(a, b), 0, 1e-8)


PILE = """<mujoco><worldbody><geom type="plane" size="9 9 1" friction="{low}"/>
  <body pos="0 0 .0999"><freejoint/><geom size=".1" mass="{light}" friction="{high}" priority="1"/></body>
  <body pos="{aside} 0 {height}"><freejoint/><geom size=".1" mass="{heavy}" friction="{low}"/></body></worldbody></mujoco>"""


def contact_solutions(a: np.ndarray, b: np.ndarray, mu: np.ndarray) -> list[np.ndarray]:
    """Solutions for contacts of three rows with friction boxes, mu (contacts, 2): each opens, sticks or slides by tangents."""
    found = []
    ways = [None, *itertools.product((0, 1, -1), repeat=2)]
    for modes in itertools.product(ways, repeat=len(mu)):
        system, right = np.eye(len(b)), np.zeros(len(b))  # a row of zeros: no impulse
        for c, mode in enumerate(modes):
            if mode is None:
                continue
            system[3 * c], right[3 * c] = a[3 * c], -b[3 * c]
            for j, side in enumerate(mode):
                r = 3 * c + 1 + j
                if side == 0:
                    system[r], right[r] = a[r], -b[r]
                else:
                    system[r, 3 * c] = -side * mu[c, j]
        if np.linalg.matrix_rank(system) < len(b):
            continue
        x = np.linalg.solve(system, right)
        high = np.repeat(x[::3], 3) * np.column_stack([np.ones(len(mu)), mu]).ravel()
        low = -high
        low[::3], high[::3] = 0.0, np.inf
        w = a @ x + b
        if (x[::3] >= -1e-12).all() and np.abs(np.diag(a) * (x - np.clip(x - w / np.diag(a), low, high))).max() < 1e-10:
            found.append(x)
    return found


@pytest.mark.parametrize("count", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_two_contacts_with_friction_have_a_solution_of_enumeration(count: int) -> None:
    """A ball on a ball on the ground, pushed about: masses of 0.1 to 10 kg, friction of 0.1 to 1."""
    random = np.random.default_rng(4)
    solved = 0
    for _ in range(count):
        aside = random.uniform(0, 0.15)
        m, d = load(PILE.format(
            aside=aside, height=0.0999 + math.sqrt(0.1999**2 - aside**2), light=10 ** random.uniform(-1, 1),
            heavy=10 ** random.uniform(-1, 1), low=random.uniform(0.1, 0.5), high=random.uniform(0.5, 1),
        ), tolerance=1e-13, sweeps=20_000)  # fmt: skip
        d.qvel[:] = random.normal(size=m.nv) * 10 ** random.uniform(-2, 0)
        mj_forward(m, d)
        assert (d.ncon, d.nefc) == (2, 6)
        solutions = contact_solutions(*definition(m, d), d.contact.friction[:, :2])
        assert solutions
        if d.lcp_residual < 1e-11:  # friction may keep sweeps from settling
            solved += 1
            assert min(np.abs(d.lcp_impulse - x).max() for x in solutions) < 1e-7 * max(1.0, abs(d.lcp_impulse).max())
    assert solved > 0.95 * count
