"""The numbers of a model and its data by name: signals for plots and breakpoints.

A field is written as in scripts, groups with a dot: `qpos`, `contact.dist`, `opt.timestep`. In brackets stand the
element, by name or number, and if there are several numbers which one: `qpos[knee]`, `xpos[torso, z]`,
`qpos[root, 2]`, `contact.dist[3]`. A joint without a name goes by that of its body.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.names import ctrl_unit, kind_names
from tumble.physics.sensor.components import part
from tumble.physics.state.fields import DATA, MODEL
from tumble.physics.state.fields.internal import DATA_INTERNAL, MODEL_INTERNAL
from tumble.physics.state.fields.scratch import NUDGE, SCRATCH
from tumble.physics.state.history import buffer_of
from tumble.physics.state.named import KINDS, names_of

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel
    from tumble.physics.state.fields import Field

_DOTTED = ("contact", "opt", "tumble", "stat", "warning", "timer")  # groups that scripts reach with a dot
_HIDDEN = {f.name for f in (*DATA_INTERNAL, *MODEL_INTERNAL, *NUDGE, *SCRATCH)}
_HIDDEN |= {"needL", "maxL"}
_TEXT = {"names", "paths", "text_data", "plugin_attr", "names_map", "tex_data", "mesh_graph"}
_IN_ISLAND_ORDER = ("iefc_", "iacc", "ifrc_", "iM", "iLD")  # the same numbers in another order
_GROWING = {"contact": 32, "efc": 64}  # rows listed of fields that grow; others are available by number
_MOST_NAMED = 20  # names that a message lists
_MANY = 12  # readings of a sensor up to which they are listed among those of the others
_MOST_LISTED = 20_000  # elements of a field that are listed one by one

# Groups for browsing, and the fields that belong to them; a star stands for any ending.
GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Sensors", ("sensordata",)),
    ("State and inputs", ("time", "qpos", "qvel", "act", "ctrl", "history", "mocap_*", "eq_active", "userdata", "qfrc_applied",
                          "xfrc_*")),
    ("Contacts", ("ncon", "contact_*")),
    ("Constraint rows", ("nefc", "ne", "nf", "nl", "efc_*", "tendon_efcadr", "lcp_*", "nlcp")),
    ("Energy, solver, warnings", ("energy", "solver_*", "warning_*", "timer_*")),
    ("Islands and sleep", ("nisland", "nidof", "ntree_awake", "nbody_awake", "nv_awake", "tree_*", "island_*", "dof_island")),
    ("Accelerations and forces", ("qacc*", "qfrc_*", "actuator_force", "cacc", "cfrc_*")),
    ("Poses and velocities", ("x*", "geom_x*", "site_x*", "subtree_*", "cvel", "ten_length", "ten_velocity", "actuator_*")),
    ("Other results", ("*",)),
)  # fmt: skip
OPTIONS, CONSTANTS = "Options", "Model"

# Names of the components of some fields.
_OWN_ROWS = {"energy": ("potential", "kinetic"), "warning": kind_names(physics.mjtWarning), "timer": kind_names(physics.mjtTimer)}
_AXES = {3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}
_QUATERNIONS = ("xquat", "mocap_quat", "quat")


class SignalError(ValueError):
    """An invalid signal name; at: position of the error in the text."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


class Signal(Struct, frozen=True):
    """Numbers of one field: start, the first of them; count, how many, -1: all rows in use, however many.

    own: they are in the data, not in the model; scalar: it is one number.
    """

    name: str
    field: str
    own: bool
    start: int
    count: int
    scalar: bool
    unit: str

    def read(self, model: MjModel, data: MjData) -> float | NDArray[np.float64]:
        """The present number, or the numbers (n,); nan for a row that is not there."""
        value = getattr(data if self.own else model, self.field)
        if np.ndim(value) == 0:
            return float(value)
        flat = np.asarray(value).reshape(-1)
        if self.scalar:
            return float(flat[self.start]) if self.start < flat.size else float("nan")
        part = flat if self.count < 0 else flat[self.start : self.start + self.count]
        return part.astype(np.float64)


class FieldInfo(Struct, frozen=True):
    """A field as the user sees it: its name, its rows and how many numbers each has, and where it is listed."""

    name: str
    field: Field
    own: bool
    rows: int
    width: int
    group: str

    @property
    def grows(self) -> bool:
        """True if the number of rows changes from step to step."""
        return bool(self.field.used)


class ReadingGroup(Struct, frozen=True):
    """The many numbers of one element, listed together: first, the row of the first one; count, how many rows."""

    name: str
    first: int
    count: int


