"""Texts of labels and the points of the picture they belong to. The window and films draw them; the renderer needs no font."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtEq, mjtTrn
from tumble.render.camera import View
from tumble.render.frame import Frame
from tumble.render.options import LabelMode, RenderOptions, Selection
from tumble.render.scene.symbols import held_points

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]
_Items = tuple[list[str], Vec, list[Hashable]]
_Lines = Iterator[tuple[str, Vec, int]]
_names: WeakKeyDictionary[MjModel, dict[str, list[str]]] = WeakKeyDictionary()


class Label(NamedTuple):
    """A text at a pixel (from the top left), distance of its object [m], and its identity from picture to picture."""

    text: str
    x: float
    y: float
    depth: float
    key: Hashable = None


def labels(
    model: MjModel, frame: Frame, options: RenderOptions, selection: Selection, view: View, width: int, height: int
) -> list[Label]:
    """The labels whose points are within the picture, nearest first."""
    texts, points, keys = _items(model, frame, options.label, selection)
    if not texts or width <= 0 or height <= 0:
        return []
    pixels = view.project(points, width, height)
    across, down, depth = pixels.T
    with np.errstate(invalid="ignore"):
        inside = (depth > view.near) & (across >= 0) & (across < width) & (down >= 0) & (down < height)
    seen = np.flatnonzero(inside)
    seen = seen[np.argsort(depth[seen], kind="stable")]
    places = zip(seen.tolist(), pixels[seen].tolist(), strict=True)
    return [Label(texts[i], x, y, z, keys[i]) for i, (x, y, z) in places]


def name(model: MjModel, kind: str, index: int) -> str:
    """The name of object `index` of a kind (`body`, `jnt`, `geom`, ...), or kind and index when it has none."""
    return names(model, kind)[index]


def names(model: MjModel, kind: str) -> list[str]:
    """The names of all objects of a kind."""
    known = _names.setdefault(model, {})
    if kind not in known:
        text = bytes(model.names)
        encoded = [text[start : text.index(b"\0", start)] for start in np.asarray(getattr(model, f"name_{kind}adr")).tolist()]
        known[kind] = [one.decode("utf-8", "replace") or f"{kind} {i}" for i, one in enumerate(encoded)]
    return known[kind]


def _items(model: MjModel, frame: Frame, mode: LabelMode, selection: Selection) -> _Items:
    """Texts, their points (n, 3), and a key for each."""
    plain = {
        LabelMode.BODY: ("body", frame.xpos),
        LabelMode.JOINT: ("jnt", frame.xanchor),
        LabelMode.GEOM: ("geom", frame.geom_xpos),
        LabelMode.SITE: ("site", frame.site_xpos),
        LabelMode.CAMERA: ("cam", frame.cam_xpos),
        LabelMode.LIGHT: ("light", frame.light_xpos),
    }
    if mode in plain:
        kind, points = plain[mode]
        first = 1 if mode == LabelMode.BODY else 0
        return names(model, kind)[first : len(points)], points[first:], list(range(first, len(points)))
    if mode in (LabelMode.CONTACT_POINT, LabelMode.CONTACT_FORCE):
        return _contacts(model, frame, forces=mode == LabelMode.CONTACT_FORCE)
    lines = list(_lines(model, frame, mode, selection))
    return [text for text, _, _ in lines], np.array([point for _, point, _ in lines]), [key for _, _, key in lines]


def _lines(model: MjModel, frame: Frame, mode: LabelMode, selection: Selection) -> _Lines:
    if mode == LabelMode.TENDON:
        for t in range(len(frame.ten_wrapnum)):
            if frame.ten_wrapnum[t] > 0:
                yield name(model, "tendon", t), _middle(frame, t), t
    elif mode == LabelMode.SKIN:
        yield from _skins(model, frame)
    elif mode == LabelMode.FLEX and len(frame.flexvert_xpos) == model.nflexvert:
        for i in range(model.nflex):
            start, count = int(model.flex_vertadr[i]), int(model.flex_vertnum[i])
            yield name(model, "flex", i), frame.flexvert_xpos[start : start + count].mean(axis=0), i
    elif mode == LabelMode.ACTUATOR:
        yield from _actuators(model, frame)
    elif mode == LabelMode.CONSTRAINT:
        yield from _equalities(model, frame)
    elif mode == LabelMode.ISLAND:
        for tree in np.flatnonzero(np.asarray(frame.tree_island) >= 0):
            yield f"island {frame.tree_island[tree]}", frame.xipos[int(model.tree_bodyadr[tree])], int(tree)
    elif mode in (LabelMode.SELECTION, LabelMode.SELECTION_POINT) and 0 < selection.body < len(frame.xpos):
        b = selection.body
        point = frame.xpos[b] + frame.xmat[b].reshape(3, 3) @ np.asarray(selection.localpos)
        text = name(model, "body", b) if mode == LabelMode.SELECTION else "{:.3f} {:.3f} {:.3f}".format(*point)
        yield text, point, b


def _middle(frame: Frame, tendon: int) -> Vec:
    """Middle of a tendon's path."""
    return np.asarray(frame.wrap_xpos[frame.ten_wrapadr[tendon] + frame.ten_wrapnum[tendon] // 2])


def _skins(model: MjModel, frame: Frame) -> _Lines:
    """Skins, each in the middle of its bones."""
    for i in range(model.nskin):
        start, count = int(model.skin_boneadr[i]), int(model.skin_bonenum[i])
        if count:
            yield name(model, "skin", i), frame.xpos[np.asarray(model.skin_bonebodyid)[start : start + count]].mean(axis=0), i


def _actuators(model: MjModel, frame: Frame) -> _Lines:
    """Actuators, each where it pulls."""
    places = {
        mjtTrn.mjTRN_JOINT: frame.xanchor, mjtTrn.mjTRN_JOINTINPARENT: frame.xanchor, mjtTrn.mjTRN_SITE: frame.site_xpos,
        mjtTrn.mjTRN_SLIDERCRANK: frame.site_xpos, mjtTrn.mjTRN_BODY: frame.xipos,
    }  # fmt: skip
    for i in range(model.nu):
        kind, target = int(model.actuator_trntype[i]), int(model.actuator_trnid[i][0])
        points = places.get(mjtTrn(kind), ())
        if target < len(points):
            yield name(model, "actuator", i), points[target], i
        elif kind == mjtTrn.mjTRN_TENDON and target < len(frame.ten_wrapnum) and frame.ten_wrapnum[target] > 0:
            yield name(model, "actuator", i), _middle(frame, target), i


def _equalities(model: MjModel, frame: Frame) -> _Lines:
    """Active equality constraints: between the points they hold together, at their first joint, flex or tendon."""
    of_tendon = len(frame.ten_wrapnum) == model.ntendon
    complete = len(frame.xpos) == model.nbody and len(frame.site_xpos) == model.nsite
    for e in map(int, np.flatnonzero(frame.eq_active) if complete else ()):
        kind, first = int(model.eq_type[e]), int(model.eq_obj1id[e])
        points = held_points(model, frame, e)
        if points is not None:
            yield name(model, "eq", e), 0.5 * (points[0] + points[1]), e
        elif kind == mjtEq.mjEQ_JOINT and first < len(frame.xanchor):
            yield name(model, "eq", e), frame.xanchor[first], e
        elif kind == mjtEq.mjEQ_TENDON and of_tendon and frame.ten_wrapnum[first] > 0:
            yield name(model, "eq", e), _middle(frame, first), e
        elif kind in (mjtEq.mjEQ_FLEX, mjtEq.mjEQ_FLEXVERT) and len(frame.flexvert_xpos) == model.nflexvert:
            start, count = int(model.flex_vertadr[first]), int(model.flex_vertnum[first])
            yield name(model, "eq", e), frame.flexvert_xpos[start : start + count].mean(axis=0), e


def _contacts(model: MjModel, frame: Frame, *, forces: bool) -> _Items:
    """Contacts: the geoms that touch, or how strongly. The key is the pair and which of its contacts it is, not a number."""
    count = len(frame.contact_pos)
    geoms = np.asarray(frame.contact_geom, np.int64).tolist() if len(frame.contact_geom) == count else [[-1, -1]] * count
    of_pair: Counter[tuple[int, ...]] = Counter()
    keys: list[Hashable] = []
    for pair in map(tuple, geoms):
        keys.append((*pair, of_pair[pair]))
        of_pair[pair] += 1
    if forces:
        strength = np.linalg.norm(frame.contact_force[:count, :3], axis=1)
        texts = [f"{newtons:.3g} N" for newtons in strength.tolist()]
        return texts, frame.contact_pos[: len(texts)], keys[: len(texts)]
    known = names(model, "geom")
    texts = [" | ".join(known[g] for g in pair if g >= 0) or str(c) for c, pair in enumerate(geoms)]
    return texts, frame.contact_pos, keys
