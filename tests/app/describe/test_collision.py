"""Two geoms in words: why they collide or not and cures that cure, the time it takes, and why they slip."""

import math
import re

import pytest
from msgspec.structs import replace

from tumble import physics
from tumble.app.describe.collision import PairWords, ending, numbers, pipeline, time_rows, time_summary
from tumble.app.describe.contacts import Names, SlipCase, why_it_slips
from tumble.app.describe.numbers import length, microseconds
from tumble.physics import CollisionTimes, ContactMode, MjModel, PairTime
from tumble.physics.observe.pair_check import check_pair

SCENE = """
<mujoco><option>{option}</option><worldbody>
  <body name="one"><freejoint/><geom name="a" type="{type}" size=".2 .2 .2" {a}/>
    {inner}</body>
  <body name="two" pos="0 0 {z}"><freejoint/><geom name="b" type="{type}" size=".2 .2 .2" {b}/></body>
</worldbody>{more}</mujoco>"""
BLANK = {"option": "", "type": "ellipsoid", "a": "", "b": "", "inner": "", "z": 0.3, "more": ""}


def said(first="a", second="b", **parts):
    m = physics.MjModel.from_xml_string(SCENE.format(**(BLANK | parts)))
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    check = check_pair(*physics.fork(m, d), m.geom(first).id, m.geom(second).id)
    names = Names(m).geoms
    return PairWords(m, check, names[check.geom1], names[check.geom2], "scene.xml:7")


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 2), (3, 2), (2, 0)])
def test_suggested_collision_masks_make_geoms_collide(first, second):
    for affinities in ((0, 0), (4, 0), (0, 4), (4, 4)):
        masks = [f'contype="{kind}" conaffinity="{affinity}"' for kind, affinity in zip((first, second), affinities, strict=True)]
        words = said(type="sphere", a=masks[0], b=masks[1])
        if not words.check.reasons:
            continue
        (sentence,) = words.reasons()
        assert "masks do not match" in sentence.text
        changed = {"a": masks[0], "b": masks[1]}
        for field, value in re.findall(r'(con\w+)="(\d+)"', sentence.cure):
            geom = re.search(rf'{field}="{value}" on (\w)', sentence.cure).group(1)
            changed[geom] = re.sub(rf'{field}="\d+"', f'{field}="{value}"', changed[geom])
        assert said(type="sphere", **changed).headline() == "They collide: 1 contact."


def test_a_pair_that_is_proposed_lets_parent_and_child_collide():
    inner = '<body name="child"><joint/><geom name="c" type="ellipsoid" size=".1 .2 .1" pos=".1 0 0"/></body>'
    (sentence,) = said("a", "c", inner=inner).reasons()
    assert sentence.text.startswith("Body one is the parent of child")
    pair = re.search(r"<contact>.*</contact>", sentence.cure).group(0)
    assert said("a", "c", inner=inner, more=pair).check.reasons == ()


def test_suggested_margin_makes_a_contact_of_near_geoms():
    (sentence,) = said(z=0.405).reasons()
    assert "5 mm apart" in sentence.text
    margin = re.search(r'margin="([\d.]+)"', sentence.cure).group(1)
    assert said(z=0.405, b=f'margin="{margin}"').check.reasons == ()
    (sentence,) = said(z=5).reasons()
    assert sentence.cure == ""


def test_every_reason_has_its_sentence_with_the_names():
    words = said(
        a='contype="0" conaffinity="0"', option='<flag contact="disable"/>', z=3,
        more='<contact><exclude name="quiet" body1="one" body2="two"/></contact>',
    )  # fmt: skip
    texts = [sentence.text for sentence in words.reasons()]
    assert words.headline() == "They do not collide."
    assert [reason.name for reason in words.check.reasons] == ["CONTACT_OFF", "MASKS", "EXCLUDED", "TOO_FAR"]
    assert "<exclude> quiet (scene.xml:7) keeps bodies one and two apart." in texts


def test_the_search_is_told_in_numbers_that_fit_it():
    record = said().check.record
    rows = dict(numbers(record, record.steps[0]))
    assert pipeline(record).startswith("distance walk \N{RIGHTWARDS ARROW}")
    assert rows["step"] == f"distance walk (GJK), 1 of {sum(s.kind is record.steps[0].kind for s in record.steps)}"
    assert rows["answer"] == length(record.dist)
    assert rows["ended"] == ending(record)
    closed = said(type="sphere").check.record
    assert pipeline(closed) == "closed form"
    assert "step" not in dict(numbers(closed, None))


TIMED = """
<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body><freejoint/><geom type="box" size="1 1 1"/></body>
  <body><freejoint/><geom type="box" size="1 1 1"/></body>
</worldbody></mujoco>"""
TIMED_NAMES = ["floor", "one", "two"]


def test_pair_times_are_grouped_by_type_and_sorted_by_cost():
    pairs = (PairTime(0, 1, -1, 4, 1e-6), PairTime(0, 2, -1, 4, 2e-6), PairTime(1, 2, -1, 8, 9e-6))
    rows = time_rows(MjModel.from_xml_string(TIMED), TIMED_NAMES, CollisionTimes(2e-5, 0.0, 0.0, 3, pairs))
    assert [row.label.partition(",")[0] for row in rows] == ["box \N{EN DASH} box", "plane \N{EN DASH} box"]
    assert [row.pair for row in rows[1].below] == [(0, 2), (0, 1)]
    assert rows[1].contacts == 8
    assert rows[1].seconds == pytest.approx(3e-6)


def test_phases_that_took_no_time_are_not_named():
    text = time_summary(CollisionTimes(2e-5, 0.0, 0.0, 3, (PairTime(0, 1, -1, 4, 1e-6),)))
    assert "20.0 " in text
    assert "broad" not in text
    assert "none near enough" in time_summary(CollisionTimes(2e-5, 0.0, 0.0, 3, ()))


@pytest.mark.parametrize(("seconds", "text"), [(1.23e-8, "0.0123"), (9.99e-6, "9.99"), (1.234e-4, "123"), (0.0123456, "12346")])
def test_microseconds_have_three_digits_or_all(seconds, text):
    assert microseconds(seconds) == text


SLIPPING = SlipCase(ContactMode.SLIP, 10.0, 3.0, (0.3, 0.3), "box", 1.0, 0.5, 0.0, 3, 1.0, False, 1e-4)
CREEPING = replace(SLIPPING, mode=ContactMode.STICK, tangential=2.0, used=2 / 3, creep=2e-4)


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (replace(SLIPPING, tilt=math.radians(30)), "box has 0.3. Raise the friction of box above 0.577"),
        (replace(SLIPPING, tilt=math.radians(10)), "would hold on this slope of 10.0°"),
        (SLIPPING, "The surface is level"),
        (replace(SLIPPING, dim=1), "condim is 1"),
        (replace(SLIPPING, mode=ContactMode.OPEN), "do not press on each other"),
        (replace(SLIPPING, mode=ContactMode.ASLEEP), "asleep"),
        (CREEPING, "force \N{MULTIPLICATION SIGN} R / B = 0.2 mm/s"),
        (CREEPING, "impratio 10 in place of 1 makes that ten times less; noslip_iterations"),
        (replace(CREEPING, noslip=True), "ten times less."),
        (replace(CREEPING, creep=0.1), "more than soft friction creeps"),
        (replace(CREEPING, creep=0.0), "It does not creep"),
        (replace(CREEPING, soft=math.nan), "not yet at rest"),
    ],
)
def test_the_cause_is_told_with_its_numbers(case, says):
    assert says in " ".join(why_it_slips(case))