class Catalogue:
    """All numbers of one model and its data."""

    def __init__(self, model: MjModel) -> None:
        self.model = model
        self._rows: dict[str, dict[str, tuple[int, int]]] = {}
        self._names_of_rows: dict[tuple[int, bool], dict[int, str]] = {}  # by what `_rows` has, which stays
        fields = [info for own, table in ((True, DATA), (False, MODEL)) for f in table if (info := self._info(f, own))]
        self.fields = {info.name: info for info in reversed(fields)}  # if both have the name, the data's counts
        self.fields = {info.name: self.fields[info.name] for info in fields}

    @property
    def groups(self) -> dict[str, list[FieldInfo]]:
        """The fields by group, in the order in which they are shown; without those that have no numbers."""
        order = [title for title, _ in GROUPS] + [OPTIONS, CONSTANTS]
        result: dict[str, list[FieldInfo]] = {title: [] for title in order}
        for info in self.fields.values():
            if info.rows * info.width:
                result[info.group].append(info)
        for title, begins in GROUPS:  # within a group in the order of its list
            result[title].sort(key=lambda i: next(k for k, b in enumerate(begins) if fnmatchcase(i.field.name, b)))
        return {title: infos for title, infos in result.items() if infos}

    def listed(self, info: FieldInfo) -> Iterator[Signal]:
        """The single numbers of a field; of one that grows, its first rows."""
        yield from (self._made(info, name, start, 1, True) for start, name in self._numbers(info))

    def grouped(self, info: FieldInfo) -> Iterator[Signal | ReadingGroup]:
        """Like `listed`, with elements of several readings as groups."""
        if info.field.name != "sensordata":
            yield from self.listed(info)
            return
        row, names = 0, self._names("sensor")
        spans = zip(names, self.model.sensor_adr.tolist(), self.model.sensor_dim.tolist(), strict=True)
        groups = {
            first: ReadingGroup(f"{info.name}[{name}]" if name in self._elements(info) else f"sensor number {s}", first, count)
            for s, (name, first, count) in enumerate(spans) if count > _MANY
        }  # fmt: skip
        while row < min(info.rows, _MOST_LISTED):
            if row in groups:
                yield groups[row]
                row += groups[row].count
            else:
                yield from self.of_row(info, row)
                row += 1

    def of_row(self, info: FieldInfo, row: int) -> Iterator[Signal]:
        """The single numbers of one row of a field."""
        yield from (self._made(info, name, start, 1, True) for start, name in self._numbers_of_row(info, row))

    def _numbers(self, info: FieldInfo) -> Iterator[tuple[int, str]]:
        """Place and name of the numbers that `listed` gives."""
        if info.field.shape == ():
            yield 0, info.name
            return
        for row in range(_rows_listed(info)):
            yield from self._numbers_of_row(info, row)

    def _numbers_of_row(self, info: FieldInfo, row: int) -> Iterator[tuple[int, str]]:
        name = self.row_names(info).get(row, str(row))
        for column in range(info.width):
            place = name if info.width == 1 else f"{name}, {self._label(info, column)}"
            yield row * info.width + column, f"{info.name}[{place}]"

    def search(self, text: str, most: int) -> tuple[list[Signal], int]:
        """Single numbers with all the words in name, field or meaning, fields so named first; limited, and how many in all."""
        words = text.lower().split()
        signals: list[Signal] = []
        total = 0
        for info in sorted(self.fields.values(), key=lambda info: not any(word in info.name.lower() for word in words)):
            about = f"{info.group} {info.field.doc}".lower()
            left = [w for w in words if w not in about and w not in info.name.lower()]
            if not left and len(signals) >= most:
                total += _rows_listed(info) * info.width
                continue
            for start, name in self._numbers(info) if info.rows * info.width else ():
                if not left or all(w in name.lower() for w in left):
                    total += 1
                    if len(signals) < most:
                        signals.append(self._made(info, name, start, 1, True))
        return signals, total

    def column_names(self, info: FieldInfo) -> tuple[str, ...]:
        """Labels of a row's columns; ("",) for a single one."""
        return ("",) if info.width == 1 else tuple(self._label(info, column) for column in range(info.width))

    def field_of(self, signal: Signal) -> FieldInfo:
        """The field that a signal is of."""
        return self.fields[signal.name.partition("[")[0]]

    def knows(self, name: str) -> bool:
        """True if the name refers to a single number."""
        try:
            self.scalar(name)
        except SignalError:
            return False
        return True

    def scalar(self, name: str) -> Signal:
        """The single number of that name; raises SignalError."""
        head, _, rest = name.strip().partition("[")
        if rest and not rest.endswith("]"):
            raise SignalError(f"{name}: the bracket is not closed", len(name))
        inside = [part.strip() for part in rest[:-1].split(",")] if rest else []
        signal = self.find(head.strip(), inside)
        if not signal.scalar:
            info = self.fields[head.strip()]
            first = next((one.name for one in self.listed(info)), "")
            example = f"{info.name}[{inside[0]}, {self._label(info, 0)}]" if inside else first
            raise SignalError(f"{name} is several numbers: say which, as {example}" if first else f"{name} has no number here")
        return signal

    def find(self, name: str, inside: Sequence[str]) -> Signal:
        """A field and the contents of its brackets; raises SignalError that lists what is valid."""
        info = self.fields.get(name)
        if info is None:
            close = get_close_matches(name, self.fields, 3, 0.6)
            raise SignalError(f"there is no {name!r}" + (f"; did you mean {', '.join(close)}?" if close else ""))
        if not inside:
            scalar = info.field.shape == () or (info.rows * info.width == 1 and not info.grows)
            return self._made(info, name, 0, -1 if info.grows else info.rows * info.width, scalar)
        if info.field.shape == ():
            raise SignalError(f"{name} is one number and takes no brackets")
        first, count = self._element(info, inside[0])
        shown = f"{name}[{', '.join(inside)}]"
        if len(inside) == 1:
            return self._made(info, shown, first * info.width, count * info.width, count * info.width == 1)
        if len(inside) > 2 or (info.width == 1 and count == 1):
            raise SignalError(f"{name}[{inside[0]}] is one number: nothing else belongs in the brackets")
        if count == 1:
            column = self._column(info, inside[1])
            return self._made(info, shown, first * info.width + column, 1, True)
        if info.width > 1:
            raise SignalError(f"{inside[0]} has {count} rows of {info.width} numbers: say the row, from {first} on, instead")
        places = self._places(info, first, count)
        k = places.index(inside[1]) if inside[1] in places else _integer(inside[1], count, f"{name}[{inside[0]}]", places)
        return self._made(info, shown, first + k, 1, True)

    # ---- elements

    def _info(self, f: Field, own: bool) -> FieldInfo | None:
        if f.name in _HIDDEN or f.name in _TEXT or f.unit == "address" or f.name.startswith(_IN_ISLAND_ORDER) or len(f.shape) > 2:
            return None
        name = f.name
        for prefix in _DOTTED:
            if name.startswith(prefix + "_"):
                name = f"{prefix}.{name[len(prefix) + 1 :]}"
        sizes = self._sizes
        if f.used:
            rows = _GROWING.get(f.name.partition("_")[0], sizes.get(str(f.shape[0]), 16))
        else:
            rows = _extent(f.shape[0], sizes) if f.shape else 1
        width = _extent(f.shape[1], sizes) if len(f.shape) > 1 else 1
        return FieldInfo(name, f, own, rows, width, _group(f.name, own))

    @cached_property
    def _sizes(self) -> dict[str, int]:
        sizes: dict[str, int] = self.model.sizes()
        return sizes | {"maxisland": sizes["ntree"], "maxefc": 64, "maxcon": 32}

    def _elements(self, info: FieldInfo) -> dict[str, tuple[int, int]]:
        """First row and rows of each named element of the field."""
        head = info.field.name.partition("_")[0]
        size = head if head in _OWN_ROWS else str(next(iter(info.field.shape), ""))
        if size not in self._rows:
            self._rows[size] = {n: part for n, part in self._named(size) if n and not set(n) & set(",]") and not n.isdecimal()}
        return self._rows[size]

    def _named(self, size: str) -> Iterator[tuple[str, tuple[int, int]]]:
        m = self.model
        if size in _OWN_ROWS:
            yield from ((name, (k, 1)) for k, name in enumerate(_OWN_ROWS[size]))
        elif size == "nq":
            yield from _spans(self._joints, m.jnt_qposadr, m.nq)
        elif size == "nv":
            yield from _spans(self._joints, m.jnt_dofadr, m.nv)
        elif size == "njnt":
            yield from ((name, (j, 1)) for j, name in enumerate(self._joints))
        elif size == "nsensordata":
            yield from _spans(self._names("sensor"), m.sensor_adr, m.nsensordata)
        elif size == "nhistory":
            for prefix in ("sensor", "actuator"):  # of one name that both have, the control counts
                yield from ((n, buffer_of(m, prefix, i)) for i, n in enumerate(self._names(prefix)) if buffer_of(m, prefix, i)[1])
        elif size == "na":
            adr, num = m.actuator_actadr, m.actuator_actnum
            yield from ((n, (int(adr[i]), int(num[i]))) for i, n in enumerate(self._names("actuator")) if adr[i] >= 0)
        elif size == "ntree":
            bodies = self._names("body")
            yield from ((bodies[int(b)], (t, 1)) for t, b in enumerate(m.tree_bodyadr))
        elif size == "nmocap":
            bodies = self._names("body")
            yield from ((bodies[b], (int(k), 1)) for b, k in enumerate(m.body_mocapid) if k >= 0)
        else:
            for kind in KINDS.values():
                if kind.count == size:
                    yield from ((n, (i, 1)) for i, n in enumerate(names_of(m, kind)))
                    return

    def _names(self, prefix: str) -> tuple[str, ...]:
        return names_of(self.model, next(kind for kind in KINDS.values() if kind.prefix == prefix))

    @cached_property
    def _joints(self) -> tuple[str, ...]:
        """The names of joints; one without a name, as many free joints are, has that of its body if it is the only one there."""
        m, named = self.model, self._names("jnt")
        bodies = self._names("body")
        alone = m.body_jntnum[m.jnt_bodyid] == 1
        return tuple(
            name or (bodies[b] if alone[j] and bodies[b] not in named else "")
            for j, (name, b) in enumerate(zip(named, m.jnt_bodyid.tolist(), strict=True))
        )

    def row_names(self, info: FieldInfo) -> dict[int, str]:
        """The text in brackets for each row that has a name; fields of the same elements share it."""
        elements = self._elements(info)
        key = (id(elements), info.width == 1)
        if key not in self._names_of_rows:
            result = self._names_of_rows[key] = {}
            for name, (first, count) in elements.items():
                if count == 1:
                    result[first] = name
                elif info.width == 1:
                    result |= {first + k: f"{name}, {place}" for k, place in enumerate(self._places(info, first, count))}
        return self._names_of_rows[key]

    def _places(self, info: FieldInfo, first: int, count: int) -> list[str]:
        """Labels of the rows of an element that has several."""
        if info.field.name != "sensordata":
            return [str(k) for k in range(count)]
        sensor = int(self.model.sensor_adr.searchsorted(first, side="right")) - 1
        return [part(self.model, sensor, k).name for k in range(count)]

    def _element(self, info: FieldInfo, text: str) -> tuple[int, int]:
        text = text.strip("\"'")
        if text.removeprefix("-").isdecimal():
            row = int(text)
            if row < 0 or (row >= info.rows and not info.grows):
                raise SignalError(f"{info.name} has {info.rows} rows, counted from 0; there is no {row}")
            return row, 1
        known = self._elements(info)
        if text not in known:
            close = get_close_matches(text, known, 3, 0.5) or list(known)[:5]
            hint = f"; valid are for example {', '.join(close)}" if close else "; it is indexed by number"
            raise SignalError(f"{info.name} has no {text!r}{hint}")
        return known[text]

    def _label(self, info: FieldInfo, column: int) -> str:
        labels = self._labels(info)
        return labels[column] if labels else str(column)

    def _labels(self, info: FieldInfo) -> tuple[str, ...]:
        unit = info.field.unit
        directions = info.width == 3 and "," not in unit and "inertia" not in info.field.name and "size" not in info.field.name
        return _AXES[info.width] if directions or info.field.name.endswith(_QUATERNIONS) else ()

    def _column(self, info: FieldInfo, text: str) -> int:
        labels = self._labels(info)
        if text in labels:
            return labels.index(text)
        return _integer(text, info.width, info.name, labels)

    def _made(self, info: FieldInfo, name: str, start: int, count: int, scalar: bool) -> Signal:
        row, column = divmod(start, max(1, info.width))
        unit = shown_unit(self.model, info.field, row, column, info.width)
        return Signal(name, info.field.name, info.own, start, count, scalar, unit)


