"""What README.md and docs/mjcf.md call refused or ignored is so: one file for each, opened and compared."""

import ast
import functools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.physics.mjcf import test_support
from tests.physics.mjcf.ignored import FILES, SCENE, changed, ignored
from tests.physics.mjcf.test_schema import model
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.reference import STORED, Gap, gaps, places, readme_section, stored_gaps, with_readme_section
from tumble.physics.mjcf.schema import MUJOCO, ElementRule, find
from tumble.physics.mjcf.schema.grammar import show_value
from tumble.physics.model import MjModel

ROOT = Path(__file__).resolve().parents[3]
RULES = dict(places())
FOR_SCRIPTS = f"{STORED}, for scripts"
# Rooms that fill, edit and write models, and those in which scripts read what is kept for them.
FILLING = ("physics/compiler", "physics/spec", "physics/mjcf", "physics/state")
SCRIPTS = ("render/mjr", "render/mjv", "tumble/mujoco")


def compiled(xml: str) -> MjModel:
    return MjModel.from_xml_string(xml, FILES)


@functools.cache
def plain() -> MjModel:
    return compiled(SCENE)


def settings_of(m: MjModel) -> dict[str, Any]:
    """The numbers of `vis` by group.name."""
    groups = {tag: getattr(m.vis, tag if tag != "global" else "global_") for tag in find("visual").children}
    return {f"{tag}.{name}": np.array(getattr(group, name), float) for tag, group in groups.items()
            for name in find(f"visual/{tag}").attributes}  # fmt: skip


def differing(ours: MjModel, theirs: MjModel) -> set[str]:
    """The fields in which two models differ."""
    sizes = ours.sizes()
    names = {name for name, size in theirs.sizes().items() if sizes[name] != size}
    names |= {name for name, array in theirs._arrays.items()
              if not name.startswith(("stage", "vis_")) and ours._arrays[name].tobytes() != array.tobytes()}  # fmt: skip
    before = settings_of(theirs)
    names |= {name for name, value in settings_of(ours).items() if not np.array_equal(value, before[name])}
    if repr(ours.opt) != repr(theirs.opt) or repr(ours.stat) != repr(theirs.stat):
        names.add("opt or stat")
    return names


@functools.cache
def sources() -> dict[str, str]:
    """The text of each module."""
    paths = (path for room in ("physics", "render", "app", "tumble/mujoco") for path in (ROOT / room).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def readers(field: str) -> set[str]:
    """Modules that read a field as an attribute, as in `model.light_range`."""
    name = field.rpartition(".")[2]
    return {module for module, text in sources().items() if f".{name}" in text
            and any(isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load)
                    for node in ast.walk(ast.parse(text)))}  # fmt: skip


def test_readme_lists_the_gaps_of_the_schema():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert with_readme_section(text) == text, "run make docs"
    with pytest.raises(ValueError, match="no section between"):
        with_readme_section(text.replace("<!--", ""))
    assert all(gap.status.why in readme_section() for gap in gaps("refused", "partly"))


@pytest.mark.parametrize(("path", "name"), ignored())
def test_ignored_attribute_reaches_nothing(path: str, name: str) -> None:
    """It changes no field of the model but the one that keeps it, which neither engine nor window reads."""
    attribute = RULES[path].attributes[name]
    why = attribute.status.why
    fields = differing(compiled(changed(path, attribute)), plain())
    assert len(fields) == why.startswith(STORED), fields
    allowed = FILLING + (SCRIPTS if why.startswith(FOR_SCRIPTS) else ())
    assert [module for field in fields for module in sorted(readers(field)) if not module.startswith(allowed)] == []


# Attributes that are valid only where others are, or are not, written: (tag, attribute).
DEPENDENT = {("weld", "anchor"), ("position", "ctrlrange"), ("composite", "count"), ("mesh", "builtin")}


def write_defaults(element: ET.Element, rule: ElementRule) -> int:
    """Write every default of an element and of what it holds where nothing is written; returns how many."""
    number = 0
    for a in rule.attributes.values():
        excluded = any(a.name in group and set(group) & element.attrib.keys() for group in rule.exclusive)
        dependent = a.name in ("cranklength", "gridlayout") or (rule.tag, a.name) in DEPENDENT
        if a.default is not None and a.name not in element.attrib and not excluded and not dependent:
            element.set(a.name, show_value(a.default))
            number += 1
    return number + sum(write_defaults(child, rule.children[child.tag]) for child in element)


