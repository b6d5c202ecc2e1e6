"""Contacts of flexes against the reference: which, in which order, and where."""

import time
from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from tests.physics.collision.flex.scenes import (
    EXACT,
    FIELDS,
    GEOMS,
    SCENES,
    SoftTwins,
    deformable,
    free,
    grid,
    pairs,
    single,
)
from tumble import physics

SIZES = (0.002, 0.02, 0.05)  # how far vertices are moved [m]: as they are, bent, crumpled
CLOSED = [("sphere", 1), ("capsule", 1), ("box", 1), ("sphere", 2), ("capsule", 2), ("box", 2)]
SEARCHED = [(geom, dim) for geom in GEOMS for dim in (1, 2, 3) if (geom, dim) not in CLOSED and geom != "hfield"]


def touching(twins: SoftTwins, tol: float, states: Iterable[np.ndarray], fields: tuple[str, ...] = FIELDS) -> int:
    """Contacts in some positions, in all of which the engines agree."""
    count = 0
    for k, qpos in enumerate(states):
        twins.pose(qpos)
        assert twins.differences(tol, fields) == [], f"state {k}"
        count += twins.rd.ncon
    return count


def moved(twins: SoftTwins, seed: int, number: int) -> Iterator[np.ndarray]:
    """Positions near that of the model."""
    rng = np.random.default_rng(seed)
    return (twins.near(rng, SIZES[k % 3]) for k in range(number))


def anywhere(twins: SoftTwins, seed: int, number: int) -> Iterator[np.ndarray]:
    """Positions of a single element and one body, or of what is as small."""
    rng = np.random.default_rng(seed)
    return (twins.one_body(rng) for _ in range(number))


@pytest.mark.parametrize("scene", [name for name in SCENES if name != "hammock"])
def test_contacts_and_their_order_are_the_references(scene):
    """By portals both engines end at the same place: all numbers agree, those of round shapes to the root of rounding."""
    twins = SoftTwins(SCENES[scene], ">" + EXACT)
    assert touching(twins, 1e-8, moved(twins, 1, 20)) > 50


@pytest.mark.parametrize("scene", list(SCENES))
def test_the_default_search_finds_the_same_pairs(scene):
    field, ball = 'type="hfield" hfield="field"', 'type="sphere" size=".01"'  # of fields see below
    twins = SoftTwins(SCENES[scene].replace(field, ball))
    touching(twins, 0.0, moved(twins, 2, 20), ())


@pytest.mark.parametrize(("geom", "dim"), CLOSED)
def test_closed_forms_are_the_references_to_rounding(geom, dim):
    twins = SoftTwins(single(dim) + free(geom, "0 0 0", 'margin=".01"'))
    assert touching(twins, 1e-9, anywhere(twins, 3, 150)) > 30


@pytest.mark.parametrize(("geom", "dim"), SEARCHED)
def test_flex_element_contacts_match_reference_with_mpr(geom, dim):
    twins = SoftTwins(single(dim) + free(geom, "0 0 0", 'margin=".01"'), ">" + EXACT)
    assert touching(twins, 1e-8, anywhere(twins, 4, 60)) > 8


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_extra_flex_hfield_prisms_lie_within_vertex_radius(dim):
    """The reference looks for cells below the vertices, without their radius: what it leaves out is shallower than that."""
    twins, same = SoftTwins(single(dim) + f"<geom {GEOMS['hfield']}/>", ">" + EXACT), 0
    for qpos in anywhere(twins, 5, 100):
        twins.pose(qpos)
        ours = {tuple(x.round(6)): dist for x, dist in zip(twins.d.contact.pos, twins.d.contact.dist, strict=True)}
        theirs = {tuple(x.round(6)) for x in twins.rd.contact.pos}
        missed = [dist for place, dist in ours.items() if place not in theirs]
        same += not missed and len(ours) == len(theirs)
        if len(twins.d.contact) < 50:  # else the last ones have no room, in the one or the other
            assert theirs <= ours.keys()
            assert min(missed, default=0.0) > -2.0 * 0.02
    assert same > 40


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_flex_hfield_cells_match_reference_at_zero_radius(dim):
    twins = SoftTwins(single(dim, radius=1e-5) + f"<geom {GEOMS['hfield']}/>", ">" + EXACT)
    assert touching(twins, 1e-8, anywhere(twins, 5, 60)) > 50


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_geoms_of_type_sdf_touch_elements_as_their_hull(dim):
    """As in the reference: what goes through the hole of a ring touches it."""
    ring = '<asset><mesh name="ring" builtin="supertorus" params="12 .3 1 1" scale=".2 .2 .2"/></asset>'
    scene = f'</worldbody>{ring}<worldbody>{single(dim)}<body><freejoint/><geom type="sdf" mesh="ring" mass="1"/></body>'
    twins = SoftTwins(scene, ">" + EXACT)
    assert touching(twins, 1e-8, anywhere(twins, 0, 40), ("dist", "pos")) > 10


