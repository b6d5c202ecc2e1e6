"""Elements of a spec: a name, a class, a place in the spec, and the element of MJCF that each is read from and becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from tumble.physics.compiler.relations.actuators import TARGETS
from tumble.physics.errors import ArgumentError, MisfitError
from tumble.physics.mjcf.defaults import schema_defaults
from tumble.physics.mjcf.references import ALIASES
from tumble.physics.mjcf.schema import ElementRule
from tumble.physics.mjcf.spec import CompilerSettings, Element, Where
from tumble.physics.spec.fields import text_of
from tumble.physics.spec.grammar import same
from tumble.physics.spec.part import FORMS, DefaultClass, Holder, Owner, SpecPart, assign_raw, become, read, written
from tumble.physics.state.enums import mjtEq, mjtObj, mjtTrn, mjtWrap

if TYPE_CHECKING:
    from tumble.physics.spec.compiler import MjsCompiler


PROGRAM = "the spec"  # in place of a file, in messages about what a program has added


class SpecEntry(Struct, eq=False):
    """Place of an element in a spec, and what is known of it beside its fields.

    spec: None once it is deleted. compiler: how its angles and files are to be understood. id: of the model compiled last, -1 for
    none. default: class. where: in a file, None if a program added it. body, frame: that hold it. held: by a body, by kind.
    """

    spec: Owner | None
    compiler: MjsCompiler
    name: str = ""
    id: int = -1
    default: DefaultClass | None = None
    where: Where | None = None
    body: Holder | None = None
    frame: Holder | None = None
    held: dict[str, list[Any]] = field(default_factory=dict)


class Source(Where, frozen=True):
    """Place of an element of a spec: that in a file, if it was read from one. part: the structure itself."""

    part: Any = None


def source(part: Any, where: Where | None) -> Source:
    """Place of a part of a spec; where: in a file, None for one that a program added."""
    if where is None:
        return Source(PROGRAM, 1, 1, -1, part)
    return Source(where.file, where.line, where.column, where.offset, part)


def part_of(element: Element) -> Any:
    """The structure that became an element, None if there is none."""
    return element.where.part if isinstance(element.where, Source) else None


class MjsElement(SpecPart):
    """An element of a spec.

    name: "" if it has none; names of a kind must differ. info: appended to errors of the compiler. id: after `compile` its
    number in the model. An element that was deleted raises ValueError whatever is asked of it.
    """

    __slots__ = ("_entry",)

    def __init__(self, spec: Owner) -> None:
        super().__init__()
        self._entry = SpecEntry(spec, spec.compiler)

    @property
    def entry(self) -> SpecEntry:
        """Place in the spec, for the modules of this package."""
        return self._entry

    def _live(self) -> dict[str, Any]:
        if self._entry.spec is None:
            raise MisfitError(f"this {type(self).__name__} was deleted from its spec")
        return self._values

    def _owner(self) -> Owner:
        """The spec that it belongs to."""
        self._live()
        assert self._entry.spec is not None
        return self._entry.spec

    @property
    def name(self) -> str:
        """Name. Raises ValueError for one that another element of its kind has."""
        self._live()
        return self._entry.name

    @name.setter
    def name(self, value: str) -> None:
        self._owner().contents.rename(self, text_of(value, "name"))

    @property
    def id(self) -> int:
        """Id in the model compiled last; before that, -1, or its index among its kind."""
        return self._owner().contents.number(self)

    @property
    def signature(self) -> int:
        """A number that tells the structure of the model that was compiled last; 0 before."""
        return self._owner().contents.signature

    def place_in(self, model: Any) -> tuple[mjtObj, int]:
        """Object type and id in a model. Raises ValueError for a model not compiled from the current spec."""
        number = self._owner().contents.number_in(model, self)
        return mjtObj[f"mjOBJ_{self.structure.kind.upper()}"], number

    def __repr__(self) -> str:
        state = "deleted" if self._entry.spec is None else f'"{self._entry.name}"' if self._entry.name else "without a name"
        return f"<{type(self).__name__} {state}>"

    # ---------------------------------------------------------------- from and to elements of MJCF

    def _read(self, element: Element) -> None:
        """Take over what an element of MJCF has beyond the attributes of the table."""

    def _rule(self) -> ElementRule:
        """Rule of the element of MJCF that this one becomes."""
        return self.structure.rules[0]

    def _write(self, element: Element, rule: ElementRule) -> None:
        """Complete an element of MJCF that has the attributes of the table: the inverse of `_read`."""

    def _read_plugin(self, element: Element) -> None:
        for child in element.all("plugin"):
            read_plugin(self, child)

    def _write_plugin(self, element: Element, rule: ElementRule) -> None:
        if not self._has_plugin():
            return
        rule, inner = rule.children["plugin"], self.plugin
        values = {"instance": inner.name} if inner.name else {"plugin": inner.plugin_name}
        element.children.append(child_of(element, rule, values))
        if not inner.name:
            write_settings(element.children[-1], rule, inner.config)

    def _has_plugin(self) -> bool:
        return self.is_set("plugin") and bool(self.plugin.active) and bool(self.plugin.name or self.plugin.plugin_name)

    def _given(self, attributes: Iterable[str]) -> frozenset[str]:
        """The attributes that are not as those of the default class."""
        inherited = self._entry.default.part(self.structure.kind) if self._entry.default is not None else None
        if inherited is None:
            return frozenset(attributes)
        coded = self.structure.coded
        return frozenset(
            name for name in attributes
            if name not in coded or not same(self.value(coded[name].name), inherited.value(coded[name].name))
        )  # fmt: skip


class Classed(MjsElement):
    """An element whose values begin with those of a default class."""

    __slots__ = ()

    @property
    def classname(self) -> DefaultClass:
        """Default class; assigning another one keeps the values, and changes which are written."""
        spec = self._owner()
        return self._entry.default if self._entry.default is not None and self._entry.default.exists else spec.default

    @classname.setter
    def classname(self, value: DefaultClass) -> None:
        self._owner().contents.defaults.check(value)
        self._entry.default = value


def owner_of(element: MjsElement) -> Owner:
    """The spec that an element belongs to. Raises ValueError for one that was deleted."""
    return element._owner()


def begin_with(element: MjsElement, default: DefaultClass) -> None:
    """Give an element its default class, and the values of that."""
    element.entry.default = default
    template = default.part(element.structure.kind)
    if template is not None:
        become(element, template)


def read_element(part: MjsElement, element: Element) -> None:
    """Give a structure all that an element of MJCF has."""
    read(part, element.attributes)
    part._read(element)


def element_of(part: MjsElement, settings: CompilerSettings) -> Element:
    """The element of MJCF that a structure becomes. Raises MjcfError for values that no file can have."""
    rule = part._rule()
    element = Element(rule.tag, source(part, part.entry.where), schema_defaults=schema_defaults(rule), settings=settings)
    try:
        element.attributes = written(part)
    except ValueError as problem:
        raise element.error(str(problem)) from None
    if part.entry.name and rule.names:
        element.attributes["name"] = part.entry.name
    element.given = part._given(element.attributes)
    part._write(element, rule)
    return element


def child_of(parent: Element, rule: ElementRule, values: dict[str, Any], where: Where | None = None) -> Element:
    """An element for the children of another one."""
    return Element(rule.tag, where or parent.where, values, frozenset(values), [], rule.schema_defaults, settings=parent.settings)


def read_plugin(part: Any, element: Element) -> None:
    """Give a structure the plugin that a <plugin> means: an instance, or one with settings."""
    part.plugin.name, part.plugin.plugin_name = element.get("instance") or "", element.get("plugin") or ""
    part.plugin.active, part.plugin.config = 1, read_settings(element)


def write_plugin(part: Any, element: Element, rule: ElementRule) -> None:
    """Complete the <plugin> that an actuator or a sensor becomes: its instance, or the plugin's name and settings."""
    inner = part.plugin
    element.attributes |= {"instance": inner.name} if inner.name else {"plugin": inner.plugin_name}
    if not inner.name:
        write_settings(element, rule, inner.config)


