"""What a flex is: its stiffness against closed forms, changes while it runs, mistakes in files."""

import time

import numpy as np
import pytest

from tests.physics.compiler.flex.scenes import ELASTIC, QUIET, flexcomp, on_body, on_world
from tumble import physics
from tumble.physics.changes import follow
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel


def test_edges_that_are_damped_while_running_get_their_rows() -> None:
    declared = MjModel.from_xml_string(on_body(flexcomp('<edge damping="2"/>', dim=2, count="3 3 1")))
    changed = MjModel.from_xml_string(on_body(flexcomp(dim=2, count="3 3 1")))
    assert not changed.flexedge_J_rownnz.any()
    changed.flex_edgedamping[0] = 2.0
    follow(changed, physics.MjData(changed), "flex_edgedamping", 0)
    for field in ("flexedge_J_rownnz", "flexedge_J_rowadr", "flexedge_J_colind"):
        np.testing.assert_array_equal(getattr(changed, field), getattr(declared, field))


def test_a_replicated_flex_moves_with_its_copies() -> None:
    xml = on_world(f'<replicate count="2" offset="0 0 1">{flexcomp(dim=2, count="2 2 1")}</replicate>')
    m = MjModel.from_xml_string(xml)
    assert (m.nflex, m.nbody, m.body_pos[1:, 2].tolist()) == (2, 9, [0.0] * 4 + [1.0] * 4)
    with pytest.raises(MjcfError, match="pinned outside of the <replicate>"):
        MjModel.from_xml_string(xml.replace("></flexcomp>", '><pin id="0"/></flexcomp>'))


def test_a_frame_does_not_move_a_flex_and_a_note_says_so() -> None:
    m = MjModel.from_xml_string(on_world(f'<frame pos="1 2 3" euler="0 0 90">{flexcomp(dim=1, count="2 1 1")}</frame>'))
    np.testing.assert_allclose(physics_positions(m), [[-0.01, 0, 0], [0.01, 0, 0]], atol=1e-15)
    assert [note.partition("> ")[2][:18] for note in m.notes] == ["stands in a <frame"]


def physics_positions(m: MjModel) -> np.ndarray:
    d = physics.MjData(m)
    physics.mj_kinematics(m, d)
    return np.asarray(d.xpos[1:])


HUGE = [
    flexcomp(dim=1, count="1000000000 1 1"), flexcomp(dim=3, count="100000 100000 100000"),
    flexcomp(type="box", dim=3, count="2147483647 2147483647 2147483647"), flexcomp(type="circle", dim=1, count="2000000000 1 1"),
    flexcomp(type="disc", dim=2, count="100000 100000 1"), flexcomp(dim=2, count="100000 100000 1", rigid="true"),
]  # fmt: skip


@pytest.mark.parametrize("flex", HUGE)
def test_more_points_than_there_is_room_for_are_refused_at_once(flex: str) -> None:
    start = time.process_time()
    with pytest.raises(MjcfError, match=r"model.xml:1:20: <flexcomp> would have \d+ points; \d+ are the most"):
        MjModel.from_xml_string(on_world(flex))
    assert time.process_time() - start < 1  # a list of them would take minutes


