"""Meshes on the graphics card: each uploaded once, however many geoms show it, with simpler versions if there is no card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from tumble.render.constants import MeshId, index_of, kind_of, level_of, plain
from tumble.render.gpu.shaders import UNITS
from tumble.render.gpu.soft import SOFT, Bent, SoftSolid
from tumble.render.gpu.textures import Kept
from tumble.render.mesh import model_meshes as meshes
from tumble.render.mesh.primitives import TriangleMesh, primitives
from tumble.render.mesh.simplifier import FROM_TRIANGLES, Simplifier
from tumble.render.mesh.skin import BoundSkin, bound_skin, skin_digest, table

if TYPE_CHECKING:
    from tumble.physics import MjModel

_VERTEX_LAYOUT = ("4f 3f 2f", "in_position", "in_normal", "in_uv")
_WEIGHTS_LAYOUT = ("2f", "in_weights")
_STRIDES = (2, 4, 8)  # of simpler height fields


class Solid:
    """One mesh on the card. simpler: versions with fewer triangles, finest first; None while they are not known.

    error: how far such a version is from the mesh itself [m]; source: what to make them from, until they are requested.
    """

    def __init__(
        self, ctx: moderngl.Context, mesh: TriangleMesh, skin: BoundSkin | None = None, error: float = 0.0
    ) -> None:
        self.indices = ctx.buffer(np.ascontiguousarray(mesh.indices, np.uint32).tobytes())
        self.triangles, self.error = len(mesh.indices), error
        self.simpler: list[Solid] | None = None
        self.source: tuple[str, TriangleMesh] | None = None  # digest and mesh
        self.rods, self.heated, self.empty = 0, False, False  # flex-specific differences
        self.content: list[tuple[Any, ...]] = [(ctx.buffer(mesh.vertices.tobytes()), *_VERTEX_LAYOUT)]
        self.bones: moderngl.Texture | None = None
        self._weights: moderngl.Texture | None = None
        if skin is not None:
            self.content.append((ctx.buffer(skin.weights_of_vertex.tobytes()), *_WEIGHTS_LAYOUT))
            self._weights = _table(ctx, skin.weights)
            self.bones = _table(ctx, table(np.zeros((skin.bones, 3, 4))))

    def bend(self, index: int, bent: Bent) -> None:
        """Send the poses of the bones of skin `index`, if this is one."""
        if self.bones is not None:
            self.bones.write(table(bent.bones[index]).tobytes(), alignment=4)

    def use(self) -> None:
        """Bind the inputs of a skin's vertex shader."""
        if self._weights is not None and self.bones is not None:
            self._weights.use(UNITS["u_weights"])
            self.bones.use(UNITS["u_bones"])

    @property
    def nbytes(self) -> int:
        """Memory on the card, of its simpler versions too [bytes]."""
        tables = (4 * t.width * t.height * t.components for t in (self.bones, self._weights) if t is not None)
        buffers = self.indices.size + sum(part[0].size for part in self.content)
        return int(buffers + sum(tables) + sum(solid.nbytes for solid in self.simpler or ()))

    def release(self) -> None:
        """Release all buffers and textures."""
        for solid in self.simpler or ():
            solid.release()
        owned: list[Any] = [self.indices, *(part[0] for part in self.content), self.bones, self._weights]
        for resource in owned:
            if resource is not None:
                resource.release()


def _table(ctx: moderngl.Context, rows: NDArray[np.float32]) -> moderngl.Texture:
    """Numbers that a shader fetches by row and column: (height, width, components) float32."""
    height, width, components = rows.shape
    texture = ctx.texture((width, height), components, rows.tobytes(), dtype="f4", alignment=4)
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return texture


