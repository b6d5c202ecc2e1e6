"""Base of a spec's elements: fields by the table, a name, a class, and a place in a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from tumble.physics.errors import ArgumentError, MisfitError, UnknownNameError, quoted
from tumble.physics.mjcf.spec import Where
from tumble.physics.spec.fields import Keeper, copied, plain, text_of
from tumble.physics.spec.grammar import SpecField, Structure
from tumble.physics.spec.table import ORIENTATION, PLUGIN
from tumble.physics.state.arguments import require_kind
from tumble.physics.state.enums import mjtObj, mjtOrientation

if TYPE_CHECKING:
    from tumble.physics.spec.default import MjsDefault
    from tumble.physics.spec.settings import MjsCompiler
    from tumble.physics.spec.spec import MjSpec

# The other ways to write an orientation, as keywords of `add_*`; those of the inertial frame begin with an i.
FORMS = {
    "axisangle": mjtOrientation.mjORIENTATION_AXISANGLE, "xyaxes": mjtOrientation.mjORIENTATION_XYAXES,
    "zaxis": mjtOrientation.mjORIENTATION_ZAXIS, "euler": mjtOrientation.mjORIENTATION_EULER,
}  # fmt: skip


class SpecPart:
    """A structure of the table as a class: its fields are attributes.

    Assigning checks type and size: TypeError and ValueError say what is valid. Arrays are live: `geom.size[0] = 1` is kept.
    """

    __slots__ = ("_values",)

    structure: ClassVar[Structure]
    _parts: ClassVar[dict[str, type[SpecPart]]]  # fields that are structures themselves

    def __init_subclass__(cls) -> None:
        if "structure" in cls.__dict__:
            cls._parts = {}
            for field in cls.structure.fields.values():
                if field.kind in ("orientation", "plugin"):
                    cls._parts[field.name] = PARTS[field.kind]
                    setattr(cls, field.name, _Inside(field.name, PARTS[field.kind]))
                elif field.name not in cls.__dict__:
                    setattr(cls, field.name, Keeper(field))

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    if TYPE_CHECKING:  # the table has them

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def _live(self) -> dict[str, Any]:
        """The values that are not as the table has them, by field."""
        return self._values

    def _changed(self, name: str) -> None:
        """Called after a field is assigned."""

    def said(self, name: str) -> bool:
        """True if a field has another value than the one that says nothing. Raises KeyError for a name that is none."""
        field = self._field(name)
        found = self._live().get(name)
        return found is not None and not field.is_default(plain(found))

    def value(self, name: str) -> Any:
        """The value of a field as the table's defaults are: arrays, lists, numbers, texts. Not to be changed.

        Raises KeyError for a name that is none.
        """
        field = self._field(name)
        found = self._live().get(name)
        return field.default if found is None else plain(found)

    def _field(self, name: str) -> SpecField:
        try:
            return self.structure.fields[name]
        except (KeyError, TypeError):
            known = ", ".join(self.structure.fields)
            raise UnknownNameError(f"{type(self).__name__} has no field {quoted(name)}; there are: {known}") from None

    def _take(self, other: SpecPart) -> None:
        """Take over all values of another one of its kind."""
        self._values = {
            name: value._twin() if isinstance(value, SpecPart) else copied(value) for name, value in other._live().items()
        }

    def _twin(self) -> SpecPart:
        made = type(self)()
        made._take(self)
        return made


class _Inside:
    """A structure inside another; assigning takes its values over."""

    def __init__(self, name: str, made: type[SpecPart]) -> None:
        self._name, self._made = name, made

    def __get__(self, element: Any, owner: type | None = None) -> Any:
        if element is None:
            return self
        values = element._live()
        if self._name not in values:
            values[self._name] = self._made()
        return values[self._name]

    def __set__(self, element: Any, value: Any) -> None:
        inside = self.__get__(element)
        inside.take(value)


class MjsOrientation(SpecPart):
    """Another way to write an orientation: that of `type` counts; mjORIENTATION_QUAT: the element's `quat`."""

    __slots__ = ()
    structure = ORIENTATION

    def take(self, other: Any) -> None:
        """Become equal to another one."""
        if not isinstance(other, MjsOrientation):
            raise ArgumentError(f"an orientation should be a MjsOrientation, not {quoted(other)}")
        self._take(other)


