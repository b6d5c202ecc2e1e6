"""Generated height fields and geoms, compared with the reference; where the two differ, support functions tell who is right.

    python -m tests.battery.hfield [scenes] [--legacy]

A point says that a prism and the geom overlap by its depth along its normal. How far they overlap along any direction is
told by their support functions, so that each engine's own claim can be checked: one that no prism makes true is wrong.
"""

import argparse
import sys
from collections import Counter

import mujoco
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tests.battery.shapes import local_extent
from tests.physics.collision.scenes import Twins, number_list

Floats = NDArray[np.float64]
KINDS = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
GEOMS = 30  # a scene
DIST, NORMAL, CLAIM = 1e-6, 1e-4, 1e-5  # of the scale: points are the same; of the scale: a claim is true


class Tally(Struct):
    """What became of the geoms and points of one kind."""

    geoms: int = 0
    same_count: int = 0
    points: int = 0
    same: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        told = ", ".join(f"{n} {what}" for what, n in sorted(self.verdicts.items())) or "no differences"
        return f"{self.same_count} of {self.geoms} geoms have as many points; {self.same} of {self.points} points agree; {told}"


def scene(rng: np.random.Generator, scale: float, kind: str, option: str = "") -> Twins:
    """A rough, sloped or level field, tilted or not, and geoms of one kind around its surface, some of them larger than it."""
    nrow, ncol = rng.integers(2, 10, 2)
    heights = rng.random((nrow, ncol)) if rng.random() < 0.8 else np.zeros((nrow, ncol))
    size = scale * rng.uniform([0.5, 0.5, 0.05, 0.05], [2, 2, 1.5, 1])
    samples = f'elevation="{number_list(heights)}"' if heights.any() else ""
    pos, quat = scale * rng.normal(size=3), rng.normal(size=4)
    place = "" if rng.random() < 0.3 else f'pos="{number_list(pos)}" quat="{number_list(quat)}"'
    bodies = []
    for _ in range(GEOMS):
        shape = 'mesh="m"' if kind == "mesh" else f'size="{number_list(scale * np.exp(rng.uniform(-3.5, -0.1, 3)))}"'
        bodies.append(f'<body><freejoint/><geom type="{kind}" {shape} contype="0"/></body>')
    rock = number_list(0.3 * scale * rng.normal(size=(12, 3)))
    twins = Twins(mujoco.MjModel.from_xml_string(
        f'<mujoco><size memory="100M"/><option {option}/><compiler boundmass="1e-9" boundinertia="1e-15"/>'
        f'<asset><hfield name="h" nrow="{nrow}" ncol="{ncol}" size="{number_list(size)}" {samples}/>'
        f'<mesh name="m" inertia="shell" vertex="{rock}"/></asset>'
        f'<worldbody><geom type="hfield" hfield="h" {place} conaffinity="0"/>'
        f'{"".join(bodies)}</worldbody></mujoco>'))  # fmt: skip
    mujoco.mj_kinematics(twins.rm, twins.rd)
    turn, origin = twins.rd.geom_xmat[0].reshape(3, 3), twins.rd.geom_xpos[0]
    reach = np.array([1.15 * size[0], 1.15 * size[1], 1.2 * size[2]])
    for k in range(GEOMS):
        local = rng.uniform([-reach[0], -reach[1], -1.1 * size[3]], reach)
        quat = rng.normal(size=4)
        if rng.random() < 0.2:  # its axes along those of the field
            mujoco.mju_mat2Quat(quat, twins.rd.geom_xmat[0])
        twins.rd.qpos[7 * k : 7 * k + 7] = [*(turn @ local + origin), *(quat / np.linalg.norm(quat))]
    twins.run()
    return twins


def prisms(twins: Twins) -> Floats:
    """(n, 6, 3) corners of all prisms in world axes."""
    m = twins.rm
    nrow, ncol, size = m.hfield_nrow[0], m.hfield_ncol[0], m.hfield_size[0]
    x, y = np.meshgrid(np.linspace(-size[0], size[0], ncol), np.linspace(-size[1], size[1], nrow))
    top = np.stack([x, y, size[2] * m.hfield_data.reshape(nrow, ncol)], axis=2)
    a, b, c, e = top[:-1, :-1], top[1:, 1:], top[1:, :-1], top[:-1, 1:]
    tops = np.concatenate([np.stack([a, b, c], 2).reshape(-1, 3, 3), np.stack([a, b, e], 2).reshape(-1, 3, 3)])
    both = np.concatenate([tops, tops * [1, 1, 0] - [0, 0, size[3]]], axis=1)
    return both @ twins.rd.geom_xmat[0].reshape(3, 3).T + twins.rd.geom_xpos[0]


