"""Cuts a mesh into parts that are convex or nearly so, by the package coacd."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from xml.sax.saxutils import quoteattr

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.compiler.assets.mesh.solid import enclosed_volume

INSTALL = "this needs the package coacd: pip install 'tumble[decompose]'"
MOST_PARTS = 1000
COARSEST, USUAL, FINEST = 1.0, 0.05, 0.01  # concavity that coacd takes


class DecomposeError(Exception):
    """Why a mesh cannot be cut into parts, in words for the user."""


class ConvexPart(Struct, frozen=True, eq=False):
    """A convex part. vertices: (n, 3) in the units of the mesh's file; faces: (m, 3), counter-clockwise from outside."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]

    @property
    def volume(self) -> float:
        """Volume, in the cube of the file's unit."""
        return enclosed_volume(self.vertices, self.faces)


class Fineness(Struct, frozen=True):
    """Settings of a decomposition. concavity: largest distance of a part from its hull, 0.01 (fine) to 1, in the mesh's size [1].

    most: number of parts at most; 0: no limit. seed: of the search; the same seed gives the same parts.
    """

    concavity: float = USUAL
    most: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not FINEST <= self.concavity <= COARSEST:
            raise DecomposeError(f"concavity must be {FINEST:g} to {COARSEST:g}, is {self.concavity:g}")
        if not 0 <= self.most <= MOST_PARTS:
            raise DecomposeError(f"the number of parts must be 0 (no limit) to {MOST_PARTS}, is {self.most}")


def available() -> bool:
    """True if the package coacd is installed."""
    return find_spec("coacd") is not None


def decompose(vertices: NDArray[np.float64], faces: NDArray[np.int32], fineness: Fineness) -> list[ConvexPart]:
    """The convex parts of a mesh; takes seconds to minutes.

    vertices: (n, 3); faces: (m, 3) triangles. Raises DecomposeError if there is nothing to cut, or no package to do it.
    """
    if not available():
        raise DecomposeError(INSTALL)
    if len(vertices) < 4 or len(faces) < 4:
        raise DecomposeError(f"a mesh of {len(vertices)} vertices and {len(faces)} triangles encloses no volume")
    import coacd  # not before it is needed: an optional package that loads a large library

    coacd.set_log_level("error")
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    size = float(np.max(high - low))
    if not 0 < size < np.inf:
        raise DecomposeError("the mesh has no extent, or vertices that are not numbers")
    # Its thresholds are of a mesh of size one; so are the tolerances inside it.
    mesh = coacd.Mesh((vertices - low) / size, faces)
    try:
        hulls = coacd.run_coacd(
            mesh, threshold=fineness.concavity, max_convex_hull=fineness.most or -1, seed=fineness.seed
        )
    except RuntimeError as error:
        raise DecomposeError(f"coacd cannot cut this mesh: {error}") from error
    parts = [ConvexPart(np.asarray(v, float) * size + low, np.asarray(f, np.int32)) for v, f in hulls]
    if not parts:
        raise DecomposeError("coacd found no part in this mesh: is it closed?")
    return sorted(parts, key=lambda part: -part.volume)


def summary(parts: Sequence[ConvexPart], vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> str:
    """Share of the mesh's volume that the parts fill, next to its hull's, in words."""
    from scipy.spatial import ConvexHull, QhullError  # slow to import

    own, filled = abs(enclosed_volume(vertices, faces)), sum(part.volume for part in parts)
    count = f"{len(parts)} convex part{'s' if len(parts) != 1 else ''}"
    try:
        hull = float(ConvexHull(vertices).volume)
    except QhullError:
        return count
    if own <= 0:
        return count
    return f"{count}: {100 * filled / own:.0f} % of the mesh's volume, where its hull has {100 * hull / own:.0f} %"


def obj(part: ConvexPart) -> bytes:
    """A part as an OBJ file; numbers with the nine digits that a single-precision vertex has."""
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in part.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in part.faces.tolist()]
    return ("\n".join(lines) + "\n").encode()


def part_names(stem: str, count: int) -> list[str]:
    """A name for each part of a mesh, or of a geom: its own, and a number."""
    return [f"{stem}_{k}" for k in range(count)]


def tag(name: str, attributes: Mapping[str, str]) -> str:
    """An element without children; the values are plain texts, not yet escaped."""
    return f"<{name}" + "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items()) + "/>"
