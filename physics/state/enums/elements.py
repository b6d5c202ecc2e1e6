"""Kinds and types of a model's elements, as arrays of MjModel hold them."""

from tumble.physics.state.enums.number import NamedNumber


class mjtObj(NamedNumber):
    """Kinds of elements of a model."""

    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_FLEX = 9
    mjOBJ_MESH = 10
    mjOBJ_SKIN = 11
    mjOBJ_HFIELD = 12
    mjOBJ_TEXTURE = 13
    mjOBJ_MATERIAL = 14
    mjOBJ_PAIR = 15
    mjOBJ_EXCLUDE = 16
    mjOBJ_EQUALITY = 17
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_NUMERIC = 21
    mjOBJ_TEXT = 22
    mjOBJ_TUPLE = 23
    mjOBJ_KEY = 24
    mjOBJ_PLUGIN = 25
    mjNOBJECT = 26
    mjOBJ_FRAME = 100
    mjOBJ_DEFAULT = 101
    mjOBJ_MODEL = 102


class mjtJoint(NamedNumber):
    """Types of joints."""

    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3


class mjtGeom(NamedNumber):
    """Types of geoms; those from 100 on only decorate."""

    mjGEOM_PLANE = 0
    mjGEOM_HFIELD = 1
    mjGEOM_SPHERE = 2
    mjGEOM_CAPSULE = 3
    mjGEOM_ELLIPSOID = 4
    mjGEOM_CYLINDER = 5
    mjGEOM_BOX = 6
    mjGEOM_MESH = 7
    mjGEOM_SDF = 8
    mjNGEOMTYPES = 9
    mjGEOM_ARROW = 100
    mjGEOM_ARROW1 = 101
    mjGEOM_ARROW2 = 102
    mjGEOM_LINE = 103
    mjGEOM_LINEBOX = 104
    mjGEOM_FLEX = 105
    mjGEOM_SKIN = 106
    mjGEOM_LABEL = 107
    mjGEOM_TRIANGLE = 108
    mjGEOM_NONE = 1001


class mjtProjection(NamedNumber):
    """Projections of cameras."""

    mjPROJ_PERSPECTIVE = 0
    mjPROJ_ORTHOGRAPHIC = 1


class mjtCamLight(NamedNumber):
    """Tracking modes of cameras and lights."""

    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4


class mjtLightType(NamedNumber):
    """Types of lights."""

    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3


class mjtTexture(NamedNumber):
    """Types of textures."""

    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2


class mjtTextureRole(NamedNumber):
    """Roles of a texture in a material."""

    mjTEXROLE_USER = 0
    mjTEXROLE_RGB = 1
    mjTEXROLE_OCCLUSION = 2
    mjTEXROLE_ROUGHNESS = 3
    mjTEXROLE_METALLIC = 4
    mjTEXROLE_NORMAL = 5
    mjTEXROLE_OPACITY = 6
    mjTEXROLE_EMISSIVE = 7
    mjTEXROLE_RGBA = 8
    mjTEXROLE_ORM = 9
    mjNTEXROLE = 10


class mjtColorSpace(NamedNumber):
    """Colour spaces of textures."""

    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2


class mjtEq(NamedNumber):
    """Types of equality constraints."""

    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_FLEXVERT = 5
    mjEQ_DISTANCE = 6


class mjtWrap(NamedNumber):
    """Types of a tendon's path points."""

    mjWRAP_NONE = 0
    mjWRAP_JOINT = 1
    mjWRAP_PULLEY = 2
    mjWRAP_SITE = 3
    mjWRAP_SPHERE = 4
    mjWRAP_CYLINDER = 5


class mjtTrn(NamedNumber):
    """Transmissions of actuators."""

    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_UNDEFINED = 1000


class mjtDyn(NamedNumber):
    """Activation dynamics of actuators."""

    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_USER = 5


class mjtGain(NamedNumber):
    """Gains of actuators."""

    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_USER = 3


class mjtBias(NamedNumber):
    """Biases of actuators."""

    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_USER = 3


