"""Faults planted into the example robots by one edit of their text: found by rule and element, silent in the file as it is."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.doctor.case import Examination
from tumble.app.doctor.examine import examine
from tumble.app.doctor.finding import Finding
from tumble.app.library.examples import EXAMPLES

pytestmark = pytest.mark.slow
ROBOTS = EXAMPLES[0].path.parent
TIE = '<weld name="tie" body1="handle" body2="rope_B_12" relpose="0 0 0 1 0 0 0" torquescale="0.01"/>'
# Rule, element that the finding names first, robot, text of its file and what takes its place.
PLANTED = [
    ("stiff-servo", "knee_left", "figure", 'joint="knee_left" kp="800"', 'joint="knee_left" kp="800000"'),
    ("unstable-step", "", "arm", '<option timestep="0.002" integrator="Euler"', '<option timestep="0.04" integrator="Euler"'),
    ("blow-up", "", "figure", 'joint="ankle_bend_left" kp="600"', 'joint="ankle_bend_left" kp="600000"'),
    ("soft-contact", "floor", "figure", 'conaffinity="1" contype="0" solref="0.01 1"', 'conaffinity="1" solref="0.002 1"'),
    ("soft-contact", "left_pad", "arm", 'priority="1" solref="0.01 1"', 'priority="1" solref="0.002 1"'),
    ("sink", "crate1", "figure", 'material="crate" contype="1"', 'material="crate" solref="0.7 1" priority="1" contype="1"'),
    ("gear-sign", "steering", "rover", 'biasprm="8.5 -60 -4"', 'biasprm="8.5 60 -4"'),
    ("gear-sign", "steering", "rover", 'gainprm="60" biastype', 'gainprm="-60" biastype'),
    ("target-range", "knee_left", "figure", 'joint="knee_left" kp="800"', 'joint="knee_left" gear="-1" kp="800"'),
    ("target-range", "neck", "figure", 'kp="60" ctrlrange="-0.7 0.85"', 'kp="60" ctrlrange="-40 50"'),
    ("unused-actuator", "neck", "figure", 'joint="neck" kp="60"', 'joint="neck" gear="0" kp="60"'),
    ("no-range", "trolley", "crane", '<position dampratio="1" forcerange="-300 300"/>', '<position dampratio="1"/>'),
    ("never-collide", "ball", "figure", 'material="accent" contype="1" conaffinity="1"', 'contype="4" conaffinity="4"'),
    ("never-collide", "floor", "figure", 'material="floor" contype="1" conaffinity="1"', 'contype="2" conaffinity="2"'),
    ("keyframe-start", "squat", "figure", 'qpos="-0.029 0 0.752', 'qpos="-0.029 0 0.6'),
    ("limit-start", "elbow", "arm", 'name="elbow" axis="0 1 0" range="-120 75"', 'name="elbow" axis="0 1 0" range="20 75"'),
    ("overlap-start", "crate1", "figure", 'pos="0.08 0.94 0.485"', 'pos="0.08 0.94 0.4"'),
    ("gravcomp-forgot", "forearm", "arm", 'pos="0.096 0 0" gravcomp="1"', 'pos="0.096 0 0"'),
    ("inertia-impossible", "drone", "drone", 'diaginertia="0.006 0.006 0.009"', 'diaginertia="6 6 9"'),
    ("inertia-shape", "drone", "drone", 'diaginertia="0.006 0.006 0.009"', 'diaginertia="0.0006 0.0006 0.0009"'),
    ("density-impossible", "ball", "figure", 'size="0.12" density="200"', 'size="0.12" density="0.2"'),
    ("no-collider", "foot_right", "figure", 'name="foot_right" class="foot"',
     'name="foot_right" class="foot" contype="0" conaffinity="0"'),
    ("no-collider", "left_front_wheel", "rover", 'name="left_front_wheel" class="wheel"',
     'name="left_front_wheel" class="wheel" contype="0" conaffinity="0"'),
    ("redundant", "twice", "crane", TIE, TIE + TIE.replace('name="tie"', 'name="twice"')),
    ("solver-limit", "", "figure", '<option timestep="0.004"/>', '<option timestep="0.004" iterations="1"/>'),
]  # fmt: skip
IDS = [f"{rule}-{robot}-{k}" for k, (rule, _, robot, *_) in enumerate(PLANTED)]


@cache
def robots(folder: Path) -> Path:
    """A folder with the files that the robots need."""
    shutil.copytree(ROBOTS / "assets", folder / "assets")
    return folder


@cache
def sound(robot: str) -> frozenset[str]:
    """Rules that find something in the robot as it is."""
    return frozenset(finding.rule for finding in examined(ROBOTS / f"{robot}.xml")[1])


def examined(path: Path) -> tuple[physics.MjModel, list[Finding]]:
    model = physics.MjModel.from_xml_path(str(path))
    return model, examine(Examination(model, path), lambda done, steps: None)


@pytest.mark.parametrize(("rule", "element", "robot", "text", "fault"), PLANTED, ids=IDS)
def test_fault_in_a_robot_is_found(
    rule: str, element: str, robot: str, text: str, fault: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = (ROBOTS / f"{robot}.xml").read_text()
    assert content.count(text) == 1
    path = robots(tmp_path_factory.getbasetemp()) / f"{robot}.xml"
    path.write_text(content.replace(text, fault))
    model, found = examined(path)
    named = [finding.element for finding in found if finding.rule == rule]
    assert element in [name_of(model, *at) if at is not None and element else "" for at in named]
    assert rule not in sound(robot)
