"""States in which both engines hold the same position, velocity and contacts: what the constraint's stages start from."""

from pathlib import Path

import gymnasium
import mujoco
import numpy as np

from tests.physics.reference import copy_fields, mirror_model
from tumble.physics.constraint.assemble import make_constraint, reference_constraint
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

GYM = Path(gymnasium.__file__).parent / "envs/mujoco/assets"
CONTACT = ("dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp", "dim", "geom", "exclude")
SMOOTH = ("qpos", "qvel", "cdof", "subtree_com", "ten_length", "ten_J", "M", "qLD", "qLDiagInv", "qfrc_smooth",
          "qacc_smooth", "qacc_warmstart")  # fmt: skip

# Everything that makes a row: friction loss, limits of hinge, slide, ball and tendon (at both ends, with margin),
# contacts of every dimension with the world and among bodies, gap, direct solref, shaped solimp.
ZOO = """
<mujoco>
  <option timestep="0.004" cone="{cone}" impratio="{impratio}" jacobian="dense"/>
  <default>
    <geom solimp="0.8 0.97 0.01 0.4 3" friction="0.9 0.02 0.003"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.095">
      <freejoint/>
      <geom name="ball1" type="sphere" size="0.1" condim="1" mass="1"/>
    </body>
    <body pos="1 0 0.095">
      <freejoint/>
      <geom type="sphere" size="0.1" condim="3" mass="2" solref="-900 -40"/>
    </body>
    <body pos="2 0 0.095">
      <freejoint/>
      <geom type="sphere" size="0.1" condim="4" mass="0.5" solref="0.001 0.7"/>
    </body>
    <body pos="3 0 0.195" euler="3 4 5">
      <freejoint/>
      <geom name="box" type="box" size="0.1 0.15 0.2" condim="6" mass="1.5" friction="1.1 0.03 0.004"/>
    </body>
    <body pos="3 0 0.47">
      <joint type="ball" frictionloss="0.03" solreffriction="0.03 0.8" solimpfriction="0.7 0.9 0.01"/>
      <geom type="capsule" size="0.08" fromto="0 0 0 0.3 0 0.1" condim="4" mass="0.7"/>
      <body pos="0.4 0 0.1">
        <joint name="hinge" type="hinge" axis="0 1 0" range="-20 12" limited="true" margin="0.6" frictionloss="0.2"/>
        <geom type="sphere" size="0.06" pos="0.1 0 0" mass="0.2"/>
        <body pos="0.2 0 0">
          <joint name="slide" type="slide" axis="1 0 0" range="-0.01 0.3" limited="true" solreflimit="-300 -20"/>
          <geom type="sphere" size="0.05" mass="0.3"/>
          <body pos="0.2 0 0">
            <joint type="ball" range="0 25" limited="true" solimplimit="0.5 0.95 0.3 0.6 1.5" margin="0.1"/>
            <geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 0" mass="0.1"/>
          </body>
        </body>
      </body>
    </body>
    <body pos="-1 0 0.12">
      <freejoint/>
      <geom type="sphere" size="0.1" margin="0.05" gap="0.03" mass="1"/>
    </body>
    <body pos="-2 0 0.11">
      <freejoint/>
      <geom type="sphere" size="0.1" margin="0.05" gap="0.03" mass="1"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="both" range="-0.1 0.1" limited="true" margin="0.3" frictionloss="0.15" solreffriction="0.05 1">
      <joint joint="hinge" coef="0.7"/>
      <joint joint="slide" coef="-2"/>
    </fixed>
    <fixed name="free"><joint joint="slide" coef="1"/></fixed>
  </tendon>
  <contact>
    <pair geom1="floor" geom2="ball1" condim="6" friction="0.8 0.7 0.02 0.005 0.006" solref="0.03 1.2" solreffriction="0.05 1.1"/>
  </contact>
</mujoco>
"""


def zoo(cone: str = "pyramidal", impratio: float = 1.0) -> mujoco.MjModel:
    """The scene with every kind of row."""
    return mujoco.MjModel.from_xml_string(ZOO.format(cone=cone, impratio=impratio))


def gym(name: str) -> mujoco.MjModel:
    """One of Gymnasium's models, with the dense Jacobian."""
    model = mujoco.MjModel.from_xml_path(str(GYM / f"{name}.xml"))
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    return model


def wander(model: mujoco.MjModel, steps: int, seed: int = 0) -> mujoco.MjData:
    """The reference's state after some steps under random controls, with its forward dynamics done."""
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(model)
    for _ in range(steps):
        data.ctrl[:] = rng.uniform(-1.0, 1.0, model.nu)
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    return data


def mirrored(model: mujoco.MjModel, reference: mujoco.MjData) -> tuple[Model, Data]:
    """Our model and data with all that the constraint's stages read."""
    m = mirror_model(model)
    d = Data(m)
    copy_fields(d, reference, *SMOOTH)
    if reference.ncon > d.maxcon:
        d.grow("maxcon", reference.ncon)
    d.inner.ncon = reference.ncon
    for name in CONTACT:
        getattr(d.inner, f"contact_{name}")[: d.ncon] = getattr(reference.contact, name)
    d.contact_exclude[d.contact_exclude == 3] = 0  # ours to find out
    return m, d


def prepared(model: mujoco.MjModel, reference: mujoco.MjData) -> tuple[Model, Data]:
    """Our data with all rows made, ready to be solved."""
    m, d = mirrored(model, reference)
    make_constraint(m, d)
    while d.needefc:
        d.grow("maxefc", d.needefc)
        d.inner.needefc = 0
        make_constraint(m, d)
    reference_constraint(m, d)
    return m, d
