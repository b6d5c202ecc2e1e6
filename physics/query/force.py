"""Forces: that of a contact, and the joint forces of a force at a point."""

from __future__ import annotations

from typing import Any

import numpy as np

from physics.query.check import Array, index, output, vector
from physics.query.jacobian import mj_jac
from physics.state.data import Data
from physics.state.enums import mjtConstraint
from physics.state.model import Model


def contact_forces(force: Array, address: Any, dim: Any, friction: Any, kind: Any) -> Array:
    """Force [N] and torque [N m] (ncon, 6) of contacts on their second geoms, in their frames: normal first.

    force, kind: efc_force or what stands for it, and efc_type; address, dim, friction: those of d.contact, efc_address
    for the first. Zeros for a contact without constraint rows.
    """
    out = np.zeros((len(address), 6))
    for c in np.flatnonzero(np.asarray(address) >= 0):
        r, n = int(address[c]), int(dim[c])
        if kind[r] == mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL:
            edges = force[r : r + 2 * (n - 1)].reshape(-1, 2)  # along normal + mu tangent, and normal - mu tangent
            out[c, 0] = edges.sum()
            out[c, 1:n] = (edges[:, 0] - edges[:, 1]) * friction[c, : n - 1]
        else:
            out[c, :n] = force[r : r + n]
    return out


def mj_contactForce(m: Model, d: Data, id: int, result: Array) -> None:
    """Write the force [N] and torque [N m] of a contact on its second geom, in the contact's frame: normal first.

    Zeros for a contact without constraint rows.
    """
    output(result, "result", (6,))
    c = index(id, "contact", d.ncon)
    one = slice(c, c + 1)
    address, dim, friction = d.contact_efc_address[one], d.contact_dim[one], d.contact_friction[one]
    result[...] = contact_forces(d.efc_force, address, dim, friction, d.efc_type)[0]


def mj_applyFT(m: Model, d: Data, force: Any, torque: Any, point: Any, body: int, qfrc_target: Array) -> None:
    """Add to qfrc_target (nv,) the joint forces of a force [N] at a world point [m] and a torque [N m] on a body, (3,) each."""
    output(qfrc_target, "qfrc_target", (m.nv,), "(nv,)")
    jacp, jacr = np.empty((3, m.nv)), np.empty((3, m.nv))
    mj_jac(m, d, jacp, jacr, point, body)
    qfrc_target += jacp.T @ vector(force, "force", 3) + jacr.T @ vector(torque, "torque", 3)
