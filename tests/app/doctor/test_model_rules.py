"""Rules of the file and of stiffness: faults of meshes, masses, dampers, URDF and releases, and changes that a run proves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.doctor.test_rules import FLOOR, PLANTED, crate, findings, lever, model, slide
from tests.physics.query.test_geom_shapes import tub
from tumble.app.describe.names import name_of
from tumble.app.doctor.case import Examination
from tumble.app.doctor.proof import prove

MODELS = Path(__file__).parents[3] / "resources" / "models"
BALL = '<body pos="{}"><freejoint/><geom name="ball" size=".03"/></body>'


def text(numbers: np.ndarray) -> str:
    return " ".join(f"{number:g}" for number in numbers.ravel())


def with_tub(bodies: str, more: str = "", turned: bool = False, geom: str = "") -> str:
    vertices, faces = tub(turned)
    asset = f'<asset><mesh name="tub" vertex="{text(vertices)}" face="{text(faces)}"/></asset>'
    return model(f'<body name="holder" {geom}><geom name="tub" type="mesh" mesh="tub"/></body>{bodies}', asset + more)


def hung(turned: bool) -> str:
    """A tub on a hinge."""
    return with_tub("", turned=turned).replace('<geom name="tub"', '<joint name="hinge" pos="0 0 1"/><geom name="tub"')


def key_in(height: float) -> str:
    """A ball beside a tub, and over its floor in a keyframe."""
    return with_tub(BALL.format("1 0 0"), f'<keyframe><key name="filled" qpos="0 0 {height} 1 0 0 0"/></keyframe>')


def stated(mass: float) -> str:
    return model(FLOOR + crate(0.1), f'<custom><numeric name="doctor_mass" data="{mass}"/></custom>')


def scaled(total: float) -> str:
    body = '<body name="b"><joint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>'
    return model(body).replace("<option", f'<compiler settotalmass="{total}"/><option')


def strung(damping: float, option: str = "") -> str:
    """A mass on a tendon that has a damping."""
    return slide(option=option).replace(
        "</mujoco>", f'<tendon><fixed name="t" damping="{damping}"><joint joint="slide" coef="1"/></fixed></tendon></mujoco>'
    )


def robot(joint: str = "", more: str = "") -> str:
    """A URDF of a gripper with two fingers."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    links = "".join(f'<link name="{name}">{inertial}</link>' for name in ("palm", "left", "right"))
    joints = "".join(
        f"""<joint name="{name}_joint" type="prismatic"><parent link="palm"/><child link="{name}"/><axis xyz="1 0 0"/>
            <limit lower="0" upper="1" effort="9" velocity="1"/>{inside}</joint>"""
        for name, inside in (("left", ""), ("right", joint))
    )
    return f'<robot name="gripper">{links}{joints}{more}</robot>'


def flipped(reach: str) -> str:
    """A servo of the wrong sign that begins away from its target."""
    servo = '<general name="g" joint="slide" biastype="affine" gainprm="90" biasprm="0 90 -1"/>'
    return slide(servo, f'springref="{reach}" stiffness="1"')


def servo_arm(damping: float) -> str:
    """Three links that hang out sideways, held by servos of little damping."""
    body, servos = "", ""
    for name in ("wrist", "elbow", "shoulder"):
        body = f"""<body pos=".3 0 0"><joint name="{name}" axis="0 1 0" armature=".5" damping="{damping}"/>
          <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>{body}</body>"""
        servos += f'<position name="{name}" joint="{name}" kp="600" forcerange="-500 500"/>'
    return model(body, f"<actuator>{servos}</actuator>")


