"""Enumerations of the reference's visualizer, renderer and interface."""

from tumble.physics.state.enums.number import NamedNumber


class mjtCatBit(NamedNumber):
    """Categories of geoms in a scene, as bits."""

    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7


class mjtMouse(NamedNumber):
    """Mouse actions."""

    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7


class mjtPertBit(NamedNumber):
    """Mouse perturbations of a body, as bits."""

    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2


class mjtCamera(NamedNumber):
    """Types of abstract cameras."""

    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3


class mjtLabel(NamedNumber):
    """Elements with labels."""

    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16
    mjNLABEL = 17


class mjtFrame(NamedNumber):
    """Elements with visible frames."""

    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7
    mjNFRAME = 8


class mjtVisFlag(NamedNumber):
    """Visualization flags: index into `MjvOption.flags`."""

    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30
    mjNVISFLAG = 31


class mjtRndFlag(NamedNumber):
    """Rendering flags: index into `MjvScene.flags`."""

    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_DEPTH = 7
    mjRND_SEGMENT = 8
    mjRND_IDCOLOR = 9
    mjRND_CULL_FACE = 10
    mjNRNDFLAG = 11


class mjtStereo(NamedNumber):
    """Ways to draw a picture for two eyes."""

    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2


class mjtGridPos(NamedNumber):
    """Grid positions of overlays."""

    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7


class mjtFramebuffer(NamedNumber):
    """Framebuffers."""

    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1


class mjtDepthMap(NamedNumber):
    """Depth mappings."""

    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1


class mjtFontScale(NamedNumber):
    """Sizes of fonts [%]."""

    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300


class mjtFont(NamedNumber):
    """Fonts of text in a picture."""

    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2


class mjtButton(NamedNumber):
    """Buttons of the mouse."""

    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3


class mjtEvent(NamedNumber):
    """Events of a window."""

    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8


class mjtItem(NamedNumber):
    """Kinds of items in a panel of the reference's interface."""

    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13
    mjNITEM = 14


class mjtSection(NamedNumber):
    """States of a section of such a panel."""

    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2
