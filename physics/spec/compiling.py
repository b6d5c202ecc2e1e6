"""Compile a spec: check what no file could say, make the model, number the elements, word the errors."""

from __future__ import annotations

import re
from typing import Any

from tumble.physics.compiler.bodies.geoms import NSIZE
from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.name_table import elements_of
from tumble.physics.errors import ArgumentError, MisfitError, MjcfError
from tumble.physics.mjcf.spec import Element
from tumble.physics.model import MjData, MjModel
from tumble.physics.sensor.kinds import OF_CONTACT
from tumble.physics.spec.attach import settle_keys, write_keys
from tumble.physics.spec.conversion import document_of
from tumble.physics.spec.element import MjsElement, Source, part_of
from tumble.physics.spec.elements.tendon import MjsWrap
from tumble.physics.spec.part import Owner
from tumble.physics.state.enums import mjtObj, mjtSensor
from tumble.physics.state.model import Model


def compile_spec(spec: Owner) -> MjModel:
    """The model that a spec describes; its elements know their numbers then. Raises MjcfError for what cannot be compiled."""
    if spec.parent is not None:
        raise MjcfError("Error: cannot compile child spec if attached by reference to a parent spec")
    drafts: list[Draft] = []
    try:
        check(spec)
        document = document_of(spec)
        write_keys(spec, document.root)
        model = MjModel.from_document(document, drafts.append)
    except MjcfError as problem:
        raise _worded(spec, problem) from None
    _number(spec, drafts[0], model)
    settle_keys(spec, model)
    spec.contents.signature = spec.contents.compiled = model.signature
    model.origin = spec
    return model


def _worded(spec: Owner, problem: MjcfError) -> MjcfError:
    """An error of the compiler with the element of the spec that it is about."""
    if str(problem).startswith("Error: "):
        return problem
    element = problem.element
    if not isinstance(element, Element) or not isinstance(element.where, Source):
        return MjcfError(f"Error: {problem}", problem.looks)
    part = element.where.part
    if isinstance(part, MjsWrap):
        part = part.tendon
    if not isinstance(part, MjsElement):
        return MjcfError(f"Error: <{element.tag}> {problem.what}", problem.looks)
    found = wrong(spec, part, f"<{element.tag}> {problem.what}")
    found.looks = problem.looks
    return found


def _number(spec: Owner, draft: Draft, model: MjModel) -> None:
    """Tell the elements their numbers in a model; what is not in it has none."""
    for each in spec.every():
        each.entry.id = -1
    for elements in elements_of(draft).values():
        for k, element in enumerate(elements):
            part = part_of(element)
            if isinstance(part, MjsElement):
                part.entry.id = k
    for sensor in spec.contents.lists["sensor"]:
        for name in ("dim", "datatype", "needstage"):
            setattr(sensor, name, int(getattr(model, f"sensor_{name}")[sensor.entry.id]))
    for tendon in spec.contents.lists["tendon"]:
        start = model.tendon_adr[tendon.entry.id]
        for k, wrap in enumerate(tendon.path):
            wrap.type = int(model.wrap_type[start + k])


def recompile(spec: Owner, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
    """The model of a spec that was changed, and data with the state of what was there before.

    model, data: of the spec before. Raises ValueError for a model that is not of this spec.
    """
    if not isinstance(model, Model) or not hasattr(data, "qpos"):
        raise ArgumentError("recompile needs the model and the data of the spec before it was changed")
    if spec.contents.compiled != model.signature:
        raise MisfitError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    before = {id(element): element.entry.id for element in spec.every() if element.entry.id >= 0}
    made = compile_spec(spec)
    fresh = MjData(made)
    fresh.time = data.time
    for element in spec.every():
        old, new, kind = before.get(id(element), -1), element.entry.id, element.structure.kind
        if old >= 0 and new >= 0:
            _carry(kind, old, new, model, data, made, fresh)
    return made, fresh


def _carry(kind: str, old: int, new: int, model: Any, data: Any, made: Any, fresh: Any) -> None:
    """Give one element its state."""
    if kind == "joint":
        same = model.jnt_type[old] == made.jnt_type[new]
        for field, address, count in (("qpos", "jnt_qposadr", (7, 4, 1, 1)), ("qvel", "jnt_dofadr", (6, 3, 1, 1)),
                                      ("qacc_warmstart", "jnt_dofadr", (6, 3, 1, 1))):  # fmt: skip
            if same:
                n, a, b = count[made.jnt_type[new]], getattr(model, address)[old], getattr(made, address)[new]
                getattr(fresh, field)[b : b + n] = getattr(data, field)[a : a + n]
    elif kind == "actuator":
        fresh.ctrl[new] = data.ctrl[old]
        if model.actuator_actnum[old] == made.actuator_actnum[new]:
            n, a, b = made.actuator_actnum[new], model.actuator_actadr[old], made.actuator_actadr[new]
            if n:
                fresh.act[b : b + n] = data.act[a : a + n]
    elif kind == "body":
        a, b = model.body_mocapid[old], made.body_mocapid[new]
        if a >= 0 and b >= 0:
            fresh.mocap_pos[b], fresh.mocap_quat[b] = data.mocap_pos[a], data.mocap_quat[a]
        fresh.xfrc_applied[new] = data.xfrc_applied[old]
    elif kind == "equality":
        fresh.eq_active[new] = data.eq_active[old]


_REDUCTIONS = 4
_NOT_IN_XML = r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]"
_FIRST = (mjtObj.mjOBJ_UNKNOWN, mjtObj.mjOBJ_BODY, mjtObj.mjOBJ_XBODY, mjtObj.mjOBJ_GEOM, mjtObj.mjOBJ_SITE)


