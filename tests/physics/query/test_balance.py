"""The equation of motion by origin: every split adds up to what the step computed, on all examples and on made ones."""

from pathlib import Path

import numpy as np
import pytest
from pytest import approx

import tumble
from tumble import physics
from tumble.physics.query.balance.equation import forces_by_origin, gravity_forces
from tumble.physics.query.balance.terms import Origin as O

EXAMPLES = sorted((Path(tumble.__file__).with_name("resources") / "models").glob("*.xml"))
SPRINGS = (O.JOINT_SPRING, O.TENDON_SPRING, O.SOFT_SPRING, O.CONTACT_SPRING)
DAMPERS = (O.JOINT_DAMPER, O.TENDON_DAMPER, O.SOFT_DAMPER)
MEDIUM = (O.BOX_VISCOSITY, O.BOX_DRAG, O.ADDED_MASS, O.VISCOSITY, O.DRAG, O.MAGNUS, O.KUTTA)
ROWS = (O.EQUALITY, O.DOF_FRICTION, O.TENDON_FRICTION, O.JOINT_LIMIT, O.TENDON_LIMIT, O.CONTACT)
CLOSED = 1e-9  # of the largest number on any dof; sums in another order differ by rounding, 1e-16 of it for each term
# Newton and CG stop at a gradient that is the remainder; so tight, it is rounding for a problem of some hundred rows.
TIGHT = {"tolerance": 1e-16, "iterations": 500, "ls_tolerance": 1e-8, "ls_iterations": 200}

EVERYTHING = """
<mujoco>
  <option density="1.2" viscosity=".1" wind=".3 .1 0"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1" friction=".6"/>
    <body name="base" pos="0 0 .1"><freejoint name="free"/><geom name="foot" type="box" size=".2 .2 .1" condim="6"/>
      <body name="arm" gravcomp=".7" pos="0 0 .2">
        <joint name="hinge" axis="0 1 0" stiffness="3" damping=".2" frictionloss=".05" range="-10 10" limited="true"
          armature=".01" actuatorgravcomp="true" actuatorfrcrange="-1 1"/>
        <geom type="capsule" size=".04 .1" fluidshape="ellipsoid"/><site name="tip" pos="0 0 .15"/>
        <body pos="0 0 .2" gravcomp=".3"><joint type="ball" stiffness=".5" damping=".1"/><geom size=".06"/></body>
      </body>
    </body>
    <body name="slider" pos=".5 0 .3"><joint name="slide" type="slide" axis="1 0 0" damping=".3"/><geom size=".05"/>
      <site name="hook"/></body>
    <body name="left" pos="1 0 .2"><freejoint/><geom size=".1"/></body>
    <body name="right" pos="1.3 0 .2"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <tendon>
    <spatial name="rope" stiffness="20" damping=".5" armature=".05" frictionloss=".1" limited="true" range="0 .4">
      <site site="tip"/><site site="hook"/></spatial>
  </tendon>
  <equality><connect name="tie" body1="left" body2="right" anchor=".15 0 0"/></equality>
  <actuator><motor name="push" joint="hinge" gear="3"/><position name="hold" joint="slide" kp="10"/>
    <motor name="wind" tendon="rope"/></actuator>
</mujoco>"""


def moving(m, steps=60, seed=0):
    """Data after some steps with random controls and velocities."""
    d, rng = physics.MjData(m), np.random.default_rng(seed)
    d.ctrl[:] = rng.uniform(-1, 1, m.nu)
    d.qvel[:] = rng.normal(0, 0.2, m.nv)
    physics.mj_step(m, d, steps)
    return d


def pushed(m):
    """The same, and forces of a user on a body and a dof."""
    d = moving(m)
    d.xfrc_applied[2], d.qfrc_applied[3] = (1, 2, 3, 0.1, 0.2, 0.3), 0.5
    physics.mj_step(m, d)
    return d


def awake(m, d):
    return np.asarray(d.tree_asleep)[np.asarray(m.dof_treeid)] < 0