@pytest.mark.parametrize(("flex", "says"), [
    (flexcomp(dim=4), "dim must be 1, 2 or 3"), (flexcomp(count="0 1 1"), "count must be 1 or more"),
    (flexcomp(dim=2, count="3 1 1"), "count must be 2 or more along xy"), (flexcomp(count="3 3 2"), "must end in 1"),
    (flexcomp(type="box", dim=3, count="2 1 2"), "count must be 2 or more"),  # the reference hangs
    (flexcomp(mass=0), "mass and inertiabox must be positive"), (flexcomp(spacing="0.009 1 1"), "spacing must be twice"),
    (flexcomp(scale="0 1 1"), "scale must be positive"), (flexcomp(type="direct"), "needs both point and element"),
    (flexcomp(type="direct", point="0 0", element="0"), "point needs three numbers"),
    (flexcomp(type="direct", point="0 0 0 1 0 0", element="0 1 2"), "element has point 2; there are points 0 to 1"),
    (flexcomp(type="direct", point="0 0 0 1 0 0 0 1 0", element="0 1"), "element needs 3 points"),
    (flexcomp(type="direct", point="0 0 0 1 0 0 0 1 0", element="0 1 1", dim=2), "has 2 vertices|twice"),
    (flexcomp(texcoord="0 0", count="2 2 1"), "texcoord needs two numbers for each of 4 points"),
    (flexcomp(dim=3, dof="radial", count="3 3 3"), "no direction to move in"), (flexcomp(type="mesh"), "needs a file"),
    (flexcomp(type="mesh", file="x.obj", dim=3), "needs an origin"), (flexcomp(type="gmsh", file="x.msh"), "does not exist"),
    (flexcomp('<pin id="100"/>'), "id has point 100; there are points 0 to 99"), (flexcomp('<pin grid="1"/>'), "grid needs 2"),
    (flexcomp('<pin gridrange="0 0 3 10"/>'), "gridrange has 10 along y"), (flexcomp('<pin range="0"/>'), "range needs 2"),
    (flexcomp('<elasticity young="1" poisson="0.5"/>'), "poisson must be 0 or more"),
    (flexcomp('<elasticity young="1" elastic2d="both"/>'), "thickness must be positive"),
    (flexcomp('<elasticity young="1" elastic2d="both" thickness="1"/><pin id="0"/>'), "none pinned"),
    (flexcomp('<edge stiffness="1"/>'), "stiffness is for dim 1"),
    (flexcomp('<contact activelayers="0"/>', dim=3, count="2 2 2"), "activelayers"),
    (flexcomp(dof="trilinear", dim=3, count="2 2 2"), 'selfcollide must be "none"'),
    (flexcomp(QUIET + ELASTIC.format("none", 0), dof="trilinear", dim=3, count="2 2 2"), "needs 28 or more elements"),
    (flexcomp('<edge equality="vert"/>', euler="30 0 0"), "not in a plane z = constant"),
    (flexcomp('<edge equality="true"/>', rigid="true"), 'flex "F" is rigid'),
])  # fmt: skip
def test_a_mistake_is_told_at_its_place(flex: str, says: str) -> None:
    with pytest.raises(MjcfError, match=rf"model.xml:1:\d+: <(flexcomp|flex|pin|elasticity|edge|contact)> .*({says})"):
        MjModel.from_xml_string(on_world(flex))


@pytest.mark.parametrize(("flex", "says"), [
    ('body="A" element="0 1 2"', "has 1 vertices|there are vertices 0 to 0"),
    ('body="A X A" element="0 1 2"', 'body "X" is not a body'),
    ('body="A A A" vertex="0 0" element="0 1 2"', "vertex needs 3 numbers"),
    ('body="A A A" vertex="0 0 0" element="0 1 2"', "vertex needs three numbers for each of 3 bodies"),
    ('body="A B A" element="0 1"', "element needs 3 numbers"), ('body="A B A" element="0 1 1"', "element 0 has a vertex twice"),
    ('body="A B A" element="0 1 -2"', "element has vertex -2"), ('body="A B A" element="0 1 2" node="A B"', "8 or 27 bodies"),
    ('body="A B A" element="0 1 2" texcoord="0 0"', "texcoord needs two numbers for each of 3"),
    ('body="A B A" element="0 1 2" texcoord="0 0" elemtexcoord="0 0 1"', "elemtexcoord has 1"),
    ('body="A B A" element="0 1 2" elemtexcoord="0 0 1"', "no texcoord"),
])  # fmt: skip
def test_a_mistake_in_a_written_flex_is_told(flex: str, says: str) -> None:
    bodies = '<body name="A"><freejoint/><geom size=".1"/></body><body name="B"/>'
    with pytest.raises(MjcfError, match=rf"model.xml:1:\d+: <flex> .*({says})"):
        MjModel.from_xml_string(f"<mujoco><deformable><flex {flex}/></deformable><worldbody>{bodies}</worldbody></mujoco>")
