"""Base of a spec's structures: fields by the table, read from and written as attributes of MJCF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from tumble.physics.errors import ArgumentError, UnknownNameError, quoted
from tumble.physics.mjcf.schema import find
from tumble.physics.spec.fields import CHECKS, copied, held, plain, refill, text_of
from tumble.physics.spec.grammar import INFO, PLUGIN, SpecField, Structure, declare
from tumble.physics.state.arguments import require_kind
from tumble.physics.state.enums import mjtOrientation

Owner: TypeAlias = Any  # an MjSpec
Holder: TypeAlias = Any  # an MjsBody or MjsFrame that holds elements
DefaultClass: TypeAlias = Any  # an MjsDefault

# The other ways to write an orientation, as keywords of `add_*`; those of the inertial frame begin with an i.
FORMS = {
    "axisangle": mjtOrientation.mjORIENTATION_AXISANGLE, "xyaxes": mjtOrientation.mjORIENTATION_XYAXES,
    "zaxis": mjtOrientation.mjORIENTATION_ZAXIS, "euler": mjtOrientation.mjORIENTATION_EULER,
}  # fmt: skip
PARTS: dict[str, type[SpecPart]] = {}  # of fields that are structures themselves, by kind


class SpecPart:
    """A structure of the table as a class: its fields are attributes.

    Assigning checks type and size: TypeError and ValueError say what is valid. Arrays are live: `geom.size[0] = 1` is kept.
    """

    __slots__ = ("_values",)

    structure: ClassVar[Structure]

    def __init_subclass__(cls) -> None:
        if "structure" in cls.__dict__:
            for field in cls.structure.fields.values():
                if field.kind in PARTS:
                    setattr(cls, field.name, _Inside(field.name, PARTS[field.kind]))
                elif field.name not in cls.__dict__:
                    setattr(cls, field.name, FieldAccess(field))

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    if TYPE_CHECKING:  # the table has them

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def _live(self) -> dict[str, Any]:
        """The values that are held, by field: of the others the table has the default."""
        return self._values

    def is_set(self, name: str) -> bool:
        """True if a field has another value than its default. Raises KeyError for an unknown name."""
        field = self._field(name)
        found = self._live().get(name)
        return found is not None and not field.is_default(plain(found))

    def value(self, name: str) -> Any:
        """The value of a field in the form of the table's defaults: an array, a list, a number or a text. Not to be changed.

        Raises KeyError for an unknown name.
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


class FieldAccess:
    """A field of an element class, as Python's protocol of descriptors asks: reads and writes the values of the element."""

    def __init__(self, field: SpecField) -> None:
        self.field = field
        self._checked = CHECKS[field.kind]
        self.__doc__ = f"{field.kind} {field.size or ''}".strip()

    def __get__(self, element: Any, owner: type | None = None) -> Any:
        if element is None:
            return self
        values = element._live()
        found = values.get(self.field.name)
        if found is None:
            found = held(self.field.kind, self.field.fresh())
            if not isinstance(found, str | int | float | bytes):
                values[self.field.name] = found  # it can be written to, number by number
        return found

    def __set__(self, element: Any, value: Any) -> None:
        values = element._live()
        made = self._checked(self.field, value)
        if not refill(values.get(self.field.name), made):
            values[self.field.name] = held(self.field.kind, made)


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
    structure = declare("", """
        - pos quat mass diaginertia fullinertia
        type                           mjtOrientation
        axisangle,xyaxes,zaxis,euler   double
    """, find("worldbody/body/inertial"))

    def take(self, other: Any) -> None:
        """Become equal to another one."""
        if not isinstance(other, MjsOrientation):
            raise ArgumentError(f"an orientation should be a MjsOrientation, not {quoted(other)}")
        self._take(other)


class Configured(SpecPart):
    """A structure with settings of a plugin, in `_config`."""

    __slots__ = ()

    @property
    def config(self) -> dict[str, str]:
        """Settings, as texts; replaced as a whole."""
        self._live()
        return dict(self._config)

    @config.setter
    def config(self, value: dict[str, str]) -> None:
        self._live()
        require_kind(value, Mapping, "config", "a dict of names and texts")
        self._config = {str(key): str(text) for key, text in value.items()}

    def _take(self, other: SpecPart) -> None:
        super()._take(other)
        if isinstance(other, Configured):
            self._config = dict(other._config)


class InnerPlugin(Configured):
    """The plugin of an element: the name of its instance, or of the plugin itself."""

    __slots__ = ("_config", "_name")
    structure = declare("", PLUGIN + INFO)

    def __init__(self) -> None:
        super().__init__()
        self._name, self._config = "", {}

    @property
    def name(self) -> str:
        """The name of the instance."""
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self._name = text_of(value, "name")

    def take(self, other: Any) -> None:
        """Refer to the instance of another one."""
        if not hasattr(other, "plugin_name"):
            raise ArgumentError(f"plugin should be a MjsPlugin, not {quoted(other)}")
        self.name, self.plugin_name, self.active, self.info = other.name, other.plugin_name, other.active, other.info

    def _take(self, other: SpecPart) -> None:
        super()._take(other)
        assert isinstance(other, InnerPlugin)
        self._name = other._name


PARTS |= {"orientation": MjsOrientation, "plugin": InnerPlugin}


def read(part: SpecPart, attributes: dict[str, Any]) -> None:
    """Give a structure the values of attributes: those of MJCF, converted as the reader does."""
    for name, field in part.structure.coded.items():
        if name in attributes:
            part._values[field.name] = held(field.kind, field.decoded(attributes[name]))
    if "alt" in part.structure.fields:
        read_orientation(part, attributes)


def written(part: SpecPart) -> dict[str, Any]:
    """The attributes of a structure's values beyond the table's defaults."""
    attributes: dict[str, Any] = {}
    values = part._values
    for name, field in part.structure.coded.items():
        value = plain(values.get(field.name))
        if value is not None and not field.is_default(value):
            attributes[name] = field.encoded(value)
    if "alt" in values:
        attributes |= written_orientation(values["alt"])
    return attributes


def become(part: SpecPart, other: SpecPart) -> None:
    """Give a structure all values of another one of its kind."""
    part._take(other)


def assign_raw(part: SpecPart, name: str, value: Any) -> None:
    """Give a field a value that needs no check."""
    part._values[name] = held(part.structure.fields[name].kind, value)


def clear(part: SpecPart) -> None:
    """Give all fields of a structure the table's defaults."""
    part._values = {}


def read_orientation(part: Any, attributes: dict[str, Any], letter: str = "") -> None:
    """Take over another way to write an orientation, into `alt` or with the letter i into `ialt`."""
    for form, kind in FORMS.items():
        if form in attributes:
            alt = getattr(part, f"{letter}alt")
            setattr(alt, form, attributes[form])
            alt.type = kind


def written_orientation(alt: MjsOrientation) -> dict[str, Any]:
    """The attribute that says another way to write an orientation; nothing for a quaternion."""
    return {form: getattr(alt, form).copy() for form, kind in FORMS.items() if alt.type == kind}