def lowest(twins: Twins, g: int, normal: Floats) -> float:
    """How far along a normal a geom begins."""
    m, size, place = twins.rm, twins.rm.geom_size[g], twins.rd.geom_xpos[g] @ normal
    v = twins.rd.geom_xmat[g].reshape(3, 3).T @ normal
    kind = KINDS[[2, 3, 4, 5, 6, 7].index(m.geom_type[g])]
    if kind == "mesh":
        return float(place + (m.mesh_vert.astype(float) @ v).min())
    return float(place - local_extent(kind, size, v, None))


def overlaps(twins: Twins, corners: Floats, g: int, normal: Floats) -> Floats:
    """How far each prism and the geom are apart along the normal; negative: how far they overlap."""
    return np.asarray(lowest(twins, g, normal) - (corners @ normal).max(axis=1))


def outside(corners: Floats, pos: Floats) -> Floats:
    """How far a point is outside each prism, at least: by the planes of its faces."""
    a, up = corners[:, :3], corners[:, 0] - corners[:, 3]
    sides = np.cross(np.roll(a, -1, 1) - a, up[:, None])
    normals = np.concatenate([np.cross(a[:, 1] - a[:, 0], a[:, 2] - a[:, 0])[:, None], up[:, None], sides], axis=1)
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    heights = np.einsum("pfk,pck->pfc", normals, corners)
    at = normals @ pos
    middle = heights.mean(axis=2)
    return np.asarray(np.where(at > middle, at - heights.max(axis=2), heights.min(axis=2) - at).max(axis=1))


def judge(twins: Twins, scale: float, tally: Tally) -> None:
    """Compare the points of all geoms of a scene."""
    ours, theirs, corners = twins.d.contact, twins.rd.contact, prisms(twins)
    mine, yours = np.asarray(ours.geom).reshape(-1, 2)[:, 1], theirs.geom.reshape(-1, 2)[:, 1]
    normals = np.asarray(ours.frame).reshape(-1, 9)[:, :3]
    for g in range(1, GEOMS + 1):
        a, b = np.flatnonzero(mine == g), np.flatnonzero(yours == g)
        tally.geoms += 1
        if len(a) != len(b):
            tally.verdicts[f"geoms with {'more' if len(a) > len(b) else 'fewer'} points here"] += 1
            continue
        tally.same_count += 1
        tally.points += len(a)
        for i, j in zip(a, b, strict=True):
            near = abs(ours.dist[i] - theirs.dist[j]) <= DIST * scale
            if near and abs(normals[i] - theirs.frame[j, :3]).max() <= NORMAL:
                tally.same += 1
                continue
            along, other = (overlaps(twins, corners, g, n) for n in (normals[i], theirs.frame[j, :3]))
            # The prisms that the point can be of: it is midway between the surfaces.
            fits = abs(along - ours.dist[i]) <= CLAIM * scale
            fits &= outside(corners, ours.pos[i]) <= 0.5 * abs(ours.dist[i]) + CLAIM * scale
            right, of = bool(fits.any()), fits if fits.any() else np.full(len(fits), True)
            their = bool((abs(other - theirs.dist[j])[of] <= CLAIM * scale).any())
            deeper = ours.dist[i] < theirs.dist[j] - DIST * scale
            what = {(True, False): "only ours is true", (False, True): "only theirs is true", (False, False): "neither is true",
                    (True, True): "both are true, theirs is nearer" if deeper else "both are true, ours is as near"}  # fmt: skip
            tally.verdicts[what[right, their]] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", type=int, nargs="?", default=20)
    parser.add_argument("--legacy", action="store_true", help="with the flag nativeccd disabled")
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    for kind in KINDS:
        tally = Tally()
        for k in range(asked.scenes):
            scale = 10.0 ** ((k % 5) - 2)
            # The tolerance is a length: in proportion, so that a scene tells the same at all sizes.
            twins = scene(rng, scale, kind, f'ccd_tolerance="{1e-6 * scale:g}"')
            if asked.legacy:
                twins.rm.opt.disableflags = twins.m.opt_disableflags = int(mujoco.mjtDisableBit.mjDSBL_NATIVECCD)
                twins = again(twins)
            judge(twins, scale, tally)
        sys.stdout.write(f"{kind}: {tally}\n")


def again(twins: Twins) -> Twins:
    """The same scene with the model's present flags, collided again."""
    other = Twins(twins.rm)
    other.rd.qpos[:] = twins.rd.qpos
    other.run()
    return other


if __name__ == "__main__":
    main()
