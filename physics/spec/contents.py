"""Contents of a spec: lists of elements, their names and default classes; adding, finding and deleting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tumble.physics.compiler.options import mj_defaultOption, mj_defaultVisual
from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.mjcf.document import Document
from tumble.physics.spec.attach import Taken, attach_body_at, attach_frame, take_keys_apart
from tumble.physics.spec.compiler import MjsCompiler
from tumble.physics.spec.default import Defaults, MjsDefault
from tumble.physics.spec.element import MjsElement, assign, begin_with, owner_of, references
from tumble.physics.spec.elements import CLASSES
from tumble.physics.spec.elements.assets import FileAsset, stem
from tumble.physics.spec.elements.fixed import Fixed
from tumble.physics.spec.elements.tree import MjsBody, MjsFrame, subtree
from tumble.physics.spec.fields import text_of
from tumble.physics.spec.part import Owner
from tumble.physics.state.arguments import require_kind
from tumble.physics.state.model import Model

if TYPE_CHECKING:
    from tumble.physics.spec.elements.relations import MjsKey

# Kinds that no body holds, with the names of their lists.
LISTS = {
    "flex": "flexes", "mesh": "meshes", "skin": "skins", "hfield": "hfields", "texture": "textures", "material": "materials",
    "pair": "pairs", "exclude": "excludes", "equality": "equalities", "tendon": "tendons", "actuator": "actuators",
    "sensor": "sensors", "numeric": "numerics", "text": "texts", "tuple": "tuples", "key": "keys", "plugin": "plugins",
}  # fmt: skip
_IN_KEYS = ("body", "joint", "actuator")  # whose numbers keyframes have
_RELATIONS = ("pair", "exclude", "equality", "tendon", "actuator", "sensor", "tuple")


class SpecContents:
    """All that a spec holds beside the fields of the table: the modules of this package work on it.

    settings: a model with the options, visual settings and statistics.
    lists: elements that no body holds, by kind.
    names: elements by kind and name, None if they are to be collected again.
    parent: the spec that this one is attached to.
    copies: True if attaching takes copies.
    signature: of the model compiled from the spec as it is, 0 if there is none; compiled: of the last model.
    source: the document that it was read from.
    key_states: values of keyframes once parts are attached or deleted, see attach.py.
    plugins: names of those that are active.
    """

    attach_body_at, attach_frame = staticmethod(attach_body_at), staticmethod(attach_frame)  # for elements, which come before

    def __init__(self, spec: Owner) -> None:
        self.spec = spec
        self.compiler = MjsCompiler()
        self.settings = Model({})
        mj_defaultOption(self.settings.opt)
        mj_defaultVisual(self.settings.vis)
        for name in ("meaninertia", "meanmass", "meansize", "extent", "center"):
            setattr(self.settings.stat, name, float("nan"))
        self.assets: dict[str, Any] = {}
        self.lists: dict[str, list[Any]] = {kind: [] for kind in LISTS}
        self.names: dict[str, dict[str, MjsElement]] | None = {}
        self.parent: Owner | None = None
        self.copies = False
        self.signature = self.compiled = 0
        self.source: Document | None = None
        self.key_states: dict[MjsKey, Taken] = {}
        self.plugins: list[str] = []

    def begin(self) -> None:
        """Make the outermost default class and the world, which ask the spec for its compiler settings."""
        self.defaults = Defaults(self.spec, CLASSES)
        self.world = MjsBody(self.spec)
        self.world.entry.name = "world"

    def changed(self) -> None:
        """Forget names and the model that was compiled: elements have come or gone."""
        self.names, self.signature = None, 0

    def check_own(self, element: MjsElement) -> None:
        """Raise ValueError for an element of another spec, or one that was deleted."""
        if owner_of(element) is not self.spec:
            raise MisfitError(f"{quoted(element)} belongs to another spec")

    def every(self) -> Iterator[MjsElement]:
        """Iterate over all elements but those of default classes: the tree first, then kind by kind."""
        yield from subtree(self.world)
        for held in self.lists.values():
            yield from held

    def all_of(self, kind: str) -> list[Any]:
        """All elements of a kind, in the order of the model's ids."""
        if kind in self.lists:
            return list(self.lists[kind])
        if kind == "body":
            return list(self.world.walk())
        return [item for body in self.world.walk() for item in body.entry.held[kind]]

    # ---------------------------------------------------------------- names

    def find(self, kind: str, name: str) -> Any:
        """The element of a kind and name; an asset without a name has that of its file. None if there is none."""
        if not isinstance(name, str):
            raise ArgumentError(f"a {kind} is found by its name, a text, not by {quoted(name)}")
        element = self.index(kind).get(name)
        if element is None and name and issubclass(CLASSES[kind], FileAsset):
            unnamed = (e for e in self.lists[kind] if not e.entry.name and e.file and stem(e.file) == name)
            element = next(unnamed, None)
        return element

    def index(self, kind: str) -> dict[str, MjsElement]:
        """The elements of a kind by name."""
        if self.names is None:
            self.names = {}
        if kind not in self.names:
            self.names[kind] = {element.entry.name: element for element in reversed(self.all_of(kind)) if element.entry.name}
        return self.names[kind]

    def check_name(self, element: MjsElement, name: str) -> None:
        """Raise ValueError for a name that another element of its kind has."""
        kind = element.structure.kind
        if name and self.index(kind).get(name, element) is not element:
            raise MisfitError(f"Error: repeated name '{name}' in {kind}")

    def rename(self, element: MjsElement, name: str) -> None:
        """Give an element another name. Raises ValueError for one that is taken."""
        entry = element.entry
        in_class = isinstance(element, Fixed) and entry.body is None and element is not self.world
        if in_class or (entry.default is not None and entry.default.part(element.structure.kind) is element):
            element.entry.name = name
            return
        self.check_name(element, name)
        index = self.index(element.structure.kind)
        if element.entry.name and index.get(element.entry.name) is element:
            del index[element.entry.name]
        element.entry.name = name
        if name:
            index[name] = element

    def added(self, made: MjsElement, name: str | None) -> None:
        """Take a new element in, before it is put into its list. Raises ValueError for a name that is taken."""
        if name is not None:
            text_of(name, "name")
        self.check_name(made, name or "")
        made.entry.name = name or ""
        if name:
            self.index(made.structure.kind)[name] = made
        self.signature = 0

    def number(self, element: MjsElement) -> int:
        """Id in the model compiled last; before that, -1, or the index among its kind."""
        if element.entry.id < 0 and element.structure.kind in self.lists:
            held = self.lists[element.structure.kind]
            return next((k for k, other in enumerate(held) if other is element), -1)
        return 0 if element is self.world else element.entry.id

    def number_in(self, model: Any, element: MjsElement) -> int:
        """The number of an element in a model that was compiled from the spec as it is."""
        require_kind(model, Model, "model", "a model")
        number = self.number(element)
        if number < 0 or not self.signature or model.signature != self.signature:
            raise MisfitError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
        return number

    # ---------------------------------------------------------------- adding

    def add(self, kind: str, default: MjsDefault | None, fields: dict[str, Any]) -> Any:
        """A new element that no body holds. Raises as `MjsBody.add_geom`."""
        made = CLASSES[kind](self.spec)
        if default is not None:
            self.defaults.check(default)
        begin_with(made, default or self.defaults.main)
        assign(made, fields)
        self.added(made, fields.get("name"))
        self.lists[kind].append(made)
        return made

    # ---------------------------------------------------------------- deleting

    def delete(self, element: Any) -> None:
        """Remove an element. With a body goes all that it holds, and what relates it to others: actuators, sensors, ...

        What was in a frame is then in the frame around it, or directly in the body. Elements of a default class that is
        deleted are in the class around it. Raises ValueError for the world, the outermost class, or a part of another spec.
        """
        if isinstance(element, MjsDefault):
            self.defaults.delete(element)
            return
        if not isinstance(element, MjsElement):
            raise ArgumentError(f"an element of the spec can be deleted, not {quoted(element)}")
        self.check_own(element)
        if element is self.world:
            raise MisfitError("the world cannot be deleted")
        if self.lists["key"] and element.structure.kind in _IN_KEYS:
            take_keys_apart(self.spec)
        if isinstance(element, MjsBody):
            gone = list(subtree(element))
            self.drop(element)
            self.delete_relations(gone)
            for item in gone:
                item.entry.spec = None
        else:
            if isinstance(element, MjsFrame):
                for member in element.members():
                    member.entry.frame = element.entry.frame
            self.drop(element)
        self.changed()

    def drop(self, element: MjsElement) -> None:
        """Take an element out of its list."""
        kind = element.structure.kind
        if isinstance(element, Fixed):
            if element.entry.body is None:
                raise MisfitError("an element of a default class cannot be deleted")
            held = element.entry.body.entry.held[kind]
        else:
            held = self.lists[kind]
        at = next((k for k, other in enumerate(held) if other is element), None)
        if at is None:
            raise MisfitError("an element of a default class cannot be deleted")
        del held[at]
        element.entry.spec = None

    def delete_relations(self, gone: list[Any]) -> None:
        """Delete what refers to elements that are gone, and what refers to that."""
        names: dict[str, set[str]] = {}
        for item in gone:
            if item.entry.name:
                names.setdefault(item.structure.kind, set()).add(item.entry.name)
        found = bool(names)
        while found:
            found = False
            for kind in _RELATIONS:
                for element in list(self.lists[kind]):
                    if any(reference.name in names.get(reference.kind, ()) for reference in references(element)):
                        self.drop(element)
                        if element.entry.name:
                            names.setdefault(kind, set()).add(element.entry.name)
                        found = True
