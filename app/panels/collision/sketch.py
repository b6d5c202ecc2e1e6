"""A step of a collision as figures over the view: nearest points, simplex on both shapes, faces that meet, prism."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.app.look.theme import INKS
from tumble.app.session.drawing import Figure, Stroke
from tumble.physics.observe.collision_steps import SearchKind

if TYPE_CHECKING:
    from tumble.physics.observe.collision_record import CollisionRecord
    from tumble.physics.observe.collision_steps import CollisionStep

Points = NDArray[np.float64]
FIRST, SECOND = INKS[1], INKS[0]  # inks of what belongs to the first and the second geom
_PRISM = ((0, 1, 2, 0), (3, 4, 5, 3), (0, 3), (1, 4), (2, 5))  # its edges


def sketch(record: CollisionRecord, step: CollisionStep | None) -> list[Figure]:
    """The figures of a step; None: of the answer alone."""
    figures = []
    if record.prism is not None:
        figures += [Figure(record.prism[list(edge)], Stroke.LINE, "dim", 1.2) for edge in _PRISM]
    if step is not None and step.kind is SearchKind.CLIP and record.faces is not None:
        figures += [_outline(record.faces.face1, FIRST), _outline(record.faces.face2, SECOND)]
        figures.append(Figure(step.polygon, Stroke.AREA, "good", 1.8))
    elif step is not None:
        figures += _simplex(step)
    first, second = (record.point1, record.point2) if step is None else (step.point1, step.point2)
    if len(record.hit_pos) > 1:
        figures.append(Figure(record.hit_pos, Stroke.DOTS, "bright", 3.0))
    return [*figures, *_ends(first, second)]


def _outline(corners: Points, ink: str) -> Figure:
    return Figure(np.vstack([corners, corners[:1]]), Stroke.LINE, ink, 1.8)


def _simplex(step: CollisionStep) -> list[Figure]:
    """The points on both shapes that the simplex, or the nearest face, is made of; the newest are larger."""
    rows = np.arange(len(step.vertices))
    if step.nearest >= 0:
        rows = step.faces[step.nearest]
    elif step.kind is SearchKind.PORTAL:
        rows = rows[1:4]
    figures = []
    for points, ink in ((step.on1, FIRST), (step.on2, SECOND)):
        figures += [Figure(points[[a, b]], Stroke.LINE, ink, 1.2) for i, a in enumerate(rows) for b in rows[i + 1 :]]
        figures.append(Figure(points[rows], Stroke.DOTS, ink, 3.2))
        if step.newest >= 0:
            figures.append(Figure(points[[step.newest]], Stroke.DOTS, ink, 5.0))
    return figures


def _ends(first: Points, second: Points) -> list[Figure]:
    """The nearest or deepest points and the way from one to the other."""
    if not np.isfinite([first, second]).all():
        return []
    return [
        Figure(np.array([first, second]), Stroke.LINE, "bright", 2.2),
        Figure(first[None], Stroke.DOTS, FIRST, 5.5),
        Figure(second[None], Stroke.DOTS, SECOND, 5.5),
    ]
