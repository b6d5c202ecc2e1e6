"""Actuators of every kind: compiled and computed as the reference does, in many small random models."""

from random import Random

import mujoco
import numpy as np
import pytest

from tests.physics.reference import assert_close, put_state, twins
from tumble import physics

HEAD = """<mujoco><option actuatorgroupdisable="{disabled}" integrator="{integrator}"><flag clampctrl="{clamp}"/></option>
<default>{default}</default>
<worldbody>
  <geom type="plane" size="5 5 1" pos="0 0 -.62"/><site name="p6" pos=".1 .2 .3" euler="20 40 60"/>
  <body pos="0 0 .2" gravcomp=".6" name="B1">
    <joint name="h1" axis="0 1 .2" range="-1 1.2" {joint} armature=".1"/>
    <geom type="capsule" size=".05 .2" pos=".1 0 0" mass="1"/>
    <site name="p1" pos=".2 0 .1" euler="10 20 30"/>
    <body name="B2" pos=".3 0 0" gravcomp="1"><joint name="s1" type="slide" axis="1 .3 0" range="-.4 .5" {joint}/>
      <geom type="box" size=".05 .06 .07" mass=".5" pos="0 0 -.8"/><site name="p2" pos="0 .1 0" euler="-40 20 10"/>
      <site name="q1" pos=".1 0 .2"/>
      <body pos=".2 0 0"><joint name="b1" type="ball" damping=".1"/><geom size=".05" pos=".1 0 .1" mass=".4"/>
        <site name="p3" pos=".1 .1 .1" euler="70 0 10"/><site name="q2" pos=".1 0 .1"/></body></body>
    <body pos="0 .4 0"><joint name="h2" axis="1 0 0"/><joint name="h3"/>
      <geom type="box" size=".05 .1 .02" mass=".6"/></body></body>
  <body name="F1" pos="1 1 -.521"><joint name="f1" type="free" armature=".05"/><geom type="box" size=".1 .1 .1" mass="1"/>
    <geom size=".05" pos=".5 0 .02" mass=".1" margin=".1" gap=".09"/>
    <site name="p4" pos=".05 .05 .1" euler="5 6 7"/></body>
  <body name="F2" pos="1 -1 .5" euler="20 30 40"><freejoint/><geom size=".1" mass="1"/>
    <site name="p5" pos="-.05 .05 .1" euler="50 6 7"/></body>
</worldbody>
<tendon>
  <fixed name="tf" range="-.6 .7" {tendon}><joint joint="h1" coef="1.3"/><joint joint="s1" coef="-.7"/></fixed>
  <spatial name="ts" {tendon}><site site="p1"/><site site="p6"/></spatial>
  <spatial name="tl" range=".1 1.9" {tendon}><site site="p2"/><site site="p4"/></spatial>
</tendon>
<actuator>"""
DEFAULTS = ("", "", '<velocity kv="2"/>', '<motor gear="2"/>', '<muscle lmin=".4" force="50"/>',
            '<general forcerange="-1 1" group="1"/>', '<cylinder diameter=".5" timeconst=".2"/>',
            '<position kp="3" dampratio="1"/>')  # fmt: skip
INTEGRATORS = ("Euler", "RK4", "implicitfast", "implicit")
SITES = ("p1", "p2", "p3", "p4", "p5", "p6")
RANGED = ("h1", "s1", "tf", "tl")
KINDS = ("general", "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion")
MUSCLE = {"timeconst": (2, 0.01, 0.1), "tausmooth": (1, 0, 0.5), "force": (1, -1, 100), "scale": (1, 50, 300),
          "lmin": (1, 0.2, 0.9), "lmax": (1, 1.1, 2), "vmax": (1, 0.5, 3), "fpmax": (1, 0.5, 3),
          "fvmax": (1, 1.05, 2)}  # fmt: skip


def actuator_model(seed: int) -> str:
    """The text of a model with three to six actuators."""
    r = Random(seed)
    head = HEAD.format(
        disabled=" ".join(str(k) for k in range(6) if r.random() < 0.2) or "7", integrator=r.choice(INTEGRATORS),
        clamp=r.choice(("enable", "enable", "disable")), default=r.choice(DEFAULTS),
        joint=perhaps(r, 0.3, "actuatorfrcrange", span(r, -1.5, 1.5)) + perhaps(r, 0.3, "actuatorgravcomp", "true"),
        tendon=perhaps(r, 0.4, "actuatorfrcrange", span(r, -1.5, 1.5)),
    )  # fmt: skip
    return head + "".join(actuator(r) for _ in range(r.randint(3, 6))) + "</actuator></mujoco>"


def perhaps(r: Random, part: float, name: str, value: str) -> str:
    """An attribute, in a part of all cases."""
    return f'{name}="{value}" ' if r.random() < part else ""


def numbers(r: Random, count: int, low: float, high: float) -> str:
    """Some numbers."""
    return " ".join(f"{r.uniform(low, high):.3f}" for _ in range(count))