class InnerPlugin(SpecPart):
    """The plugin of an element: the name of its instance, or of the plugin itself."""

    __slots__ = ("_config", "_name")
    structure = Structure("MjsPlugin", "", {name: PLUGIN.fields[name] for name in ("plugin_name", "active", "info")})

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._config: dict[str, str] = {}

    @property
    def name(self) -> str:
        """The name of the instance."""
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self._name = text_of(value, "name")

    @property
    def config(self) -> dict[str, str]:
        """Settings, as texts."""
        return dict(self._config)

    @config.setter
    def config(self, value: dict[str, str]) -> None:
        self._config = settings_of(value)

    def take(self, other: Any) -> None:
        """Refer to the instance of another one."""
        if not hasattr(other, "plugin_name"):
            raise ArgumentError(f"plugin should be a MjsPlugin, not {quoted(other)}")
        self.name, self.plugin_name, self.active, self.info = other.name, other.plugin_name, other.active, other.info

    def _take(self, other: SpecPart) -> None:
        super()._take(other)
        assert isinstance(other, InnerPlugin)
        self._name, self._config = other._name, dict(other._config)


def settings_of(value: dict[str, str]) -> dict[str, str]:
    """The settings of a plugin, as texts. Raises ArgumentError for what is no dict."""
    require_kind(value, Mapping, "config", "a dict of names and texts")
    return {str(key): str(text) for key, text in value.items()}


PARTS: dict[str, type[SpecPart]] = {"orientation": MjsOrientation, "plugin": InnerPlugin}


class MjsElement(SpecPart):
    """An element of a spec.

    name: "" if it has none; names of a kind must differ. info: appended to errors of the compiler. id: after `compile` its
    number in the model. An element that was deleted raises ValueError whatever is asked of it.
    """

    __slots__ = ("_class", "_compiler", "_id", "_name", "_said_in", "_spec")

    def __init__(self, spec: MjSpec, made_in: MjsDefault | None = None) -> None:
        super().__init__()
        self._spec: MjSpec | None = spec
        self._name = ""
        self._id = -1
        self._class = made_in
        self._compiler: MjsCompiler = spec.compiler  # how its angles and files are to be understood
        self._said_in: Where | None = None  # where a file says it

    def _live(self) -> dict[str, Any]:
        if self._spec is None:
            raise MisfitError(f"this {type(self).__name__} was deleted from its spec")
        return self._values

    def _owner(self) -> MjSpec:
        """The spec that it belongs to."""
        self._live()
        assert self._spec is not None
        return self._spec

    @property
    def name(self) -> str:
        """Name. Raises ValueError for one that another element of its kind has."""
        self._live()
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self._owner()._rename(self, text_of(value, "name"))

    @property
    def id(self) -> int:
        """Id in the model compiled last; before that, -1, or its index among its kind."""
        return self._owner()._number(self)

    @property
    def signature(self) -> int:
        """A number that tells the structure of the model that was compiled last; 0 before."""
        return self._owner()._signature

    def place_in(self, model: Any) -> tuple[mjtObj, int]:
        """Object type and id in a model. Raises ValueError for a model not compiled from the current spec."""
        number = self._owner()._number_in(model, self)
        return mjtObj[f"mjOBJ_{self.structure.kind.upper()}"], number

    def __repr__(self) -> str:
        state = "deleted" if self._spec is None else f'"{self._name}"' if self._name else "without a name"
        return f"<{type(self).__name__} {state}>"

    def _like(self, default: MjsDefault | None) -> None:
        """Begin with the values of a default class."""
        self._class = default
        if default is not None:
            model = default.part(self.structure.kind)
            if model is not None:
                self._take(model)


class Classed(MjsElement):
    """An element whose values begin with those of a default class."""

    __slots__ = ()

    @property
    def classname(self) -> MjsDefault:
        """Default class; assigning another one keeps the values, and changes which are written."""
        spec = self._owner()
        return spec.default if self._class is None or self._class._spec is None else self._class

    @classname.setter
    def classname(self, value: MjsDefault) -> None:
        self._owner()._check_default(value)
        self._class = value


def assign(element: MjsElement, given: dict[str, Any], valid: list[str] | None = None) -> None:
    """Assign keywords of `add_*`. Raises TypeError, naming the valid ones, for one that the element does not have."""
    known = valid or keywords(element)
    for name in given:
        if name not in known:
            raise ArgumentError(f"Invalid {name} keyword argument. Valid options are: {', '.join(sorted(known))}.")
    for letter, holder in (("", "alt"), ("i", "ialt")):
        forms = [form for form in FORMS if given.get(letter + form) is not None and holder in element._parts]
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
    skipped = {letter + form for form in FORMS for letter in ("", "i")} if "alt" in element._parts else set()
    for name, value in given.items():
        if value is not None and name not in skipped and name != "name":
            setattr(element, name, value)


def keywords(element: MjsElement) -> list[str]:
    """The keywords that `add_*` of an element takes."""
    found = ["name", *element.structure.fields]
    for letter, holder in (("", "alt"), ("i", "ialt")):
        if holder in element._parts:
            found.remove(holder)
            found += [letter + form for form in FORMS]
    return found
