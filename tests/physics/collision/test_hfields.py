"""Contacts with height fields: prism by prism, as exact as the shapes are."""

import itertools
from collections.abc import Iterator

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.physics.reference import posed
from tumble import physics

Floats = NDArray[np.float64]
SHAPES = {
    "sphere": 'type="sphere" size=".2"', "capsule": 'type="capsule" size=".1 .2"',
    "ellipsoid": 'type="ellipsoid" size=".2 .1 .15"',
    "cylinder": 'type="cylinder" size=".15 .1"', "box": 'type="box" size=".2 .2 .1"',
}  # fmt: skip
ROUGH = np.random.default_rng(0).random((6, 7))
SLOPE = np.repeat([np.linspace(0, 1, 9)], 5, axis=0)  # rises along x


def numbers(values: Floats) -> str:
    return " ".join(f"{v:.17g}" for v in np.ravel(values))


def scene(heights: Floats, size: str, *balls: str, field: str = "") -> str:
    """A height field and free bodies, each with one geom; heights: (nrow, ncol), the row of the greatest y first."""
    samples = f'elevation="{numbers(heights)}"' if np.ptp(heights) else ""
    asset = f'<hfield name="h" nrow="{heights.shape[0]}" ncol="{heights.shape[1]}" size="{size}" {samples}/>'
    bodies = "".join(f"<body {place}><freejoint/><geom {shape}/></body>" for place, shape in (b.split("|") for b in balls))
    return f'<mujoco><asset>{asset}</asset><worldbody><geom type="hfield" hfield="h" {field}/>{bodies}</worldbody></mujoco>'


# ---------------------------------------------------------------- closed forms


@pytest.mark.parametrize("inside", [0.3, 0.5, 1.0, 1.5])
def test_on_a_slope_normal_and_distance_are_those_of_the_plane(inside: float) -> None:
    """The slope rises by 1 over 2: its normal is (-1, 0, 2) / sqrt(5)."""
    normal = np.array([-1, 0, 2]) / np.sqrt(5)
    place = np.array([0.06, 0.1, 0.53]) + 0.1 * inside * normal  # from a point of the slope, inside one triangle
    _, d = posed(scene(SLOPE, "1 1 1 .2", f'pos="{numbers(place)}"|type="sphere" size=".1" margin=".1"'))
    deepest = int(np.argmin(d.contact.dist))
    assert d.contact.dist[deepest] == pytest.approx(0.1 * inside - 0.1, abs=2e-7)  # heights are single precision
    np.testing.assert_allclose(d.contact.frame.reshape(-1, 9)[deepest, :3], normal, atol=1e-5)  # ccd_tolerance is 1e-6


def test_hfield_margin_changes_detection_but_not_distance() -> None:
    """The reference raises the surface by the margin, and counts half of it twice."""
    place = 'pos=".1 .05 .42" quat="1 .2 .3 .4"|type="ellipsoid" size=".2 .1 .15"'
    near = {margin: posed(scene(ROUGH, "1.2 1 .5 .3", f'{place} margin="{margin}"'))[1] for margin in (0.05, 0.2)}
    assert 0 < near[0.05].ncon < near[0.2].ncon
    assert near[0.05].contact.dist.min() == pytest.approx(near[0.2].contact.dist.min(), abs=2e-6)  # ccd_tolerance
    assert near[0.2].contact.dist.max() < 0.2


def prisms(heights: Floats, size: list[float]) -> Iterator[Floats]:
    """(6, 3) corners of every prism in the order of contacts; heights: the row of the least y first."""
    nrow, ncol = heights.shape
    x, y = np.meshgrid(np.linspace(-size[0], size[0], ncol), np.linspace(-size[1], size[1], nrow))
    top = np.stack([x, y, size[2] * heights], axis=2)
    for r, c in itertools.product(range(nrow - 1), range(ncol - 1)):
        for corner in ((r + 1, c), (r, c + 1)):
            triangle = np.array([top[r, c], top[r + 1, c + 1], top[corner]])
            yield np.concatenate([triangle, triangle * [1, 1, 0] - [0, 0, size[3]]])


def overlap(a: Floats, b: Floats, axes: Floats) -> float:
    """Depth of two convex polyhedra: the least overlap along the axes, which are those that can separate them."""
    axes = np.concatenate([axes, -axes])
    axes = axes[np.linalg.norm(axes, axis=1) > 1e-9]
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    return float(((a @ axes.T).max(axis=0) - (b @ axes.T).min(axis=0)).min())


