"""Why two geoms do not collide: each reason is given where, and only where, the collision of a step has it."""

import numpy as np
import pytest

from tests.physics.collision.test_filters import Scenery
from tests.physics.reference import posed
from tumble import physics
from tumble.physics.observe.pair_check import ApartReason, PairNote, check_pair
from tumble.physics.query.geom_shapes import hull_filling

BALLS = """
<mujoco><option>{option}</option><worldbody>
  <body name="one"><freejoint/><geom name="a" size=".2" {a}/></body>
  <body name="two" pos="0 0 {z}"><freejoint/><geom name="b" size=".2" {b}/></body>
</worldbody>{more}</mujoco>"""


def balls(a="", b="", z=0.3, option="", more=""):
    return BALLS.format(a=a, b=b, z=z, option=option, more=more)


def checked(m, d, first="a", second="b"):
    return check_pair(*physics.fork(m, d), m.geom(first).id, m.geom(second).id)


def reasons(xml, first="a", second="b"):
    m, d = posed(xml)
    check = checked(m, d, first, second)
    there = (np.sort(d.contact.geom) == sorted((m.geom(first).id, m.geom(second).id))).all(axis=1)
    carries = there & (d.contact.exclude == 0)
    assert bool(check.reasons) is not bool(carries.any())  # the answer is what the collision did
    assert set(check.contacts) == set(np.flatnonzero(there))
    return [reason.name for reason in check.reasons]


def test_geoms_that_collide_have_no_reason_not_to():
    assert reasons(balls()) == []


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        (balls(option='<flag contact="disable"/>'), ["CONTACT_OFF"]),
        (balls(option='<flag constraint="disable"/>'), ["CONSTRAINT_OFF"]),
        (balls(a='contype="2"', b='conaffinity="4" contype="4"'), ["MASKS"]),
        (balls(a='contype="0" conaffinity="0"'), ["MASKS"]),
        (balls(a='contype="0"', b='conaffinity="0"'), []),  # b's contype meets a's conaffinity
        (balls(more='<contact><exclude body1="two" body2="one"/></contact>'), ["EXCLUDED"]),
        (balls(z=0.5), ["TOO_FAR"]),
        (balls(z=0.5, b='margin=".2"'), []),
        (balls(z=0.5, b='margin=".2" gap=".15"'), ["IN_GAP"]),
        (balls(z=0.5, a='contype="0" conaffinity="0"', option='<flag contact="disable"/>'), ["CONTACT_OFF", "MASKS", "TOO_FAR"]),
        (balls(a='contype="0"', b='contype="0"', more='<contact><pair geom1="a" geom2="b"/></contact>'), []),
        (balls(z=0.5, more='<contact><pair geom1="a" geom2="b" margin=".2" gap=".19"/></contact>'), ["IN_GAP"]),
    ],
)
def test_flags_masks_exclusions_and_distances(xml, expected):
    assert reasons(xml) == expected


