"""The declared schema is MJCF 3.5.0: the reference lists, accepts and rejects the same."""

import re
from collections.abc import Iterator

import mujoco
import numpy as np
import pytest

from tumble.physics.mjcf.schema import MUJOCO, Attribute, ElementRule, describe, find
from tumble.physics.mjcf.schema.grammar import rule, without

# Replaced before the schema is checked, so that the reference does not list them.
META = {"frame", "replicate"}
# The reference takes any word there and rejects it when it compiles, or never.
LATE_KEYWORDS = {"objtype", "reftype"}


def listed_by_reference() -> dict[str, tuple[str, set[str]]]:
    """Path -> how often it may occur, and its attributes."""
    rows: dict[str, tuple[str, set[str]]] = {}
    path: list[str] = []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        head = re.match(r"^((?:   ){0,8})(\S+) \((.)\) *(.*)$", line)
        if head and len(head[1]) < 15:
            path = [*path[: len(head[1]) // 3], head[2].replace("(world)body", "body")]
            rows["/".join(path[1:])] = (head[3], set(head[4].split()))
        else:
            rows["/".join(path[1:])][1].update(line.split())
    return rows


def declared() -> Iterator[tuple[str, ElementRule]]:
    """Path -> rule, each recursive element entered once; paths as the reference has them, without worldbody."""

    def below(parent: ElementRule, path: str, inside: tuple[ElementRule, ...]) -> Iterator[tuple[str, ElementRule]]:
        for child in parent.children.values():
            if child.tag in META or child in inside:
                continue
            here = f"{path}{child.tag}"
            yield here, child
            yield from below(child, here + "/", (*inside, child))

    for path, found in below(MUJOCO, "", (MUJOCO,)):
        if path.startswith("worldbody/body"):
            yield path.removeprefix("worldbody/"), found
        elif not path.startswith("worldbody"):
            yield path, found


REFERENCE = listed_by_reference()
DECLARED = dict(declared())


def test_every_element_of_the_reference_is_declared_and_no_other():
    assert set(DECLARED) | {""} == set(REFERENCE)


@pytest.mark.parametrize("path", sorted(DECLARED))
def test_attributes_and_occurrence_are_those_of_the_reference(path):
    occurs, attributes = REFERENCE[path]
    assert set(DECLARED[path].attributes) == attributes
    assert DECLARED[path].occurs == occurs


def sample(attribute: Attribute) -> str:
    """A valid text."""
    if attribute.kind in ("int", "real"):
        return " ".join(["1"] * attribute.low)
    samples = {"bool": "true", "bytes": "1K", "name": "zz", "string": "zz", "file": "zz", "ref": "zz", "refs": "zz"}
    if attribute.kind == "pattern":
        return attribute.default
    return samples.get(attribute.kind) or attribute.words[0]


def model(path: str, extra: str) -> str:
    """A model with the element of a path, what it and its parents need, and `extra` among its attributes."""
    tags, text, end = path.split("/"), "", ""
    if tags[0] == "body":
        tags.insert(0, "worldbody")
    at = MUJOCO
    for i, tag in enumerate(tags):
        at = at.children[tag]
        needs = {a.name: sample(a) for a in at.attributes.values() if a.required}
        needs |= {group[0]: "zz" for group in at.exactly}
        if tag in ("connect", "weld"):
            needs |= {"body1": "zz", "anchor": "1 1 1"}
        if tag == "numeric":
            needs |= {"data": "1"}
        if i == len(tags) - 1:
            needs = {name: value for name, value in needs.items() if not re.search(rf"\b{name}=", extra)}
        written = " ".join(f'{name}="{value}"' for name, value in needs.items())
        if tag == "default":
            text, end = text + "<default><default class='zz' ", "</default></default>" + end
        else:
            text, end = f"{text}<{tag} ", f"</{tag}>{end}"
        text += written + (" " + extra if i == len(tags) - 1 else "") + ">"
    return f"<mujoco>{text}{end}</mujoco>"


def complaint(path: str, extra: str) -> str:
    """What the reference's reader says about the form of a value; blank when it has nothing against it."""
    try:
        mujoco.MjSpec.from_string(model(path, extra))
    except ValueError as error:
        match = re.search(r"invalid keyword|bad format|problem reading|enough data|too much data|unsigned integer", str(error))
        return match[0] if match else ""
    return ""


# What the reference reads only together with other attributes that these tests do not write.
UNREAD = re.compile(r"composite|flexcomp|extension|asset/model|material/layer|mesh:params|hfield:elevation|element:prm"
                    r"|numeric:size|lengthrange:mode|body/attach|:class$|:childclass$|:directional$|light:type$")


@pytest.mark.parametrize("path", sorted(p for p in DECLARED if not UNREAD.search(p) and not p.startswith("default/default")))
def test_values_are_accepted_and_rejected_as_by_the_reference(path):
    for a in DECLARED[path].attributes.values():
        if UNREAD.search(f"{path}:{a.name}") or a.name in LATE_KEYWORDS:
            continue
        assert complaint(path, f'{a.name}="{sample(a)}"') == "", (a.name, sample(a))
        bad = []
        if a.kind in ("int", "real"):
            bad = ["zz", *(["0.5"] if a.kind == "int" else [])]
            counts = [*([a.high + 1] if a.high else []), *([a.low - 1] if a.low > 1 else [])]
            bad += [" ".join(["1"] * n) for n in counts]
        elif a.kind in ("bool", "keys", "flags", "set", "bytes"):
            bad = ["zz"]
        for text in bad:
            assert complaint(path, f'{a.name}="{text}"'), (a.name, text)
        for word in a.words:
            # "global" is a keyword that the reference knows in order to say what became of it.
            assert complaint(path, f'{a.name}="{word}"') == "", (a.name, word)


# The reference asks for these when it compiles: what its reader says is not about the attribute.
REQUIRED = [(path, a.name) for path, found in DECLARED.items() for a in found.attributes.values()
            if a.required and path != "contact/pair" and not UNREAD.search(path)]


@pytest.mark.parametrize(("path", "name"), sorted(REQUIRED))
def test_what_must_be_written_must_be_for_the_reference(path, name):
    without_it = re.sub(rf'(<{path.split("/")[-1]} [^<]*?)\b{name}="[^"]*"', r"\1", model(path, ""))
    with pytest.raises(ValueError, match=f"required attribute missing: '{name}'"):
        mujoco.MjSpec.from_string(without_it)


SPEC = mujoco.MjSpec()
_BODY = SPEC.worldbody.add_body()
# Elements of the reference's specification, and attributes that are words there, or have other names.
OBJECTS = {
    "compiler": SPEC.compiler, "compiler/lengthrange": SPEC.compiler.LRopt, "option": SPEC.option, "body": _BODY,
    **{f"visual/{part}": getattr(SPEC.visual, part.replace("global", "global_"))
       for part in ("global", "quality", "headlight", "map", "scale", "rgba")},
    **{f"body/{kind}": getattr(_BODY, f"add_{kind}")() for kind in ("joint", "geom", "site", "camera", "light")},
    **{f"asset/{kind}": getattr(SPEC, f"add_{kind}")() for kind in ("mesh", "hfield", "skin", "texture", "material")},
    **{path: getattr(SPEC, f"add_{kind}")() for path, kind in (
        ("deformable/flex", "flex"), ("deformable/flex/contact", "flex"), ("deformable/flex/elasticity", "flex"),
        ("contact/pair", "pair"), ("equality/weld", "equality"), ("tendon/spatial", "tendon"), ("actuator/general", "actuator"),
        ("sensor/touch", "sensor"), ("keyframe/key", "key"),
    )},
}  # fmt: skip
NUMBERS = sorted((path, a.name) for path, thing in OBJECTS.items() for a in DECLARED[path].attributes.values()
                 if a.kind in ("int", "real", "bool", "bytes") and a.default is not None and hasattr(thing, a.name)
                 and (path, a.name) != ("compiler", "strippath"))  # fmt: skip


@pytest.mark.parametrize(("path", "name"), NUMBERS)
def test_numeric_defaults_are_those_of_the_reference(path, name):
    # Some of the reference's fields are float32, so equality is to its precision.
    ours, theirs = DECLARED[path].attributes[name].default, getattr(OBJECTS[path], name)
    assert np.asarray(theirs, dtype=float).shape == np.asarray(ours, dtype=float).shape
    assert np.allclose(np.asarray(theirs, dtype=float), np.asarray(ours, dtype=float), rtol=1e-7, atol=0)


def test_flags_are_enabled_and_disabled_as_in_the_reference():
    words = {a.name: a.default for a in find("option/flag").attributes.values()}
    for name, word in words.items():
        written = mujoco.MjSpec.from_string(f'<mujoco><option><flag {name}="{word}"/></option></mujoco>')
        assert (written.option.disableflags, written.option.enableflags) == (0, 0), name


def test_describe_tells_what_is_valid_in_an_element():
    text = describe("worldbody/body/geom")
    assert "  size: 1 to 3 numbers, default 0 0 0" in text
    assert "  type: one of plane, hfield, sphere" in text
    assert "  material: the name of a material" in text
    assert "  holds <plugin>" in text
    with pytest.raises(KeyError, match=r"no <knee> in <body>; valid: .*joint"):
        find("worldbody/body/knee")


def test_invalid_schema_declaration_raises():
    with pytest.raises(ValueError, match="not a declaration"):
        rule("x", "*", "size  numbers 3")
    with pytest.raises(KeyError, match="siez"):
        without("size real", "siez")
