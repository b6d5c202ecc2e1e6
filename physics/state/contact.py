"""A contact that the user adds, and how it joins those that were found."""

from __future__ import annotations

from tumble.physics.state.arguments import checked, require_kind
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model
from tumble.physics.state.structs.results import MjContact


@checked
def mj_addContact(m: Model, d: Data, con: MjContact) -> int:
    """Append a contact, an MjContact or an item of d.contact, to d.contact; returns 0, or 1 if there is no room for it.

    Between mj_collision and mj_makeConstraint: a contact that is to act has its frame, friction, solref, solimp, dim, geom, and
    efc_address -1. Raises ModelError if there is no memory for it.
    """
    require_kind(con, MjContact, "con", "an MjContact")
    values = con._values()
    at = d.ncon
    if at >= d.maxcon:
        d.grow("maxcon", at + 1)
    if at >= d.maxcon:
        return 1
    d.ncon = at + 1
    d.contact[at].__setstate__(values)
    return 0