TREE = """
<mujoco><option><flag filterparent="{parents}"/></option><worldbody>
  <geom name="floor" type="plane" size="1 1 1"/><geom name="wall" type="box" size=".2 .2 .2"/>
  <body name="mocap" mocap="true"><geom name="m" size=".2"/></body>
  <body name="arm"><joint/><geom name="upper" size=".2"/><geom name="other" size=".2"/>
    <body name="fixed"><geom name="welded" size=".2"/>
      <body name="hand"><joint axis="0 1 0"/><geom name="lower" size=".2"/>
        <body name="finger"><joint axis="1 0 0"/><geom name="tip" size=".2"/></body></body></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("upper", "other", ["SAME_BODY"]),
        ("upper", "welded", ["WELDED"]),
        ("upper", "lower", ["PARENT"]),
        ("welded", "lower", ["PARENT"]),
        ("upper", "tip", []),
        ("wall", "upper", []),  # the world is no parent in this sense
        ("floor", "wall", ["BOTH_FIXED"]),
        ("wall", "m", ["BOTH_FIXED"]),
    ],
)
def test_bodies_that_are_one_or_parent_and_child(first, second, expected):
    assert reasons(TREE.format(parents="enable"), first, second) == expected


def test_parents_collide_with_children_where_the_flag_says_so():
    assert reasons(TREE.format(parents="disable"), "upper", "lower") == []


def test_two_planes_have_no_collider():
    xml = TREE.replace('name="wall" type="box" size=".2 .2 .2"', 'name="wall" type="plane" size="1 1 1"')
    assert reasons(xml.format(parents="enable"), "floor", "wall") == ["BOTH_FIXED", "NO_COLLIDER"]


def test_a_callback_that_discards_a_contact_is_named():
    physics.set_mjcb_contactfilter(lambda m, d, g1, g2: 1)
    try:
        assert reasons(balls()) == ["FILTERED"]
    finally:
        physics.set_mjcb_contactfilter(None)


def test_what_sleeps_makes_no_contacts():
    xml = """
    <mujoco><option gravity="0 0 0"><flag sleep="enable"/></option><worldbody>
      <body><freejoint/><geom name="a" size=".2"/></body><body pos="0 0 .5"><freejoint/><geom name="b" size=".2"/></body>
      <body pos="5 0 0"><joint type="slide"/><geom name="c" size=".2"/></body>
    </worldbody></mujoco>"""
    m, d = posed(xml)
    d.qvel[-1] = 1.0  # one goes on
    while d.ntree_awake > 1:
        physics.mj_step(m, d)
        assert d.time < 5
    m.geom_margin[:] = 0.2
    physics.mj_forward(m, d)
    check = checked(m, d)
    assert [reason.name for reason in check.reasons] == ["ASLEEP"]
    assert d.ncon == 0


def test_pair_moved_after_the_step_has_reason_dropped():
    m, d = posed(balls(z=0.5))
    d.geom_xpos[1, 2] = 0.3  # as if moved since the contacts were found
    assert [reason.name for reason in checked(m, d).reasons] == ["DROPPED"]


@pytest.mark.parametrize("seed", range(2, 5))
def test_every_pair_of_a_random_tree_is_told_as_it_collides(seed):
    m, d = posed(Scenery(seed, bodies=8, most=3, spread=0.3, static=4).text(""))
    copy, data = physics.fork(m, d)
    carrying = {tuple(sorted(map(int, g))) for g, out in zip(d.contact.geom, d.contact.exclude, strict=True) if not out}
    given = set()
    for g1 in range(m.ngeom):
        for g2 in range(g1 + 1, m.ngeom):
            check = check_pair(copy, data, g1, g2)
            given |= set(check.reasons)
            assert bool(check.reasons) is ((g1, g2) not in carrying), (g1, g2, check.reasons)
    assert {ApartReason.SAME_BODY, ApartReason.MASKS, ApartReason.EXCLUDED, ApartReason.TOO_FAR} <= given
    assert ApartReason.DROPPED not in given


CUP = """
<mujoco><asset><mesh name="cup" vertex="{vertex}" face="{face}"/></asset><worldbody>
  <geom name="cup" type="mesh" mesh="cup"/><body pos="0 0 .8"><freejoint/><geom name="ball" size=".1" condim="1"/></body>
</worldbody></mujoco>"""


def cup():
    """A cube whose top is pushed in to the middle: a pit of a third of its volume."""
    corners = [(x, y, z) for z in (0, 1) for y in (-0.5, 0.5) for x in (-0.5, 0.5)] + [(0, 0, 0.01)]
    sides = [(0, 2, 1), (1, 2, 3), (0, 1, 4), (1, 5, 4), (1, 3, 5), (3, 7, 5), (3, 2, 7), (2, 6, 7), (2, 0, 6), (0, 4, 6)]
    pit = [(4, 5, 8), (5, 7, 8), (7, 6, 8), (6, 4, 8)]
    flat = [" ".join(str(x) for row in rows for x in row) for rows in (corners, sides + pit)]
    return CUP.format(vertex=flat[0], face=flat[1])


def test_a_pit_that_the_hull_fills_is_told_where_it_collides():
    m, d = posed(cup())
    assert hull_filling(m, 0) == pytest.approx(1 / (1 - 0.33), rel=1e-6)
    check = checked(m, d, "cup", "ball")
    assert check.notes == ((PairNote.HULL, m.geom("cup").id),)
    assert check.reasons == ()  # in the pit, and yet in the hull


def test_an_explicit_pair_and_its_condim_are_told():
    check = checked(*posed(balls(a='condim="1"', b='condim="1"')))
    assert check.notes == ((PairNote.FRICTIONLESS, -1),)
    check = checked(*posed(balls(more='<contact><pair geom1="a" geom2="b" condim="1" margin=".3" gap=".1"/></contact>')))
    assert check.notes == ((PairNote.EXPLICIT, -1), (PairNote.FRICTIONLESS, -1))
    assert (check.margin, check.gap) == (0.3, 0.1)
    assert ApartReason.TOO_FAR not in check.reasons
