"""The paint of an instance: its colour, material, and texture coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tumble.physics.state.enums import mjtTexture, mjtTextureRole
from tumble.render.constants import LAYERED, Category, MeshId, TexMode, index_of, kind_of
from tumble.render.drawlist import DrawList, gloss
from tumble.render.options import RenderOptions

if TYPE_CHECKING:
    from tumble.physics import MjModel

# Layers of a material other than its colour: in the order of the bits of the shader's LAYERS.
LAYERS = (mjtTextureRole.mjTEXROLE_OPACITY, mjtTextureRole.mjTEXROLE_EMISSIVE, mjtTextureRole.mjTEXROLE_OCCLUSION)


def paint(model: MjModel, part: DrawList, i: int, material: int, rgba: ArrayLike, size: ArrayLike) -> None:
    """Instance i in its colour and material; part.mesh and its scale are set; size: (3,) of the geom."""
    row = part.instances[i]
    row["rgba"] = rgba
    if not 0 <= material < model.nmat:  # programs may write any number
        return
    # The reference's rule: its own colour wins, and 0.5 grey means that none was given.
    if np.allclose(rgba, (0.5, 0.5, 0.5, 1.0)):
        row["rgba"] = model.mat_rgba[material]
    row["material"] = (
        model.mat_emission[material],
        model.mat_specular[material],
        max(float(model.mat_shininess[material]) * 128.0, 1.0),
        model.mat_reflectance[material],
    )
    row["gloss"] = gloss(float(row["material"][2]), float(model.mat_roughness[material]))
    row["extra"][3] = max(float(model.mat_metallic[material]), 0.0)
    base, layers = base_texture(model, material), layer_textures(model, material)
    texture = max(base, *layers) if base < 0 else base
    if texture >= 0:
        part.texture[i] = LAYERED + material if max(layers) >= 0 else base
        mesh = int(part.mesh[i])
        if model.tex_type[texture] != mjtTexture.mjTEXTURE_2D:
            _wrap(row, mesh, bool(model.mat_texuniform[material]), size)
        elif _has_coordinates(model, mesh):
            row["extra"][0] = TexMode.UV
        else:
            _project(row, mesh, bool(model.mat_texuniform[material]), model.mat_texrepeat[material], size)


def fade(model: MjModel, part: DrawList, options: RenderOptions) -> None:
    """Make what moves transparent, and take textures away, where the options ask for it."""
    if options.transparent:
        part.instances["rgba"][part.category == Category.DYNAMIC, 3] *= float(model.vis.map.alpha)
    if not options.texture:
        part.texture[:] = -1


def base_texture(model: MjModel, material: int) -> int:
    """The texture that colours a material, or -1."""
    roles = np.array(model.mat_texid[material], int)
    roles[roles >= model.ntex] = -1
    colour = int(roles[mjtTextureRole.mjTEXROLE_RGB])
    return colour if colour >= 0 else max(-1, int(roles[mjtTextureRole.mjTEXROLE_RGBA]))


def layer_textures(model: MjModel, material: int) -> tuple[int, ...]:
    """A material's flat textures of the roles in LAYERS, each -1 if it has none.

    On a cube of colours flat ones have no place. Normals, roughness and metal are kept in the model and not shown.
    """
    base = base_texture(model, material)
    if base >= 0 and model.tex_type[base] != mjtTexture.mjTEXTURE_2D:
        return (-1,) * len(LAYERS)
    ids = (int(model.mat_texid[material][role]) for role in LAYERS)
    return tuple(i if 0 <= i < model.ntex and model.tex_type[i] == mjtTexture.mjTEXTURE_2D else -1 for i in ids)


def _has_coordinates(model: MjModel, mesh: int) -> bool:
    """True if the mesh has its own texture coordinates; `texrepeat` then has no effect."""
    kind, index = kind_of(mesh), index_of(mesh)
    if kind in (MeshId.FLEX_SKIN, MeshId.FLEX_FACES):
        return True
    if kind == MeshId.SKIN:
        return bool(model.skin_texcoordadr[index] >= 0)
    return kind == MeshId.MODEL_MESH and bool(model.mesh_texcoordadr[index] >= 0)


def _wrap(row: np.void, mesh: int, uniform: bool, size: ArrayLike) -> None:
    """A cube texture, looked up by the direction from the centre.

    Primitives: that in the unit shape, which shows a whole face of the cube on each side, or (uniform) in the shape itself.
    Meshes, height fields and planes: that in the shape itself, or (uniform) stretched by the size, as the reference has it.
    """
    sized = kind_of(mesh) != 0 or mesh in (MeshId.PLANE, MeshId.HORIZON)
    stretched = uniform and sized and float(np.min(size)) > 0
    row["extra"][0] = TexMode.CUBE if uniform or sized else TexMode.CUBE_UNIT
    row["tex"] = (*np.asarray(size, float)[:3], 0.0) if stretched else (1.0, 1.0, 1.0, 0.0)


def _project(row: np.void, mesh: int, uniform: bool, repeat: ArrayLike, size: ArrayLike) -> None:
    """A flat texture, projected along z and centred: half a repeat a unit of length (uniform) or of size."""
    unit = uniform or mesh == MeshId.HORIZON or kind_of(mesh) == MeshId.SKIN
    # For a plane that is infinite in one direction, the scale holds a substitute size.
    span = np.ones(2) if unit else np.asarray(size if kind_of(mesh) else row["scale"], float)[:2]
    row["extra"][0] = TexMode.PLANAR
    row["tex"] = (*(0.5 * np.asarray(repeat, float) / np.maximum(span, 1e-9)), 0.5, 0.5)
