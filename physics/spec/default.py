"""Default classes of a spec: what an element begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tumble.physics.errors import ArgumentError, MisfitError
from tumble.physics.spec.fields import text_of
from tumble.physics.spec.table import DEFAULTS
from tumble.physics.state.arguments import checked

if TYPE_CHECKING:
    from tumble.physics.spec.element import MjsElement
    from tumble.physics.spec.spec import MjSpec


class MjsDefault:
    """A default class: `geom`, `joint`, ... are elements whose values others of the class begin with.

    It begins as a copy of the class it is in. Changing it does not change elements that are there already.
    """

    __slots__ = ("_children", "_name", "_parent", "_parts", "_spec")

    def __init__(self, spec: MjSpec, name: str, parent: MjsDefault | None, makers: dict[str, type[MjsElement]]) -> None:
        self._spec: MjSpec | None = spec
        self._name, self._parent = name, parent
        self._children: list[MjsDefault] = []
        self._parts: dict[str, Any] = {}
        for kind in DEFAULTS:
            made = makers[kind](spec)
            if parent is not None:
                made._take(parent._parts[kind])
            made._class = self
            self._parts[kind] = made

    if TYPE_CHECKING:  # the table has them

        def __getattr__(self, name: str) -> Any: ...

    @checked
    def part(self, kind: str) -> MjsElement | None:
        """The element of a kind that others begin with; None for a kind without defaults."""
        return self._parts.get(kind)

    @property
    def name(self) -> str:
        """Name; of the outermost class main, unless the file gives another."""
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        if self._spec is None:
            raise MisfitError("this MjsDefault was deleted from its spec")
        if not text_of(value, "the name of a default class"):
            raise ArgumentError("a default class needs a name, a text that is not empty")
        self._spec._rename_default(self, value)

    @property
    def parent(self) -> MjsDefault | None:
        """The class it is in; None for the outermost."""
        return self._parent

    @property
    def children(self) -> list[MjsDefault]:
        """The classes in it."""
        return list(self._children)

    def __repr__(self) -> str:
        return f'<MjsDefault "{self._name}"{" deleted" if self._spec is None else ""}>'


def _part(kind: str) -> property:
    def read(self: MjsDefault) -> Any:
        if self._spec is None:
            raise MisfitError("this MjsDefault was deleted from its spec")
        return self._parts[kind]

    return property(read, doc=f"What a {kind} of this class begins with.")


for _kind in DEFAULTS:
    setattr(MjsDefault, _kind, _part(_kind))
