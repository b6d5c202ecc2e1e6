"""Two geoms in space, in both engines: the scenes of the collision tests."""

from collections.abc import Iterator

import mujoco
import numpy as np

from tests.battery.cases import Case
from tests.battery.shapes import Shape
from tests.battery.truth import best_axis
from tests.physics.reference import copy_fields, mirror_model
from tumble.physics.collision.dispatch import bind_collision, collision
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

FIELDS = ("contact_dist", "contact_pos", "contact_frame", "contact_includemargin", "contact_friction", "contact_solref",
          "contact_solreffriction", "contact_solimp", "contact_dim", "contact_geom", "contact_exclude", "contact_flex",
          "contact_elem", "contact_vert")


def number_list(values: object) -> str:
    """Numbers as an attribute's value, with every digit."""
    return " ".join(repr(float(x)) for x in np.ravel(np.asarray(values)))


# Below the tolerances of tests, and iterations enough to get there.
PRECISE = 'ccd_tolerance="1e-11" ccd_iterations="120"'


def two_geoms(
    type1: str, size1: object, type2: str, size2: object, margin: float = 0.0, more: str = "", option: str = ""
) -> mujoco.MjModel:
    """A model of two free bodies with one geom each; a plane is fixed to the world."""
    bodies = []
    for kind, size in ((type1, size1), (type2, size2)):
        geom = f'<geom type="{kind}" size="{number_list(size)}" margin="{margin / 2!r}" {more}/>'
        bodies.append(f"<body mocap='true'>{geom}</body>" if kind == "plane" else f"<body><freejoint/>{geom}</body>")
    return mujoco.MjModel.from_xml_string(f"<mujoco><option {option}/><worldbody>{''.join(bodies)}</worldbody></mujoco>")


class Twins:
    """One model in both engines."""

    def __init__(self, reference: mujoco.MjModel) -> None:
        self.rm, self.rd = reference, mujoco.MjData(reference)
        self.m: Model = mirror_model(reference)
        self.d = Data(self.m)
        bind_collision(self.m)

    def place(self, pos1: object, quat1: object, pos2: object, quat2: object) -> None:
        """Set the poses of the two bodies of `two_geoms` (unit quaternions)."""
        moving, fixed = 0, 0
        for k, (pos, quat) in enumerate(((pos1, quat1), (pos2, quat2))):
            if self.rm.body_mocapid[k + 1] >= 0:
                self.rd.mocap_pos[fixed], self.rd.mocap_quat[fixed] = pos, quat
                fixed += 1
            else:
                self.rd.qpos[7 * moving : 7 * moving + 3], self.rd.qpos[7 * moving + 3 : 7 * moving + 7] = pos, quat
                moving += 1

    def run(self) -> None:
        """Collide in both engines."""
        mujoco.mj_kinematics(self.rm, self.rd)
        mujoco.mj_comPos(self.rm, self.rd)
        mujoco.mj_collision(self.rm, self.rd)
        copy_fields(self.d, self.rd, "geom_xpos", "geom_xmat", "xpos", "xquat", "xmat", "xipos", "ximat")
        while True:
            collision(self.m, self.d)
            if self.d.needcon == 0:
                break
            self.d.grow("maxcon", self.d.needcon)
        assert self.d.needcollide == 0

    def past_the_border(self) -> np.ndarray:
        """Which of the reference's contacts (ncon,) of two boxes are on a face of one of them, but past its border, or too deep.

        With a margin it has one there: where the nearest corner of the other box is past the border too. None may be nearer
        or deeper than the boxes are.
        """
        contact, past = self.rd.contact, np.full(self.rd.ncon, False)
        boxes = (self.rm.geom_type[contact.geom] == mujoco.mjtGeom.mjGEOM_BOX).all(axis=1)
        if not boxes.any():
            return past
        for g in contact.geom.T:
            turn = self.rd.geom_xmat[g].reshape(-1, 3, 3)
            normal = np.einsum("ci,cij->cj", contact.frame[:, :3], turn)
            place = np.einsum("ci,cij->cj", contact.pos - self.rd.geom_xpos[g], turn)
            across = np.abs(normal) < 1e-9
            outside = np.abs(place) > self.rm.geom_size[g] * (1 + 1e-8)
            past |= boxes & (across.sum(axis=1) == 2) & (across & outside).any(axis=1)
        ours, here = np.asarray(self.d.contact.dist), np.asarray(self.d.contact.geom)
        for k in np.flatnonzero(boxes & (self.d.ncon != self.rd.ncon)):
            same = (here == contact.geom[k]).all(axis=1) & (np.abs(ours - contact.dist[k]) < 1e-9)
            past[k] |= not same.any() and contact.dist[k] < self._true(*contact.geom[k]) - 1e-6
        return past

    def _true(self, *geoms: int) -> float:
        """The signed distance of two boxes [m]."""
        shapes = [Shape("box", self.rm.geom_size[g], self.rd.geom_xpos[g], self.rd.geom_xmat[g].reshape(3, 3)) for g in geoms]
        return best_axis(Case(shapes[0], shapes[1], 0.0, ""), np.zeros((0, 3)))[0]

    def _is_true(self, geoms: tuple[int, int], margin: float) -> bool:
        """Whether our contacts of a pair are just the true distance of its geoms, if that is within the margin [m]."""
        dist = np.asarray(self.d.contact.dist)[(np.asarray(self.d.contact.geom) == geoms).all(axis=1)]
        true = self._true(*geoms)
        return bool(abs(true - dist[0]) < 1e-6 if len(dist) == 1 else len(dist) == 0 and true > margin - 1e-6)

    def difference(self, fields: tuple[str, ...] = FIELDS, tol: float = 1e-8, but: np.ndarray | None = None) -> str:
        """The first field that differs, or nothing. but: contacts of the reference (ncon,) that are wrong and do not count.

        A pair of which none counts is compared with the true distance.
        """
        contact, here = self.rd.contact, self.d.contact.geom.tolist()
        count = np.full(self.rd.ncon, True) if but is None else ~but
        right = set(map(tuple, contact.geom[count].tolist()))
        wrong = dict(zip(map(tuple, contact.geom[~count].tolist()), contact.includemargin[~count].tolist(), strict=True))
        alone = {pair: margin for pair, margin in wrong.items() if pair not in right}
        if but is not None:  # boxes whose contacts it lost
            box = self.rm.geom_type == mujoco.mjtGeom.mjGEOM_BOX
            alone |= {pair: 0.0 for pair in set(map(tuple, here)) - right - set(alone) if box[list(pair)].all()}
        for pair, margin in alone.items():
            if not self._is_true(pair, margin):
                return f"{pair} is not as far apart as our contact tells: {self.d.contact.dist}"
        kept = np.array([tuple(pair) not in alone for pair in here], bool)
        if kept.sum() != count.sum():
            return f"ncon {self.d.ncon} not {count.sum()}: ours {self.d.contact.dist}, theirs {contact.dist}"
        for name in fields:
            ours = np.asarray(getattr(self.d, name), float)[kept]
            theirs = np.asarray(getattr(contact, name[len("contact_"):]), float)[count].reshape(ours.shape)
            error = np.abs(ours - theirs).max(initial=0.0)
            if not error <= tol:
                return f"{name} differs by {error:.3g}:\n{ours}\nnot\n{theirs}"
        return ""


