"""Forces: that of a contact, and the joint forces of a force at a point."""

from __future__ import annotations

from typing import Any

import numpy as np

from physics.query.check import Array, index, output, vector
from physics.query.jacobian import mj_jac
from physics.state.data import Data
from physics.state.enums import mjtConstraint
from physics.state.model import Model


def mj_contactForce(m: Model, d: Data, id: int, result: Array) -> None:
    """Write the force [N] and torque [N m] of a contact on its second geom, in the contact's frame: normal first.

    Zeros for a contact without constraint rows.
    """
    output(result, "result", (6,))
    c = index(id, "contact", d.ncon)
    result[...] = 0.0
    r, dim = int(d.contact_efc_address[c]), int(d.contact_dim[c])
    if r < 0:
        return
    if d.efc_type[r] == mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL:
        edges = d.efc_force[r : r + 2 * (dim - 1)].reshape(-1, 2)  # along normal + mu tangent, and normal - mu tangent
        result[0] = edges.sum()
        result[1:dim] = (edges[:, 0] - edges[:, 1]) * d.contact_friction[c, : dim - 1]
    else:
        result[:dim] = d.efc_force[r : r + dim]


def mj_applyFT(m: Model, d: Data, force: Any, torque: Any, point: Any, body: int, qfrc_target: Array) -> None:
    """Add to qfrc_target, nv numbers, the joint forces of a force [N] at a world point [m] and a torque [N m] on a body."""
    output(qfrc_target, "qfrc_target", (m.nv,), "(nv,)")
    jacp, jacr = np.empty((3, m.nv)), np.empty((3, m.nv))
    mj_jac(m, d, jacp, jacr, point, body)
    qfrc_target += jacp.T @ vector(force, "force", 3) + jacr.T @ vector(torque, "torque", 3)