# ---- which elements


def contacts(scene: str, option: str = "") -> tuple[SoftTwins, list[tuple[int, ...]]]:
    twins = SoftTwins(scene, option)
    twins.pose(twins.rm.qpos0)
    assert pairs(twins.d) == pairs(twins.rd)
    return twins, pairs(twins.d)


def test_a_geom_does_not_touch_elements_of_its_own_body():
    bodies = "".join(
        f'<body name="b{k}" pos="{pos}"><joint type="slide"/><geom size=".05" mass="1"/></body>'
        for k, pos in enumerate(["0 0 0", ".2 0 0", "0 .2 0", ".2 .2 0"])
    )
    _, found = contacts(bodies + deformable('radius=".1" body="b0 b1 b2 b3" element="0 1 2 1 3 2"'))
    assert {(row[0], row[5]) for row in found if row[3] == 0} == {(0, 1), (3, 0)}  # two corners touch the other triangle


@pytest.mark.parametrize(("contype", "conaffinity", "meets"), [(1, 2, True), (4, 0, True), (2, 1, False), (0, 0, False)])
def test_masks_of_flexes_are_those_of_geoms(contype, conaffinity, meets):
    plane = '<geom type="plane" size="1 1 1" contype="2" conaffinity="4"/>'
    _, found = contacts(plane + single(2, f'contype="{contype}" conaffinity="{conaffinity}"'))
    assert bool(found) == meets


def test_outer_layers_alone_collide_as_many_as_are_active():
    """A number of layers that a script writes counts at once, also where the tree was made for another."""
    counts = []
    for way in ("bvh", "sap", "narrow"):
        twins = SoftTwins(grid("a", 3, "5 5 5", f'selfcollide="{way}" internal="false" activelayers="2"'))
        twins.pose(twins.near(np.random.default_rng(0), 0.06))
        layers = twins.m.flex_elemlayer[twins.d.contact.elem]
        assert layers.max() == 1
        twins.m.flex_activelayers[:] = 1
        physics.mj_collision(twins.m, twins.d)
        assert twins.m.flex_elemlayer[twins.d.contact.elem].max() == 0
        counts.append(twins.d.ncon)
    assert counts[0] == counts[1] == counts[2] > 20


def test_a_rigid_flex_does_not_touch_itself_nor_its_own_body():
    points = "0 0 0 .2 0 0 0 .2 0 0 0 .005 .2 0 .005 0 .2 .005"
    body = '<body name="b" pos="0 0 .05"><freejoint/><geom size=".05" mass="1"/></body>'
    rigid = deformable(f'radius=".02" body="b" vertex="{points}" element="0 1 2 3 4 5"')
    _, found = contacts(body + rigid + '<geom type="plane" size="1 1 1" contype="2" conaffinity="2"/>')
    assert found == []


