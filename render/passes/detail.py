"""Culling and level of detail: objects outside the picture are skipped, and small ones drawn with few triangles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.render.camera import View
from tumble.render.constants import MeshId, is_floor
from tumble.render.drawlist import DrawList
from tumble.render.gpu.solids import Solids

# Below this radius [pixels] half the slices leave no corner that an eye can find.
COARSE_PIXELS = 22.0
# How far off a simplified surface may seem [pixels]: the least that is worth it, and more if there are too many triangles.
# At the last, a picture takes longer instead.
TOLERANCES = (0.4, 0.6, 0.8, 1.1, 1.5)
# Triangles of the model's meshes in one picture; beyond that, coarser levels are drawn.
BUDGET = 80_000
# By the ids of primitives, and of what follows them.
_ROUND = (MeshId.SPHERE, MeshId.CAPSULE, MeshId.CYLINDER, MeshId.CONE)
_IS_ROUND = np.array([mesh in _ROUND for mesh in range(int(max(_ROUND)) + 2)])

Mat = NDArray[np.float64]


def pixel_size(drawlist: DrawList, view: View, height: int) -> NDArray[np.float64]:
    """(n,) pixels that a metre takes where each instance is."""
    away = np.full(len(drawlist), 1.0)
    if not view.orthographic:
        away = np.maximum((drawlist.instances["pos"] - view.eye) @ view.forward, view.near) / view.near
    return np.asarray(height / (view.top - view.bottom) / away)


def coarsen(
    drawlist: DrawList, scale: NDArray[np.float64], solids: Solids | None, budget: int = BUDGET, *, outlines: bool = False
) -> NDArray[np.int64]:
    """(n,) meshes to draw instead of the draw list's: fewer triangles for small objects.

    scale: pixels a metre; solids: knows the levels of the model's meshes, None if they are drawn in full. outlines: round ones
    keep all of their slices, which a smooth edge needs where no light blurs it.
    """
    mesh = drawlist.mesh.copy()
    pixels = drawlist.instances["scale"][:, :3].max(axis=1) * scale
    if not outlines:
        mesh[_IS_ROUND[np.minimum(mesh, len(_IS_ROUND) - 1)] & (pixels < COARSE_PIXELS)] += int(MeshId.COARSE)
    if solids is not None:
        rows = np.flatnonzero((mesh >= MeshId.MODEL_MESH) & (mesh < MeshId.HULL) | (mesh >= MeshId.HFIELD) & (mesh < MeshId.SKIN))
        if len(rows):
            mesh[rows] += int(MeshId.LEVEL) * levels(mesh[rows], scale[rows], solids, budget)
    return mesh


def levels(mesh: NDArray[np.int64], scale: NDArray[np.float64], solids: Solids, budget: int) -> NDArray[np.int64]:
    """(n,) levels of instances of meshes that are drawn at `scale` pixels a metre: the simplest that looks the same.

    If that exceeds the budget of triangles, the next tolerance applies, to the last of them.
    """
    kinds, kind = np.unique(mesh, return_inverse=True)
    known = [solids.levels(int(m)) for m in kinds]
    most = max(map(len, known))
    table = np.array([[*pairs, *[(np.inf, np.inf)] * (most - len(pairs))] for pairs in known])
    triangles, error = np.moveaxis(table[kind.ravel()], 2, 0)
    pixels = error * np.nan_to_num(scale, nan=1.0, posinf=1e9)[:, None]
    for tolerance in TOLERANCES:
        chosen = np.maximum(np.sum(pixels <= tolerance, axis=1) - 1, 0)
        if triangles[np.arange(len(mesh)), chosen].sum() <= budget:
            break
    return chosen


def inside(drawlist: DrawList, matrix: Mat, *, depth: bool = True) -> NDArray[np.bool_]:
    """(n,) whether a projection may show an instance: its bounding sphere is not outside one of the frustum's sides.

    matrix: (4, 4) world to clip space; depth: whether instances nearer or farther than the frustum count as outside too.
    """
    planes = np.concatenate([matrix[3] + matrix[: 3 if depth else 2], matrix[3] - matrix[:2]])
    planes /= np.maximum(np.sqrt((planes[:, :3] ** 2).sum(axis=1)), 1e-300)[:, None]
    distance = planes[:, :3] @ np.asarray(drawlist.instances["pos"], float).T + planes[:, 3:]
    # Not-a-number is drawn, as are instances without bounds.
    return np.asarray(~(distance < -drawlist.radius).any(axis=0))


def orders(
    drawlist: DrawList, mesh: NDArray[np.int64], shown: NDArray[np.bool_], view: View
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Opaque indices grouped by mesh and texture, floors last, since most of them is hidden; transparent ones, farthest first."""
    alpha = drawlist.instances["rgba"][:, 3]
    floor = is_floor(mesh)
    opaque = np.flatnonzero((alpha > 0.99) & shown)
    opaque = opaque[np.lexsort((drawlist.texture[opaque], mesh[opaque], floor[opaque]))]
    clear = np.flatnonzero((alpha <= 0.99) & (alpha > 0) & shown)
    depth = (drawlist.instances["pos"][clear] - view.eye) @ view.forward
    return opaque, clear[np.argsort(-depth, kind="stable")]
