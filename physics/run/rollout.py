"""Rollouts: many runs of so many steps each, from given states under given controls, on several threads.

Each thread has data of its own, takes a few runs at a time, and does them in compiled calls without Python's lock. A run
begins as after a reset and does not depend on the one before: its numbers are the same on any number of threads.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, wait
from itertools import groupby

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.errors import ShapeError
from tumble.physics.run.program import bind, require_integrator, unbind
from tumble.physics.run.reset import mj_resetData
from tumble.physics.run.stepping import resolve
from tumble.physics.state.components import mj_stateSize, parts_of
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtState
from tumble.physics.state.layout import DATA_LAYOUT
from tumble.physics.state.model import Model
from tumble.physics.step import rollout_kernel as kernels
from tumble.physics.step.simulate import simulate

Array = NDArray[np.float64]

_STEPS = 500  # in one compiled call: an interrupt is heard after that
_CHUNKS = 10  # for each thread, so that none idles long at the end


class RolloutBatch(Struct, frozen=True):
    """Arguments of a rollout: initial states, controls, and arrays for states and readings.

    nbatch runs of nstep steps. initial: (nbatch or 1, size of mjSTATE_FULLPHYSICS). control: (nbatch or 1, nstep or 1, size
    of the components `spec`), None: as after a reset. warmstart: (nbatch or 1, nv), None: zeros. state, sensordata: (nbatch,
    nstep, size) to write, None: not wanted. All are contiguous by rows.
    """

    nbatch: int
    nstep: int
    initial: Array
    control: Array | None
    spec: int
    warmstart: Array | None
    state: Array | None
    sensordata: Array | None

    def require(self, m: Model) -> None:
        """Raise ShapeError for an array that does not fit the model, or is not contiguous, or cannot be written."""
        nstate = mj_stateSize(m, mjtState.mjSTATE_FULLPHYSICS)
        _require("initial_state", self.initial, (self.nbatch, nstate))
        if self.control is not None:
            _require("control", self.control, (self.nbatch, self.nstep, mj_stateSize(m, self.spec)))
        if self.warmstart is not None:
            _require("initial_warmstart", self.warmstart, (self.nbatch, m.nv))
        if self.state is not None:
            _require("state", self.state, (self.nbatch, self.nstep, nstate), written=True)
        if self.sensordata is not None:
            _require("sensordata", self.sensordata, (self.nbatch, self.nstep, m.nsensordata), written=True)


def _require(name: str, array: Array, shape: tuple[int, ...], written: bool = False) -> None:
    fits = len(array.shape) == len(shape) and all(
        n == wanted or (n == 1 and not written) for n, wanted in zip(array.shape[:-1], shape[:-1], strict=True)
    )
    if not (fits and array.shape[-1] == shape[-1] and array.dtype == np.float64 and array.flags.c_contiguous):
        raise ShapeError(f"{name} should be {shape} float64 numbers, contiguous by rows; it has {array.shape} of {array.dtype}")
    if written and not array.flags.writeable:
        raise ShapeError(f"{name} is written, but the array is read-only")


def _by(array: Array, axis: int) -> int:
    """Stride of an axis in numbers; 0 if it is broadcast."""
    return array.strides[axis] // array.itemsize if array.shape[axis] > 1 else 0


def _address(array: Array | None) -> int:
    return 0 if array is None else array.ctypes.data


class Roller:
    """Does runs of a batch with one data."""

    def __init__(self, d: Data, batch: RolloutBatch) -> None:
        self._d, self._batch = d, batch
        self._model: Model | None = None
        self._job = np.zeros(kernels.NWORD, np.int64)
        self._call: Callable[[int, int, int], None] = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 3)(kernels.roll.address)

    def roll(self, m: Model, first: int, end: int, stopped: Callable[[], bool] = lambda: False) -> None:
        """Do the runs from `first` to `end`; some of them where `stopped` says that no more are wanted.

        The model is bound. Raises what mj_step raises.
        """
        d, job = self._d, self._job
        if m is not self._model:
            self._prepare(m)
        job[kernels.RUN], job[kernels.END], job[kernels.AT] = first, end, -1
        d.put_number("steps", 0)
        reset_at = (-1, -1)
        while not stopped():
            job[kernels.BUDGET] = _STEPS
            run = m.as_run  # held until the call returns
            self._call(run.address, d.address, job.ctypes.data)
            if job[kernels.RUN] == end:
                return
            if d.steps == 0:  # an interrupt may come here
                continue
            at = int(job[kernels.RUN]), int(job[kernels.AT])
            stuck, reset_at = d.trouble and reset_at == at, at if d.trouble else reset_at
            resolve(m, d)
            if stuck:  # the state after a reset is bad too: the warning ends the run
                d.put_number("steps", 0)

    def _prepare(self, m: Model) -> None:
        """Fill the table of words for a model."""
        d, batch, job = self._d, self._batch, self._job
        d.require(m)
        mj_resetData(m, d)
        rows, image = d.reset_places()
        state, control = _parts(m, mjtState.mjSTATE_FULLPHYSICS), _parts(m, batch.spec)
        self._kept = places, image, state, control = np.array(rows, np.int64), image, state, control
        values = {
            kernels.SIMULATE: simulate.address,
            kernels.PLACES: places.ctypes.data, kernels.NPLACE: len(places), kernels.IMAGE: image.ctypes.data,
            kernels.NSTEP: batch.nstep,
            kernels.INITIAL: _address(batch.initial), kernels.INITIAL_BY: _by(batch.initial, 0),
            kernels.WARM: _address(batch.warmstart), kernels.CONTROL: _address(batch.control),
            kernels.STATE: _address(batch.state), kernels.SENSOR: _address(batch.sensordata),
            kernels.STATE_PARTS: state.ctypes.data, kernels.NSTATE_PART: len(state), kernels.STATE_SIZE: batch.initial.shape[1],
            kernels.CONTROL_PARTS: control.ctypes.data, kernels.NCONTROL_PART: len(control),
        }  # fmt: skip
        if batch.warmstart is not None:
            values[kernels.WARM_BY] = _by(batch.warmstart, 0)
        if batch.control is not None:
            values[kernels.CONTROL_BY], values[kernels.CONTROL_STEP] = _by(batch.control, 0), _by(batch.control, 1)
        for word, value in values.items():
            job[word] = value
        self._model = m


def _parts(m: Model, sig: int) -> NDArray[np.int64]:
    """The components of a state as kernels read them: slot, how many numbers, bytes in each."""
    rows = []
    for name, part in parts_of(m, sig):
        f = DATA_LAYOUT.fields[name]
        count = part.stop - part.start if f.shape else kernels.SCALAR
        rows.append((DATA_LAYOUT.slot[name], count, np.dtype(f.dtype).itemsize))
    return np.array(rows, np.int64).reshape(-1, kernels.PART)


def roll_out(
    models: Sequence[Model], datas: Sequence[Data], batch: RolloutBatch, chunk: int = 0, threads: Executor | None = None
) -> None:
    """Do the runs of a batch, with each of the data on a thread of its own; on the calling one without `threads`.

    models: one for all runs, or one for each, all of the same sizes. datas: no two are the same. chunk: how many runs a
    thread takes at a time, 0: as suits. A run in which d.warning counts something, as where the state diverges, does no
    further step: the rest of its output repeats the last. Releases the GIL.
    Raises ModelError for data of other sizes, ShapeError for arrays that do not fit, and what mj_step raises.
    """
    batch.require(models[0])
    for m in {id(m): m for m in models}.values():
        _bind(m)
    size = chunk if chunk > 0 else max(1, batch.nbatch // (_CHUNKS * len(datas)))
    chunks = deque((at, min(at + size, batch.nbatch)) for at in range(0, batch.nbatch, size))
    stop: list[bool] = []

    def work(d: Data) -> None:
        roller = Roller(d, batch)
        try:
            while not stop:
                try:
                    first, end = chunks.popleft()
                except IndexError:
                    return
                for m, runs in groupby(range(first, end), lambda k: models[k if len(models) > 1 else 0]):
                    span = list(runs)
                    roller.roll(m, span[0], span[-1] + 1, lambda: bool(stop))
        except BaseException:
            stop.append(True)
            raise

    if threads is None:
        work(datas[0])
        return
    futures = [threads.submit(work, d) for d in datas]
    try:
        wait(futures)
    finally:
        stop.append(True)  # after an interrupt, which comes to this thread
        wait(futures)
    for future in futures:
        future.result()


def _bind(m: Model) -> None:
    """Bind a model such that no step has to do it: several threads are about to read it."""
    bind(m)
    if (m.collide_contype != m.geom_contype).any() or (m.collide_conaffinity != m.geom_conaffinity).any():
        unbind(m)
        bind(m)
    require_integrator(m)
