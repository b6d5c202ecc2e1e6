"""Attributes that give a geom, site, camera or height field another pose, size or surface, in the form that its file has.

A file writes a pose in the frame of a <frame> or of a mesh's file, as fromto, or with an orientation in one of five forms; the
model has it in the body's frame. The numbers written are rounded to DIGITS: what the text gives is the model's from then on.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Sequence
from xml.sax.saxutils import escape

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.edits import OF_SHAPE, EditPlace, Values
from tumble.app.editing.parameters import exact, shown
from tumble.physics.algebra.quat import quat_mat
from tumble.physics.compiler import pose
from tumble.physics.compiler.assets.asset_files import file_name
from tumble.physics.compiler.assets.hfield import HField
from tumble.physics.compiler.bodies.frames import read_pose, read_segment
from tumble.physics.compiler.bodies.geoms import NSIZE, on_mesh
from tumble.physics.compiler.draft import Geom, OnBody, Site
from tumble.physics.compiler.pose import IDENTITY, ZERO, Quat, Vec
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtGeom

Attributes = dict[str, tuple[Values | None, list[str]]]  # as `Writing.values`; no numbers: the attribute is removed
DIGITS = 12
ROUNDING = 1e-9  # of what the text gives, relative to numbers of 1 and more
EDITED = "-edited"
_OWN = re.compile(rf"{EDITED}(-\d+)?\.bin$")
_LENGTHWISE = (mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_CYLINDER)
_FORMS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")


class ShapeTarget(Struct, frozen=True):
    """Pose in the body's frame and size of a geom, site or camera, as the model is to have them."""

    pos: Vec
    quat: Quat
    size: Vec = ZERO


def is_rounded(place: EditPlace) -> bool:
    """True for numbers that the text of a file gives but to rounding."""
    return place.field in OF_SHAPE


def nearly(first: Values, second: Values) -> bool:
    """True if numbers are the same but for rounding; a quaternion of the other sign is another."""
    pairs = zip(first, second, strict=False)
    return len(first) == len(second) and all(abs(a - b) <= ROUNDING * max(1.0, abs(b)) for a, b in pairs)


def same_z_axis(first: Values, second: Values) -> bool:
    """True if two quaternions have the same z axis."""
    a, b = (np.array(quat_mat(q))[2::3] for q in (first, second))
    return bool(np.abs(a - b).max() <= ROUNDING)


def shape_attributes(item: OnBody, target: ShapeTarget) -> Attributes:
    """Attributes of an element that give it this pose and size. Raises PatchError for what its file cannot express."""
    element = item.element
    segment = read_segment(element)
    own = segment[:2] if segment else read_pose(element)
    pos, quat = _written_pose(item, own, (target.pos, target.quat))
    if segment is None:
        return _pose(element, own, pos, quat) | _size(item, target.size)
    kind = _kind(item)
    if kind in _LENGTHWISE or (kind == mjtGeom.mjGEOM_ELLIPSOID and target.size[0] == target.size[1]):
        return _segment(item, target.size, pos, quat)
    if "fromto" not in element.given:
        raise PatchError("its default class gives it fromto, which has no room for this shape")
    return {"fromto": (None, []), "pos": (None, _texts(pos)), "quat": (None, _texts(quat)), "size": (None, _texts(target.size))}


def loses_twist(item: OnBody) -> bool:
    """True if the file says where the element's axis points, and not how it is turned about it."""
    return item.element.has("fromto") and _kind(item) in (*_LENGTHWISE, mjtGeom.mjGEOM_ELLIPSOID)


def _kind(item: OnBody) -> mjtGeom | None:
    return item.type if isinstance(item, Geom | Site) else None


def _written_pose(item: OnBody, own: tuple[Vec, Quat], target: tuple[Vec, Quat]) -> tuple[Vec, Quat]:
    """The pose to be written: own is what is written now, item's what the model has of it."""
    mesh = item.mesh if isinstance(item, Geom) else None
    if mesh is None and (item.pos, item.quat) == own:
        return target
    of_mesh = (ZERO, IDENTITY) if mesh is None or not isinstance(item, Geom) else on_mesh(item.type, item.element, mesh, *own)
    within = own if mesh is None else of_mesh  # the present pose, in the frame around the element
    around = pose.compose(item.pos, item.quat, *_inverse(*within))
    of_file = (ZERO, IDENTITY) if mesh is None else pose.relative(*own, *within)
    inside = pose.relative(*around, *target)
    return pose.compose(*inside, *_inverse(*of_file))


