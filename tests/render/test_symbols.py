"""Boxes of trees, arcs of slack tendons, rays of rangefinders, points of constraints and actuators: as in the reference."""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.physics.reference import posed
from tests.render.drawn import draw_list
from tests.render.mjv.both import both, listed
from tumble import mujoco as ours
from tumble import physics
from tumble.physics.state.enums import mjtGeom, mjtObj, mjtVisFlag
from tumble.render.camera import Camera
from tumble.render.constants import MeshId
from tumble.render.drawlist import DrawList
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions
from tumble.render.scene import volumes
from tumble.render.scene.tendons import arc

TREES = """<mujoco><asset><mesh name="m" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/></asset><worldbody>
<geom type="plane" size="5 5 .1"/><geom size=".1" pos="2 2 0"/><geom size=".1" pos="3 2 0"/>
<body pos="0 0 1" euler="0 30 0"><freejoint/><geom size=".1"/><geom size=".2" pos=".5 0 0"/>
<geom size=".1" pos="1 0 0" group="4"/><geom type="mesh" mesh="m" pos="0 1 0"/></body>
<body pos="3 0 1"><freejoint/><geom size=".1"/></body>
<flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" pos="0 0 2" radius=".01" dim="2"/></worldbody></mujoco>"""
ROPE = """<mujoco><option gravity="{}"/><worldbody><site name="a" pos="0 0 1"/>
<body pos="{}"><freejoint/><geom size=".02"/><site name="b"/></body></worldbody>
<tendon><spatial width=".01" {}><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""

RELATED = """<worldbody><geom type="plane" size="5 5 .1"/>
<body name="a" pos="0 0 1"><freejoint/><geom size=".1"/><site name="s1" pos=".1 0 .05"/></body>
<body name="b" pos=".5 0 1"><freejoint/><geom size=".1"/><site name="s2" pos="0 .1 0" euler="180 0 0"/><site name="away"/></body>
<body pos="2 0 1"><joint name="h" axis="0 1 0"/><geom size=".1"/></body></worldbody>
<equality><connect body1="a" body2="b" anchor=".2 0 .1"/><weld body1="a" body2="b" anchor=".3 .1 .1"/>
<connect site1="s1" site2="s2"/><weld body1="a" active="false"/></equality>
<actuator><general joint="h" dyntype="filter" dynprm=".1"
 ctrlrange="-1 1" ctrllimited="true" actrange="-.5 .5" actlimited="true"/>
</actuator>
<sensor><rangefinder site="s2"/><rangefinder site="away"/><rangefinder site="s2" cutoff="0.2"/></sensor>"""


def models(xml: str) -> list[tuple[Any, Any, Any]]:
    """The library, a model and its data: the reference's, and ours."""
    made = []
    for lib, kind in ((mujoco, mujoco), (ours, physics)):
        model, data = posed(xml, kind)
        made.append((lib, model, data))
    return made


def geoms(lib: Any, model: Any, data: Any, chosen: Any, on: Sequence[int] = (), depth: int = 1) -> list[Any]:
    """What is listed with some more flags on."""
    option, scene = lib.MjvOption(), lib.MjvScene(model, 500)
    option.bvh_depth = depth
    option.flags[[int(flag) for flag in on]] = 1
    lib.mjv_updateScene(model, data, option, None, lib.MjvCamera(), 7, scene)
    return [geom for geom in scene.geoms[: scene.ngeom] if chosen(geom)]


def picture(model: Any, data: Any, **options: Any) -> DrawList:
    return draw_list(model, Frame.from_data(data), RenderOptions(**options), Camera(distance=5.0))


