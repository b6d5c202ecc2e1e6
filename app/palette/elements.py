"""Entries of the model's elements, and where each of them is in the view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.signals import Catalogue, FieldInfo
from tumble.app.palette.entries import WHOLE_WORD, in_text
from tumble.app.panels.inspector.element_tree import BODY, BRANCHES, OF_BODY, ElementKind, detail_of, element_names
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

_OBJ = physics.mjtObj
_JOINT_TRN = (int(physics.mjtTrn.mjTRN_JOINT), int(physics.mjtTrn.mjTRN_JOINTINPARENT))
# Of a frame: where an element of a kind is.
_PLACES = {"body": "xipos", "geom": "geom_xpos", "site": "site_xpos", "jnt": "xanchor", "cam": "cam_xpos", "light": "light_xpos"}
_BY_OBJ = {
    int(_OBJ.mjOBJ_BODY): "body", int(_OBJ.mjOBJ_XBODY): "body", int(_OBJ.mjOBJ_JOINT): "jnt", int(_OBJ.mjOBJ_GEOM): "geom",
    int(_OBJ.mjOBJ_SITE): "site", int(_OBJ.mjOBJ_CAMERA): "cam", int(_OBJ.mjOBJ_LIGHT): "light",
    int(_OBJ.mjOBJ_TENDON): "tendon", int(_OBJ.mjOBJ_ACTUATOR): "actuator",
}  # fmt: skip


class KnownElement(Struct, frozen=True):
    """An element, with the texts that are searched, in lower case."""

    kind: ElementKind
    index: int
    name: str
    title: str
    about: str


def elements(model: MjModel) -> list[KnownElement]:
    """All elements of a model."""
    result = []
    for kind in (BODY, *OF_BODY, *BRANCHES):
        about = kind.title.lower()
        names = element_names(model, kind)
        result += [KnownElement(kind, i, name, name.lower(), f"{about} {i}") for i, name in enumerate(names)]
    return result


def about(model: MjModel, element: KnownElement) -> str:
    """The kind of an element for reading: `Joint 3, hinge`."""
    more = detail_of(model, element.kind, element.index)
    return f"{element.kind.title} {element.index}" + (f", {more}" if more else "")


def place(model: MjModel, frame: Frame, prefix: str, index: int) -> tuple[int, NDArray[np.float64] | None]:
    """The body that an element belongs to (-1: none), and the point (3,) [m] where it is (None: nowhere)."""
    prefix, index = _carrier(model, prefix, index)
    if prefix == "tendon":
        first, count = int(frame.ten_wrapadr[index]), int(frame.ten_wrapnum[index])
        return -1, frame.wrap_xpos[first : first + count].mean(axis=0) if count else None
    if prefix not in _PLACES or index < 0:
        return -1, None
    body = index if prefix == "body" else int(getattr(model, f"{prefix}_bodyid")[index])
    points = getattr(frame, _PLACES[prefix])
    return body, points[index].copy() if index < len(points) else None


def _carrier(model: MjModel, prefix: str, index: int) -> tuple[str, int]:
    """The visible element for another: for an actuator its target, for a material a geom with it."""
    for _ in range(3):  # a sensor of an actuator of a joint
        if prefix == "actuator":
            prefix, index = _of_actuator(model, index)
        elif prefix == "sensor":
            prefix, index = _BY_OBJ.get(int(model.sensor_objtype[index]), ""), int(model.sensor_objid[index])
        else:
            break
    if prefix == "eq":
        return _BY_OBJ.get(int(model.eq_objtype[index]), "jnt"), int(model.eq_obj1id[index])
    if prefix == "pair":
        return "geom", int(model.pair_geom1[index])
    if prefix == "exclude":
        return "body", int(model.exclude_signature[index]) >> 16
    users = _users(model, prefix, index)
    return ("geom", int(users[0])) if len(users) else (prefix, index)


def _of_actuator(model: MjModel, index: int) -> tuple[str, int]:
    kind, target = int(model.actuator_trntype[index]), int(model.actuator_trnid[index, 0])
    if kind in _JOINT_TRN:
        return "jnt", target
    if kind == int(physics.mjtTrn.mjTRN_TENDON):
        return "tendon", target
    return ("body" if kind == int(physics.mjtTrn.mjTRN_BODY) else "site"), target


def _users(model: MjModel, prefix: str, index: int) -> NDArray[np.int64]:
    """The geoms that are drawn with a material, texture, mesh or height field."""
    if prefix == "mat":
        return np.flatnonzero(np.asarray(model.geom_matid) == index)
    if prefix == "tex":
        wearing = np.flatnonzero((np.asarray(model.mat_texid).reshape(int(model.nmat), -1) == index).any(axis=1))
        return np.flatnonzero(np.isin(np.asarray(model.geom_matid), wearing))
    if prefix in ("mesh", "hfield"):
        kind = physics.mjtGeom.mjGEOM_MESH if prefix == "mesh" else physics.mjtGeom.mjGEOM_HFIELD
        return np.flatnonzero((np.asarray(model.geom_dataid) == index) & (np.asarray(model.geom_type) == int(kind)))
    return np.zeros(0, np.int64)


MOST_ROWS = 24  # of one field in one search
MOST_FOUND = 400
FEW_ROWS = 4  # of a field whose rows vary, without a row in the search
USUAL, USUAL_BONUS = ("Sensors", "State and inputs"), 55  # most plotted groups, and their bonus in a score
DESCRIBED = 20  # score of a word that only the description of a field has


class SignalIndex:
    """The single numbers of one model, searched by words."""

    def __init__(self, model: MjModel) -> None:
        self._catalogue = Catalogue(model)
        self._fields = [info for group in self._catalogue.groups.values() for info in group]
        self._about = {info.name: f"{info.group} {info.field.doc}".lower() for info in self._fields}
        for info in self._fields:
            self._catalogue.row_names(info)  # kept there: a search does not wait for it

    def search(self, words: Sequence[str]) -> list[tuple[int, str, str]]:
        """Score, name and description of the numbers that have all words."""
        if not words:
            return []
        rows: dict[tuple[int, tuple[str, ...]], list[tuple[int, str]]] = {}
        matches: list[tuple[int, str, str]] = []
        for info in self._fields:
            about = self._about[info.name]
            for name in islice(self._matching(info, words, about, rows), MOST_ROWS * info.width):
                total = sum(in_text(w, name.lower()) or DESCRIBED for w in words) + USUAL_BONUS * (info.group in USUAL)
                matches.append((min(total, WHOLE_WORD * len(words)), name, info.field.doc))
            if len(matches) >= MOST_FOUND:
                break
        return matches

    def knows(self, name: str) -> bool:
        """True if the model has a single number of that name."""
        return self._catalogue.knows(name)

    def _matching(
        self, info: FieldInfo, words: Sequence[str], about: str, rows: dict[tuple[int, tuple[str, ...]], list[tuple[int, str]]]
    ) -> Iterator[str]:
        """Names of the numbers of a field that match all words; rows: matches of words in other fields."""
        head = info.name.lower()
        left = [word for word in words if word not in head]
        if info.field.shape == ():
            if all(word in about for word in left) and len(left) < len(words):
                yield info.name
            return
        columns = self._catalogue.column_names(info)
        numbered = {word for word in left if word in columns}
        wanted = tuple(word for word in left if word not in numbered)
        if any(wanted) and not self._rows(info, wanted, rows):
            wanted = tuple(word for word in wanted if word not in about)
        if not wanted and len(left) == len(words):
            return  # no part of the text is a name of it
        for _, row in self._rows(info, wanted, rows)[:MOST_ROWS]:
            for column in columns:
                if not numbered or column in numbered:
                    yield f"{info.name}[{row}, {column}]" if column else f"{info.name}[{row}]"

    def _rows(
        self, info: FieldInfo, words: tuple[str, ...], known: dict[tuple[int, tuple[str, ...]], list[tuple[int, str]]]
    ) -> list[tuple[int, str]]:
        """Number and text of the rows that have all words, as their number or in their name."""
        names = self._catalogue.row_names(info)
        if not words:
            most = FEW_ROWS if info.grows else MOST_ROWS
            return [(row, names.get(row, str(row))) for row in range(min(info.rows, most))]
        if len(words) == 1 and words[0].isdecimal() and int(words[0]) < info.rows:
            row = int(words[0])
            return [(row, names.get(row, str(row)))]
        key = id(names), words
        if key not in known:
            known[key] = [(row, name) for row, name in names.items() if all(word in name.lower() for word in words)]
        return known[key]
