"""The doctor's rules: each finds its fault in a model where it was planted, and nothing of it in the same model without."""

from __future__ import annotations

from pathlib import Path

import pytest

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.doctor.case import Examination
from tumble.app.doctor.examine import examine
from tumble.app.doctor.finding import Finding, Severity
from tumble.app.doctor.rule_table import RULES
from tumble.app.editing.stiffness import servos

FLOOR = '<geom name="floor" type="plane" size="2 2 .1"/>'
SERVO = '<position name="p" joint="slide" kp="{kp}" {more}/>'
PULL = 'springref="90" stiffness="9"'


def model(bodies: str, more: str = "", option: str = "") -> str:
    return f"<mujoco><option {option}/><worldbody>{bodies}</worldbody>{more}</mujoco>"


def crate(height: float, more: str = "", name: str = "crate") -> str:
    return f'<body pos="0 0 {height}"><freejoint/><geom name="{name}" type="box" size=".1 .1 .1" {more}/></body>'


def soft_bed(number: int, constant: str = "0.7") -> str:
    """Crates of different names on a floor with a time constant [s]."""
    floor = FLOOR.replace("/>", f' solref="{constant} 1" priority="1"/>')
    bodies = "".join(crate(0.1, name=f"crate{k}").replace('pos="0 0', f'pos="{k} 0') for k in range(number))
    return model(floor + bodies)


def slide(actuator: str = "", joint: str = "", option: str = "") -> str:
    body = f'<body><joint name="slide" type="slide" axis="1 0 0" {joint}/><geom size=".05" mass="1"/></body>'
    return model(body, f"<actuator>{actuator}</actuator>", option)


def affine(gain: float, bias: str) -> str:
    return slide(f'<general name="g" joint="slide" biastype="affine" gainprm="{gain}" biasprm="{bias}"/>')


def lever(joint: str = "", actuator: str = "", option: str = "") -> str:
    body = f'<body><joint name="j" axis="0 1 0" {joint}/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".03"/></body>'
    return model(body, f"<actuator>{actuator}</actuator>", option)


def arm(joint: str) -> str:
    """Three links with a motor each."""
    body = ""
    for name in ("wrist", "elbow", "shoulder"):
        body = f"""<body pos=".3 0 0"><joint name="{name}" axis="0 1 0" {joint}/>
          <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>{body}</body>"""
    motors = "".join(f'<motor joint="{name}"/>' for name in ("shoulder", "elbow", "wrist"))
    return model(body, f"<actuator>{motors}</actuator>")


def chain(timestep: float) -> str:
    """A pendulum of three links that falls from the horizontal."""
    body = ""
    for _ in range(3):
        body = f'<body pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>{body}</body>'
    return model(body, option=f'timestep="{timestep}"')


def gimbal(mass: float, joint: str = "") -> str:
    return model(f"""<body name="rotor"><joint axis="0 0 1" {joint}/><geom size=".01" mass="{mass}"/>
      <body><joint axis="0 1 0"/><geom size=".1" mass="5"/></body></body>""")


def link(inertia: float, mass: float = 1) -> str:
    return model(f"""<body name="link"><joint axis="0 1 0"/><geom size=".05"/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/></body>""")


def boxed(mass: float, inertia: str) -> str:
    """A link of 0.4 by 0.1 by 0.1 m, whose shape has 0.0017, 0.014 and 0.014 kg m^2 at 1 kg."""
    return model(f"""<body name="link"><joint axis="0 1 0"/><geom type="box" size=".2 .05 .05"/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/></body>""")


def hands(more: str = "", ends: int = 2) -> str:
    """A carriage with fingers on slides of their own, the last of which has more attributes."""
    fingers = "".join(
        f"""<body name="finger{k}" pos="{k} 0 0"><joint type="slide" axis="1 0 0"/>
          <geom type="box" size=".1 .1 .1" mass="{k if ends > 2 else 1}" {more if k == ends else ""}/></body>"""
        for k in range(1, ends + 1)
    )
    return model(f'{FLOOR}<body name="carriage" pos="0 0 1"><joint type="slide"/><geom size=".2"/>{fingers}</body>')


def knee(most: int, filtered: str = "enable") -> str:
    """A thigh and a shin of 0.3 m that fold up to an angle."""
    capsule = '<geom name="{0}" type="capsule" fromto="0 0 0 0 0 -.3" size=".05"/>'
    return model(f"""<body pos="0 0 1"><joint axis="0 1 0"/>{capsule.format("thigh")}
      <body pos="0 0 -.32"><joint name="knee" axis="0 1 0" range="0 {most}"/>{capsule.format("shin")}</body></body>""").replace(
        "<option />", f'<option><flag filterparent="{filtered}"/></option>'
    )


