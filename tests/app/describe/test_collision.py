"""What is said of two geoms: a sentence for every reason, and cures that cure."""

import re

import pytest

from tumble import physics
from tumble.app.describe.collision import PairWords, ending, numbers, pipeline
from tumble.app.describe.contacts import Names
from tumble.app.describe.numbers import length
from tumble.physics.observe.pair_check import ApartReason, check_pair

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
def test_the_change_of_a_mask_that_is_proposed_lets_the_two_collide(first, second):
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


def test_a_margin_that_is_proposed_makes_a_contact_where_it_is_not_far():
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
    assert all(hasattr(PairWords, f"_{reason.name.lower()}") for reason in ApartReason)


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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.25, "0.25 m"),
        (-0.0123, "\N{MINUS SIGN}12.3 mm"),
        (2e-6, "2 µm"),
        (4e-9, "4 nm"),
        (5e-17, "0"),
        (float("nan"), "not known"),
    ],
)
def test_lengths_are_told_in_a_unit_that_suits_them(value, text):
    assert length(value) == text
