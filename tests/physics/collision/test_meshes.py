"""Contacts of meshes: of their convex hulls."""

from __future__ import annotations

from collections.abc import Iterator

import mujoco
import numpy as np
import pytest

from physics.collision.dispatch import collision
from physics.collision.hull import highest_vertex
from tests.physics.collision.scenes import PRECISE, Twins, number_list, random_quat

HALF = np.array([0.3, 0.4, 0.2])
CUBE = HALF * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
TETRAHEDRON = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) * 0.3
BOX, BALL, ROD = 'type="box" size="0.3 0.4 0.2"', 'type="sphere" size="0.2"', 'type="capsule" size="0.1 0.3"'
EGG, DISK, PLANE = 'type="ellipsoid" size="0.3 0.4 0.2"', 'type="cylinder" size="0.3 0.4"', 'type="plane" size="1 1 1"'


def ball(seed: int, count: int) -> np.ndarray:
    """Points on an ellipsoid: all of them are on their hull."""
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None] * HALF


def column(sides: int) -> np.ndarray:
    """A cylinder as a file has it: a round side of flat faces, and two flat ends of many vertices."""
    angle = np.arange(sides) * 2 * np.pi / sides
    ring = np.stack([0.3 * np.cos(angle), 0.3 * np.sin(angle), np.full(sides, 0.4)], axis=1)
    return np.concatenate([ring, ring * [1, 1, -1]])


def pair(first: np.ndarray | str, second: np.ndarray | str, margin: float = 0.0, option: str = "") -> Twins:
    """Two free bodies, each with a mesh of the given vertices or a primitive; a plane is moved as a mocap body."""
    assets, bodies = "", ""
    for name, shape in (("a", first), ("b", second)):
        if not isinstance(shape, str):
            assets += f'<mesh name="{name}" vertex="{number_list(shape)}"/>'
            shape = f'type="mesh" mesh="{name}"'
        joint, mocap = ("", 'mocap="true"') if shape == PLANE else ("<freejoint/>", "")
        bodies += f'<body {mocap}>{joint}<geom {shape} margin="{margin / 2}"/></body>'
    xml = f"<mujoco><option {option}/><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>"
    return Twins(mujoco.MjModel.from_xml_string(xml))


def random_poses(twins: Twins, seed: int, poses: int, reach: float = 0.9) -> Iterator[Twins]:
    """Random poses near contact, some of them aligned."""
    rng = np.random.default_rng(seed)
    for _ in range(poses):
        twins.place(rng.normal(size=3), random_quat(rng), [0, 0, 0], random_quat(rng))
        twins.place_offset(rng.normal(size=3), reach * rng.uniform())
        twins.run()
        yield twins


PAIRS = {
    "ball on mesh": (BALL, ball(1, 40)), "rod on mesh": (ROD, ball(1, 40)), "egg on mesh": (EGG, ball(1, 40)),
    "disk on mesh": (DISK, ball(1, 40)), "box on mesh": (BOX, ball(1, 40)), "mesh on mesh": (ball(1, 40), ball(2, 300)),
    "few vertices": (CUBE, TETRAHEDRON), "flat ends": (BOX, column(30)), "columns": (column(20), column(30)),
    "plane on mesh": (PLANE, ball(1, 40)), "plane on cube": (PLANE, CUBE), "plane on column": (PLANE, column(30)),
}  # fmt: skip
