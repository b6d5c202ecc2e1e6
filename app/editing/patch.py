"""Changes to a model as a minimal patch of its MJCF files: only the changed numbers change, every other byte stays.

The files are read and compiled again from the disk. Where they no longer describe the model that runs, nothing is
patched. Elements are found by their number in the model and so by their place in the text, whether they have a name or
not. Attributes from a default class are written on the element itself, or on the class where all its geoms are to have it alike.
Before a patch is shown, the patched files are compiled, and must give exactly the values that are wanted.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble.app.base import files
from tumble.app.base.keys_in_text import with_keys
from tumble.app.editing.attribute_text import PatchError, Writing, rewritten
from tumble.app.editing.edits import OF_HFIELD, OF_SHAPE, EditPlace, Values
from tumble.app.editing.geom_classes import GeomClass, geom_classes
from tumble.app.editing.model_values import agree, is_own, names_of_file, not_as_wanted, only_these, value
from tumble.app.editing.parameters import exact, shown
from tumble.app.editing.shapes import shape_text
from tumble.physics.compiler.assets.asset_files import places
from tumble.physics.compiler.compile import compile, outline
from tumble.physics.compiler.custom import OWN_PREFIX
from tumble.physics.compiler.pose import vec3
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.document import MJCF, FileProblem, read_bytes
from tumble.physics.mjcf.reader import read_path
from tumble.physics.mjcf.schema import find
from tumble.physics.mjcf.source import parse
from tumble.physics.model import MjModel
from tumble.physics.state.enums import mjtDisableBit, mjtEnableBit, mjtEq, mjtJoint, mjtWrap

if TYPE_CHECKING:
    from tumble.physics.compiler.assets.hfield import HField
    from tumble.physics.compiler.draft import Draft
    from tumble.physics.mjcf.document import Document
    from tumble.physics.mjcf.schema import Attribute
    from tumble.physics.mjcf.source import Node
    from tumble.physics.mjcf.spec import Element, Where

# Fields whose name is not that of the attribute, and elements by the prefix of their fields.
_RENAMED = {
    "pair_dim": "condim", "jnt_solref": "solreflimit", "jnt_solimp": "solimplimit", "dof_solref": "solreffriction",
    "dof_solimp": "solimpfriction", "tendon_solref_lim": "solreflimit", "tendon_solimp_lim": "solimplimit",
    "tendon_solref_fri": "solreffriction", "tendon_solimp_fri": "solimpfriction", "tendon_lengthspring": "springlength",
    "jnt_actfrcrange": "actuatorfrcrange", "jnt_actfrclimited": "actuatorfrclimited",
    "tendon_actfrcrange": "actuatorfrcrange", "tendon_actfrclimited": "actuatorfrclimited",
    "flex_edgestiffness": "stiffness", "flex_edgedamping": "damping",
    "body_mass": "mass", "body_inertia": "diaginertia", "body_ipos": "pos", "body_iquat": "quat",
}  # fmt: skip
_HOLDERS = {
    "geom": ("geoms", True), "jnt": ("joints", True), "dof": ("joints", True), "pair": ("pairs", False),
    "eq": ("equalities", False), "tendon": ("tendons", False), "body": ("bodies", True), "site": ("sites", True),
    "cam": ("cameras", True), "light": ("lights", True), "mat": ("materials", False), "actuator": ("actuators", False),
    "sensor": ("sensors", False), "flex": ("flexes", True),
}  # fmt: skip
_RULES = {
    "geom": "worldbody/geom", "joint": "worldbody/body/joint", "freejoint": "worldbody/body/freejoint", "body": "worldbody/body",
    "site": "worldbody/site", "pair": "contact/pair", "fixed": "tendon/fixed", "spatial": "tendon/spatial",
    "camera": "worldbody/camera", "light": "worldbody/light", "material": "asset/material",
    "inertial": "worldbody/body/inertial", "flex": "deformable/flex", "edge": "deformable/flex/edge",
    "elasticity": "deformable/flex/elasticity", "contact": "deformable/flex/contact",
}  # fmt: skip
# Most numbers of a flex stand in its children; those of a <flexcomp> are the same.
_IN_FLEX = {
    "flex_edgestiffness": "edge", "flex_edgedamping": "edge", "flex_damping": "elasticity", "flex_young": "elasticity",
    "flex_poisson": "elasticity", "flex_thickness": "elasticity",
} | {f"flex_{name}": "contact" for name in (
    "contype", "conaffinity", "condim", "priority", "solmix", "solref", "solimp", "friction", "margin", "gap",
)}  # fmt: skip
# Tags, by the prefix of their fields; those of actuators and sensors are as many as kinds: one that has all such attributes.
_TAGS = {
    "jnt": "joint", "dof": "joint", "cam": "camera", "mat": "material", "actuator": "general", "sensor": "jointpos",
}  # fmt: skip
_SECTIONS = {"eq": "equality", "actuator": "actuator", "sensor": "sensor"}  # whose tags are the kinds of their elements
_OF_INERTIAL = ("body_mass", "body_inertia", "body_ipos", "body_iquat")  # fmt: skip
_COUNTS = ("nq", "nv", "nu", "nbody", "njnt", "ngeom", "nsite", "npair", "neq", "ntendon")
_FLAGS = {
    "opt.disableflags": {int(b): (b.name[7:].lower(), "enable", "disable") for b in mjtDisableBit if b.name.startswith("mjDSBL")},
    "opt.enableflags": {int(b): (b.name[7:].lower(), "disable", "enable") for b in mjtEnableBit if b.name.startswith("mjENBL")},
}


class FilePatch(Struct, frozen=True):
    """One file before and after. asset: True for the samples of a height field, a file that may not exist before."""

    path: Path
    before: bytes
    after: bytes
    asset: bool = False

    def diff(self, context: int = 2) -> list[str]:
        """The lines of a unified diff, with its heads; of an asset how long it is."""
        if self.asset:
            return [f"+++ {self.path.name}: elevations, {len(self.after)} bytes"]
        old, new = (text.decode("utf-8", "replace").splitlines() for text in (self.before, self.after))
        return list(difflib.unified_diff(old, new, self.path.name, self.path.name + " (changed)", n=context, lineterm=""))


class Patch(Struct, frozen=True):
    """files: their changes; places: values given by the changed files; left: changes that cannot be written, with reasons.

    fresh, model: models of the files as they are, and with the changes.
    """

    files: list[FilePatch]
    places: list[EditPlace]
    left: list[str]
    fresh: MjModel | None = None
    model: MjModel | None = None

    def save(self) -> None:
        """Write the files, each whole or not at all. Raises PatchError if one has changed since or cannot be written."""
        for file in self.files:
            if not file.asset and read(str(file.path)) != file.before:
                name = file.path.name
                raise PatchError(with_keys(f"{name} was changed by another program in the meantime: reload it (Ctrl+L)"))
        for file in self.files:
            write_whole(file.path, file.after)


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file's contents at once. Raises PatchError."""
    try:
        files.write_whole(path, data)
    except files.FileError as error:
        raise PatchError(str(error)) from error


