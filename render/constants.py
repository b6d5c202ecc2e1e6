"""Ids of the renderer: owner of an instance, its mesh, and its texturing."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtGeom


class Category(IntEnum):
    """Category of an instance (mjtCatBit)."""

    STATIC = 1
    DYNAMIC = 2
    DECOR = 4


# What an instance shows, where it is a contact: mjtObj has no number for those.
CONTACT = 200


class MeshId(IntEnum):
    """The renderer's own meshes; those of the model have their index added to the first id of its kind.

    COARSE is added to the id of a round mesh that is small on the screen, LEVEL times its level to that of a model's mesh
    that is drawn simplified.
    """

    PLANE = 0
    HORIZON = 1
    SPHERE = 2
    CAPSULE = 3
    TRIANGLE = 4
    CYLINDER = 5
    BOX = 6
    CONE = 7
    COARSE = 1 << 8
    MODEL_MESH = 1 << 24
    HULL = 2 << 24
    HFIELD = 3 << 24
    SKIN = 4 << 24
    PIECE = 5 << 24
    FLEX_SKIN = 6 << 24
    FLEX_FACES = 7 << 24
    FLEX_EDGES = 8 << 24
    FLEX_VERTICES = 9 << 24
    LEVEL = 1 << 32


MESH_OF_TYPE = {
    mjtGeom.mjGEOM_PLANE: MeshId.PLANE,
    mjtGeom.mjGEOM_SPHERE: MeshId.SPHERE,
    mjtGeom.mjGEOM_CAPSULE: MeshId.CAPSULE,
    mjtGeom.mjGEOM_ELLIPSOID: MeshId.SPHERE,
    mjtGeom.mjGEOM_CYLINDER: MeshId.CYLINDER,
    mjtGeom.mjGEOM_BOX: MeshId.BOX,
    mjtGeom.mjGEOM_TRIANGLE: MeshId.TRIANGLE,
}
KIND = 0xFF << 24  # the bits of an id that hold a model's mesh
_LEVEL = int(MeshId.LEVEL)  # a member of an enum takes ten times as long to read, and these are read for every batch


def plain(mesh: int) -> int:
    """A mesh's id, for any level of detail."""
    return int(mesh) % _LEVEL


def is_floor(mesh: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mask of planes, with edges or without."""
    return (mesh == int(MeshId.PLANE)) | (mesh == int(MeshId.HORIZON))


def level_of(mesh: int) -> int:
    """The level of detail of a mesh: 0 is the full mesh."""
    return int(mesh) // _LEVEL


def index_of(mesh: int) -> int:
    """The model's index of a mesh, hull, height field or skin; the number of a part of one that is cut, or of a flex's place."""
    return plain(mesh) & ~KIND


def kind_of(mesh: int) -> int:
    """MODEL_MESH, HULL, HFIELD, SKIN, PIECE, or what of a flex is drawn; 0 for a primitive."""
    return plain(mesh) & KIND


# Added to a material's index if it has layers other than its colour: such a number stands for all of its textures.
LAYERED = 1 << 24


class TexMode(IntEnum):
    """Ways to compute texture coordinates of an instance."""

    NONE = 0
    PLANAR = 1
    UV = 2
    CUBE = 3
    CUBE_UNIT = 4
