"""The grammar resources/mjcf.rng, written from the schema: RELAX NG, by which editors complete and check MJCF.

It says of each element what it may hold and of each attribute its type, its count of numbers and its words. What only the
reader can tell is left to it: whether names are known, files are there, and attributes that exclude each other in groups
that overlap.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lxml import etree

from tumble.physics.mjcf.schema import INCLUDE, MUJOCO, Attribute, ElementRule
from tumble.physics.mjcf.schema.grammar import SUPPORTED, Status, show_value

NAMESPACE = "http://relaxng.org/ns/structure/1.0"
_DATATYPES = "http://www.w3.org/2001/XMLSchema-datatypes"
_ANNOTATIONS = "http://relaxng.org/ns/compatibility/annotations/1.0"

HEAD = " Written by `make docs` from physics/mjcf/schema: edit that. MJCF as MuJoCo 3.5.0 reads it. "
# Numbers that C reads and XML Schema does not have.
_MORE_REALS = r"[+\-]?([iI][nN][fF]([iI][nN][iI][tT][yY])?|0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][+\-]?[0-9]+)?)"
_BYTES = r"\s*(-1|[0-9]{1,18}[KMGTPEkmgtpe]?)\s*"

Pattern = etree._Element


def grammar() -> str:
    """The text of the grammar."""
    made = _Grammar()
    root = _pattern("grammar", made.start(), *made.elements(), *made.lists(), _real(), datatypeLibrary=_DATATYPES)
    etree.indent(root)
    text: str = etree.tostring(root, encoding="unicode")
    return f"<!--{HEAD}-->\n{text}\n"


class _Grammar:
    """A definition for each rule of the schema, and the references between them."""

    def __init__(self) -> None:
        self._rules: dict[str, ElementRule] = {}
        self._names: dict[int, str] = {}  # of the definitions, by the rules' identities
        self._collect("", INCLUDE)
        self._collect("", MUJOCO)

    def _collect(self, holder: str, rule: ElementRule) -> None:
        if id(rule) in self._names:
            return
        name = f"{holder}.{rule.tag}".removeprefix(".").removeprefix("mujoco.")
        self._names[id(rule)] = name
        self._rules[name] = rule
        for child in rule.children.values():
            self._collect(name if holder else rule.tag, child)

    def start(self) -> Pattern:
        """Root of a file: a model, or a part that others include."""
        parts = [name for name, rule in self._rules.items() if rule is not MUJOCO]
        part = _pattern("element", _pattern("zeroOrMore", _choice([_ref(name) for name in parts])), name="mujocoinclude")
        return _pattern("start", _choice([_ref(self._names[id(MUJOCO)]), part]))

    def elements(self) -> list[Pattern]:
        """A definition for each rule."""
        return [_pattern("define", self._element(rule), name=name) for name, rule in self._rules.items()]

    def lists(self) -> list[Pattern]:
        """A definition for each kind of number and how many of it there may be."""
        numbers = [a for rule in self._rules.values() for a in rule.attributes.values() if a.kind in ("int", "real")]
        found = {_list_name(a): _lists(partial(_number, a.kind), a.low, a.high) for a in numbers}
        return [_pattern("define", lists, name=name) for name, lists in sorted(found.items())]

    def _element(self, rule: ElementRule) -> Pattern:
        about = [] if rule.status == SUPPORTED else [_documentation(_told(rule.status))]
        made = _pattern("element", *about, *_attributes(rule), *self._children(rule), name=rule.tag)
        if len(made) == len(about):
            made.append(_pattern("empty"))
        return made

    def _children(self, rule: ElementRule) -> list[Pattern]:
        """The children, in any order; those that may occur once, once."""
        if not rule.children:
            return []
        # Bodies nest deeply, and validators that try one order after the other would take ages to refuse one that is wrong.
        deep = "body" in rule.children
        once = [child for child in rule.children.values() if child.occurs == "?" and not deep]
        many = [self._names[id(child)] for child in [*rule.children.values(), INCLUDE] if child not in once]
        any_number = _pattern("zeroOrMore", _choice([_ref(name) for name in many]))
        at_most_once = [_pattern("optional", _ref(self._names[id(child)])) for child in once]
        return [_pattern("interleave", *at_most_once, any_number)] if once else [any_number]


def _attributes(rule: ElementRule) -> list[Pattern]:
    """The attributes; of those that exclude each other one, of those that belong together both or none."""
    made = {name: _attribute(attribute) for name, attribute in rule.attributes.items()}
    patterns: list[Pattern] = []
    groups = [(group, "exclusive") for group in rule.exclusive] + [(pair, "together") for pair in rule.together]
    groups += [(group, "exactly") for group in rule.exactly]
    for group, kind in groups:
        alone = all(not set(group) & set(other) for other, _ in groups if other is not group)
        if alone and not any(rule.attributes[name].required for name in group):
            inside = [made.pop(name) for name in group]
            joined = _pattern("group" if kind == "together" else "choice", *inside)
            patterns.append(joined if kind == "exactly" else _pattern("optional", joined))
    for name, pattern in made.items():
        patterns.append(pattern if rule.attributes[name].required else _pattern("optional", pattern))
    return patterns


def _attribute(attribute: Attribute) -> Pattern:
    default = "" if attribute.default is None else f"; default {show_value(attribute.default)}"
    status = "" if attribute.status == SUPPORTED else f"; {_told(attribute.status)}"
    about = _documentation(f"{attribute.describe()}{default}{status}")
    return _pattern("attribute", about, *_value(attribute), name=attribute.name)


def _told(status: Status) -> str:
    return f"{' '.join([status.level, ', '.join(status.words)]).strip()}: {status.why}"


def _value(attribute: Attribute) -> list[Pattern]:
    """Pattern of an attribute's text; empty for any text."""
    kind = attribute.kind
    words = ("true", "false") if kind == "bool" else attribute.words
    if kind in ("int", "real"):
        return [_ref(_list_name(attribute))]
    if kind in ("bool", "keys"):
        return [_one_of(words)]
    if kind == "flags":
        return [_pattern("list", *(_pattern("optional", _one_of((word,))) for word in words))]
    if kind == "set":
        return [_pattern("list", _pattern("zeroOrMore", _one_of(words)))]
    if kind == "words":
        return [_lists(partial(_one_of, words), 1, 3)]
    if kind in ("pattern", "bytes"):
        return [_text(attribute.pattern or _BYTES)]
    return []


