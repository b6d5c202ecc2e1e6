"""Ids of the renderer's own: what an instance belongs to, its mesh, and how it is textured."""

from __future__ import annotations

from enum import IntEnum


class Category(IntEnum):
    """What an instance belongs to (mjtCatBit)."""

    STATIC = 1
    DYNAMIC = 2
    DECOR = 4


class MeshId(IntEnum):
    """The renderer's own meshes; a model's mesh i has the id MODEL_MESH + i, its height field i HFIELD + i.

    COARSE is added to the id of a round mesh that is small on the screen.
    """

    PLANE = 0
    HORIZON = 1
    SPHERE = 2
    CAPSULE = 3
    CYLINDER = 5
    BOX = 6
    CONE = 7
    COARSE = 1 << 8
    MODEL_MESH = 1 << 10
    HFIELD = 1 << 20


class TexMode(IntEnum):
    """How an instance finds its place in its texture."""

    NONE = 0
    PLANAR = 1
    UV = 2
    CUBE = 3
    CUBE_UNIT = 4