def span(r: Random, low: float = -1, high: float = 1) -> str:
    """A range."""
    first = r.uniform(low, high)
    return f"{first:.3f} {first + r.uniform(0.1, high - low):.3f}"


def actuator(r: Random) -> str:
    """One actuator."""
    kind = r.choice(KINDS)
    one_sided = kind in ("damper", "adhesion")
    attributes = {"body": r.choice(("B1", "B2", "F1", "F1", "world"))} if kind == "adhesion" else transmission(r, kind)
    if one_sided or r.random() < 0.4:
        attributes["ctrlrange"] = span(r, 0, 1) if one_sided else span(r)
    if r.random() < 0.3:
        attributes["forcerange"], attributes["forcelimited"] = span(r, -3, 3), r.choice(("auto", "false", "true"))
    if r.random() < 0.4:
        attributes["group"] = str(r.randint(0, 5))
    attributes |= OWN.get(kind, nothing)(r, attributes)
    return f"<{kind} " + " ".join(f'{name}="{value}"' for name, value in attributes.items()) + "/>"


def transmission(r: Random, kind: str) -> dict[str, str]:
    """What it acts on, and its gear."""
    gear = {"gear": numbers(r, r.randint(1, 6), -2, 2)} if r.random() < 0.8 else {}
    if kind == "muscle":
        return {"joint": r.choice(("h1", "s1", "h2"))} | gear if r.random() < 0.5 else {"tendon": r.choice(("tf", "ts", "tl"))}
    target = r.choice(("joint", "joint", "jointinparent", "tendon", "tendon", "site", "refsite", "crank"))
    if target in ("joint", "jointinparent"):
        return {target: r.choice(("h1", "s1", "b1", "f1", "h2", "h3"))} | gear
    if target == "tendon":
        return {target: r.choice(("tf", "ts", "tl"))} | gear
    first, second = r.sample(SITES, 2)
    if target == "site":
        return {"site": first} | gear
    if target == "refsite" and r.random() < 0.5:
        return {"site": "q2", "refsite": "q1", "gear": numbers(r, 6, -2, 2)}
    if target == "refsite":  # without turning: where the sites are turned in their bodies, the reference's angle is not theirs
        return {"site": first, "refsite": second, "gear": numbers(r, 3, -2, 2)}
    return {"cranksite": first, "slidersite": second, "cranklength": numbers(r, 1, 0.05, 1.2)} | gear


def nothing(r: Random, given: dict[str, str]) -> dict[str, str]:
    """No attributes of its own."""
    return {}


def general(r: Random, given: dict[str, str]) -> dict[str, str]:
    """Types and parameters of activation, gain and bias."""
    own = {"dyntype": r.choice(("none", "integrator", "filter", "filterexact", "muscle", "user"))}
    for name, kinds in (("gaintype", ("fixed", "affine", "user")), ("biastype", ("none", "affine", "user"))):
        if r.random() < 0.5:
            own[name] = r.choice(kinds)
    for name, low, high in (("dynprm", 0.01, 0.5), ("gainprm", -2, 2), ("biasprm", -2, 2)):
        if r.random() < 0.7:
            own[name] = numbers(r, r.randint(1, 3), low, high)
    if own["dyntype"] != "none":
        own |= {"actearly": r.choice(("true", "false"))}
        if r.random() < 0.4:
            own |= {"actrange": span(r), "actlimited": r.choice(("auto", "true", "false"))}
    if own["dyntype"] == "user":
        own["actdim"] = str(r.randint(1, 4))
    return own


def servo(r: Random, given: dict[str, str]) -> dict[str, str]:
    """Stiffness and damping."""
    own = {"kp": numbers(r, 1, 0.5, 5)} if r.random() < 0.8 else {}
    damping = r.choice(("kv", "dampratio", ""))
    return own | {damping: numbers(r, 1, 0.1, 2)} if damping else own


def position(r: Random, given: dict[str, str]) -> dict[str, str]:
    """A servo, perhaps with a filter and a range that it inherits."""
    own = servo(r, given)
    if r.random() < 0.4:
        own["timeconst"] = numbers(r, 1, 0, 0.3)
    ranged = given.get("joint", given.get("tendon")) in RANGED and "ctrlrange" not in given
    return own | ({"inheritrange": numbers(r, 1, 0.3, 1.5)} if ranged else {"inheritrange": "0"})


def intvelocity(r: Random, given: dict[str, str]) -> dict[str, str]:
    """A servo with a range of its set point."""
    ranged = given.get("joint", given.get("tendon")) in RANGED and "ctrlrange" not in given and r.random() < 0.5
    return servo(r, given) | ({"inheritrange": numbers(r, 1, 0.3, 1.5), "actrange": "0 0"} if ranged else {"actrange": span(r)})


