"""Mutants of a model's text: small lies about its structure, its numbers and its names, drawn from a seed.

Most mutations work on the tree of elements and know the schema, so that many mutants get past the
reader, to the compiler and the simulation. A few work on the text alone.
"""

import copy
import random
import xml.etree.ElementTree as ET
from collections.abc import Callable

from tumble.physics.mjcf.schema import DEFAULT, MUJOCO, Attribute, ElementRule

EXTREME = (
    "1e300", "-1e300", "1e-300", "-1e-300", "0", "-0", "1", "-1", "2", "1e10", "1e15", "-1e15", "1e-15", "1e100", "1e-100", "0.5",
    "nan", "inf", "-inf", "1e999", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967296",
    "9223372036854775807", "9223372036854775808", "65536", "1000000", "1e5", "", "x", "0x10", "1_0", "1.5",
)  # fmt: skip
STRINGS = (
    "", " ", "a" * 5000, "\u00e9\u4e16\U0001f600", "world", "main", "x y", "-1", "../../../etc/passwd", "\u202e", "%s%n{0}",
    "/dev/zero", "/proc/self/mem", "grid", "torso", "a\tb\nc", "\x7f",
)  # fmt: skip

Tree = ET.Element
Op = Callable[[random.Random, Tree], None]


def mutant(rng: random.Random, text: str) -> str:
    """One to six mutations of a model's text."""
    root = ET.fromstring(text)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3, 5))):
        rng.choices(list(WEIGHTED), list(WEIGHTED.values()))[0](rng, root)
    made = ET.tostring(root, encoding="unicode")
    return _garble(rng, made) if rng.random() < 0.04 else made


def _pairs(root: Tree) -> list[tuple[Tree, Tree]]:
    """Every element but the root, with its parent."""
    return [(parent, child) for parent in root.iter() for child in parent]


def _rules(root: Tree) -> list[tuple[Tree, ElementRule]]:
    """Every element that the schema knows where it stands, with its rule."""
    found, todo = [], [(root, MUJOCO)]
    while todo:
        element, rule = todo.pop()
        found.append((element, rule))
        todo += [(child, rule.children[child.tag]) for child in element if child.tag in rule.children]
    return found