def _inverse(pos: Vec, quat: Quat) -> tuple[Vec, Quat]:
    return pose.relative(pos, quat, ZERO, IDENTITY)


def _pose(element: Element, own: tuple[Vec, Quat], pos: Vec, quat: Quat) -> Attributes:
    found: Attributes = {}
    if not nearly(pos, own[0]):
        found["pos"] = (own[0], _texts(pos))
    if nearly(quat, own[1]) or nearly(quat, _opposite(own[1])):
        return found
    for form in _FORMS[1:]:
        if form in element.given:
            found[form] = (None, [])
        elif element.has(form):
            raise PatchError(f"its default class gives it {form}, which goes before a quat")
    found["quat"] = (None, _texts(quat))
    return found


def _size(item: OnBody, size: Vec) -> Attributes:
    if not isinstance(item, Geom | Site) or nearly(size, item.size):
        return {}
    if isinstance(item, Geom) and (item.mesh is not None or item.hfield is not None):
        raise PatchError("its mesh or height field gives it its size")
    used = NSIZE.get(item.type, 3)
    kept = 3 if any(size[used:]) else used
    return {"size": (item.size[:kept], _texts(size[:kept]))}


def _segment(item: OnBody, size: Vec, pos: Vec, quat: Quat) -> Attributes:
    """The ends of the axis, the start first, and the radius where it has changed."""
    half = size[1] if _kind(item) in _LENGTHWISE else size[2]
    along = pose.rotate(quat, (0.0, 0.0, half))
    ends = (*(p + a for p, a in zip(pos, along, strict=True)), *(p - a for p, a in zip(pos, along, strict=True)))
    before = tuple(float(v) for v in item.element.get("fromto"))
    found: Attributes = {} if nearly(ends, before) else {"fromto": (before, _texts(ends))}
    written = [float(v) for v in item.element.get("size", (0.0,))]
    if not nearly((size[0],), (written[0],)):
        found["size"] = (tuple(written), _texts([size[0], *written[1:]]))
    return found


def _opposite(quat: Quat) -> Quat:
    w, x, y, z = quat
    return -w, -x, -y, -z


def _texts(values: Sequence[float]) -> list[str]:
    return [shown(0.0 if abs(v) < 10.0**-DIGITS else float(f"{v:.{DIGITS}g}")) for v in values]


# ---- height fields


class HeightText(Struct, frozen=True):
    """Attributes of a height field, and the file that they name: "" and no contents where its samples stand in the text."""

    attributes: Attributes
    path: str = ""
    data: bytes = b""


def height_text(hfield: HField, size: Values, samples: NDArray[np.float32], file: str) -> HeightText:
    """Attributes that give a height field this size and these samples (nrow, ncol), 0..1; file: path of its present samples.

    Samples of a file go to another beside it, of single precision, and the file itself stays; those of the text into it.
    """
    element = hfield.element
    found: Attributes = {}
    if not nearly(size, hfield.size):
        found["size"] = (hfield.size, _texts(size))
    if np.array_equal(samples, hfield.data):
        return HeightText(found)
    if not hfield.path:
        numbers = exact("hfield_data", samples[::-1].ravel().tolist())  # a map is read from its greatest y on
        found["elevation"] = (None, [shown(v) for v in numbers])
        return HeightText(found)
    folder, name = os.path.split(file)
    other = _own_name(folder, name)
    written = str(element.get("file"))
    found["file"] = (None, [_quoted(written[: len(written) - len(os.path.basename(file_name(element)))] + other)])
    if "name" not in element.given:
        found["name"] = (None, [_quoted(str(element.get("name")))])
    if element.has("content_type"):
        found["content_type"] = (None, ["image/vnd.mujoco.hfield"])
    data = struct.pack("<ii", *samples.shape) + samples.astype("<f4").tobytes()
    return HeightText(found, os.path.join(folder, other), data)


def _own_name(folder: str, name: str) -> str:
    """A file for the samples: the same if it was made here, else one that does not exist yet."""
    if _OWN.search(name):
        return name
    stem, number = os.path.splitext(name)[0], 1
    while os.path.lexists(os.path.join(folder, other := f"{stem}{EDITED}{f'-{number}' if number > 1 else ''}.bin")):
        number += 1
    return other


def _quoted(text: str) -> str:
    return escape(text, {'"': "&quot;", "'": "&apos;"})
