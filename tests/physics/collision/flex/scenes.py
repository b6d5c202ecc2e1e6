"""Scenes with flexes, in both engines, and their contacts side by side."""

from typing import Any

import mujoco
import numpy as np

from tests.physics.reference import mirror_model
from tumble import physics

EXACT = '<flag nativeccd="disable"/>'  # portals end at the same place in both engines, to rounding

ASSETS = """<asset>
<mesh name="tetrahedron" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
<hfield name="field" nrow="4" ncol="4" size=".5 .5 .1 .1" elevation="0 1 0 1 0 0 1 0 1 1 1 0 0 1 0 1"/>
</asset>"""

GEOMS = {
    "sphere": 'type="sphere" size=".08"',
    "capsule": 'type="capsule" size=".05 .1"',
    "ellipsoid": 'type="ellipsoid" size=".05 .08 .1"',
    "cylinder": 'type="cylinder" size=".06 .1"',
    "box": 'type="box" size=".05 .08 .1"',
    "mesh": 'type="mesh" mesh="tetrahedron"',
    "hfield": 'type="hfield" hfield="field" pos="0 0 -.1"',
}

FLOOR = '<geom type="plane" size="2 2 .1" pos="0 0 -.2"/>'


def grid(name: str, dim: int, count: str, contact: str = "", pos: str = "0 0 0", more: str = "", inside: str = "") -> str:
    """A flex of type grid, whose vertices have bodies of their own."""
    return (
        f'<flexcomp name="{name}" type="grid" dim="{dim}" count="{count}" spacing=".1 .1 .1" radius=".01" mass="1" pos="{pos}" '
        f"{more}><contact {contact}/>{inside}</flexcomp>"
    )


def single(dim: int, contact: str = 'internal="false"', radius: float = 0.02, name: str = "element") -> str:
    """A flex of one element."""
    points = ["0 0 0", ".2 0 0", "0 .2 0", "0 0 .2"][: dim + 1]
    return (
        f'<flexcomp name="{name}" type="direct" dim="{dim}" point="{" ".join(points)}" '
        f'element="{" ".join(map(str, range(dim + 1)))}" radius="{radius}" mass="1"><contact {contact}/></flexcomp>'
    )


def deformable(attributes: str) -> str:
    """A cloth whose vertices belong to bodies before it."""
    return f'</worldbody><deformable><flex name="f" dim="2" {attributes}/></deformable><worldbody>'


def free(geom: str, pos: str, more: str = "") -> str:
    """A free body of one geom."""
    return f'<body pos="{pos}"><freejoint/><geom {GEOMS.get(geom, geom)} mass="1" {more}/></body>'


SCENES = {
    "cloth over a sphere": grid("cloth", 2, "8 8 1", 'selfcollide="auto" internal="true"')
    + '<geom size=".15" pos="0 0 -.12"/>' + FLOOR,
    "soft cube on a plane": grid("cube", 3, "4 4 4", 'selfcollide="auto" internal="true"', pos="0 0 -.05") + FLOOR,
    "rope on boxes": grid("rope", 1, "14 1 1", 'selfcollide="sap" internal="true"')
    + '<geom type="box" size=".2 .2 .05" pos="0 0 -.07" euler="10 20 0"/>' + free('type="box" size=".05 .05 .05"', ".1 0 .06"),
    "shapes on a cloth": grid(
        "cloth", 2, "8 8 1", 'selfcollide="sap" condim="4" margin=".01" gap=".003" solref="-100 -5" priority="1"'
    ) + free("mesh", "0 0 .02") + free("capsule", ".2 .2 .03") + free("cylinder", "-.2 .2 .03"),
    "folded cloth, by its tree": grid("cloth", 2, "8 8 1", 'selfcollide="bvh"'),
    "folded cloth, every pair": grid("cloth", 2, "6 6 1", 'selfcollide="narrow" margin=".02"'),
    "two cubes": grid("a", 3, "3 3 3", 'selfcollide="none" internal="true" activelayers="2" solmix="2" friction=".4"')
    + grid("b", 3, "3 3 3", 'selfcollide="bvh" internal="false" solref=".04 1" condim="6"', pos=".05 .05 .15"),
    "ropes and a cloth": grid("a", 1, "10 1 1") + grid("b", 2, "6 6 1", pos="0 0 .02")
    + grid("c", 1, "10 1 1", 'margin=".01"', pos="0 0 .03", more='euler="0 0 80"'),
    "interpolated solids": grid("a", 3, "4 4 4", 'selfcollide="none"', more='dof="trilinear"')
    + grid("b", 3, "4 4 4", 'selfcollide="none"', pos=".1 0 .25", more='dof="quadratic"') + FLOOR + free('size=".1"', ".1 0 .5"),
    "hammock": grid("net", 2, "8 5 1", inside='<pin id="0 4 35 39"/>') + free("box", "0 0 .03") + free("ellipsoid", ".2 -.1 .03")
    + free("sphere", ".15 .1 .03") + free("hfield", "0 0 0").replace("<freejoint/>", "").replace(' mass="1"', "") + FLOOR,
}  # fmt: skip