SMALL = '<body pos="0 0 .0019"><freejoint/><geom name="die" type="box" size=".002 .002 .002"/></body>'
FIRM = SMALL.replace("/></body>", ' solref=".008 1" priority="1"/></body>')
FREE = '<body><freejoint name="free"/><geom type="box" size=".1 .1 .2"/></body>'
MIMIC = '<mimic joint="left_joint" multiplier="-1"/>'
STOPS = '<safety_controller k_velocity="10" soft_upper_limit=".9"/>'
SCRAPES = '<gazebo reference="left_joint"><mu1>0.2</mu1></gazebo>'
MIXED = slide('<velocity name="v" joint="slide"/>').replace("<option", '<default><position kp="7"/></default><option')
# Rule, model with the fault, the same without, the element that the finding names first.
MODEL_PLANTED = [
    ("hull-fills", with_tub(BALL.format("0 0 .1")), with_tub(BALL.format("1 0 .1")), "tub"),
    ("hull-fills", with_tub(BALL.format("0 0 .24")), with_tub(BALL.format(".09 .09 .24")), "tub"),
    ("hull-fills", key_in(0.06), key_in(0.6), "tub"),
    ("mesh-inside-out", hung(turned=True), hung(turned=False), "tub"),
    ("mesh-inside-out", with_tub("", turned=True), with_tub("", turned=False), "tub"),
    ("mass-sum", stated(12.5), stated(8), None),
    ("mass-sum", scaled(5), scaled(2), "b"),
    ("stiff-damper", lever('damping="40"', option='integrator="RK4"'), lever('damping=".4"', option='integrator="RK4"'), "j"),
    ("stiff-damper", lever('damping="40"').replace("<option />", '<option><flag eulerdamp="disable"/></option>'),
     lever('damping="40"'), "j"),
    ("stiff-damper", strung(900), strung(900, 'integrator="implicitfast"'), "t"),
    ("stiff-damper", slide('<damper name="d" joint="slide" kv="400" ctrlrange="0 2"/>'),
     slide('<damper name="d" joint="slide" kv="40" ctrlrange="0 2"/>'), "d"),
    ("urdf-lost", robot(MIMIC + STOPS), robot(MIMIC), "right_joint"),
    ("urdf-lost", robot(more=SCRAPES), robot(), "left_joint"),
    ("other-release", model(FREE, option='integrator="RK4"'), model(FREE), "free"),
    ("other-release", model(FLOOR + crate(0.1, 'gap=".01" margin=".01"')), model(FLOOR + crate(0.1)), "crate"),
    ("other-release", MIXED, MIXED.replace("<velocity ", '<velocity kv="7" '), "v"),
    ("defaults-advised", model(FLOOR + SMALL), model(FLOOR + FIRM), "die"),
    ("defaults-advised", servo_arm(1.0), servo_arm(80.0), "shoulder"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "faulty", "sound", "element"), MODEL_PLANTED, ids=[f"{rule}-{k}" for k, (rule, *_) in enumerate(MODEL_PLANTED)]
)
def test_rule_finds_planted_fault(rule: str, faulty: str, sound: str, element: str | None, tmp_path: Path) -> None:
    compiled, found = findings(faulty, tmp_path)
    (finding, *_) = [one for one in found if one.rule == rule]
    if element is not None:
        assert ("" if finding.element is None else name_of(compiled, *finding.element)) == element
    assert finding.evidence
    assert not [one for one in findings(sound, tmp_path)[1] if one.rule == rule]


# Models whose findings have a change that a run proves, beside those above.
PROVEN = [
    slide('<position name="p" joint="slide" kp="1e5"/>', 'ref="0"'),
    slide('<position name="p" joint="slide" kp="9e5"/>', 'springref="1" stiffness="1"'),
    slide('<velocity name="v" joint="slide" kv="400"/>', 'springref="1" stiffness="1"'),
    slide('<velocity name="v" joint="slide" kv="2000"/>', 'springref="1" stiffness="1"'),
    slide("", 'springref="1" stiffness="3e5"'),
    slide("", 'springref="1" stiffness="3e6"'),
    flipped("1"),
    slide('<general name="g" joint="slide" biastype="affine" gainprm="1" biasprm="0 0 30"/>', 'springref="1" stiffness="1"'),
    model(FLOOR + crate(0.2, 'solref="-4e6 -900" priority="1"')),
    servo_arm(0.0),
    servo_arm(1.0),
]


@pytest.mark.parametrize("faulty", [*PROVEN, *(one[1] for one in MODEL_PLANTED), *(one[1] for one in PLANTED)])
def test_change_does_what_it_predicts(faulty: str, tmp_path: Path) -> None:
    compiled, found = findings(faulty, tmp_path)
    case = Examination(compiled, tmp_path / "model.xml")
    seconds = case.watch.length * float(compiled.opt.timestep)
    for finding in found:
        if finding.change is not None and finding.change.prediction is not None:
            proof = prove(compiled, case.start, finding.change, seconds)
            assert proof.holds, f"{finding.rule}: {proof.text}"


