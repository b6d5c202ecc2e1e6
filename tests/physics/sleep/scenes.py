"""Scenes that come to rest, and both engines side by side on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

import physics

COUNTS = {"body_awake_ind": "nbody_awake", "parent_awake_ind": "nparent_awake", "dof_awake_ind": "nv_awake"}
FIELDS = ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake", "tree_asleep", "tree_awake", "body_awake")


def box(
    x: float = 0, y: float = 0, z: float = 0.1, sleep: str = "auto", more: str = "", name: str = "", size: float = 0.1
) -> str:
    """A free cube, with a site."""
    named = f'name="{name}"' if name else ""
    return f"""<body {named} pos="{x} {y} {z}" sleep="{sleep}"><freejoint/><geom type="box" size="{size} {size} {size}" {more}/>
      <site {named}/></body>"""


def arm(name: str, y: float, sleep: str = "auto", more: str = "") -> str:
    """A pendulum that hangs."""
    return f"""<body pos="0 {y} 1" sleep="{sleep}"><joint name="{name}" axis="0 1 0" damping="1" {more}/>
      <geom size=".1" pos="0 0 -.2"/></body>"""


def scene(bodies: str, rest: str = "", option: str = "", flag: str = "", sleep: str = "enable") -> str:
    """Bodies on a floor, with the flag sleep."""
    return f"""<mujoco><option timestep=".005" {option}><flag sleep="{sleep}" {flag}/></option>
      <worldbody><geom name="floor" type="plane" size="9 9 1"/>{bodies}</worldbody>{rest}</mujoco>"""


def dominoes(count: int, distance: float = 0.12) -> str:
    """A row of dominoes, the first pushed over by its velocity."""
    return "".join(
        f'<body name="d{k}" pos="{distance * k} 0 .2"><freejoint/><geom type="box" size=".02 .08 .2" density="500"/></body>'
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

    def step(self, count: int = 1, check: bool = True) -> None:
        """Steps of both; after each all fields of sleep agree."""
        for _ in range(count):
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
        """Our state becomes the reference's, who sleeps excepted: so that small differences do not add up."""
        awake = np.asarray(self.rm.dof_treeid)[None] >= 0
        assert awake.all()
        self.d.qpos, self.d.qvel, self.d.qacc_warmstart = self.rd.qpos, self.rd.qvel, self.rd.qacc_warmstart


def run(xml: str, steps: int) -> tuple[physics.MjModel, physics.MjData]:
    """Ours after some steps."""
    m = physics.MjModel.from_xml_string(xml)
    d = physics.MjData(m)
    physics.mj_step(m, d, steps)
    return m, d
