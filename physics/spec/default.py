"""Default classes of a spec: what an element begins with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.mjcf.spec import tree_of
from tumble.physics.spec.element import references
from tumble.physics.spec.fields import text_of
from tumble.physics.spec.part import Owner, become
from tumble.physics.state.arguments import checked

if TYPE_CHECKING:
    from tumble.physics.spec.element import MjsElement


# What a default class holds, by the fields of MjsDefault.
KINDS = ("joint", "geom", "site", "camera", "light", "flex", "mesh", "material", "pair", "equality", "tendon", "actuator")


class MjsDefault:
    """A default class: `geom`, `joint`, ... are elements whose values others of the class begin with.

    It begins as a copy of the class it is in. Changing it does not change elements that are there already.
    """

    __slots__ = ("_children", "_name", "_parent", "_parts", "_spec")

    def __init__(self, spec: Owner, name: str, parent: MjsDefault | None, makers: dict[str, type[MjsElement]]) -> None:
        self._spec: Owner | None = spec
        self._name, self._parent = name, parent
        self._children: list[MjsDefault] = []
        self._parts: dict[str, Any] = {}
        for kind in KINDS:
            part = makers[kind](spec)
            if parent is not None:
                become(part, parent._parts[kind])
            part.entry.default = self
            self._parts[kind] = part

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
        _owner(self).contents.defaults.rename(self, _checked_name(value))

    @property
    def exists(self) -> bool:
        """True unless it was deleted from its spec."""
        return self._spec is not None

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


class Defaults:
    """The default classes of a spec, by name; main: the outermost one."""

    def __init__(self, spec: Owner, makers: dict[str, type[MjsElement]]) -> None:
        self._spec, self._makers = spec, makers
        self.main = MjsDefault(spec, "main", None, makers)
        self._by_name: dict[str, MjsDefault] = {"main": self.main}

    def find(self, name: str) -> MjsDefault | None:
        """The class of a name; None if it is missing."""
        return self._by_name.get(name)

    def add(self, name: str, parent: MjsDefault | None = None) -> MjsDefault:
        """Add a class in another one, else in the outermost. Raises ValueError for a name that is taken."""
        if _checked_name(name) in self._by_name:
            raise MisfitError(f"Error: repeated default class name '{name}'")
        above = self.main if parent is None else parent
        self.check(above)
        default = MjsDefault(self._spec, name, above, self._makers)
        above._children.append(default)
        self._by_name[name] = default
        return default

    def check(self, default: Any) -> None:
        """Raise TypeError or ValueError for what is no default class of this spec."""
        if not isinstance(default, MjsDefault):
            raise ArgumentError(f"a default class should be a MjsDefault, not {quoted(default)}")
        if _owner(default) is not self._spec:
            raise MisfitError(f'default class "{default._name}" belongs to another spec')

    def rename(self, default: MjsDefault, name: str) -> None:
        """Give a class another name, also where bodies and frames name it. Raises ValueError for a name that is taken."""
        if self._by_name.get(name, default) is not default:
            raise MisfitError(f"Error: repeated default class name '{name}'")
        before = default._name
        del self._by_name[before]
        default._name = name
        self._by_name[name] = default
        for element in self._spec.every():
            if "childclass" in element.structure.fields and element.value("childclass") == before:
                element.childclass = name

    def delete(self, default: MjsDefault) -> None:
        """Remove a class with those in it; their elements are then in the class around it."""
        self.check(default)
        if default is self.main:
            raise MisfitError("the outermost default class cannot be deleted")
        assert default._parent is not None
        default._parent._children = [other for other in default._parent._children if other is not default]
        removed = set(tree_of(default))
        for one in removed:
            del self._by_name[one._name]
            one._spec = None
        for element in self._spec.every():
            if element.entry.default in removed:
                element.entry.default = default._parent

    def copy(self, other: Defaults) -> dict[int, Any]:
        """Become equal to the classes of another spec; returns the copy of each class and element, by the original's identity."""
        self.main._name, self._by_name = other.main._name, {other.main._name: self.main}
        twins: dict[int, Any] = {}
        pending = [(other.main, self.main)]
        while pending:
            original, twin = pending.pop(0)
            twins[id(original)] = twin
            for kind, part in twin._parts.items():
                become(part, original._parts[kind])
                twins[id(original._parts[kind])] = part
            pending += [(child, self.add(child._name, twin)) for child in original._children]
        return twins

    def take_over(self, other: Defaults, rename: Callable[[str], str]) -> None:
        """Move the classes of another spec into the outermost one, under names that are free; rename: gives the new names."""
        if other.main._spec is self._spec:
            return
        for one in tree_of(other.main):
            name = shown = rename(one._name)
            k = 1
            while name in self._by_name:
                name, k = f"{shown}{k}", k + 1
            one._name, one._spec = name, self._spec
            self._by_name[name] = one
            for part in one._parts.values():
                part.entry.spec = self._spec
                for reference in references(part):
                    reference.rename(rename(reference.name))
        other.main._parent = self.main
        self.main._children.append(other.main)


def _owner(default: MjsDefault) -> Owner:
    """The spec that a class belongs to. Raises ValueError if it was deleted."""
    if default._spec is None:
        raise MisfitError("this MjsDefault was deleted from its spec")
    return default._spec


def _checked_name(name: Any) -> str:
    if not text_of(name, "the name of a default class"):
        raise ArgumentError("a default class needs a name, a text that is not empty")
    return str(name)


def _part(kind: str) -> property:
    def read(self: MjsDefault) -> Any:
        _owner(self)
        return self._parts[kind]

    return property(read, doc=f"What a {kind} of this class begins with.")


for _kind in KINDS:
    setattr(MjsDefault, _kind, _part(_kind))
