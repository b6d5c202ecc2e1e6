"""Soft constraints in physical units, against the engine: depths, creep, mixtures, conversions, the edge of stability."""

import numpy as np
import pytest

from tumble import physics
from tumble.app.editing import impedance
from tumble.app.editing.impedance import Impedance, Spring, SteadyLoad, physical, rest_depth, spring_for
from tumble.app.editing.mixing import explain, look_at, mix, unmix
from tumble.app.editing.parameters import kind_named
from tumble.app.panels.parameters.impedance_lab import ElementProbe

BOX = """
<mujoco>
  <option cone="{cone}" impratio="2"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" solimp="{solimp}" solref="{solref}" friction="0.7 0.01 0.001"/>
    <body pos="0 0 0.1"><freejoint/>
      <geom name="box" type="box" size="0.1 0.2 0.1" mass="3" condim="{condim}" solimp="{solimp}" solref="{solref}"/></body>
  </worldbody>
</mujoco>
"""


def _load(text):
    model = physics.MjModel.from_xml_string(text)
    return model, physics.MjData(model)


def _mixes_as_engine(m, d, first, second):
    """The mixture of two geoms, which is that of the first contact."""
    physics.mj_forward(m, d)
    mixed = mix(m, look_at(m), first, second)
    assert mixed.condim == d.contact.dim[0]
    for name in ("friction", "solref", "solimp"):
        assert getattr(mixed, name) == pytest.approx(np.asarray(getattr(d.contact, name))[0], rel=1e-12), name
    return mixed


def _carried(model, data, kind, index):
    probe = ElementProbe()
    probe.aim(kind_named(kind), index)
    into = probe.room(model, data)
    probe.take(model, data, into)
    return into


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 6])
@pytest.mark.parametrize("solimp", ["0.9 0.95 0.001 0.5 2", "0.3 0.8 0.05 0.3 4", "0.7 0.7 0.01 0.5 1"])
@pytest.mark.parametrize("solref", ["0.05 1.2", "-900 -60"])
def test_a_resting_box_sinks_as_deep_as_predicted(cone, condim, solimp, solref):
    m, d = _load(BOX.format(cone=cone, condim=condim, solimp=solimp, solref=solref))
    physics.mj_step(m, d, 4000)
    carried = _carried(m, d, "geom", 1)
    assert carried.total == 4
    assert carried.load.sum() == pytest.approx(3 * 9.81, rel=1e-6)  # what is told as the load is the weight
    mixed = mix(m, look_at(m), 0, 1)
    imp = Impedance.of(mixed.solimp)
    spring = Spring.of(mixed.solref, imp, m.opt.timestep)
    for depth, load, weight in zip(carried.depth, carried.load, carried.weight, strict=True):
        assert rest_depth(load * weight, spring, imp) == pytest.approx(depth, rel=1e-4)
        k = physical(spring, imp.d(depth), weight).stiffness
        assert load == pytest.approx(k * depth, rel=1e-4)


def test_impedance_and_spring_are_those_of_the_engine():
    rng = np.random.default_rng(0)
    for _ in range(50):
        imp5 = (*rng.uniform(-0.1, 1.1, 2), rng.choice([0.0, 0.002, 0.1]), rng.uniform(0, 1), rng.uniform(0.5, 4))
        ref = tuple(rng.uniform(0.001, 0.1, 2)) if rng.random() < 0.5 else tuple(-rng.uniform(1, 1000, 2))
        ref_text, imp_text = (" ".join(map(repr, map(float, numbers))) for numbers in (ref, imp5))
        m, d = _load(
            '<mujoco><compiler angle="radian"/><worldbody><body><geom size="0.1"/>'
            f'<joint range="-0.1 0.1" solreflimit="{ref_text}" solimplimit="{imp_text}"/></body></worldbody></mujoco>'
        )
        d.qpos[0] = 0.1 + rng.uniform(0, 0.004)
        physics.mj_forward(m, d)
        imp = Impedance.of(imp5)
        spring = Spring.of(ref, imp, m.opt.timestep)
        assert d.efc_KBIP[0, :3] == pytest.approx([spring.K, spring.B, imp.d(d.qpos[0] - 0.1)], rel=1e-12)