def gaps(m, d):
    """Largest difference between each split and the engine's sum, as a share of the largest force on any dof."""
    balance, here = forces_by_origin(m, d), awake(m, d)
    compensated = np.asarray(m.jnt_actgravcomp, bool)[np.asarray(m.dof_jntid)]
    by_actuators = np.where(compensated, d.qfrc_gravcomp, 0.0)
    passive = balance.sum(*SPRINGS, *DAMPERS, *MEDIUM, O.GRAVITY_COMPENSATION, O.PASSIVE_FUNCTION) - by_actuators
    pairs = {
        "bias": (-balance.sum(O.GRAVITY, O.CORIOLIS), d.qfrc_bias),
        "spring": (balance.sum(*SPRINGS), d.qfrc_spring),
        "damper": (balance.sum(*DAMPERS), d.qfrc_damper),
        "medium": (balance.sum(*MEDIUM), d.qfrc_fluid),
        "compensation": (balance.sum(O.GRAVITY_COMPENSATION), d.qfrc_gravcomp),
        "passive": (passive, d.qfrc_passive),
        "actuators": (balance.sum(O.ACTUATOR, O.ACTUATOR_LIMIT) + by_actuators, d.qfrc_actuator),
        "constraints": (balance.sum(*ROWS), d.qfrc_constraint),
        "all": (balance.sum(*O), np.zeros(m.nv)),
    }
    largest = max(abs(balance.force).max(initial=0.0), 1e-12)
    return {name: abs(np.asarray(a) - b)[here].max(initial=0.0) / largest for name, (a, b) in pairs.items()}


def remainder(m, d):
    """The largest remainder, as a share of the largest force."""
    balance = forces_by_origin(m, d)
    return abs(balance.sum(O.REMAINDER)).max(initial=0.0) / max(abs(balance.force).max(initial=0.0), 1e-12)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_in_motion_adds_up(path):
    m = physics.MjModel.from_xml_path(str(path))
    d = moving(m)
    assert max(gaps(m, d).values()) < CLOSED
    physics.mj_forward(m, d)
    assert max(gaps(m, d).values()) < CLOSED


@pytest.mark.parametrize("integrator", physics.mjtIntegrator)
@pytest.mark.parametrize("cone", physics.mjtCone)
@pytest.mark.parametrize("solver", physics.mjtSolver)
def test_equation_closes_with_every_integrator_cone_and_solver(integrator, cone, solver):
    m = physics.MjModel.from_xml_string(EVERYTHING)
    m.opt.integrator, m.opt.cone, m.opt.solver = int(integrator), int(cone), int(solver)
    for name, value in TIGHT.items():
        setattr(m.opt, name, value)
    d = pushed(m)
    assert max(gaps(m, d).values()) < CLOSED
    assert remainder(m, d) < CLOSED
    present = set(forces_by_origin(m, d).origin.tolist())
    assert {O.CONTACT, O.EQUALITY, O.ACTUATOR, O.TENDON_SPRING, O.GRAVITY_COMPENSATION, O.PUSH, O.APPLIED, O.DRAG} <= present


@pytest.mark.parametrize("integrator", physics.mjtIntegrator)
def test_equation_closes_with_hard_contacts(integrator):
    m = physics.MjModel.from_xml_string(EVERYTHING)
    m.opt.integrator = int(integrator)
    m.tumble.contact_model = int(physics.ContactModel.LCP)
    m.opt.disableflags |= int(physics.mjtDisableBit.mjDSBL_DAMPER)  # without what the step takes implicitly: see the next test
    m.opt.density = m.opt.viscosity = 0.0
    d = pushed(m)
    assert max(gaps(m, d).values()) < CLOSED
    assert remainder(m, d) < CLOSED


def test_remainder_of_hard_contacts_is_the_implicit_damping_of_the_step():
    m = physics.MjModel.from_xml_string(EVERYTHING)
    m.tumble.contact_model = int(physics.ContactModel.LCP)
    d = moving(m)
    balance = forces_by_origin(m, d)
    # (M + h B) qacc = forces, where the equation has M qacc alone
    expected = -m.opt.timestep * np.asarray(m.dof_damping) * d.qacc
    assert balance.sum(O.REMAINDER) == approx(expected, abs=1e-12 * abs(balance.force).max())


