"""Touch grids, the plugin mujoco.sensor.touch_grid."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.parity import both, differences, refused
from tests.physics.plugins.runs import assert_alike, settings
from tumble import physics
from tumble.physics.sensor.components import part

GRID = "mujoco.sensor.touch_grid"
VIEW = settings(size="6 6", fov="180 90", nchannel=6)


def scene(inside: str = VIEW, given: str = 'objtype="site" objname="touch"', option: str = 'cone="elliptic"') -> str:
    """A pad that lies on the floor under a box and a ball."""
    return f"""<mujoco><extension><plugin plugin="{GRID}"/></extension><option {option}/><worldbody>
<geom type="plane" size="5 5 .1"/><body name="pad" pos="0 0 .12"><freejoint/>
<geom type="box" size=".5 .4 .1" mass="1" condim="6"/>
<site name="touch" pos=".01 .02 .3" euler="10 20 30"/></body>
<body pos=".1 .1 .3"><freejoint/><geom type="box" size=".1 .05 .07" condim="6" mass=".5"/></body>
<body pos="-.2 .1 .3"><freejoint/><geom type="sphere" size=".05" condim="6" mass=".5"/></body>
</worldbody><sensor><clock/><plugin name="s" plugin="{GRID}" {given}>{inside}</plugin><clock/></sensor></mujoco>"""


CASES = {
    "all channels": scene(),
    "pyramids": scene(option='cone="pyramidal"'),
    "fine middle, cutoff": scene(settings(nchannel=3, size="7 5", fov="60 80", gamma=0.5),
                                 'objtype="site" objname="touch" cutoff="2"'),
    "finest middle": scene(settings(size="6 3", fov="90 80", gamma=1, nchannel=2)),
    "one channel": scene(settings(size="4 4", fov="60 80")),
    "channels not given": scene(settings(size="4 4", fov="60 80", nchannel=0, gamma="")),
}  # fmt: skip


@pytest.mark.parametrize("xml", CASES.values(), ids=CASES)
def test_images_are_the_reference_s_while_things_fall_and_slide(xml: str) -> None:
    assert_alike(xml, steps=60, speed=0.3)


def test_models_are_the_reference_s() -> None:
    assert [text for text in differences(*both(scene())) if not text.startswith("plugin[")] == []


def test_resting_ball_is_seen_with_its_weight() -> None:
    xml = f"""<mujoco><extension><plugin plugin="{GRID}"/></extension><worldbody><body name="ball" pos="0 0 .1"><freejoint/>
<geom size=".1" mass="2"/></body><body name="pad" pos="0 0 -.1"><geom type="box" size="1 1 .1"/>
<site name="s" pos="0 0 1"/></body></worldbody><sensor>
<plugin plugin="{GRID}" objtype="site" objname="s">{settings(size="3 3", fov="30 30", nchannel=3)}</plugin>
</sensor></mujoco>"""
    m = physics.MjModel.from_xml_string(xml)
    d = physics.MjData(m)
    physics.mj_step(m, d, 2000)
    normal, x, y = d.sensordata.reshape(3, 3, 3)
    assert normal[1, 1] == pytest.approx(-2 * 9.81, rel=1e-6)  # downwards, on the pad
    normal[1, 1] = 0
    assert abs(normal).max() == 0
    assert max(abs(x).max(), abs(y).max()) < 1e-6


@pytest.mark.parametrize("gamma", [0, 0.3, 1])
def test_edges_of_pixels_are_where_the_law_says(gamma: float) -> None:
    """A ball on the floor, seen from a site that turns about its y axis past each edge."""
    xml = f"""<mujoco><extension><plugin plugin="{GRID}"/></extension><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .099"><freejoint/><geom size=".1"/><site name="s" pos="0 0 .1" euler="0 1 0"/></body></worldbody><sensor>
<plugin plugin="{GRID}"
objtype="site" objname="s">{settings(size="4 1", fov="50 60", gamma=gamma)}</plugin></sensor></mujoco>"""
    ours, theirs = both(xml)
    a, b = physics.MjData(ours), mujoco.MjData(theirs)
    for s in (-1, -0.5, 0.5, 1):
        edge = math.radians(50 * ((1 - gamma) * s + gamma * s**5))
        seen = []
        for angle in (edge - 1e-7, edge + 1e-7):
            quat = (math.cos(angle / 2), 0, math.sin(angle / 2), 0)
            ours.site_quat[0] = theirs.site_quat[0] = quat
            physics.mj_forward(ours, a)
            mujoco.mj_forward(theirs, b)
            np.testing.assert_allclose(a.sensordata, b.sensordata, rtol=1e-9)
            seen.append(int(np.flatnonzero(a.sensordata)[0]) if a.sensordata.any() else -1)
        assert seen[0] != seen[1]


def test_numbers_are_labelled_with_channel_place_and_unit() -> None:
    m = physics.MjModel.from_xml_string(scene())
    assert part(m, 1, 0) == ("normal 0, 0", "N")
    assert part(m, 1, 36 + 7) == ("tangent x 1, 1", "N")
    assert part(m, 1, 3 * 36 + 1) == ("torsion 1, 0", "N m")


def test_loaded_file_has_the_same_grid(tmp_path: Path) -> None:
    m = physics.MjModel.from_xml_string(scene())
    path = str(tmp_path / "m.mjb")
    physics.mj_saveModel(m, path)
    again = physics.MjModel.from_binary_path(path)
    a, b = physics.MjData(m), physics.MjData(again)
    physics.mj_step(m, a, 40)
    physics.mj_step(again, b, 40)
    assert abs(a.sensordata[1:-1]).max() > 0
    assert (a.sensordata == b.sensordata).all()


SITE = 'objtype="site" objname="touch"'
WRONG = {
    scene(given=""): "a touch grid is on a site",
    scene(given='objtype="body" objname="pad"'): "a touch grid is on a site",
    scene(settings(fov="60 60")): "size needs two numbers",
    scene(settings(size="4 4")): "fov needs two numbers",
    scene(settings(size="4", fov="60 60")): "size must be 2 numbers, has 1",
    scene(settings(size="4 0", fov="60 60")): "size must be whole and positive, is 4 0",
    scene(settings(size="4 2.5", fov="60 60")): "size must be whole and positive",
    scene(settings(size="4 a", fov="60 60")): 'size="4 a" is not a number',
    scene(settings(size="4 4", fov="181 60")): "the first number of fov must be above 0 and at most 180 degrees, is 181",
    scene(settings(size="4 4", fov="60 91")): "the second number of fov",
    scene(settings(size="4 4", fov="60 60", nchannel=7)): "nchannel must be whole and 1 to 6, is 7",
    scene(settings(size="4 4", fov="60 60", gamma=1.5)): "gamma must be 0 to 1, is 1.5",
    scene(settings(size="1e6 1e6", fov="60 60")): "it can give 0 to 10000000",
    scene().replace(f'name="s" plugin="{GRID}"', 'name="s" plugin="mujoco.pid"'):
        f"acts on actuators, not on a sensor; valid here: {GRID}",
}  # fmt: skip


@pytest.mark.parametrize("xml", WRONG)
def test_mistakes_are_named_at_their_place(xml: str) -> None:
    refused(xml, WRONG[xml], place=r"model\.xml:\d+:\d+: <")