def _rows_listed(info: FieldInfo) -> int:
    """Number of rows to list: all, of long fields the first ones."""
    return min(info.rows, max(1, _MOST_LISTED // info.width)) if info.width else 0


def _group(name: str, own: bool) -> str:
    if not own:
        return OPTIONS if name.startswith(("opt_", "tumble_")) else CONSTANTS
    return next(title for title, begins in GROUPS if any(fnmatchcase(name, b) for b in begins))


def _extent(n: int | str, sizes: dict[str, int]) -> int:
    if isinstance(n, int):
        return n
    factor, _, name = n.rpartition("*")
    return (int(factor) if factor else 1) * sizes.get(name, 0)


def _spans(names: Sequence[str], addresses: NDArray[np.int32], end: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Elements of a packed array, each of which reaches to where the next begins."""
    starts = [int(a) for a in addresses] + [int(end)]
    yield from ((name, (starts[i], starts[i + 1] - starts[i])) for i, name in enumerate(names))


def _integer(text: str, count: int, what: str, labels: Sequence[str] = ()) -> int:
    if not text.isdecimal() or int(text) >= count:
        named = [label for label in labels if not label.isdecimal()]
        shown = [*named[:_MOST_NAMED], *(["..."] if len(named) > _MOST_NAMED else [])]
        valid = f"0 to {count - 1}" + (f", or {', '.join(shown)}" if shown else "")
        raise SignalError(f"{what} has {count} numbers: {text!r} is none of them; valid are {valid}")
    return int(text)


_SUPERSCRIPTS = {"^2": "²", "^3": "³", "^4": "⁴"}
_HINGE, _SLIDE = int(physics.mjtJoint.mjJNT_HINGE), int(physics.mjtJoint.mjJNT_SLIDE)
_BALL, _FREE = int(physics.mjtJoint.mjJNT_BALL), int(physics.mjtJoint.mjJNT_FREE)


def shown_unit(model: MjModel, field: Field, row: int, column: int, width: int) -> str:
    """Displayed unit of one number of a field; "" if it has none or is unknown."""
    if field.name == "sensordata":
        return _pretty(_sensor(model, row))
    if field.name == "ctrl":
        return ctrl_unit(model, row) if row < model.nu else ""
    if field.name == "history":
        return _history(model, row)
    parts = field.unit.split(", ")
    if len(parts) > 1:
        if width % len(parts):
            return ""
        unit = parts[column // (width // len(parts))]
    else:
        unit = parts[0]
    choice = unit.split(" or ")
    if len(choice) == 2:
        kind = _rotates(model, field, row)
        unit = unit if kind is None else choice[int(kind)] if kind in (0, 1) else "1"
    return "" if unit == "1" or unit.startswith("unit of") else _pretty(unit)


def _pretty(unit: str) -> str:
    """`N m/s^2` as N·m/s²."""
    for plain, sign in _SUPERSCRIPTS.items():
        unit = unit.replace(plain, sign)
    return " or ".join(part.replace(" ", "·") for part in unit.split(" or "))


def _rotates(model: MjModel, field: Field, row: int) -> int | None:
    """Kind of a row: translation (0), rotation (1) or quaternion (2); None if undefined."""
    size = field.shape[0] if field.shape else ""
    if size == "njnt":
        joint, at = row, 0
    elif size in ("nq", "nv"):
        addresses = model.jnt_qposadr if size == "nq" else model.jnt_dofadr
        joint = int(addresses.searchsorted(row, side="right")) - 1
        at = row - int(addresses[joint]) if joint >= 0 else 0
    else:
        return None
    if not 0 <= joint < model.njnt:
        return None
    kind = int(model.jnt_type[joint])
    if kind == _FREE and at < 3:
        return 0
    if kind in (_FREE, _BALL):
        return 2 if size == "nq" else 1
    return int(kind == _HINGE)


def _history(model: MjModel, row: int) -> str:
    """Unit of a number of a buffer (physics/algebra/ring_buffer.py); those of actuators precede those of sensors."""
    for prefix in ("sensor", "actuator"):
        starts = getattr(model, f"{prefix}_historyadr")
        owners = np.flatnonzero((starts >= 0) & (starts <= row))
        if owners.size == 0:
            continue
        owner = int(owners[-1])
        at, n = row - int(starts[owner]), int(getattr(model, f"{prefix}_history")[owner, 0])
        if at < 2:
            return "s" if at == 0 and prefix == "sensor" else ""
        if at < 2 + n:
            return "s"
        if prefix == "actuator":
            return ctrl_unit(model, owner)
        return _pretty(part(model, owner, (at - 2 - n) % int(model.sensor_dim[owner])).unit)
    return ""


def _sensor(model: MjModel, row: int) -> str:
    owner = int(model.sensor_adr.searchsorted(row, side="right")) - 1
    if not 0 <= owner < model.nsensor:
        return "1"
    return part(model, owner, row - int(model.sensor_adr[owner])).unit