FIELD = free("hfield", "0 0 0").replace("<freejoint/>", "").replace(' mass="1"', "")
FIELDLESS = {name: scene.replace(FIELD, "") for name, scene in SCENES.items()}  # of cells we find more, see test_contacts.py

FIELDS = ("dist", "pos", "frame", "includemargin", "friction", "solref", "solimp", "dim", "exclude")


class SoftTwins:
    """A scene in both engines, with the reference's model constants."""

    def __init__(self, scene: str, option: str = "") -> None:
        """scene: what is in the world; option: attributes, and flags after a >."""
        attributes, _, flags = option.partition(">")
        text = f"<mujoco><option {attributes}>{flags}</option>{ASSETS}<worldbody>{scene}</worldbody></mujoco>"
        self.rm = mujoco.MjModel.from_xml_string(text)
        self.rd = mujoco.MjData(self.rm)
        self.m = mirror_model(self.rm, physics.MjModel)
        self.d = physics.MjData(self.m)

    def pose(self, qpos: Any) -> None:
        """Collide at a position, in both."""
        self.d.qpos[:] = self.rd.qpos[:] = qpos
        for engine, m, d in ((mujoco, self.rm, self.rd), (physics, self.m, self.d)):
            for stage in ("mj_kinematics", "mj_comPos", "mj_flex", "mj_collision"):
                getattr(engine, stage)(m, d)

    def near(self, rng: np.random.Generator, size: float) -> np.ndarray:
        """A position about that of the model: each coordinate moved by so much [m]."""
        qpos = self.rm.qpos0 + rng.normal(size=self.rm.nq) * size
        mujoco.mj_normalizeQuat(self.rm, qpos)
        return qpos

    def one_body(self, rng: np.random.Generator) -> np.ndarray:
        """A position of a few vertices, and of a free body after them if there is one, anywhere near the origin."""
        qpos = rng.normal(size=self.rm.nq) * 0.1
        mujoco.mj_normalizeQuat(self.rm, qpos)
        return qpos

    def differences(self, tol: float, fields: tuple[str, ...] = FIELDS) -> list[str]:
        """What differs between the contacts: their pairs and order, or fields by more than a tolerance."""
        ours, theirs = pairs(self.d), pairs(self.rd)
        if ours != theirs:
            return [f"only here {[p for p in ours if p not in theirs][:3]}, only there {[p for p in theirs if p not in ours][:3]}"
                    f" of {len(ours)} and {len(theirs)}"]
        found = []
        for name in fields:
            a, b = np.asarray(getattr(self.d.contact, name), float), np.asarray(getattr(self.rd.contact, name), float)
            worst = float(np.abs(a - b).max()) if a.size else 0.0
            if not worst <= tol:
                found.append(f"{name} by {worst:g}")
        return found


def pairs(d: Any) -> list[tuple[int, ...]]:
    """Geoms, flexes, elements and vertices of all contacts, in their order."""
    c = d.contact
    columns = [np.asarray(getattr(c, name)).reshape(-1, 2) for name in ("geom", "flex", "elem", "vert")]
    return [tuple(int(x) for x in row) for row in np.concatenate(columns, axis=1)]