@pytest.mark.parametrize("way", ["narrow", "bvh", "sap"])
def test_elements_at_pins_of_one_body_do_not_touch(way):
    """As in the reference: neither those of one flex nor those of two."""
    pinned = grid("a", 2, "6 5 1", f'selfcollide="{way}" internal="false"', inside='<pin id="0 7 14 21 28"/>')
    other = grid("b", 1, "7 1 1", 'selfcollide="none"', pos="0 0 .005", inside='<pin id="0 2 4 6"/>')
    twins, rng = SoftTwins(pinned + other, ">" + EXACT), np.random.default_rng(3)
    assert touching(twins, 1e-8, (twins.near(rng, 0.05) for _ in range(10))) > 100


def test_a_flex_that_moves_on_is_sorted_again():
    """The order along the axis is kept from step to step: what comes of it is that of a sort from the beginning."""
    twins, rng = SoftTwins(grid("cloth", 2, "6 6 1", 'selfcollide="sap" internal="false"'), ">" + EXACT), np.random.default_rng(0)
    qpos, speed = twins.near(rng, 0.05), rng.normal(size=twins.rm.nq) * 0.02
    touching(twins, 1e-7, (qpos + (k + 1) * speed for k in range(30)))


# ---- as nobody means them


MOST = 2.0  # of the processor's time for one step [s], where a whole test takes milliseconds
PLACES = {
    "in one point": np.zeros(3),
    "in a plane": np.array([1.0, 1.0, 0.0]),
    "on a line": np.array([0.0, 1.0, 0.0]),
    "inside out": np.array([1.0, 1.0, -1.0]),
    "a mile wide": np.full(3, 1e4),
    "beyond all measure": np.full(3, 1e100),
    "almost nothing": np.full(3, 1e-13),
}
SOME = [name for name in SCENES if "folded" not in name]


def stretch(twins: SoftTwins, factors: np.ndarray) -> None:
    """Multiply the world places of all vertices that can move by factors, axis by axis."""
    m, d = twins.m, twins.d
    d.qpos[:] = m.qpos0
    physics.mj_kinematics(m, d)
    physics.mj_flex(m, d)
    for vertex, body in enumerate(m.flex_vertbodyid):
        if m.body_jntnum[body] == 3:
            at = m.jnt_qposadr[m.body_jntadr[body]]
            d.qpos[at : at + 3] += (factors - 1.0) * d.flexvert_xpos[vertex]


def step_in_time(twins: SoftTwins) -> None:
    start = time.process_time()
    physics.mj_forward(twins.m, twins.d)
    assert time.process_time() - start < MOST
    for name in ("dist", "pos", "frame"):
        assert np.isfinite(getattr(twins.d.contact, name)).all(), name
    assert np.isfinite(np.array(twins.d.qacc)).all()


@pytest.mark.parametrize("ccd", ["", EXACT], ids=["polytopes", "portals"])
@pytest.mark.parametrize("scene", SOME)
def test_every_degenerate_shape_is_survived(scene, ccd):
    twins = SoftTwins(SCENES[scene], ">" + ccd)
    physics.mj_forward(twins.m, twins.d)  # compiles what is not there yet
    for place in PLACES.values():
        stretch(twins, place)
        step_in_time(twins)


@pytest.mark.parametrize("radius", [0.0, 1e-300, 1e6, -1.0])
@pytest.mark.parametrize("scene", [name for name in SOME if name != "interpolated solids"])  # 60,000 contacts
def test_every_radius_is_survived(scene, radius):
    twins = SoftTwins(SCENES[scene])
    physics.mj_forward(twins.m, twins.d)
    twins.m.flex_radius[:] = radius
    step_in_time(twins)


def test_what_is_no_number_touches_nothing_for_ever():
    twins = SoftTwins(SCENES["two cubes"])
    physics.mj_forward(twins.m, twins.d)
    twins.d.flexvert_xpos[:] = np.nan
    twins.d.flexelem_aabb[:] = np.nan
    twins.d.bvh_aabb_dyn[:] = np.nan
    start = time.process_time()
    physics.mj_collision(twins.m, twins.d)
    assert time.process_time() - start < MOST
