"""An attribute with the name of a field is written to that field, whatever element has it."""

import numpy as np
import pytest

from tumble.physics import MjModel
from tumble.physics.mjcf.schema import Attribute, find
from tumble.physics.state.fields import MODEL

# Elements with the prefix of their fields, and which of the scene's rows the element under test has.
ELEMENTS = {
    "worldbody/geom": ("geom", 1), "worldbody/site": ("site", 1), "worldbody/camera": ("cam", 0), "worldbody/light": ("light", 0),
    "worldbody/body/joint": ("jnt", 0), "contact/pair": ("pair", 0), "equality/joint": ("eq", 0), "tendon/spatial": ("tendon", 0),
    "actuator/general": ("actuator", 0), "sensor/jointpos": ("sensor", 0), "asset/material": ("mat", 0),
    "worldbody/body": ("body", 2), "option": ("opt", None), "statistic": ("stat", None), "visual/global": ("vis_global", None),
    "visual/map": ("vis_map", None), "visual/headlight": ("vis_headlight", None), "visual/scale": ("vis_scale", None),
}  # fmt: skip
SCENE = """<mujoco><compiler angle="radian"/>
  <option OPTION/><statistic STATISTIC/>
  <visual><global VISUAL_GLOBAL/><map VISUAL_MAP/><headlight VISUAL_HEADLIGHT/><scale VISUAL_SCALE/></visual>
  <asset><material name="m" ASSET_MATERIAL/></asset>
  <worldbody><geom name="g1" size="1"/><geom name="g2" size="1" WORLDBODY_GEOM/>
    <site name="s1"/><site name="s2" WORLDBODY_SITE/><camera WORLDBODY_CAMERA/><light WORLDBODY_LIGHT/>
    <body><joint name="j1" type="slide" WORLDBODY_BODY_JOINT/><geom name="b1" size="1"/><site name="s3" pos="0 0 1"/></body>
    <body WORLDBODY_BODY><joint name="j2" type="slide"/><geom name="b2" size="1"/></body></worldbody>
  <contact><pair geom1="g1" geom2="b1" CONTACT_PAIR/></contact>
  <equality><joint joint1="j1" joint2="j2" EQUALITY_JOINT/></equality>
  <tendon><spatial TENDON_SPATIAL><site site="s1"/><site site="s3"/></spatial></tendon>
  <actuator><general joint="j1" dyntype="filter" nsample="3" ACTUATOR_GENERAL/></actuator>
  <sensor><jointpos joint="j1" nsample="2" SENSOR_JOINTPOS/></sensor>
</mujoco>"""
# What other attributes decide too, or is kept in another form: tested where those are.
ELSEWHERE = {"pos", "quat", "size", "axis", "dir", "user", "sensorsize", "cranklength", "lengthrange", "cameraid", "interval"}
FIELDS = {f.name for f in MODEL}


def cases() -> list[tuple[str, str]]:
    """Every attribute that is a number, or several, and has the name of a field; with its element."""
    found = []
    for path, (prefix, _) in ELEMENTS.items():
        for a in find(path).attributes.values():
            plain = a.kind in ("int", "real", "bool") and a.status.level == "supported" and a.name not in ELSEWHERE
            found += [(path, a.name)] if plain and f"{prefix}_{a.name}" in FIELDS else []
    assert len(found) > 100
    return found


def other(attribute: Attribute) -> list[float]:
    """Numbers that are not the default; those of a range rise. A switch counts as one."""
    if attribute.kind == "bool":
        return [float(not attribute.default)]
    count = attribute.high or attribute.low
    start = np.resize(0 if attribute.default is None else attribute.default, count)
    return [float(v) for v in start + (1 if attribute.kind == "int" else 0.0625 * np.arange(1, count + 1))]


def text(attribute: Attribute) -> str:
    """Those numbers as a file has them."""
    numbers = other(attribute)
    words = [("false", "true")[int(v)] if attribute.kind == "bool" else str(int(v)) if attribute.kind == "int" else repr(v)
             for v in numbers]  # fmt: skip
    return f'{attribute.name}="{" ".join(words)}"'


@pytest.fixture(scope="module")
def compiled() -> MjModel:
    xml = SCENE
    for path in sorted(ELEMENTS, key=len, reverse=True):  # the name of one begins that of another
        rule = find(path)
        written = [text(rule.attributes[name]) for at, name in cases() if at == path]
        xml = xml.replace(f"{path.upper().replace('/', '_')}", " ".join(written))
    return MjModel.from_xml_string(xml)


@pytest.mark.parametrize(("path", "name"), cases())
def test_what_a_file_says_under_the_name_of_a_field_is_in_it(compiled, path, name):
    prefix, row = ELEMENTS[path]
    stored = getattr(compiled, f"{prefix}_{name}")
    found = np.ravel(stored if row is None else stored[row])
    expected = np.array(other(find(path).attributes[name])).astype(found.dtype)  # some are of single precision
    np.testing.assert_array_equal(found[: len(expected)], expected)
