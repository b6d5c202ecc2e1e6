"""The state as one vector: any selection of its components, read, written, cut out and copied.

A selection is a sum of `mjtState` bits; its components follow each other in the order of the bits.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tumble.physics.errors import ArgumentError, ModelError, ShapeError, UnknownIndexError
from tumble.physics.state.arguments import checked, require_kind
from tumble.physics.state.data import Data, require_contact
from tumble.physics.state.enums import mjtConstraint, mjtState
from tumble.physics.state.fields import DATA
from tumble.physics.state.layout import MODEL_LAYOUT
from tumble.physics.state.model import Model
from tumble.physics.state.structs.results import MjContact

Vector = NDArray[np.float64]

_FIELDS = {
    mjtState.mjSTATE_TIME: "time",
    mjtState.mjSTATE_QPOS: "qpos",
    mjtState.mjSTATE_QVEL: "qvel",
    mjtState.mjSTATE_ACT: "act",
    mjtState.mjSTATE_HISTORY: "history",
    mjtState.mjSTATE_WARMSTART: "qacc_warmstart",
    mjtState.mjSTATE_CTRL: "ctrl",
    mjtState.mjSTATE_QFRC_APPLIED: "qfrc_applied",
    mjtState.mjSTATE_XFRC_APPLIED: "xfrc_applied",
    mjtState.mjSTATE_EQ_ACTIVE: "eq_active",
    mjtState.mjSTATE_MOCAP_POS: "mocap_pos",
    mjtState.mjSTATE_MOCAP_QUAT: "mocap_quat",
    mjtState.mjSTATE_USERDATA: "userdata",
    mjtState.mjSTATE_PLUGIN: "plugin_state",
}


Parts = Sequence[tuple[str, slice]]

_SIZES = np.array([
    MODEL_LAYOUT.slot[name]
    for name in ("nq", "nv", "na", "nhistory", "nu", "nbody", "neq", "nmocap", "nuserdata", "npluginstate")
])  # fmt: skip


def parts_of(m: Model, sig: int) -> Parts:
    """The fields that `sig` selects, in their order, and where each lies in the vector; ModelError where there is no such."""
    return _layout(m._slots[_SIZES].tobytes(), int(sig))


@lru_cache(maxsize=256)  # models and selections come and go
def _layout(model_sizes: bytes, sig: int) -> Parts:
    nq, nv, na, nhistory, nu, nbody, neq, nmocap, nuserdata, npluginstate = np.frombuffer(model_sizes, np.int64).tolist()
    sizes = (1, nq, nv, na, nhistory, nv, nu, nv, 6 * nbody, neq, 3 * nmocap, 4 * nmocap, nuserdata, npluginstate)
    if not 0 <= sig < 1 << mjtState.mjNSTATE:
        bound = "< 0" if sig < 0 else ">= 2^mjNSTATE"
        raise ModelError(f"mj_stateSize: invalid state signature {sig} {bound}")
    chosen, at = [], 0
    for (bit, name), size in zip(_FIELDS.items(), sizes, strict=True):
        if sig & bit and size:
            chosen.append((name, slice(at, at + size)))
            at += size
    return chosen


def _written(vector: Vector, parts: Parts, name: str) -> Vector:
    """A vector that is to be written, if it has the size of the selection."""
    if not isinstance(vector, np.ndarray) or vector.dtype != np.float64 or not vector.flags.carray:
        layout = "" if not isinstance(vector, np.ndarray) or vector.flags.carray else ", read-only or not contiguous"
        have = f"{vector.dtype}{layout}" if isinstance(vector, np.ndarray) else type(vector).__name__
        wanted = f"{_size(parts)} float64 numbers"
        raise ShapeError(f"{name} should be {wanted}, mj_stateSize(m, sig), that can be written; it is {have}")
    return _sized(vector, parts, name)


def _read(vector: Vector, parts: Parts, name: str) -> Vector:
    """A vector that is only read, if it has the size of the selection."""
    try:
        return _sized(np.asarray(vector, np.float64), parts, name)
    except (TypeError, ValueError, OverflowError) as error:
        raise ShapeError(f"{name} should be numbers: {error}") from None


def _sized(vector: Vector, parts: Parts, name: str) -> Vector:
    size = _size(parts)
    if vector.shape not in ((size,), (size, 1)):
        error = ShapeError(f"{name} size should equal mj_stateSize(m, sig)")
        error.add_note(f"{name} should be {size} float64 numbers, mj_stateSize(m, sig); it has {vector.shape}")
        raise error
    return vector.reshape(size)


def _size(parts: Parts) -> int:
    return parts[-1][1].stop if parts else 0


@checked
def mj_stateSize(m: Model, sig: int) -> int:
    """Number of values in the components selected by `sig`. Raises ModelError for unknown components."""
    return _size(parts_of(m, sig))


@checked
def mj_getState(m: Model, d: Data, state: Vector, sig: int) -> None:
    """Write the components selected by `sig` into `state`, which has mj_stateSize(m, sig) numbers."""
    parts = parts_of(m, sig)
    state = _written(state, parts, "state")
    for name, part in parts:
        state[part] = d.time if name == "time" else d._arrays[name].reshape(-1)


@checked
def mj_setState(m: Model, d: Data, state: Vector, sig: int) -> None:
    """Give the data the components selected by `sig` from `state`, which has mj_stateSize(m, sig) numbers."""
    parts = parts_of(m, sig)
    state = _read(state, parts, "state")
    for name, part in parts:
        if name == "time":
            d.time = state.item(part.start)
        elif name == "eq_active" and not np.isfinite(state[part]).all():
            raise ArgumentError("state: eq_active is 0 or 1, and not a number was given")
        else:
            d._arrays[name].reshape(-1)[:] = state[part]


@checked
def mj_extractState(m: Model, src: Vector, srcsig: int, dst: Vector, dstsig: int) -> None:
    """Cut the components of `dstsig` out of a vector with those of `srcsig`, which must include them."""
    if int(dstsig) & ~int(srcsig):
        raise ModelError(f"state signature {int(dstsig)} selects components that {int(srcsig)} does not have")
    of_src, of_dst = parts_of(m, srcsig), parts_of(m, dstsig)
    src, dst = _read(src, of_src, "src"), _written(dst, of_dst, "dst")
    places = dict(of_src)
    for name, part in of_dst:
        dst[part] = src[places[name]]


@checked
def mj_copyState(m: Model, src: Data, dst: Data, sig: int) -> None:
    """Copy the components selected by `sig` from one data to another of the same model."""
    for name, _ in parts_of(m, sig):
        setattr(dst, name, getattr(src, name))


log = logging.getLogger(__name__)


def keyframe_state(m: Model, d: Data, key: int) -> None:
    """Take the state and controls of a keyframe; with no keyframe of this index, change nothing."""
    if not 0 <= key < m.nkey:
        log.warning("no keyframe %d: the model has %d, counted from 0; the data are reset only", key, m.nkey)
        return
    d.time = m.key_time[key]
    d.qpos, d.qvel, d.act, d.ctrl = m.key_qpos[key], m.key_qvel[key], m.key_act[key], m.key_ctrl[key]
    d.mocap_pos, d.mocap_quat = m.key_mpos[key].reshape(-1, 3), m.key_mquat[key].reshape(-1, 4)


@checked
def mj_setKeyframe(m: Model, d: Data, k: int) -> None:
    """Make the present state and controls keyframe k of the model; UnknownIndexError if it has none of this number."""
    if not 0 <= k < m.nkey:
        if k >= 0:
            raise UnknownIndexError(f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)")
        raise UnknownIndexError(f"mj_setKeyframe: index must not be negative, is {k}")
    m.key_time[k] = d.time
    m.key_qpos[k], m.key_qvel[k], m.key_act[k], m.key_ctrl[k] = d.qpos, d.qvel, d.act, d.ctrl
    m.key_mpos[k], m.key_mquat[k] = d.mocap_pos.ravel(), d.mocap_quat.ravel()


@checked
def mj_addContact(m: Model, d: Data, con: MjContact) -> int:
    """Append a contact, an MjContact or an item of d.contact, to d.contact; returns 0, or 1 if there is no room for it.

    Between mj_collision and mj_makeConstraint: a contact that is to act has its frame, friction, solref, solimp, dim, geom, and
    efc_address -1. Raises ArgumentError for a contact of what the model does not have, ModelError if there is no memory for it.
    """
    require_kind(con, MjContact, "con", "an MjContact")
    values = {name: np.asarray(value) for name, value in con._values().items() if f"contact_{name}" in d._arrays}
    require_contact(m, values, d.nefc)
    at = d.ncon
    if at >= d.maxcon:
        d.grow("maxcon", at + 1)
    if at >= d.maxcon:
        return 1
    d.put_number("ncon", at + 1)
    for name, value in values.items():
        d._arrays[f"contact_{name}"][at] = value
    return 0


@checked
def realloc_con_efc(d: Data, ncon: int, nefc: int, nJ: int = -1) -> None:
    """Make room in data for ncon contacts and nefc rows with nJ numbers of the Jacobian, all zero, for a program to write.

    nJ: -1: as many as before. Contacts are zero, and have to be written before the next call, which looks at them; rows are of no
    force, until they are made again. Raises ArgumentError for negative numbers, or rows without dofs, ModelError without memory.
    """
    numbers = d.nJ if nJ == -1 else nJ
    if min(ncon, nefc, numbers) < 0 or (nefc and not d.model.nv):
        raise ArgumentError(f"ncon, nefc and nJ are 0 or more, with no rows in a model without dofs; they are {ncon, nefc, nJ}")
    for name in ("ncon", "nefc", "ne", "nf", "nl"):  # none of either is left, if there is no memory for more
        d.put_number(name, 0)
    for capacity, count in (("maxcon", ncon), ("maxefc", nefc), ("maxJ", numbers)):
        if count > getattr(d, capacity):
            d._grow(capacity, count)
    for name, used in [(f.name, f.used) for f in DATA if f.used in ("ncon", "nefc", "nJ")]:
        d._arrays[name][: {"ncon": ncon, "nefc": nefc, "nJ": numbers}[used]] = 0
    d._arrays["efc_type"][:nefc] = mjtConstraint.mjCNSTR_FRICTION_DOF
    for name, value in (("ncon", ncon), ("nefc", nefc), ("nJ", numbers), ("nf", nefc)):
        d.put_number(name, value)
    d.form, d.lock.written = (), True