class Solids:
    """The meshes of one model by their MeshId.

    kept: resources on the card, by content; simplifier: makes simpler versions, None with a graphics card.
    """

    def __init__(
        self, ctx: moderngl.Context, model: MjModel, kept: Kept[Solid], simplifier: Simplifier | None, slices: int, stacks: int
    ) -> None:
        self._ctx, self._model, self._kept, self._simplifier = ctx, model, kept, simplifier
        self._size = (slices, stacks)
        self._primitives: dict[int, TriangleMesh] = {}
        self._found: dict[int, Solid] = {}
        self._soft: dict[int, SoftSolid] = {}
        self._awaited: dict[str, Solid] = {}
        self._pieces: Sequence[TriangleMesh] = ()

    def get(self, mesh: int) -> Solid | SoftSolid:
        """The mesh on the card, uploaded now if it is not yet."""
        if kind_of(mesh) not in SOFT:
            return self._get_solid(mesh)
        soft = plain(mesh)
        if soft not in self._soft:
            self._soft[soft] = SoftSolid(self._ctx, self._model, soft)
        return self._soft[soft]

    def _get_solid(self, mesh: int) -> Solid:
        if mesh not in self._found:
            level = level_of(mesh)
            if level:
                self._found[mesh] = (self._get_solid(plain(mesh)).simpler or [])[level - 1]
            else:
                self._found[mesh] = self._make(mesh)
        return self._found[mesh]

    def forget(self, mesh: int) -> None:
        """Read a mesh of the model, its hull and its levels again."""
        for known in [known for known in self._found if index_of(known) == index_of(mesh) and kind_of(known)]:
            del self._found[known]

    def show_pieces(self, pieces: Sequence[TriangleMesh]) -> None:
        """Set the meshes of the ids from PIECE on."""
        for mesh in [mesh for mesh in self._found if kind_of(mesh) == MeshId.PIECE]:
            del self._found[mesh]
        self._pieces = pieces

    def levels(self, mesh: int) -> list[tuple[int, float]]:
        """Triangles and error [m] of a model's mesh or height field at each level there is, the mesh itself first.

        Requests levels that are not there yet: they are made only when something that moves is drawn with them.
        """
        solid = self._get_solid(mesh)
        if solid.source is not None and self._simplifier is not None:
            digest, mesh_source = solid.source
            solid.source, self._awaited[digest] = None, solid
            self._simplifier.forget(digest)
            self._simplifier.ask(digest, mesh_source)
        return [(level.triangles, level.error) for level in (solid, *(solid.simpler or ()))]

    def release(self) -> None:
        """Release the resources of this model."""
        for soft in self._soft.values():
            soft.release()
        self._soft.clear()

    def collect(self) -> None:
        """Upload the finished meshes of the simplifier."""
        if self._simplifier is None:
            return
        for digest in list(self._awaited):
            levels = self._simplifier.take(digest)
            if levels is not None:
                self._awaited.pop(digest).simpler = [Solid(self._ctx, level.mesh, error=level.error) for level in levels]

    def _make(self, mesh: int) -> Solid:
        kind, index, model = kind_of(mesh), index_of(mesh), self._model
        if kind == MeshId.MODEL_MESH:
            digest = meshes.mesh_digest(model, index)
            return self._awaiting(digest, self._kept.get(digest, lambda: self._solid(digest, meshes.model_mesh(model, index))))
        if kind == MeshId.HULL:
            digest = f"hull {meshes.mesh_digest(model, index)}"
            return self._kept.get(digest, lambda: Solid(self._ctx, meshes.hull_mesh(model, index)))
        if kind == MeshId.HFIELD:
            return self._kept.get(meshes.hfield_digest(model, index), lambda: self._hfield(index))
        if kind == MeshId.SKIN:
            return self._kept.get(skin_digest(model, index), lambda: self._skin(index))
        if kind == MeshId.PIECE:
            piece = self._pieces[index]
            return self._kept.get(meshes.digest_of("piece", (piece.vertices,)), lambda: Solid(self._ctx, piece))
        return self._kept.get(f"primitive {mesh} {self._size}", lambda: self._primitive(mesh))

    def _solid(self, digest: str, mesh: TriangleMesh) -> Solid:
        solid = Solid(self._ctx, mesh)
        if self._simplifier is not None and solid.triangles >= FROM_TRIANGLES:
            solid.source = digest, mesh
        return solid

    def _awaiting(self, digest: str, solid: Solid) -> Solid:
        """The solid, whose levels may have been requested while another model was shown."""
        if self._simplifier is not None and solid.simpler is None and solid.source is None and solid.triangles >= FROM_TRIANGLES:
            self._awaited[digest] = solid
        return solid

    def _hfield(self, index: int) -> Solid:
        solid = Solid(self._ctx, meshes.hfield(self._model, index))
        if self._simplifier is not None and solid.triangles >= FROM_TRIANGLES:
            solid.simpler = [
                Solid(self._ctx, meshes.hfield(self._model, index, stride), error=meshes.hfield_error(self._model, index, stride))
                for stride in _STRIDES
            ]
        return solid

    def _skin(self, index: int) -> Solid:
        skin = bound_skin(self._model, index)
        return Solid(self._ctx, skin.mesh, skin)

    def _primitive(self, mesh: int) -> Solid:
        if not self._primitives:
            self._primitives = primitives(*self._size)
        return Solid(self._ctx, self._primitives[mesh])