def test_the_depth_of_a_box_is_the_least_way_out_of_each_prism() -> None:
    """By separating axes: the normals of all faces, and the products of all edges. The reference stops before it."""
    rng = np.random.default_rng(1)
    count = 0
    for _ in range(8):
        pos, quat = rng.uniform([-1, -0.8, 0.1], [1, 0.8, 0.6]), rng.normal(size=4)
        m, d = posed(scene(ROUGH, "1.2 1 .5 .3", f'pos="{numbers(pos)}" quat="{numbers(quat)}"|{SHAPES["box"]}'))
        turn = d.geom_xmat[1].reshape(3, 3)
        box = d.geom_xpos[1] + np.array(list(itertools.product((-1, 1), repeat=3))) * m.geom_size[1] @ turn.T
        depths = []
        for prism in prisms(m.hfield_data.reshape(6, 7).astype(float), [1.2, 1, 0.5, 0.3]):
            edges = np.concatenate([prism[[1, 2, 0]] - prism[:3], prism[[4, 5, 3]] - prism[3:], [[0, 0, 1]]])
            faces = np.concatenate([np.cross(edges[3:6], edges[6]), [np.cross(edges[0], edges[1]), edges[6]]])
            crossed = [np.cross(e, axis) for e in edges for axis in turn.T]
            depth = overlap(prism, box, np.concatenate([faces, turn.T, crossed]))
            depths += [-depth] if depth >= 0 else []
        np.testing.assert_allclose(d.contact.dist, depths, atol=1e-12)
        count += len(depths)
    assert count > 20


# ---------------------------------------------------------------- parity


def assert_same_contacts(xml: str) -> int:
    """Number, order, distance, place and frame of all contacts are the reference's; returns how many there are.

    Where the core of a round shape is inside, the reference wraps the shape into a polytope until its distance is right to
    1e-6: the normal is right to the root of that, over the radius. Few points are so deep.
    """
    _, d = posed(xml)
    theirs = posed(xml, mujoco)[1].contact
    assert d.contact.geom.tolist() == theirs.geom.tolist()
    np.testing.assert_allclose(d.contact.dist, theirs.dist, atol=2e-6)
    place, turn = abs(d.contact.pos - theirs.pos).max(axis=1), abs(d.contact.frame.reshape(-1, 9) - theirs.frame).max(axis=1)
    assert place.max() < 2e-3
    assert turn.max() < 1e-2
    assert np.median(place) < 1e-6
    assert np.median(turn) < 1e-6
    return len(d.contact.dist)


def on_rough_ground(shape: str) -> str:
    """Bodies of a shape here and there in a tilted field."""
    rng = np.random.default_rng(2)
    bodies = [
        f'pos="{numbers(rng.uniform([-1.1, -0.9, 0.1], [1.1, 0.9, 0.6]))}" quat="{numbers(rng.normal(size=4))}"'
        f'|{SHAPES[shape]} conaffinity="0"'
        for _ in range(25)
    ]
    return scene(ROUGH, "1.2 1 .5 .3", *bodies, field='pos=".1 .2 .05" euler="5 7 30"')


@pytest.mark.parametrize("shape", ["sphere", "capsule", "ellipsoid", "cylinder"])
def test_contacts_with_rough_ground(shape: str) -> None:
    assert assert_same_contacts(on_rough_ground(shape)) > 30


SURE = [("sphere", 1.0), ("capsule", 1.0), ("ellipsoid", 1.0), ("cylinder", 0.7), ("box", 0.9)]


@pytest.mark.parametrize(("shape", "sure"), SURE)
def test_portals_find_the_points_of_the_references_portals(shape: str, sure: float) -> None:
    """With the flag nativeccd disabled. Upright edges of prisms leave the choice of a portal to rounding: the part that is sure
    is the part of the reference's own points that stay where a pose changes in its 13th digit."""
    xml = on_rough_ground(shape).replace("<asset>", '<option><flag nativeccd="disable"/></option><asset>')
    _, d = posed(xml)
    theirs = posed(xml, mujoco)[1].contact
    assert d.contact.geom.tolist() == theirs.geom.tolist()
    assert (abs(d.contact.dist - theirs.dist) < 1e-6).mean() >= sure
    assert (abs(d.contact.frame.reshape(-1, 9) - theirs.frame).max(axis=1) < 1e-4).mean() >= min(sure, 0.9)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_hfield_contacts_are_finite_and_near_geoms_at_any_scale(scale: float) -> None:
    rng = np.random.default_rng(4)
    bodies = [f'pos="{numbers(scale * rng.uniform([-1, -1, 0], [1, 1, 0.5]))}" quat="{numbers(rng.normal(size=4))}"'
              f'|type="{kind}" size="{numbers(scale * rng.uniform(0.1, 0.4, 3))}" conaffinity="0"'
              for kind in list(SHAPES) * 4]  # fmt: skip
    for flag in ("enable", "disable"):
        xml = scene(ROUGH, numbers(scale * np.array([1.2, 1, 0.5, 0.3])), *bodies).replace(
            "<asset>", f'<compiler boundmass="1e-9" boundinertia="1e-15"/><option><flag nativeccd="{flag}"/></option><asset>')
        m, d = posed(xml)
        assert d.ncon > 20
        assert np.isfinite(np.column_stack([d.contact.dist, d.contact.pos, d.contact.frame.reshape(-1, 9)])).all()
        away = np.linalg.norm(d.contact.pos - d.geom_xpos[d.contact.geom[:, 1]], axis=1)
        assert (away <= m.geom_rbound[d.contact.geom[:, 1]] + 2e-6 + abs(d.contact.dist)).all()  # ccd_tolerance


