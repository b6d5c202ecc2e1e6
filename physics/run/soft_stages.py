"""Compiled functions for a model's flexes; imported only for a model with flexes."""

from __future__ import annotations

from tumble.physics.constraint.flex import hold_flex, soft_contact
from tumble.physics.dynamics.derivative.flex_slopes import flex_derivative
from tumble.physics.dynamics.flex.edges import flex_velocity
from tumble.physics.dynamics.flex.elastic import flex_shape
from tumble.physics.dynamics.flex.energy import flex_energy
from tumble.physics.dynamics.flex.passive import contact_springs, flex_passive
from tumble.physics.dynamics.flex.soft_side import soft_side
from tumble.physics.kernel import Compiled
from tumble.physics.state.model import Model
from tumble.physics.state.stages import Entry
from tumble.physics.step.implicit_flex import implicit_flex, inverse_flex


def soft_parts(m: Model, differentiated: bool) -> dict[Entry, Compiled]:
    """The functions by their entry in the stage table; differentiated: for an implicit integrator."""
    found: dict[Entry, Compiled] = {
        Entry.FLEX: flex_shape,
        Entry.SOFT_SIDE: soft_side,
        Entry.SOFT_CONTACT: soft_contact,
        Entry.HOLD_FLEX: hold_flex,
        Entry.FLEX_VEL: flex_velocity,
        Entry.FLEX_PASSIVE: flex_passive,
        Entry.CONTACT_SPRINGS: contact_springs,
        Entry.FLEX_ENERGY: flex_energy,
    }
    if differentiated and m.flex_edgedamping.any():
        found[Entry.DERIV_FLEX] = flex_derivative
    if differentiated and m.flex_interp.any():
        found |= {Entry.IMPLICIT_FLEX: implicit_flex, Entry.INVERSE_FLEX: inverse_flex}
    return found