def check(spec: Owner) -> None:
    """Raise MjcfError for the first element that is wrong."""
    for kind in ("geom", "site"):
        for item in spec.contents.all_of(kind):
            _check_size(spec, item, kind)
    for hfield in spec.contents.lists["hfield"]:
        values = len(hfield.value("userdata"))
        if not hfield.file and values and values != hfield.nrow * hfield.ncol:
            raise wrong(spec, hfield, "elevation data length must match nrow*ncol")
    for sensor in spec.contents.lists["sensor"]:
        if sensor.type == mjtSensor.mjSENS_CONTACT:
            _check_contact(spec, sensor)
        elif sensor.type == mjtSensor.mjSENS_RANGEFINDER and sensor.value("intprm")[0] <= 0:
            raise wrong(spec, sensor, "data spec (intprm[0]) must be positive")


def _check_size(spec: Owner, item: Any, kind: str) -> None:
    if kind == "geom" and item.value("meshname"):
        return
    needed = 1 if item.is_set("fromto") else NSIZE.get(item.value("type"), 0)
    for k, value in enumerate(item.value("size")[:needed]):
        if not value > 0:
            raise wrong(spec, item, f"size {k} must be positive in {kind}")


def _check_contact(spec: Owner, sensor: Any) -> None:
    bits, reduction, number = (int(v) for v in sensor.value("intprm"))
    known = (1 << len(OF_CONTACT)) - 1
    for right, what in (
        (sensor.objtype in _FIRST, "first matching criterion: if set, must be (x)body, geom or site"),
        (sensor.reftype in _FIRST[:-1], "second matching criterion: if set, must be (x)body or geom"),
        (bits > 0, f"data spec (intprm[0]) must be positive, got {bits}"),
        (bits & known, f"data spec intprm[0]={bits} must have at least one bit set of the first mjNCONDATA bits"),
        (not bits & ~known, f"data spec intprm[0]={bits} has bits set beyond the first mjNCONDATA bits"),
        (0 <= reduction < _REDUCTIONS, f"unknown reduction criterion. got {reduction}"),
        (number > 0, "num (intprm[2]) must be positive in sensor"),
    ):
        if not right:
            raise wrong(spec, sensor, what)


def unwritable(spec: Owner, problem: str) -> MjcfError:
    """An error, to be raised, about the first element with a text that no XML file can hold; else with what a library says."""
    for element in spec.every():
        texts = {"name": element.entry.name} | {key: element.value(key) for key in element.structure.fields}
        for field, value in texts.items():
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str) and re.search(_NOT_IN_XML, text):
                    return wrong(spec, element, f"{field} {text!r:.80} has a character that no XML file can hold")
    return MjcfError(f"Error: the spec cannot be written: {problem}")


def wrong(spec: Owner, element: Any, what: str) -> MjcfError:
    """An error about an element, to be raised: what is wrong, where a file says it, its name, number and `info`."""
    said = element.entry.where
    held = spec.contents.all_of(element.structure.kind)
    number = next((k for k, other in enumerate(held) if other is element), -1)
    text = f"Error: {what}\nElement name '{element.entry.name}', id {number}"
    infos = (text, element.value("info"), "" if said is None else str(said))
    return MjcfError(", ".join(filter(None, infos)), element=element, what=what)
