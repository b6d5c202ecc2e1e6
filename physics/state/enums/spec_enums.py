"""Enumerations of specifications that no array of MjModel holds."""

from tumble.physics.state.enums.number import NamedNumber


class mjtGeomInertia(NamedNumber):
    """Distribution of a geom's mass: volume or surface."""

    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1


class mjtMeshInertia(NamedNumber):
    """Methods to compute a mesh's inertia."""

    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3


class mjtMeshBuiltin(NamedNumber):
    """Meshes that are made without a file."""

    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7


class mjtBuiltin(NamedNumber):
    """Textures that are made without a file."""

    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3


class mjtMark(NamedNumber):
    """Marks on a texture that is made without a file."""

    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3


class mjtLimited(NamedNumber):
    """Limits of a joint, tendon or actuator: off, on, or on if a range is given."""

    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2


class mjtAlignFree(NamedNumber):
    """Alignment of a free joint with the inertial frame."""

    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2


class mjtInertiaFromGeom(NamedNumber):
    """Computation of a body's inertia from its geoms."""

    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2


class mjtOrientation(NamedNumber):
    """Ways to give an orientation."""

    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4