def make(
    path: Path, model: MjModel, changes: Mapping[EditPlace, tuple[Values, Values]], held: Mapping[str, bytes] | None = None
) -> Patch:
    """The patch that brings changes {place: (before, now)} of a running model into its files; held: contents in place of files.

    Raises PatchError if the files are not those of the model, or a change breaks them.
    """
    if not changes:
        raise PatchError("nothing is changed")
    held = dict(held or {})
    try:
        document = read_path(path, held)
        draft = outline(document)
        fresh = compile(read_path(path, held), MjModel)
    except PhysicsError as error:
        raise PatchError(f"the file no longer loads: {error}") from error
    require_mjcf(document)
    _require_same(fresh, model, changes)
    texts = {source: held[source] if source in held else read(source) for source in document.all_sources()}
    left: list[str] = []
    wanted = dict(changes)
    classes = geom_classes(document, draft)
    while True:
        reasons: dict[EditPlace, str] = {}
        plan = _Plan(texts, document.sources, draft, fresh, classes)
        writings = plan.run(wanted, reasons)
        written = {p: v for p, v in wanted.items() if p not in reasons}
        after = {file: rewritten(texts[file], [w for w in writings if w.where.file == file]) for file in texts}
        result = compiled(path, held | after | plan.assets)
        wrong = not_as_wanted(result, written, plan.twisted)
        if plan.wrote_class and (wrong or not only_these(result, fresh, written)):
            classes = []  # the class holds for other elements too: write it on each element
            continue
        reasons |= wrong
        left += [f"{_words(place)}: {why}" for place, why in reasons.items()]
        wanted = {p: v for p, v in wanted.items() if p not in reasons}
        if not reasons:
            files = [FilePatch(Path(file), texts[file], after[file]) for file in texts if after[file] != texts[file]]
            files += [FilePatch(Path(file), _before(file), data, asset=True) for file, data in plan.assets.items()]
            return Patch(files, list(written), left, fresh, result)


