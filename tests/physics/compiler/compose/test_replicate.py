"""<replicate>: what it is worth by itself, then equal to the reference in every field."""

import random
import time

import pytest

from tests.physics.compiler.parity import assert_equal
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel

OUTSIDE = '<body name="O"><joint name="jo"/><geom name="go" size=".1"/><site name="so"/></body>'
LATER = '<body name="P"><joint name="jp" ref="10"/><geom name="gp" size=".1"/><site name="sp"/></body>'
PART = '<body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body>'


def world(inside: str, after: str = "", before: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{inside}</worldbody>{after}</mujoco>"


def copies(inside: str, count: int = 2, more: str = "") -> str:
    return f'<replicate count="{count}" offset="1 0 0" {more}>{inside}</replicate>'


def load(xml: str) -> MjModel:
    return MjModel.from_xml_string(xml)


def names(m: MjModel, kind: str) -> list[str]:
    known = [m.names[at:].split(b"\0", 1)[0].decode() for at in getattr(m, f"name_{kind}adr")]
    return known


def test_the_document_is_not_changed_by_composing_it() -> None:
    from tumble.physics.compiler.compose import compose
    from tumble.physics.mjcf.reader import read_string

    document = read_string(world(OUTSIDE + copies(PART), '<actuator><motor name="m" joint="j"/></actuator>'))
    before = repr(document.root)
    assert repr(compose(document)) == repr(compose(document)) != before
    assert repr(document.root) == before


ITEMS = ('<site name="s"/><geom name="H" size=".1"/><camera name="c"/><light name="l"/><joint name="j" axis="1 0 0"/>')
INERTIAL = '<inertial pos="1 0 0" mass="3" diaginertia="1 1 1"/><geom size=".1" mass="5"/>'

TREES = {
    "order": '<body name="A"><geom size=".1"/></body>' + copies('<body name="R"><geom size=".1"/><body name="S">'
             '<geom size="1"/></body></body><body name="T"><geom size="1"/></body>') + '<body name="B"><geom size="1"/></body>',
    "items": '<body><geom size=".1"/><site name="a"/>' + copies(ITEMS, 3, 'euler="10 20 30"') + '<site name="c"/></body>',
    "digits": copies('<geom name="g" size=".1"/>', 10) + copies('<geom name="h" size=".1"/>', 9, 'sep="-"'),
    "none": OUTSIDE + copies(PART, 0) + copies(PART, -1),
    "empty": OUTSIDE + '<replicate count="3"/>',
    "frames": '<frame pos="0 0 1" euler="90 0 0">' + copies('<frame name="f" pos="1 0 0" euler="1 2 3">' + PART + "</frame>", 3,
              'euler="10 20 30"') + "</frame>",
    "nested": copies(copies('<site name="t"/>', 3, 'sep="_" euler="5 6 7"') + PART, 2, 'euler="0 0 10"'),
    "targets": copies('<camera name="c" mode="targetbody" target="b"/><light name="l" mode="targetbody" target="b"/>' + PART),
    "inertial": "<body><joint/>" + copies(INERTIAL) + "</body>",
    "same name elsewhere": copies('<geom name="g" size="1"/>') + copies('<geom name="g" size="1"/>', 2, 'sep="_"')
                           + '<geom name="g" size="1"/>',
}  # fmt: skip


@pytest.mark.parametrize("inside", TREES.values(), ids=TREES)
def test_trees_are_those_of_the_reference(inside: str) -> None:
    assert_equal(world(inside))


def test_replicas_use_classes_and_units_of_their_context() -> None:
    classes = '<default><default class="c"><geom size=".3"/></default><default class="d"><geom size=".4"/></default></default>'
    assert_equal(world('<body childclass="c">' + copies('<geom/><geom class="d"/><body><geom/></body>', 2, 'childclass="d"')
                       + "<geom/></body>", before=classes))  # fmt: skip
    for compiler in ('angle="radian"', 'eulerseq="ZxY"'):
        assert_equal(world(copies(PART, 4, 'euler=".1 .2 .3"'), before=f"<compiler {compiler}/>"))


RELATIONS = {
    "actuators": '<actuator><motor name="1" joint="jo"/><motor name="2" joint="j"/><position joint="jp" kp="3"/>'
                 '<velocity name="4" joint="j" kv="2"/><adhesion body="b" ctrlrange="0 1"/></actuator>',
    "sensors": '<sensor><jointpos joint="jo" name="1"/><jointpos name="2" joint="j"/><jointvel joint="jp"/>'
               '<framepos objtype="body" objname="b" reftype="body" refname="O"/>'
               '<framepos name="r" objtype="body" objname="O" reftype="site" refname="s"/>'
               '<framepos objtype="body" objname="b" reftype="body" refname="world"/>'
               '<distance name="d" geom1="g" geom2="go" cutoff="1"/><user objtype="body" objname="b" dim="2"/></sensor>',
    "tendons": '<tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="jo" coef="2"/></fixed>'
               '<spatial name="u"><site site="s"/><geom geom="go"/><site site="so"/></spatial>'
               '<fixed name="o"><joint joint="jo" coef="2"/></fixed></tendon><actuator><motor name="m" tendon="t"/></actuator>'
               '<sensor><tendonpos name="tp" tendon="t"/><actuatorfrc name="af" actuator="m"/></sensor>'
               '<equality><tendon name="te" tendon1="t"/></equality>',
    "contacts": '<contact><pair name="p" geom1="g" geom2="go"/><pair geom1="go" geom2="gp"/><exclude body1="b" body2="O"/>'
                '<exclude name="f" body1="P" body2="O"/><exclude body1="world" body2="b"/></contact>',
    "equalities": '<equality><connect name="c" body1="b" anchor="0 0 0"/><joint joint1="j"/><weld body1="O"/></equality>',
    "by their final names": '<actuator><motor joint="j1"/></actuator><equality><joint joint1="j0" joint2="j1"/></equality>'
                            '<contact><exclude body1="b0" body2="b1"/></contact><sensor><jointpos joint="j0"/></sensor>'
                            '<tendon><fixed name="t"><joint joint="j0" coef="1"/></fixed></tendon>',
}  # fmt: skip


@pytest.mark.parametrize("after", RELATIONS.values(), ids=RELATIONS)
def test_what_names_a_part_is_copied_with_it_as_in_the_reference(after: str) -> None:
    # what refers to the part together with P must not be in the text here: the reference knows only what stands before
    assert_equal(world(OUTSIDE + copies(PART) + LATER, after))
    assert_equal(world(OUTSIDE + copies(PART + copies('<site name="t"/>', 3, 'sep="."')) + LATER, after))


def test_relations_that_copies_cannot_have_are_left_out_and_told() -> None:
    after = ('<equality><connect body1="b" body2="O" anchor="0 0 0"/><weld body1="world" body2="b"/>'
             '<joint joint1="j" joint2="jo"/></equality>'
             '<actuator><motor site="s" refsite="so"/><motor joint="jo"/></actuator>')  # fmt: skip
    xml = world(OUTSIDE + copies(PART), after)
    assert_equal(xml)
    assert len([note for note in load(xml).notes if "left out" in note]) == 4


def test_replicate_does_not_duplicate_global_sensors() -> None:
    m = load(world(copies(PART, 6), '<sensor><clock name="c"/><e_kinetic/></sensor>'))
    assert m.nsensor == 2


def test_keyframes_written_for_one_part_are_given_to_each_copy() -> None:
    after = '<keyframe><key name="k" qpos="1 2" qvel="3 4"/><key name="l" time="2"/></keyframe>'
    assert_equal(world(OUTSIDE + copies(PART, 3) + LATER, after))
    inner = PART.replace('name="', 'name="n')
    assert_equal(world(OUTSIDE + copies(PART + copies(inner)), '<keyframe><key name="k" qpos="1 2 3"/></keyframe>'))


def test_keyframes_keep_their_controls_which_the_reference_loses() -> None:
    m = load(world(OUTSIDE + copies(PART), '<actuator><motor name="a" joint="j"/>'
                   '<intvelocity name="i" joint="jo" actrange="0 9"/></actuator>'
                   '<keyframe><key name="k" ctrl="7 8" act="5"/></keyframe>'))  # fmt: skip
    assert names(m, "actuator") == ["i", "a0", "a1"]
    assert m.key_ctrl.tolist() == [[8, 7, 0], [8, 0, 7], [8, 0, 0]]
    assert m.key_act.tolist() == [[5], [5], [5]]


def test_keyframes_written_for_the_whole_model_stay_as_they_are() -> None:
    """The reference takes only those of the model with the part once."""
    m = load(world(OUTSIDE + copies(PART) + LATER, '<keyframe><key name="k" qpos="1 2 3 4"/></keyframe>'))
    assert m.key_qpos.tolist() == [[1, 2, 3, 4]]


@pytest.mark.parametrize("seed", range(12))
def test_random_nestings_equal_the_reference(seed: int) -> None:
    draw = random.Random(seed)
    count = [0]
    told: list[tuple[str, str]] = []

    def part(depth: int, in_body: bool) -> str:
        parts = []
        for _ in range(draw.randint(1, 3)):
            count[0] += 1
            name = f"n{count[0]}n"  # not one that a suffix makes: the reference takes that for a copy
            x, y, a, b = (draw.uniform(-1, 1) for _ in range(4))
            pose = f'pos="{x:.3f} {y:.3f} .5" euler="{90 * a:.1f} 0 {90 * b:.1f}"'
            kind = draw.choice(["geom", "site", *["body", "body", "frame", "replicate", "replicate"][: 5 * (depth < 3)]])
            inside = part(depth + 1, in_body or kind == "body") if kind in ("body", "frame", "replicate") else ""
            if kind == "body":
                parts.append(f'<body name="{name}" {pose}><joint name="{name}"/><geom name="{name}" size=".1"/>{inside}</body>')
                told.append(("joint", name))
            elif kind == "frame":
                parts.append(f"<frame {pose}>{inside}</frame>")
            elif kind == "replicate":
                many = draw.choice([1, 2, 3]) if depth else draw.choice([1, 2, 10])
                parts.append(f'<replicate count="{many}" offset=".1 0 0" euler="0 7 {draw.randint(-9, 9)}" '
                            f'sep="{draw.choice(["", "_", "-"])}">{inside}</replicate>')  # fmt: skip
            else:
                parts.append(f'<{kind} name="{name}g" size=".2" {pose}/>')
        return "".join(parts)

    inside = part(0, False)
    motors = "".join(f'<motor name="m{name}" joint="{name}"/>' for _, name in told if draw.random() < 0.6)
    sensors = "".join(f'<jointpos name="p{name}" joint="{name}"/>' for _, name in told if draw.random() < 0.6)
    xml = world(inside, f"<actuator>{motors}</actuator><sensor>{sensors}</sensor>")
    assert_equal(xml)


HUGE = {
    "a count of 10^9": copies('<geom name="g" size=".1"/>', 10**9),
    "a count of 10^9 of nothing": OUTSIDE + '<replicate count="1000000000"><frame/></replicate>',
    "copies of copies": '<replicate count="1000">' * 5 + PART + "</replicate>" * 5,
}


@pytest.mark.parametrize("inside", HUGE.values(), ids=HUGE)
def test_too_many_copies_are_one_clear_error_at_once(inside: str) -> None:
    begun = time.process_time()
    with pytest.raises(MjcfError, match=r"model.xml:1:\d+: <replicate> makes the model too large: at most 1000000 elements"):
        load(world(inside))
    assert time.process_time() - begun < 5


def test_keyframes_do_not_grow_beyond_bounds() -> None:
    wrong = ((2000, 300, "<replicate> makes the model too large"), (500, 100, "<key> is one of 50100 keyframes"))
    for count, keys, message in wrong:
        xml = world(copies(PART, count), "<keyframe>" + '<key qpos="1"/>' * keys + "</keyframe>")
        begun = time.process_time()
        with pytest.raises(MjcfError, match=message):
            load(xml)
        assert time.process_time() - begun < 10


def test_names_that_copies_give_twice_are_told_with_both_places() -> None:
    with pytest.raises(MjcfError, match=r'model.xml:1:\d+: <geom> name "g1" is already the name of a geom, the <geom> at '):
        load(world(copies('<geom name="g" size="1"/>') + '<geom name="g1" size="1"/>'))


def test_what_refers_to_the_original_finds_only_copies() -> None:
    with pytest.raises(MjcfError, match=r'<element> objname "b" is not a body; .*b0'):
        load(world(copies(PART), '<custom><tuple name="t"><element objtype="body" objname="b"/></tuple></custom>'))


def test_a_hundred_of_a_hundred_load_quickly() -> None:
    begun = time.process_time()
    m = load(world(copies(copies('<site name="s"/>', 100), 100)))
    assert m.nsite == 10_000
    assert time.process_time() - begun < 5
