"""Every sensor against the reference, and what sensors are made from."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import assert_close, mirror_model
from tests.physics.sensor.scene import SCENE, instants
from tumble import physics
from tumble.physics.dynamics.energy import energy_pos, energy_vel
from tumble.physics.dynamics.rne_post import rne_post_constraint
from tumble.physics.dynamics.subtree import subtree_vel
from tumble.physics.sensor.acceleration import sensor_acc
from tumble.physics.sensor.position import sensor_pos
from tumble.physics.sensor.supported import unsupported_sensors
from tumble.physics.sensor.velocity import sensor_vel

# With the energy flag the reference's e_kinetic sensor shows the step before; without, the present, as ours always does.
CONES = [SCENE.replace("CONE", cone).replace("ENERGY", "disable") for cone in ("pyramidal", "elliptic")]


@pytest.mark.parametrize("xml", CONES, ids=["pyramidal", "elliptic"])
def test_all_sensors(xml):
    touched = limited = 0
    for m, d, rm, rd in instants(xml):
        for stage in (sensor_pos, sensor_vel, sensor_acc):
            stage(m, d)
        scale = 1 + np.abs(rd.cfrc_int).max()  # forces between bodies are sums of far larger terms
        for s in range(m.nsensor):
            part = slice(m.sensor_adr[s], m.sensor_adr[s] + m.sensor_dim[s])
            name = f"{mujoco.mjtSensor(rm.sensor_type[s]).name} {s}"
            np.testing.assert_allclose(d.sensordata[part], rd.sensordata[part], 1e-9, 1e-12 * scale, err_msg=name)
            touched += bool(rm.sensor_type[s] == mujoco.mjtSensor.mjSENS_TOUCH and rd.sensordata[part] != 0)
            limited += bool(rm.sensor_type[s] == mujoco.mjtSensor.mjSENS_JOINTLIMITFRC and rd.sensordata[part] != 0)
    assert touched > 10
    assert limited > 3


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
def test_a_sensor_of_the_user_s_makes_ready_what_its_callback_may_read(when):
    """Momenta of subtrees, accelerations and inner forces; without a callback the sensor itself reads 0."""
    xml = f"""<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1" pos=".1 0 0"/></body></worldbody>
      <sensor><user dim="2" needstage="{when}" cutoff="1"/></sensor></mujoco>"""
    rm, m = mujoco.MjModel.from_xml_string(xml), physics.MjModel.from_xml_string(xml)
    rd, d = mujoco.MjData(rm), physics.MjData(m)
    rd.qvel[:] = d.qvel[:] = np.arange(1.0, 7.0)
    rd.sensordata[:] = d.sensordata[:] = 3.0
    mujoco.mj_forward(rm, rd)
    physics.mj_forward(m, d)
    assert_close(d, rd, ("sensordata", "subtree_linvel", "subtree_angmom", "cacc", "cfrc_int", "cfrc_ext"))
    assert (d.subtree_linvel.any(), d.cacc.any()) == (when == "vel", when == "acc")