def require_mjcf(document: Document) -> None:
    """Raise PatchError for a model from another format, whose elements are not those of its text."""
    if document.format != MJCF:
        raise PatchError(f"{os.path.basename(document.file)} is a {document.format} file: save the model as MJCF to change it")


def read(file: str) -> bytes:
    """The contents of a file. Raises PatchError."""
    try:
        return read_bytes(file)
    except FileProblem as problem:
        raise PatchError(f"{file} {problem}") from None


def _before(file: str) -> bytes:
    """The contents of the samples' file; none of one that does not exist."""
    return read(file) if os.path.exists(file) else b""


def _words(place: EditPlace) -> str:
    return place.field if place.index is None else f"{place.field} of number {place.index}"


def _require_same(fresh: MjModel, model: MjModel, changes: Mapping[EditPlace, tuple[Values, Values]]) -> None:
    """Raise PatchError unless the files on disk are those of the loaded model, as far as the changes can detect."""
    same = names_of_file(fresh) == names_of_file(model) and all(getattr(fresh, size) == getattr(model, size) for size in _COUNTS)
    if not same or any(not agree(place, value(fresh, place), old) for place, (old, _) in changes.items()):
        raise PatchError(with_keys("the file has changed since it was loaded: reload it (Ctrl+L), then change the numbers again"))


def compiled(path: Path, texts: Mapping[str, bytes] | None = None) -> MjModel:
    """The model of a file; texts: contents in place of files. Raises PatchError."""
    try:
        return compile(read_path(path, texts), MjModel)
    except PhysicsError as error:
        raise PatchError(f"the changed file would not load: {error}") from error


