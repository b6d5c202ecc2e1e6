"""Names: one buffer of bytes, where each kind's names begin, and a hash table to find an id by its name."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tumble.physics.compiler.draft import Draft
from tumble.physics.mjcf.spec import Element
from tumble.physics.state import named
from tumble.physics.state.model import Model

# The kinds that have names, in the order of the buffer: kind, and the field of its addresses.
KINDS = {kind.obj.name[6:].lower(): kind.prefix for kind in named.KINDS.values()}
_LOAD = 2  # places in the hash table for each name


def elements_of(draft: Draft) -> dict[str, list[Element]]:
    """The elements of every kind but plugins, in the order of the ids."""
    return {
        "body": [body.element for body in draft.bodies], "joint": [j.element for j in draft.joints],
        "geom": [g.element for g in draft.geoms], "site": [s.element for s in draft.sites],
        "camera": [c.element for c in draft.cameras], "light": [light.element for light in draft.lights],
        "flex": [flex.element for flex in draft.flexes],
        "mesh": [mesh.element for mesh in draft.assets.meshes],
        "hfield": [h.element for h in draft.assets.hfields], "skin": [s.element for s in draft.assets.skins],
        "texture": draft.textures, "material": draft.materials, "pair": draft.pairs, "exclude": draft.excludes,
        "equality": draft.equalities, "tendon": draft.tendons, "actuator": draft.actuators, "sensor": draft.sensors,
        "numeric": draft.numerics, "text": draft.texts, "tuple": draft.tuples, "key": draft.keys,
    }  # fmt: skip


def collect(draft: Draft, nkey: int) -> dict[str, list[str]]:
    """All names by kind, in the order of the ids; "" for what has none. nkey: keyframes, including those of `<size nkey>`."""
    held = elements_of(draft)
    names = {kind: [name_of(element) for element in held.get(kind, ())] for kind in KINDS}
    names["plugin"] = [instance.name for instance in draft.plugins.instances]
    names["body"][0] = "world"
    names["key"] += [""] * (nkey - len(draft.keys))
    return names


def name_of(element: Element) -> str:
    """The name of an element; the reader has given those of files to assets."""
    return str(element.get("name", ""))


def index(names: dict[str, list[str]]) -> dict[str, dict[str, int]]:
    """Ids by name, for every kind."""
    return {kind: {name: i for i, name in enumerate(listed) if name} for kind, listed in names.items()}


def buffer(model_name: str, names: dict[str, list[str]]) -> bytes:
    """All names one after the other, each ended by a zero byte; the first is the model's."""
    return b"".join(name.encode() + b"\0" for name in [model_name, *(n for listed in names.values() for n in listed)])


def fill_names(model_name: str, names: dict[str, list[str]], m: Model) -> None:
    """Write the names of a model, their addresses and the table to look them up."""
    m.names = buffer(model_name, names)
    at = len(model_name.encode()) + 1
    for kind, listed in names.items():
        for i, name in enumerate(listed):
            getattr(m, f"name_{KINDS[kind]}adr")[i] = at
            at += len(name.encode()) + 1
    m.names_map = np.fromiter(_table(names), np.int32, m.nnames_map)


def _table(names: dict[str, list[str]]) -> Iterator[int]:
    for listed in names.values():
        places = [-1] * (_LOAD * len(listed))
        for i, name in enumerate(listed):
            if not name:
                continue
            at = _hash(name) % len(places)
            while places[at] >= 0:  # taken: the next free place
                at = (at + 1) % len(places)
            places[at] = i
        yield from places


def _hash(name: str) -> int:
    """Bernstein's hash of a name, with exclusive or, in 64 bits."""
    value = 5381
    for byte in name.encode():
        value = (value * 33 ^ byte) % 2**64
    return value
