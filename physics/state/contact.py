"""A contact that the user adds, and how it joins those that were found."""

from __future__ import annotations

from typing import Any

import numpy as np

from physics.state.data import Data
from physics.state.fields.growing import CONTACT
from physics.state.model import Model

_PREFIX = "contact_"
_FIELDS = {f.name.removeprefix(_PREFIX): f for f in CONTACT}


class MjContact:
    """One contact: the fields of `d.contact` under their names, all zero; geom1 and geom2 are the numbers in geom."""

    def __init__(self) -> None:
        for name, f in _FIELDS.items():
            shape = f.shape[1:]
            setattr(self, name, np.zeros(shape, f.dtype) if shape else 0.0 if f.dtype == "f8" else 0)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("geom1", "geom2"):
            self.geom[int(name == "geom2")] = value
        elif name not in _FIELDS:
            raise AttributeError(f"no {name!r} here; there are: {', '.join(_FIELDS)}")
        elif name in self.__dict__ and isinstance(self.__dict__[name], np.ndarray):
            self.__dict__[name][...] = value
        else:
            self.__dict__[name] = value

    def __getattr__(self, name: str) -> Any:
        if name in ("geom1", "geom2"):
            return int(self.geom[int(name == "geom2")])
        raise AttributeError(f"no {name!r} here; there are: {', '.join(_FIELDS)}")

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {getattr(self, name)}" for name in _FIELDS)


def mj_addContact(m: Model, d: Data, con: Any) -> int:
    """Append a contact, an MjContact or an item of d.contact, to d.contact; returns 0, or 1 if there is no room for it.

    Between mj_collision and mj_makeConstraint: a contact that is to act has its frame, friction, solref, solimp, dim, geom, and
    efc_address -1. Raises ModelError if there is no memory for it.
    """
    values = {name: getattr(con, name) for name in _FIELDS}  # before growing, which moves what an item of d.contact shows
    at = d.ncon
    if at >= d.maxcon:
        d.grow("maxcon", at + 1)
    if at >= d.maxcon:
        return 1
    d.ncon = at + 1
    for name, value in values.items():
        getattr(d, _PREFIX + name)[at] = value
    return 0
