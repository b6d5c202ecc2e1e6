"""Default classes give elements the values that they have in the reference."""

import random

import mujoco
import numpy as np
import pytest

from tumble.physics.mjcf.reader import read_string
from tumble.physics.mjcf.schema import DEFAULT, find
from tumble.physics.mjcf.spec import Element


def all_of(root: Element, *tags: str) -> list[Element]:
    """Elements with these tags, at any depth, in document order, but for those of <default>."""
    elements, pending = [], [root]
    while pending:
        element = pending.pop()
        elements += [element] if element.tag in tags else []
        pending += [child for child in reversed(element.children) if child.tag != "default"]
    return elements


# Attribute and the field of the reference's specification that it sets, by tag.
FIELDS = {
    "geom": {"size": "size", "friction": "friction", "solref": "solref", "solimp": "solimp", "rgba": "rgba",
             "fluidcoef": "fluid_coefs", "density": "density", "group": "group", "condim": "condim", "pos": "pos"},
    "site": {"size": "size", "rgba": "rgba", "group": "group", "pos": "pos"},
    "joint": {"range": "range", "axis": "axis", "damping": "damping", "armature": "armature", "stiffness": "stiffness",
              "solreflimit": "solref_limit", "solimplimit": "solimp_limit", "solimpfriction": "solimp_friction", "ref": "ref"},
    "light": {"diffuse": "diffuse", "cutoff": "cutoff", "attenuation": "attenuation"},
    "camera": {"fovy": "fovy", "resolution": "resolution", "ipd": "ipd"},
}
CLASSES = ["main", "a", "b", "c", "d"]


def written(rng: random.Random, tag: str) -> str:
    """Some attributes of an element, lists of numbers of any length that is valid."""
    text = ""
    for a in DEFAULT.children[tag].attributes.values():
        if a.name in FIELDS[tag] and rng.random() < 0.4:
            numbers = [str(rng.randint(1, 9)) for _ in range(rng.randint(a.low, a.high))]
            text += f' {a.name}="{" ".join(numbers)}"'
    return text


def random_model(seed: int) -> str:
    """Nested classes, in two sections, then bodies and frames with childclass and elements with and without class."""
    rng = random.Random(seed)

    def settings() -> str:
        return "".join(f"<{tag}{written(rng, tag)}/>" for tag in FIELDS if rng.random() < 0.7)

    def scope() -> str:
        return f' childclass="{rng.choice(CLASSES)}"' if rng.random() < 0.4 else ""

    def elements(tags: list[str]) -> str:
        own = (f' class="{rng.choice(CLASSES)}"' if rng.random() < 0.3 else "" for _ in iter(int, 1))
        return "".join(f"<{tag}{next(own)}{written(rng, tag)}/>" for tag in rng.choices(tags, k=4))

    defaults = (f'<default>{settings()}<default class="a">{settings()}<default class="b">{settings()}</default></default>'
                f'{"<!-- after -->"}</default><default>{settings()}<default class="c">{settings()}'
                f'<default class="d">{settings()}</default></default></default>')
    tags = [tag for tag in FIELDS if tag != "joint"]
    tree = "".join(f"<body{scope()}>{elements(list(FIELDS))}<frame{scope()}>{elements(tags)}"
                   f"<body{scope()}>{elements(list(FIELDS))}</body></frame></body>" for _ in range(3))
    sections = [f"<worldbody>{elements(tags)}{tree}</worldbody>", defaults]
    rng.shuffle(sections)
    return f"<mujoco>{''.join(sections)}</mujoco>"


def assert_same_values(root: Element, spec: mujoco.MjSpec) -> int:
    """Compare all FIELDS of all elements; returns of how many."""
    lists = {"geom": spec.geoms, "site": spec.sites, "joint": spec.joints, "light": spec.lights, "camera": spec.cameras}
    compared = 0
    for tag, theirs in lists.items():
        ours = all_of(find_in(root, "worldbody"), tag, "freejoint" if tag == "joint" else tag)
        # The reference lists the elements of a body after those of its frames' bodies: compare as sorted rows.
        read = sorted(row([e.get(name, 0) for name in FIELDS[tag]]) for e in ours
                      if e.tag == tag and (tag != "joint" or e.get("type") != "free"))
        expected = sorted(row([getattr(t, field) for field in FIELDS[tag].values()]) for t in theirs
                          if tag != "joint" or t.type != mujoco.mjtJoint.mjJNT_FREE)
        assert len(ours) == len(theirs)
        assert read == expected, tag
        compared += len(read)
    return compared


def find_in(root: Element, tag: str) -> Element:
    return next(root.all(tag))


def row(fields: list) -> tuple[float, ...]:
    """Numbers of an element; the reference holds some as float32."""
    return tuple(np.concatenate([np.atleast_1d(np.asarray(f, dtype=np.float32)) for f in fields]).tolist())


@pytest.mark.parametrize("seed", range(12))
def test_resolved_values_are_those_of_the_reference(seed):
    xml = random_model(seed)
    assert assert_same_values(read_string(xml).root, mujoco.MjSpec.from_string(xml)) > 30


