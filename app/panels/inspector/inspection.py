"""Model of the inspector: an element's fields in groups, their values, and how they may be changed."""

from __future__ import annotations

from enum import IntEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.numbers import row_text
from tumble.app.describe.signals import Catalogue, FieldInfo, Signal
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.field_checks import Case, problem, split, unit_length
from tumble.app.editing.option_table import SECTIONS, Choice
from tumble.app.editing.parameters import exact, parse, shown
from tumble.app.editing.patch import attribute_of
from tumble.app.panels.inspector.element_tree import ElementKind, enum_name
from tumble.app.session.session import Session
from tumble.app.simulation.commands import SetState
from tumble.physics import changes
from tumble.physics.state.history import buffer_of

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

MOST = 64  # numbers of a field that are shown: more than that is a table
FIGURES = (6, 5, 5, 4)  # of numbers as they are listed, by how many stand side by side

# The groups in which fields are shown, and which belong to them; the first that fits counts.
STATE, RESULTS, OTHERS = "State", "Results", "Structure"
GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Inertia", ("body_mass", "body_inertia", "body_ipos", "body_iquat", "body_gravcomp", "body_subtreemass", "dof_armature",
                 "tendon_armature")),
    ("Place and shape", ("*_pos", "*_quat", "*_size", "jnt_axis", "light_dir", "jnt_type", "geom_type", "site_type", "qpos0",
                         "geom_rbound", "geom_aabb")),
    ("Lens and light", ("cam_mode", "cam_projection", "cam_fovy", "cam_ipd", "cam_resolution", "cam_output", "cam_sensorsize",
                        "cam_intrinsic", "light_mode", "light_type", "light_[!pdg]*")),
    ("Contact", ("geom_con*", "geom_sol*", "geom_friction", "geom_margin", "geom_gap", "geom_priority", "pair_*")),
    ("Limits", ("*range", "*limited", "jnt_sol*", "jnt_margin", "tendon_sol*_lim", "tendon_margin")),
    ("Springs, dampers, friction", ("jnt_stiffness", "qpos_spring", "dof_damping", "dof_frictionloss", "dof_sol*",
                                    "tendon_stiffness", "tendon_damping", "tendon_lengthspring", "tendon_frictionloss",
                                    "tendon_sol*_fri", "geom_fluid")),
    ("Constraint", ("eq_*",)),
    ("Actuation", ("actuator_*prm", "actuator_gear", "actuator_*type", "actuator_trnid", "actuator_group", "actuator_delay",
                   "actuator_cranklength", "actuator_actearly", "jnt_actgravcomp")),
    ("Measurement", ("sensor_type", "sensor_obj*", "sensor_ref*", "sensor_cutoff", "sensor_noise", "sensor_delay",
                     "sensor_interval")),
    ("Appearance", ("*_rgba", "*_matid", "*_group", "tendon_width", "mat_*", "tex_*")),
    ("Numbers", ("key_*", "numeric_*", "text_*", "tuple_*", "*_user")),
    ("Options", ("opt_*", "tumble_*", "stat_*", "vis_*")),
)  # fmt: skip
# Hidden fields: names, addresses, and lists that are not one number per element.
_LEFT_OUT = ("name_*", "*_ind", "B_*", "M_*", "D_*", "moment_*", "ten_J*")
EDITABLE_STATE = ("qpos", "qvel", "act", "mocap_pos", "mocap_quat")
_RUNNING = "the simulation changes it while it runs: pause first (Space)"
_ENUMS: dict[str, tuple[type[IntEnum], str]] = {
    "jnt_type": (physics.mjtJoint, "mjJNT_"), "geom_type": (physics.mjtGeom, "mjGEOM_"),
    "site_type": (physics.mjtGeom, "mjGEOM_"), "eq_type": (physics.mjtEq, "mjEQ_"), "eq_objtype": (physics.mjtObj, "mjOBJ_"),
    "actuator_trntype": (physics.mjtTrn, "mjTRN_"), "actuator_dyntype": (physics.mjtDyn, "mjDYN_"),
    "actuator_gaintype": (physics.mjtGain, "mjGAIN_"), "actuator_biastype": (physics.mjtBias, "mjBIAS_"),
    "sensor_type": (physics.mjtSensor, "mjSENS_"), "sensor_objtype": (physics.mjtObj, "mjOBJ_"),
    "sensor_reftype": (physics.mjtObj, "mjOBJ_"),
}  # fmt: skip
_CHOICES = {r.place.field.replace(".", "_") for s in SECTIONS for r in s.rows if isinstance(r, Choice)}
_CHOICES |= {flag.place.field.replace(".", "_") for s in SECTIONS for flag in s.flags}


