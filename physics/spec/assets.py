"""Assets of a spec: meshes, height fields, skins, textures, materials; and flexes, which are kept but not compiled yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from physics.spec import table
from physics.spec.element import Classed, MjsElement, Part

if TYPE_CHECKING:
    from physics.spec.default import MjsDefault
    from physics.spec.spec import MjSpec


class MjsMesh(Classed):
    """A mesh: from a file, or of numbers: uservert [m], userface."""

    __slots__ = ("_builtin",)
    structure = table.MESH

    def __init__(self, spec: MjSpec, made_in: MjsDefault | None = None) -> None:
        super().__init__(spec, made_in)
        self._builtin: tuple[str, tuple[float, ...]] | None = None  # a shape by name, and its parameters

    def _take(self, other: Part) -> None:
        super()._take(other)
        if isinstance(other, MjsMesh):
            self._builtin = other._builtin


class MjsHField(MjsElement):
    """A height field: from a file, or of nrow x ncol elevations in userdata, the row of the least y first."""

    __slots__ = ()
    structure = table.HFIELD


class MjsSkin(MjsElement):
    """A skin, with its bones."""

    __slots__ = ()
    structure = table.SKIN


class MjsTexture(MjsElement):
    """A texture: a builtin pattern, a file, or bytes in data, row by row, nchannel for each pixel."""

    __slots__ = ()
    structure = table.TEXTURE


class MjsMaterial(Classed):
    """A material; textures: one name for each role (mjtTextureRole)."""

    __slots__ = ()
    structure = table.MATERIAL


class MjsFlex(MjsElement):
    """A deformable body: kept, but refused when the spec is compiled."""

    __slots__ = ()
    structure = table.FLEX