class _Plan:
    """Finds for each change the element that it is written on. wrote_class: whether a default class is one of them.

    twisted: quaternions of which the file gives the z axis alone; assets: contents of files that the texts name, by path.
    """

    def __init__(
        self, texts: Mapping[str, bytes], sources: list[str], draft: Draft, model: MjModel, classes: Sequence[GeomClass] = ()
    ) -> None:
        self._draft, self._model, self._classes = draft, model, classes
        self.wrote_class = False
        self.twisted: set[EditPlace] = set()
        self.assets: dict[str, bytes] = {}
        self._roots = {source: parse(texts[source], source) for source in sources}  # those of the main model: its <option> counts
        self._main = sources[0]
        self._writings: dict[tuple[Where, str], Writing] = {}

    def run(self, changes: Mapping[EditPlace, tuple[Values, Values]], reasons: dict[EditPlace, str]) -> list[Writing]:
        """Changes to write; `reasons` collects the places that cannot be written."""
        done = self._by_class(changes)
        for place, (before, now) in changes.items():
            if place in done:
                continue
            if is_own(place):
                why = self._own_option(place, before, now)
            elif place.field.startswith("opt."):
                why = self._option(place, before, now)
            elif place.field in OF_HFIELD:
                why = self._heights(place, changes)
            elif place.field in OF_SHAPE:
                why = self._shape(place, changes)
            else:
                why = self._element(place, before, now, changes)
            if why:
                reasons[place] = why
        return list(self._writings.values())

    def _by_class(self, changes: Mapping[EditPlace, tuple[Values, Values]]) -> set[EditPlace]:
        """Write values on a default class that all its geoms share; returns their places."""
        done: set[EditPlace] = set()
        fields = dict.fromkeys(place.field for place in changes if place.field.startswith("geom_"))
        for name in fields:
            attribute = _attribute(name, "geom")
            if attribute is None or attribute.kind not in ("int", "real") or name in OF_SHAPE:
                continue
            for group in self._classes:
                places = [EditPlace(name, i) for i in group.members]
                wanted = {changes[p][1] for p in places if p in changes}
                own = any(attribute.name in self._draft.geoms[i].element.given for i in group.members)
                if len(places) < 2 or own or len(wanted) != 1 or not all(p in changes for p in places):
                    continue
                before, now = (exact(name, values) for values in changes[places[0]])
                where, child = (group.section.where, "geom") if group.setting is None else (group.setting.where, "")
                self._writing(where, child).values[attribute.name] = (before, [shown(v) for v in now])
                done.update(places)
                self.wrote_class = True
        return done

    def _writing(self, where: Where, child: str = "") -> Writing:
        return self._writings.setdefault((where, child), Writing(where, child))

    def _element(self, place: EditPlace, before: Values, now: Values, changes: Mapping[EditPlace, tuple[Values, Values]]) -> str:
        prefix = place.field.partition("_")[0]
        if prefix not in _HOLDERS or place.index is None:
            return "it exists only in the compiled model"
        name, held = _HOLDERS[prefix]
        objects = getattr(self._draft, name)
        index = int(self._model.dof_jntid[place.index]) if prefix == "dof" else place.index
        if prefix == "dof" and not _agree(self._model, index, place.field, changes, now):
            return "the dofs of one joint differ, which MJCF cannot express"
        element = objects[index].inertial if place.field in _OF_INERTIAL else objects[index].element if held else objects[index]
        if element is None:
            return "the file has no <inertial> here: it follows from the geoms"
        source = objects[index].element if held else element
        if element.where.offset < 0:
            return f"<{element.tag}> has no attribute for it"
        alike = [i for i, o in enumerate(objects) if (o.element if held else o).where == source.where]
        if len(alike) > 1 and not _all_changed(place, alike, now, changes):
            at = _short(source.where)
            return f"its element at {at} stands for {len(alike)} of the model: it can be written when all of them change alike"
        inner = _IN_FLEX.get(place.field, "")
        attribute = _attribute(place.field, inner or element.tag)
        if attribute is None:
            return f"<{element.tag}> has no attribute for it"
        child = next(element.all(inner), None) if inner else None
        numbers = attribute.kind in ("int", "real")
        unit = self._unit(place, element)
        before, now = (tuple(_in_unit(v, unit) for v in exact(place.field, values)) for values in (before, now))
        texts = [shown(v) for v in now] if numbers else ["true" if now[0] else "false"]
        writing = self._writing(element.where, inner) if inner and child is None else self._writing((child or element).where)
        writing.values[attribute.name] = (before if numbers else None, texts)
        return ""

    def _shape(self, place: EditPlace, changes: Mapping[EditPlace, tuple[Values, Values]]) -> str:
        """The pose and size of a geom, site or camera, all together."""
        prefix, _, _ = place.field.partition("_")
        objects, index = getattr(self._draft, _HOLDERS[prefix][0]), place.index
        item = objects[index]
        where = item.element.where
        if where.offset < 0:
            return f"<{item.element.tag}> has no text of its own"
        if (alike := sum(other.element.where == where for other in objects)) > 1:
            return f"its element at {_short(where)} stands for {alike} of the model, which would all change"
        values = {}
        for name in ("pos", "quat", "size"):
            field = EditPlace(f"{prefix}_{name}", index)
            if field in changes or field.field in OF_SHAPE:
                values[name] = changes[field][1] if field in changes else value(self._model, field)
        try:
            pos, quat, size = vec3(values["pos"]), values["quat"], vec3(values.get("size", (0.0, 0.0, 0.0)))
            target = shape_text.ShapeTarget(pos, (quat[0], quat[1], quat[2], quat[3]), size)
            self._writing(where).values.update(shape_text.shape_attributes(item, target))
        except PatchError as error:
            return str(error)
        if shape_text.loses_twist(item):
            self.twisted.add(EditPlace(f"{prefix}_quat", index))
        return ""

    def _heights(self, place: EditPlace, changes: Mapping[EditPlace, tuple[Values, Values]]) -> str:
        """Sizes and samples of the height fields; hfield_data is the place of all samples of the model."""
        model = self._model
        data = changes.get(EditPlace("hfield_data"), (None, None))[1]
        for index in range(model.nhfield) if place.index is None else (place.index,):
            hfield = self._draft.assets.hfields[index]
            if hfield.element.where.offset < 0:
                return "<hfield> has no text of its own"
            size = EditPlace("hfield_size", index)
            adr, shape = int(model.hfield_adr[index]), hfield.data.shape
            samples = hfield.data
            if data is not None:
                samples = np.array(data[adr : adr + samples.size], np.float32).reshape(shape)
            wanted = changes[size][1] if size in changes else value(model, size)
            text = shape_text.height_text(hfield, wanted, samples, self._path_of(hfield) if hfield.path else "")
            if text.attributes:
                self._writing(hfield.element.where).values.update(text.attributes)
            if text.path:
                self.assets[text.path] = text.data
        return ""

    def _path_of(self, hfield: HField) -> str:
        """The path of the file of a height field."""
        element, top = hfield.element, os.path.dirname(self._main)
        candidates = [os.path.join(top, name) for name in places(element, hfield.path, element.settings.meshdir)]
        return next((path for path in candidates if os.path.isfile(path)), candidates[0])

    def _unit(self, place: EditPlace, element: Element) -> float:
        """Factor from the file's numbers to the model's: angles may be in degrees."""
        turns = place.field == "jnt_range" and int(self._model.jnt_type[place.index]) != int(mjtJoint.mjJNT_SLIDE)
        return element.settings.angle_unit if turns else 1.0

    def _option(self, place: EditPlace, before: Values, now: Values) -> str:
        name = place.field.removeprefix("opt.")
        if place.field in _FLAGS:
            for bit, (flag, off, on) in _FLAGS[place.field].items():
                if (int(before[0]) ^ int(now[0])) & bit:
                    self._flag(flag, on if int(now[0]) & bit else off)
            return ""
        if place.field == "opt.disableactuator":
            return self._actuator_groups(int(now[0]))
        attribute = find("option").attributes.get(name)
        if attribute is None or attribute.kind not in ("int", "real", "keys"):
            return "<option> has no attribute for it"
        texts = [attribute.words[int(now[0])]] if attribute.kind == "keys" else [shown(v) for v in now]
        node = self._holding("option", name)
        where, child = (node.where, "") if node else (self._roots[self._main].where, "option")
        self._writing(where, child).values[name] = (None if attribute.kind == "keys" else before, texts)
        return ""

    def _own_option(self, place: EditPlace, before: Values, now: Values) -> str:
        """A <numeric> in <custom>, of the name by which the compiler knows it."""
        name = OWN_PREFIX + place.field.removeprefix("tumble.")
        sections = [n for root in self._roots.values() for n in root.children if n.tag == "custom"]
        known = [n for section in sections for n in section.children if n.tag == "numeric" and n.attributes.get("name") == name]
        attributes = {"name": name, "data": shown(now[0])}
        if known:
            self._writing(known[-1].where).values["data"] = (before, [shown(now[0])])
        elif sections:
            key = sections[0].where, name  # each is an element of its own
            self._writings[key] = Writing(key[0], "numeric", {word: (None, [text]) for word, text in attributes.items()})
        else:
            self._writing(self._roots[self._main].where, "custom").inside.append(("numeric", attributes))
        return ""

    def _actuator_groups(self, off: int) -> str:
        """Groups of actuators that are off; an attribute without a group cannot be written, and none is taken out of a file."""
        name = "actuatorgroupdisable"
        node = self._holding("option", name)
        if off == 0:
            return f"<option> would have no {name}: remove the attribute in an editor"
        where, child = (node.where, "") if node else (self._roots[self._main].where, "option")
        self._writing(where, child).values[name] = (None, [str(group) for group in range(31) if off >> group & 1])
        return ""

    def _flag(self, name: str, word: str) -> None:
        flag, option = self._holding("flag", name), self._holding("option", "")
        if flag is not None:
            self._writing(flag.where).values[name] = (None, [word])
        elif option is not None:
            self._writing(option.where, "flag").values[name] = (None, [word])
        else:
            inside = self._writing(self._roots[self._main].where, "option").inside
            if not inside:
                inside.append(("flag", {}))
            inside[0][1][name] = word

    def _holding(self, tag: str, attribute: str) -> Node | None:
        """The last <option>, or <flag> in it, that has an attribute; else the first of the main file, or of any."""
        options = [n for root in self._roots.values() for n in root.children if n.tag == "option"]
        nodes = options if tag == "option" else [n for o in options for n in o.children if n.tag == tag]
        having = [n for n in nodes if attribute in n.attributes]
        return having[-1] if having else nodes[0] if nodes else None