class FieldEntry(Struct, frozen=True):
    """A field of an element. rows: of the field, one for each dof of a joint; None: the field has no rows.

    numbers: each of its single numbers by name and unit; own: they are of the data, else of the model.
    """

    info: FieldInfo
    group: str
    rows: tuple[int, ...] | None
    numbers: tuple[Signal, ...]

    @property
    def name(self) -> str:
        """The field's name, as in the table."""
        return self.info.field.name

    @property
    def own(self) -> bool:
        """True for a field of MjData."""
        return self.info.own

    @property
    def start(self) -> int:
        """Index of its first number in the flattened field."""
        return 0 if self.rows is None else self.rows[0] * self.info.width

    @property
    def count(self) -> int:
        """Number of values."""
        return self.info.rows * self.info.width if self.rows is None else len(self.rows) * self.info.width

    @property
    def units(self) -> str:
        """The units of its numbers: one for all, or one for each; "" for none."""
        units = [signal.unit for signal in self.numbers]
        return units[0] if len(set(units)) == 1 else ", ".join(unit or "1" for unit in units) if any(units) else ""


def spans(model: MjModel, kind: ElementKind, index: int) -> dict[str, range]:
    """The rows of an element, by the size that counts them: those of its kind, and its dofs, readings and the like."""

    def packed(size: str, start: int, count: int) -> dict[str, range]:
        return {size: range(int(start), int(start) + int(count))} if start >= 0 and count > 0 else {}

    m, i, prefix = model, index, kind.prefix
    result = {kind.count: range(i, i + 1)} if kind.count else {}
    if prefix == "body":
        result |= packed("nmocap", m.body_mocapid[i], 1)
        tree = int(m.body_treeid[i])
        result |= packed("ntree", tree, 1) if tree >= 0 and m.tree_bodyadr[tree] == i else {}
    elif prefix == "jnt":
        sizes = {0: (7, 6), 1: (4, 3)}.get(int(m.jnt_type[i]), (1, 1))
        result |= packed("nq", m.jnt_qposadr[i], sizes[0]) | packed("nv", m.jnt_dofadr[i], sizes[1])
    elif prefix == "actuator":
        result |= packed("nhistory", *buffer_of(m, prefix, i))
        result |= packed("na", m.actuator_actadr[i], m.actuator_actnum[i])
    elif prefix == "sensor":
        result |= packed("nhistory", *buffer_of(m, prefix, i))
        result |= packed("nsensordata", m.sensor_adr[i], m.sensor_dim[i])
    elif prefix == "numeric":
        result |= packed("nnumericdata", m.numeric_adr[i], m.numeric_size[i])
    elif prefix == "tuple":
        result |= packed("ntupledata", m.tuple_adr[i], m.tuple_size[i])
    return result


def entries(catalogue: Catalogue, kind: ElementKind, index: int) -> list[FieldEntry]:
    """All fields of an element, in the order of the groups."""
    result = []
    rows = spans(catalogue.model, kind, index)
    for info in catalogue.fields.values():
        name, shape = info.field.name, info.field.shape
        if any(fnmatchcase(name, pattern) for pattern in _LEFT_OUT):
            continue
        if not kind.count:
            if not info.own and name.startswith(kind.prefix + "_"):
                numbers = tuple(signal for row in range(info.rows) for signal in catalogue.of_row(info, row)) if shape else ()
                result.append(FieldEntry(info, "Options", None, numbers or tuple(catalogue.listed(info))))
            continue
        mine = rows.get(str(shape[0])) if shape else None
        if mine is None or info.width == 0:
            continue
        short = len(mine) * info.width <= MOST
        numbers = tuple(signal for row in mine for signal in catalogue.of_row(info, row)) if short else ()
        result.append(FieldEntry(info, _group(info), tuple(mine), numbers))
    order = [STATE, *(title for title, _ in GROUPS), RESULTS, OTHERS]
    return sorted(result, key=lambda e: order.index(e.group))


def _group(info: FieldInfo) -> str:
    name = info.field.name
    if info.own:
        return STATE if name in (*EDITABLE_STATE, "ctrl") else RESULTS
    return next((title for title, patterns in GROUPS if any(fnmatchcase(name, p) for p in patterns)), OTHERS)

FieldReading = dict[str, Any]  # "": the fields looked at; by name: numbers (n,)


