"""The scene's arrays of flexes, as in the reference: edges, vertices, and the triangles of the visible faces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.render.mesh.flex_mesh import CABLE, CLOTH, Style, Surface, layers, vertices_of

if TYPE_CHECKING:
    from tumble.physics import MjModel

_WHOLE = ("edgeadr", "edgenum", "vertadr", "vertnum", "faceadr", "facenum", "faceused", "edge")
_REAL = {"vert": 3, "face": 9, "normal": 9, "texcoord": 6}  # numbers a vertex or face
FLEX_ARRAYS = tuple(f"flex{name}" for name in (*_WHOLE, *_REAL))


class FlexArrays:
    """arrays: by their names in FLEX_ARRAYS, in rows as C has them; faces have room for all that options may ask for."""

    def __init__(self, model: MjModel | None) -> None:
        self._model = model
        self._surfaces: dict[tuple[int, Style, int], Surface] = {}
        count = 0 if model is None else int(model.nflex)
        self.arrays: dict[str, NDArray[Any]] = {f"flex{name}": np.zeros(count, np.int32) for name in _WHOLE}
        rooms = np.array([_room(model, flex) for flex in range(count)] if model is not None else [], np.int32)
        total = {"vert": 0 if model is None else int(model.nflexvert)}
        for name, width in _REAL.items():
            self.arrays[f"flex{name}"] = np.zeros(width * total.get(name, int(rooms.sum())), np.float32)
        self.arrays["flexedge"] = np.zeros(0, np.int32)
        if model is not None:
            for name in ("edgeadr", "edgenum", "vertadr", "vertnum"):
                self.arrays[f"flex{name}"][:] = np.asarray(getattr(model, f"flex_{name}"))
            self.arrays["flexfacenum"][:] = rooms
            self.arrays["flexfaceadr"][:] = np.r_[0, np.cumsum(rooms)[:-1]][:count]
            self.arrays["flexedge"] = np.array(model.flex_edge, np.int32).ravel()

    def copy(self) -> FlexArrays:
        """The same in its own arrays."""
        copy = FlexArrays(None)
        copy._model, copy.arrays = self._model, {name: array.copy() for name, array in self.arrays.items()}
        return copy

    def follow(self, points: NDArray[np.float64], style: Style | None, layer: int) -> None:
        """Set vertices and triangles by points (nflexvert, 3) [m]. style: SKIN or FACES, None without any; layer: of faces."""
        model = self._model
        if model is None:
            return
        self.arrays["flexvert"][:] = points.ravel()
        for flex in range(int(model.nflex)):
            used = 0
            if style is not None and int(model.flex_dim[flex]) != CABLE:
                used = self._fill(model, points, flex, style, layer)
            self.arrays["flexfaceused"][flex] = used

    def _fill(self, model: MjModel, points: NDArray[np.float64], flex: int, style: Style, layer: int) -> int:
        key = (flex, style, layer)
        if key not in self._surfaces:
            self._surfaces[key] = Surface(model, flex, style, layer)
        surface = self._surfaces[key]
        triangles = surface.layout.triangles.astype(np.int64).ravel()
        rows = surface.follow(np.ascontiguousarray(points[vertices_of(model, flex)], float), np.zeros(3))[triangles]
        first = 3 * int(self.arrays["flexfaceadr"][flex])
        part = slice(first, first + len(rows))
        self.arrays["flexface"].reshape(-1, 3)[part] = rows[:, :3]
        self.arrays["flexnormal"].reshape(-1, 3)[part] = rows[:, 4:]
        if int(model.flex_texcoordadr[flex]) >= 0:
            self.arrays["flextexcoord"].reshape(-1, 2)[part] = surface.layout.uv[triangles]
        return len(rows) // 3


def _room(model: MjModel, flex: int) -> int:
    """Largest number of triangles of a flex."""
    fragments, elements = int(model.flex_shellnum[flex]), int(model.flex_elemnum[flex])
    if int(model.flex_dim[flex]) == CLOTH:
        return 2 * fragments + 2 * elements
    first = int(model.flex_elemadr[flex])
    layer = np.asarray(model.flex_elemlayer)[first : first + elements]
    return max(fragments, 4 * int(np.bincount(layer, minlength=layers(model)).max(initial=0)))