def attribute_of(model: MjModel, field: str, index: int) -> str:
    """MJCF attribute of a field of an element, "" without one; a file may still have no place for it."""
    prefix = field.partition("_")[0]
    tag = "inertial" if field in _OF_INERTIAL else _IN_FLEX.get(field) or _TAGS.get(prefix, prefix)
    if prefix == "tendon":
        tag = "fixed" if int(model.wrap_type[model.tendon_adr[index]]) == int(mjtWrap.mjWRAP_JOINT) else "spatial"
    elif prefix == "eq":
        tag = mjtEq(int(model.eq_type[index])).name.rpartition("_")[2].lower()
    attribute = _attribute(field, tag) if prefix in _HOLDERS else None
    return attribute.name if attribute is not None else ""


def _attribute(field: str, tag: str) -> Attribute | None:
    """MJCF attribute that a field is read from, if it holds numbers or a boolean."""
    prefix, _, rest = field.partition("_")
    path = f"{_SECTIONS[prefix]}/{tag}" if prefix in _SECTIONS else _RULES.get(tag, "")
    attribute = find(path).attributes.get(_RENAMED.get(field, rest)) if path else None
    if attribute is None:
        return None
    return attribute if attribute.kind in ("int", "real", "bool") or attribute.words[:2] == ("false", "true") else None


def _in_unit(value: float, unit: float) -> float:
    """The number with the fewest digits that is exactly `value` when it is multiplied by the unit."""
    if unit == 1.0:
        return value
    rough = value / unit
    tried = [float(f"{rough:.{digits}g}") for digits in range(1, 18)]
    tried += [float(np.nextafter(rough, end)) for end in (-np.inf, np.inf)]
    return next((number for number in tried if unit * number == value), rough)


def _agree(model: MjModel, joint: int, name: str, changes: Mapping[EditPlace, tuple[Values, Values]], now: Values) -> bool:
    dofs = np.flatnonzero(np.asarray(model.dof_jntid) == joint)
    return all(changes.get(EditPlace(name, int(i)), (now, value(model, EditPlace(name, int(i)))))[1] == now for i in dofs)


def _all_changed(place: EditPlace, indices: list[int], now: Values, changes: Mapping[EditPlace, tuple[Values, Values]]) -> bool:
    """True if all copies of an element that the file declares once get the same value."""
    wanted = (changes.get(EditPlace(place.field, i)) for i in indices)
    return all(change is not None and change[1] == now for change in wanted)


def _short(where: Where) -> str:
    return f"{os.path.basename(where.file)}:{where.line}"