def beside(model: Any, data: Any, kind: mjtObj, *flags: int, **options: Any) -> tuple[DrawList, Any, list[Any]]:
    """The picture, which of it is of a kind, and what of that the reference lists with its flags on."""
    drawn, theirs = picture(model, data, **options), geoms(mujoco, model, data, lambda geom: geom.objtype == int(kind), flags)
    return drawn, np.flatnonzero(drawn.objtype == int(kind)), theirs


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_boxes_of_trees_are_those_of_the_reference(depth: int) -> None:
    theirs, own = models(TREES)

    def boxes(of: Any, flag: int) -> list[Any]:
        return geoms(*of, lambda geom: geom.type == int(mjtGeom.mjGEOM_LINEBOX), [flag], depth)

    flag = int(mjtVisFlag.mjVIS_BODYBVH)
    for one, two in zip(boxes(theirs, flag), boxes(own, flag), strict=True):
        for name in ("objid", "pos", "size", "mat", "category", "objtype"):
            np.testing.assert_allclose(getattr(two, name), getattr(one, name), atol=1e-5, err_msg=name)
    # Of meshes, the reference lists only those that a ray or a collision has tested: here none.
    flag = int(mjtVisFlag.mjVIS_MESHBVH)
    expected, found = boxes(theirs, flag), boxes(own, flag)
    first = own[1].mesh_bvhadr[0]
    of_mesh = [box for box in found if first <= box.objid < first + own[1].mesh_bvhnum[0]]
    assert of_mesh
    for one, two in zip(expected, [box for box in found if box not in of_mesh], strict=True):
        for name in ("objid", "pos", "size"):
            np.testing.assert_allclose(getattr(two, name), getattr(one, name), atol=1e-5, err_msg=name)


def test_boxes_are_drawn_edge_by_edge_and_never_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    _, (_, model, data) = models(TREES)
    plain = len(picture(model, data))
    drawn = picture(model, data, body_tree=True, tree_depth=2)
    assert (len(drawn) - plain) == 12 * 7  # leaves of all bodies, the plane's excepted
    monkeypatch.setattr(volumes, "MOST_BOXES", 6)
    assert len(picture(model, data, body_tree=True, tree_depth=2)) - plain == 12 * 4  # a depth less
    everything = picture(model, data, body_tree=True, mesh_tree=True)
    assert np.isfinite(everything.instances["pos"]).all()


SLACK = 'limited="true" range="0 1"'


@pytest.mark.parametrize(
    ("gravity", "end", "looks", "pieces"),
    [
        ("0 0 -9.81", ".5 0 1", SLACK, 28),
        ("0 0 -9.81", ".5 .1 .8", 'stiffness="1" springlength="0 1"', 28),
        ("5 0 -5", ".3 .3 1", SLACK, 28),
        ("0 0 -9.81", "0 0 .5", SLACK, 2),
        ("0 0 0", ".5 0 1", SLACK, 1),
        ("0 0 -9.81", ".5 0 1", SLACK + ' damping="1"', 1),
        ("0 0 -9.81", ".5 0 1", 'stiffness="1" ' + SLACK, 1),
    ],
)
def test_a_slack_tendon_hangs_where_the_reference_hangs_it(gravity: str, end: str, looks: str, pieces: int) -> None:
    theirs, own = models(ROPE.format(gravity, end, looks))
    listings = [geoms(*of, lambda geom: geom.objtype == int(mjtObj.mjOBJ_TENDON)) for of in (theirs, own)]
    assert [len(found) for found in listings] == [pieces, pieces]
    drawn = picture(*own[1:])
    assert np.count_nonzero(drawn.objtype == int(mjtObj.mjOBJ_TENDON)) == pieces
    # Their points are not at the same shares of the way, but on the same curve: their lowest points are as low.
    down = np.array([float(v) for v in gravity.split()])
    lowest = [max(float(geom.pos @ down) for geom in found) for found in listings]
    assert lowest[0] == pytest.approx(lowest[1], abs=0.01 * np.linalg.norm(down))


def test_an_arc_is_as_long_as_its_rope_and_its_own_chain() -> None:
    for length, end in ((1.0, (0.5, 0.1, -0.2)), (0.55, (0.5, 0.1, -0.2)), (20.0, (0.5, 0.0, 0.1)), (3.0, (0.1, 0.2, -2.0))):
        points = arc(np.zeros(3), end, length, (0, 0, -9.81))
        assert points[0] == pytest.approx(np.zeros(3))
        assert points[-1] == pytest.approx(end)
        # 28 chords are shorter than the arc, the more the deeper it hangs.
        assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(length, rel=0.03)
        assert np.all(np.diff(points[:, 2], 2) > 0)  # it opens upwards


