"""Height fields: elevations over a rectangle, from an image, a binary file, numbers in the text, or left flat.

The model keeps them row by row, the row of the least y first, scaled to 0..1. An image, and numbers in the text, are
written as a map is read: the row of the greatest y first; binary files are in the model's order.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.compiler.assets.asset_files import file_name, open_file
from tumble.physics.compiler.assets.image import is_png, read_png
from tumble.physics.compiler.fill import lay_out
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model

_BINARY = "image/vnd.mujoco.hfield"
_MOST = 2**26  # samples of one height field, and of all together
_FLAT = 1e-30  # a difference of elevations that is none

Vec = tuple[float, float, float]
Size = tuple[float, float, float, float]  # half width, half depth, height of a sample of 1, thickness of the base [m]


class HField(Struct, eq=False):
    """One height field as the model stores it.

    data: (nrow, ncol) elevations, 0..1. size: half width, half depth, height of a sample of 1, thickness of the base
    [m]. path: the file it came from, or "".
    """

    element: Element
    data: NDArray[np.float32]
    size: Size
    path: str

    @property
    def box(self) -> Vec:
        """Half lengths of the box that stands for a geom of this height field in its mass: half the height of all."""
        return box_of(self.size)

    @property
    def radius(self) -> float:
        """Radius of the sphere about the geom's centre that holds it."""
        return radius_of(self.size)

    @property
    def bounds(self) -> tuple[float, ...]:
        """Centre and half lengths of the box that holds it."""
        return bounds_of(self.size)


def box_of(size: Size) -> Vec:
    """Half lengths of the box that stands for a height field of this size in its mass: half the height of all."""
    x, y, top, base = size
    return x, y, top / 4 + base / 2


def radius_of(size: Size) -> float:
    """Radius of the sphere about the geom's centre that holds a height field of this size."""
    x, y, top, base = size
    return math.sqrt(x * x + y * y + max(top, base) ** 2)


def bounds_of(size: Size) -> tuple[float, ...]:
    """Centre and half lengths of the box that holds a height field of this size."""
    x, y, top, base = size
    return 0.0, 0.0, (top - base) / 2, x, y, (top + base) / 2


def read_hfields(document: Document, elements: Iterable[Element]) -> list[HField]:
    """All height fields of a model. Raises MjcfError if one cannot be read."""
    hfields, total = [], 0
    for element in elements:
        with faults.tolerated():
            hfields.append(_read(document, element))
            total += hfields[-1].data.size
            _require_room(element, total)
    return hfields


def _read(document: Document, element: Element) -> HField:
    if not element.get("name"):
        raise element.error("needs a name, by which geoms refer to it, or a file, whose name it takes")
    size = [float(v) for v in element.get("size")]
    if not all(v > 0 and math.isfinite(v) for v in size):
        raise element.error("size must be positive (half width, half depth, height, thickness of the base), is "
                            + " ".join(f"{v:g}" for v in size))  # fmt: skip
    path = file_name(element)
    data = _from_file(document, element, path) if path else _inline(element)
    return HField(element, _normalized(element, data), (size[0], size[1], size[2], size[3]), path)


def _inline(element: Element) -> NDArray[np.float32]:
    """The numbers of `elevation`, or none yet: a field that a program fills while it runs."""
    nrow, ncol = element.get("nrow"), element.get("ncol")
    if nrow < 1 or ncol < 1:
        raise element.error(f"has no content: give it a file, or nrow and ncol of 1 or more, which are {nrow} and {ncol}")
    _require_room(element, nrow * ncol)
    elevation = np.atleast_1d(np.asarray(element.get("elevation", ()), float))
    if not elevation.size:
        return np.zeros((nrow, ncol), np.float32)
    if elevation.size != nrow * ncol:
        raise element.error(f"elevation needs nrow x ncol = {nrow * ncol} numbers, has {elevation.size}")
    return elevation.astype(np.float32).reshape(nrow, ncol)[::-1]


