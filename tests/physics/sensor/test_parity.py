"""Every sensor against the reference, and what sensors are made from."""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.physics.callback import scene as callbacks
from tests.physics.plugins import test_touch_grid
from tests.physics.reference import assert_close, mirror_model, put_state, twins
from tests.physics.sensor import scene, test_contact, test_shapes, test_tactile
from tests.physics.sensor.scene import FRAMES, NAMES, SCENE, instants
from tumble import physics
from tumble.physics import MjModel
from tumble.physics.dynamics.com import subtree_vel
from tumble.physics.dynamics.energy import energy_pos, energy_vel
from tumble.physics.dynamics.rne_post import rne_post_constraint
from tumble.physics.mjcf.schema import find
from tumble.physics.sensor.components import unsupported_sensors
from tumble.physics.sensor.kinds import BY_TAG, BY_TYPE, KINDS
from tumble.physics.state.enums import mjtDisableBit, mjtSensor
from tumble.physics.state.stages import Entry

# With the energy flag the reference's e_kinetic sensor shows the step before; without, the present, as ours always does.
CONES = [SCENE.replace("CONE", cone).replace("ENERGY", "disable") for cone in ("pyramidal", "elliptic")]


@pytest.mark.parametrize("xml", CONES, ids=["pyramidal", "elliptic"])
def test_accelerations_forces_momenta_and_energies(xml):
    for m, d, rm, rd in instants(xml):
        for function in (mujoco.mj_rnePostConstraint, mujoco.mj_subtreeVel, mujoco.mj_energyPos, mujoco.mj_energyVel):
            function(rm, rd)
        for stage in (rne_post_constraint, subtree_vel, energy_pos, energy_vel):
            stage(m, d)
        scale = 1 + np.abs(rd.cfrc_int).max()
        assert_close(d, rd, ("cacc", "cfrc_ext", "cfrc_int"), rtol=1e-9, atol=1e-12 * scale)
        assert_close(d, rd, ("subtree_linvel", "subtree_angmom", "energy"), rtol=1e-10, atol=1e-12)
        assert d.flg_rnepost == d.flg_subtreevel == d.flg_energypos == d.flg_energyvel == 1


def test_every_sensor_of_the_scene_is_supported():
    assert unsupported_sensors(mirror_model(mujoco.MjModel.from_xml_string(CONES[0]))) == []


@pytest.mark.parametrize("when", ["pos", "vel", "acc"])
def test_user_sensor_stage_computes_its_dependencies(when):
    """Momenta of subtrees, accelerations and inner forces; without a callback the sensor itself reads 0."""
    xml = f"""<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1" pos=".1 0 0"/></body></worldbody>
      <sensor><user dim="2" needstage="{when}" cutoff="1"/></sensor></mujoco>"""
    rm, rd, m, d = twins(xml)
    rd.qvel[:] = d.qvel[:] = np.arange(1.0, 7.0)
    rd.sensordata[:] = d.sensordata[:] = 3.0
    mujoco.mj_forward(rm, rd)
    physics.mj_forward(m, d)
    assert_close(d, rd, ("sensordata", "subtree_linvel", "subtree_angmom", "cacc", "cfrc_int", "cfrc_ext"))
    assert (d.subtree_linvel.any(), d.cacc.any()) == (when == "vel", when == "acc")


def test_every_type_of_sensor_has_one_row():
    assert sorted(kind.type for kind in KINDS) == sorted(mjtSensor)
    assert len(BY_TAG) == len(BY_TYPE) == len(KINDS)


def test_schema_and_sensor_kinds_agree_on_object_attributes():
    for kind in KINDS:
        rule = find(f"sensor/{kind.tag}")
        words = [word for spec in (kind.of, kind.to) for word in spec.split() if word != "@"]
        assert set(words) <= rule.attributes.keys(), kind.tag
        assert ("objtype" in rule.attributes, "reftype" in rule.attributes) == (kind.of == "@", kind.to == "@"), kind.tag
        assert rule.status.level != "refused", kind.tag


def test_every_computed_sensor_kind_is_in_a_parity_scene():
    compared = scene.SCENE + test_shapes.SCENE.format(sensors=test_shapes.SENSORS) + test_tactile.FINGER + callbacks.SCENE
    compared += test_contact.scene(0, test_contact.sensors(np.random.default_rng(0), 1))
    compared += test_touch_grid.scene()
    assert [kind.tag for kind in KINDS if f"<{kind.tag}" not in compared] == []


def test_a_compiled_sensor_is_what_its_row_says():
    m = MjModel.from_xml_string(test_shapes.SCENE.format(sensors=test_shapes.SENSORS))
    of_shapes = {kind.tag for kind in KINDS if kind.by is Entry.SENSOR_SHAPES}
    assert {BY_TYPE[mjtSensor(kind)].tag for kind in m.sensor_type} == of_shapes
    for s in range(m.nsensor):
        kind = BY_TYPE[mjtSensor(m.sensor_type[s])]
        assert (m.sensor_needstage[s], m.sensor_datatype[s]) == (kind.stage, kind.datatype)
        assert kind.extent is not None or m.sensor_dim[s] == kind.dim


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


def whole(cone: str) -> str:
    """The machine of the other tests with more sensors, clipped ones and those of frames that stand or move."""
    inside = "".join(
        f'<insidesite site="pad{k}" objtype="{kind}" objname="{NAMES[kind]}" cutoff="{0.5 * (k % 2)}"/>'
        for k in range(0, 25, 6) for kind in FRAMES
    )  # fmt: skip
    xml = SCENE.replace("CONE", f'{cone}" tolerance="1e-15" iterations="300').replace("ENERGY", "disable")
    for name, size in (("watch", "100 80"), ("eye", "3 2")):
        xml = xml.replace(f'camera name="{name}"', f'camera name="{name}" resolution="{size}"')
    return xml.replace("</sensor>", f"{MORE}{inside}</sensor>")


class Pair:
    """The machine in both engines."""

    def __init__(self, cone: str = "elliptic") -> None:
        xml = whole(cone)
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


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_sensors_match_reference_in_forward_and_inverse(cone: str) -> None:
    pair = Pair(cone)
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
