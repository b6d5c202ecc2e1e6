"""A frozen step solved again: the same with the same settings, others with others, and nothing else is touched."""

import numpy as np
import pytest

from tests.physics.island.scenes import ALL, scene
from tests.physics.sensor.scene import SCENE
from tumble import physics
from tumble.physics import Again, ContactModel, MjData, MjModel
from tumble.physics.errors import ModelError

SENSING = SCENE.replace("CONE", "elliptic").replace("ENERGY", "enable")
PGS, CG, NEWTON = physics.mjtSolver.mjSOL_PGS, physics.mjtSolver.mjSOL_CG, physics.mjtSolver.mjSOL_NEWTON


def stepped(xml, steps=15, recording=True, **options):
    m = MjModel.from_xml_string(xml)
    for name, value in options.items():
        setattr(m.opt, name, value)
    d = MjData(m)
    if recording:
        physics.start_recording(d)
    d.qvel[:] = np.random.default_rng(0).normal(size=m.nv) * 0.2
    for _ in range(steps):
        d.ctrl[:] = 0.1 * np.sin(d.time)
        physics.mj_step(m, d)
    return m, d


def whole(block):
    """Every bit of a model or data."""
    return block._slots.tobytes(), {name: a.tobytes() for name, a in block._arrays.items()}


@pytest.mark.parametrize(
    "xml", [scene(*ALL), scene(*ALL, cone="elliptic", jacobian="dense"), SENSING], ids=["sparse", "dense", "sensing"]
)
@pytest.mark.parametrize("integrator", [0, 1, 2])
def test_the_same_settings_give_the_same_bits_and_touch_nothing(xml, integrator):
    m, d = stepped(xml, integrator=integrator)
    model, data = whole(m), whole(d)
    again = Again(m)
    for settings in ({}, {"solver": PGS, "cone": 0}, {"contact_model": ContactModel.LCP}, {"noslip_iterations": 3}, {}):
        solved = again.solve(d, **settings)
        if not settings:
            for name in ("qacc", "efc_force", "efc_state", "qfrc_constraint", "efc_type"):
                assert getattr(solved, name).tobytes() == getattr(d, name).tobytes(), name
            np.testing.assert_array_equal(solved.contact_pos, d.contact.pos)
        assert solved.record.force(10**6).tobytes() == solved.efc_force.tobytes()
        assert solved.seconds > 0.0
    assert whole(m) == model
    assert whole(d) == data


def test_a_held_step_is_solved_as_often_as_one_likes_while_the_data_go_on():
    m, d = stepped(scene(*ALL), 5)
    again, other = Again(m, alone=True), Again(m)
    expected = [other.solve(d, solver=solver) for solver in (NEWTON, PGS, CG, NEWTON)]
    again.hold(d)
    m.opt.tolerance = 1.0  # of later steps
    for _ in range(5):
        physics.mj_step(m, d)
    for solver, solved in zip((NEWTON, PGS, CG, NEWTON), expected, strict=True):
        held = again.solve_held(solver=solver)
        for name in ("qacc", "efc_force", "efc_state", "contact_pos"):
            assert getattr(held, name).tobytes() == getattr(solved, name).tobytes(), name


def test_steps_go_on_as_if_nothing_had_been_solved_again():
    m, d = stepped(scene(*ALL), 5)
    other = MjData(m)
    physics.mj_copyData(other, m, d)
    again = Again(m)
    for _ in range(5):
        again.solve(d, solver=CG, cone=physics.mjtCone.mjCONE_ELLIPTIC, iterations=3)
        physics.mj_step(m, d)
        physics.mj_step(m, other)
        assert d.qpos.tobytes() == other.qpos.tobytes()


def test_other_settings_reach_the_solver():
    m, d = stepped(scene(*ALL, solver="Newton"))
    again = Again(m)
    newton = again.solve(d, solver=NEWTON, tolerance=1e-14, iterations=200)
    for solver in (CG, PGS):
        other = again.solve(d, solver=solver, tolerance=0.0, iterations=3000)
        assert {trace.solver for trace in other.record} == {"CG" if solver == CG else "PGS"}
        np.testing.assert_allclose(other.qacc, newton.qacc, rtol=1e-6, atol=1e-6)
    assert again.solve(d, solver=PGS, iterations=1).record.cost[-1] > newton.record.cost[-1]
    elliptic = again.solve(d, cone=physics.mjtCone.mjCONE_ELLIPTIC)
    assert (elliptic.efc_type == physics.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC).any()
    assert len(elliptic.contact_force) == len(elliptic.contact_geom) == d.ncon
    hard = again.solve(d, contact_model=ContactModel.LCP, lcp_sweeps=50)
    assert hard.record[0].solver == "LCP"
    assert hard.niter[0] <= 50
    assert len(again.solve(d, island=False).record) == 1
    cold = again.solve(d, warmstart=False).record
    assert max(trace.cost[0] for trace in cold) >= max(trace.cost[0] for trace in again.solve(d).record)
    assert again.solve(d, jacobian=physics.mjtJacobian.mjJAC_DENSE).qacc == pytest.approx(newton.qacc, rel=1e-5, abs=1e-5)
    assert physics.solve_again(m, d).qacc.tobytes() == d.qacc.tobytes()


def test_options_of_the_model_are_followed():
    m, d = stepped(scene(*ALL))
    again = Again(m)
    before = again.solve(d).qacc
    m.opt.gravity[2] = -1.0
    m.opt.impratio = 10.0
    m.geom_friction[:] = 0.1
    assert np.abs(again.solve(d).qacc - before).max() > 1.0


def test_without_recording_it_is_the_present_state():
    m, d = stepped(scene(*ALL), recording=False)
    solved = physics.solve_again(m, d)
    physics.mj_forward(m, d)
    assert solved.qacc.tobytes() == d.qacc.tobytes()
    assert solved.efc_force.tobytes() == d.efc_force.tobytes()


def test_wrong_settings_and_wrong_data_are_refused():
    m, d = stepped(scene("box"), 2)
    again = Again(m)
    with pytest.raises(ModelError, match="'sover' is not a setting of a solve; valid are solver, cone"):
        again.solve(d, sover=PGS)
    with pytest.raises(ModelError, match="option solver=7 is unknown"):
        again.solve(d, solver=7)
    with pytest.raises(ModelError, match="belong to another model"):
        again.solve(MjData(MjModel.from_xml_string(scene("box"))))
    assert again.solve(d).qacc.tobytes() == d.qacc.tobytes()