def _from_file(document: Document, element: Element, file: str) -> NDArray[np.float32]:
    if element.get("nrow") or element.get("ncol") or element.has("elevation"):
        element.warn(f'takes its samples from file "{file}": nrow, ncol and elevation do not count')
    data = open_file(document, element, file, element.settings.meshdir)
    kind = str(element.get("content_type") or "")
    if "/" in kind and kind.lower() not in ("image/png", _BINARY):
        raise element.error(f'content_type "{kind}" is not read; valid: image/png, {_BINARY}')
    if is_png(element, file, data):
        pixels, _ = read_png(element, file, data, 1)
        _require_room(element, pixels.size)
        return pixels[::-1, :, 0].astype(np.float32)
    return _binary(element, file, data)


def _binary(element: Element, file: str, data: bytes) -> NDArray[np.float32]:
    """Two integers, rows and columns, then as many single-precision numbers."""
    if len(data) < 8:
        raise element.error(f'file "{file}" has {len(data)} bytes: 8 for rows and columns are the least')
    nrow, ncol = struct.unpack_from("<ii", data)
    if nrow < 1 or ncol < 1:
        raise element.error(f'file "{file}" says at byte 0 that it has {nrow} x {ncol} samples: both must be 1 or more')
    if len(data) != 8 + 4 * nrow * ncol:
        raise element.error(f'file "{file}" has {len(data)} bytes; {nrow} x {ncol} samples, as it says, take '
                            f"{8 + 4 * nrow * ncol}; an image needs a name that ends in .png")  # fmt: skip
    _require_room(element, nrow * ncol)
    return np.frombuffer(data, "<f4", nrow * ncol, 8).reshape(nrow, ncol)


def _normalized(element: Element, data: NDArray[np.float32]) -> NDArray[np.float32]:
    """Elevations from 0 to 1; all of one height are 0."""
    wild = np.flatnonzero(~np.isfinite(data))
    if wild.size:
        row, column = divmod(int(wild[0]), data.shape[1])
        raise element.error(f"has an elevation that is not a number, or not finite, in row {row}, column {column}")
    with np.errstate(over="ignore"):
        data = data - data.min()
        top = data.max()
    if not np.isfinite(top):
        raise element.error("has elevations that are too far apart")
    return data / top if top > _FLAT else np.zeros_like(data)


def _require_room(element: Element, samples: int) -> None:
    if samples > _MOST:
        raise element.error(f"brings the height fields to {samples} samples; {_MOST} are the most")


def hfield_of(element: Element, kind: mjtGeom, hfields: Sequence[HField]) -> HField | None:
    """The height field that gives a geom its shape; None for a geom of another type.

    Raises MjcfError if type and reference do not fit together.
    """
    name = element.get("hfield")
    if kind != mjtGeom.mjGEOM_HFIELD:
        if name:
            raise element.error(f'refers to the height field "{name}", but is of another type: write type="hfield"')
        return None
    if not name:
        known = ", ".join(str(hfield.element.get("name")) for hfield in hfields) or "the model has none"
        raise element.error(f"of type hfield needs the attribute hfield, the name of a height field: {known}")
    if element.get("mesh"):
        raise element.error("has both a height field and a mesh: it can show one of them")
    if element.get("fromto") is not None:
        raise element.error("fromto needs a capsule, cylinder, box or ellipsoid, not a hfield")
    return next(hfield for hfield in hfields if hfield.element.get("name") == name)


def fill_hfields(hfields: Sequence[HField], m: Model) -> None:
    """Write the height fields of a model."""
    for i, hfield in enumerate(hfields):
        m.hfield_size[i] = hfield.size
        m.hfield_nrow[i], m.hfield_ncol[i] = hfield.data.shape
    lay_out(m, [h.data.size for h in hfields], "hfield_adr", hfield_data=[h.data.ravel() for h in hfields])