class FieldProbe:
    """Copies the fields of one element: the window chooses it by `aim`, one assignment."""

    def __init__(self) -> None:
        self._aim: tuple[MjModel | None, list[FieldEntry]] = (None, [])

    def aim(self, model: MjModel | None, wanted: list[FieldEntry]) -> None:
        """Choose the fields to copy."""
        self._aim = (model, wanted)

    def room(self, model: MjModel, data: MjData) -> FieldReading:
        """New storage for one snapshot."""
        return {}

    def take(self, model: MjModel, data: MjData, into: FieldReading) -> None:
        """Fill the storage: {"": the fields looked at, name: numbers (n,)}."""
        aimed, wanted = self._aim
        into.clear()
        if aimed is not model:
            return  # another model is loaded, and the window will soon choose an element of it
        into[""] = wanted
        for entry in wanted:
            value = np.asarray(getattr(data if entry.own else model, entry.name)).reshape(-1)
            into[entry.name] = value[entry.start : entry.start + entry.count].copy()


class Inspector:
    """One element of the running model: values of its fields, and their changes."""

    def __init__(self, session: Session) -> None:
        self._session, self._edits = session, session.part(Edits)
        self.probe = FieldProbe()
        self.kind: ElementKind | None = None
        self.index = -1
        self.entries: list[FieldEntry] = []
        self._looked: list[FieldEntry] = []  # of them, those that the probe takes
        self._reading: dict[str, NDArray[Any]] = {}
        self._catalogue: Catalogue | None = None

    def look_at(self, kind: ElementKind | None, index: int) -> None:
        """Show another element; None: none."""
        model = self._session.model
        if self._catalogue is not None and self._catalogue.model is not model:
            self._catalogue = None  # with it goes the model before
        if kind is not None and self._catalogue is None:
            self._catalogue = Catalogue(self._session.loaded_model)
        self.kind, self.index, self._reading = kind, index, {}
        self.entries = entries(self._catalogue, kind, index) if kind is not None and self._catalogue is not None else []
        self._looked = [entry for entry in self.entries if entry.numbers]
        self.probe.aim(model, self._looked)

    def take(self, reading: FieldReading) -> bool:
        """Take a reading of the probe; returns True if it is of this element."""
        mine = reading.get("") is self._looked
        if mine:
            self._reading = dict(reading)  # the storage itself goes back to the simulation thread
        return mine

    # ---- queries

    def values(self, entry: FieldEntry) -> Values | None:
        """The present numbers of a field, as far as they are known."""
        if not entry.own and self.refusal(entry) == "":
            return tuple(v for place in self.places(entry) for v in exact(entry.name, self._edits.value(place)))
        taken = self._reading.get(entry.name)
        if taken is not None:
            return tuple(float(v) for v in taken)
        return None if entry.own else tuple(v for place in self.places(entry) for v in self._edits.value(place))

    def text(self, entry: FieldEntry, *, whole: bool = False) -> str:
        """The numbers as they are shown; whole: at full precision, as they are typed and copied."""
        if not entry.numbers:
            return f"{entry.count} numbers"
        values = self.values(entry)
        if values is None:
            return ""
        if entry.name in _ENUMS and not whole:
            enum, prefix = _ENUMS[entry.name]
            return " ".join(enum_name(enum, prefix, value) for value in values)
        figures = FIGURES[min(len(values), len(FIGURES)) - 1]
        return " ".join(map(shown, values)) if whole else row_text(values, figures, result=entry.own)

    def label(self, entry: FieldEntry) -> str:
        """Display name of a field, without the prefix of its element."""
        prefix = f"{self.kind.prefix}_" if self.kind is not None else ""
        return entry.name.removeprefix(prefix) if not entry.own else entry.name

    def places(self, entry: FieldEntry) -> list[EditPlace]:
        """Place of a model field's numbers."""
        if entry.rows is None:
            return [EditPlace(dotted(entry.name))]
        return [EditPlace(entry.name, row) for row in entry.rows]

    def is_changed(self, entry: FieldEntry) -> bool:
        """True if the numbers differ from the file's."""
        return not entry.own and any(self._edits.is_changed(place) for place in self.places(entry))

    def refusal(self, entry: FieldEntry) -> str:
        """Why a field cannot be changed now; "" if it can."""
        model = self._session.model
        if model is None or not entry.numbers:
            return "it is too long to be shown here"
        if entry.own:
            if entry.name not in EDITABLE_STATE:
                return "it is computed, or has its own sliders" if entry.name == "ctrl" else "it is computed at every step"
            return "" if self._session.paused else _RUNNING
        if entry.name in _CHOICES:
            return "it is chosen in the Options panel"
        if entry.name == "tree_sleep_policy":
            return "it is chosen in the Islands and sleep panel"
        reasons = (changes.refusal(model, entry.name, row) for row in entry.rows or (None,))
        return next((why for why in reasons if why), "")

    def attribute(self, entry: FieldEntry) -> str:
        """The attribute of MJCF that a field is written to; "" if missing."""
        if entry.own or self.kind is None:
            return ""
        if entry.rows is None:
            return entry.name.removeprefix(self.kind.prefix + "_") if self.kind.prefix == "opt" else ""
        return attribute_of(self._session.loaded_model, entry.name, entry.rows[0])

    def tip(self, entry: FieldEntry) -> str:
        """Tool tip of a field: description, units, and how it may be changed."""
        field = entry.info.field
        lines = [f"{entry.info.name}: {field.doc}"]
        lines += [f"Unit: {entry.units}"] if entry.units else []
        lines += [self.text(entry, whole=True)] if not entry.own else []
        why = self.refusal(entry)
        if why:
            return "\n".join([*lines, f"Cannot be changed: {why}"])
        if entry.own:
            return "\n".join([*lines, "Double click to change it; quaternions are brought to length 1"])
        effect = changes.rule(entry.name).effect
        follows = "Double click to change it"
        if effect >= changes.Effect.FRAMES:
            follows += "; derived constants follow (mj_setConst)"
        name = self.attribute(entry)
        written = f"Written to the file as {name}, where MJCF has an attribute for it" if name else NOT_WRITTEN
        return "\n".join([*lines, follows, written])

    # ---- user input

    def set_text(self, entry: FieldEntry, text: str) -> str:
        """Set a field to the typed numbers; returns an error message, and then nothing changes."""
        words = split(text)
        values = [parse(word) for word in words]
        bad = next((word for word, value in zip(words, values, strict=True) if value is None), None)
        if bad is not None:
            return f"“{bad}” is not a number"
        if len(words) != entry.count:
            return f"{entry.info.name} needs {entry.count} number{'s' if entry.count != 1 else ''}, has {len(words)}"
        return self.set_values(entry, tuple(float(v) for v in values if v is not None))

    def set_values(self, entry: FieldEntry, values: Values) -> str:
        """Set a field; returns an error message, and then nothing changes."""
        why = self.refusal(entry)
        if why:
            return why
        try:
            return self._set_state(entry, values) if entry.own else self._set_model(entry, values)
        except ValueError as error:
            return str(error)

    def _set_state(self, entry: FieldEntry, values: Values) -> str:
        if not np.isfinite(values).all():
            return "every number must be finite"
        if entry.name == "qpos" and self.kind is not None and len(values) in (4, 7):
            values = values[:-4] + unit_length("quat", values[-4:])
        self._session.send(SetState(entry.name, entry.start, unit_length(entry.name, values)))
        return ""

    def _set_model(self, entry: FieldEntry, values: Values) -> str:
        model, width = self._session.loaded_model, entry.info.width if entry.rows is not None else entry.count
        wanted: dict[EditPlace, Values] = {}
        for k, place in enumerate(self.places(entry)):
            part = unit_length(entry.name, values[k * width : (k + 1) * width])
            part = tuple(float(np.float32(v)) for v in part) if entry.info.field.dtype == "f4" else part
            why = problem(entry.info.field, Case(model, self._edits, place, part))
            if why:
                return f"{entry.info.name}: {why}"
            wanted[place] = part
        self._edits.set_all(wanted, f"Change {entry.info.name}")
        return ""

    def restore(self, entry: FieldEntry) -> None:
        """Back to the file's numbers."""
        self._edits.restore(self.places(entry))

    def remark(self) -> str:
        """Changes of this element that cannot be written to the file; "" without any."""
        lost = [entry.info.name for entry in self.entries if self.is_changed(entry) and not self.attribute(entry)]
        return f"Not written to the file: {', '.join(lost)}" if lost else ""

    def as_attribute(self, entry: FieldEntry) -> str:
        """A field as an attribute of MJCF: mass="2"; "" without one."""
        name = self.attribute(entry)
        return f'{name}="{self.text(entry, whole=True)}"' if name else ""


NOT_WRITTEN = "It exists only in the compiled model: it is not written to the file"


def dotted(name: str) -> str:
    """A field of a group as scripts write it: opt.timestep, vis.global_.fovy."""
    head, _, rest = name.partition("_")
    if head != "vis":
        return f"{head}.{rest}"
    section, _, rest = rest.partition("_")
    return f"vis.{section}{'_' if section == 'global' else ''}.{rest}"