def test_stiffness_and_damping_round_trip_at_a_load():
    imp, weight, load = Impedance.of((0.4, 0.9, 0.02, 0.5, 2)), 0.37, 11.0
    spring = spring_for(1500.0, 80.0, weight, load, imp)
    depth = rest_depth(load * weight, spring, imp)
    assert depth == pytest.approx(load / 1500.0, rel=1e-9)
    now = physical(spring, imp.d(depth), weight)
    assert (now.stiffness, now.damping) == (pytest.approx(1500.0), pytest.approx(80.0))
    standard = impedance.standard_ref(spring, imp)
    assert standard is not None
    for ref in (impedance.direct_ref(spring, imp), standard):
        again = Spring.of(ref, imp, 1e-5)
        assert pytest.approx([spring.K, spring.B]) == [again.K, again.B]
    assert impedance.standard_ref(spring_for(1500.0, 0.0, weight, load, imp), imp) is None


def test_dry_friction_creeps_at_the_predicted_speed():
    m, d = _load(
        '<mujoco><worldbody><body><joint type="slide" axis="0 0 1" frictionloss="30" solreffriction="0.05 1"/>'
        '<geom size="0.1" mass="2"/></body></worldbody></mujoco>'
    )
    physics.mj_step(m, d, 2000)
    carried = _carried(m, d, "joint friction", 0)
    imp = Impedance.of(m.dof_solimp[0])
    spring = Spring.of(m.dof_solref[0], imp, m.opt.timestep)
    assert carried.load[0] == pytest.approx(2 * 9.81, rel=1e-6)
    assert impedance.creep_speed(float(carried.load[0] * carried.weight[0]), spring, imp) == pytest.approx(-d.qvel[0], rel=1e-6)


@pytest.mark.parametrize("kind", ["connect", "weld"])
def test_a_loaded_equality_gives_way_as_predicted(kind):
    anchor = 'anchor="0.1 0 0"' if kind == "connect" else ""
    m, d = _load(
        '<mujoco><worldbody><body name="b"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2"/></body></worldbody>'
        f'<equality><{kind} body1="b" {anchor} solref="0.1 1" solimp="0.5 0.9 0.1 0.5 2"/></equality></mujoco>'
    )
    d.xfrc_applied[1, 4] = 0.3 if kind == "weld" else 0.0
    m.opt.gravity[:] = (0, 0, -9.81) if kind == "weld" else (9.81, 0, 0)  # a connect swings unless it is pulled straight
    physics.mj_step(m, d, 6000)
    carried = _carried(m, d, "equality", 0)
    imp = Impedance.of(m.eq_solimp[0])
    spring = Spring.of(m.eq_solref[0], imp, m.opt.timestep)
    drive = float(carried.load[0] * carried.weight[0])
    assert carried.depth[0] > 1e-3
    assert rest_depth(drive, spring, imp) == pytest.approx(carried.depth[0], rel=1e-3)


@pytest.mark.parametrize(("share", "grows"), [(0.97, False), (1.03, True)])
@pytest.mark.parametrize("damped", [0.1, 1.0])
def test_the_edge_of_stability(share, grows, damped):
    """An equality on a slide pulls both ways, and its diagApprox is exact: the step matrix is that of the derivation."""
    h, d1 = 0.01, 0.9
    g = damped / h  # h g
    w = (4 * share - 2 * damped) / h**2
    ref = f"{-w} {-g}"  # with d = dwidth everywhere K d^2 = -solref[0] and B d = -solref[1]
    m, d = _load(
        f'<mujoco><option timestep="{h}" gravity="0 0 0"><flag eulerdamp="disable"/></option><worldbody><body>'
        '<joint name="x" type="slide"/><geom size="0.1"/></body></worldbody>'
        f'<equality><joint joint1="x" solref="{ref}" solimp="{d1} {d1} 0 0.5 1"/></equality></mujoco>'
    )
    imp = Impedance.of(m.eq_solimp[0])
    assert Spring.of(m.eq_solref[0], imp, h).step_share(d1, h) == pytest.approx(share)
    d.qpos[0] = 1e-3
    physics.mj_step(m, d, 30)
    assert bool(abs(d.qpos[0]) > 1e-2) is grows


