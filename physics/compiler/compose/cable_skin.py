"""The skin of a cable of boxes: a tube of four sides around its pieces, that bends where they meet."""

from __future__ import annotations

from itertools import product

import numpy as np

from tumble.physics.mjcf.schema import find
from tumble.physics.mjcf.spec import Element

_RULE = find("deformable/skin")
_COLOR = np.ones(4)


def make_skin(element: Element, geom: Element, bodies: list[str]) -> Element:
    """The skin of a cable with these bodies. Its vertices all begin at the origin, the bones alone place them.

    The sides are as far apart as the boxes are wide; `inflate` gives them their height.
    """
    asked = next(element.all("skin"), None)
    values = {} if asked is None else {name: asked.get(name) for name in ("material", "group", "rgba")}
    given = {name: value for name, value in values.items() if value is not None}
    if asked is not None and asked.get("subgrid"):
        asked.warn("subgrid is not drawn: the skin of the cable is not smoothed")
    rows = len(bodies) + 1
    skin = Element("skin", (asked or element).where, {"rgba": _COLOR} | given, frozenset(), [], _RULE.schema_defaults,
                   settings=element.settings)  # fmt: skip
    skin.attributes |= {
        "name": f"{element.get('prefix', '')}Skin", "vertex": np.zeros(12 * rows), "face": _faces(rows).ravel(),
        "inflate": 2 * float(geom.get("size")[2]),
    }  # fmt: skip
    if asked is not None and asked.get("texcoord"):
        along = np.repeat(np.arange(rows) / (rows - 1), 2)
        skin.attributes["texcoord"] = np.tile(np.stack([along, np.tile((0.0, 1.0), rows)], axis=1), (2, 1)).ravel()
    skin.children = [_bone(skin, geom, bodies, row, side) for row, side in product(range(rows), (0, 1))]
    return skin


def _bone(skin: Element, geom: Element, bodies: list[str], row: int, side: int) -> Element:
    """One corner of one end of a piece, above and below."""
    rows, size = len(bodies) + 1, geom.get("size")
    end = row == len(bodies)
    at = (-2.0 * float(size[0]) if end else 0.0, (2 * side - 1) * float(size[1]), 0.0)
    values = {
        "body": bodies[row - end], "bindpos": np.array(at), "bindquat": np.array((1.0, 0.0, 0.0, 0.0)),
        "vertid": np.array((2 * row + side, 2 * (row + rows) + side)), "vertweight": np.ones(2),
    }  # fmt: skip
    return Element("bone", skin.where, values, settings=skin.settings)


def _faces(rows: int) -> np.ndarray:
    """Triangles between two vertices in each row and as many below, those below behind all above: (8 rows - 4, 3)."""
    below = 2 * rows
    i = 2 * np.arange(rows - 1)[:, None]
    bands = ((0, 2, 3, 0, 3, 1), (below, below + 3, below + 2, below, below + 1, below + 3),
             (0, below + 2, 2, 0, below, below + 2), (1, 3, below + 3, 1, below + 3, below + 1))  # fmt: skip
    last = 2 * (rows - 1)
    ends = ((0, 1, below + 1, 0, below + 1, below), (last, below + last + 1, last + 1, last, below + last, below + last + 1))
    return np.concatenate([*((i + np.array(band)).reshape(-1, 3) for band in bands), np.array(ends).reshape(-1, 3)])