def _number(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return rng.choice(EXTREME)
    return f"{rng.choice((-1, 1)) * rng.random() * 10 ** rng.randint(-4, 4):.4g}"


def _value(rng: random.Random, a: Attribute, root: Tree) -> str:
    """A value of an attribute: mostly of the right form."""
    if a.kind in ("int", "real"):
        count = rng.randint(a.low, a.high if a.high is not None else a.low + 5)
        if rng.random() < 0.1:
            count += rng.choice((-1, 1, 100))
        return " ".join(str(rng.randint(-2, 8)) if a.kind == "int" and rng.random() < 0.7 else _number(rng) for _ in range(count))
    if a.kind in ("keys", "flags", "words") and rng.random() < 0.95:
        return rng.choice(a.words)
    if a.kind == "bool" and rng.random() < 0.95:
        return rng.choice(("true", "false"))
    if a.kind in ("name", "ref", "refs", "class") and rng.random() < 0.9:
        return _name(rng, root)
    return rng.choice(STRINGS + EXTREME)


def _name(rng: random.Random, root: Tree) -> str:
    names = [e.get("name") or e.get("class") or "" for e in root.iter()]
    return rng.choice(sorted(filter(None, names)) or ["none"])


def set_attribute(rng: random.Random, root: Tree) -> None:
    """Give any attribute that is valid somewhere a value."""
    element, rule = rng.choice(_rules(root))
    if rule.attributes:
        a = rng.choice(list(rule.attributes.values()))
        element.set(a.name, _value(rng, a, root))


def change_number(rng: random.Random, root: Tree) -> None:
    """Change one number of a list that is written."""
    held = [(e, name) for e in root.iter() for name, value in e.attrib.items() if any(c.isdigit() for c in value)]
    if held:
        element, name = rng.choice(held)
        words = (element.get(name) or "0").split() or ["0"]
        words[rng.randrange(len(words))] = _number(rng)
        element.set(name, " ".join(words))


def change_count(rng: random.Random, root: Tree) -> None:
    """Drop or add a number."""
    held = [(e, name) for e in root.iter() for name in e.attrib]
    if held:
        element, name = rng.choice(held)
        words = (element.get(name) or "").split()
        element.set(name, " ".join(words[:-1] if rng.random() < 0.5 else words + words[-1:] * rng.choice((1, 3, 1000))))


def drop_attribute(rng: random.Random, root: Tree) -> None:
    """Forget an attribute."""
    held = [e for e in root.iter() if e.attrib]
    if held:
        element = rng.choice(held)
        del element.attrib[rng.choice(sorted(element.attrib))]


def swap_values(rng: random.Random, root: Tree) -> None:
    """Exchange two values, of the same attribute where there are two."""
    held = [(e, name) for e in root.iter() for name in e.attrib]
    if held:
        (e, name), other = rng.choice(held), rng.random() < 0.8
        f, twin = rng.choice([h for h in held if h[1] == name] if other else held)
        e.attrib[name], f.attrib[twin] = f.attrib[twin], e.attrib[name]


def rename(rng: random.Random, root: Tree) -> None:
    """Give something the name of something else, or a strange one."""
    held = [e for e in root.iter() if "name" in e.attrib]
    if held:
        rng.choice(held).set("name", _name(rng, root) if rng.random() < 0.7 else rng.choice(STRINGS))


def drop_element(rng: random.Random, root: Tree) -> None:
    """Forget an element with all in it."""
    parent, child = rng.choice(_pairs(root) or [(root, root)])
    if child is not root:
        parent.remove(child)


def copy_element(rng: random.Random, root: Tree) -> None:
    """Repeat an element, with or without its name."""
    if pairs := _pairs(root):
        parent, child = rng.choice(pairs)
        for _ in range(rng.choice((1, 1, 2, 30)) if len(list(child.iter())) < 20 else 1):
            made = copy.deepcopy(child)
            if rng.random() < 0.9:
                for e in made.iter():
                    e.attrib.pop("name", None)
            parent.insert(rng.randint(0, len(parent)), made)


def move_element(rng: random.Random, root: Tree) -> None:
    """Put an element, or a copy of it, somewhere else."""
    if pairs := _pairs(root):
        parent, child = rng.choice(pairs)
        valid = [e for e, rule in _rules(root) if child.tag in rule.children]
        inside = set(child.iter())
        target = rng.choice(valid if valid and rng.random() < 0.9 else list(root.iter()))
        if target not in inside:
            parent.remove(child)
            target.append(child)


def add_element(rng: random.Random, root: Tree) -> None:
    """Add any element where the schema allows it."""
    places = [(e, rule) for e, rule in _rules(root) if rule.children]
    element, rule = rng.choice(places)
    made = rng.choice(sorted(rule.children))
    child = ET.SubElement(element, made)
    for a in rule.children[made].attributes.values():
        if a.required or rng.random() < 0.15:
            child.set(a.name, _value(rng, a, root))


def set_option(rng: random.Random, root: Tree) -> None:
    """Change what everything depends on."""
    tag = rng.choice(("option", "option", "size", "compiler", "statistic", "flag"))
    rule = MUJOCO.children["option"].children["flag"] if tag == "flag" else MUJOCO.children[tag]
    holder = root
    if tag == "flag":
        holder = ET.SubElement(root, "option")
    a = rng.choice(list(rule.attributes.values()))
    ET.SubElement(holder, tag).set(a.name, _value(rng, a, root))


def nest(rng: random.Random, root: Tree) -> None:
    """Wrap an element into many of a kind."""
    tag, where = rng.choice((("body", "worldbody"), ("frame", "worldbody"), ("default", "default")))
    at = root.find(where)
    if at is not None:
        for k in range(rng.choice((2, 20, 120))):
            made = ET.SubElement(at, tag)
            if tag == "default":
                made.set("class", f"deep{rng.randint(0, 10**9)}.{k}")
            elif tag == "body" and rng.random() < 0.9:
                made.set("pos", "0.1 0 0.05")
                ET.SubElement(made, "joint")
                ET.SubElement(made, "geom", size="0.05")
            at = made


def set_default(rng: random.Random, root: Tree) -> None:
    """Let a default class say something."""
    tag = rng.choice(sorted(DEFAULT.children))
    if rule_attributes := list(DEFAULT.children[tag].attributes.values()):
        a = rng.choice(rule_attributes)
        section = root.find("default")
        section = ET.SubElement(root, "default") if section is None else section
        setting = section.find(tag)
        setting = ET.SubElement(section, tag) if setting is None else setting
        setting.set(a.name, _value(rng, a, root))


def _garble(rng: random.Random, text: str) -> str:
    at, n = rng.randrange(len(text)), rng.randint(1, 200)
    kind = rng.randrange(4)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + text[at + n :]
    if kind == 2:
        return text[:at] + text[at : at + n] * 2 + text[at + n :]
    return text[:at] + rng.choice(("<", ">", "&", '"', "\x01", "]]>", "<!--", "\ufffe", "<!DOCTYPE x>", "<?xml?>")) + text[at:]


WEIGHTED: dict[Op, int] = {
    set_attribute: 10, change_number: 12, change_count: 1, drop_attribute: 3, swap_values: 3, rename: 2, drop_element: 3,
    copy_element: 4, move_element: 4, add_element: 5, set_option: 5, nest: 1, set_default: 4,
}  # fmt: skip
