"""Rules that look at a run: each finds its fault in a small model and in a real one, and nothing in the same without it; each
change does to the run what it promises."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.app.doctor.test_rules import FLOOR, chain, crate, model
from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.doctor.case import Examination
from tumble.app.doctor.examine import examine
from tumble.app.doctor.finding import Finding
from tumble.app.doctor.proof import prove

MODELS = Path(physics.__file__).resolve().parents[1] / "resources" / "models"


def real(name: str, *swaps: tuple[str, str]) -> str:
    """An example with some of its text replaced."""
    text = (MODELS / f"{name}.xml").read_text().replace('meshdir="assets', f'meshdir="{MODELS}/assets')
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new)
    return text


def ball(more: str) -> str:
    return model(f'{FLOOR}<body pos="0 0 .053"><freejoint/><geom name="ball" size=".05" {more} priority="1"/></body>')


def ramp(option: str, more: str = "") -> str:
    """A crate on a slope of 20 degrees, whose friction holds it."""
    return model(f"""<geom name="ramp" type="plane" size="2 2 .1" euler="0 20 0"/>
      <body pos="0 0 .0533" euler="0 20 0"><freejoint/><geom name="crate" type="box" size=".05 .05 .05" {more}/></body>""",
      option=option)  # fmt: skip


def chute(option: str) -> str:
    """A crate that slides down a slope across the axes of its contacts."""
    return model("""<geom name="ramp" type="plane" size="5 5 .1" friction=".2" euler="12 20 0"/>
      <body pos="0 0 .054" euler="12 20 0"><freejoint/><geom name="crate" type="box" size=".1 .1 .05" friction=".2"/></body>""",
      option=option)  # fmt: skip


def edge(option: str) -> str:
    """A crate that slides across a table and falls off it."""
    return model("""<geom name="table" type="box" size=".4 .4 .2"/><body pos="0 0 .25"><freejoint/>
      <geom name="crate" type="box" size=".05 .05 .05" friction=".2" priority="1"/></body>""",
      option=f'gravity="4 2.2 -9" {option}')  # fmt: skip


def sprung(tolerance: float) -> str:
    """A stack, and next to it a light part that a stiff spring throws about."""
    part = '<body name="reed" pos="2 0 1"><joint type="slide" axis="1 0 0" stiffness="5" springref="1"/><geom size=".01"/></body>'
    return stack(f'solver="CG" tolerance="{tolerance}"').replace("</worldbody>", f"{part}</worldbody>")


def on_table(more: str) -> str:
    return ball(more).replace(FLOOR, '<geom name="table" type="box" size="1 1 .1" pos="0 0 -.1"/>')


def grip(option: str) -> str:
    """A bar between two fingers that press with 10 N each."""
    finger = """<body><joint name="{0}" type="slide" axis="0 {1} 0" damping="5"/>
      <geom name="{0}" type="box" size=".02 .01 .02" pos="0 {2} .5"/></body>"""
    bar = '<body name="bar" pos="0 0 .5"><freejoint/><geom type="box" size=".02 .03 .02" mass=".2"/></body>'
    press = '<general joint="{}" biastype="affine" biasprm="10 0 0"/>'
    motors = press.format("left") + press.format("right")
    fingers = finger.format("left", 1, -0.04) + finger.format("right", -1, 0.04)
    return model(fingers + bar, f"<actuator>{motors}</actuator>", option)


def pivot(condim: int) -> str:
    """A bar between two round fingertips, not at its centre of mass."""
    finger = """<body><joint name="{0}" type="slide" axis="0 {1} 0" damping="5"/>
      <geom name="{0}" size=".02" pos="0 {2} .5" condim="{3}" friction="1 .02 .001"/></body>"""
    bar = '<body name="bar" pos="0 0 .5"><freejoint/><geom type="box" size=".06 .02 .02" pos=".02 0 0" mass=".1"/></body>'
    press = '<general joint="{}" biastype="affine" biasprm="20 0 0"/>'
    motors = press.format("left") + press.format("right")
    fingers = finger.format("left", 1, -0.04, condim) + finger.format("right", -1, 0.04, condim)
    return model(fingers + bar, f"<actuator>{motors}</actuator>", 'cone="elliptic" impratio="100"')


def stack(option: str, more: str = "") -> str:
    """Six boxes on each other, each heavier than the one below."""
    box = '<body pos="0 0 {}"><freejoint/><geom type="box" size=".1 .1 .1" mass="{}" {}/></body>'
    return model(FLOOR + "".join(box.format(0.1 + 0.2 * k, 1 + 4 * k, more) for k in range(6)), option=option)


def pendulum(tolerance: float) -> str:
    """A rod that is let go near the horizontal."""
    rod = '<joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".02"/>'
    return sleepy(model(f'<body name="rod" euler="0 80 0">{rod}</body>', option=f'sleep_tolerance="{tolerance}"'))


def sleepy(text: str, flags: str = "") -> str:
    """A model with sleeping switched on."""
    return text.replace("/><worldbody>", f'><flag sleep="enable" {flags}/></option><worldbody>', 1)


# What falls on the bricks is put elsewhere.
CALM = (
    ('name="ball" pos="-0.95 -0.35 1.6"', 'name="ball" pos="-4 0 .5"'),
    ('name="pill" pos="-0.7 0.3 1.9"', 'name="pill" pos="-5 0 .5"'),
)
SLOPE = '<option timestep="0.002" cone="elliptic" impratio="10"/>'
ARM = '<option timestep="0.002" integrator="Euler" cone="elliptic" impratio="10"/>'
CRATE = '<geom type="box" size="0.024 0.024 0.03" density="500"'
RING = 'sleep_tolerance="0.004"'
FIGURE = '<option timestep="0.004"/>'
PENDULUM = '<option timestep="0.002" integrator="RK4">'
ASLEEP = '<option timestep="0.002" cone="elliptic" impratio="10" sleep_tolerance="{}"><flag sleep="enable" {}/></option>'
SOFT = 'solref="0.1 1" priority="1"'
# Rule, model with the fault, the same without, the element that the finding names first, and the keyframe that the run begins at.
PLANTED = [
    ("chatter", ball('solref="-8000 0"'), ball('solref="-8000 -180"'), "ball", None),
    ("chatter", real("arm", (CRATE, f'{CRATE} solref="-9000 0" priority="1"')), real("arm"), None, None),
    ("chatter", on_table('solref="-8000 0"'), on_table('solref="-8000 -180"'), "ball", None),
    ("creep", ramp('cone="elliptic"', SOFT), ramp('cone="elliptic" impratio="10"', SOFT), "crate", None),
    ("creep", ramp(""), ramp('noslip_iterations="10"'), "crate", None),
    ("creep", real("slope", (SLOPE, '<option cone="elliptic"/>'), *CALM), real("slope", *CALM), "brick2", None),
    ("slip-load", grip(""), grip('cone="elliptic" impratio="100"'), "bar", None),
    ("slip-load", grip('cone="elliptic"'), grip('cone="elliptic" noslip_iterations="10"'), "bar", None),
    ("slip-load", pivot(3), pivot(4), "bar", None),
    ("slip-load", real("arm", (ARM, "<option/>")), real("arm"), "lid", "lifted"),
    ("drift-pyramid", chute(""), chute('cone="elliptic"'), "crate", None),
    ("drift-pyramid", real("slope", (SLOPE, '<option gravity="0 1 -9.81"/>'), *CALM),
     real("slope", (SLOPE, '<option gravity="0 1 -9.81" cone="elliptic"/>'), *CALM), "ice", None),
    ("drift-pyramid", edge(""), edge('cone="elliptic"'), "crate", None),
    ("solver-early", sprung(0.05), sprung(1e-8), "", None),
    ("solver-early", stack('solver="CG" tolerance="0.1"'), stack('solver="CG"'), "", None),
    ("solver-early", real("figure", (FIGURE, '<option timestep="0.004" solver="CG" tolerance="0.01"/>')),
     real("figure", (FIGURE, '<option timestep="0.004" solver="CG"/>')), "", None),
    ("solver-slow", stack('solver="CG"'), stack(""), "", None),
    ("solver-slow", real("tumbler", (FIGURE, '<option timestep="0.004" solver="CG"/>')), real("tumbler"), "", None),
    ("solver-limit", stack('solver="PGS"'), stack(""), "", None),
    ("solver-limit", stack('iterations="1"'), stack('iterations="10"'), "", None),
    ("solver-limit", real("figure", (FIGURE, '<option timestep="0.004" solver="PGS" iterations="5"/>')), real("figure"),
     "", None),
    ("falls-asleep", pendulum(0.4), pendulum(1e-4), "rod", None),
    ("falls-asleep", real("dominoes", (RING, 'sleep_tolerance="0.4"')), real("dominoes"), "hammer", None),
    ("never-sleeps", sleepy(ramp('cone="elliptic" impratio="10" sleep_tolerance="1e-6"')),
     sleepy(ramp('cone="elliptic" impratio="10" sleep_tolerance="1e-3"')), None, None),
    ("never-sleeps", sleepy(model(FLOOR + crate(0.1), option='timestep="0.002"'), 'island="disable"'),
     sleepy(model(FLOOR + crate(0.1), option='timestep="0.002"')), None, None),
    ("never-sleeps", real("slope", (SLOPE, ASLEEP.format("1e-6", "")), *CALM),
     real("slope", (SLOPE, ASLEEP.format("5e-3", "")), *CALM), "rubber", None),
    ("sink", model(FLOOR + crate(0.1, 'solref="0.9 1"')), model(FLOOR + crate(0.1)), "crate", None),
    ("sink", model(FLOOR + crate(0.1, 'solimp="0.001 0.9 0.3" priority="1"')), model(FLOOR + crate(0.1)), "crate", None),
    ("sink", real("arm", (CRATE, f'{CRATE} solref="0.3 1" priority="1"')), real("arm"), None, None),
    ("overlap-start", real("slope", ('pos="-0.1 0.46 0.555"', 'pos="-0.1 0.46 0.52"')), real("slope"), "ramp", None),
    ("energy-grows", chain(0.02), chain(0.001), "", None),
    ("energy-grows", real("double_pendulum", (PENDULUM, '<option timestep="0.02">')), real("double_pendulum"), "", None),
]  # fmt: skip
CHANGED = {rule for rule, *_ in PLANTED} - {"overlap-start"}  # qpos0 is no number of a run
WHICH = range(len(PLANTED))
IDS = [f"{rule}-{k}" for k, (rule, *_) in enumerate(PLANTED)]


def examined(text: str, key: str | None) -> tuple[Examination, list[Finding]]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        path.write_text(text)
        compiled = physics.MjModel.from_xml_path(str(path))
        start = physics.MjData(compiled)
        if key is not None:
            physics.mj_resetDataKeyframe(compiled, start, physics.mj_name2id(compiled, physics.mjtObj.mjOBJ_KEY, key))
        case = Examination(compiled, path, start)
        return case, examine(case, lambda done, steps: None)


@cache
def faulty(which: int) -> tuple[Examination, list[Finding]]:
    """The case with a planted fault, and the findings of its rule."""
    rule, text, _, _, key = PLANTED[which]
    case, found = examined(text, key)
    return case, [one for one in found if one.rule == rule]


@pytest.mark.parametrize("which", WHICH, ids=IDS)
def test_rule_finds_planted_fault(which: int) -> None:
    rule, _, sound, element, key = PLANTED[which]
    case, (finding, *_) = faulty(which)
    if element is not None:
        assert ("" if finding.element is None else name_of(case.model, *finding.element)) == element
    assert finding.evidence
    assert not [one for one in examined(sound, key)[1] if one.rule == rule]


@pytest.mark.parametrize("which", WHICH, ids=IDS)
def test_change_does_what_it_promises(which: int) -> None:
    case, (finding, *_) = faulty(which)
    assert finding.change is not None
    if finding.rule in CHANGED:
        proof = prove(case.model, case.start, finding.change, case.seconds)
        assert proof.holds, proof.text


def test_dropped_ball_does_not_chatter() -> None:
    bouncing = model(f'{FLOOR}<body pos="0 0 .3"><freejoint/><geom size=".05" solref="-20000 -20" priority="1"/></body>')
    assert not [one for one in examined(bouncing, None)[1] if one.rule == "chatter"]


def test_raised_body_no_longer_overlaps() -> None:
    lying = model(FLOOR + crate(0.05))
    (finding,) = (one for one in examined(lying, None)[1] if one.rule == "overlap-start")
    assert finding.change is not None
    assert (finding.change.path, finding.change.after, finding.change.changes) == ("body[1].pos", "0 0 0.1", ())


def test_tree_kept_awake_by_a_neighbour_is_named() -> None:
    joint = '<joint name="down" type="slide" axis="0 0 1"/>'
    held = f'{FLOOR}<body name="press" pos="0 0 .32">{joint}<geom type="box" size=".1 .1 .1"/></body>{crate(0.1)}'
    pressing = model(held, '<actuator><motor joint="down"/></actuator>', 'timestep="0.002"')
    (finding,) = (one for one in examined(sleepy(pressing), None)[1] if one.rule == "never-sleeps")
    assert "they touch what never sleeps (press)" in finding.cause


def test_tree_that_begins_asleep_in_the_air_is_named() -> None:
    lamp = '<body name="lamp" pos="0 0 1" sleep="init"><freejoint/><geom size=".1"/></body>'
    floating = model(FLOOR + lamp, option='timestep="0.002"')
    (finding,) = (one for one in examined(sleepy(floating), None)[1] if one.rule == "falls-asleep")
    assert "its policy init lets it begin asleep" in finding.cause
    assert finding.change is not None
    assert finding.change.path == "body[lamp].sleep"