def shown_twice(more: str = "") -> str:
    return model(f"""<body name="link"><joint axis="0 1 0"/><geom type="box" size=".1 .1 .1"/>
      <geom type="box" size=".1 .1 .1" contype="0" conaffinity="0" {more}/></body>""")


def held(share: float) -> str:
    part = '<body name="{}" gravcomp="{}" pos=".2 0 0"><joint axis="0 1 0"/><geom size=".05" mass="{}"/>{}</body>'
    return model(part.format("one", 1, 2, part.format("two", 1, 2, part.format("three", share, 0.5, ""))))


def bound(equality: str) -> str:
    """Two bodies a metre apart, without gravity."""
    body = '<body name="{}" pos="{} 0 0"><freejoint/><geom size=".05" mass="1"/></body>'
    return model(body.format("a", 0) + body.format("b", 1), f"<equality>{equality}</equality>", 'gravity="0 0 0"')


def keyframe(height: float) -> str:
    return model(FLOOR + crate(0.1), f'<keyframe><key name="drop" qpos="0 0 {height} 1 0 0 0"/></keyframe>')


def swing(thigh: float, shin: float) -> str:
    """A thigh and a shin of other lengths [m] that fold up almost completely."""
    capsule = '<geom type="capsule" fromto="0 0 0 0 0 {}" size=".05"/>'
    return model(f"""<body pos="0 0 1"><joint axis="0 1 0"/>{capsule.format(-thigh)}
      <body pos="0 0 {-thigh - 0.02}"><joint name="knee" axis="0 1 0" range="0 178"/>{capsule.format(-shin)}</body></body>""")


def dressed(offset: float) -> str:
    """A link that collides so far beside where it is seen [m]."""
    return model(f"""<body name="link"><joint axis="0 1 0"/>
      <geom type="box" size=".1 .1 .1" contype="0" conaffinity="0" mass="0"/>
      <geom type="box" size=".1 .1 .1" pos="{offset} 0 0"/></body>""")


def excluded(body: str) -> str:
    """Two links that can fall on the ground, with an <exclude> between a body and the first link."""
    links = '<body name="leg" pos="0 0 1"><freejoint/><geom size=".1"/>' \
        '<body name="foot" pos="0 0 -.3"><joint axis="0 1 0"/><geom size=".1"/></body></body>'  # fmt: skip
    return model(FLOOR + links, f'<contact><exclude body1="{body}" body2="foot"/></contact>')


def tied(second: str) -> str:
    """A link on one hinge that a weld holds, of whose rows some repeat each other, and another constraint."""
    link = '<body name="link"><joint name="j" axis="0 1 0" pos=".1 0 .3"/><geom size=".1"/></body>'
    other = '<body name="other" pos="1 0 0"><joint name="k" axis="0 1 0"/><geom size=".1" pos="0 0 -.3"/></body>'
    return model(link + other, f'<equality><weld name="first" body1="link"/>{second}</equality>')


