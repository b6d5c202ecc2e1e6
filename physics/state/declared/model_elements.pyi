"""One element of a Model. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array

class ModelActuator:
    """`m.actuator(...)`."""

    id: int
    name: str
    trntype: Array[np.int32]
    dyntype: Array[np.int32]
    gaintype: Array[np.int32]
    biastype: Array[np.int32]
    trnid: Array[np.int32]
    actadr: Array[np.int32]
    actnum: Array[np.int32]
    group: Array[np.int32]
    history: Array[np.int32]
    historyadr: Array[np.int32]
    delay: Array[np.float64]
    ctrllimited: Array[np.uint8]
    forcelimited: Array[np.uint8]
    actlimited: Array[np.uint8]
    dynprm: Array[np.float64]
    gainprm: Array[np.float64]
    biasprm: Array[np.float64]
    actearly: Array[np.uint8]
    ctrlrange: Array[np.float64]
    forcerange: Array[np.float64]
    actrange: Array[np.float64]
    gear: Array[np.float64]
    cranklength: Array[np.float64]
    acc0: Array[np.float64]
    length0: Array[np.float64]
    lengthrange: Array[np.float64]
    user: Array[np.float64]
    plugin: Array[np.int32]

class ModelBody:
    """`m.body(...)`."""

    id: int
    name: str
    parentid: Array[np.int32]
    rootid: Array[np.int32]
    weldid: Array[np.int32]
    mocapid: Array[np.int32]
    jntnum: Array[np.int32]
    jntadr: Array[np.int32]
    dofnum: Array[np.int32]
    dofadr: Array[np.int32]
    treeid: Array[np.int32]
    geomnum: Array[np.int32]
    geomadr: Array[np.int32]
    simple: Array[np.uint8]
    sameframe: Array[np.uint8]
    pos: Array[np.float64]
    quat: Array[np.float64]
    ipos: Array[np.float64]
    iquat: Array[np.float64]
    mass: Array[np.float64]
    subtreemass: Array[np.float64]
    inertia: Array[np.float64]
    invweight0: Array[np.float64]
    gravcomp: Array[np.float64]
    margin: Array[np.float64]
    user: Array[np.float64]
    plugin: Array[np.int32]
    contype: Array[np.int32]
    conaffinity: Array[np.int32]
    bvhadr: Array[np.int32]
    bvhnum: Array[np.int32]

class ModelCamera:
    """`m.camera(...)`."""

    id: int
    name: str
    mode: Array[np.int32]
    bodyid: Array[np.int32]
    targetbodyid: Array[np.int32]
    pos: Array[np.float64]
    quat: Array[np.float64]
    poscom0: Array[np.float64]
    pos0: Array[np.float64]
    mat0: Array[np.float64]
    projection: Array[np.int32]
    fovy: Array[np.float64]
    ipd: Array[np.float64]
    resolution: Array[np.int32]
    output: Array[np.int32]
    sensorsize: Array[np.float32]
    intrinsic: Array[np.float32]
    user: Array[np.float64]

class ModelEquality:
    """`m.equality(...)`."""

    id: int
    name: str
    type: Array[np.int32]
    obj1id: Array[np.int32]
    obj2id: Array[np.int32]
    objtype: Array[np.int32]
    active0: Array[np.uint8]
    solref: Array[np.float64]
    solimp: Array[np.float64]
    data: Array[np.float64]

class ModelExclude:
    """`m.exclude(...)`."""

    id: int
    name: str
    signature: Array[np.int32]

class ModelGeom:
    """`m.geom(...)`."""

    id: int
    name: str
    type: Array[np.int32]
    contype: Array[np.int32]
    conaffinity: Array[np.int32]
    condim: Array[np.int32]
    bodyid: Array[np.int32]
    dataid: Array[np.int32]
    matid: Array[np.int32]
    group: Array[np.int32]
    priority: Array[np.int32]
    plugin: Array[np.int32]
    sameframe: Array[np.uint8]
    solmix: Array[np.float64]
    solref: Array[np.float64]
    solimp: Array[np.float64]
    size: Array[np.float64]
    aabb: Array[np.float64]
    rbound: Array[np.float64]
    pos: Array[np.float64]
    quat: Array[np.float64]
    friction: Array[np.float64]
    margin: Array[np.float64]
    gap: Array[np.float64]
    fluid: Array[np.float64]
    user: Array[np.float64]
    rgba: Array[np.float32]

class ModelHfield:
    """`m.hfield(...)`."""

    id: int
    name: str
    size: Array[np.float64]
    nrow: Array[np.int32]
    ncol: Array[np.int32]
    adr: Array[np.int32]
    pathadr: Array[np.int32]
    data: Array[np.float32]

class ModelJoint:
    """`m.joint(...)`."""

    id: int
    name: str
    bodyid: Array[np.int32]
    jntid: Array[np.int32]
    parentid: Array[np.int32]
    treeid: Array[np.int32]
    Madr: Array[np.int32]
    simplenum: Array[np.int32]
    solref: Array[np.float64]
    solimp: Array[np.float64]
    frictionloss: Array[np.float64]
    armature: Array[np.float64]
    damping: Array[np.float64]
    invweight0: Array[np.float64]
    M0: Array[np.float64]
    length: Array[np.float64]
    type: Array[np.int32]
    qposadr: Array[np.int32]
    dofadr: Array[np.int32]
    group: Array[np.int32]
    limited: Array[np.uint8]
    actfrclimited: Array[np.uint8]
    actgravcomp: Array[np.uint8]
    pos: Array[np.float64]
    axis: Array[np.float64]
    stiffness: Array[np.float64]
    range: Array[np.float64]
    actfrcrange: Array[np.float64]
    margin: Array[np.float64]
    user: Array[np.float64]
    qpos0: Array[np.float64]
    qpos_spring: Array[np.float64]

class ModelKeyframe:
    """`m.keyframe(...)`."""

    id: int
    name: str
    time: Array[np.float64]
    qpos: Array[np.float64]
    qvel: Array[np.float64]
    act: Array[np.float64]
    mpos: Array[np.float64]
    mquat: Array[np.float64]
    ctrl: Array[np.float64]

class ModelLight:
    """`m.light(...)`."""

    id: int
    name: str
    mode: Array[np.int32]
    bodyid: Array[np.int32]
    targetbodyid: Array[np.int32]
    type: Array[np.int32]
    texid: Array[np.int32]
    castshadow: Array[np.uint8]
    bulbradius: Array[np.float32]
    intensity: Array[np.float32]
    range: Array[np.float32]
    active: Array[np.uint8]
    pos: Array[np.float64]
    dir: Array[np.float64]
    poscom0: Array[np.float64]
    pos0: Array[np.float64]
    dir0: Array[np.float64]
    attenuation: Array[np.float32]
    cutoff: Array[np.float32]
    exponent: Array[np.float32]
    ambient: Array[np.float32]
    diffuse: Array[np.float32]
    specular: Array[np.float32]

class ModelMaterial:
    """`m.material(...)`."""

    id: int
    name: str
    texid: Array[np.int32]
    texuniform: Array[np.uint8]
    texrepeat: Array[np.float32]
    emission: Array[np.float32]
    specular: Array[np.float32]
    shininess: Array[np.float32]
    reflectance: Array[np.float32]
    metallic: Array[np.float32]
    roughness: Array[np.float32]
    rgba: Array[np.float32]

class ModelMesh:
    """`m.mesh(...)`."""

    id: int
    name: str
    vertadr: Array[np.int32]
    vertnum: Array[np.int32]
    faceadr: Array[np.int32]
    facenum: Array[np.int32]
    bvhadr: Array[np.int32]
    bvhnum: Array[np.int32]
    octadr: Array[np.int32]
    octnum: Array[np.int32]
    normaladr: Array[np.int32]
    normalnum: Array[np.int32]
    texcoordadr: Array[np.int32]
    texcoordnum: Array[np.int32]
    graphadr: Array[np.int32]
    scale: Array[np.float64]
    pos: Array[np.float64]
    quat: Array[np.float64]
    pathadr: Array[np.int32]
    polynum: Array[np.int32]
    polyadr: Array[np.int32]

class ModelNumeric:
    """`m.numeric(...)`."""

    id: int
    name: str
    adr: Array[np.int32]
    size: Array[np.int32]
    data: Array[np.float64]

class ModelPair:
    """`m.pair(...)`."""

    id: int
    name: str
    dim: Array[np.int32]
    geom1: Array[np.int32]
    geom2: Array[np.int32]
    signature: Array[np.int32]
    solref: Array[np.float64]
    solreffriction: Array[np.float64]
    solimp: Array[np.float64]
    margin: Array[np.float64]
    gap: Array[np.float64]
    friction: Array[np.float64]

class ModelSensor:
    """`m.sensor(...)`."""

    id: int
    name: str
    type: Array[np.int32]
    datatype: Array[np.int32]
    needstage: Array[np.int32]
    objtype: Array[np.int32]
    objid: Array[np.int32]
    reftype: Array[np.int32]
    refid: Array[np.int32]
    intprm: Array[np.int32]
    dim: Array[np.int32]
    adr: Array[np.int32]
    cutoff: Array[np.float64]
    noise: Array[np.float64]
    history: Array[np.int32]
    historyadr: Array[np.int32]
    delay: Array[np.float64]
    interval: Array[np.float64]
    user: Array[np.float64]
    plugin: Array[np.int32]

class ModelSite:
    """`m.site(...)`."""

    id: int
    name: str
    type: Array[np.int32]
    bodyid: Array[np.int32]
    matid: Array[np.int32]
    group: Array[np.int32]
    sameframe: Array[np.uint8]
    size: Array[np.float64]
    pos: Array[np.float64]
    quat: Array[np.float64]
    user: Array[np.float64]
    rgba: Array[np.float32]

class ModelSkin:
    """`m.skin(...)`."""

    id: int
    name: str
    matid: Array[np.int32]
    group: Array[np.int32]
    rgba: Array[np.float32]
    inflate: Array[np.float32]
    vertadr: Array[np.int32]
    vertnum: Array[np.int32]
    texcoordadr: Array[np.int32]
    faceadr: Array[np.int32]
    facenum: Array[np.int32]
    boneadr: Array[np.int32]
    bonenum: Array[np.int32]
    pathadr: Array[np.int32]

class ModelTendon:
    """`m.tendon(...)`."""

    id: int
    name: str
    adr: Array[np.int32]
    num: Array[np.int32]
    matid: Array[np.int32]
    group: Array[np.int32]
    treenum: Array[np.int32]
    treeid: Array[np.int32]
    limited: Array[np.uint8]
    actfrclimited: Array[np.uint8]
    width: Array[np.float64]
    solref_lim: Array[np.float64]
    solimp_lim: Array[np.float64]
    solref_fri: Array[np.float64]
    solimp_fri: Array[np.float64]
    range: Array[np.float64]
    actfrcrange: Array[np.float64]
    margin: Array[np.float64]
    stiffness: Array[np.float64]
    damping: Array[np.float64]
    armature: Array[np.float64]
    frictionloss: Array[np.float64]
    lengthspring: Array[np.float64]
    length0: Array[np.float64]
    invweight0: Array[np.float64]
    user: Array[np.float64]
    rgba: Array[np.float32]

class ModelTexture:
    """`m.texture(...)`."""

    id: int
    name: str
    type: Array[np.int32]
    colorspace: Array[np.int32]
    height: Array[np.int32]
    width: Array[np.int32]
    nchannel: Array[np.int32]
    adr: Array[np.int64]
    pathadr: Array[np.int32]
    data: Array[np.uint8]

class ModelTuple:
    """`m.tuple(...)`."""

    id: int
    name: str
    adr: Array[np.int32]
    size: Array[np.int32]
    objtype: Array[np.int32]
    objid: Array[np.int32]
    objprm: Array[np.float64]
