"""What docs/mjcf.md says of each element and attribute is so: refused ones are refused, supported ones are asked for."""

import re
from pathlib import Path
from typing import Any

import mujoco
import pytest

from tests.physics.mjcf.ignored import png
from tests.physics.mjcf.test_schema import DECLARED, listed_by_reference
from tumble.physics.compiler.compile import compile
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.defaults import schema_defaults
from tumble.physics.mjcf.reader import read_string
from tumble.physics.mjcf.reference import page, places
from tumble.physics.mjcf.schema import LATER_ATTRIBUTES, LATER_ELEMENTS, LATER_POLYNOMIALS, MUJOCO, Attribute
from tumble.physics.mjcf.spec import Element
from tumble.physics.model import MjModel

PAGE = Path(__file__).resolve().parents[3] / "docs" / "mjcf.md"
PLACES = places()


def test_the_page_is_what_the_schema_says():
    assert PAGE.read_text(encoding="utf-8") == page(), "run make docs"


def test_mjcf_page_lists_every_reference_element_and_attribute():
    text = PAGE.read_text(encoding="utf-8")
    rows = listed_by_reference()
    assert len(rows) > 150
    for path, (_, attributes) in rows.items():
        tag = path.rpartition("/")[2]
        assert f"`<{tag}>`" in text or not tag, path
        assert [name for name in attributes if f"`{name}`" not in text and f" {name}" not in text] == [], path


def test_all_parts_that_are_refused_are_named_at_once():
    xml = """<mujoco><actuator><plugin plugin="p" joint="k"/></actuator>
<worldbody><body name="b"><joint name="k"/><plugin plugin="p"/><geom size=".1"/></body></worldbody>
<sensor><plugin plugin="p"/></sensor></mujoco>"""
    with pytest.raises(MjcfError) as caught:
        MjModel.from_xml_string(xml)
    found = [line.partition(', and libraries of plugins')[0] for line in str(caught.value).splitlines()]
    assert found == [f'model.xml:{place}: <plugin> plugin "p" is unknown' for place in ("1:19", "2:44", "3:9")]
    assert caught.value.looks == ()


LOOKS = """<mujoco><asset><texture name="gone" type="2d" file="gone.png"/>
<texture name="here" type="2d" builtin="flat" width="2" height="2"/>
<material name="a" texture="gone" rgba="1 0 0 1"/><material name="b" texture="here"/>
<material name="c"><layer role="rgb" texture="gone"/><layer role="normal" texture="here"/></material></asset>
<worldbody><geom size="1" material="a"/><geom size="1" material="b"/><geom size="1" material="c"/></worldbody></mujoco>"""


def test_a_model_opens_without_what_concerns_its_looks_alone(tmp_path):
    file = tmp_path / "model.xml"
    file.write_text(LOOKS)
    with pytest.raises(MjcfError, match=r'model\.xml:1:16: <texture> file "gone\.png"') as caught:
        MjModel.from_xml_path(file)
    assert caught.value.looks == (f"{file}:1:16",)
    m = MjModel.from_xml_path(file, without_looks=True)
    assert (m.ntex, m.nmat, m.geom_matid.tolist()) == (1, 3, [0, 1, 2])
    assert [row.tolist().count(0) for row in m.mat_texid] == [0, 1, 1]
    assert [note.rpartition("; ")[2] for note in m.notes] == ["it is left out"]
    file.write_text(LOOKS.replace('size="1"', 'size="-1"', 1))
    with pytest.raises(MjcfError, match="<geom> size"):  # which does not concern its looks alone
        MjModel.from_xml_path(file, without_looks=True)


@pytest.mark.parametrize(("tag", "name"), [(tag, name) for tag, names in LATER_ATTRIBUTES.items() for name in sorted(names)])
def test_later_release_attributes_are_unknown_to_reference(tag: str, name: str) -> None:
    owners = [rule for _, rule in PLACES if rule.tag == tag]
    assert owners
    assert all(name not in rule.attributes for rule in owners)
    assert all(name not in attributes for path, (_, attributes) in listed_by_reference().items()
               if path.rpartition("/")[2] == tag)  # fmt: skip


def test_later_release_files_open_with_notes_for_omitted_parts():
    xml = """<mujoco><compiler conflict="error"/><worldbody>
<body simple="auto"><joint name="k" damping="1 2 3"/><geom size=".1" adhesion="1"/></body></worldbody>
<actuator><dcmotor joint="k"/><motor joint="k" armature="1"/></actuator></mujoco>"""
    m = MjModel.from_xml_string(xml)
    assert (m.nu, m.dof_damping[0], m.dof_armature[0]) == (1, 1.0, 0.0)
    assert [note.partition(" of a later")[0].partition(" has more")[0] for note in m.notes] == [
        "model.xml:1:9: <compiler> conflict is", "model.xml:2:1: <body> simple is", "model.xml:2:21: <joint> damping",
        "model.xml:2:54: <geom> adhesion is", "model.xml:3:11: <dcmotor> is", "model.xml:3:31: <motor> armature is",
    ]  # fmt: skip
    assert all(tag in MUJOCO.children for tag in LATER_ELEMENTS)
    assert all(name in DECLARED["body/joint"].attributes for names in LATER_POLYNOMIALS.values() for name in names)


