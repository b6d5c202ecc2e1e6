"""What a contact of two geoms has for parameters: the engine's own answer, without making the contact."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from physics.collision.contact import set_parameters
from physics.query.check import Array
from physics.state.model import Model


@dataclass(frozen=True, slots=True)
class ContactParameters:
    """condim; friction (5,) two sliding, torsion, two rolling; solref, solreffriction (2,); solimp (5,): as in d.contact."""

    condim: int
    friction: Array
    solref: Array
    solreffriction: Array
    solimp: Array


def contact_parameters(m: Any, geom1: int, geom2: int, pair: int = -1) -> ContactParameters:
    """What collision detection writes for a contact of two geoms, or of an explicit pair (-1: none).

    m: a model, or whatever has the fields geom_..., pair_..., opt_... of one under their names: what would be with others.
    """
    made = SimpleNamespace(
        contact_dim=np.zeros(1, np.int64), contact_friction=np.zeros((1, 5)), contact_solimp=np.zeros((1, 5)),
        contact_solref=np.zeros((1, 2)), contact_solreffriction=np.zeros((1, 2)),
    )  # fmt: skip
    set_parameters(m, made, 0, geom1, geom2, pair)
    return ContactParameters(
        int(made.contact_dim[0]), made.contact_friction[0], made.contact_solref[0], made.contact_solreffriction[0],
        made.contact_solimp[0],
    )  # fmt: skip


def explicit_pair(m: Model, geom1: int, geom2: int) -> int:
    """The explicit pair of two geoms, in either order; -1 where there is none."""
    first, second = m.pair_geom1, m.pair_geom2
    found = np.flatnonzero(((first == geom1) & (second == geom2)) | ((first == geom2) & (second == geom1)))
    return int(found[0]) if len(found) else -1
