"""An island's solution does not depend, to the bit, on which others there are, on their order, or on the threads.

The model's mean inertia is given, for it scales the tolerance of every island; places are the same, for they decide rounding.
"""

from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from tests.physics.island.scenes import BRICKS, HEAD, PARTS, STATISTICS, TENDON
from tumble import physics

STEPS = 30
STEPS_OF_WALLS = 8  # they touch from the first on, and a step of theirs takes ten times as long
ALL = PARTS | {"wall": BRICKS.replace(" 0 0.", " {y} 0.")}
DOFS = {"flying": 6, "box": 6, "pair": 12, "arm": 5, "sliders": 8, "wall": 72}
ALONE = [("{part}", 3)]
LAST = [("box", 1), ("pair", 2), ("{part}", 3)]
FIRST = [("{part}", 3), ("arm", 0), ("wall", 5), ("box", 1), ("pair", 2), ("sliders", 4)]
AMONG_COPIES = [("{part}", y) for y in (8, 7, 3, 6, 5, 9, 10, 11, 12, 13)]
AUTO = pytest.param("auto", marks=pytest.mark.slow)
SLOW_WALL = pytest.param("wall", 0, marks=pytest.mark.slow)
AMONG_FEW = AMONG_COPIES[:4]  # ten walls take seconds a solver


@lru_cache(maxsize=4)
def compiled(part: str, places: tuple[tuple[str, int], ...]) -> tuple[physics.MjModel, np.ndarray]:
    """The model of a part at y = 3 among others, and the part's dofs; solvers, cones and Jacobians are set in it."""
    bodies = [(part if name == "{part}" else name, y) for name, y in places]
    tendons = "".join(TENDON.format(i=y) for name, y in bodies if name == "sliders")
    text = "".join(ALL[name].format(y=y, i=y) for name, y in bodies)
    head = HEAD.format(island="enable", condim=4, solver="Newton", cone="pyramidal", jacobian="auto")
    start = sum(DOFS[name] for name, _ in bodies[: [y for _, y in bodies].index(3)])
    xml = f"{head}{text}</worldbody><tendon>{tendons}</tendon></mujoco>"
    return physics.MjModel.from_xml_string(xml), np.arange(start, start + DOFS[part])


def simulate(
    part: str, places: list[tuple[str, int]], threads: int, solver: str, cone: str, jacobian: str, noslip: int = 0
) -> list[np.ndarray]:
    """Numbers of the part at y = 3 after each of some steps; places: all parts of the model and where they are, in its order."""
    m, dofs = compiled(part, tuple(places))
    m.opt.solver = physics.mjtSolver[f"mjSOL_{solver.upper()}"]
    m.opt.cone = physics.mjtCone[f"mjCONE_{cone.upper()}"]
    m.opt.jacobian = physics.mjtJacobian[f"mjJAC_{jacobian.upper()}"]
    return follow(m, dofs, threads, noslip, STEPS_OF_WALLS if part == "wall" else STEPS)


def follow(m: physics.MjModel, dofs: np.ndarray, threads: int, noslip: int = 0, steps: int = STEPS) -> list[np.ndarray]:
    """Numbers of some dofs, and of the islands they belong to, after each of some steps."""
    m.tumble.threads, m.opt.noslip_iterations = threads, noslip
    d = physics.MjData(m)
    found = []
    for _ in range(steps):
        physics.mj_step(m, d)
        found += [d.qvel[dofs].copy(), d.qacc[dofs].copy(), d.qfrc_constraint[dofs].copy()]
        for k in sorted(set(d.dof_island[dofs]) - {-1}):
            rows = d.efc_island == k
            found += [d.efc_force[rows], d.efc_state[rows], d.efc_b[rows]]
            if k < 20:
                count = d.solver_niter[k]
                found.append(np.array([count, d.solver_nnz[k]]))
                found += [getattr(d.solver, name)[200 * k : 200 * k + min(count, 200)].copy() for name in STATISTICS]
    return found


def assert_same(mine: list[np.ndarray], other: list[np.ndarray]) -> None:
    assert len(mine) == len(other)
    for a, b in zip(mine, other, strict=True):
        if a.shape != b.shape or a.tobytes() != b.tobytes():  # else the same: comparing numbers takes longer than the steps
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("jacobian", ["dense", "sparse", AUTO])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize(("part", "noslip"), [("box", 0), SLOW_WALL, *product(("pair", "arm", "sliders"), (0, 30))])
def test_an_island_does_not_know_the_others(part: str, noslip: int, solver: str, cone: str, jacobian: str) -> None:
    """With auto, the model of one small part is dense and that with many is sparse.

    Each island's no-slip pass, too, ends when its own gain is small, whatever those of the others do.
    """
    alone = simulate(part, ALONE, 1, solver, cone, jacobian, noslip)
    for places, threads in ((LAST, 1), (FIRST, 1), (AMONG_FEW if part == "wall" else AMONG_COPIES, 3)):
        assert_same(simulate(part, places, threads, solver, cone, jacobian, noslip), alone)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_what_lies_between_the_dofs_of_an_island_changes_nothing(solver: str, jacobian: str) -> None:
    """The two bodies of a pair, with none and with others between them in the order of the model."""
    head = HEAD.format(island="enable", condim=4, solver=solver, jacobian=jacobian, cone="pyramidal")
    first, second = PARTS["pair"].format(y=3).strip().splitlines()
    between = "".join(PARTS[name].format(y=y) for name, y in (("box", 1), ("arm", 0), ("pair", 2)))
    load = physics.MjModel.from_xml_string
    alone = follow(load(f"{head}{first}{second}</worldbody></mujoco>"), np.arange(12), 1)
    apart = np.concatenate([np.arange(6), np.arange(6 + DOFS["box"] + DOFS["arm"] + DOFS["pair"], 35)])
    assert_same(follow(load(f"{head}{first}{between}{second}</worldbody></mujoco>"), apart, 2), alone)
