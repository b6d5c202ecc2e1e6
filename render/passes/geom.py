"""Drawing instances: meshes on the card, instance buffers, and batches of what shares a mesh and a texture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from render import mesh as meshes
from render.constants import MeshId
from render.drawlist import INSTANCE, DrawList
from render.shaders import UNITS, Shaders
from render.texture import Textures

_VERTEX_LAYOUT = ("4f 3f 2f", "in_position", "in_normal", "in_uv")
_INSTANCE_LAYOUT = ("3f 9f 4f 4f 4f 4f 3f /i", *(f"i_{name}" for name in INSTANCE.names or ()))


@dataclass(frozen=True)
class Batch:
    """count instances in slot `slot`, of one mesh and one texture; mirror: it shows the reflection."""

    slot: int
    mesh: int
    texture: int
    count: int
    mirror: bool

    @property
    def floor(self) -> int:
        """1 for infinite planes, 2 for finite ones, else 0."""
        return {int(MeshId.HORIZON): 1, int(MeshId.PLANE): 2}.get(self.mesh, 0)


class _Slot:
    """One instance buffer and the vertex arrays that read it; grows by doubling and is filled anew each picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._buffer: moderngl.Buffer | None = None
        self._arrays: dict[tuple[int, int], moderngl.VertexArray] = {}

    def fill(self, instances: NDArray[Any]) -> None:
        if self._buffer is None or self._buffer.size < instances.nbytes:
            self.release()
            room = 1 << max(instances.nbytes - 1, 1023).bit_length()
            self._buffer = self._ctx.buffer(reserve=room, dynamic=True)
        self._buffer.write(np.ascontiguousarray(instances).tobytes())

    def array(self, program: moderngl.Program, mesh: int, vertices: moderngl.Buffer, indices: moderngl.Buffer) -> Any:
        key = (program.glo, mesh)
        if key not in self._arrays:
            content = [(vertices, *_VERTEX_LAYOUT), (self._buffer, *_INSTANCE_LAYOUT)]
            # Programs differ in which attributes they keep; those that one dropped are skipped.
            self._arrays[key] = self._ctx.vertex_array(program, content, index_buffer=indices, skip_errors=True)
        return self._arrays[key]

    def release(self) -> None:
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()
        if self._buffer is not None:
            self._buffer.release()
            self._buffer = None


class Geometry:
    """The meshes of one model and the instances of the current picture."""

    def __init__(self, ctx: moderngl.Context, model: Any, slices: int, stacks: int) -> None:
        self._ctx, self._model = ctx, model
        self._primitives = meshes.primitives(slices, stacks)
        self._meshes: dict[int, tuple[moderngl.Buffer, moderngl.Buffer]] = {}
        self._slots: list[_Slot] = []

    def upload(self, drawlist: DrawList, order: NDArray[Any], mirror: int) -> list[Batch]:
        """Fill the slots with the instances in the given order; neighbours of one mesh and texture share a batch.

        mirror: the draw-list index of the reflecting plane, which gets a batch of its own, or -1.
        """
        batches: list[Batch] = []
        if not len(order):
            return batches
        keys = np.stack([drawlist.mesh[order], drawlist.texture[order], order == mirror], axis=1)
        starts = np.flatnonzero(np.r_[True, np.any(keys[1:] != keys[:-1], axis=1)])
        for start, end in zip(starts, [*starts[1:], len(order)], strict=True):
            mesh, texture, mirrors = (int(v) for v in keys[start])
            self._slot(self._used).fill(drawlist.instances[order[start:end]])
            batches.append(Batch(self._used, mesh, texture, int(end - start), bool(mirrors)))
            self._used += 1
        return batches

    def begin(self) -> None:
        """Start a new picture: all slots are free again."""
        self._used = 0

    def render(self, batch: Batch, program: moderngl.Program) -> None:
        """Draw one batch with a program whose uniforms and textures are set."""
        vertices, indices = self._mesh(batch.mesh)
        self._slots[batch.slot].array(program, batch.mesh, vertices, indices).render(instances=batch.count)

    def _slot(self, index: int) -> _Slot:
        while len(self._slots) <= index:
            self._slots.append(_Slot(self._ctx))
        return self._slots[index]

    def _mesh(self, mesh: int) -> tuple[moderngl.Buffer, moderngl.Buffer]:
        if mesh not in self._meshes:
            if mesh >= MeshId.HFIELD:
                triangles = meshes.hfield(self._model, mesh - MeshId.HFIELD)
            elif mesh >= MeshId.MODEL_MESH:
                triangles = meshes.model_mesh(self._model, mesh - MeshId.MODEL_MESH)
            else:
                triangles = self._primitives[mesh]
            self._meshes[mesh] = (self._ctx.buffer(triangles.vertices.tobytes()), self._ctx.buffer(triangles.indices.tobytes()))
        return self._meshes[mesh]

    def release(self) -> None:
        """Release all meshes and instance buffers."""
        for slot in self._slots:
            slot.release()
        self._slots.clear()
        for vertices, indices in self._meshes.values():
            vertices.release()
            indices.release()
        self._meshes.clear()


@dataclass(frozen=True)
class Shading:
    """What the shader variants of one picture share: light counts, shadow taps, fog, whether something glows."""

    lights: int
    positional: int
    shadow_taps: int
    fog: bool
    glows: bool


def draw(
    geometry: Geometry,
    shaders: Shaders,
    textures: Textures,
    batches: Iterable[Batch],
    shading: Shading,
    *,
    mirrored: bool = False,
) -> None:
    """Draw batches lit and textured into the framebuffer in use."""
    for batch in batches:
        kind = 0 if batch.texture < 0 else 2 if textures.is_cube(batch.texture) else 1
        program = shaders.get(
            "geom",
            LIGHTS=shading.lights,
            POSITIONAL=shading.positional,
            SHADOW_TAPS=min(shading.shadow_taps, 1) if mirrored else shading.shadow_taps,
            FOG=int(shading.fog),
            GLOWS=int(shading.glows),
            TEXTURE=kind,
            FLOOR=batch.floor,
            REFLECTIVE=int(batch.mirror),
            MIRRORED=int(mirrored),
        )
        if kind:
            textures.get(batch.texture).use(UNITS["u_texturecube" if kind == 2 else "u_texture2d"])
        geometry.render(batch, program)
