"""The language in which the structures of a spec are declared: a field for each attribute, and a line of text for what differs.

Each attribute of the element's rule in the schema of MJCF, and of the rules inside it that are given, is a field of its name;
size, default and the kind of object named are those of the schema, and `SpecField.decoded` and `encoded` convert values both
ways. A line tells of a field that has another name or kind, or no attribute: `name[,name,...] [kind [size]] [= default]
[: attribute]`. The attribute is by itself that of the field's name, and the kind that of the attribute. A line `- name ...` tells
of attributes that are no fields. How those and fields without attribute go with a file stands in the class, in
physics/spec/elements.

Kinds:

    double, float, int, byte   numbers as the reference stores them; a size makes an array; byte is 0 or 1
    mjtX                       a member of that enumeration; its default without the prefix
    string                     text; "" if not set
    ref [KIND]                 the name of another object; `@field`: of the kind that a field of this structure holds
    doubles, floats, ints      lists of any length
    strings, refs [KIND]       lists of texts, of names; with a size, always so many
    chars N                    so many letters
    lists                      a list of lists of numbers
    bytes                      a buffer
    orientation, plugin        structures inside this one

A default of `nan` stands in the first number of an array that is not set.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble.physics.errors import MisfitError
from tumble.physics.mjcf.schema import Attribute, ElementRule
from tumble.physics.mjcf.schema.grammar import ORIENTATIONS
from tumble.physics.state import enums

NUMBERS = {"double": np.float64, "float": np.float32, "int": np.int32, "byte": np.int32}
LISTS = {"doubles": np.float64, "floats": np.float32, "ints": np.int32}

# Lines that several structures share.
POSE = "alt orientation\n"
LIMITS = """
    solref_limit     : solreflimit
    solimp_limit     : solimplimit
    solref_friction  : solreffriction
    solimp_friction  : solimpfriction
    actfrclimited    : actuatorfrclimited
    actfrcrange      : actuatorfrcrange
"""
PLUGIN = "plugin_name string\nactive byte\n"
INFO = "info string\n"  # of every element

# The kinds of fields for those of attributes, "string" for others, and attributes of elements that are otherwise held.
_KINDS = {"real": "double", "bool": "byte", "ref": "ref", "refs": "refs"} | dict.fromkeys(("int", "bytes", "keys", "set"), "int")
_APART = frozenset({"name", "class", *ORIENTATIONS[1:]})


class Words:
    """The keywords of an attribute as numbers: members of an enumeration, or places in the list of words."""

    def __init__(self, words: tuple[str, ...], enum: type[IntEnum] | None) -> None:
        self._words, self._enum = words, enum

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        if self._enum is None:
            return {word: k for k, word in enumerate(self._words)}
        numbers: dict[str, int] = {}
        for word in self._words:  # of mjSLEEP_AUTO_NEVER and mjSLEEP_NEVER, the shorter is `never`
            members = [member for member in self._enum if member.name.lower().endswith(f"_{word.lower()}")]
            numbers[word] = min(members, key=lambda member: len(member.name))
        return numbers

    @cached_property
    def words(self) -> dict[int, str]:
        """The word of each number."""
        return {int(number): word for word, number in self.numbers.items()}


class SpecField(Struct, frozen=True):
    """One field of a structure.

    kind: see above; an enumeration's is "enum". size: how many numbers, texts or letters; 0 for one by itself or a list of any
    length. refers: the kind of object that is named. attribute: of MJCF, None if no single one holds the value. words: its
    keywords. default: never to be changed.
    """

    name: str
    kind: str
    size: int = 0
    default: Any = None
    attribute: Attribute | None = None
    words: Words | None = None
    refers: str = ""
    enum: type[IntEnum] | None = None

    def fresh(self) -> Any:
        """The default, as a value of its own."""
        return self.default.copy() if isinstance(self.default, np.ndarray | list) else self.default

    def is_default(self, value: Any) -> bool:
        """True if a value is the one of a field that is not set."""
        return same(value, self.default)

    def decoded(self, value: Any) -> Any:
        """The field's value for that of the attribute, as the reader gives it."""
        assert self.attribute is not None
        if self.attribute.kind in ("set", "refs"):
            return sum(1 << self.words.numbers[word] for word in value) if self.words else list(value)
        if self.words is not None:
            number = self.words.numbers[value]
            return self.enum(number) if self.enum else float(number) if self.kind == "double" else number
        if self.enum is not None:
            return self.enum(int(value))
        if self.kind in LISTS:
            return np.array(value, LISTS[self.kind]).reshape(-1)
        if self.kind in NUMBERS and self.size:
            whole = self.fresh()
            numbers = np.atleast_1d(value)
            whole[: len(numbers)] = numbers
            return whole
        if self.kind in NUMBERS:
            return int(value) if self.kind in ("int", "byte") else float(np.float32(value) if self.kind == "float" else value)
        return str(value)

    def encoded(self, value: Any) -> Any:
        """The attribute's value for that of the field, in the type that the reader gives it.

        Raises MisfitError for a number that is no word.
        """
        assert self.attribute is not None
        if self.attribute.kind in ("set", "refs"):
            return tuple(value) if self.words is None else tuple(w for k, w in self.words.words.items() if value >> k & 1)
        if self.words is not None:
            if not math.isfinite(value) or int(value) not in self.words.words:
                valid = ", ".join(f"{number}: {word}" for number, word in self.words.words.items())
                raise MisfitError(f"{self.name} is {value:g}, which is not valid; valid: {valid}")
            return self.words.words[int(value)]
        if self.attribute.kind == "bool":
            return bool(value)
        if isinstance(value, np.ndarray):
            return value.astype(np.int64 if self.attribute.kind == "int" else np.float64)
        if self.attribute.kind == "int":
            return int(value)
        return float(value) if self.attribute.kind == "real" else value


