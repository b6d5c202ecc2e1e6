"""<composite>: cables are chains of bodies, equal to the reference's; other kinds are errors with advice."""

import random

import numpy as np
import pytest

from tests.physics.compiler.parity import assert_equal
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel

CAPSULE = '<geom type="capsule" size=".01"/>'
BOX = '<geom type="box" size=".01 .02 .03"/>'


def cable(attributes: str, inside: str = CAPSULE, prefix: str = "q") -> str:
    return f'<composite prefix="{prefix}" type="cable" {attributes}>{inside}</composite>'


def world(inside: str, before: str = "", after: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{inside}</worldbody>{after}</mujoco>"


CURVES = ("s", "0 s 0", "0 0 s", "s s s", "cos(s) sin(s) s", "cos(s) sin(s) 0", "s sin(s) 0", "0 cos(s) s")


def test_curves_are_those_of_the_reference() -> None:
    for k, curve in enumerate(CURVES):
        quat = ("1 0 0 0", "0 1 0 0", ".5 .5 .5 .5")[k % 3]
        assert_equal(world(cable(f'curve="{curve}" count="{4 + k} 1 1" size="2 .3 2.5" quat="{quat}" offset="1 2 3"')))
    assert_equal(world(cable('curve="s" count="4 1 1" size="-1"')))
    assert_equal(world(cable('vertex="0 0 0 1 0 0"')))
    assert_equal(world(cable('curve="s" count="12 1 1"', prefix="")))


LINES = ("0 1 0", "0 -1 0", "-1 0 0", "0 0 -1", "-1 -2 3", "1 1 1", "0 1 1")


def test_points_that_begin_in_a_line_are_those_of_the_reference() -> None:
    for line in LINES:
        points = np.arange(4)[:, None] * np.array(line.split(), float)
        for more in ([], [points[3] + (0.1, 0.5, -0.3), points[2] + (0.4, 0.5, -0.3)]):
            text = " ".join(str(x) for point in [*points, *more] for x in point)
            assert_equal(world(cable(f'vertex="{text}"')))


@pytest.mark.parametrize("seed", range(5))
def test_random_points_are_those_of_the_reference(seed: int) -> None:
    draw = random.Random(seed)
    text = " ".join(f"{draw.uniform(-1, 1):.3f}" for _ in range(3 * draw.randint(4, 9)))
    cable_text = cable(f'vertex="{text}" initial="{draw.choice(["none", "ball", "free"])}" offset="1 2 3"')
    assert_equal(world(f'<frame pos="1 2 3" euler="10 20 30">{cable_text}</frame>'))
    fixed = cable_text.replace('"free"', '"ball"')
    assert_equal(world(f'<body pos="1 0 0"><frame euler="0 30 0">{fixed}</frame></body>'))
    assert_equal(world(f'<replicate count="3" offset="0 1 0">{cable_text}</replicate>'))


JOINT = """<joint kind="main" damping="2" stiffness="3" armature="4" frictionloss="5" limited="true" range="0 5" margin=".1"
    group="2" solreffix="1 1" solimpfix=".1 .2 .3" type="hinge"/>"""
GEOM = """<geom type="capsule" size=".1" density="2" solmix="3" condim="4" friction="1 2 3" group="2" rgba="1 0 0 1" contype="4"
    material="m"/><site size=".3" rgba="1 0 0 1" group="1" material="m"/>"""
PARTS = [JOINT + CAPSULE, GEOM, '<geom type="cylinder" size=".1"/><site/>', BOX,
         BOX + '<skin texcoord="true" inflate=".1" group="4" rgba="1 0 0 1" material="m"/>',
         '<joint kind="main" limited="true"/>' + CAPSULE,
         '<joint kind="main" limited="false" range="0 5"/>' + CAPSULE]  # fmt: skip


def test_joints_geoms_sites_and_skins_are_those_of_the_reference() -> None:
    classes = '<default><geom density="5" rgba="1 0 0 1"/><joint damping="7"/><site size=".5"/></default>'
    before = f'<compiler angle="radian"/>{classes}<asset><material name="m"/></asset>'
    for k, part in enumerate(PARTS):
        initial = ("none", "ball", "free")[k % 3]
        assert_equal(world(cable(f'curve="cos(s) s s" count="5 1 1" size="1 .3 2" initial="{initial}"', part), before))


def test_short_and_replicated_box_cables_load() -> None:
    for count in (3, 2):
        m = MjModel.from_xml_string(world(cable(f'curve="s" count="{count} 1 1"', BOX)))
        assert (m.nbody, m.nskin) == (count, 1)
    text = cable('curve="s" count="4 1 1"', BOX)
    m = MjModel.from_xml_string(world(f'<replicate count="2" offset="0 1 0">{text}</replicate>'))
    assert m.nskin == 2
    assert [m.names[at:].split(b"\0", 1)[0] for at in m.name_skinadr] == [b"qSkin0", b"qSkin1"]


def test_a_count_of_ones_beside_vertex_says_nothing() -> None:
    assert_equal(world(cable('count="1 1 1" vertex="0 0 0 1 0 0 1 1 0 1 1 1"')))


def test_an_attached_cable_is_that_of_the_reference() -> None:
    child = world(cable('curve="s" count="5 1 1"'))
    parent = world('<attach model="M" prefix="x_" body="qB_first"/>', '<asset><model name="M" file="child.xml"/></asset>')
    assert_equal(parent, {"child.xml": child.encode()})


WRONG = {
    r'<composite> type "particle" is no longer valid; use <replicate>': cable('count="3 1 1"').replace("cable", "particle"),
    r'<composite> type "cloth" is no longer valid; use <flexcomp>': cable('count="3 1 1"').replace("cable", "cloth"),
    r'<composite> type "rope" is no longer valid; use type="cable"': cable('count="3 1 1"').replace("cable", "rope"),
    r"<composite> count of a cable must be at least 2, and 1 1 behind it, is 3 2 1": cable('curve="s" count="3 2 1"'),
    r"<composite> count of a cable .* is 0 1 1": cable('curve="s" count="0 1 1"'),
    r"<composite> vertex needs three numbers for each point, has 4": cable('vertex="0 0 0 1"'),
    r"<composite> has both vertex and count; valid: one of them": cable('vertex="0 0 0 1 0 0" count="2 1 1"'),
    r"<composite> has points 1 and 2 at the same place": cable('vertex="0 0 0 1 0 0 1 0 0"'),
    r"<composite> size must begin with a length, is 0": cable('curve="s" count="4 1 1" size="0"'),
    r"<geom> needs a geom of type capsule, cylinder, box": cable('curve="s" count="4 1 1"', '<geom size="1"/>'),
    r"<composite> needs a geom of type": cable('curve="s" count="4 1 1"', ""),
    r"<joint> is one too many: a cable has one kind": cable('curve="s" count="4 1 1"', 2 * '<joint kind="main"/>' + CAPSULE),
    r"<composite> makes the model too large": cable('curve="s" count="1000000000 1 1"'),
    r'<plugin> plugin "mujoco.pid" does not act on the pieces of a cable': cable('curve="s" count="4 1 1"',
                                                                               '<plugin plugin="mujoco.pid"/>' + CAPSULE),
    r"<plugin> is one too many": cable('curve="s" count="4 1 1"', 2 * '<plugin plugin="mujoco.elasticity.cable"/>' + CAPSULE),
    r'<body> name "qB_first" is already the name of a body': 2 * cable('curve="s" count="4 1 1"'),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_what_is_no_cable_is_told_at_its_place(message: str) -> None:
    with pytest.raises(MjcfError, match=r"model.xml:1:\d+: " + message):
        MjModel.from_xml_string(world(WRONG[message]))