def _list_name(attribute: Attribute) -> str:
    counts = dict.fromkeys(["any" if count is None else str(count) for count in (attribute.low, attribute.high)])
    return f"{attribute.kind}.{'-'.join(counts)}"


def _lists(make: Callable[[], Pattern], low: int, high: int | None) -> Pattern:
    """Lists of so many; each length by itself, as some validators lose their way in parts that may be left out."""
    if high is None:
        return _pattern("list", *(make() for _ in range(low - 1)), _pattern("oneOrMore", make()))
    return _choice([_pattern("list", *(make() for _ in range(count))) for count in range(low, high + 1)])


def _number(kind: str) -> Pattern:
    return _ref("real") if kind == "real" else _pattern("data", type="int")


def _one_of(words: tuple[str, ...]) -> Pattern:
    return _choice([_pattern("value", word, type="string") for word in words])


def _choice(patterns: list[Pattern]) -> Pattern:
    return patterns[0] if len(patterns) == 1 else _pattern("choice", *patterns)


def _ref(name: str) -> Pattern:
    return _pattern("ref", name=name)


def _text(pattern: str) -> Pattern:
    return _pattern("data", _pattern("param", pattern, name="pattern"), type="string")


def _real() -> Pattern:
    """A number as the reader takes it."""
    return _pattern("define", _choice([_pattern("data", type="double"), _text(_MORE_REALS)]), name="real")


def _documentation(text: str) -> Pattern:
    made = etree.Element(f"{{{_ANNOTATIONS}}}documentation")
    made.text = text
    return made


def _pattern(tag: str, *inside: Pattern | str, **attributes: str) -> Pattern:
    """An element of RELAX NG; inside: other elements, or its text."""
    spaces = {None: NAMESPACE, "a": _ANNOTATIONS}
    made = etree.Element(f"{{{NAMESPACE}}}{tag}", attributes, nsmap=spaces)  # type: ignore[arg-type]  # None is the default one
    for part in inside:
        if isinstance(part, str):
            made.text = part
        else:
            made.append(part)
    return made
