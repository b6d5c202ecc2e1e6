"""Cables: torques between the bodies of a chain that resist bending and twisting, the plugin mujoco.elasticity.cable.

A body that has the same instance as its parent is a piece of a cable, with the cross-section of its first geom. Let w be the
rotation vector that turns the parent's frame to the body's, in the parent's frame, w0 its value at rest (that of the model's
body_quat, or 0 of a cable that is flat), and L the distance between the two frames. The torque on the body is

    -diag(G J, E Iy, E Iz) (w - w0) / L

in the parent's frame, and the opposite acts on the parent. So the pair does work on the joints of the body alone. The x axis is
along the piece; J is the torsion constant of the cross-section, Iy and Iz are its second moments of area.
Source: MuJoCo documentation, plugin/elasticity; the law was measured. J of a rectangle: Roark, Formulas for Stress and Strain.
"""

import math

import numpy as np

from tumble.physics.algebra.quat import load4, quat_inv, quat_mul, quat_rot, quat_vel
from tumble.physics.algebra.vec3 import load3, norm3
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model
from tumble.physics.state.plugins import CABLE, CABLE_BEND, CABLE_FLAT, CABLE_TWIST, plugin_number

NUMBER = plugin_number(CABLE.name)
CAPSULE, CYLINDER, BOX = int(mjtGeom.mjGEOM_CAPSULE), int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_BOX)


def has_cables(m: Model) -> bool:
    """True if a model has bodies with the plugin."""
    instances = m.body_plugin[m.body_plugin >= 0]
    return bool(np.any(m.plugin[instances] == NUMBER))


@stage
def cable(m, d):
    """Reads xquat, cdof; adds to qfrc_passive the torques of cables."""
    for n in range(1, d.nbody_awake):
        b = d.body_awake_ind[n]
        k, parent = m.body_plugin[b], m.body_parentid[b]
        if k >= 0 and m.plugin[k] == NUMBER and parent > 0 and m.body_plugin[parent] == k and m.body_dofnum[b] > 0:
            torque = quat_rot(load4(d.xquat, parent), piece_torque(m, d, b, parent, k))
            for i in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
                axis = d.cdof
                d.qfrc_passive[i] += axis[i, 0] * torque[0] + axis[i, 1] * torque[1] + axis[i, 2] * torque[2]


@kernel
def piece_torque(m, d, b, parent, k):
    """Torque [N m] on body b, a piece of the cable of instance k, in the frame of its parent."""
    now = quat_vel(quat_mul(quat_inv(load4(d.xquat, parent)), load4(d.xquat, b)), 1.0)
    rest = (0.0, 0.0, 0.0) if m.plugin_prm[k, CABLE_FLAT] != 0.0 else quat_vel(load4(m.body_quat, b), 1.0)
    twist, across, up = section(m, b)
    length = max(mjMINVAL, norm3(load3(m.body_pos, b)))
    shear, young = m.plugin_prm[k, CABLE_TWIST] / length, m.plugin_prm[k, CABLE_BEND] / length
    return -shear * twist * (now[0] - rest[0]), -young * across * (now[1] - rest[1]), -young * up * (now[2] - rest[2])


@kernel
def section(m, b):
    """Torsion constant J, second moments of area Iy, Iz [m^4] of body b's first geom; 0 unless a capsule, cylinder or box."""
    if m.body_geomnum[b] == 0:
        return 0.0, 0.0, 0.0
    g = m.body_geomadr[b]
    kind = m.geom_type[g]
    if kind == CAPSULE or kind == CYLINDER:
        polar = 0.5 * math.pi * m.geom_size[g, 0] ** 4
        return polar, 0.5 * polar, 0.5 * polar
    if kind != BOX:
        return 0.0, 0.0, 0.0
    y, z = m.geom_size[g, 1], m.geom_size[g, 2]
    a, c = max(y, z), max(mjMINVAL, min(y, z))
    ratio = c / a
    polar = a * c**3 * (16.0 / 3.0 - 3.36 * ratio * (1.0 - ratio**4 / 12.0))
    return polar, 4.0 / 3.0 * y * z**3, 4.0 / 3.0 * z * y**3