class mjtSensor(NamedNumber):
    """Types of sensors."""

    mjSENS_TOUCH = 0
    mjSENS_ACCELEROMETER = 1
    mjSENS_VELOCIMETER = 2
    mjSENS_GYRO = 3
    mjSENS_FORCE = 4
    mjSENS_TORQUE = 5
    mjSENS_MAGNETOMETER = 6
    mjSENS_RANGEFINDER = 7
    mjSENS_CAMPROJECTION = 8
    mjSENS_JOINTPOS = 9
    mjSENS_JOINTVEL = 10
    mjSENS_TENDONPOS = 11
    mjSENS_TENDONVEL = 12
    mjSENS_ACTUATORPOS = 13
    mjSENS_ACTUATORVEL = 14
    mjSENS_ACTUATORFRC = 15
    mjSENS_JOINTACTFRC = 16
    mjSENS_TENDONACTFRC = 17
    mjSENS_BALLQUAT = 18
    mjSENS_BALLANGVEL = 19
    mjSENS_JOINTLIMITPOS = 20
    mjSENS_JOINTLIMITVEL = 21
    mjSENS_JOINTLIMITFRC = 22
    mjSENS_TENDONLIMITPOS = 23
    mjSENS_TENDONLIMITVEL = 24
    mjSENS_TENDONLIMITFRC = 25
    mjSENS_FRAMEPOS = 26
    mjSENS_FRAMEQUAT = 27
    mjSENS_FRAMEXAXIS = 28
    mjSENS_FRAMEYAXIS = 29
    mjSENS_FRAMEZAXIS = 30
    mjSENS_FRAMELINVEL = 31
    mjSENS_FRAMEANGVEL = 32
    mjSENS_FRAMELINACC = 33
    mjSENS_FRAMEANGACC = 34
    mjSENS_SUBTREECOM = 35
    mjSENS_SUBTREELINVEL = 36
    mjSENS_SUBTREEANGMOM = 37
    mjSENS_INSIDESITE = 38
    mjSENS_GEOMDIST = 39
    mjSENS_GEOMNORMAL = 40
    mjSENS_GEOMFROMTO = 41
    mjSENS_CONTACT = 42
    mjSENS_E_POTENTIAL = 43
    mjSENS_E_KINETIC = 44
    mjSENS_CLOCK = 45
    mjSENS_TACTILE = 46
    mjSENS_PLUGIN = 47
    mjSENS_USER = 48


class mjtStage(NamedNumber):
    """Stages of a computation, by what they depend on."""

    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3


class mjtDataType(NamedNumber):
    """Types of sensor readings, which decide how a cutoff applies."""

    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3


class mjtConDataField(NamedNumber):
    """Fields that a contact sensor reports."""

    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6
    mjNCONDATA = 7


class mjtRayDataField(NamedNumber):
    """Fields that a range finder reports."""

    mjRAYDATA_DIST = 0
    mjRAYDATA_DIR = 1
    mjRAYDATA_ORIGIN = 2
    mjRAYDATA_POINT = 3
    mjRAYDATA_NORMAL = 4
    mjRAYDATA_DEPTH = 5
    mjNRAYDATA = 6


class mjtCamOutBit(NamedNumber):
    """Outputs of a camera, as bits."""

    mjCAMOUT_RGB = 1
    mjCAMOUT_DEPTH = 2
    mjCAMOUT_DIST = 4
    mjCAMOUT_NORMAL = 8
    mjCAMOUT_SEG = 16
    mjNCAMOUT = 5


class mjtSameFrame(NamedNumber):
    """Coincidence of frames, which saves a transform."""

    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4


class mjtSleepPolicy(NamedNumber):
    """Sleep policies of a tree."""

    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5


class mjtFlexSelf(NamedNumber):
    """Self-collision modes of a flex."""

    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4


class mjtSDFType(NamedNumber):
    """Combinations of signed distance fields."""

    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3


class mjtPluginCapabilityBit(NamedNumber):
    """Capabilities of a plugin, as bits."""

    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8
