"""Rays, distances, volumes and projections: against geometry, and against the reference."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import posed, put_state
from tumble import physics

SCENE = """
<mujoco>
  <asset><material name="glass" rgba="1 0 0 0"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="3 0 1"/>
    <geom name="hidden" size=".5" pos="0 0 3" rgba="1 1 1 0"/><geom name="glass" size=".5" pos="1 0 3" material="glass"/>
    <site name="zone" type="box" size=".5 .6 .7" pos="0 0 1"/><site name="dome" type="ellipsoid" size=".9 .8 .7" pos="0 0 1"/>
    <site name="tube" type="cylinder" size=".9 .8" pos="0 0 1"/><site name="pill" type="capsule" size=".5 .4" pos="0 0 1"/>
    <site name="orb" size=".8" pos="0 0 1"/>
    <body name="a" pos="0 0 1"><freejoint/><geom name="ball" size=".3"/><geom name="box" type="box" size=".1 .2 .3" pos=".5 0 0"/>
      <site name="eye" pos=".1 .2 .3" euler="20 30 0"/><camera name="lens" resolution="4 3" fovy="60" pos="0 0 .4"/>
      <camera name="chip" resolution="5 3" sensorsize=".03 .02" focal=".02 .02" principal=".002 .001" euler="90 0 0"/>
      <camera name="flat" resolution="3 4" projection="orthographic" fovy="2" euler="40 0 0"/></body>
    <body name="b" pos="1 0 1"><freejoint/><geom name="egg" type="ellipsoid" size=".3 .2 .1" group="2"/></body>
    <body name="c" pos="0 1 1"><freejoint/><geom name="pen" type="capsule" size=".1 .3"/></body>
    <body name="d" pos="-1 0 1"><freejoint/><geom name="can" type="cylinder" size=".2 .3"/></body>
  </worldbody>
  <sensor>
    {sensors}
  </sensor>
</mujoco>
"""
SENSORS = """
    <rangefinder site="eye"/><rangefinder site="eye" cutoff=".4"/>
    <rangefinder site="eye" data="dist dir origin point normal depth"/>
    <rangefinder camera="lens" data="dist dir origin point normal depth"/>
    <camprojection site="zone" camera="lens"/>
    <insidesite site="zone" objtype="site" objname="eye"/><insidesite site="dome" objtype="body" objname="b"/>
    <insidesite site="tube" objtype="geom" objname="box"/><insidesite site="pill" objtype="xbody" objname="c"/>
    <insidesite site="orb" objtype="camera" objname="lens"/>
"""
PAIRS = ('geom1="ball" geom2="floor"', 'geom1="floor" geom2="can"', 'geom1="egg" geom2="pen"', 'body1="b" body2="a"',
         'body1="world" geom2="egg"', 'geom1="ball" geom2="pen"')  # fmt: skip
for kind in ("distance", "normal", "fromto"):
    for cutoff in (0, 0.7, 10):
        SENSORS += "".join(f'<{kind} {pair} cutoff="{cutoff}"/>' for pair in PAIRS)


def _random_poses(model: mujoco.MjModel, data: mujoco.MjData, rng: np.random.Generator) -> None:
    data.qpos[:] = rng.normal(size=model.nq)
    data.qpos.reshape(-1, 7)[:, :3] = model.qpos0.reshape(-1, 7)[:, :3] + 0.4 * rng.normal(size=(model.nq // 7, 3))
    mujoco.mj_normalizeQuat(model, data.qpos)


def test_readings_are_those_of_the_reference() -> None:
    xml = SCENE.format(sensors=SENSORS)
    rm, m = mujoco.MjModel.from_xml_string(xml), physics.MjModel.from_xml_string(xml)
    rd, d, rng = mujoco.MjData(rm), physics.MjData(m), np.random.default_rng(0)
    met = 0
    for _ in range(40):
        _random_poses(rm, rd, rng)
        put_state(d, rd)
        mujoco.mj_forward(rm, rd)
        physics.mj_forward(m, d)
        for s in range(rm.nsensor):
            part = slice(rm.sensor_adr[s], rm.sensor_adr[s] + rm.sensor_dim[s])
            name = mujoco.mjtSensor(rm.sensor_type[s]).name
            # the reference stops its search for the distance of convex geoms at 1e-6 of it
            tolerance = {"mjSENS_GEOMNORMAL": 2e-3, "mjSENS_GEOMFROMTO": 2e-3, "mjSENS_GEOMDIST": 1e-5}.get(name, 1e-9)
            np.testing.assert_allclose(d.sensordata[part], rd.sensordata[part], tolerance, tolerance, err_msg=f"{s} {name}")
            met += int(name == "mjSENS_RANGEFINDER" and rd.sensordata[part][0] > 0)
    assert met > 40


@pytest.mark.parametrize("camera", ["lens", "chip", "flat"])
def test_a_point_is_projected_to_the_pixel_whose_ray_meets_it(camera: str) -> None:
    """Also where the reference's two sensors do not fit together: off-centre and orthographic cameras."""
    ray, projection = f'<rangefinder camera="{camera}" data="dist point"/>', f'<camprojection site="zone" camera="{camera}"/>'
    xml = SCENE.format(sensors=ray + projection)
    shell = '<geom size="20" contype="0"/><body mocap="true"><site name="zone"/></body>'
    m, d = posed(xml.replace('<site name="zone" type="box" size=".5 .6 .7" pos="0 0 1"/>', shell))
    width, height = m.cam_resolution[m.camera(camera).id]
    rays, seen = d.sensordata[:-2].reshape(height, width, 4).copy(), 0
    for row, column in np.ndindex(height, width):
        if rays[row, column, 0] > 0:
            d.mocap_pos[0], seen = rays[row, column, 1:], seen + 1
            physics.mj_forward(m, d)
            np.testing.assert_allclose(d.sensordata[-2:], [column + 0.5, row + 0.5], atol=1e-9)
    assert seen == width * height


def test_geom_distance_is_symmetric_between_surface_points() -> None:
    m, d = posed(SCENE.format(sensors=""))
    for g1 in range(m.ngeom):
        for g2 in range(m.ngeom):
            if g1 != g2:
                there, back = np.zeros(6), np.zeros(6)
                dist = physics.mj_geomDistance(m, d, g1, g2, 9.0, there)
                assert physics.mj_geomDistance(m, d, g2, g1, 9.0, back) == pytest.approx(dist, abs=1e-9)
                assert abs(dist) == pytest.approx(np.linalg.norm(there[3:] - there[:3]), abs=1e-9)
    assert physics.mj_geomDistance(m, d, 0, 3, 0.1) == 0.1  # the largest that counts
    with pytest.raises(IndexError, match="geom2 99"):
        physics.mj_geomDistance(m, d, 0, 99, 1.0)
