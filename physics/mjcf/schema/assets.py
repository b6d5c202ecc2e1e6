"""MJCF 3.5.0, the sections asset and deformable."""

from __future__ import annotations

from tumble.physics.mjcf.schema.grammar import ElementRule, rule
from tumble.physics.mjcf.schema.settings import plugin

MESH_DEFAULTS = """
    scale        real 3 = 1 1 1
    maxhullvert  int = -1
    inertia      keys convex|legacy|exact|shell = legacy
"""

MATERIAL_DEFAULTS = """
    texture      ref texture
    texrepeat    real 2 = 1 1
    texuniform   bool = false
    emission     real = 0
    specular,shininess  real = 0.5
    reflectance  real = 0
    metallic,roughness  real = -1
    rgba         real 4 = 1 1 1 1
"""

ROLES = "rgb|occlusion|roughness|metallic|normal|opacity|emissive|rgba|orm"


def layer() -> ElementRule:
    """One texture of a material and the role it plays."""
    return rule("layer", "*", f"""
        texture  ref texture !
        role     keys {ROLES} ! -- partly roughness|metallic|normal|orm: not drawn
    """)


def skin() -> ElementRule:
    """A skin, valid in <asset> and in <deformable>."""
    return rule("skin", "*", """
        name      name
        file      file
        material  ref material
        rgba      real 4 = 0.5 0.5 0.5 1
        inflate   real = 0
        vertex,texcoord  real 1..*
        face      int 1..*
        group     int = 0
    """, [rule("bone", "*", """
        body        ref body !
        bindpos     real 3 !
        bindquat    real 4 !
        vertid      int 1..* !
        vertweight  real 1..* !
    """)], names="skin")


FLEX_CONTACT = """
    contype,conaffinity  int = 1
    condim        int = 3
    priority      int = 0
    friction      real 1..3 = 1 0.005 0.0001
    solmix        real = 1
    solref        real 1..2 = 0.02 1
    solimp        real 1..5 = 0.9 0.95 0.001 0.5 2
    margin,gap  real = 0
    internal      bool = false
    selfcollide   keys none|narrow|bvh|sap|auto = auto
    activelayers  int = 1
    passive       bool = false
    vertcollide   bool = false"""

FLEX_ELASTICITY = """
    young,poisson,damping  real = 0
    thickness  real = -1
    elastic2d  keys none|bend|stretch|both = none
"""

ASSET = rule("asset", "*", "", [
    rule("mesh", "*", """
        name          name
        class         class
        content_type  string
        file          file
        builtin       keys none|sphere|hemisphere|cone|supertorus|supersphere|wedge|plate = none
        params,vertex,normal,texcoord  real 1..*
        face          int 1..*
        refpos        real 3 = 0 0 0
        refquat       real 4 = 1 0 0 0
        smoothnormal  bool = false
        material      ref material
    """ + MESH_DEFAULTS, [plugin()], names="mesh", defaults="mesh"),
    rule("hfield", "*", """
        name          name
        content_type  string
        file          file
        nrow,ncol  int = 0
        size          real 4 !
        elevation     real 1..*
    """, names="hfield"),
    skin(),
    rule("texture", "*", """
        name          name
        type          keys 2d|cube|skybox = cube
        colorspace    keys auto|linear|sRGB = auto
        content_type  string
        file          file -- partly: KTX images are not decoded
        gridsize      int 2 = 1 1
        gridlayout    pattern [.RLUDFB]{1,12} = ............
        fileright,fileleft,fileup,filedown,filefront,fileback  file
        builtin       keys none|gradient|checker|flat = none
        rgb1          real 3 = 0.8 0.8 0.8
        rgb2          real 3 = 0.5 0.5 0.5
        mark          keys none|edge|cross|random = none
        markrgb       real 3 = 0 0 0
        random        real = 0.01
        width,height  int = 0
        hflip,vflip  bool = false
        nchannel      int = 3
    """, names="texture"),
    rule("material", "*", """
        name   name
        class  class
    """ + MATERIAL_DEFAULTS, [layer()], names="material", defaults="material"),
    rule("model", "*", """
        name          name
        file          file !
        content_type  string -- ignored: an attached model is MJCF
    """, names="model"),
])

DEFORMABLE = rule("deformable", "*", "", [
    rule("flex", "*", """
        name          name
        group         int = 0
        dim           int = 2
        radius        real = 0.005
        material      ref material
        rgba          real 4 = 0.5 0.5 0.5 1
        flatskin      bool = false
        body          refs body !
        vertex        real 1..*
        element       int 1..* !
        texcoord      real 1..*
        elemtexcoord  int 1..*
        node          refs body
    """, [
        rule("contact", "?", FLEX_CONTACT + " -- ignored: the geoms of vertices are made with a flexcomp alone"),
        rule("edge", "?", """
            stiffness,damping  real = 0
        """),
        rule("elasticity", "?", FLEX_ELASTICITY),
    ], names="flex"),
    skin(),
])