def test_writing_out_defaults_changes_no_model_field() -> None:
    number = 0
    for xml in test_support.MODELS:
        root = ET.fromstring(xml)
        number += write_defaults(root, MUJOCO)
        written = MjModel.from_xml_string(ET.tostring(root, encoding="unicode"), test_support.FILES)
        assert differing(written, MjModel.from_xml_string(xml, test_support.FILES)) == set()
    assert number > 1500


_BOWL = '<plugin plugin="mujoco.sdf.bowl"/>'
_BOWLS = f'<mujoco><extension>{_BOWL}</extension><asset><mesh name="m">{_BOWL}</mesh></asset>'
_IMAGE = '<mujoco><asset><texture name="t" type="2d" {}/><material name="m">{}</material></asset></mujoco>'
# What cannot be changed in the scene: by path, a model with that part.
MODELS = {
    "asset/texture": _IMAGE.format('file="t.png"', ""),
    "asset/mesh/plugin": _BOWLS + "</mujoco>",
    "extension/plugin": _BOWLS + "</mujoco>",
    "geom/plugin": f'{_BOWLS}<worldbody><geom type="sdf" mesh="m">{_BOWL}</geom></worldbody></mujoco>',
    "sensor/tactile": """<mujoco><asset><mesh name="pad" builtin="sphere" params="1"/></asset><worldbody><geom name="g" size="1"/>
<body><geom type="mesh" mesh="pad" mass="1"/></body></worldbody><sensor><tactile mesh="pad" geom="g"/></sensor></mujoco>""",
}


def opening(path: str, name: str, words: tuple[str, ...]) -> Iterator[str]:
    """Models that have this part, one for each of its keywords."""
    if path == "asset/material/layer":
        yield from (_IMAGE.format('builtin="flat" width="2" height="2"', f'<layer texture="t" role="{word}"/>') for word in words)
    elif path in MODELS:
        yield MODELS[path]
    elif words:
        yield from (SCENE.replace(f"<{path} ", f'<{path} {name}="{word}" ') for word in words)
    else:
        yield changed(path, RULES[path].attributes[name])


LISTED = [pytest.param(gap, id=gap.names()) for gap in (*gaps("partly"), *stored_gaps())]


@pytest.mark.parametrize("gap", LISTED)
def test_part_that_opens_with_something_missing_opens(gap: Gap) -> None:
    for part in gap.parts:
        for xml in opening(*part):
            assert compiled(xml).ngeom >= 0


@pytest.mark.parametrize("gap", [pytest.param(gap, id=gap.names()) for gap in gaps("refused")])
def test_part_that_is_refused_is_refused_at_its_place_and_why(gap: Gap) -> None:
    for path, name, words in gap.parts:
        for word in words or ("",):
            with pytest.raises(MjcfError) as caught:
                MjModel.from_xml_string(holding(path, f'{name}="{word}"' if word else ""))
            expected = "is no longer valid" if path == "composite" else gap.status.why
            assert expected in str(caught.value)
            assert f"<{path.rpartition('/')[2]}> " in str(caught.value)
            assert all(re.match(r"model\.xml:\d+:\d+: <", line) for line in str(caught.value).splitlines())


def holding(path: str, extra: str) -> str:
    """A model with the part, in a composite of a valid type where it is inside one."""
    below = path if path.partition("/")[0] in MUJOCO.children else f"body/{path}"
    return model(below, extra).replace('type="particle" ><plugin', 'type="cable" count="3 1 1"><plugin')


@pytest.mark.parametrize("file", ["t.ktx", "t.png"])
def test_ktx_image_is_refused_under_any_name(file: str) -> None:
    xml = MODELS["asset/texture"].replace("t.png", file)
    with pytest.raises(MjcfError, match="is a KTX image, which is not decoded: convert it to PNG"):
        MjModel.from_xml_string(xml, {file: b"\xabKTX 11\xbb"})


def test_unknown_plugin_is_refused_where_used() -> None:
    with pytest.raises(MjcfError, match=r'plugin "mujoco\.elasticity\.shell" is unknown, .* mujoco\.elasticity\.cable'):
        MjModel.from_xml_string(MODELS["geom/plugin"].replace("mujoco.sdf.bowl", "mujoco.elasticity.shell"))
    with pytest.raises(MjcfError, match=r'"mujoco\.elasticity\.cable" acts on bodies, not on a mesh; valid here: mujoco\.sdf\.'):
        MjModel.from_xml_string(MODELS["geom/plugin"].replace("mujoco.sdf.bowl", "mujoco.elasticity.cable"))
