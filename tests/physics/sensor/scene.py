"""A machine with every sensor that is computed, and a way to bring both engines to the same instant."""

import mujoco
import numpy as np

from tests.physics.reference import copy_fields, load, mirror_model, put_state
from tumble.physics.state.data import Data
from tumble.physics.state.fields.growing import CONTACT

FRAMES = ("body", "xbody", "geom", "site", "camera")
NAMES = {"body": "arm", "xbody": "arm", "geom": "lump", "site": "tip", "camera": "eye"}
REFERENCES = {"body": "base", "xbody": "tool", "geom": "bar", "site": "foot", "camera": "watch"}


def frame_sensors() -> str:
    """Pose, velocity and acceleration of each kind of frame, in the world and seen from each kind of frame."""
    lines = []
    for obj in FRAMES:
        for kind in ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel"):
            lines.append(f'<{kind} objtype="{obj}" objname="{NAMES[obj]}"/>')
            lines += [f'<{kind} objtype="{obj}" objname="{NAMES[obj]}" reftype="{r}" refname="{REFERENCES[r]}"/>' for r in FRAMES]
        lines += [f'<{kind} objtype="{obj}" objname="{NAMES[obj]}"/>' for kind in ("framelinacc", "frameangacc")]
    return "\n".join(lines)


def touch_sensors() -> str:
    """Touch sites of every shape, that hold the contacts, lie above or below them, or are too far away."""
    return "\n".join(f'<touch site="pad{k}"/>' for k in range(len(PADS)))


PADS = [
    f'type="{shape}" size="{size}" pos="{x} 0 {z}"'
    for shape, size in (("sphere", ".12"), ("capsule", ".05 .06"), ("ellipsoid", ".1 .2 .05"), ("cylinder", ".1 .03"),
                        ("box", ".1 .2 .05"))
    for x, z in ((0.2, -0.05), (0.25, -0.1), (0.2, -0.25), (0.2, 0.15), (-0.2, 0))
]  # fmt: skip

SCENE = f"""
<mujoco>
  <option timestep="0.002" cone="CONE" magnetic="0.1 -0.3 0.6"><flag energy="ENERGY"/></option>
  <default><geom condim="6" friction="0.8 0.02 0.01"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="base" pos="0 0 0.24">
      <freejoint/>
      <geom name="bar" type="capsule" fromto="-0.2 0 0 0.2 0 0.05" size="0.1"/>
      <site name="foot" pos="0.1 0 -0.1" euler="20 10 5"/>
      {"".join(f'<site name="pad{k}" {pad}/>' for k, pad in enumerate(PADS))}
      <camera name="watch" pos="0 0 1" euler="10 0 0"/>
      <body name="arm" pos="0.2 0 0.15" euler="0 20 0">
        <joint name="ball" type="ball" stiffness="1" damping="0.01" range="0 0.3" limited="true"/>
        <geom name="lump" type="box" size="0.03 0.04 0.2" pos="0 0.01 0.2" euler="0 10 0"/>
        <site name="tip" pos="0 0 0.4" euler="30 0 10"/>
        <camera name="eye" pos="0 0.1 0.3" mode="fixed" euler="0 10 20"/>
        <body name="tool" pos="0 0 0.4">
          <joint name="hinge" axis="0 1 0.2" range="-0.1 0.1" limited="true" springref="0.5" stiffness="2"/>
          <joint name="slide" type="slide" axis="1 0 0" range="-0.05 0.05" limited="true"/>
          <geom type="ellipsoid" size="0.05 0.06 0.1" pos="0.1 0 0"/>
        </body>
      </body>
    </body>
    <body name="post" pos="0 3 0"><geom type="box" size="0.1 0.1 1"/><site name="top" pos="0 0 1"/></body>
    <body name="stone" pos="2 0 0.1">
      <freejoint/>
      <geom size="0.1"/>
      <site name="heart" size="0.02"/>
      <site name="skin" size="0.12"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="pull" range="-0.02 0.02" limited="true" stiffness="3" springlength="-0.01 0.01">
      <joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/>
    </fixed>
  </tendon>
  <actuator>
    <motor name="turn" joint="hinge" gear="2"/>
    <motor name="draw" tendon="pull" gear="3"/>
    <position name="hold" tendon="pull" kp="5"/>
    <motor name="spin" joint="ball" gear="0.1 0.2 0.3"/>
  </actuator>
  <sensor>
    {frame_sensors()}
    {touch_sensors()}
    <touch site="heart"/><touch site="skin"/>
    <jointpos joint="hinge"/><jointvel joint="slide"/><tendonpos tendon="pull"/><tendonvel tendon="pull"/>
    <actuatorpos actuator="spin"/><actuatorvel actuator="turn"/><actuatorfrc actuator="hold"/>
    <jointactuatorfrc joint="hinge"/><tendonactuatorfrc tendon="pull"/>
    <ballquat joint="ball"/><ballangvel joint="ball"/>
    <jointlimitpos joint="hinge"/><jointlimitvel joint="hinge"/><jointlimitfrc joint="hinge"/>
    <jointlimitpos joint="slide"/><jointlimitvel joint="slide"/><jointlimitfrc joint="slide"/>
    <tendonlimitpos tendon="pull"/><tendonlimitvel tendon="pull"/><tendonlimitfrc tendon="pull"/>
    <subtreecom body="world"/><subtreecom body="arm"/>
    <subtreelinvel body="base"/><subtreelinvel body="arm"/><subtreeangmom body="base"/><subtreeangmom body="world"/>
    <accelerometer site="tip"/><accelerometer site="heart"/><accelerometer site="top"/><gyro site="tip"/><velocimeter site="tip"/>
    <force site="tip"/><torque site="tip"/><force site="foot"/><torque site="foot"/>
    <magnetometer site="tip"/><clock/><e_potential/><e_kinetic/>
    <accelerometer site="tip" cutoff="3"/><touch site="pad0" cutoff="0.5"/><jointvel joint="slide" cutoff="0.01"/>
    <framepos objtype="site" objname="tip" cutoff="0.2"/>
    <jointlimitfrc joint="hinge" cutoff="0.2"/>
    <force site="foot" cutoff="1"/><clock cutoff="0.001"/>
  </sensor>
</mujoco>
"""