def read_settings(element: Element) -> dict[str, str]:
    """The settings of a plugin, from its <config> elements."""
    return {str(config.get("key")): str(config.get("value")) for config in element.all("config")}


def write_settings(element: Element, rule: ElementRule, settings: dict[str, str]) -> None:
    """Give a plugin's element its settings."""
    config = rule.children["config"]
    element.children += [child_of(element, config, {"key": key, "value": value}) for key, value in settings.items()]


def check_keywords(given: dict[str, Any], valid: list[str]) -> None:
    """Raise TypeError, naming the valid ones, for a keyword that is not among them."""
    for name in given:
        if name not in valid:
            raise ArgumentError(f"Invalid {name} keyword argument. Valid options are: {', '.join(sorted(valid))}.")


def assign(element: MjsElement, given: dict[str, Any]) -> None:
    """Assign keywords of `add_*`. Raises TypeError, naming the valid ones, for one that the element does not have."""
    check_keywords(given, keywords(element))
    for letter, holder in (("", "alt"), ("i", "ialt")):
        forms = [form for form in FORMS if given.get(letter + form) is not None and holder in element.structure.fields]
        if len(forms) > 1:
            *most, last = (letter + form for form in FORMS)
            raise MisfitError(f"Only one of: {', '.join(most)}, or {last} can be set.")
        for form in forms:
            orientation = getattr(element, holder)
            try:
                setattr(orientation, form, given[letter + form])
            except (TypeError, ValueError) as problem:
                raise type(problem)(f"{letter}{problem}") from None
            orientation.type = FORMS[form]
    skipped = {letter + form for form in FORMS for letter in ("", "i")} if "alt" in element.structure.fields else set()
    for name, value in given.items():
        if value is not None and name not in skipped and name != "name":
            setattr(element, name, value)