def cylinder(r: Random, given: dict[str, str]) -> dict[str, str]:
    """A cylinder."""
    own = {"timeconst": numbers(r, 1, 0.05, 1), "area": numbers(r, 1, 0.1, 2), "diameter": numbers(r, 1, 0.1, 2),
           "bias": numbers(r, 3, -1, 1)}  # fmt: skip
    return {name: value for name, value in own.items() if r.random() < 0.5}


def muscle(r: Random, given: dict[str, str]) -> dict[str, str]:
    """A muscle, with its length range: finding that is a simulation."""
    own = {name: numbers(r, *shape) for name, shape in MUSCLE.items() if r.random() < 0.4}
    own["range"] = f"{numbers(r, 1, 0.5, 0.9)} {numbers(r, 1, 1, 1.4)}"  # a default class of another kind may have left another
    return own | {"lengthrange": f"{numbers(r, 1, 0.05, 0.5)} {numbers(r, 1, 0.6, 1.5)}"}


OWN = {
    "general": general, "position": position, "intvelocity": intvelocity, "cylinder": cylinder, "muscle": muscle,
    "velocity": lambda r, given: {"kv": numbers(r, 1, -0.5, 3)}, "damper": lambda r, given: {"kv": numbers(r, 1, 0, 3)},
    "adhesion": lambda r, given: {"gain": numbers(r, 1, 0.5, 4)},
}  # fmt: skip


COMPILED = [name for name, field in physics.MjModel._struct.fields.items()
            if name.startswith("actuator_") and field.shape and hasattr(mujoco.MjModel, name)]  # fmt: skip
COMPUTED = ("act_dot", "actuator_length", "actuator_velocity", "actuator_force", "qfrc_actuator")
MODELS = 40


def moments(m, d):
    """actuator_moment, dense."""
    dense = np.zeros((m.nu, m.nv))
    rows = [np.array(a) for a in (d.actuator_moment, d.moment_rownnz, d.moment_rowadr, d.moment_colind)]
    mujoco.mju_sparse2dense(dense, *rows)
    return dense


def random_state(m, d, seed):
    """A state near the initial one; the box stays on the floor, where adhesion holds it."""
    r = np.random.default_rng(seed)
    box = slice(m.jnt("f1").qposadr[0], m.jnt("f1").qposadr[0] + 7)
    d.qpos[:] = m.qpos0 + r.uniform(-0.2, 0.2, m.nq)
    d.qpos[box] = m.qpos0[box]
    mujoco.mj_normalizeQuat(m, d.qpos)
    d.qvel[:], d.ctrl[:], d.act[:] = r.normal(size=m.nv), r.normal(size=m.nu), r.normal(size=m.na)


@pytest.mark.parametrize("seed", range(MODELS))
def test_random_actuators_are_the_references(seed):
    text = actuator_model(seed)
    rm, m = mujoco.MjModel.from_xml_string(text), physics.MjModel.from_xml_string(text)
    assert_close(m, rm, COMPILED, rtol=1e-8, atol=1e-9)
    rd, d = mujoco.MjData(rm), physics.MjData(m)
    random_state(rm, rd, seed)
    put_state(d, rd)
    mujoco.mj_forward(rm, rd)
    physics.mj_forward(m, d)
    assert_close(d, rd, COMPUTED)
    np.testing.assert_allclose(moments(m, d), moments(rm, rd), 1e-9, 1e-10)
    again = physics.MjData(m)
    put_state(again, rd)
    for part in ("kinematics", "comPos", "tendon", "collision", "transmission"):
        getattr(physics, f"mj_{part}")(m, again)
    np.testing.assert_allclose(moments(m, again), moments(m, d), 1e-12, 1e-12)
    mujoco.mj_step(rm, rd)
    physics.mj_step(m, d)
    assert_close(d, rd, ("act", "act_dot"), rtol=1e-8, atol=1e-8 * max(1.0, np.abs(rd.qvel).max()))


TWO = '<motor joint="j"/><general joint="k" dyntype="integrator" actlimited="true" actrange="0 1"/>'


@pytest.mark.parametrize("actuators", ["", TWO])
@pytest.mark.parametrize("flag", ["enable", "disable"])
def test_gravcomp_and_activations_follow_actuation_flag(actuators, flag):
    joint = '<body gravcomp="1"><joint name="{}" axis="0 1 0" actuatorgravcomp="true" actuatorfrcrange="-{} 20"/>' \
            '<geom size=".1" pos=".3 0 0"/></body>'
    text = f"""<mujoco><option><flag actuation="{flag}"/></option>
      <worldbody>{joint.format("j", 0.2)}{joint.format("k", 20)}</worldbody><actuator>{actuators}</actuator></mujoco>"""
    rm, rd, m, d = twins(text)
    for data in (rd, d):
        data.act[:], data.ctrl[:] = 3.0, 0.5
    mujoco.mj_step(rm, rd)
    physics.mj_step(m, d)
    assert_close(d, rd, ("act", "act_dot", "qfrc_actuator", "qfrc_gravcomp", "qfrc_passive", "qacc"))
