"""Assets of a spec: meshes, height fields, skins, textures, materials; and flexes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tumble.physics.compiler.assets.mesh.builtin import make_shape
from tumble.physics.errors import MisfitError
from tumble.physics.spec import table
from tumble.physics.spec.element import Classed, MjsElement, SpecPart
from tumble.physics.spec.relations import list_of
from tumble.physics.state.arguments import checked
from tumble.physics.state.enums import mjtMeshInertia

if TYPE_CHECKING:
    from tumble.physics.spec.default import MjsDefault
    from tumble.physics.spec.spec import MjSpec


class MjsMesh(Classed):
    """A mesh: from a file, or of numbers: uservert [m], userface."""

    __slots__ = ("_builtin",)
    structure = table.MESH

    def __init__(self, spec: MjSpec, made_in: MjsDefault | None = None) -> None:
        super().__init__(spec, made_in)
        self._builtin: tuple[str, tuple[float, ...]] | None = None  # a shape by name, and its parameters

    def _take(self, other: SpecPart) -> None:
        super()._take(other)
        if isinstance(other, MjsMesh):
            self._builtin = other._builtin


    @checked
    def make_sphere(self, subdivision: int) -> None:
        """Make it a sphere of radius 1: an icosahedron whose triangles are divided so many times, 0 to 4.

        This and the other shapes write uservert, userface and usernormal. Raises ValueError for a parameter out of range.
        """
        self._shape("sphere", subdivision)

    @checked
    def make_hemisphere(self, resolution: int) -> None:
        """Make it half a sphere of radius 1 on a disk, with so many rings between pole and rim, 0 to 10."""
        self._shape("hemisphere", resolution)

    @checked
    def make_cone(self, nedge: int, radius: float) -> None:
        """Make it a pyramid over a polygon of so many edges, 3 or more; radius: of its top, 0 for a point, 1 for a prism."""
        self._shape("cone", nedge, radius)

    @checked
    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        """Make it a superellipsoid; e, n: exponents around and across, 1 for a sphere."""
        self._shape("supersphere", resolution, e, n)

    @checked
    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        """Make it a supertorus; radius: of its tube, up to 1; s, t: exponents of tube and circle, 1 for a torus."""
        self._shape("supertorus", resolution, radius, s, t)

    @checked
    def make_wedge(self, resolution: Sequence[int] = (0, 0), fov: Sequence[float] = (0, 0), gamma: float = 0) -> None:
        """Make it a piece of a sphere about -z; resolution: points along both angles, fov [deg]; gamma: foveation, 0 to 1."""
        self._shape("wedge", *_pair(resolution, "resolution"), *_pair(fov, "fov"), gamma)

    @checked
    def make_plate(self, resolution: Sequence[int] = (0, 0)) -> None:
        """Make it a rectangle of points; its mass is that of a shell."""
        self._shape("plate", *_pair(resolution, "resolution"))
        self.inertia = mjtMeshInertia.mjMESH_INERTIA_SHELL

    def _shape(self, kind: str, *parameters: float) -> None:
        try:
            made = make_shape(kind, [float(value) for value in parameters])
        except ValueError as problem:
            raise MisfitError(str(problem)) from None
        self.uservert, self.userface = made.vertices.reshape(-1).tolist(), made.faces.reshape(-1).tolist()
        self.usernormal = made.normals.reshape(-1).tolist()
        self._builtin = None


def _pair(values: Sequence[float], name: str) -> Sequence[float]:
    numbers = list_of(values, name)
    if len(numbers) != 2:
        raise MisfitError(f"{name} should have 2 numbers, has {len(numbers)}")
    return numbers


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
    """A deformable body: vertices vert [m] in the frames of vertbody, or between the nodes of nodebody, and elements elem."""

    __slots__ = ()
    structure = table.FLEX
