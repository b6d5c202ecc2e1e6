"""Mechanisms whose forces depend on velocity, one for each kind of dependence, and their derivative by finite differences."""

import mujoco
import numpy as np

from tests.physics.reference import put_state, twins
from tumble.physics import MjData, MjModel, mj_forward, mj_resetData

# Every type of joint, several joints a body, branches, and bodies that turn about no principal axis.
TREE = """<mujoco><option timestep="0.002" {option}><flag contact="disable" {flag}/></option><worldbody>
  <site name="world" pos="1 1 1"/>
  <body name="free" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 .02 .01" euler="10 20 30"/>
    <site name="s0" pos=".1 .1 0"/>
    <body pos=".2 0 .1"><joint name="ball" type="ball" pos="0 0 -.1" damping=".3"/>
      <geom type="capsule" fromto="0 0 0 .3 .1 0" size=".05"/><site name="s1" pos=".3 .1 0" euler="10 20 30"/>
      <body pos=".3 .1 0"><joint name="twist" axis="1 1 0" pos="0 .02 0" damping=".1"/>
        <joint name="reach" type="slide" axis="0 1 1"/>
        <geom type="box" size=".05 .06 .1" pos=".02 .03 .04"/><site name="s2" pos="0 .1 .1"/></body></body>
    <body pos="-.2 0 0"><joint name="leg" axis="0 1 .2" armature=".01"/><geom type="box" size=".1 .05 .2" pos="0 .05 -.2"/>
      <body pos="0 0 -.4"><geom size=".05"/><body><joint name="foot" axis="1 0 0"/><geom size=".05" pos=".1 .2 .1"/>
        <site name="s3" pos="0 0 -.2"/></body></body></body>
  </body>
  <body pos="2 0 1"><joint name="x" type="slide" axis="1 0 0" damping=".4"/><joint name="y" type="slide" axis="0 1 0"/>
    <joint name="turn" axis="0 0 1"/><geom type="box" size=".1 .2 .3" pos=".1 .1 .1"/>
    <body pos="0 0 .3"><joint name="bend" axis="0 1 0" damping="2"/>
      <geom type="box" size=".1 .02 .3" pos=".1 .1 .1"/></body></body>
  <body pos="0 3 1"><joint type="ball" damping=".2"/><geom type="box" size=".1 .2 .3" pos=".1 .1 .1"/></body>
</worldbody>{rest}</mujoco>"""

TENDONS = """<tendon>
  <spatial name="path" damping="2"><site site="s0"/><site site="s1"/><site site="s2"/></spatial>
  <spatial damping=".7"><site site="world"/><site site="s3"/></spatial>
  <fixed name="sum" damping="3"><joint joint="twist" coef=".5"/><joint joint="reach" coef="-1"/></fixed></tendon>"""
ACTUATORS = """<actuator><position joint="twist" kp="4" kv=".5"/><velocity joint="ball" kv="2" gear=".3 .2 .1"/>
  <general joint="leg" gaintype="affine" gainprm="1 .1 .5" biastype="affine" biasprm=".1 -2 -.3"/>
  <general joint="x" dyntype="filter" dynprm=".05" gaintype="affine" gainprm="1 .1 .5"/>
  <general joint="bend" dyntype="filterexact" dynprm=".05" gaintype="affine" gainprm="1 .1 .5" actearly="true"/>
  <general joint="y" dyntype="integrator" actrange="-.1 .1" gaintype="affine" gainprm="1 .1 .5" actearly="true"/>
  <velocity site="s2" kv="3" gear="1 2 3 .1 .2 .3"/><velocity tendon="sum" kv="2"/><damper joint="turn" kv="4" ctrlrange="0 1"/>
  <velocity joint="foot" kv="9" group="3"/></actuator>"""
MUSCLES = """<actuator><muscle tendon="path" lengthrange=".1 1.5" force="100"/><muscle joint="leg" lengthrange="-2 2" force="50"/>
  <muscle joint="bend" lengthrange="-2 2" force="80" gear="-1"/></actuator>"""
MIXED = TENDONS + ACTUATORS.replace("</actuator>", MUSCLES.removeprefix("<actuator>"))


def tree(rest: str = "", option: str = "", flag: str = "") -> str:
    """The mechanism with tendons or actuators."""
    return TREE.format(rest=rest, option=option, flag=flag)


SCENES = {
    "joints": tree(), "tendons": tree(TENDONS), "actuators": tree(TENDONS + ACTUATORS),
    "muscles": tree(TENDONS + MUSCLES), "group off": tree(MIXED, 'actuatorgroupdisable="3"'),
    "no actuators": tree(MIXED, flag='actuation="disable"'), "no dampers": tree(MIXED, flag='damper="disable"'),
    "no springs": tree(MIXED, flag='spring="disable"'),
    "neither": tree(MIXED, flag='spring="disable" damper="disable"'),
}  # fmt: skip


def random_state(xml: str, seed: int) -> tuple[MjModel, MjData, mujoco.MjModel, mujoco.MjData]:
    """Both engines in the same state, in motion, after a forward call of each."""
    rm, rd, m, d = twins(xml)
    move(m, d, rm, rd, seed)
    return m, d, rm, rd


def move(m: MjModel, d: MjData, rm: mujoco.MjModel, rd: mujoco.MjData, seed: int) -> None:
    """Put both into a random state."""
    rng = np.random.default_rng(seed)
    mujoco.mj_resetData(rm, rd)
    mj_resetData(m, d)
    mujoco.mj_integratePos(rm, rd.qpos, rng.normal(size=rm.nv), 0.4)
    rd.qvel[:], rd.ctrl[:] = rng.normal(size=rm.nv), 0.9 * rng.uniform(size=rm.nu)
    rd.act[:] = 0.1 * rng.uniform(size=rm.na)
    rd.qfrc_applied[:] = rng.normal(size=rm.nv)
    put_state(d, rd)
    mujoco.mj_forward(rm, rd)
    mj_forward(m, d)


def dense(m: MjModel, values: np.ndarray) -> np.ndarray:
    """The square matrix (nv, nv) of numbers in the pattern D."""
    full = np.zeros((m.nv, m.nv))
    full[np.repeat(np.arange(m.nv), m.D_rownnz), m.D_colind] = values
    return full


def differences(m: MjModel, d: MjData, step: float = 1e-5) -> np.ndarray:
    """Derivative (nv, nv) of qfrc_smooth by qvel, by central differences; exact but for rounding where forces are quadratic."""
    found, still = np.zeros((m.nv, m.nv)), d.qvel.copy()
    for i in range(m.nv):
        for sign in (1, -1):
            d.qvel = still
            d.qvel[i] += sign * step
            mj_forward(m, d)
            found[:, i] += sign * d.qfrc_smooth / (2 * step)
    d.qvel = still
    mj_forward(m, d)
    return found
