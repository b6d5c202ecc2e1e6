"""Every sensor of one machine, by the whole pipeline of both engines from one state: forward, inverse, and stage by stage."""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from tests.physics.reference import put_state
from tests.physics.sensor.scene import FRAMES, NAMES, SCENE
from tumble import physics
from tumble.physics.state.enums import mjtDisableBit

MORE = """
  <magnetometer site="tip" cutoff=".2"/><gyro site="tip" cutoff=".1"/><velocimeter site="tip" cutoff=".1"/>
  <subtreecom body="arm" cutoff=".1"/><subtreelinvel body="arm" cutoff=".1"/><subtreeangmom body="arm" cutoff=".01"/>
  <e_potential cutoff="1"/><e_kinetic cutoff=".1"/><jointpos joint="hinge" cutoff=".01"/><tendonpos tendon="pull" cutoff=".001"/>
  <actuatorfrc actuator="turn" cutoff=".1"/><jointactuatorfrc joint="hinge" cutoff=".1"/><frameangacc objtype="body"
    objname="arm" cutoff=".5"/><tendonactuatorfrc tendon="pull" cutoff=".1"/><framelinvel objtype="camera"
    objname="eye" cutoff=".1"/>
  <framepos objtype="body" objname="arm" reftype="body" refname="world"/><framelinacc objtype="body" objname="world"/>
  <framelinvel objtype="body" objname="world" reftype="site" refname="tip"/><framequat objtype="body" objname="world"
    reftype="camera" refname="eye"/><frameangacc objtype="geom" objname="floor"/>
  <rangefinder site="tip" cutoff=".1"/><rangefinder site="foot" data="dist dir origin point normal depth" cutoff=".2"/>
  <rangefinder camera="eye" data="dist depth"/><camprojection site="tip" camera="watch"/>
  <distance geom1="lump" geom2="floor" cutoff="2"/><distance body1="stone" body2="base" cutoff="5"/>
  <fromto body1="stone" body2="world" cutoff="2"/><normal body1="stone" body2="world" cutoff="2"/><clock cutoff=".01" noise="1"/>
  <contact subtree1="base" num="5" data="found force torque dist pos normal tangent" reduce="maxforce"/>
  <contact site="pad0" data="found force torque pos" reduce="netforce"/><contact body1="stone" body2="world" data="found dist"
    reduce="mindist"/><user dim="3" cutoff="1"/>
"""


def whole() -> str:
    """The machine of the other tests with more sensors, clipped ones and those of frames that stand or move."""
    inside = "".join(
        f'<insidesite site="pad{k}" objtype="{kind}" objname="{NAMES[kind]}" cutoff="{0.5 * (k % 2)}"/>'
        for k in range(0, 25, 6) for kind in FRAMES
    )  # fmt: skip
    xml = SCENE.replace("CONE", 'elliptic" tolerance="1e-15" iterations="300').replace("ENERGY", "disable")
    for name, size in (("watch", "100 80"), ("eye", "3 2")):
        xml = xml.replace(f'camera name="{name}"', f'camera name="{name}" resolution="{size}"')
    return xml.replace("</sensor>", f"{MORE}{inside}</sensor>")


class Pair:
    """The machine in both engines."""

    def __init__(self) -> None:
        xml = whole()
        self.rm, self.m = mujoco.MjModel.from_xml_string(xml), physics.MjModel.from_xml_string(xml)
        self.rd, self.d = mujoco.MjData(self.rm), physics.MjData(self.m)

    def both(self, run: Callable[[Any, Any, Any], None]) -> None:
        run(mujoco, self.rm, self.rd)
        run(physics, self.m, self.d)

    def compare(self) -> None:
        """Forces to the precision of sums of far larger ones; all else as it is."""
        sensor = np.repeat(np.arange(self.m.nsensor), self.m.sensor_dim)  # of each number in sensordata
        size = np.where(self.m.sensor_needstage[sensor] == physics.mjtStage.mjSTAGE_ACC, 1 + np.abs(self.rd.cfrc_int).max(), 1)
        ours, reference = np.array(self.d.sensordata), self.rd.sensordata
        same = np.abs(ours - reference) <= 1e-9 * (size + np.abs(reference))
        wrong = [f"{mujoco.mjtSensor(self.rm.sensor_type[s]).name} {s}" for s in np.unique(sensor[~same])]
        assert not wrong, (wrong, ours[~same], reference[~same])


def test_all_sensors_by_forward_and_inverse_dynamics_and_stage_by_stage() -> None:
    pair = Pair()
    rm, rd, rng = pair.rm, pair.rd, np.random.default_rng(1)
    touched = 0
    for k in range(21):  # at rest, and in 20 random states
        if k:
            rd.qvel[:] += 0.1 * rng.normal(size=rm.nv)
            for _ in range(30):
                rd.ctrl[:] = rng.normal(size=rm.nu)
                mujoco.mj_step(rm, rd)
            rd.xfrc_applied[1:], rd.qfrc_applied[:] = rng.normal(size=(rm.nbody - 1, 6)), 0.1 * rng.normal(size=rm.nv)
        put_state(pair.d, rd)
        pair.both(lambda engine, m, d: engine.mj_forward(m, d))
        pair.compare()
        touched += rd.ncon > 0
        for name in ("mj_sensorPos", "mj_sensorVel", "mj_sensorAcc"):
            rd.sensordata[:] = pair.d.sensordata[:] = 7
            pair.both(lambda engine, m, d, name=name: getattr(engine, name)(m, d))
            pair.compare()
        qacc = rng.normal(size=rm.nv)
        rd.qacc[:], pair.d.qacc[:] = qacc, qacc
        pair.both(lambda engine, m, d: engine.mj_inverse(m, d))
        pair.compare()
        rd.xfrc_applied[:], rd.qfrc_applied[:] = 0, 0
    assert touched > 15


def test_disabled_sensors_keep_their_numbers() -> None:
    pair = Pair()
    pair.both(lambda engine, m, d: engine.mj_forward(m, d))
    pair.rm.opt.disableflags = pair.m.opt.disableflags = int(mjtDisableBit.mjDSBL_SENSOR)
    pair.rd.sensordata[:] = pair.d.sensordata[:] = 7
    pair.both(lambda engine, m, d: engine.mj_step(m, d))
    pair.compare()
    assert (pair.d.sensordata == 7).all()


def test_noise_is_stored_and_not_added() -> None:
    pair = Pair()
    m, d = pair.m, pair.d
    assert m.sensor_noise.max() == 1
    d.time = 0.005
    physics.mj_forward(m, d)
    assert d.sensordata[m.sensor_adr[np.flatnonzero(m.sensor_noise)[0]]] == 0.005
