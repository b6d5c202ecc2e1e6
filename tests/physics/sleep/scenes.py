"""Scenes that come to rest, and both engines side by side on them."""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from tests.physics.reference import load
from tumble import physics

COUNTS = {"body_awake_ind": "nbody_awake", "parent_awake_ind": "nparent_awake", "dof_awake_ind": "nv_awake"}
FIELDS = ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake", "tree_asleep", "tree_awake", "body_awake")


def box(
    x: float = 0, y: float = 0, z: float = 0.1, sleep: str = "auto", more: str = "", name: str = "", size: float = 0.1
) -> str:
    """A free cube, with a site."""
    named = f'name="{name}"' if name else ""
    return f"""<body {named} pos="{x} {y} {z}" sleep="{sleep}"><freejoint/><geom type="box" size="{size} {size} {size}" {more}/>
      <site {named} size=".3"/></body>"""


def arm(name: str, y: float, sleep: str = "auto", more: str = "") -> str:
    """A pendulum that hangs."""
    return f"""<body pos="0 {y} 1" sleep="{sleep}"><joint name="{name}" axis="0 1 0" damping="1" {more}/>
      <geom size=".1" pos="0 0 -.2"/></body>"""


def scene(bodies: str, rest: str = "", option: str = "", flag: str = "", sleep: str = "enable") -> str:
    """Bodies on a floor, with the flag sleep."""
    return f"""<mujoco><option timestep=".005" {option}><flag sleep="{sleep}" {flag}/></option>
      <worldbody><geom name="floor" type="plane" size="9 9 1"/>{bodies}</worldbody>{rest}</mujoco>"""


def dominoes(count: int) -> str:
    """A row of dominoes; the first leans over and will fall. No two are alike: edges on edges would let rounding decide."""
    return "".join(
        f'<body pos="{0.15 * k} {0.001 * k} {0.2 + 0.001 * k}" euler="0 {8 * (k == 0)} {k}"><freejoint/>'
        f'<geom type="box" size=".02 {0.08 + 0.001 * k} {0.2 + 0.001 * k}" density="500"/></body>'
        for k in range(count)
    )


class Twins:
    """One scene in both engines."""

    def __init__(self, xml: str) -> None:
        self.m, self.rm = physics.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
        self.d, self.rd = physics.MjData(self.m), mujoco.MjData(self.rm)

    def both(self, change: Callable[[Any, Any], None]) -> None:
        """The same change of model or data in both engines."""
        change(self.m, self.d)
        change(self.rm, self.rd)

    def step(self, count: int = 1, check: bool = True, follow: bool = False) -> None:
        """Steps of both; after each all fields of sleep agree. follow: before each, ours takes over where the reference is."""
        for _ in range(count):
            if follow:
                self.take_over()
            physics.mj_step(self.m, self.d)
            mujoco.mj_step(self.rm, self.rd)
            if check:
                self.agree()

    def agree(self) -> None:
        """All fields of sleep are the reference's."""
        when = f" at {self.d.time:.3f} s"
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(self.d, name), getattr(self.rd, name), err_msg=name + when)
        for name, count in COUNTS.items():
            n = getattr(self.rd, count)
            np.testing.assert_array_equal(getattr(self.d, name)[:n], getattr(self.rd, name)[:n], err_msg=name + when)
        assert (self.d.ncon, self.d.nefc, self.d.nisland) == (self.rd.ncon, self.rd.nefc, self.rd.nisland), when

    def take_over(self) -> None:
        """Who is awake in ours is where it is in the reference, so that small differences do not add up to large ones."""
        m, d, rd = self.m, self.d, self.rd
        awake = d.tree_awake[m.body_treeid[m.jnt_bodyid]] == 1
        coordinates = np.repeat(awake, np.diff(np.append(m.jnt_qposadr, m.nq)))
        d.qpos[coordinates] = rd.qpos[coordinates]
        dofs = d.tree_awake[m.dof_treeid] == 1
        d.qvel[dofs], d.qacc_warmstart[dofs] = rd.qvel[dofs], rd.qacc_warmstart[dofs]


def run(xml: str, steps: int) -> tuple[physics.MjModel, physics.MjData]:
    """Ours after some steps."""
    m, d = load(xml)
    physics.mj_step(m, d, steps)
    return m, d