def keywords(element: MjsElement) -> list[str]:
    """The keywords that `add_*` of an element takes."""
    found = ["name", *element.structure.fields]
    for letter, holder in (("", "alt"), ("i", "ialt")):
        if holder in element.structure.fields:
            found.remove(holder)
            found += [letter + form for form in FORMS]
    return found


_OF_TRANSMISSION = {mjtTrn.mjTRN_SLIDERCRANK: "site"} | dict(TARGETS.values())
_OF_EQUALITY = {mjtEq.mjEQ_JOINT: "joint", mjtEq.mjEQ_TENDON: "tendon", mjtEq.mjEQ_FLEX: "flex", mjtEq.mjEQ_FLEXVERT: "flex"}
_OF_WRAP = {
    mjtWrap.mjWRAP_SITE: "site", mjtWrap.mjWRAP_JOINT: "joint", mjtWrap.mjWRAP_SPHERE: "geom", mjtWrap.mjWRAP_CYLINDER: "geom",
    mjtWrap.mjWRAP_PULLEY: "", mjtWrap.mjWRAP_NONE: "",
}  # fmt: skip


class Reference(Struct, frozen=True):
    """A name in an element; kind: of the object; rename: writes another one in its place."""

    kind: str
    name: str
    rename: Callable[[str], None]


def object_kind(number: int) -> str:
    """The kind of objects that a mjtObj says; "" for none."""
    try:
        word = mjtObj(number).name[6:].lower()
    except ValueError:
        return ""
    return "" if word == "unknown" else ALIASES.get(word, word)


def references(element: Any) -> Iterator[Reference]:
    """All names of other objects in an element."""
    for one in element.structure.fields.values():
        if not one.refers:
            continue
        if one.kind == "string":
            name = element.value(one.name)
            kind = _kind(element, one.refers)
            if name and kind:
                yield Reference(kind, name, _writer(element, one.name))
        else:
            names = getattr(element, one.name)
            for k, name in enumerate(names):
                kind = object_kind(element.objtype[k]) if one.refers.startswith("@") else one.refers
                if name and kind:
                    yield Reference(kind, name, _placer(names, k))
    for wrap in getattr(element, "path", ()):  # of a tendon
        yield from references(wrap)


def _kind(element: Any, refers: str) -> str:
    if not refers.startswith("@"):
        return refers
    number = element.value(refers[1:])
    if isinstance(number, mjtWrap):
        return _OF_WRAP[number]
    if refers == "@trntype":
        return _OF_TRANSMISSION.get(number, "")
    if refers == "@type":
        return _OF_EQUALITY.get(number) or object_kind(element.value("objtype")) or "body"
    return object_kind(number)


def _writer(holder: SpecPart, field: str) -> Callable[[str], None]:
    return lambda name: assign_raw(holder, field, name)


def _placer(names: Any, at: int) -> Callable[[str], None]:
    return lambda name: names.__setitem__(at, name)
