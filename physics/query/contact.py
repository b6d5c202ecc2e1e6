"""Parameters of a contact of two geoms, from the engine's own functions, without making the contact."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from tumble.physics.collision.contact import set_parameters
from tumble.physics.state.model import Model


@dataclass(frozen=True, slots=True)
class ContactParameters:
    """As in d.contact: condim; friction: two sliding, torsion, two rolling; solref, solreffriction: two each; solimp: five."""

    condim: int
    friction: tuple[float, ...]
    solref: tuple[float, ...]
    solreffriction: tuple[float, ...]
    solimp: tuple[float, ...]


def contact_parameters(m: Any, geom1: int, geom2: int, pair: int = -1) -> ContactParameters:
    """Parameters of a contact of two geoms, or of an explicit pair (-1: none), as collision detection writes them.

    m: a model, or whatever has the fields geom_..., pair_..., opt_... of one under their names: what would be with others.
    """
    dim: dict[int, float] = {}
    numbers: list[dict[tuple[int, int], float]] = [{}, {}, {}, {}]
    friction, solref, solreffriction, solimp = numbers
    made = SimpleNamespace(
        contact_dim=dim, contact_friction=friction, contact_solref=solref, contact_solreffriction=solreffriction,
        contact_solimp=solimp,
    )  # fmt: skip
    set_parameters(m, made, 0, geom1, geom2, pair)
    return ContactParameters(int(dim[0]), *(tuple(map(float, x.values())) for x in numbers))


def explicit_pair(m: Model, geom1: int, geom2: int) -> int:
    """The explicit pair of two geoms, in either order; -1 if there is none."""
    if m.npair == 0:
        return -1
    first, second = m.pair_geom1, m.pair_geom2
    found = np.flatnonzero(((first == geom1) & (second == geom2)) | ((first == geom2) & (second == geom1)))
    return int(found[0]) if len(found) else -1