def test_terms_name_their_elements():
    m = physics.MjModel.from_xml_string(EVERYTHING)
    d = moving(m)
    d.xfrc_applied[2], d.qfrc_applied[m.joint("slide").dofadr[0]] = (1, 2, 3, 0, 0, 0), 0.5
    physics.mj_forward(m, d)
    balance = forces_by_origin(m, d)

    def elements(origin):
        return set(balance.ident[balance.origin == origin].tolist())

    assert elements(O.ACTUATOR) == {m.actuator(name).id for name in ("push", "hold", "wind") if d.actuator(name).force[0]}
    assert elements(O.PUSH) == {2}
    assert elements(O.APPLIED) == {m.joint("slide").id}
    assert elements(O.TENDON_DAMPER) == {m.tendon("rope").id}
    assert elements(O.EQUALITY) == {m.equality("tie").id}
    assert elements(O.CONTACT) <= set(range(d.ncon))
    assert elements(O.DRAG) == {g for g in range(m.ngeom) if m.geom_fluid[g, 0]}
    assert elements(O.INERTIA) == elements(O.GRAVITY) == {-1}


def test_gravity_alone_is_the_bias_at_rest():
    m = physics.MjModel.from_xml_string(EVERYTHING)
    d = moving(m)
    d.qvel[:] = 0
    physics.mj_forward(m, d)
    assert gravity_forces(m, d) == approx(-np.asarray(d.qfrc_bias), abs=1e-12)
    m.opt.disableflags |= int(physics.mjtDisableBit.mjDSBL_GRAVITY)
    assert not gravity_forces(m, d).any()


def test_spring_and_damper_of_a_joint_follow_their_laws():
    m = physics.MjModel.from_xml_string(EVERYTHING)
    d = moving(m)
    physics.mj_forward(m, d)
    balance, joint = forces_by_origin(m, d), m.joint("hinge")
    i, q = int(joint.dofadr[0]), int(joint.qposadr[0])
    elements = zip(balance.origin.tolist(), balance.ident.tolist(), strict=True)
    force = dict(zip(elements, balance.on(np.array([i]))[:, 0], strict=True))
    assert force[O.JOINT_SPRING, joint.id] == approx(-3 * d.qpos[q], rel=1e-9)  # 1e-9: what is left of a sum with a tendon's
    assert force[O.JOINT_DAMPER, joint.id] == approx(-0.2 * d.qvel[i], rel=1e-9)


def test_power_of_all_terms_is_zero_and_that_of_a_damper_negative():
    m = physics.MjModel.from_xml_string(EVERYTHING)
    d = moving(m)
    physics.mj_forward(m, d)
    balance = forces_by_origin(m, d)
    power = balance.power(d.qvel)
    assert power.sum() == approx(0, abs=1e-9 * abs(power).max())
    assert (power[np.isin(balance.origin, DAMPERS)] < 0).all()
    lone = np.array([int(m.joint("slide").dofadr[0])])
    assert balance.power(d.qvel, lone) == approx(balance.on(lone)[:, 0] * d.qvel[lone[0]])


def test_sleeping_trees_have_no_terms():
    m = physics.MjModel.from_xml_string(EVERYTHING)
    m.opt.enableflags |= int(physics.mjtEnableBit.mjENBL_SLEEP)
    m.opt.sleep_tolerance = 1.0
    d = physics.MjData(m)
    while not (np.asarray(d.tree_asleep) >= 0).any():
        assert d.time < 5
        physics.mj_step(m, d, 10)
    balance = forces_by_origin(m, d)
    assert awake(m, d)[balance.dof].all()
    assert max(gaps(m, d).values()) < CLOSED


def test_actuator_limit_is_the_force_that_a_joint_range_takes_away():
    m = physics.MjModel.from_xml_string(EVERYTHING)
    d = physics.MjData(m)
    d.ctrl[m.actuator("push").id] = 5  # 15 N m from the motor, of which the joint passes 1
    physics.mj_forward(m, d)
    balance, i = forces_by_origin(m, d), int(m.joint("hinge").dofadr[0])
    taken = balance.sum(O.ACTUATOR_LIMIT)[i]
    assert balance.sum(O.ACTUATOR)[i] + d.qfrc_gravcomp[i] + taken == approx(1.0)
    assert taken < -13
