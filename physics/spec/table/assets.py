"""Assets and deformable bodies."""

from __future__ import annotations

from tumble.physics.mjcf.schema import find
from tumble.physics.spec.grammar import structure
from tumble.physics.spec.table.common import INFO, SOLVER

FLEX = structure("MjsFlex", "flex", """
    contype        int = 1                      : contype
    conaffinity    int = 1                      : conaffinity
    condim         int = 3                      : condim
    priority       int = 0                      : priority
    friction       double 3 = 1 0.005 0.0001    : friction
    solmix         double = 1                   : solmix
""" + SOLVER + """
    margin         double = 0                   : margin
    gap            double = 0                   : gap
    dim            int = 2                      : dim
    radius         double = 0.005               : radius
    size           double 3 = 0 0 0
    internal       byte = 0                     : internal
    flatskin       byte = 0                     : flatskin
    selfcollide    int = 4                      : selfcollide
    vertcollide    int = 0                      : vertcollide
    passive        int = 0                      : passive
    activelayers   int = 1                      : activelayers
    group          int = 0                      : group
    edgestiffness  double = 0
    edgedamping    double = 0
    rgba           float 4 = 0.5 0.5 0.5 1      : rgba
    material       ref material                 : material
    young          double = 0                   : young
    poisson        double = 0                   : poisson
    damping        double = 0                   : damping
    thickness      double = -1                  : thickness
    elastic2d      int = 0                      : elastic2d
    nodebody       refs body
    vertbody       refs body
    node           doubles
    vert           doubles
    elem           ints
    texcoord       floats
    elemtexcoord   ints
""" + INFO, find("deformable/flex"), find("deformable/flex/contact"), find("deformable/flex/elasticity"))

MESH = structure("MjsMesh", "mesh", """
    content_type      string                   : content_type
    file              string                   : file
    refpos            double 3 = 0 0 0         : refpos
    refquat           double 4 = 1 0 0 0       : refquat
    scale             double 3 = 1 1 1         : scale
    inertia           mjtMeshInertia = INERTIA_LEGACY  : inertia
    smoothnormal      byte = 0                 : smoothnormal
    needsdf           byte = 0
    maxhullvert       int = -1                 : maxhullvert
    uservert          floats                   : vertex
    usernormal        floats                   : normal
    usertexcoord      floats                   : texcoord
    userface          ints                     : face
    userfacenormal    ints
    userfacetexcoord  ints
    plugin            plugin
    material          ref material             : material
""" + INFO, find("asset/mesh"))

HFIELD = structure("MjsHField", "hfield", """
    content_type  string              : content_type
    file          string              : file
    size          double 4 = 0 0 0 0  : size
    nrow          int = 0             : nrow
    ncol          int = 0             : ncol
    userdata      floats
""" + INFO, find("asset/hfield"))

SKIN = structure("MjsSkin", "skin", """
    file        string                   : file
    material    ref material             : material
    rgba        float 4 = 0.5 0.5 0.5 1  : rgba
    inflate     float = 0                : inflate
    group       int = 0                  : group
    vert        floats                   : vertex
    texcoord    floats                   : texcoord
    face        ints                     : face
    bodyname    refs body
    bindpos     floats
    bindquat    floats
    vertid      lists
    vertweight  lists
""" + INFO, find("deformable/skin"))

TEXTURE = structure("MjsTexture", "texture", """
    type          mjtTexture = CUBE      : type
    colorspace    mjtColorSpace          : colorspace
    builtin       int = 0                : builtin
    mark          int = 0                : mark
    rgb1          double 3 = 0.8 0.8 0.8 : rgb1
    rgb2          double 3 = 0.5 0.5 0.5 : rgb2
    markrgb       double 3 = 0 0 0       : markrgb
    random        double = 0.01          : random
    height        int = 0                : height
    width         int = 0                : width
    nchannel      int = 3                : nchannel
    content_type  string                 : content_type
    file          string                 : file
    gridsize      int 2 = 1 1            : gridsize
    gridlayout    chars 12
    cubefiles     strings 6
    data          bytes
    hflip         byte = 0               : hflip
    vflip         byte = 0               : vflip
""" + INFO, find("asset/texture"))

MATERIAL = structure("MjsMaterial", "material", """
    textures     refs texture 10
    texuniform   byte = 0         : texuniform
    texrepeat    float 2 = 1 1    : texrepeat
    emission     float = 0        : emission
    specular     float = 0.5      : specular
    shininess    float = 0.5      : shininess
    reflectance  float = 0        : reflectance
    metallic     float = -1       : metallic
    roughness    float = -1       : roughness
    rgba         float 4 = 1 1 1 1 : rgba
""" + INFO, find("asset/material"))