def random_quat(rng: np.random.Generator) -> np.ndarray:
    """A rotation, uniformly distributed; one in four is a quarter turn or none, or nearly so.

    Not so nearly that rounding decides: 1e-5 at least.
    """
    q = rng.normal(size=4)
    if rng.random() < 0.25:
        q = np.zeros(4)
        q[0], q[rng.integers(1, 4)] = [(1, 0), (1, 1), (0, 1), (1, -1)][rng.integers(4)]
        if rng.random() < 0.3:
            q += rng.normal(size=4) * 10.0 ** rng.integers(-5, -2)
    return q / np.linalg.norm(q)


SIZES = {
    "plane": lambda rng: np.ones(3),
    "sphere": lambda rng: rng.uniform(0.05, 0.5, 1),
    "capsule": lambda rng: rng.uniform(0.05, 0.5, 2),
    "cylinder": lambda rng: rng.uniform(0.05, 0.5, 2),
    "ellipsoid": lambda rng: rng.uniform(0.05, 0.5, 3),
    "box": lambda rng: rng.uniform(0.05, 0.5, 3),
}


def random_pairs(type1: str, type2: str, seed: int, models: int, poses: int, option: str = "") -> Iterator[Twins]:
    """Seeded random sizes, margins and poses, near contact, some of them degenerate; both engines have collided."""
    rng = np.random.default_rng(seed)
    for _ in range(models):
        margin = float(rng.choice([0.0, 0.02, 0.2]))
        size1, size2 = SIZES[type1](rng), SIZES[type2](rng)
        if rng.random() < 0.2 and len(size1) == len(size2):
            size2 = size1
        twins = Twins(two_geoms(type1, size1, type2, size2, margin, option=option))
        for _ in range(poses):
            pos1, quat1 = (rng.normal(size=3) if rng.random() < 0.7 else np.zeros(3)), random_quat(rng)
            quat2 = quat1 if rng.random() < 0.1 else random_quat(rng)
            offset = rng.normal(size=3)
            if rng.random() < 0.2:
                offset[rng.integers(3)] = 0.0
            if rng.random() < 0.1:
                offset[rng.permutation(3)[:2]] = 0.0
            reach = np.max(size1) + np.max(size2)
            offset *= rng.uniform(0.0, 1.0) * reach / (1e-9 + np.linalg.norm(offset))
            if rng.random() < 0.02:
                offset[:] = 0.0
            if rng.random() < 0.5:  # in the frame of the first: face on face, axis along axis
                rotated = np.zeros(3)
                mujoco.mju_rotVecQuat(rotated, offset, quat1)
                offset = rotated
            twins.place(pos1, quat1, pos1 + offset, quat2)
            twins.run()
            yield twins
