"""Assets and deformable bodies."""

from __future__ import annotations

from tumble.physics.mjcf.schema import find
from tumble.physics.spec.grammar import structure
from tumble.physics.spec.table.common import INFO, SOLVER

FLEX = structure("MjsFlex", "flex", """
    contype      int     : contype
    conaffinity  int     : conaffinity
    condim       int     : condim
    priority     int     : priority
    friction     double  : friction
    solmix       double  : solmix
""" + SOLVER + """
    margin         double   : margin
    gap            double   : gap
    dim            int      : dim
    radius         double   : radius
    size           double 3
    internal       byte     : internal
    flatskin       byte     : flatskin
    selfcollide    int      : selfcollide
    vertcollide    int      : vertcollide
    passive        int      : passive
    activelayers   int      : activelayers
    group          int      : group
    edgestiffness  double
    edgedamping    double
    rgba           float    : rgba
    material       ref      : material
    young          double   : young
    poisson        double   : poisson
    damping        double   : damping
    thickness      double   : thickness
    elastic2d      int      : elastic2d
    nodebody       refs     : node
    vertbody       refs     : body
    node           doubles
    vert           doubles  : vertex
    elem           ints     : element
    texcoord       floats   : texcoord
    elemtexcoord   ints     : elemtexcoord
""" + INFO, find("deformable/flex"), find("deformable/flex/contact"), find("deformable/flex/elasticity"))

MESH = structure("MjsMesh", "mesh", """
    content_type      string          : content_type
    file              string          : file
    refpos            double          : refpos
    refquat           double          : refquat
    scale             double          : scale
    inertia           mjtMeshInertia  : inertia
    smoothnormal      byte            : smoothnormal
    needsdf           byte
    maxhullvert       int             : maxhullvert
    uservert          floats          : vertex
    usernormal        floats          : normal
    usertexcoord      floats          : texcoord
    userface          ints            : face
    userfacenormal    ints
    userfacetexcoord  ints
    plugin            plugin
    material          ref             : material
""" + INFO, find("asset/mesh"))

HFIELD = structure("MjsHField", "hfield", """
    content_type  string  : content_type
    file          string  : file
    size          double  : size
    nrow          int     : nrow
    ncol          int     : ncol
    userdata      floats
""" + INFO, find("asset/hfield"))

SKIN = structure("MjsSkin", "skin", """
    file        string  : file
    material    ref     : material
    rgba        float   : rgba
    inflate     float   : inflate
    group       int     : group
    vert        floats  : vertex
    texcoord    floats  : texcoord
    face        ints    : face
    bodyname    refs body
    bindpos     floats
    bindquat    floats
    vertid      lists
    vertweight  lists
""" + INFO, find("deformable/skin"))

TEXTURE = structure("MjsTexture", "texture", """
    type          mjtTexture     : type
    colorspace    mjtColorSpace  : colorspace
    builtin       int            : builtin
    mark          int            : mark
    rgb1          double         : rgb1
    rgb2          double         : rgb2
    markrgb       double         : markrgb
    random        double         : random
    height        int            : height
    width         int            : width
    nchannel      int            : nchannel
    content_type  string         : content_type
    file          string         : file
    gridsize      int            : gridsize
    gridlayout    chars 12
    cubefiles     strings 6
    data          bytes
    hflip         byte           : hflip
    vflip         byte           : vflip
""" + INFO, find("asset/texture"))

MATERIAL = structure("MjsMaterial", "material", """
    textures     refs texture 10
    texuniform   byte   : texuniform
    texrepeat    float  : texrepeat
    emission     float  : emission
    specular     float  : specular
    shininess    float  : shininess
    reflectance  float  : reflectance
    metallic     float  : metallic
    roughness    float  : roughness
    rgba         float  : rgba
""" + INFO, find("asset/material"))