NEAR = '<connect name="near" body1="a" body2="b" anchor=".5 0 0"/>'
PINS = '<weld name="pin" body1="a"/><weld name="far" body1="b" relpose="-2 0 0 1 0 0 0"/>'
WELD = '<weld name="{}" body1="a" body2="b"/>'
FALLS = model(FLOOR + crate(0.5))
# Rule, model with the fault, the same without, the element that the finding names first.
PLANTED = [
    ("overlap-start", model(FLOOR + crate(0.05)), model(FLOOR + crate(0.1)), "crate"),
    ("overlap-start", model(crate(1) + crate(1.12, name="lid")), model(crate(1) + crate(1.2, name="lid")), "crate"),
    ("limit-start", lever('range="20 60"'), lever('range="-60 60"'), "j"),
    ("limit-start", slide(joint='range=".1 .2"'), slide(joint='range="0 .2"'), "slide"),
    ("keyframe-start", keyframe(0.04), keyframe(0.1), "drop"),
    ("never-collide", model(FLOOR + crate(0.1) + crate(0.5, 'contype="4" conaffinity="4"', "ghost")),
     model(FLOOR + crate(0.1) + crate(0.5, 'contype="5" conaffinity="5"', "ghost")), "ghost"),
    ("never-collide", FALLS.replace("<option />", '<option><flag contact="disable"/></option>'), FALLS, ""),
    ("soft-contact", model(FLOOR + crate(0.1, 'solref="0.002 1"')), model(FLOOR + crate(0.1, 'solref="0.004 1"')), "crate"),
    ("sink", model(FLOOR + crate(0.1, 'solref="0.46 1" priority="1"')), model(FLOOR + crate(0.1)), "crate"),
    ("sink", soft_bed(12), soft_bed(12, "0.02"), "floor"),
    ("solver-limit", model(FLOOR + crate(0.2), option='iterations="1" solver="PGS"'), model(FLOOR + crate(0.2)), ""),
    ("stiff-servo", slide(SERVO.format(kp=5e5, more="")), slide(SERVO.format(kp=5e3, more="")), "p"),
    ("stiff-servo", slide('<velocity name="v" joint="slide" kv="900"/>'), slide('<velocity joint="slide" kv="90"/>'), "v"),
    ("stiff-spring", slide(joint='stiffness="6e5"'), slide(joint='stiffness="6e3"'), "slide"),
    ("unstable-step", slide('<velocity joint="slide" kv="2000"/>'),
     slide('<velocity joint="slide" kv="2000"/>', option='integrator="implicitfast"'), ""),
    ("blow-up", slide('<velocity joint="slide" kv="9000"/>', 'springref="1" stiffness="1"'),
     slide('<velocity joint="slide" kv="90"/>', 'springref="1" stiffness="1"'), "slide"),
    ("gear-sign", affine(9, "0 9"), affine(9, "0 -9"), "g"),
    ("gear-sign", affine(1, "0 0 3"), affine(1, "0 0 -3"), "g"),
    ("gear-sign", affine(-9, "0 -9"), affine(9, "0 -9"), "g"),
    ("unused-actuator", slide('<motor name="m" joint="slide" gear="0"/>'), slide('<motor name="m" joint="slide"/>'), "m"),
    ("no-range", slide(SERVO.format(kp=50, more="")), slide(SERVO.format(kp=50, more='forcerange="-9 9"')), "p"),
    ("target-range", lever('range="0 90"', '<position name="p" joint="j" kp="9" ctrlrange="0 90"/>'),
     lever('range="0 90"', '<position name="p" joint="j" kp="9" ctrlrange="0 1.58"/>'), "p"),
    ("target-range", lever('range="0 90"', '<position name="p" joint="j" gear="-2" kp="9" ctrlrange="0 3.14"/>'),
     lever('range="0 90"', '<position name="p" joint="j" gear="2" kp="9" ctrlrange="0 3.14"/>'), "p"),
    ("saturated", lever(PULL, '<position name="p" joint="j" kp="50" forcerange="-.5 .5"/>'),
     lever(PULL, '<position name="p" joint="j" kp="50" forcerange="-50 50"/>'), "p"),
    ("mass-ratio", gimbal(1e-4), gimbal(1e-4, 'armature="0.01"'), "rotor"),
    ("mass-ratio", gimbal(1e-4), gimbal(0.1), "rotor"),
    ("inertia-impossible", link(0.5), link(0.001), "link"),
    ("inertia-impossible", link(1e-8), link(0.001), "link"),
    ("density-impossible", link(0.05, 50), link(0.001), "link"),
    ("density-impossible", boxed(0.004, "1e-5 6e-5 6e-5"), boxed(0.4, "1e-3 6e-3 6e-3"), "link"),
    ("inertia-shape", boxed(1, "1.7e-4 1.4e-3 1.4e-3"), boxed(1, "1e-3 1e-2 1e-2"), "link"),
    ("inertia-shape", boxed(1, ".02 .14 .14"), boxed(1, ".003 .03 .03"), "link"),
    ("no-collider", hands('contype="0" conaffinity="0"'), hands(), "finger2"),
    ("no-collider", hands('contype="0" conaffinity="0"', 3), hands(ends=3), "finger3"),
    ("parent-pass", knee(178), knee(120), "knee"),
    ("parent-pass", knee(178), knee(178, "disable"), "knee"),
    ("parent-pass", swing(0.3, 0.9), swing(0.3, 0.9).replace('range="0 178"', 'range="0 120"'), "knee"),
    ("collision-apart", dressed(0.6), dressed(0.1), "link"),
    ("inertia-impossible", link(0.001).replace('inertial pos="0 0 0"', 'inertial pos="0 .3 0"'), link(0.001), "link"),
    ("never-collide", excluded("world"), excluded("leg"), "foot"),
    ("range-units", lever('range="-1.57 1.57"'), lever('range="-90 90"'), "j"),
    ("range-units", lever('range="-90 90"').replace("<option", '<compiler angle="radian"/><option'),
     lever('range="-1.57 1.57"').replace("<option", '<compiler angle="radian"/><option'), "j"),
    ("stiff-contact", model(FLOOR + crate(0.1, 'solref="-4e6 -900" priority="1"')), model(FLOOR + crate(0.1)), None),
    ("inertia-default", shown_twice(), shown_twice('mass="0"'), "link"),
    ("gravcomp-forgot", held(0), held(1), "three"),
    ("armature-zero", arm('damping=".1"'), arm('damping=".1" armature=".01"'), "shoulder"),
    ("damping-zero", arm('armature=".01"'), arm('armature=".01" damping=".1"'), "shoulder"),
    ("conflict", bound(NEAR + PINS), bound(NEAR), None),
    ("redundant", bound(WELD.format("w") + WELD.format("v")), bound(WELD.format("w")), "v"),
    ("redundant", tied('<joint name="second" joint1="j"/>'), tied('<joint name="second" joint1="k"/>'), "second"),
    ("energy-grows", chain(0.02), chain(0.001), ""),
]  # fmt: skip
IDS = [f"{rule}-{k}" for k, (rule, *_) in enumerate(PLANTED)]


