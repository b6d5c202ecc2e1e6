"""A cube that is tossed, with the published numbers, as simulated truth for fits."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from tumble import physics

Array = NDArray[np.float64]

HEAD = "t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,push"
SIGNALS = [f"qpos[cube, {k}]" for k in range(7)] + [f"qvel[cube, {k}]" for k in range(6)]
STEP = 1 / 148  # of the camera [s]
SUBSTEPS = 16
SOLIMP = ".001 .95 .002"  # a force that begins at zero: otherwise its damping jumps at the step in which a contact begins


def cube(
    friction: float = 0.18, solref: str = "-5000 -80", mass: float = 0.37, moment: float = 0.00081, half: float = 0.0524
) -> str:
    """A cube of eight corners above a table; solref: stiffness and damping by mass, as negative numbers."""
    inner = half - 0.004
    corners = "".join(
        f'<geom name="corner{k}" type="sphere" size=".004" pos="{x * inner:g} {y * inner:g} {z * inner:g}" '
        f'friction="{friction} .0001 .00001" solref="{solref}" solimp="{SOLIMP}"/>'
        for k, (x, y, z) in enumerate(product((-1, 1), repeat=3))
    )
    return f"""
<mujoco>
  <option timestep="{STEP / SUBSTEPS:.9f}" cone="elliptic"/>
  <worldbody>
    <geom name="table" type="plane" size="5 5 1" friction=".001 .0001 .00001" priority="-1"/>
    <body name="cube">
      <freejoint/>
      <site name="middle"/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{moment} {moment} {moment}"/>
      {corners}
    </body>
  </worldbody>
  <actuator><motor name="push" site="middle" gear="3 1 0 0 0.05 0.05"/></actuator>
</mujoco>
"""


def toss(model: physics.MjModel, rng: np.random.Generator, noise: tuple[float, float], push: float, rows: int = 100) -> Array:
    """Rows (rows, 15) of a simulated toss, with deviations of positions [m, rad] and of velocities [m/s, rad/s].

    The last number is the control of a known push of up to that size, the same throughout.
    """
    data = physics.MjData(model)
    data.qpos[:3] = 0, 0, 0.15
    data.qpos[3:7] = rng.standard_normal(4)
    data.qpos[3:7] /= np.linalg.norm(data.qpos[3:7])
    data.qvel[:] = *(rng.standard_normal(2) * 0.8), -0.3, *(rng.standard_normal(3) * 3)
    data.ctrl[0] = push * rng.uniform(-1, 1)
    table = np.empty((rows, 15))
    for row in table:
        qpos = np.array(data.qpos)
        physics.mj_integratePos(model, qpos, noise[0] * rng.standard_normal(6), 1.0)
        row[:] = data.time, *qpos, *(np.array(data.qvel) + noise[1] * rng.standard_normal(6)), data.ctrl[0]
        physics.mj_step(model, data, SUBSTEPS)
    return table


def study(parameters: str, window: float = 0.1, more: str = "") -> str:
    """A study file of tosses; parameters: its tables."""
    columns = "\n".join(f'"{signal}" = "{column}"' for signal, column in zip(SIGNALS, HEAD.split(",")[1:-1], strict=True))
    return f"""
model = "cube.xml"
seconds = 0.7
{parameters}
[fit]
window = {window}
search = "local"
restarts = 0
{more}
[fit.signals]
{columns}
[fit.inputs]
"ctrl[push]" = "push"
"""
