"""Both engines on one pair of kinds: one model each, whose sizes and poses change from case to case."""

import mujoco
import numpy as np
from msgspec import Struct

from tests.battery.cases import Case
from tests.battery.shapes import MESHES, Hull, Shape, half_sizes, hull_of, mesh_points
from tests.physics.reference import mirror_model
from tumble.physics.collision.dispatch import bind_collision, collision
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtDisableBit

ROOM = 64  # contacts of a pair


class Points(Struct, frozen=True):
    """The contacts of one engine: signed distances (n,), positions (n, 3), frames (n, 3, 3)."""

    dist: np.ndarray
    pos: np.ndarray
    frame: np.ndarray

    def deepest(self) -> int:
        return int(self.dist.argmin())


def model_text(kinds: tuple[str, str], option: str = "", flag: str = "") -> str:
    """MJCF of two geoms that collide as an explicit pair, so that its margin is one number."""
    assets, bodies = "", ""
    for name, kind in zip("ab", kinds, strict=True):
        shape = f'type="{kind}" size="1 1 1"'
        if kind in MESHES:
            vertices = " ".join(repr(float(x)) for x in mesh_points(kind).ravel())
            assets += f'<mesh name="{name}" inertia="convex" vertex="{vertices}"/>'
            shape = f'type="mesh" mesh="{name}"'
        joint = 'mocap="true"' if kind == "plane" else ""
        free = "" if kind == "plane" else "<freejoint/>"
        inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        bodies += f'<body {joint}>{free}{inertia}<geom name="{name}" {shape}/></body>'
    pair = '<contact><pair geom1="a" geom2="b"/></contact>'
    world = f"<asset>{assets}</asset><worldbody>{bodies}</worldbody>{pair}"
    return f"<mujoco><option {option}><flag {flag}/></option>{world}</mujoco>"


class Bench:
    """One pair of kinds in both engines."""

    def __init__(self, kinds: tuple[str, str], option: str = "", flag: str = "") -> None:
        self.kinds = kinds
        self.rm = mujoco.MjModel.from_xml_string(model_text(kinds, option, flag))
        self.rd = mujoco.MjData(self.rm)
        mujoco.mj_forward(self.rm, self.rd)
        self.m = mirror_model(self.rm)
        self.d = Data(self.m)
        self.d.grow("maxcon", ROOM)
        bind_collision(self.m)
        collision(self.m, self.d)
        # The engines order the pair by type; the cases keep that order, and meshes among each other the names'.
        self.first = int(self.rm.pair_geom1[0]) if self.rm.geom_type[0] == self.rm.geom_type[1] else 0
        self.vertices = [np.array(self._vertices(k)) for k in range(2)]
        self.scaled = [1.0, 1.0]

    def _vertices(self, k: int) -> np.ndarray:
        mesh = self.rm.geom_dataid[k]
        if mesh < 0:
            return np.zeros((0, 3))
        first = self.rm.mesh_vertadr[mesh]
        return np.asarray(self.rm.mesh_vert[first : first + self.rm.mesh_vertnum[mesh]])

    def hulls(self) -> tuple[Hull | None, Hull | None]:
        """Of the meshes among the two, as they were compiled."""
        a, b = (hull_of(v.astype(float)) if len(v) else None for v in self.vertices)
        return a, b

    def load(self, case: Case) -> None:
        """Make both engines' models and poses those of a case."""
        for k, shape in enumerate((case.first, case.second)):
            if shape.hull is not None:
                self._scale(k, shape)
            for model in (self.rm, self.m._arrays):
                size, radius, box = ((model.geom_size, model.geom_rbound, model.geom_aabb) if model is self.rm else
                                     (model["geom_size"], model["geom_rbound"], model["geom_aabb"]))  # fmt: skip
                if shape.hull is None:
                    size[k] = shape.size
                radius[k] = shape.radius
                box[k, :3] = 0.0
                box[k, 3:] = half_sizes(shape.kind, shape.size, shape.hull)
            for pos, mat in ((self.rd.geom_xpos, self.rd.geom_xmat), (self.d._arrays["geom_xpos"], self.d._arrays["geom_xmat"])):
                pos[k], mat[k] = shape.pos, shape.mat.ravel()
        self.rm.pair_margin[0] = self.m._arrays["pair_margin"][0] = case.margin
        self.rm.opt.ccd_tolerance = self.m.opt_ccd_tolerance = case.tolerance

    def _scale(self, k: int, shape: Shape) -> None:
        """Powers of two: the vertices keep their digits."""
        if self.scaled[k] == shape.size[0]:
            return
        mesh = self.rm.geom_dataid[k]
        first, number = self.rm.mesh_vertadr[mesh], self.rm.mesh_vertnum[mesh]
        for array in (self.rm.mesh_vert, self.m._arrays["mesh_vert"]):
            array[first : first + number] = self.vertices[k] * np.float32(shape.size[0])
        self.scaled[k] = float(shape.size[0])

    def theirs(self) -> Points:
        """The reference's contacts of what is loaded."""
        mujoco.mj_collision(self.rm, self.rd)
        c = self.rd.contact
        return Points(np.array(c.dist).reshape(-1), np.array(c.pos).reshape(-1, 3), np.array(c.frame).reshape(-1, 3, 3))

    def ours(self) -> Points:
        """Our contacts of what is loaded."""
        collision(self.m, self.d)
        assert self.d.needcon == 0
        assert self.d.needcollide == 0
        n, a = self.d.ncon, self.d._arrays
        return Points(a["contact_dist"][:n].copy(), a["contact_pos"][:n].copy(), a["contact_frame"][:n].reshape(-1, 3, 3).copy())

    def older_pipeline(self) -> None:
        """Switch both engines to the pipeline before nativeccd."""
        self.rm.opt.disableflags |= int(mjtDisableBit.mjDSBL_NATIVECCD)
        self.m.opt_disableflags |= int(mjtDisableBit.mjDSBL_NATIVECCD)
        bind_collision(self.m)