# ---------------------------------------------------------------- what is supported is asked for

SCENE = """<mujoco model="all"><compiler/><option><flag/></option><size/><statistic/>
<visual><global/><quality/><headlight/><map/><scale/><rgba/></visual>
<custom><numeric name="n" data="1"/><text name="t" data="x"/>
  <tuple name="u"><element objtype="body" objname="b"/></tuple></custom>
<asset>
  <texture name="plain" type="2d" builtin="checker" mark="random" width="4" height="4"/><texture name="cube" file="t.png"
    gridsize="1 1"/><texture type="skybox" name="sky" fileup="t.png"/><texture type="skybox" name="blend" builtin="gradient"
    width="4"/>
  <material name="m"><layer texture="plain" role="rgb"/></material><material name="o" texture="plain"/>
  <mesh name="skin" builtin="plate" params="2 2"/></asset>
<worldbody>
  <geom name="g" size="1" material="m"/><geom type="capsule" size=".1" fromto="0 0 0 1 1 1"/><light name="l"/>
  <camera name="c" sensorsize="1 1" focal="1 1"/><camera focalpixel="0 0"/>
  <frame><site name="w" size=".1" axisangle="1 0 0 1"/>
  <site xyaxes="1 0 0 0 1 0"/><site zaxis="1 0 0"/><site euler="1 0 0"/></frame>
  <body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="k" springdamper="1 1" range="0 1"/><joint
    name="slide" type="slide"/><geom name="h" size=".1" mass="1"/><site name="s"/>
    <body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/><joint name="ball" type="ball"/></body>
    <plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1"/></plugin></body>
  <body name="free"><freejoint name="f"/><geom size=".1"/></body></worldbody>
<contact><pair geom1="g" geom2="h"/><exclude body1="b" body2="free"/></contact>
<equality><connect body1="b" anchor="0 0 0"/><weld body1="b" relpose="0 0 0 1 0 0 0"/><weld site1="s" site2="w"/>
  <connect site1="s" site2="w"/><joint joint1="k" joint2="slide"/><tendon tendon1="x" tendon2="y"/></equality>
<tendon><spatial name="x"><site site="s"/><geom geom="g" sidesite="w"/><site site="w"/><pulley divisor="2"/><site site="s"/>
  <site site="w"/></spatial><fixed name="y" range="0 1"><joint joint="k" coef="1"/></fixed></tendon>
<actuator><general joint="k"/><motor name="a" joint="k"/><position joint="k" inheritrange="1"/><velocity joint="k"/>
  <intvelocity joint="k" actrange="0 1"/><damper joint="k" ctrlrange="0 1"/><cylinder joint="k"/>
  <muscle tendon="y" lengthrange="0 1"/><adhesion body="b" ctrlrange="0 1"/><general site="s" refsite="w"/>
  <motor slidersite="s" cranksite="w" cranklength="1"/><general jointinparent="k"/><general body="b"/>
  <plugin plugin="mujoco.pid" joint="k"><config key="kp" value="1"/></plugin></actuator>
<extension><plugin plugin="mujoco.pid"/><plugin plugin="mujoco.elasticity.cable"/><plugin plugin="mujoco.sensor.touch_grid">
  <instance name="grid">GRID</instance></plugin></extension>
<sensor>SENSORS</sensor>
<keyframe><key name="q"/></keyframe></mujoco>"""
_NAMES = {"site": "s", "joint": "k", "tendon": "y", "actuator": "a", "body": "b", "geom": "g", "camera": "c",
          "mesh": "skin"}


GRID = '<config key="size" value="1 1"/><config key="fov" value="9 9"/>'