def test_actuators_are_drawn_on_all_that_they_drive() -> None:
    reference, own = both()
    drawn = picture(*own, actuator=True)
    arrows = (mjtGeom.mjGEOM_ARROW, mjtGeom.mjGEOM_ARROW1)  # they have other parts here
    theirs = [geom for geom in beside(*reference, mjtObj.mjOBJ_ACTUATOR, mjtVisFlag.mjVIS_ACTUATOR)[2] if geom.type not in arrows]
    assert len(theirs) == 7
    for geom in theirs:
        of = np.flatnonzero((drawn.objtype == int(mjtObj.mjOBJ_ACTUATOR)) & (drawn.objid == geom.objid))
        near = of[np.argmin(np.abs(drawn.instances["pos"][of] - geom.pos).max(axis=1))]
        assert drawn.instances["pos"][near] == pytest.approx(geom.pos, abs=1e-5)
        assert drawn.instances["rgba"][near] == pytest.approx(geom.rgba, abs=1e-5)
        assert drawn.instances["scale"][near, 0] == pytest.approx(geom.size[0], rel=1e-4)


def test_a_camera_with_a_sensor_shows_what_it_sees() -> None:
    _, (model, data) = both()
    drawn = picture(model, data, camera=True)
    sides = (drawn.objtype == int(mjtObj.mjOBJ_CAMERA)) & (drawn.mesh == int(MeshId.TRIANGLE))
    assert np.count_nonzero(sides) == 8  # of the one with a sensor
    rows, fields = listed(ours, model, data, {int(mjtVisFlag.mjVIS_CAMERA): 1})
    assert len(rows) == len(fields)
    inertias = [picture(model, data, inertia=True, scale_inertia=on) for on in (False, True)]
    sizes = [found.instances["scale"][found.objtype == int(mjtObj.mjOBJ_BODY), :3].prod(axis=1) for found in inertias]
    mass = np.asarray(model.body_mass)[[b for b in range(1, model.nbody) if model.body_mass[b] > 0]]
    assert 8.0 * 1000.0 * sizes[1] == pytest.approx(mass, rel=1e-3)  # of water
    assert not np.allclose(*sizes)


@pytest.fixture
def moved(load: Any) -> tuple[Any, Any]:
    model, data = load(RELATED)
    data.qpos[:3] += (0.05, -0.02, 0.1)
    data.ctrl[0], data.act[0] = 0.8, -0.25
    mujoco.mj_forward(model, data)
    return model, data


def test_equalities_are_drawn_at_the_points_they_hold(moved: Any) -> None:
    parts, rows, theirs = beside(*moved, mjtObj.mjOBJ_EQUALITY, mjtVisFlag.mjVIS_CONSTRAINT, equality=True)
    balls = [i for i in rows if parts.mesh[i] == int(MeshId.SPHERE)]
    assert len(balls) == len(theirs) == 6
    for i, geom in zip(balls, theirs, strict=True):
        assert parts.instances["pos"][i] == pytest.approx(geom.pos, abs=1e-5)  # single precision
        assert parts.instances["scale"][i, 0] == pytest.approx(geom.size[0], rel=1e-5)
        assert parts.instances["rgba"][i] == pytest.approx(geom.rgba, abs=1e-5)
    assert not len(beside(*moved, mjtObj.mjOBJ_EQUALITY)[1])


def test_rangefinder_rays_start_at_site_with_measured_length(moved: Any) -> None:
    parts, rows, theirs = beside(*moved, mjtObj.mjOBJ_SENSOR, mjtVisFlag.mjVIS_RANGEFINDER)
    assert len(rows) == len(theirs) == 2
    for i, geom in zip(rows, theirs, strict=True):
        half = parts.instances["scale"][i, 3]
        assert 2 * half == pytest.approx(geom.size[2], rel=1e-5)
        assert parts.instances["pos"][i] == pytest.approx(geom.pos + half * geom.mat[:, 2], abs=1e-5)
        assert parts.instances["rgba"][i] == pytest.approx(geom.rgba, abs=1e-5)


def test_actuator_colours_show_activation_when_enabled(moved: Any) -> None:
    colours = []
    for flags in ((mjtVisFlag.mjVIS_ACTUATOR,), (mjtVisFlag.mjVIS_ACTUATOR, mjtVisFlag.mjVIS_ACTIVATION)):
        parts, rows, [theirs] = beside(*moved, mjtObj.mjOBJ_ACTUATOR, *flags, actuator=True, activation=len(flags) == 2)
        colours.append(parts.instances["rgba"][rows[0]])
        assert colours[-1] == pytest.approx(theirs.rgba, abs=1e-5)
    assert not np.allclose(*colours)
