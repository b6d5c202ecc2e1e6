"""Scenes with flexes, of every kind that has forces of its own."""

import mujoco
import numpy as np

from tests.physics.reference import mirror_model
from tumble.physics.data import MjData
from tumble.physics.model import MjModel

ALONE = '<contact selfcollide="none" internal="false"/>'  # what interpolated flexes require
SOLID = '<elasticity young="1e4" poisson=".3" damping=".01"/>'
CLOTH = '<elasticity young="3e4" poisson=".2" thickness="1e-2" damping=".01" elastic2d="{}"/>'


def scene(flexcomp: str, body: str = "", option: str = "") -> str:
    """A model with one flex, on a body at height 1; contacts are off."""
    return (f'<mujoco><option {option}><flag contact="disable"/></option><worldbody><body name="b" pos="0 0 1" {body}>'
            f'<geom size=".01" mass=".1" contype="0" conaffinity="0"/>{flexcomp}</body></worldbody></mujoco>')  # fmt: skip


def flexcomp(kind: str, dim: int, count: str, inner: str, spacing: str = ".1 .1 .1", more: str = "") -> str:
    """The element of a flex."""
    return (f'<flexcomp name="f" mass="1" type="{kind}" dim="{dim}" count="{count}" spacing="{spacing}" radius=".01" {more}>'
            f"{inner}</flexcomp>")  # fmt: skip


PARTS = {
    "cable": flexcomp("grid", 1, "8 1 1", '<edge stiffness="100" damping="1"/>'),
    "stretched cloth": flexcomp("grid", 2, "5 6 1", CLOTH.format("stretch")),
    "bent cloth": flexcomp("grid", 2, "5 6 1", CLOTH.format("bend")),
    "cloth": flexcomp("grid", 2, "5 6 1", CLOTH.format("both")),
    "edges held": flexcomp("grid", 2, "4 5 1", '<edge equality="true"/><pin id="0 1 5"/>'),
    "strains held": flexcomp("grid", 2, "4 5 1", '<edge equality="vert"/>'),
    "strains held, light": flexcomp("grid", 2, "4 5 1", '<edge equality="vert"/>').replace('mass="1"', 'mass=".2"'),
    "solid": flexcomp("grid", 3, "3 4 3", SOLID),
    "trilinear": flexcomp("grid", 3, "3 4 5", ALONE + SOLID, more='dof="trilinear"'),
    "quadratic": flexcomp("grid", 3, "5 5 5", ALONE + SOLID, more='dof="quadratic"'),
    "radial, held": flexcomp("ellipsoid", 3, "4 4 4", '<edge equality="true"/>', more='dof="radial"'),
}
RADIAL = flexcomp("ellipsoid", 3, "4 4 4", SOLID, more='dof="radial"')


def pair(xml: str) -> tuple[MjModel, MjData, mujoco.MjModel, mujoco.MjData]:
    """One model in both engines."""
    reference = mujoco.MjModel.from_xml_string(xml)
    m = mirror_model(reference, MjModel)
    return m, MjData(m), reference, mujoco.MjData(reference)


def shake(d: MjData, rng: np.random.Generator, size: float = 0.01, speed: float = 0.3) -> None:
    """A random state near the present one."""
    d.qpos[:] += size * rng.normal(size=d.qpos.size)
    d.qvel[:] = speed * rng.normal(size=d.qvel.size)