def findings(text: str, tmp_path: Path) -> tuple[physics.MjModel, list[Finding]]:
    path = tmp_path / "model.xml"
    path.write_text(text)
    compiled = physics.MjModel.from_xml_path(str(path))
    return compiled, examine(Examination(compiled, path), lambda done, steps: None)


@pytest.mark.parametrize(("rule", "faulty", "sound", "element"), PLANTED, ids=IDS)
def test_rule_finds_planted_fault(rule: str, faulty: str, sound: str, element: str | None, tmp_path: Path) -> None:
    compiled, found = findings(faulty, tmp_path)
    (finding, *_) = [one for one in found if one.rule == rule]
    if element is not None:
        assert ("" if finding.element is None else name_of(compiled, *finding.element)) == element
    assert finding.evidence
    assert finding.place is None or finding.place.path == tmp_path / "model.xml"
    assert not [one for one in findings(sound, tmp_path)[1] if one.rule == rule]


def test_every_rule_has_a_planted_fault() -> None:
    from tests.app.doctor.test_model_rules import MODEL_PLANTED  # here: it takes the helpers of this module

    apart = {"reading", "engine-gap"}  # in test_model_rules, with what they name
    from tests.app.doctor import test_run_rules  # which imports from here

    planted = {rule for rule, *_ in (*PLANTED, *MODEL_PLANTED, *test_run_rules.PLANTED)}
    assert planted | apart == {rule.id for rule in RULES}
    assert len({rule.id for rule in RULES}) == len(RULES)


def test_contacts_of_one_soft_geom_are_one_finding(tmp_path: Path) -> None:
    """A change of the floor, or of all crates where these are as soft as each other."""
    compiled, (finding,) = findings(soft_bed(12), tmp_path)
    assert finding.rule == "sink"
    assert {name_of(compiled, *at) for at in finding.elements} == {"floor", *(f"crate{k}" for k in range(12))}
    assert finding.change is not None
    assert [(change.field, change.index) for change in finding.change.changes] == [("geom_solref", 0)]
    soft = soft_bed(12, "0.02").replace('size=".1 .1 .1"', 'size=".1 .1 .1" solref="0.7 1" priority="2"')
    compiled, (finding,) = findings(soft, tmp_path)
    assert finding.change is not None
    assert sorted(change.index or 0 for change in finding.change.changes) == list(range(1, 13))


def test_file_silences_rules(tmp_path: Path) -> None:
    servo = slide(SERVO.format(kp=50, more=""))
    silent = servo.replace("</mujoco>", '<custom><text name="doctor_silence" data="no-range, sink"/></custom></mujoco>')
    assert [one.rule for one in findings(servo, tmp_path)[1]] == ["no-range"]
    assert findings(silent, tmp_path)[1] == []


def test_most_severe_findings_come_first(tmp_path: Path) -> None:
    text = slide(SERVO.format(kp=50, more="") + '<velocity joint="slide" kv="2000"/>')
    order = [finding.severity for finding in findings(text, tmp_path)[1]]
    assert order == sorted(order, key=list(Severity).index)
    assert {Severity.ERROR, Severity.ADVICE} <= set(order)


@pytest.mark.parametrize("gain", [2700, 3300])
def test_share_of_a_servo_counts_the_damping_of_its_joint(gain: float) -> None:
    """m + h b answers at the end of the step: the limit of kv is 2 m / h + b, 3000 here."""
    compiled = physics.MjModel.from_xml_string(slide(f'<velocity joint="slide" kv="{gain}"/>', 'damping="2000"'))
    data = physics.MjData(compiled)
    physics.mj_forward(compiled, data)
    (servo,) = servos(compiled, data)
    assert servo.share == pytest.approx(gain / 3000)
    data.qvel = 1e-9
    physics.mj_step(compiled, data, 200)
    assert (abs(float(data.qvel[0])) > 1e-9) == (servo.share > 1)
