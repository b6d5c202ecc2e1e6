"""Inertias that are always those of a possible body: ten numbers that need no bounds.

The pseudo-inertia J, 4x4, has the second moments of mass, the first moments and the mass:

    J = [ integral of r r'   m c ]      r: from the body's origin, c: centre of mass
        [ m c'               m   ]

A distribution of mass that is nowhere negative has a positive definite J, and every such J is one of a distribution. So with
J = U U' of the file's body, U upper triangular, and T(x) upper triangular with a positive diagonal,

    J(x) = U T(x) T(x)' U'

is valid for all ten numbers x, and x = 0 is the body of the file.
Sources: Wensing, Kim, Slotine, Linear matrix inequalities for physically consistent inertial parameter identification, 2018;
Rucker, Wensing, Smooth parameterization of rigid-body inertia, 2022.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from tumble.physics.compiler.setconst import mj_setConst
from tumble.physics.errors import ModelError, UnknownNameError
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

Array = NDArray[np.float64]

NAMES = ("log_mass", "log_x", "log_y", "log_z", "shear_xy", "shear_yz", "shear_xz", "shift_x", "shift_y", "shift_z")
_ENTRIES = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))  # of the numbers after the four logarithms


def pseudo_inertia(mass: float, centre: Array, moments: Array) -> Array:
    """J (4, 4) of a mass [kg], a centre (3,) [m] and the matrix of inertia about it (3, 3) [kg m^2]."""
    second = 0.5 * np.trace(moments) * np.eye(3) - moments
    result = np.empty((4, 4))
    result[:3, :3] = second + mass * np.outer(centre, centre)
    result[:3, 3] = result[3, :3] = mass * centre
    result[3, 3] = mass
    return result


def body_of(pseudo: Array) -> tuple[float, Array, Array]:
    """Mass, centre (3,) and matrix of inertia about it (3, 3): the inverse of pseudo_inertia."""
    mass = float(pseudo[3, 3])
    centre = pseudo[:3, 3] / mass
    second = pseudo[:3, :3] - mass * np.outer(centre, centre)
    return mass, centre, np.trace(second) * np.eye(3) - second


def changed(pseudo: Array, x: Array) -> Array:
    """J(x) (4, 4) of ten numbers, see above."""
    upper = np.diag(np.exp(np.array([x[1], x[2], x[3], 0.0])))
    for (i, j), value in zip(_ENTRIES, x[4:], strict=True):
        upper[i, j] = value
    product = _upper_factor(pseudo) @ upper * np.exp(0.5 * x[0])
    return product @ product.T


def _upper_factor(matrix: Array) -> Array:
    """U upper triangular with U U' = matrix."""
    flip = matrix[::-1, ::-1]
    return np.asarray(np.linalg.cholesky(flip)[::-1, ::-1])


class BodyInertia:
    """The inertia of one body of a model."""

    def __init__(self, model: Model, body: str) -> None:
        """Raises UnknownNameError for a body that is missing, ModelError for one without volume."""
        names = [model.body(k).name for k in range(1, model.nbody)]
        if body not in names:
            raise UnknownNameError(f"there is no body {body!r}; there are {', '.join(filter(None, names)) or 'none'}")
        self.body = 1 + names.index(body)
        frame = _matrix(model.body_iquat[self.body])
        moments = frame @ np.diag(model.body_inertia[self.body]) @ frame.T
        self.pseudo = pseudo_inertia(float(model.body_mass[self.body]), np.array(model.body_ipos[self.body]), moments)
        if np.linalg.eigvalsh(self.pseudo)[0] <= 1e-12 * np.trace(self.pseudo):
            raise ModelError(f"{body} has moments of inertia of no body that has a volume: give it others to begin with")

    def put(self, model: Model, x: Array) -> None:
        """Give a model of one's own the inertia of ten numbers; `settle` afterwards."""
        mass, centre, moments = body_of(changed(self.pseudo, x))
        values, axes = np.linalg.eigh(moments)
        axes = axes * np.sign(np.linalg.det(axes))
        model.body_mass[self.body] = mass
        model.body_ipos[self.body] = centre
        model.body_inertia[self.body] = values
        model.body_iquat[self.body] = Rotation.from_matrix(axes).as_quat()[[3, 0, 1, 2]]

    def inertial_attributes(self, x: Array) -> Mapping[str, Array]:
        """Attributes of the element inertial: mass [kg], pos [m], fullinertia (xx, yy, zz, xy, xz, yz) [kg m^2]."""
        mass, centre, moments = body_of(changed(self.pseudo, x))
        full = moments[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        return {"mass": np.array([mass]), "pos": centre, "fullinertia": full}


def settle(model: Model) -> None:
    """Recompute what depends on inertias."""
    mj_setConst(model, Data(model))


def _matrix(quat: Array) -> Array:
    return np.asarray(Rotation.from_quat(np.asarray(quat)[[1, 2, 3, 0]]).as_matrix())
