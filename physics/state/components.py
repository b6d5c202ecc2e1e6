"""The state as one vector: any selection of its components, read, written, cut out and copied.

A selection is a sum of `mjtState` bits; its components follow each other in the order of the bits.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from physics.errors import ModelError, ShapeError
from physics.state.data import Data
from physics.state.enums import mjtState
from physics.state.model import Model

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


def _sizes(m: Model) -> dict[mjtState, int]:
    counts = (1, m.nq, m.nv, m.na, m.nhistory, m.nv, m.nu, m.nv, 6 * m.nbody, m.neq, 3 * m.nmocap, 4 * m.nmocap, m.nuserdata)
    return dict(zip(_FIELDS, (*counts, m.npluginstate), strict=True))


def _parts(m: Model, sig: int) -> Iterator[tuple[mjtState, slice]]:
    """The selected components and where each lies in the vector."""
    if not 0 <= sig < 1 << mjtState.mjNSTATE:
        bound = "< 0" if sig < 0 else ">= 2^mjNSTATE"
        raise ModelError(f"mj_stateSize: invalid state signature {sig} {bound}")
    at = 0
    for bit, size in _sizes(m).items():
        if sig & bit:
            yield bit, slice(at, at + size)
            at += size


def _written(m: Model, vector: Vector, sig: int, name: str) -> Vector:
    """A vector that is to be written, if it has the size of the selection."""
    if not isinstance(vector, np.ndarray) or vector.dtype != np.float64 or not vector.flags.carray:
        layout = "" if not isinstance(vector, np.ndarray) or vector.flags.carray else ", read-only or not contiguous"
        have = f"{vector.dtype}{layout}" if isinstance(vector, np.ndarray) else type(vector).__name__
        wanted = f"{mj_stateSize(m, sig)} float64 numbers"
        raise ShapeError(f"{name} should be {wanted}, mj_stateSize(m, sig), that can be written; it is {have}")
    return _sized(m, vector, sig, name)


def _read(m: Model, vector: Vector, sig: int, name: str) -> Vector:
    """A vector that is only read, if it has the size of the selection."""
    try:
        return _sized(m, np.asarray(vector, np.float64), sig, name)
    except ValueError as error:
        raise ShapeError(f"{name} should be numbers: {error}") from None


def _sized(m: Model, vector: Vector, sig: int, name: str) -> Vector:
    size = mj_stateSize(m, sig)
    if vector.shape not in ((size,), (size, 1)):
        error = ShapeError(f"{name} size should equal mj_stateSize(m, sig)")
        error.add_note(f"{name} should be {size} float64 numbers, mj_stateSize(m, sig); it has {vector.shape}")
        raise error
    return vector.reshape(size)


def parts_of(m: Model, sig: int) -> list[tuple[str, slice]]:
    """The fields that `sig` selects, in their order, and where each lies in the vector."""
    return [(_FIELDS[bit], part) for bit, part in _parts(m, int(sig))]


def mj_stateSize(m: Model, sig: int) -> int:
    """How many numbers the components selected by `sig` take; ModelError where it selects what there is not."""
    return max((part.stop for _, part in _parts(m, int(sig))), default=0)


def mj_getState(m: Model, d: Data, state: Vector, sig: int) -> None:
    """Write the components selected by `sig` into `state`, which has mj_stateSize(m, sig) numbers."""
    state = _written(m, state, sig, "state")
    for bit, part in _parts(m, int(sig)):
        state[part] = np.ravel(getattr(d, _FIELDS[bit]))


def mj_setState(m: Model, d: Data, state: Vector, sig: int) -> None:
    """Give the data the components selected by `sig` from `state`, which has mj_stateSize(m, sig) numbers."""
    state = _read(m, state, sig, "state")
    for bit, part in _parts(m, int(sig)):
        if bit == mjtState.mjSTATE_TIME:
            d.time = float(state[part][0])
        else:
            target = getattr(d, _FIELDS[bit])
            target[...] = state[part].reshape(target.shape)


def mj_extractState(m: Model, src: Vector, srcsig: int, dst: Vector, dstsig: int) -> None:
    """Cut the components of `dstsig` out of a vector with those of `srcsig`, which must include them."""
    if int(dstsig) & ~int(srcsig):
        raise ModelError(f"state signature {int(dstsig)} selects components that {int(srcsig)} does not have")
    src, dst = _read(m, src, srcsig, "src"), _written(m, dst, dstsig, "dst")
    places = dict(_parts(m, int(srcsig)))
    for bit, part in _parts(m, int(dstsig)):
        dst[part] = src[places[bit]]


def mj_copyState(m: Model, src: Data, dst: Data, sig: int) -> None:
    """Copy the components selected by `sig` from one data to another of the same model."""
    for bit, _ in _parts(m, int(sig)):
        setattr(dst, _FIELDS[bit], getattr(src, _FIELDS[bit]))


def mj_copyData(dest: Data, m: Model, src: Data) -> None:
    """Make `dest` equal to `src`; both must have the sizes of `m`. Capacities grow as needed."""
    for data in (dest, src):
        data.require(m)
    dest._copy_from(src)