def test_mixtures_are_those_of_the_engine():
    m, d = _load(BOX.format(cone="elliptic", condim=3, solimp="0.9 0.95 0.001 0.5 2", solref="0.02 1"))
    d.qpos[2] = 0.09
    rng, seen = np.random.default_rng(1), set()
    for _ in range(200):
        for g in (0, 1):
            m.geom_priority[g] = rng.integers(0, 2)
            m.geom_solmix[g] = rng.choice([0.0, 1.0, 3.0])
            m.geom_condim[g] = rng.choice([1, 3, 4, 6])
            m.geom_friction[g] = rng.uniform(0, 1, 3)
            m.geom_solref[g] = rng.uniform(0.01, 0.1, 2) * rng.choice([1, -1000])
            m.geom_solimp[g] = rng.uniform(0.1, 0.9, 5)
        m.opt.enableflags = int(physics.mjtEnableBit.mjENBL_OVERRIDE) if rng.random() < 0.1 else 0
        mixed = _mixes_as_engine(m, d, 0, 1)
        seen.add((mixed.decided, mixed.direct))
        assert explain(m, look_at(m), 1, 0)
        solref, why = unmix(look_at(m), 1, 0, tuple(mixed.solref))
        if mixed.decided != "override":
            if solref is None:
                assert why
                continue
            m.geom_solref[1] = solref  # what is found gives the contact that was asked for
            assert mix(m, look_at(m), 0, 1).solref == pytest.approx(mixed.solref, rel=1e-9)
    assert seen == {("weights", False), ("weights", True), ("priority", False), ("override", False)}


def test_steady_load_averages_bounces_and_drops_absent_rows():
    steady = SteadyLoad()
    assert steady.update(["a"], [5.0], 0.0) == [5.0]
    values = [steady.update(["a"], [10.0 if i % 2 else 0.0], 0.01 * i)[0] for i in range(1, 400)]
    assert values[-1] == pytest.approx(5.0, rel=0.02)
    assert steady.update(["a"], [99.0], 3.99) == [values[-1]]  # time stands: nothing to average
    assert steady.update(["b"], [7.0], 4.5) == [7.0]
    assert steady.update(["b"], [3.0], 0.0) == [3.0]  # reset


def test_explicit_pair_decides_mix_in_either_geom_order():
    m, d = _load(
        '<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/>'
        '<geom name="ball" size=".1" priority="3"/></body></worldbody><contact><pair name="both" geom1="ball" geom2="floor" '
        'condim="4" friction="1 .5 .1 .02 .01" solref="-400 -20" solimp="0.5 0.6 0.01 0.5 2"/></contact></mujoco>'
    )
    for override in (False, True):
        m.opt.enableflags = int(physics.mjtEnableBit.mjENBL_OVERRIDE) if override else 0
        for first, second in ((0, 1), (1, 0)):
            mixed = _mixes_as_engine(m, d, first, second)
            assert (mixed.decided, mixed.pair) == ("override" if override else "pair", 0)
            assert ("override" if override else "both") in explain(m, look_at(m), first, second)[0]


def test_what_a_solref_is_read_as_is_told():
    imp = Impedance.of((0.9, 0.95, 0.001, 0.5, 2))
    for ref, refsafe, raised, mixed in (
        ((0.02, 1.0), True, False, False), ((0.003, 1.0), True, True, False), ((0.003, 1.0), False, False, False),
        ((-100.0, 1.0), True, False, True), ((-100.0, -1.0), True, False, False),
    ):  # fmt: skip
        spring = Spring.of(ref, imp, 0.002, refsafe)
        assert (spring.raised, spring.mixed) == (raised, mixed), ref
    slow = Spring.of((0.04, 1.0), imp, 0.02)
    assert Spring.of((-100.0, 1.0), imp, 0.02) == Spring(slow.K, slow.B, raised=True, mixed=True)
