"""The optimization that a contact is part of: costs of the solver, exact sections, zones as the states of rows."""

from itertools import pairwise

import numpy as np
import pytest

from tests.physics.island.scenes import ALL, scene
from tumble import physics
from tumble.physics import Again, MjData, MjModel, mjtConstraintState
from tumble.physics.observe.optimization.contact_problem import Zone
from tumble.physics.observe.optimization.sections import (
    dual_section,
    penalty_section,
    pgs_update,
    plane_of,
    primal_section,
    room_section,
    seen_by_pgs,
    solver_path,
    zone_section,
)

SOLVERS = {
    "Newton": physics.mjtSolver.mjSOL_NEWTON, "CG": physics.mjtSolver.mjSOL_CG, "PGS": physics.mjtSolver.mjSOL_PGS,
}  # fmt: skip
CONES = {"pyramidal": 0, "elliptic": 1}
# Contacts that stick, slide and part, on one another; with a limit, dry friction and an equality in the same island.
SCENE = """<mujoco><option timestep="0.002" cone="{cone}" impratio="2"/><worldbody>
<geom name="floor" type="plane" size="5 5 1" friction=".6 .01 .001"/>
<body pos="0 0 .098"><freejoint/><geom type="box" size=".1 .1 .1" condim="{dim}"/></body>
<body pos=".02 0 .296"><freejoint/><geom type="box" size=".1 .1 .1" condim="{dim}"/></body>
<body pos="0 0 .55"><joint name="lift" axis="0 0 1" type="slide" range="-1 1" frictionloss=".2"/>
<joint name="side" axis="1 0 0" type="slide"/>
<geom type="box" size=".1 .1 .152" mass=".5" condim="{dim}"/></body>
</worldbody><equality><joint joint1="side" polycoef="0.001 0 0 0 0"/></equality></mujoco>"""
DIMS = pytest.mark.parametrize("dim", [1, 3, 4, 6])
BOTH = pytest.mark.parametrize("cone", list(CONES))


def problem_in(xml, contact=-1, speed=0.3, **settings):
    """The problem of a contact, the hardest pressed if none is named, and the ways of the solvers from no force."""
    m = MjModel.from_xml_string(xml)
    d = MjData(m)
    d.qvel[:] = np.random.default_rng(0).normal(size=m.nv) * speed
    physics.mj_forward(m, d)
    again = Again(m)
    again.hold(d)
    solves = {
        name: again.solve_held(solver=solver, warmstart=False, tolerance=1e-13, iterations=400, **settings)
        for name, solver in SOLVERS.items()
    }
    newton = solves["Newton"]
    again.solve_held(warmstart=False, **settings)
    problem = again.problem_of(int(np.argmax(newton.contact_force[:, 0])) if contact < 0 else contact)
    paths = {name: solver_path(problem, solved.record) for name, solved in solves.items()}
    return problem, paths, solves


def problem_of(cone, dim=3, **rest):
    return problem_in(SCENE.format(cone=cone, dim=dim), **rest)