def sensors() -> str:
    """One sensor of each kind."""
    lines = []
    for tag, rule in MUJOCO.children["sensor"].children.items():
        if rule.status.level == "refused":
            continue
        written = {a.name: _NAMES[a.refers] for a in rule.attributes.values() if a.required and a.refers in _NAMES}
        if "objtype" in rule.attributes:
            written |= {"objtype": "site", "objname": "w"}
        if "reftype" in rule.attributes:
            written |= {"reftype": "body", "refname": "b"}
        if tag.startswith("ball"):
            written["joint"] = "ball"
        if tag in ("distance", "normal", "fromto"):
            written |= {"geom1": "g", "geom2": "h"}
        if tag == "rangefinder":
            lines.append('<rangefinder camera="c"/>')
            written["site"] = "s"
        if tag == "user":
            written["dim"] = "1"
        if tag == "plugin":
            lines.append(f'<plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="w">{GRID}</plugin>')
            written["instance"] = "grid"
        lines.append(f"<{tag} {' '.join(f'{name}={chr(34)}{value}{chr(34)}' for name, value in written.items())}/>")
    return "".join(lines)


class Recorder(dict[str, Any]):
    """The values of an element, which remembers what it was asked for."""

    def __init__(self, values: dict[str, Any], asked: set[str]) -> None:
        super().__init__(values)
        self._asked = asked

    def __contains__(self, name: object) -> bool:
        self._asked.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> Any:
        self._asked.add(name)
        return super().__getitem__(name)

    def get(self, name: str, otherwise: Any = None) -> Any:
        self._asked.add(name)
        return super().get(name, otherwise)


# What the other ways to write the same elements ask for.
_AT_SITE = ("general", "motor", "position", "velocity", "damper", "cylinder")
SECOND = f"""<mujoco><compiler><lengthrange inttotal=".02" interval=".01"/></compiler>
<asset><texture name="t" file="strip.png" gridsize="1 4" gridlayout=".U.D"/></asset>
<worldbody><geom name="g" size="1"/><site name="w"/><body name="b"><joint name="k" range="0 1" damping="100"/>
<geom name="h" size=".1" pos="1 0 0"/><frame pos="1 0 0" quat="1 0 0 0"><site name="s"/></frame></body></worldbody>
<tendon><fixed name="y"><joint joint="k" coef="1"/></fixed></tendon>
<actuator>{"".join(f'<{tag} site="s" refsite="w" ctrlrange="0 1"/>' for tag in _AT_SITE)}<muscle joint="k"/>
<intvelocity site="s" actrange="0 1"/><muscle slidersite="s" cranksite="w" cranklength="1" lengthrange="0 1"/>
<plugin plugin="mujoco.pid" site="s"/></actuator><extension><plugin plugin="mujoco.pid"/></extension>
<sensor><distance body1="world" body2="b"/><normal body1="world" body2="b"/><fromto body1="world" body2="b"/></sensor></mujoco>"""
ASSETS = """<mujoco><asset>
<mesh name="inline" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3" texcoord="0 0 1 0 0 1 1 1"
  normal="1 0 0 0 1 0 0 0 1 1 1 1"/><mesh name="points" vertex="0 0 0 1 0 0 0 1 0 0 0 1" inertia="convex"/>
<mesh name="made" builtin="wedge" params="4 4 90 90 .5"/><mesh file="tet.obj"/><mesh name="typed" file="tet.txt"
  content_type="model/obj"/>
<hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/><hfield name="p" file="t.png" size="1 1 1 1"/>
<skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" texcoord="0 0 1 0 0 1"><bone body="b" bindpos="0 0 0"
  bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin><model name="child" file="child.xml"/></asset>
<deformable><skin name="d" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="b" bindpos="0 0 0"
  bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>
<worldbody><geom type="mesh" mesh="inline"/><geom type="box" mesh="points"/><geom type="mesh" mesh="made"/>
<geom type="mesh" mesh="tet"/><geom type="mesh" mesh="typed"/><geom type="hfield" hfield="h"/><geom type="hfield" hfield="p"/>
<body name="b"><geom size=".1"/></body><replicate count="2" offset="1 0 0"><body><geom size=".1"/></body></replicate>
<body><replicate count="2" sep="-"><site/></replicate></body><attach model="child" body="part" prefix="c"/>
<composite type="cable" prefix="x" count="4 1 1" size="1 .1 .1" curve="s cos(s) 0"><joint kind="main"/><geom type="box"
  size=".1 .1 .1"/><site/><skin/></composite><composite type="cable" prefix="y"
  vertex="0 0 0 1 0 0 1 1 0 2 1 0"><geom type="capsule" size=".1"/></composite></worldbody></mujoco>"""