def test_default_classes_apply_to_non_body_elements():
    document = read_string("""<mujoco><default><tendon width="2" stiffness="3" springlength="7 8"/><pair friction="5 6"/>
        <equality solref="4" active="false"/><material specular="0.1" rgba="0 0 1 1"/><mesh scale="2 2 2"/>
        <default class="x"><tendon springlength="1"/><equality solimp="0.8"/><material specular="0.2"/></default></default>
        <asset><material name="p"/><material name="q" class="x" rgba="1 0 0 1"/><mesh name="m" class="x"/></asset>
        <tendon><fixed class="x"/><spatial springlength="3"/></tendon>
        <contact><pair geom1="g" geom2="h" friction="1"/></contact>
        <equality><weld body1="b"/><joint class="x" joint1="j"/></equality></mujoco>""")
    fixed, spatial = all_of(document.root, "fixed", "spatial")
    assert (fixed.get("width"), fixed.get("stiffness"), fixed.get("springlength").tolist()) == (2, 3, [1, 1])
    assert fixed.get("rgba").tolist() == [0.5, 0.5, 0.5, 1]
    assert spatial.get("springlength").tolist() == [3, 3]
    assert all_of(document.root, "pair")[0].get("friction").tolist() == [1, 6, 0.005, 0.0001, 0.0001]
    weld, joint = all_of(document.root, "weld", "joint")
    assert (weld.get("solref").tolist(), weld.get("active")) == ([4, 1], False)
    assert (joint.get("solimp").tolist(), joint.get("solref").tolist()) == ([0.8, 0.95, 0.001, 0.5, 2], [4, 1])
    p, q = all_of(document.root, "material")
    assert (p.get("specular"), p.get("rgba").tolist()) == (0.1, [0, 0, 1, 1])
    assert (q.get("specular"), q.get("rgba").tolist()) == (0.2, [1, 0, 0, 1])
    assert all_of(document.root, "mesh")[0].get("scale").tolist() == [2, 2, 2]


def test_inherited_is_told_from_given():
    document = read_string('<mujoco><default><geom size="1 2"/></default><worldbody><geom mass="3"/></worldbody></mujoco>')
    (g,) = all_of(document.root, "geom")
    assert g.given == {"mass"}
    assert g.has("size")
    assert g.get("size").tolist() == [1, 2, 0]


def test_a_free_joint_takes_no_default():
    document = read_string('<mujoco><default><joint damping="3"/></default>'
                           "<worldbody><body><freejoint/></body></worldbody></mujoco>")
    (joint,) = all_of(document.root, "freejoint")
    assert joint.attributes == {}


def test_other_orientation_or_light_type_overrides_default():
    document = read_string("""<mujoco><default><geom euler="1 2 3"/><site zaxis="0 1 0"/><light directional="true"/></default>
        <worldbody><geom axisangle="0 0 1 9"/><geom quat="0 1 0 0"/><site zaxis="1 0 0"/><light type="point"/></worldbody>
        </mujoco>""")
    turned, kept = all_of(document.root, "geom")
    assert not turned.has("euler")
    assert turned.has("axisangle")
    # The reference keeps a quaternion and another form side by side, and then takes the other form.
    assert kept.has("euler")
    assert kept.has("quat")
    assert all_of(document.root, "site")[0].get("zaxis").tolist() == [1, 0, 0]
    assert not all_of(document.root, "light")[0].has("directional")


def test_user_data_is_replaced_as_a_whole():
    document = read_string('<mujoco><default><geom user="1 2 3"/></default><worldbody><geom user="9"/></worldbody></mujoco>')
    assert all_of(document.root, "geom")[0].get("user").tolist() == [9]


ACTUATORS = """<mujoco><default><motor gear="7" ctrlrange="-1 1"/><default class="x"><position kp="5" group="2"/>
    <default class="y"><general gainprm="4" gear="1 2"/></default></default></default>
    <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><general name="a" joint="j"/><position name="b" class="x" joint="j" kv="3"/>
    <velocity name="c" class="y" joint="j" gear="8"/></actuator></mujoco>"""


def test_what_actuator_tags_share_is_shared_by_their_defaults():
    spec = mujoco.MjSpec.from_string(ACTUATORS)
    for ours, theirs in zip(all_of(read_string(ACTUATORS).root, "general", "position", "velocity"), spec.actuators, strict=True):
        assert ours.get("name") == theirs.name
        assert ours.get("gear").tolist() == theirs.gear.tolist()
        assert ours.get("ctrlrange").tolist() == theirs.ctrlrange.tolist()
        assert ours.get("group") == theirs.group
        assert ours.get("actdim") == theirs.actdim
        assert ours.get("actlimited") == "auto"


def test_gains_are_inherited_from_the_same_tag_alone():
    a, b, c = all_of(read_string(ACTUATORS).root, "general", "position", "velocity")
    assert (b.get("kp"), b.get("kv")) == (5, 3)
    assert c.get("kv") is None
    assert a.get("gainprm").tolist() == [1] + [0] * 9
    assert "kp" not in find("actuator/position").schema_defaults
