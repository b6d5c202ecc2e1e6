"""Output of the reader: typed elements with places in the text and the settings they are read by, and errors at such places."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar, TypeVar

from msgspec import Struct, field

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import notes


class CompilerSettings(Struct, frozen=True):
    """Settings of `<compiler>`; see MJCF's reference for each attribute.

    folder: that of the model's file, as seen from the main one's; "" for the main file itself.
    """

    autolimits: bool = True
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    balanceinertia: bool = False
    discardvisual: bool = False
    fusestatic: bool = False
    alignfree: bool = False
    angle_unit: float = math.pi / 180  # radians in one unit of the file's angles
    eulerseq: str = "xyz"
    inertiafromgeom: str = "auto"
    inertiagrouprange: tuple[int, int] = (0, 5)
    meshdir: str = ""
    texturedir: str = ""
    strippath: bool = False
    fitaabb: bool = False  # primitives are fitted to a mesh's box, not to its inertia
    folder: str = ""

    def angle(self, value: float) -> float:
        """An angle of the file in radians."""
        return self.angle_unit * value


DEFAULT_SETTINGS = CompilerSettings()


T = TypeVar("T")

# Elements of which nothing but the picture depends.
LOOKS = frozenset({"texture", "material", "skin"})


class Where(Struct, frozen=True):
    """A place in a model's text; prints as `file:line:column`.

    offset: of the tag in the file's bytes.
    """

    file: str
    line: int
    column: int
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class PlacedError(MjcfError):
    """An error at a place, or several: then the message has a line for each, and the rest is that of the first.

    where: the place, None where it is not known. errors: each error, in the order of the file; of a single one, itself.
    names_line: whether the message ends with "line 4" too, which tools for the reference search for.
    """

    names_line: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        looks: tuple[str, ...] = (),
        element: object = None,
        what: str = "",
        where: Where | None = None,
        errors: tuple[PlacedError, ...] = (),
    ) -> None:
        super().__init__(message, looks, element, what)
        self.where = where
        self.errors = errors or (self,)

    def __str__(self) -> str:
        text = super().__str__()
        if not self.names_line or self.where is None or len(self.errors) > 1:  # several have each their own
            return text
        return f"{text}\nline {self.where.line}"

    @property
    def place(self) -> str:
        """Place as `file:line:column`; "" if unknown."""
        return "" if self.where is None else str(self.where)


def each_of(error: MjcfError) -> tuple[PlacedError, ...]:
    """The errors that one stands for."""
    if isinstance(error, PlacedError):
        return error.errors
    return (PlacedError(str(error), error.looks, error.element, error.what),)


class Element(Struct):
    """One MJCF element after includes and default classes are resolved.

    attributes: values by name, converted as the schema declares: float, int, bool, str (keywords and
    names), tuple of str (lists of keywords or names), float64 array, or int64 array; written on the element
    or inherited from its default class. Arrays are read-only; a list shorter than the most the schema allows
    is filled from the inherited value, else from the schema's default, as the reference does.
    given: names of the attributes written on the element itself.
    schema_defaults: values the schema declares for what is neither written nor inherited.
    actuator_steps: for actuators alone, (tag, values) of each default that applies, outermost class first,
    and of the element itself, last; see physics/mjcf/defaults.py for why merging is not enough there.
    settings: how its values are to be understood: the <compiler> of the model file that it came from.
    """

    tag: str
    where: Where
    attributes: dict[str, Any] = field(default_factory=dict)
    given: frozenset[str] = frozenset()
    children: list[Element] = field(default_factory=list)
    schema_defaults: dict[str, Any] = field(default_factory=dict)
    actuator_steps: tuple[tuple[str, dict[str, Any]], ...] = ()
    settings: CompilerSettings = DEFAULT_SETTINGS

    def get(self, name: str, otherwise: Any = None) -> Any:
        """The value written or inherited, else the schema's default, else `otherwise`."""
        if name in self.attributes:
            return self.attributes[name]
        value = self.schema_defaults.get(name)
        return otherwise if value is None else value

    def has(self, name: str) -> bool:
        """True if the value was written or inherited (not merely a schema default)."""
        return name in self.attributes

    def all(self, *tags: str) -> Iterator[Element]:
        """The children with one of these tags, in document order."""
        return (child for child in self.children if child.tag in tags)

    def error(self, what: str) -> MjcfError:
        """An error at this element, to be raised: `file:line:column: <tag> what`."""
        looks = (str(self.where),) if self.tag in LOOKS else ()
        return PlacedError(f"{self.where}: <{self.tag}> {what}", looks, self, what, self.where)

    def warn(self, what: str) -> None:
        """Note what is odd about this element, and how it is understood: a model that loads all the same."""
        notes.add(f"{self.where}: <{self.tag}> {what}")


def tree_of(root: T) -> Iterator[T]:
    """Iterate over a node or element and all in it, in document order, with its own stack: files nest deeper than calls may."""
    pending: list[Any] = [root]
    while pending:
        one = pending.pop()
        yield one
        pending += reversed(one.children)
