"""The few numbers of the model format that the renderer reads, and the ids of its own meshes."""

from __future__ import annotations

from enum import IntEnum


class GeomType(IntEnum):
    """`geom_type` and `site_type` (mjtGeom)."""

    PLANE = 0
    HFIELD = 1
    SPHERE = 2
    CAPSULE = 3
    ELLIPSOID = 4
    CYLINDER = 5
    BOX = 6
    MESH = 7
    SDF = 8


class JointType(IntEnum):
    """`jnt_type` (mjtJoint)."""

    FREE = 0
    BALL = 1
    SLIDE = 2
    HINGE = 3


class LightType(IntEnum):
    """`light_type` (mjtLightType)."""

    SPOT = 0
    DIRECTIONAL = 1
    POINT = 2
    IMAGE = 3


class TextureType(IntEnum):
    """`tex_type` (mjtTexture)."""

    FLAT = 0
    CUBE = 1
    SKYBOX = 2


class TextureRole(IntEnum):
    """The columns of `mat_texid` that carry a base colour (mjtTextureRole)."""

    RGB = 1
    RGBA = 8


class Category(IntEnum):
    """What an instance belongs to (mjtCatBit)."""

    STATIC = 1
    DYNAMIC = 2
    DECOR = 4


class ObjType(IntEnum):
    """What a draw-list entry stands for (mjtObj); UNKNOWN for decoration without an object."""

    UNKNOWN = 0
    BODY = 1
    JOINT = 3
    GEOM = 5
    SITE = 6
    CAMERA = 7
    LIGHT = 8
    TENDON = 18
    ACTUATOR = 19


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
