"""The language in which the schema of MJCF is declared: rules for elements, one line of text per attribute.

A line reads `name type [= default] [!]`, or `name,name,... type ...` for several alike; `!` marks what must be
written. The types:

    name                 the identifier of the element itself
    string, file, class  free text; a file's name; the name of a default class
    ref KIND, refs KIND  the name of another object, or several names; KIND `@attr` says that `attr` holds the kind
    bool                 true or false
    keys a|b|c           one of these words
    flags a|b|c          some of these words, in this order, each once
    set a|b|c            some of these words, in any order, each once
    words a|b|c          up to three of these words
    pattern REGEX        text of this form
    bytes                a count of bytes with an optional suffix K, M, G, T, P or E
    int, real            one number
    int N, real A..B     that many numbers; B may be `*`; `fill` after it: one number stands for all

A line may end in ` -- STATUS: why`, and a rule may have such a `status`, where not all is done that MJCF asks for:

    refused: why         an error at its place where it is written (for an attribute: with another value than the default)
    refused a|b: why     the same, for these words alone
    partly: why          it is read, and not everything follows from it
    ignored: why         it is read, and nothing follows from it

The compiler refuses, and docs/mjcf.md tells, what stands there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from msgspec import Struct, field

from tumble.physics.mjcf.suggest import with_article

ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")


class Status(Struct, frozen=True):
    """Level of support of an attribute or element.

    level: "supported", "partly", "refused" or "ignored". words: the keywords it is about, () for all. why: the reason.
    """

    level: str = "supported"
    words: tuple[str, ...] = ()
    why: str = ""


SUPPORTED = Status()


class Attribute(Struct, frozen=True):
    """Rule of one attribute.

    kind: the first word of its type. low, high: how many numbers, high None for no limit. scalar: a single number,
    not a list of one. words: keywords. refers: the kind of object named. default: the schema's value, or None.
    """

    name: str
    kind: str
    low: int = 1
    high: int | None = 1
    scalar: bool = False
    fill: bool = False
    words: tuple[str, ...] = ()
    pattern: str = ""
    refers: str = ""
    default: Any = None
    required: bool = False
    status: Status = SUPPORTED

    def refuses(self, value: Any) -> bool:
        """True if a value is refused, as read from a file."""
        if self.status.level != "refused":
            return False
        if self.status.words:
            return value in self.status.words
        return self.default is None or not np.array_equal(value, self.default)

    def describe(self) -> str:
        """The type in words, for messages and documentation."""
        if self.kind in ("int", "real"):
            noun = "integer" if self.kind == "int" else "number"
            if self.low == self.high:
                return f"one {noun}" if self.low == 1 else f"{self.low} {noun}s"
            return f"{self.low} or more {noun}s" if self.high is None else f"{self.low} to {self.high} {noun}s"
        if self.kind in ("ref", "refs"):
            one = f"an object of the kind in {self.refers[1:]}" if self.refers.startswith("@") else with_article(self.refers)
            return f"the name of {one}" if self.kind == "ref" else f"names, each of {one}"
        lists = {"keys": "one of", "flags": "some, in this order, of", "set": "some of", "words": "up to 3 of"}
        if self.kind in lists:
            return f"{lists[self.kind]} {', '.join(self.words)}"
        fixed = {"bool": "true or false", "name": "a name", "class": "the name of a default class", "file": "a file name"}
        fixed |= {"string": "text", "pattern": f"text like {self.pattern}", "bytes": "a count of bytes like 10M, or -1"}
        return fixed[self.kind]


class ElementRule(Struct, eq=False):
    """Rule of one element, in one place of the tree.

    occurs: `!` once, `?` at most once, `*` any number, `R` any number and within itself.
    names: the kind of object its name belongs to. defaults: the tag in <default> that sets its defaults.
    exclusive: groups of which at most one attribute may be written. displaces: groups in which an attribute that is
    written sets aside an inherited one. exactly: groups of which one must be written. together: both or none.
    """

    tag: str
    occurs: str
    attributes: dict[str, Attribute] = field(default_factory=dict)
    children: dict[str, ElementRule] = field(default_factory=dict)
    names: str = ""
    defaults: str = ""
    exclusive: tuple[tuple[str, ...], ...] = ()
    displaces: tuple[tuple[str, ...], ...] = ()
    exactly: tuple[tuple[str, ...], ...] = ()
    together: tuple[tuple[str, str], ...] = ()
    schema_defaults: dict[str, Any] = field(default_factory=dict)
    status: Status = SUPPORTED

    def describe(self) -> str:
        """Valid contents of this element: a line for each attribute and one for its children."""
        lines = [f"<{self.tag}>"]
        for a in self.attributes.values():
            value = "" if a.default is None else f", default {show_value(a.default)}"
            lines.append(f"  {a.name}: {a.describe()}{', required' if a.required else value}")
        if self.children:
            lines.append("  holds " + " ".join(f"<{tag}>" for tag in sorted(self.children)))
        return "\n".join(lines)


def rule(
    tag: str, occurs: str, table: str = "", children: Iterable[ElementRule] = (), status: str = "", **more: Any
) -> ElementRule:
    """A rule from its table of attributes; status: as after ` -- ` of a line; `more` sets the other fields.

    Elements that can be oriented get the exclusion of the five forms of orientation by themselves.
    Raises ValueError for a line that is no declaration.
    """
    attributes = {a.name: a for a in _parse_table(table)}
    made = ElementRule(tag, occurs, attributes, {c.tag: c for c in children}, status=_status(status), **more)
    if "axisangle" in attributes:
        made.exclusive += (tuple(a for a in ORIENTATIONS if a in attributes),)
        made.displaces += (ORIENTATIONS[1:],)
    made.schema_defaults = {a.name: a.default for a in attributes.values() if a.default is not None}
    return made


def only(table: str, names: str) -> str:
    """Attributes of a table, in the order of these names. Raises KeyError for a name that is not there."""
    known = _by_name(table)
    return "\n".join(known[name] for name in names.split())


def without(table: str, *names: str) -> str:
    """A table less the attributes of these names. Raises KeyError for a name that is not there."""
    known = _by_name(table)
    for name in names:
        del known[name]
    return "\n".join(known.values())


def _by_name(table: str) -> dict[str, str]:
    """The declaration of each attribute by itself."""
    parts = [line.partition(" ") for line in _lines(table)]
    return {name: f"{name} {rest}" for names, _, rest in parts for name in names.split(",")}


def _lines(table: str) -> Iterator[str]:
    return (" ".join(line.split()) for line in table.splitlines() if line.strip())


def _parse_table(table: str) -> Iterator[Attribute]:
    for line in _lines(table):
        line, _, status = line.partition(" -- ")
        required = line.endswith(" !")
        body, _, default = line.removesuffix(" !").partition(" = ")
        names, kind, *rest = body.split()
        for name in names.split(","):
            yield _attribute(name, kind, rest, default, required, _status(status), line)


def _status(text: str) -> Status:
    if not text:
        return SUPPORTED
    head, _, why = text.partition(": ")
    level, _, words = head.partition(" ")
    if level not in ("partly", "refused", "ignored") or not why:
        raise ValueError(f"not a status: {text}")
    return Status(level, tuple(filter(None, words.split("|"))), why)


def _attribute(
    name: str, kind: str, rest: list[str], default: str, required: bool, status: Status, line: str
) -> Attribute:
    low, fill, scalar, pattern, refers = 1, False, False, "", ""
    high: int | None = 1
    words: tuple[str, ...] = ()
    if kind in ("int", "real"):
        scalar = not rest
        if rest:
            first, _, last = rest[0].partition("..")
            low, high = int(first), (None if last == "*" else int(last or first))
            fill = rest[1:] == ["fill"]
    elif kind in ("keys", "flags", "set", "words"):
        words = tuple(rest[0].split("|"))
    elif kind == "pattern":
        pattern = rest[0]
    elif kind in ("ref", "refs"):
        refers = rest[0]
    elif kind not in ("name", "string", "file", "class", "bool", "bytes") or rest:
        raise ValueError(f"not a declaration of an attribute: {line}")
    value = _default(kind, scalar, default)
    return Attribute(name, kind, low, high, scalar, fill, words, pattern, refers, value, required, status)


def _default(kind: str, scalar: bool, text: str) -> Any:
    """The value of a default's text, in the type that the reader gives to written values."""
    if not text:
        return None
    if kind in ("int", "bytes") and (scalar or kind == "bytes"):
        return int(text)
    if kind == "real" and scalar:
        return float(text)
    if kind in ("int", "real"):
        array = np.array(text.split(), dtype=np.int64 if kind == "int" else np.float64)
        array.setflags(write=False)
        return array
    if kind == "bool":
        return {"true": True, "false": False}[text]
    return tuple(text.split()) if kind in ("flags", "set", "words", "refs") else text


def show_value(value: Any) -> str:
    """A value as a file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, np.ndarray | tuple):
        return " ".join(f"{v:g}" if isinstance(v, float | int | np.number) else str(v) for v in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
