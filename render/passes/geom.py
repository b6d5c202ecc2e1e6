"""Drawing instances: instance buffers, and batches with a common mesh and texture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from tumble.render.constants import MeshId, index_of, kind_of, plain
from tumble.render.drawlist import INSTANCE, DrawList
from tumble.render.gpu.shaders import UNITS, Shaders
from tumble.render.gpu.soft import SOFT, Bent, SoftSolid
from tumble.render.gpu.solids import Solid, Solids
from tumble.render.gpu.textures import Textures

_INSTANCE_LAYOUT = ("3f 9f 4f 4f 4f 4f 4f 4f /i", *(f"i_{name}" for name in INSTANCE.names or ()))

# Of one instance for a whole call: its rods are the instances then.
_ONE_LAYOUT = (_INSTANCE_LAYOUT[0].replace("/i", "/r"), *_INSTANCE_LAYOUT[1:])

# The key of a slot: the pass, mesh, texture, whether it mirrors, and how many like it came before in the pass.
SlotKey = tuple[str, int, int, bool, int]


_FLOORS = {int(MeshId.HORIZON): 1, int(MeshId.PLANE): 2}


class Batch:
    """count instances in slot `slot`, of one mesh and one texture; mirror: it shows the reflection.

    floor: 1 for infinite planes, 2 for finite ones, else 0. skinned: bones move its vertices. soft: 1 for the surface of a flex,
    2 for rods along its edges or balls at its vertices, else 0.
    """

    __slots__ = ("count", "floor", "mesh", "mirror", "skinned", "slot", "soft", "texture")

    def __init__(self, slot: SlotKey, mesh: int, texture: int, count: int, mirror: bool) -> None:
        self.slot, self.mesh, self.texture, self.count, self.mirror = slot, mesh, texture, count, mirror
        kind = kind_of(mesh)
        self.floor = _FLOORS.get(mesh, 0)
        self.skinned = kind == MeshId.SKIN
        self.soft = 2 if kind in (MeshId.FLEX_EDGES, MeshId.FLEX_VERTICES) else int(kind in SOFT)


class _Slot:
    """One instance buffer and the vertex arrays that read it; grows by doubling and is filled for each picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._buffer: moderngl.Buffer | None = None
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def fill(self, instances: NDArray[Any]) -> None:
        """Fill with consecutive rows."""
        if self._buffer is None or self._buffer.size < instances.nbytes:
            self.release()
            room = 1 << max(instances.nbytes - 1, 127).bit_length()
            self._buffer = self._ctx.buffer(reserve=room, dynamic=True)
        self._buffer.write(instances)

    def array(self, program: moderngl.Program, solid: Solid | SoftSolid) -> moderngl.VertexArray:
        if program.glo not in self._arrays:
            content = [*solid.content, (self._buffer, *(_ONE_LAYOUT if solid.rods else _INSTANCE_LAYOUT))]
            # Programs differ in which attributes they keep; those that one dropped are skipped.
            self._arrays[program.glo] = self._ctx.vertex_array(
                program, content, index_buffer=solid.indices, skip_errors=True
            )
        return self._arrays[program.glo]

    def release(self) -> None:
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()
        if self._buffer is not None:
            self._buffer.release()
            self._buffer = None


class Geometry:
    """The instances of the current picture, in persistent buffers."""

    def __init__(self, ctx: moderngl.Context, solids: Solids) -> None:
        self._ctx = ctx
        self.solids = solids
        self._slots: dict[SlotKey, _Slot] = {}

    def upload(self, name: str, drawlist: DrawList, order: NDArray[Any], mirror: int = -1) -> list[Batch]:
        """Fill the slots of a pass with the instances in the given order; neighbours of one mesh and texture share a batch.

        name: of the pass; mirror: the draw-list index of the reflecting plane, which gets its own batch, or -1.
        """
        batches: list[Batch] = []
        if not len(order):
            return batches
        instances = drawlist.instances[order]
        meshes, textures, mirrored = drawlist.mesh[order], drawlist.texture[order], order == mirror
        changes = (meshes[1:] != meshes[:-1]) | (textures[1:] != textures[:-1]) | (mirrored[1:] != mirrored[:-1])
        starts = [0, *(np.flatnonzero(changes) + 1).tolist()]
        times: dict[tuple[int, int, bool], int] = {}
        for start, end in zip(starts, [*starts[1:], len(order)], strict=True):
            mesh, texture, mirrors = int(meshes[start]), int(textures[start]), bool(mirrored[start])
            kind = (mesh, texture, mirrors)
            times[kind] = times.get(kind, -1) + 1
            key = (name, *kind, times[kind])
            if key not in self._slots:
                self._slots[key] = _Slot(self._ctx)
            self._slots[key].fill(instances[start:end])
            batches.append(Batch(key, mesh, texture, end - start, mirrors))
        return batches

    def bend(self, drawlist: DrawList, bent: Bent) -> None:
        """Send where the skins and flexes that are drawn are."""
        for mesh in {*drawlist.mesh[drawlist.mesh >= int(MeshId.SKIN)].tolist()}:
            self.solids.get(plain(mesh)).bend(index_of(mesh), bent)

    def render(self, batch: Batch, program: moderngl.Program) -> None:
        """Draw one batch with a program whose uniforms and textures are set."""
        solid = self.solids.get(batch.mesh)
        if solid.empty:
            return
        solid.use()
        self._slots[batch.slot].array(program, solid).render(instances=solid.rods or batch.count)

    def release(self) -> None:
        """Release all instance buffers, and resources of the model."""
        self.solids.release()
        for slot in self._slots.values():
            slot.release()
        self._slots.clear()


def draw(
    geometry: Geometry, shaders: Shaders, textures: Textures, batches: Iterable[Batch], shading: Mapping[str, int]
) -> None:
    """Draw batches lit and textured into the framebuffer in use; shading: defines that a picture's batches share."""
    programs: dict[tuple[int, ...], moderngl.Program] = {}  # most batches share one
    for batch in batches:
        base, layers = textures.of(batch.texture)
        kind = 0 if base < 0 else 2 if textures.is_cube(base) else 1
        own = {
            "DECODED": int(base >= 0 and textures.is_decoded(base)),
            "TEXTURE": kind,
            "FLOOR": batch.floor,
            "REFLECTIVE": int(batch.mirror),
            "SKIN": int(batch.skinned),
            "SOFT": batch.soft,
            "HEAT": int(geometry.solids.get(batch.mesh).heated),
            "LAYERS": sum(1 << bit for bit, layer in enumerate(layers) if layer >= 0),
        }
        key = tuple(own.values())
        program = programs.get(key)
        if program is None:
            program = programs[key] = shaders.get("geom", **shading, **own)
        if kind:
            textures.get(base).use(UNITS["u_texturecube" if kind == 2 else "u_texture2d"])
        for name, layer in zip(("u_opacity", "u_emissive", "u_occlusion"), layers, strict=False):
            if layer >= 0:
                textures.get(layer).use(UNITS[name])
        geometry.render(batch, program)
