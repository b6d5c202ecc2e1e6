"""Rays of rangefinders, points of equality constraints and activations, where the reference draws them."""

from typing import Any

import mujoco
import numpy as np
import pytest

from tests.render.drawn import draw_list
from tumble.physics.state.enums import mjtObj
from tumble.render.camera import Camera
from tumble.render.constants import MeshId
from tumble.render.drawlist import DrawList
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

MODEL = """<worldbody><geom type="plane" size="5 5 .1"/>
<body name="a" pos="0 0 1"><freejoint/><geom size=".1"/><site name="s1" pos=".1 0 .05"/></body>
<body name="b" pos=".5 0 1"><freejoint/><geom size=".1"/><site name="s2" pos="0 .1 0" euler="180 0 0"/><site name="away"/></body>
<body pos="2 0 1"><joint name="h" axis="0 1 0"/><geom size=".1"/></body></worldbody>
<equality><connect body1="a" body2="b" anchor=".2 0 .1"/><weld body1="a" body2="b" anchor=".3 .1 .1"/>
<connect site1="s1" site2="s2"/><weld body1="a" active="false"/></equality>
<actuator><general joint="h" dyntype="filter" dynprm=".1"
 ctrlrange="-1 1" ctrllimited="true" actrange="-.5 .5" actlimited="true"/>
</actuator>
<sensor><rangefinder site="s2"/><rangefinder site="away"/><rangefinder site="s2" cutoff="0.2"/></sensor>"""


def drawn(model: Any, frame: Frame, objtype: mjtObj, **switches: bool) -> tuple[DrawList, np.ndarray]:
    """The draw list with some switches on, and which of it is of a kind."""
    parts = draw_list(model, frame, RenderOptions(**{"rangefinder": False, **switches}), Camera(distance=5.0))
    return parts, np.flatnonzero(parts.objtype == objtype)


def reference(model: Any, data: Any, flags: list[int]) -> list[Any]:
    """What the reference draws as decoration with some flags on."""
    option, scene = mujoco.MjvOption(), mujoco.MjvScene(model, 200)
    option.flags[:] = 0
    option.flags[[int(flag) for flag in flags]] = 1
    decor = mujoco.mjtCatBit.mjCAT_DECOR
    mujoco.mjv_updateScene(model, data, option, None, mujoco.MjvCamera(), decor, scene)
    return list(scene.geoms[: scene.ngeom])


@pytest.fixture
def moved(load: Any) -> tuple[Any, Any, Frame]:
    model, data = load(MODEL)
    data.qpos[:3] += (0.05, -0.02, 0.1)
    data.ctrl[0], data.act[0] = 0.8, -0.25
    mujoco.mj_forward(model, data)
    return model, data, Frame.from_data(data)


def test_equalities_are_drawn_at_the_points_they_hold(moved: Any) -> None:
    model, data, frame = moved
    parts, rows = drawn(model, frame, mjtObj.mjOBJ_EQUALITY, equality=True)
    balls = [i for i in rows if parts.mesh[i] == int(MeshId.SPHERE)]
    theirs = reference(model, data, [mujoco.mjtVisFlag.mjVIS_CONSTRAINT])
    assert len(balls) == len(theirs) == 6
    for i, geom in zip(balls, theirs, strict=True):
        assert parts.instances["pos"][i] == pytest.approx(geom.pos, abs=1e-5)  # single precision
        assert parts.instances["scale"][i, 0] == pytest.approx(geom.size[0], rel=1e-5)
        assert parts.instances["rgba"][i] == pytest.approx(geom.rgba, abs=1e-5)
    assert not len(drawn(model, frame, mjtObj.mjOBJ_EQUALITY)[1])


def test_rangefinder_rays_start_at_site_with_measured_length(moved: Any) -> None:
    model, data, frame = moved
    parts, rows = drawn(model, frame, mjtObj.mjOBJ_SENSOR, rangefinder=True)
    theirs = reference(model, data, [mujoco.mjtVisFlag.mjVIS_RANGEFINDER])
    assert len(rows) == len(theirs) == 2
    for i, geom in zip(rows, theirs, strict=True):
        half = parts.instances["scale"][i, 3]
        assert 2 * half == pytest.approx(geom.size[2], rel=1e-5)
        middle = geom.pos + half * geom.mat[:, 2]
        assert parts.instances["pos"][i] == pytest.approx(middle, abs=1e-5)
        assert parts.instances["rgba"][i] == pytest.approx(geom.rgba, abs=1e-5)


def test_actuator_colours_show_activation_when_enabled(moved: Any) -> None:
    model, data, frame = moved
    colours = []
    for activation in (False, True):
        parts, rows = drawn(model, frame, mjtObj.mjOBJ_ACTUATOR, actuator=True, activation=activation)
        flags = [mujoco.mjtVisFlag.mjVIS_ACTUATOR, *([mujoco.mjtVisFlag.mjVIS_ACTIVATION] if activation else [])]
        [theirs] = reference(model, data, flags)
        assert parts.instances["rgba"][rows[0]] == pytest.approx(theirs.rgba, abs=1e-5)
        colours.append(parts.instances["rgba"][rows[0]])
    assert not np.allclose(*colours)