_GEAR = '<config key="teeth" value="12"/></plugin>'
FIELDS = f"""<mujoco><extension><plugin plugin="mujoco.sdf.gear"><instance name="i"><config key="teeth" value="9"/></instance>
</plugin></extension><asset><mesh name="m"><plugin plugin="mujoco.sdf.gear">{_GEAR}</mesh></asset><worldbody><geom type="sdf"
mesh="m" contype="0" conaffinity="0"><plugin plugin="mujoco.sdf.gear">{_GEAR}</geom></worldbody></mujoco>"""
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
CHILD = b'<mujoco><worldbody><body name="part"><geom size="1"/></body></worldbody></mujoco>'
FILES = {"t.png": png(), "strip.png": png(4, 1), "tet.obj": OBJ, "tet.txt": OBJ, "child.xml": CHILD}
CLOTH = """<mujoco><deformable>
<flex name="f" dim="1" body="a b" element="0 1" texcoord="0 0 1 1" elemtexcoord="0 1"><contact/><edge/><elasticity/></flex>
</deformable><worldbody><body name="a"><freejoint/><geom size=".1"/></body>
<body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body>
<flexcomp name="g" count="3 3 1" texcoord="0 0 1 1 0 0 1 1 0 0 1 1 0 0 1 1 0 0"><edge equality="true"/><elasticity young="1"/>
  <contact vertcollide="true"/><pin id="0" range="0 1" grid="0 0" gridrange="0 0 1 1"/></flexcomp>
<flexcomp name="d" type="direct" point="0 0 0 1 0 0 0 1 0" element="0 1 2" euler="1 0 0"/>
<flexcomp name="x" count="2 2 1" xyaxes="1 0 0 0 1 0"/>
<flexcomp name="z" count="2 2 1" zaxis="1 0 0"><elasticity young="1" elastic2d="stretch" thickness="1"/></flexcomp></worldbody>
<equality><flex flex="f"/></equality></mujoco>"""
VERTICES = """<mujoco><worldbody><flexcomp name="v" count="4 4 1"/></worldbody>
<equality><flexvert flex="v"/></equality></mujoco>"""
MODELS = [SCENE.replace("SENSORS", sensors()).replace("GRID", GRID), SECOND, ASSETS, FIELDS, CLOTH, VERTICES]
# The reference looks for such a file on disk alone.
FROM_FILE = """<mujoco><worldbody><flexcomp name="m" type="mesh" file="tet.obj" dim="3" origin=".1 .1 .1" axisangle="1 0 0 9"/>
</worldbody></mujoco>"""


def asked_for(monkeypatch: pytest.MonkeyPatch) -> dict[int, set[str]]:
    """What compiling the models asks of each rule's elements: by the rule's id, the names of attributes."""
    asked: dict[int, set[str]] = {}
    rules: dict[int, int] = {}
    for _, rule in [*PLACES, ("", MUJOCO)]:
        for defaults in (schema_defaults(rule), rule.schema_defaults):
            rules[id(defaults)] = id(rule)
    get, has = Element.get, Element.has

    def note(element: Element, name: str) -> None:
        asked.setdefault(rules.get(id(element.schema_defaults), 0), set()).add(name)

    def recorded_get(self: Element, name: str, otherwise: Any = None) -> Any:
        note(self, name)
        return get(self, name, otherwise)

    def recorded_has(self: Element, name: str) -> bool:
        note(self, name)
        return has(self, name)

    monkeypatch.setattr(Element, "get", recorded_get)
    monkeypatch.setattr(Element, "has", recorded_has)
    for xml in (*MODELS, FROM_FILE):
        document = read_string(xml, FILES)
        for section in document.root.all("actuator"):
            for element in section.children:
                names = asked.setdefault(rules[id(element.schema_defaults)], set())
                element.actuator_steps = tuple((tag, Recorder(values, names)) for tag, values in element.actuator_steps)
        compile(document, MjModel)
    return asked


# These the reader itself reads, as it does attached models; what stands in a composite or flexcomp is handed on as a whole.
GENERIC = frozenset({"name", "class", "childclass"})
ELSEWHERE = re.compile(r"^(composite/|flexcomp/(edge|elasticity|contact)$|asset/model$)")


def test_all_that_is_supported_is_asked_for_by_the_compiler(monkeypatch):
    asked = asked_for(monkeypatch)
    unread = []
    for path, rule in PLACES:
        if ELSEWHERE.match(path) or is_refused(path) or rule.status.level != "supported":
            continue
        names = asked.get(id(rule), set())
        unread += [f"{path} {a.name}" for a in rule.attributes.values() if not is_exempt(a) and a.name not in names]
    assert ", ".join(unread) == ""


def is_exempt(attribute: Attribute) -> bool:
    return attribute.name in GENERIC or attribute.status.level in ("ignored", "refused")


def is_refused(path: str) -> bool:
    """Whether an element is refused, or stands in one that is."""
    parts = path.split("/")
    return any(rule.status.level in ("refused", "ignored") for here, rule in PLACES
               if here in ["/".join(parts[: n + 1]) for n in range(len(parts))])  # fmt: skip


def test_support_scenes_load_in_the_reference():
    for xml in MODELS:
        mujoco.MjModel.from_xml_string(xml, FILES)
