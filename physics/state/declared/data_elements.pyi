"""One element of a Data. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array

class DataActuator:
    """`d.actuator(...)`."""

    id: int
    name: str
    ctrl: Array[np.float64]
    length: Array[np.float64]
    velocity: Array[np.float64]
    force: Array[np.float64]
    moment: Array[np.float64]

class DataBody:
    """`d.body(...)`."""

    id: int
    name: str
    xfrc_applied: Array[np.float64]
    xpos: Array[np.float64]
    xquat: Array[np.float64]
    xmat: Array[np.float64]
    xipos: Array[np.float64]
    ximat: Array[np.float64]
    subtree_com: Array[np.float64]
    cinert: Array[np.float64]
    crb: Array[np.float64]
    cvel: Array[np.float64]
    subtree_linvel: Array[np.float64]
    subtree_angmom: Array[np.float64]
    cacc: Array[np.float64]
    cfrc_int: Array[np.float64]
    cfrc_ext: Array[np.float64]

class DataCamera:
    """`d.camera(...)`."""

    id: int
    name: str
    xpos: Array[np.float64]
    xmat: Array[np.float64]

class DataGeom:
    """`d.geom(...)`."""

    id: int
    name: str
    xpos: Array[np.float64]
    xmat: Array[np.float64]

class DataJoint:
    """`d.joint(...)`."""

    id: int
    name: str
    qvel: Array[np.float64]
    qacc_warmstart: Array[np.float64]
    qfrc_applied: Array[np.float64]
    qacc: Array[np.float64]
    cdof: Array[np.float64]
    qLDiagInv: Array[np.float64]
    cdof_dot: Array[np.float64]
    qfrc_bias: Array[np.float64]
    qfrc_spring: Array[np.float64]
    qfrc_damper: Array[np.float64]
    qfrc_gravcomp: Array[np.float64]
    qfrc_fluid: Array[np.float64]
    qfrc_passive: Array[np.float64]
    qHDiagInv: Array[np.float64]
    qfrc_actuator: Array[np.float64]
    qfrc_smooth: Array[np.float64]
    qacc_smooth: Array[np.float64]
    qfrc_constraint: Array[np.float64]
    qfrc_inverse: Array[np.float64]
    qpos: Array[np.float64]
    xanchor: Array[np.float64]
    xaxis: Array[np.float64]

class DataLight:
    """`d.light(...)`."""

    id: int
    name: str
    xpos: Array[np.float64]
    xdir: Array[np.float64]

class DataSensor:
    """`d.sensor(...)`."""

    id: int
    name: str
    data: Array[np.float64]

class DataSite:
    """`d.site(...)`."""

    id: int
    name: str
    xpos: Array[np.float64]
    xmat: Array[np.float64]

class DataTendon:
    """`d.tendon(...)`."""

    id: int
    name: str
    wrapadr: Array[np.int32]
    wrapnum: Array[np.int32]
    J_rownnz: Array[np.int32]
    J_rowadr: Array[np.int32]
    J_colind: Array[np.int32]
    J: Array[np.float64]
    length: Array[np.float64]
    velocity: Array[np.float64]
