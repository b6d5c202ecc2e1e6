"""A scene in which every attribute that the schema marks as ignored can be written, and that scene with one of them changed."""

import io
import xml.etree.ElementTree as ET

import numpy as np
from PIL import Image

from tumble.physics.mjcf.reference import places
from tumble.physics.mjcf.schema.grammar import Attribute

SCENE = """<mujoco><compiler/><size/>
<visual><global/><quality/><map/><rgba/></visual>
<asset><texture name="grey" type="2d" builtin="flat" width="2" height="2"/><texture name="t" type="cube" builtin="gradient"
width="8" height="8"/><material name="m" texture="grey"/><model name="child" file="child.xml"/></asset>
<worldbody><light name="l" pos="1 1 3" dir="-.3 -.3 -1"/><camera name="c" pos="0 -4 1.5" xyaxes="1 0 0 0 .4 1"/>
<geom type="plane" size="3 3 .1" material="m"/><geom type="box" size=".3 .3 .3" pos="0 0 .3" rgba=".8 .3 .2 1"/>
<attach model="child" body="part" prefix="c"/>
<composite type="cable" prefix="x" curve="s" count="5 1 1" size=".8 0 0" offset="-1 -.5 .5"><joint kind="main" range="0 90"/>
<geom type="box" size=".1 .03 .03"/><skin/></composite>
<frame><replicate count="2" offset=".2 0 0"><geom size=".05" pos="-1 1 .05"/></replicate></frame>
<body name="a" pos="1 0 1"><freejoint/><geom size=".1"/>
<frame><replicate count="2" offset=".1 0 0"><site name="s"/></replicate></frame></body>
<body name="b" pos="1 0 1.3"><freejoint/><geom size=".1"/></body>
</worldbody>
<deformable><flex name="f" dim="1" body="a b" element="0 1"><contact/></flex></deformable></mujoco>"""
def png(columns: int = 2, rows: int = 2) -> bytes:
    """A black picture."""
    file = io.BytesIO()
    Image.new("RGB", (columns, rows)).save(file, "PNG")
    return file.getvalue()


FILES = {"t.png": png(),
         "child.xml": b'<mujoco><worldbody><body name="part"><geom size=".2"/></body></worldbody></mujoco>'}


def ignored() -> list[tuple[str, str]]:
    """Path and name of each attribute that is read without effect."""
    return [(path, a.name) for path, rule in places() for a in rule.attributes.values() if a.status.level == "ignored"]


def another(attribute: Attribute) -> str:
    """A valid value other than the default."""
    default = attribute.default
    if attribute.kind in ("int", "real"):
        value = np.atleast_1d(np.asarray(0.0 if default is None else default, float))
        value = np.where(value > 0, value / 2, 1) if attribute.kind == "real" else np.maximum(value + 1, 1)
        return " ".join(f"{number:g}" for number in value)
    if attribute.kind == "bool":
        return "false" if default else "true"
    if attribute.words:
        return next(word for word in attribute.words if word != default and word not in (default or ()))
    return {"ref": "t", "bytes": "1M"}.get(attribute.kind, "text/xml")


def changed(path: str, attribute: Attribute) -> str:
    """The scene with another value of an attribute of its first element at a path of tags. Raises LookupError without one."""
    root = ET.fromstring(SCENE)
    _change(root, path, attribute)
    return ET.tostring(root, encoding="unicode")


def changed_all(names: list[tuple[str, str]]) -> str:
    """The scene with other values of all these attributes, but for the sizes, some of which exclude each other."""
    root, rules = ET.fromstring(SCENE), dict(places())
    for path, name in names:
        if path != "size":
            _change(root, path, rules[path].attributes[name])
    return ET.tostring(root, encoding="unicode")


def _change(root: ET.Element, path: str, attribute: Attribute) -> None:
    element = next(iter(root.findall(f"./{path}") or root.findall(f".//{path}")), None)
    if element is None:
        raise LookupError(f"the scene has no {path}")
    element.set(attribute.name, another(attribute))