def same(a: Any, b: Any) -> bool:
    """True if two values of a field are the same to the last bit; not a number equals itself, and 0 is not -0."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        both = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        if both and a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes():
            return True
        alike = np.shape(a) == np.shape(b) and bool(np.array_equal(a, b, equal_nan=True))
        return alike and bool((np.signbit(a) == np.signbit(b)).all())
    if isinstance(a, float) and isinstance(b, float):
        return (a == b and math.copysign(1.0, a) == math.copysign(1.0, b)) or (a != a and b != b)
    return bool(a == b)


class Structure(Struct, eq=False, dict=True):
    """The fields of one kind of element.

    kind: of the objects that it describes, as the schema of MJCF calls them; "" for parts of others.
    rules: the rules of its elements in a file, the first of which is the one to be written where nothing decides.
    """

    kind: str
    fields: dict[str, SpecField]
    rules: tuple[ElementRule, ...] = ()

    @cached_property
    def coded(self) -> dict[str, SpecField]:
        """The fields that an attribute holds, by the name of that attribute."""
        return {field.attribute.name: field for field in self.fields.values() if field.attribute is not None}


def declare(kind: str, table: str, *rules: ElementRule) -> Structure:
    """A structure of the first rule's attributes and the table's lines. Raises ValueError for a line that is no declaration."""
    lines = [" ".join(line.split()) for line in table.splitlines() if line.strip()] + [INFO.strip()] * bool(kind)
    apart = {name for line in lines if line.startswith("- ") for name in line.split()[1:]}
    held = {line.partition(" : ")[2] for line in lines}
    attributes: dict[str, Attribute] = {}
    for rule in reversed(rules):
        attributes |= {name: attribute for name, attribute in rule.attributes.items() if name not in apart}
    fields = [field for line in lines if not line.startswith("- ") for field in _fields(line, attributes, held)]
    held |= {field.attribute.name for field in fields if field.attribute is not None} | _APART
    for rule in rules:
        if rule is rules[0] or rule in rules[0].children.values():
            more = (name for name in rule.attributes if name in attributes and name not in held)
            fields += [_field("userdata" if name == "user" else name, [], "", attributes[name]) for name in more]
    return Structure(kind, {f.name: f for f in fields}, rules)


def _fields(line: str, attributes: dict[str, Attribute], held: set[str]) -> Iterator[SpecField]:
    body, colon, holder = line.partition(" : ")
    head, _, default = body.partition(" = ")
    names, *rest = head.split()
    if colon and holder not in attributes:
        raise ValueError(f"not a declaration of a field: {line}")
    for name in names.split(","):
        attribute = attributes.get(holder or ("" if name in held else name))
        yield _field(name, rest, default, attribute)


def _field(name: str, rest: list[str], default: str, attribute: Attribute | None) -> SpecField:
    words, refers, enum = None, "", None
    if not rest:
        assert attribute is not None
        rest = [_KINDS.get(attribute.kind, "string") + "s" * (attribute.high is None)]
    kind, *rest = rest
    if kind in ("ref", "refs"):
        refers, *rest = [attribute.refers] if attribute is not None else rest
        kind = "string" if kind == "ref" else "strings"
    if kind.startswith("mjt"):
        enum, kind = getattr(enums, kind), "enum"
    size = int(rest[0]) if rest else 0
    if attribute is not None:
        words = Words(attribute.words, enum) if attribute.kind in ("keys", "set") else None
        if kind in NUMBERS and attribute.kind in ("int", "real") and not attribute.scalar:
            size = attribute.high or 0
    field = SpecField(name, kind, size, _default(kind, size, default, enum), attribute, words, refers, enum)
    if attribute is None or attribute.default is None or default:
        return field
    whole = field.decoded(attribute.default)
    if isinstance(whole, np.ndarray):
        whole.setflags(write=False)
    return replace(field, default=whole)


def _default(kind: str, size: int, text: str, enum: type[IntEnum] | None) -> Any:
    if kind == "enum":
        assert enum is not None
        return next(member for member in enum if member.name.partition("_")[2] == text) if text else enum(0)
    if kind in NUMBERS and not size:
        if kind in ("int", "byte"):
            return int(text or 0)
        return float(np.float32(text or 0)) if kind == "float" else float(text or 0)
    if kind in NUMBERS:
        values = np.zeros(size, NUMBERS[kind])
        given = np.array(text.split(), float)
        values[: len(given)] = given
        values.setflags(write=False)
        return values
    if kind in LISTS:
        return np.zeros(0, LISTS[kind])
    if kind == "strings":
        return [""] * size
    if kind == "chars":
        return list(text or "." * size)
    return {"lists": [], "bytes": b"", "string": text}.get(kind)
