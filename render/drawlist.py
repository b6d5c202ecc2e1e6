"""The draw list: what to draw, where and how, as flat arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtObj
from tumble.render.constants import Category, MeshId

# One instance as the shaders read it. material: emission, specular factor, exponent, reflectance; gloss: see `gloss`.
# tex: scale and offset of the texture coordinate; extra: texture mode, glow, fading edge, metal.
INSTANCE = np.dtype(
    [
        ("pos", "f4", 3),
        ("mat", "f4", 9),
        ("scale", "f4", 4),
        ("rgba", "f4", 4),
        ("material", "f4", 4),
        ("tex", "f4", 4),
        ("gloss", "f4", 4),
        ("extra", "f4", 4),
    ]
)
_BYTES = np.dtype((np.void, INSTANCE.itemsize))
DEFAULT_MATERIAL = (0.0, 0.5, 64.0, 0.0)
_SMOOTHEST = 0.08


def gloss(exponent: float, roughness: float = -1.0) -> tuple[float, float, float, float]:
    """Numbers of a surface for the physical look: its roughness, two numbers of its lobe, how sharply it shows the horizon.

    exponent: of Blinn and Phong, whose lobe is as wide as one of GGX with alpha^2 = 2 / (n + 2); roughness: in its place if >= 0.
    """
    rough = min(max(roughness if roughness >= 0.0 else (2.0 / (exponent + 2.0)) ** 0.25, _SMOOTHEST), 1.0)
    alpha = rough * rough
    return rough, alpha * alpha - 1.0, alpha * alpha / (4.0 * alpha + 2.0), 0.5 / (0.1 + 0.9 * rough)


_DEFAULT_GLOSS = gloss(DEFAULT_MATERIAL[2])


class DrawList(Struct):
    """n instances. mesh: MeshId values; texture: index into the model's textures or -1; category, objtype, objid: the object.

    radius: a bounding radius about `pos` [m], infinite for floors without an edge; through: whether it is seen faintly through
    what covers it.
    """

    instances: NDArray[Any]
    mesh: NDArray[np.int64]
    texture: NDArray[np.int64]
    category: NDArray[np.int64]
    objtype: NDArray[np.int64]
    objid: NDArray[np.int64]
    radius: NDArray[np.float64]
    through: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.mesh)

    @staticmethod
    def blank(count: int, objtype: mjtObj, category: Category) -> DrawList:
        """count white, untextured instances at the origin."""
        instances = np.zeros(count, INSTANCE)
        instances["mat"] = np.eye(3).ravel()
        instances["scale"], instances["rgba"], instances["material"] = (1, 1, 1, 0), 1, DEFAULT_MATERIAL
        instances["gloss"] = _DEFAULT_GLOSS
        return DrawList(
            instances,
            np.full(count, int(MeshId.SPHERE)),
            np.full(count, -1),
            np.full(count, int(category)),
            np.full(count, int(objtype)),
            np.arange(count),
            np.zeros(count),
            np.zeros(count, bool),
        )

    def pick(self, index: NDArray[Any]) -> DrawList:
        """The instances of an index or mask, copied."""
        return DrawList(*(getattr(self, name)[index] for name in self.__struct_fields__))

    def drawn_as(self, mesh: NDArray[np.int64], *, textured: bool = True) -> DrawList:
        """The same instances with other meshes; untextured: one batch a mesh, where depth alone is concerned."""
        return replace(self, mesh=mesh, texture=self.texture if textured else np.full(len(self), -1))

    def faint(self, alpha: float) -> DrawList:
        """The same instances with alpha multiplied by a factor."""
        instances = self.instances.copy()
        instances["rgba"][:, 3] *= alpha
        return replace(self, instances=instances)

    @staticmethod
    def join(parts: list[DrawList]) -> DrawList:
        """All parts one after the other; the part itself where others are empty."""
        parts = [part for part in parts if len(part)] or parts[:1]
        if len(parts) == 1:
            return parts[0]
        # As plain bytes: numpy compares the fields of every part with all others' otherwise.
        instances = np.concatenate([part.instances.view(_BYTES) for part in parts]).view(INSTANCE)
        names = DrawList.__struct_fields__[1:]
        return DrawList(instances, *(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def frame_along(direction: ArrayLike) -> NDArray[np.float64]:
    """(3, 3) rotation whose z axis (third column) is the unit vector `direction`."""
    # Number by number: for a single vector an array function takes fifty times as long.
    a, b, c = (float(v) for v in np.asarray(direction, float))
    x = (0.0, -c, b) if abs(a) < 0.9 else (c, 0.0, -a)
    length = math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    u, v, w = (value / length for value in x)
    return np.array([[u, b * w - c * v, a], [v, c * u - a * w, b], [w, a * v - b * u, c]])
