"""The collision of a pair, step by step: exact at its end, and nearer to it with every step."""

import numpy as np
import pytest

from tests.physics.reference import posed
from tumble import physics
from tumble.physics import mjtGeom
from tumble.physics.observe.collision_record import CollisionEnd, record_collision
from tumble.physics.observe.collision_steps import SearchKind

MESH = '<mesh name="cube" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1" scale=".2 .2 .2"/>'
FIELD = " ".join(f"{abs(np.sin(0.7 * i) * np.cos(0.5 * j)):.3f}" for i in range(20) for j in range(20))
SHAPES = {
    "box": 'type="box" size=".2 .3 .25"',
    "mesh": 'type="mesh" mesh="cube"',
    "cylinder": 'type="cylinder" size=".3 .4"',
    "capsule": 'type="capsule" size=".1 .4"',
    "ellipsoid": 'type="ellipsoid" size=".3 .2 .4"',
    "sphere": 'type="sphere" size=".2"',
}
DEEP = [("cylinder", "ellipsoid"), ("mesh", "mesh"), ("box", "mesh"), ("cylinder", "cylinder"), ("capsule", "ellipsoid")]

APART = [("capsule", "cylinder"), ("mesh", "mesh"), ("sphere", "box"), ("ellipsoid", "box")]


def pair(first, second, pos, euler="20 30 40", option=""):
    """Model and data of two free geoms, after forward; pos: of the second, the first is at the origin."""
    return posed(f"""
        <mujoco><option>{option}</option><asset>{MESH}</asset><worldbody>
          <body><freejoint/><geom {SHAPES[first]}/></body>
          <body pos="{pos}" euler="{euler}"><freejoint/><geom {SHAPES[second]}/></body>
        </worldbody></mujoco>""")


def recorded(m, d, g1=0, g2=1, **rest):
    return record_collision(*physics.fork(m, d), g1, g2, **rest)


@pytest.mark.parametrize(("first", "second"), DEEP)
def test_recorded_collision_equals_contact_with_closing_bounds(first, second):
    m, d = pair(first, second, ".1 .05 .3")
    record = recorded(m, d)
    # Interpreted sums may round otherwise than compiled ones; where the depth is least it hardly depends on the normal.
    assert record.dist == pytest.approx(d.contact.dist[0], abs=1e-12)
    assert record.normal == pytest.approx(d.contact.frame[0, :3], abs=1e-9)
    low, high = np.array([(step.low, step.high) for step in record.steps]).T
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    assert (low <= record.dist + 1e-12).all()
    assert (high >= record.dist - 1e-12).all()
    assert high[-1] == pytest.approx(record.dist, abs=1e-12)
    assert record.ended is CollisionEnd.CONVERGED
    assert record.kinds[0] is SearchKind.WALK


def test_each_kind_of_step_is_told_from_the_others():
    """Steps know their kind by the kernel that asked: a kernel of another name would be taken for the walk."""
    kinds = {kind for first, second in DEEP for kind in recorded(*pair(first, second, ".1 .05 .3")).kinds}
    assert kinds == {SearchKind.WALK, SearchKind.TURN, SearchKind.POLYTOPE}


@pytest.mark.parametrize(("first", "second"), APART)
def test_record_of_separate_shapes_gives_nearest_points(first, second):
    m, d = pair(first, second, ".9 .5 .4")
    record = recorded(m, d)
    ends = np.zeros(6)
    dist = physics.mj_geomDistance(m, d, record.geom1, record.geom2, 10.0, ends)
    assert record.chosen == -1
    assert record.dist == pytest.approx(dist, abs=1e-12)
    assert np.concatenate([record.point1, record.point2]) == pytest.approx(ends, abs=1e-9)
    assert record.point2 - record.point1 == pytest.approx(record.dist * record.normal, abs=1e-12)
    assert record.kinds == (SearchKind.WALK,)
    assert record.ended is CollisionEnd.CONVERGED
    assert record.steps[-1].low == pytest.approx(dist, abs=1e-9)


def test_minkowski_vertices_are_differences_of_surface_points():
    m, d = pair("cylinder", "ellipsoid", ".1 .05 .3")
    for step in recorded(m, d).steps:
        assert step.vertices == pytest.approx(step.on1 - step.on2, abs=1e-12)
        x, y, z = (step.on2 - d.geom_xpos[0]).T  # the contact names the ellipsoid first: its type is the lower
        assert np.maximum(np.hypot(x, y) - 0.3, np.abs(z) - 0.4) == pytest.approx(np.zeros(len(x)), abs=1e-12)
        local = (step.on1 - d.geom_xpos[1]) @ d.geom_xmat[1].reshape(3, 3) / [0.3, 0.2, 0.4]
        assert np.linalg.norm(local, axis=1) == pytest.approx(np.ones(len(local)), abs=1e-12)