@BOTH
@DIMS
def test_costs_of_all_iterates_are_those_of_the_solvers(cone, dim):
    problem, paths, _ = problem_of(cone, dim)
    assert {"Newton", "CG", "PGS"} == {path.solver for path in paths.values()}
    for path in paths.values():
        size = np.abs(path.cost).max()
        np.testing.assert_allclose(problem.primal(path.qacc), path.cost, rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose([problem.dual(force) for force in path.rows], path.dual, rtol=0, atol=1e-12 * size)


@BOTH
@DIMS
def test_iterates_end_where_each_solver_does(cone, dim):
    problem, paths, solves = problem_of(cone, dim)
    for name, path in paths.items():
        np.testing.assert_array_equal(path.qacc[-1], solves[name].qacc[problem.dofs])
        np.testing.assert_array_equal(path.rows[-1], solves[name].efc_force[problem.rows])
        force = solves[name].contact_force[problem.contact, : problem.dim]
        np.testing.assert_allclose(path.force[-1], force, rtol=1e-13, atol=1e-13 * np.abs(force).max())


@BOTH
@DIMS
def test_gradient_is_zero_where_newton_ends_and_costs_meet(cone, dim):
    problem, paths, _ = problem_of(cone, dim)
    path = paths["Newton"]
    start, end = (np.abs(problem.gradient(path.qacc[k])).max() for k in (0, -1))
    assert end < 1e-9 * start
    assert path.cost[-1] + path.dual[-1] == pytest.approx(0.0, abs=1e-9 * np.abs(path.cost).max())
    for other in ("CG", "PGS"):
        assert paths[other].cost[-1] == pytest.approx(path.cost[-1], rel=1e-6)


@BOTH
@DIMS
def test_dual_cost_falls_in_every_sweep_of_pgs(cone, dim):
    _, paths, _ = problem_of(cone, dim)
    dual = paths["PGS"].dual
    assert len(dual) > 3
    assert (np.diff(dual) <= 1e-13 * np.abs(dual).max()).all()


@BOTH
@pytest.mark.parametrize("axes", [(1, 0), (2, 0), (1, 2)])
def test_sections_have_the_solvers_costs_where_they_go_through(cone, axes):
    problem, paths, _ = problem_of(cone)
    plane = plane_of(problem, axes)
    assert plane.moves
    for path in paths.values():
        for k in (0, len(path) // 2, -1):
            x, y = path.motion[k, list(axes)]
            value = primal_section(problem, plane, path.qacc[k], np.array([x]), np.array([y]))
            assert value[0, 0] == pytest.approx(path.cost[k], rel=1e-12, abs=1e-12 * np.abs(path.cost).max())
            x, y = path.force[k, list(axes)]
            value = dual_section(problem, plane, path.rows[k], np.array([x]), np.array([y]))
            assert value[0, 0] == pytest.approx(path.dual[k], rel=1e-12, abs=1e-12 * np.abs(path.dual).max())


@BOTH
def test_section_of_the_primal_is_the_cost_of_accelerations_that_are_made(cone):
    """Each point of a section is an acceleration: M^-1 J' of a force on the contact from where the section goes through."""
    problem, paths, _ = problem_of(cone)
    qacc, plane = paths["CG"].qacc[1], plane_of(problem, (1, 0))
    contact = problem.to_motion @ problem.J[problem.own]
    for step in (np.array([0.3, -0.2]), np.array([-4.0, 7.0])):
        moved = qacc + np.linalg.solve(problem.inertia, contact.T @ plane.response @ step)
        np.testing.assert_allclose(problem.motion(moved) - problem.motion(qacc), plane.axes @ step, atol=1e-10)
        x, y = problem.motion(moved) @ plane.axes
        value = primal_section(problem, plane, qacc, np.array([x]), np.array([y]))
        assert value[0, 0] == pytest.approx(float(problem.primal(moved)), rel=1e-9)


@BOTH
def test_no_point_of_a_section_is_below_the_solution(cone):
    problem, paths, _ = problem_of(cone)
    path, plane = paths["Newton"], plane_of(problem, (1, 0))
    reach = np.linspace(-1.0, 1.0, 41)
    w, f = path.motion[-1, :2], path.force[-1, :2]
    value = primal_section(problem, plane, path.qacc[-1], w[1] + reach, w[0] + reach)
    assert value.min() >= path.cost[-1] * (1 - 1e-12)
    force = f[0] * reach
    value = dual_section(problem, plane, path.rows[-1], f[1] + force, f[0] + force)
    room = room_section(problem, plane, path.rows[-1], f[1] + force, f[0] + force)
    assert (room < 0).any()
    assert value[room >= 0].min() >= path.dual[-1] - 1e-9 * abs(path.dual[-1])


@pytest.mark.parametrize("dim", [3, 4, 6])
def test_zones_of_elliptic_contacts_are_the_states_of_their_rows(dim):
    states = {
        mjtConstraintState.mjCNSTRSTATE_SATISFIED: Zone.SEPARATED,
        mjtConstraintState.mjCNSTRSTATE_QUADRATIC: Zone.STICKING,
        mjtConstraintState.mjCNSTRSTATE_CONE: Zone.SLIDING,
    }
    seen = set()
    for contact in range(8):
        problem, _, solves = problem_of("elliptic", dim, contact=contact, speed=2.0)
        for name in ("Newton", "CG"):
            for trace in solves[name].record:
                if problem.rows[0] in trace.rows:
                    zones = problem.zones(problem.motion(trace.qacc))
                    expected = [states[mjtConstraintState(state)] for state in trace.state[:, problem.own.start]]
                    assert zones.tolist() == expected
                    seen |= set(expected)
    assert seen == set(Zone)


def test_zones_of_pyramids_count_the_edges_that_push():
    seen = set()
    for contact in range(8):
        problem, _, solves = problem_of("pyramidal", contact=contact, speed=2.0)
        trace = next(part for part in solves["Newton"].record if problem.rows[0] in part.rows)
        pushing = (trace.state[:, problem.own] != mjtConstraintState.mjCNSTRSTATE_SATISFIED).sum(axis=1)
        zones = problem.zones(problem.motion(trace.qacc))
        for zone, count in zip(zones, pushing, strict=True):
            expected = Zone.SEPARATED if count == 0 else Zone.STICKING if count == 4 else Zone.SLIDING
            assert zone == expected
            seen.add(Zone(zone))
    assert len(seen) >= 2


@BOTH
@DIMS
def test_penalty_is_the_share_of_the_contact_in_the_cost(cone, dim):
    """Of a ball alone on a floor the penalty is all of the constraint's cost."""
    xml = f"""<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="1 1 1" condim="{dim}"/>
    <body pos="0 0 .099"><freejoint/><geom size=".1" condim="{dim}"/></body></worldbody></mujoco>"""
    problem, paths, _ = problem_in(xml)
    for path in paths.values():
        away = path.qacc - problem.free
        gauss = 0.5 * ((away @ problem.inertia) * away).sum(axis=1)
        np.testing.assert_allclose(problem.penalty(path.motion), path.cost - gauss, atol=1e-11 * path.cost.max())
    plane, w = plane_of(problem, (1, 0) if dim > 1 else (0,)), paths["Newton"].motion[-1]
    here = [np.array([place]) for place in (w[1::-1] if dim > 1 else (w[0], 0.0))]
    assert penalty_section(problem, plane, w, *here)[0, 0] == pytest.approx(float(problem.penalty(w)), rel=1e-12)
    assert zone_section(problem, plane, w, *here)[0, 0] == problem.zones(w)


@pytest.mark.parametrize("dim", [3, 4, 6])
def test_pgs_goes_along_the_ray_to_its_best_and_then_to_the_best_of_the_slice(dim):
    problem, paths, _ = problem_of("elliptic", dim)
    path, rays = paths["PGS"], 0
    inner = problem.A[problem.own, problem.own] + np.diag(problem.terms.R[problem.own])
    for before, after in pairwise(path.rows[:60]):
        steps = pgs_update(problem, before, after)
        assert steps[0].tolist() == before[problem.own].tolist()
        assert steps[-1].tolist() == after[problem.own].tolist()
        slope = problem.dual_slope(seen_by_pgs(problem, before, after))
        costs = [(step - steps[0]) @ slope + 0.5 * (step - steps[0]) @ inner @ (step - steps[0]) for step in steps]
        assert (np.diff(costs) <= 1e-10 * max(1.0, abs(costs[-1]))).all()
        assert problem.room(steps[-1]) >= -1e-9 * max(1.0, steps[-1][0])
        if len(steps) < 3:
            continue
        rays += 1
        old, ray, new = steps
        assert new[0] == ray[0]  # in the slice the normal force stays
        along = old @ (slope + inner @ (ray - old))
        assert abs(along) <= 1e-9 * max(1.0, np.abs(old @ slope)) or ray[0] == 0.0
        left = (slope + inner @ (new - old))[1:] * problem.friction
        pushed = new[1:] / problem.friction
        if problem.room(new) > 1e-6 * new[0]:  # inside: nothing is left to gain
            assert np.abs(left).max() <= 1e-7 * max(1.0, np.abs(slope).max())
        else:  # on the rim: what is left points outwards
            assert left @ pushed <= 0
            assert abs(left @ pushed) == pytest.approx(np.linalg.norm(left) * np.linalg.norm(pushed), rel=1e-5)
    assert rays > 3


def test_pgs_updates_the_edges_of_a_pyramid_one_after_the_other():
    problem, paths, _ = problem_of("pyramidal")
    for before, after in pairwise(paths["PGS"].rows[:30]):
        steps = pgs_update(problem, before, after)
        assert len(steps) == 5
        assert ((np.diff(steps, axis=0) != 0).sum(axis=1) <= 1).all()
        assert steps[-1].tolist() == after[problem.own].tolist()


def test_directions_in_which_bodies_cannot_move_are_known():
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .099"><joint type="slide" axis="0 0 1"/>
    <geom size=".1"/></body></worldbody></mujoco>"""
    problem, paths, _ = problem_in(xml)
    assert plane_of(problem, (0,)).moves
    assert not plane_of(problem, (1, 0)).moves
    assert not plane_of(problem, (1,)).moves
    path = paths["Newton"]
    value = primal_section(problem, plane_of(problem, (0,)), path.qacc[-1], path.motion[-1, :1], np.zeros(1))
    assert value[0, 0] == pytest.approx(path.cost[-1], rel=1e-12)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_islands_are_problems_of_their_own(jacobian):
    xml = scene(*ALL, jacobian=jacobian)
    problem, paths, solves = problem_in(xml)
    assert len(solves["Newton"].record) > 1
    assert len(problem.rows) < len(solves["Newton"].efc_force)
    for path in paths.values():
        np.testing.assert_allclose(problem.primal(path.qacc), path.cost, rtol=0, atol=1e-12 * np.abs(path.cost).max())
    assert isinstance(problem_in(xml, island=False)[0].b, np.ndarray)


def test_contacts_without_a_force_are_explained():
    m = MjModel.from_xml_string(SCENE.format(cone="elliptic", dim=3))
    d = MjData(m)
    physics.mj_forward(m, d)
    again = Again(m)
    again.hold(d)
    again.solve_held()
    for contact in (-1, 10_000):
        assert "no force" in again.problem_of(contact)