def real(name: str, *changes: tuple[str, str]) -> str:
    """The text of an example with changes, for another folder."""
    found = (MODELS / f"{name}.xml").read_text()
    for before, after in (*changes, ('="assets/', f'="{MODELS}/assets/')):
        assert before in found or before == '="assets/'
        found = found.replace(before, after)
    return found


def hollow_arm(height: float, turned: Path | None = None) -> str:
    """A link of the example arm, which is a tube, with a ball: in it at a height of 0.04 m."""
    mesh = MODELS / "assets" / "arm" / "upper_arm.msh" if turned is None else turned
    ball = f'<body pos="0 0 {height}"><freejoint/><geom name="ball" size=".015"/></body>'
    link = '<body name="link"><joint axis="0 1 0"/><geom name="arm" type="mesh" mesh="arm"/></body>'
    return model(link + ball, f'<asset><mesh name="arm" file="{mesh}"/></asset>', 'gravity="0 0 0"')


def test_ball_in_the_hollow_of_a_real_link(tmp_path: Path) -> None:
    compiled, found = findings(hollow_arm(0.04), tmp_path)
    (finding,) = [one for one in found if one.rule == "hull-fills"]
    assert [name_of(compiled, *element) for element in finding.elements] == ["arm", "ball"]
    assert finding.evidence["distance"] > 0.01  # of the ball's side: its walls are 0.04 m away from the middle
    assert "overlap-start" not in {one.rule for one in found}  # the same fact
    assert "hull-fills" not in {one.rule for one in findings(hollow_arm(0.8), tmp_path)[1]}


def test_real_mesh_turned_inside_out(tmp_path: Path) -> None:
    """As STL, whose triangles say themselves which way they face: 80 bytes, their number, 50 bytes each."""
    data = bytearray((MODELS / "assets" / "rover" / "chassis.stl").read_bytes())
    for start in range(84, len(data), 50):
        second, third = data[start + 24 : start + 36], data[start + 36 : start + 48]
        data[start + 24 : start + 48] = third + second
    turned = tmp_path / "turned.stl"
    turned.write_bytes(data)
    compiled, found = findings(hollow_arm(0.8, turned), tmp_path)
    (finding,) = [one for one in found if one.rule == "mesh-inside-out"]
    assert finding.element is not None
    assert name_of(compiled, *finding.element) == "arm"
    right = findings(hollow_arm(0.8, MODELS / "assets" / "rover" / "chassis.stl"), tmp_path)[1]
    assert "mesh-inside-out" not in {one.rule for one in right}


def test_mass_of_a_real_model(tmp_path: Path) -> None:
    compiled, _ = findings(real("drone"), tmp_path)
    moving = float(np.asarray(compiled.body_mass)[np.asarray(compiled.body_weldid) != 0].sum())
    for mass, is_right in ((moving, True), (1.2 * moving, False)):
        stated = f'<custom><numeric name="doctor_mass" data="{mass}"/></custom></mujoco>'
        rules = {one.rule for one in findings(real("drone", ("</mujoco>", stated)), tmp_path)[1]}
        assert ("mass-sum" in rules) != is_right


def test_rk4_and_free_body_of_a_real_model(tmp_path: Path) -> None:
    (finding,) = [one for one in findings(real("drone"), tmp_path)[1] if one.rule == "other-release"]
    assert "drone" in finding.evidence["rk4"]
    changed = findings(real("drone", ('integrator="RK4"', 'integrator="Euler"')), tmp_path)[1]
    assert not [one for one in changed if one.rule == "other-release" and "rk4" in one.evidence]


def test_damping_of_a_real_model_that_rk4_cannot_follow(tmp_path: Path) -> None:
    body = lever('damping="30"').partition("<worldbody>")[2].partition("</worldbody>")[0]
    stiff = ("</worldbody>", f"{body}</worldbody>")
    compiled, found = findings(real("double_pendulum", stiff), tmp_path)
    assert [name_of(compiled, *one.element) for one in found if one.rule == "stiff-damper" and one.element] == ["j"]
    assert "stiff-damper" not in {one.rule for one in findings(real("double_pendulum"), tmp_path)[1]}
