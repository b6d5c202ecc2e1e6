"""The parts of a spec: lists of elements, names, default classes; adding and deleting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from tumble.physics.compiler.options import mj_defaultOption, mj_defaultVisual
from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.spec import table
from tumble.physics.spec.default import MjsDefault
from tumble.physics.spec.element import MjsElement, assign
from tumble.physics.spec.elements import CLASSES
from tumble.physics.spec.elements.assets import stem
from tumble.physics.spec.elements.tree import HELD, Fixed, MjsBody, MjsFrame, plural
from tumble.physics.spec.fields import text_of
from tumble.physics.spec.names import references
from tumble.physics.spec.part import SpecPart
from tumble.physics.spec.settings import MjsCompiler
from tumble.physics.state.arguments import checked, whole
from tumble.physics.state.model import Model

if TYPE_CHECKING:
    from tumble.physics.spec.spec import MjSpec

# Kinds that no body holds, with the names of their lists.
LISTS = {
    "flex": "flexes", "mesh": "meshes", "skin": "skins", "hfield": "hfields", "texture": "textures", "material": "materials",
    "pair": "pairs", "exclude": "excludes", "equality": "equalities", "tendon": "tendons", "actuator": "actuators",
    "sensor": "sensors", "numeric": "numerics", "text": "texts", "tuple": "tuples", "key": "keys", "plugin": "plugins",
}  # fmt: skip
_RELATIONS = ("pair", "exclude", "equality", "tendon", "actuator", "sensor", "tuple")
_FILES = ("mesh", "texture", "hfield", "skin")


class SpecParts(SpecPart):
    """The elements of a spec, their names and default classes: what can be added, found and deleted."""

    structure = table.SPEC
    __slots__ = ("_assets", "_compiled", "_compiler", "_copies", "_defaults", "_key_states", "_lists", "_main", "_names",
                 "_parent", "_plugins_active", "_settings", "_signature", "_source", "_world", "override_assets")  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self._compiler = MjsCompiler()
        self._settings = Model({})  # holds options, visual settings and statistics
        mj_defaultOption(self._settings.opt)
        mj_defaultVisual(self._settings.vis)
        for name in ("meaninertia", "meanmass", "meansize", "extent", "center"):
            setattr(self._settings.stat, name, float("nan"))
        self._assets: dict[str, Any] = {}
        self._lists: dict[str, list[Any]] = {kind: [] for kind in LISTS}
        self._names: dict[str, dict[str, MjsElement]] | None = {}
        self._parent: SpecParts | None = None
        self._copies = False
        self._signature = self._compiled = 0  # of the model that was compiled last; 0: the elements are others now
        self._source: Any = None  # what it was read from: see load.py
        self._key_states: dict[Any, Any] = {}  # what keyframes say once parts are attached: see attach.py
        self._plugins_active: list[str] = []
        self.override_assets = True
        self._main = MjsDefault(self._me, "main", None, CLASSES)
        self._defaults: dict[str, MjsDefault] = {"main": self._main}
        self._world = MjsBody(self._me)
        self._world._name = "world"

    @property
    def _me(self) -> MjSpec:
        """The spec itself, by the class that all specs have."""
        return cast("MjSpec", self)

    # ---------------------------------------------------------------- parts

    @property
    def worldbody(self) -> MjsBody:
        """The body that holds everything."""
        return self._world

    @property
    def compiler(self) -> MjsCompiler:
        """Compiler settings."""
        return self._compiler

    @property
    def option(self) -> Any:
        """Physics options, as `model.opt`."""
        return self._settings.opt

    @property
    def visual(self) -> Any:
        """Visual settings, as `model.vis`."""
        return self._settings.vis

    @property
    def stat(self) -> Any:
        """Statistics, as `model.stat`; not a number: computed from the model."""
        return self._settings.stat

    @property
    def default(self) -> MjsDefault:
        """The outermost default class."""
        return self._main

    @property
    def parent(self) -> SpecParts | None:
        """The spec that this one is attached to."""
        return self._parent

    @property
    def assets(self) -> dict[str, Any]:
        """Contents of files, bytes or text, by name."""
        return self._assets

    @assets.setter
    def assets(self, value: Mapping[str, Any]) -> None:
        if not isinstance(value, Mapping):
            raise ArgumentError(f"assets should be a dict of names and contents, not {quoted(value)}")
        self._assets = dict(value)

    @property
    def meshdir(self) -> str:
        """The folder of meshes and height fields."""
        return str(self._compiler.meshdir)

    @meshdir.setter
    def meshdir(self, value: str) -> None:
        self._compiler.meshdir = value

    @property
    def texturedir(self) -> str:
        """The folder of textures."""
        return str(self._compiler.texturedir)

    @texturedir.setter
    def texturedir(self, value: str) -> None:
        self._compiler.texturedir = value

    @property
    def strippath(self) -> int:
        """1 if folders in the names of files are ignored."""
        return self._compiler.strippath

    @strippath.setter
    def strippath(self, value: int) -> None:
        self._compiler.strippath = value

    @property
    def copy_during_attach(self) -> bool:
        """True if `attach` takes copies, so that the child stays as it is."""
        return self._copies

    @copy_during_attach.setter
    def copy_during_attach(self, value: bool) -> None:
        self._copies = bool(whole(value, "copy_during_attach"))

    @property
    def _address(self) -> int:
        """A number that no other spec has while this one exists."""
        return id(self)

    def every(self) -> Iterator[MjsElement]:
        """Iterate over all elements but those of default classes: the tree first, then kind by kind."""
        for body in self._world.walk():
            yield body
            for kind in HELD[:-1]:
                yield from body._held[kind]
        for held in self._lists.values():
            yield from held

    def _list(self, kind: str) -> list[Any]:
        if kind in self._lists:
            return list(self._lists[kind])
        if kind == "body":
            return list(self._world.walk())
        return [item for body in self._world.walk() for item in body._held[kind]]

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    # ---------------------------------------------------------------- names

    def _find(self, kind: str, name: str) -> Any:
        """The element of a kind and name; an asset without a name has that of its file. None if there is none."""
        if not isinstance(name, str):
            raise ArgumentError(f"a {kind} is found by its name, a text, not by {quoted(name)}")
        found = self._index(kind).get(name)
        if found is None and kind in _FILES and name:
            unnamed = (e for e in self._lists[kind] if not e._name and e.file and stem(e.file) == name)
            found = next(unnamed, None)
        return found

    def _index(self, kind: str) -> dict[str, MjsElement]:
        """The elements of a kind by name."""
        if self._names is None:
            self._names = {}
        if kind not in self._names:
            self._names[kind] = {element._name: element for element in reversed(self._list(kind)) if element._name}
        return self._names[kind]

    def _check_name(self, element: MjsElement, name: str) -> None:
        kind = element.structure.kind
        if name and self._index(kind).get(name, element) is not element:
            raise MisfitError(f"Error: repeated name '{name}' in {kind}")

    def _rename(self, element: MjsElement, name: str) -> None:
        is_part = isinstance(element, Fixed) and element._body is None and element is not self._world
        if is_part or (element._class is not None and element._class.part(element.structure.kind) is element):
            element._name = name
            return
        self._check_name(element, name)
        index = self._index(element.structure.kind)
        if element._name and index.get(element._name) is element:
            del index[element._name]
        element._name = name
        if name:
            index[name] = element

    def _added(self, made: MjsElement, name: str | None) -> None:
        """Take a new element in, before it is put into its list. Raises ValueError for a name that is taken."""
        if name is not None:
            text_of(name, "name")
        self._check_name(made, name or "")
        made._name = name or ""
        if name:
            self._index(made.structure.kind)[name] = made
        self._signature = 0

    def _number(self, element: MjsElement) -> int:
        if element._id < 0 and element.structure.kind in self._lists:
            held = self._lists[element.structure.kind]
            return next((k for k, other in enumerate(held) if other is element), -1)
        return 0 if element is self._world else element._id

    # ---------------------------------------------------------------- default classes

    @checked
    def find_default(self, name: str) -> MjsDefault | None:
        """The default class of a name; None if there is none."""
        return self._defaults.get(name)

    def add_default(self, name: str, parent: MjsDefault | None = None) -> MjsDefault:
        """Add a default class in another one, else in the outermost. Raises ValueError for a name that is taken."""
        if not text_of(name, "the name of a default class"):
            raise ArgumentError("a default class needs a name, a text that is not empty")
        if name in self._defaults:
            raise MisfitError(f"Error: repeated default class name '{name}'")
        above = self._main if parent is None else parent
        self._check_default(above)
        made = MjsDefault(self._me, name, above, CLASSES)
        above._children.append(made)
        self._defaults[name] = made
        return made

    def _check_default(self, default: Any) -> None:
        if not isinstance(default, MjsDefault):
            raise ArgumentError(f"a default class should be a MjsDefault, not {quoted(default)}")
        if default._spec is None:
            raise MisfitError("this MjsDefault was deleted from its spec")
        if default._spec is not self:
            raise MisfitError(f'default class "{default._name}" belongs to another spec')

    def _rename_default(self, default: MjsDefault, name: str) -> None:
        if self._defaults.get(name, default) is not default:
            raise MisfitError(f"Error: repeated default class name '{name}'")
        before = default._name
        del self._defaults[before]
        default._name = name
        self._defaults[name] = default
        for element in self.every():
            if "childclass" in element.structure.fields and element.value("childclass") == before:
                element.childclass = name

    # ---------------------------------------------------------------- adding

    def _add(self, kind: str, default: MjsDefault | None, fields: dict[str, Any]) -> Any:
        made = CLASSES[kind](self._me)
        if default is not None:
            self._check_default(default)
        made._like(default or self._main)
        assign(made, fields)
        self._added(made, fields.get("name"))
        self._lists[kind].append(made)
        return made

    # ---------------------------------------------------------------- deleting

    def delete(self, element: Any) -> None:
        """Remove an element. With a body goes all that it holds, and what relates it to others: actuators, sensors, ...

        What was in a frame is then in the frame around it, or directly in the body. Elements of a default class that is
        deleted are in the class around it. Raises ValueError for the world, the outermost class, or a part of another spec.
        """
        if isinstance(element, MjsDefault):
            self._delete_default(element)
            return
        if not isinstance(element, MjsElement):
            raise ArgumentError(f"an element of the spec can be deleted, not {quoted(element)}")
        if element._owner() is not self:
            raise MisfitError(f"{quoted(element)} belongs to another spec")
        if element is self._world:
            raise MisfitError("the world cannot be deleted")
        if isinstance(element, MjsBody):
            gone = [item for body in element.walk() for item in (body, *(x for k in HELD[:-1] for x in body._held[k]))]
            self._drop(element)
            self._delete_relations(gone)
            for item in gone:
                item._spec = None
        else:
            if isinstance(element, MjsFrame):
                for member in element.members():
                    member._frame = element._frame
            self._drop(element)
        self._names, self._signature = None, 0

    def _drop(self, element: MjsElement) -> None:
        """Take an element out of its list."""
        kind = element.structure.kind
        if isinstance(element, Fixed):
            if element._body is None:
                raise MisfitError("an element of a default class cannot be deleted")
            held = element._body._held[kind]
        else:
            held = self._lists[kind]
        at = next((k for k, other in enumerate(held) if other is element), None)
        if at is None:
            raise MisfitError("an element of a default class cannot be deleted")
        del held[at]
        element._spec = None

    def _delete_relations(self, gone: list[Any]) -> None:
        """Delete what refers to elements that are gone, and what refers to that."""
        names: dict[str, set[str]] = {}
        for item in gone:
            if item._name:
                names.setdefault(item.structure.kind, set()).add(item._name)
        found = bool(names)
        while found:
            found = False
            for kind in _RELATIONS:
                for element in list(self._lists[kind]):
                    if any(reference.name in names.get(reference.kind, ()) for reference in references(element)):
                        self._drop(element)
                        if element._name:
                            names.setdefault(kind, set()).add(element._name)
                        found = True

    def _delete_default(self, default: MjsDefault) -> None:
        self._check_default(default)
        if default is self._main:
            raise MisfitError("the outermost default class cannot be deleted")
        assert default._parent is not None
        default._parent._children = [other for other in default._parent._children if other is not default]
        pending, gone = [default], set()
        while pending:
            one = pending.pop()
            pending += one._children
            gone.add(one)
            del self._defaults[one._name]
            one._spec = None
        for element in self.every():
            if element._class in gone:
                element._class = default._parent


def _listed(kind: str) -> property:
    return property(lambda self: self._list(kind), doc=f"All elements of the kind {kind}, in order.")


def _finder(kind: str) -> Any:
    def find(self: SpecParts, name: str) -> Any:
        return self._find(kind, name)

    find.__doc__ = f"The {kind} of a name; None if there is none."
    find.__name__ = kind
    return find


def _adder(kind: str) -> Any:
    if isinstance(CLASSES[kind], type) and hasattr(CLASSES[kind], "classname"):

        def add(self: SpecParts, default: MjsDefault | None = None, **fields: Any) -> Any:
            return self._add(kind, default, fields)

    else:

        def add(self: SpecParts, **fields: Any) -> Any:  # type: ignore[misc]  # one of two forms
            return self._add(kind, None, fields)

    add.__doc__ = f"Add a {kind}; fields by name. Raises as `MjsBody.add_geom`."
    add.__name__ = f"add_{kind}"
    return add


for _kind in CLASSES:
    setattr(SpecParts, LISTS.get(_kind) or plural(_kind), _listed(_kind))
    setattr(SpecParts, _kind, _finder(_kind))
for _kind in LISTS:
    setattr(SpecParts, f"add_{_kind}", _adder(_kind))