def test_polytope_is_closed_and_nearest_face_gives_depth():
    m, d = pair("mesh", "mesh", ".1 .05 .3")
    steps = [step for step in recorded(m, d).steps if len(step.faces)]
    assert len(steps) > 2
    for step in steps:
        edges = {(int(a), int(b)) for face in step.faces for a, b in zip(face, np.roll(face, -1), strict=True)}
        assert edges == {(b, a) for a, b in edges}  # each edge once in both directions
        corners = step.vertices[step.faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        heights = np.einsum("fi,fi->f", normals, corners[:, 0]) / np.linalg.norm(normals, axis=1)
        assert (heights > 0).all()
        assert heights[step.nearest] == pytest.approx(heights.min(), abs=1e-12)  # coplanar faces are equally near
        assert step.high == pytest.approx(-heights.min(), abs=1e-12)


def test_truncated_search_reports_the_iteration_limit():
    m, d = pair("mesh", "mesh", ".1 .05 .3")
    m.opt.ccd_iterations = 5
    physics.mj_forward(m, d)
    record = recorded(m, d)
    assert record.ended is CollisionEnd.LIMIT
    assert record.gap > 1e-3
    assert record.dist == pytest.approx(d.contact.dist[0], abs=1e-12)


def test_without_nativeccd_it_is_a_portal_that_is_refined():
    m, d = pair("box", "mesh", ".1 .05 .3", option='<flag nativeccd="disable"/>')
    record = recorded(m, d)
    assert record.kinds[0] is SearchKind.PORTAL
    assert record.ended is CollisionEnd.CONVERGED
    assert record.dist == pytest.approx(d.contact.dist[0], abs=1e-12)
    assert record.steps[-1].normal == pytest.approx(record.normal, abs=1e-6)


@pytest.mark.parametrize("shape", ["box", "mesh"])
def test_flat_face_contacts_are_corners_of_clipped_polygon(shape):
    height = {"box": 0.49, "mesh": 0.39}[shape]
    m, d = pair(shape, shape, f".05 .02 {height}", "0 0 30", '<flag multiccd="enable"/>')
    record = recorded(m, d)
    assert record.kinds[-1] is SearchKind.CLIP
    common = record.faces.cuts[-1]
    for point in record.hit_pos:
        offset = common - point
        across = offset - np.outer(offset @ record.normal, record.normal)
        assert np.linalg.norm(across, axis=1).min() < 1e-9
    assert record.steps[-1].polygon == pytest.approx(common)


def test_closed_form_collision_has_no_steps():
    m, d = pair("sphere", "box", "0 0 .4", "0 0 0")
    record = recorded(m, d)
    assert record.ended is CollisionEnd.NO_SEARCH
    assert record.steps == ()
    assert record.dist == pytest.approx(-0.05)
    assert record.point1 == pytest.approx([0, 0, 0.2])
    assert record.point2 == pytest.approx([0, 0, 0.15])


def test_hfield_record_collides_the_prism_of_the_contact():
    m, d = posed(f"""
        <mujoco><asset><hfield name="h" nrow="20" ncol="20" size="1 1 .2 .1" elevation="{FIELD}"/></asset><worldbody>
          <geom type="hfield" hfield="h"/>
          <body pos=".1 .1 .15"><freejoint/><geom type="capsule" size=".1 .2" euler="30 80 0"/></body>
        </worldbody></mujoco>""")
    for c in range(0, d.ncon, 4):
        record = recorded(m, d, near=d.contact.pos[c])
        assert record.dist == pytest.approx(d.contact.dist[c], abs=1e-12)
        assert record.steps[-1].high == pytest.approx(record.dist, abs=1e-9)
        low, high = record.prism[:, :2].min(axis=0), record.prism[:, :2].max(axis=0)
        assert high - low == pytest.approx([2 / 19, 2 / 19])


def test_looking_changes_nothing_of_the_simulation():
    m, d = pair("mesh", "mesh", ".1 .05 .3")
    before = physics.fork(m, d)[1]
    recorded(m, d)
    physics.mj_step(m, d)
    physics.mj_step(m, before)
    assert (d.qpos == before.qpos).all()
    with pytest.raises(physics.ModelError, match="two different geoms"):
        record_collision(m, d, 1, 1)


TILES = "".join(f'<geom type="box" size=".5 .5 .1" pos="{k} 0 -.1"/>' for k in range(30))
THINGS = "".join(
    f'<body pos="{0.9 * k:.1f} 0 .09"><freejoint/><geom type="{kind}" size=".1 .1 .1"/></body>'
    for k, kind in enumerate(["box", "sphere", "cylinder"] * 10)
)
FEW = '<geom type="plane" size="9 9 1"/>' + THINGS[: THINGS.index("</body>") + 7]


@pytest.mark.parametrize("body", [TILES + THINGS, FEW])
def test_pairs_tell_of_every_contact_and_change_nothing(body: str) -> None:
    m, d = posed(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    before, trees = np.array(d.contact.dist), np.array(m.collide_node)
    heard: list[float] = []
    times = physics.collision_times(m, d, heard.append)
    assert heard[-1] == 1.0
    assert len(times.pairs) <= times.seen
    assert sum(pair.contacts for pair in times.pairs) == d.ncon > 0
    touching = {tuple(pair) for pair in d.contact.geom.tolist()}
    assert {(pair.geom1, pair.geom2) for pair in times.pairs if pair.contacts} == touching
    assert sum(kind.pairs for kind in times.by_type(m)) == len(times.pairs)
    assert all(0 < pair.seconds < 1e-3 for pair in times.pairs)
    assert (times.broad > 0) == (m.collide_nactive < 0)
    np.testing.assert_array_equal(d.contact.dist, before)
    np.testing.assert_array_equal(m.collide_node, trees)


def test_narrow_phases_are_added_up_by_types() -> None:
    m, d = posed(f"<mujoco><worldbody>{TILES}{THINGS}</worldbody></mujoco>")
    times = physics.collision_times(m, d)
    kinds = {(kind.type1, kind.type2): kind for kind in times.by_type(m)}
    assert set(kinds) == {(mjtGeom.mjGEOM_BOX,) * 2, (mjtGeom.mjGEOM_SPHERE, mjtGeom.mjGEOM_BOX),
                          (mjtGeom.mjGEOM_CYLINDER, mjtGeom.mjGEOM_BOX)}  # fmt: skip
    assert sum(kind.seconds for kind in kinds.values()) == pytest.approx(times.narrow)