COPIED = (
    "xpos", "xquat", "xmat", "xipos", "ximat", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat", "cam_xpos", "cam_xmat",
    "subtree_com", "cdof", "cinert", "M", "qM", "qLD", "qLDiagInv", "ten_length", "ten_velocity", "actuator_length",
    "actuator_velocity", "cvel", "cdof_dot", "actuator_force", "qfrc_actuator", "qacc", "qfrc_bias", "qfrc_passive",
    "qfrc_constraint", "qacc_smooth", "qfrc_smooth",
)  # fmt: skip
ROWS = ("efc_type", "efc_id", "efc_pos", "efc_margin", "efc_vel", "efc_force", "efc_D", "efc_R", "efc_aref", "efc_frictionloss",
        "efc_state")  # fmt: skip


def instants(xml: str, count: int = 6, steps: int = 40):
    """Yields our model and data and the reference's, at instants of a random motion, ours a copy of all but what is tested."""
    rm, rd = load(xml, mujoco)
    rng = np.random.default_rng(3)
    rd.qvel[:] = 0.2 * rng.normal(size=rm.nv)
    m = mirror_model(rm)
    for _ in range(count):
        for _ in range(steps):
            rd.ctrl[:] = rng.normal(size=rm.nu)
            mujoco.mj_step(rm, rd)
        rd.xfrc_applied[1:] = rng.normal(size=(rm.nbody - 1, 6))
        mujoco.mj_forward(rm, rd)
        yield m, copied(m, rd), rm, rd
        rd.xfrc_applied[:] = 0


def copied(m, rd) -> Data:
    """Data of ours with the reference's state, poses, forces, contacts and rows; the Jacobian dense."""
    d = Data(m)
    d.grow("maxcon", rd.ncon)
    d.grow("maxefc", rd.nefc)
    put_state(d, rd)
    copy_fields(d, rd, *COPIED)
    for name in ("ncon", "ne", "nf", "nl", "nefc"):
        setattr(d.inner, name, getattr(rd, name))
    d.inner.nJ = d.nefc * m.nv
    copy_fields(d, rd, *ROWS)
    for f in CONTACT:
        getattr(d.inner, f.name)[: d.ncon] = getattr(rd.contact, f.name.removeprefix("contact_"))
    return d