def test_more_than_fifty_points_are_those_that_come_first() -> None:
    fine = 0.3 * np.sin(np.arange(40) / 3)[:, None] + 0.2 * np.cos(np.arange(40) / 4)[None]
    ball = 'pos="0 .1 .75"|type="sphere" size=".5"'
    assert assert_same_contacts(scene(fine, "1 1 .5 .2", ball)) == 50


def test_planes_and_other_height_fields_are_never_touched() -> None:
    xml = scene(ROUGH, "1 1 .5 .2", 'pos="0 0 .1"|type="hfield" hfield="h" mass="1"').replace(
        "<worldbody>", '<worldbody><geom type="plane" size="1 1 1" pos="0 0 .2"/>')  # fmt: skip
    assert posed(xml)[1].ncon == posed(xml, mujoco)[1].ncon == 0


def test_a_field_of_one_row_has_no_surface() -> None:
    xml = scene(np.array([[0.0, 1.0, 0.5]]), "1 1 1 .2", 'pos="0 0 .2"|type="sphere" size=".3"')
    assert posed(xml)[1].ncon == 0


SIZE = [1.2, 1, 0.5, 0.3]
SMALL = ROUGH[:3, :4]


def gap(d: physics.MjData, m: physics.MjModel, limit: float = 1e4) -> tuple[float, Floats]:
    ends = np.zeros(6)
    return physics.mj_geomDistance(m, d, 0, 1, limit, ends), ends


def of_prisms(shape: str) -> mujoco.MjModel:
    """Every prism of the field SMALL as a mesh, and a shape, in the reference."""
    flat = SMALL / SMALL.max() if SMALL.min() == 0 else (SMALL - SMALL.min()) / np.ptp(SMALL)
    meshes = list(prisms(flat[::-1].astype(np.float32).astype(float), SIZE))
    assets = "".join(f'<mesh name="p{k}" vertex="{numbers(v)}"/>' for k, v in enumerate(meshes))
    geoms = "".join(f'<geom type="mesh" mesh="p{k}"/>' for k in range(len(meshes)))
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><asset>{assets}</asset><worldbody>{geoms}<body><freejoint/><geom {shape}/></body></worldbody></mujoco>"
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_the_distance_is_that_of_the_nearest_prism(shape: str) -> None:
    """From touching to a hundred times the size, on all sides; the ends are on both surfaces."""
    theirs = of_prisms(SHAPES[shape])
    data = mujoco.MjData(theirs)
    m, d = posed(scene(SMALL, "1.2 1 .5 .3", f"|{SHAPES[shape]}"))
    rng, apart = np.random.default_rng(3), 0
    for _ in range(25):
        d.qpos[:] = data.qpos[:] = np.concatenate([rng.normal(size=3) * 10 ** rng.uniform(0, 2), rng.normal(size=4)])
        physics.mj_kinematics(m, d)
        mujoco.mj_kinematics(theirs, data)
        last = theirs.ngeom - 1
        each = [mujoco.mj_geomDistance(theirs, data, k, last, 1e4, None) for k in range(last)]
        if min(each) <= 0:
            continue
        apart += 1
        dist, ends = gap(d, m)
        assert dist == pytest.approx(min(each), rel=1e-6, abs=1e-6)  # ccd_tolerance
        assert np.linalg.norm(ends[3:] - ends[:3]) == pytest.approx(dist, rel=1e-9)
        turned = np.zeros(6)
        assert physics.mj_geomDistance(m, d, 1, 0, 1e4, turned) == dist
        np.testing.assert_array_equal(turned, ends[[3, 4, 5, 0, 1, 2]])
        assert gap(d, m, 0.999 * dist)[0] == 0.999 * dist
    assert apart > 10


def test_where_they_overlap_it_is_the_deepest_contact() -> None:
    m, d = posed(scene(ROUGH, "1.2 1 .5 .3", f'pos=".1 .2 .3" quat="1 2 3 4"|{SHAPES["box"]}', field='euler="10 20 30"'))
    assert d.ncon > 3
    assert gap(d, m)[0] == pytest.approx(d.contact.dist.min(), abs=1e-12)


def test_to_a_plane_it_is_that_of_the_lowest_point() -> None:
    m, d = posed('<mujoco><asset><hfield name="h" nrow="2" ncol="3" size="2 1 1 .5" elevation="0 1 0 0 0 .5"/></asset><worldbody>'
                 '<geom type="plane" size="1 1 1"/><geom type="hfield" hfield="h" pos="0 0 3"/>'
                 '<geom type="hfield" hfield="h" pos="0 0 3" euler="180 0 0"/></worldbody></mujoco>')  # fmt: skip
    ends = np.zeros(6)
    assert physics.mj_geomDistance(m, d, 0, 1, 10, ends) == pytest.approx(2.5)
    assert physics.mj_geomDistance(m, d, 2, 0, 10, ends) == pytest.approx(2.0)
    np.testing.assert_allclose(ends, [0, -1, 2, 0, -1, 0], atol=1e-12)
    assert physics.mj_geomDistance(m, d, 2, 0, 1.9, ends) == 1.9
