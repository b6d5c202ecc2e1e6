"""Stacks stand, cylinders roll straight, and a mesh of a cube is a cube. A minute of each stack: `make bench`, stacks."""

from typing import Any

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load, posed
from tumble import physics

BRICK = " ".join(f"{x} {y} {z}" for x in (-0.125, 0.125) for y in (-0.125, 0.125) for z in (-0.0625, 0.0625))
KINDS = {
    "boxes": 'type="box" size=".125 .125 .0625"',
    "cylinders": 'type="cylinder" size=".125 .0625"',
    "mesh bricks": 'type="mesh" mesh="brick"',
}
SETTLED = 1.0  # s


def stack(kind: str, number: int = 10, multiccd: bool = True) -> str:
    """Things of one kind on a plane, in contact without a force."""
    bodies = "".join(f'<body pos="0 0 {0.0625 + 0.125 * k}"><freejoint/><geom {KINDS[kind]}/></body>' for k in range(number))
    return f"""<mujoco><option><flag multiccd="{"enable" if multiccd else "disable"}"/></option>
        <asset><mesh name="brick" vertex="{BRICK}"/></asset>
        <worldbody><geom type="plane" size="2 2 1"/>{bodies}</worldbody></mujoco>"""


def drift(engine: Any, xml: str, seconds: float) -> tuple[float, float]:
    """How far [m] a body is at most from where it was when all had settled, and when [s] it first was 5 cm away, or infinity.

    engine: the module of either engine.
    """
    m, d = load(xml, engine)
    while d.time < SETTLED:
        engine.mj_step(m, d)
    start, farthest = np.array(d.qpos).reshape(-1, 7)[:, :3], 0.0
    while d.time < SETTLED + seconds:
        engine.mj_step(m, d)
        farthest = max(farthest, float(np.abs(d.qpos.reshape(-1, 7)[:, :3] - start).max()))
        if farthest > 0.05:
            return farthest, float(d.time)
    return farthest, np.inf


@pytest.mark.parametrize(("kind", "limit"), [("boxes", 1e-10), ("mesh bricks", 1e-10), ("cylinders", 1e-4)])
def test_ten_on_top_of_each_other_stand(kind, limit):
    """Of cylinders, which points of the round ends touch is found to the tolerance of the search, and changes."""
    farthest, fell = drift(physics, stack(kind), 6.0)
    assert farthest < limit
    assert fell == np.inf


@pytest.mark.parametrize("margin", [0.0, 0.005, 0.02])
def test_box_over_an_edge_falls_symmetrically(margin):
    """With a margin the reference has a contact at the corner in the air on one of the sides."""
    falls = []
    for x in (0.35, -0.35):
        m, d = posed(f"""<mujoco><default><geom type="box" margin="{margin}"/></default>
            <worldbody><geom size=".3 .3 .1"/>
            <body pos="{x} .02 .149"><freejoint/><geom size=".2 .1 .05"/></body></worldbody></mujoco>""")
        assert d.ncon == 4
        assert np.abs(d.contact.pos[:, 0]).max() <= 0.3 + 1e-12
        for _ in range(150):
            physics.mj_step(m, d)
        falls.append(d.qpos * [np.sign(x), 1, 1, 1, 1, np.sign(x), np.sign(x)])
    np.testing.assert_allclose(*falls, atol=1e-6)
    assert falls[0][2] < 0.12


def common_corners(size1: np.ndarray, size2: np.ndarray, angle: float, offset: np.ndarray) -> np.ndarray:
    """Corners (n, 2) of what two rectangles have in common, the second rotated and moved; found by crossing all their sides."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]])
    first, second = unit * size1, unit * size2 @ turn.T + offset
    points = [*first, *second]
    for a, b in zip(first, np.roll(first, -1, axis=0), strict=True):
        for c, e in zip(second, np.roll(second, -1, axis=0), strict=True):
            matrix = np.c_[b - a, c - e]
            if abs(np.linalg.det(matrix)) > 1e-9:
                s, t = np.linalg.solve(matrix, c - a)
                if 0 <= s <= 1 and 0 <= t <= 1:
                    points.append(a + s * (b - a))
    near = 1e-9
    inside = [p for p in points if (np.abs(p) <= size1 + near).all() and (np.abs((p - offset) @ turn) <= size2 + near).all()]
    return np.array([p for k, p in enumerate(inside) if all(np.abs(p - q).max() > 1e-7 for q in inside[:k])])


def test_box_contacts_are_exactly_corners_of_face_overlap():
    """In any pose in space, where rounding tilts the faces. The reference lacks corners in one of ten such pairs."""
    m = physics.MjModel.from_xml_string("""<mujoco><worldbody><body><freejoint/><geom type="box" size=".3 .2 .1"/></body>
        <body><freejoint/><geom type="box" size=".25 .2 .15"/></body></worldbody></mujoco>""")
    d, rng, quat = physics.MjData(m), np.random.default_rng(3), np.zeros(4)
    for k in range(200):
        frame = rng.normal(size=4)
        frame /= np.linalg.norm(frame)
        angle = (0.0, np.pi / 2, np.pi / 4, rng.uniform(0.01, 1.5))[k % 4]
        offset = rng.uniform(-0.1, 0.1, 2) * (k % 8 > 0)
        m.geom_size[1] = m.geom_size[0] if k % 3 == 0 else (0.25, 0.2, 0.15)
        height = 0.1 + m.geom_size[1, 2] - 10 ** rng.uniform(-6, -3)
        mujoco.mju_mulQuat(quat, frame, np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)]))
        place, turn = np.zeros(3), np.zeros(9)
        mujoco.mju_rotVecQuat(place, np.r_[offset, height], frame)
        mujoco.mju_quat2Mat(turn, frame)
        d.qpos[:] = np.r_[0, 0, 0, frame, place, quat]
        physics.mj_kinematics(m, d)
        physics.mj_collision(m, d)
        truth = common_corners(m.geom_size[0, :2], m.geom_size[1, :2], angle, offset)
        corners = (d.contact.pos @ turn.reshape(3, 3))[:, :2]
        apart = np.linalg.norm(truth[:, None] - corners, axis=2)
        assert len(corners) == len(truth)
        assert apart.min(axis=1).max() < 1e-6
