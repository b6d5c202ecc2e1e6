"""`mujoco.rollout`: many runs of so many steps each, from given states under given controls, on several threads or computers."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.mujoco.cluster import roll_out_on
from tumble.physics import MjData, MjModel, mj_stateSize, mjtState
from tumble.physics.errors import ShapeError
from tumble.physics.run.rollout import RolloutBatch, roll_out

if TYPE_CHECKING:
    from distributed import Client

Array = NDArray[np.float64]
Models = MjModel | Sequence[MjModel]
Datas = MjData | Sequence[MjData]
Results = tuple[Array | None, Array | None]


class Rollout:
    """Threads for rollouts, kept from one to the next; a context manager that ends them."""

    def __init__(self, *, nthread: int | None = None) -> None:
        """nthread: how many threads; 0: rollouts run on the calling thread."""
        if nthread is not None and not isinstance(nthread, int | np.integer):
            raise TypeError(f"nthread must be an integer, not {nthread!r:.80}")
        if nthread is not None and nthread < 0:
            raise ValueError(f"nthread must be 0 or more, not {nthread}")
        self.nthread = int(nthread or 0)
        self._threads = ThreadPoolExecutor(self.nthread, "tumble-rollout") if self.nthread else None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def rollout(
        self,
        model: Models,
        data: Datas,
        initial_state: ArrayLike,
        control: ArrayLike | None = None,
        *,
        control_spec: int = mjtState.mjSTATE_CTRL,
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: ArrayLike | None = None,
        state: ArrayLike | None = None,
        sensordata: ArrayLike | None = None,
        chunk_size: int | None = None,
    ) -> Results:
        """Step from initial states under open-loop controls; returns the states and sensor readings after every step.

        model: one for all rollouts, or a list with one for each, all of the same sizes. data: one, or a list with one for each
        thread. How many rollouts and steps there are follows from the arrays; what is the same for all may be given once.
        initial_state: (nbatch or 1, nstate), components mjSTATE_FULLPHYSICS. control: (nbatch or 1, nstep or 1, ncontrol),
        components control_spec, of mjSTATE_USER. initial_warmstart: (nbatch or 1, nv). state, sensordata: arrays to write to,
        (nbatch, nstep, nstate) and (nbatch, nstep, nsensordata), made if not given. chunk_size: rollouts that a thread takes
        at a time. skip_checks: arrays have all dimensions, nstep is given, and no output is made that is not given.
        A rollout that raises a warning, as where it diverges, does no further step: the rest of its output repeats the last.
        Raises ValueError for arrays that do not fit, RuntimeError after `close`.
        """
        models, datas, chunk = _list("model", model, MjModel), _list("data", data, MjData), _chunk(chunk_size)
        arrays = initial_state, control, initial_warmstart, state, sensordata
        batch = _batch(models, int(control_spec), nstep, arrays, skip_checks)
        if self._closed:
            raise RuntimeError("rollout requested after thread pool shutdown")
        if self.nthread == 0 and len(datas) > 1:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if self.nthread > 0 and len(datas) != self.nthread:
            raise ValueError(f"Length of data: {len(datas)} not equal to nthread: {self.nthread}")
        if len({id(each) for each in datas}) < len(datas):
            raise ValueError("the same data are given for two threads: each needs data of its own")
        roll_out(models, datas, batch, chunk, self._threads)
        return batch.state, batch.sensordata

    def close(self) -> None:
        """End the threads."""
        self._closed = True
        if self._threads is not None:
            self._threads.shutdown()


persistent_rollout: Rollout | None = None  # what `rollout(..., persistent_pool=True)` keeps
_lock = threading.Lock()


def rollout(
    model: Models,
    data: Datas,
    initial_state: ArrayLike,
    control: ArrayLike | None = None,
    *,
    control_spec: int = mjtState.mjSTATE_CTRL,
    skip_checks: bool = False,
    nstep: int | None = None,
    initial_warmstart: ArrayLike | None = None,
    state: ArrayLike | None = None,
    sensordata: ArrayLike | None = None,
    chunk_size: int | None = None,
    persistent_pool: bool = False,
    executor: Client | None = None,
) -> Results:
    """Rollouts on one thread for each of the data, as `Rollout.rollout` does them; on the calling one if there is one.

    persistent_pool: keep the threads for the next call. executor: a Dask client, whose workers then do the rollouts, with
    data of their own; the results are the same. Raises TypeError for an executor that is no Dask client.
    """
    if executor is not None:
        models, chunk = _list("model", model, MjModel), _chunk(chunk_size)
        arrays = initial_state, control, initial_warmstart, state, sensordata
        batch = _batch(models, int(control_spec), nstep, arrays, skip_checks)
        roll_out_on(executor, models, batch, chunk)
        return batch.state, batch.sensordata
    nthread = len(data) if isinstance(data, Sequence) and len(data) > 1 else 0
    rolling = _persistent(nthread) if persistent_pool else Rollout(nthread=nthread)
    try:
        return rolling.rollout(
            model, data, initial_state, control, control_spec=control_spec, skip_checks=skip_checks, nstep=nstep,
            initial_warmstart=initial_warmstart, state=state, sensordata=sensordata, chunk_size=chunk_size,
        )  # fmt: skip
    finally:
        if not persistent_pool:
            rolling.close()


def shutdown_persistent_pool() -> None:
    """End the threads that `rollout(..., persistent_pool=True)` has kept."""
    global persistent_rollout
    with _lock:
        if persistent_rollout is not None:
            persistent_rollout.close()
        persistent_rollout = None


atexit.register(shutdown_persistent_pool)


def _persistent(nthread: int) -> Rollout:
    global persistent_rollout
    with _lock:
        if persistent_rollout is None or persistent_rollout.nthread != nthread:
            if persistent_rollout is not None:
                persistent_rollout.close()
            persistent_rollout = Rollout(nthread=nthread)
        return persistent_rollout


# How many dimensions each array has.
_DIMENSIONS = {"initial_state": 2, "control": 3, "initial_warmstart": 2, "state": 3, "sensordata": 3}


def _batch(
    models: Sequence[MjModel], spec: int, nstep: int | None, given: Sequence[ArrayLike | None], skip_checks: bool
) -> RolloutBatch:
    """The batch that a call describes; given: its arrays, as in _DIMENSIONS. Raises ValueError for one that does not fit."""
    if not all(m.has_sizes_of(models[0]) for m in models):
        raise ValueError("models are not compatible: all need the same sizes")
    if spec & ~int(mjtState.mjSTATE_USER):
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    if nstep is not None and not isinstance(nstep, int | np.integer):
        raise ValueError("nstep must be an integer")
    named = zip(_DIMENSIONS, given, strict=True)
    arrays = {name: _array(name, value) for name, value in named if value is not None or name == "initial_state"}
    nstate = mj_stateSize(models[0], mjtState.mjSTATE_FULLPHYSICS)
    sizes = {"initial_state": nstate, "control": mj_stateSize(models[0], spec), "initial_warmstart": models[0].nv,
             "state": nstate, "sensordata": models[0].nsensordata}  # fmt: skip
    for name, array in arrays.items():
        if array.shape[-1] != sizes[name]:
            raise ValueError(f"trailing dimension of {name} must be {sizes[name]}, got {array.shape[-1]}")
    nbatch = _inferred(0, arrays, None)
    if not skip_checks:
        if nbatch != len(models) and 1 not in (nbatch, len(models)):
            raise ValueError(f"nbatch inferred as {nbatch} but model is length {len(models)}")
        nbatch = len(models) if nbatch == 1 else nbatch
    elif 1 < len(models) < nbatch:
        raise ValueError(f"there are {nbatch} rollouts but {len(models)} models")
    steps = _inferred(1, {name: array for name, array in arrays.items() if array.ndim == 3}, nstep)
    if steps < 0:
        raise ValueError(f"nstep must be 0 or more, not {steps}")
    if not skip_checks:
        try:
            arrays = {name: np.empty((nbatch, steps, sizes[name])) for name in ("state", "sensordata")} | arrays
        except (MemoryError, ValueError):
            raise ValueError(f"the results of {nbatch} rollouts of {steps} steps do not fit in memory") from None
    batch = RolloutBatch(
        nbatch, steps, arrays["initial_state"], arrays.get("control"), spec, arrays.get("initial_warmstart"),
        arrays.get("state"), arrays.get("sensordata"),
    )  # fmt: skip
    try:
        batch.require(models[0])
    except ShapeError as error:
        raise ValueError(str(error)) from None
    return batch


def _chunk(given: int | None) -> int:
    """Number of rollouts a thread takes at a time; 0: as suits."""
    if given is not None and not isinstance(given, int | np.integer):
        raise ValueError("chunk_size must be an integer")
    return max(0, int(given or 0))


def _list(name: str, given: Any, kind: type) -> list[Any]:  # noqa: ANN401  # what a caller gives for it
    """One or several models or data as a list. Raises ValueError if there is none, TypeError if one is something else."""
    items = list(given) if isinstance(given, Sequence) else [given]
    if not items:
        raise ValueError(f"The list of {name} instances is empty")
    for item in items:
        if not isinstance(item, kind):
            raise TypeError(f"{name} must be a {kind.__name__} or a list of them, not {item!r:.80}")
    return items


def _array(name: str, value: ArrayLike | None) -> Array:
    """A caller's array, as float64 with all its dimensions; the array itself where it is so already."""
    if not isinstance(value, np.ndarray | np.number | float | int):
        raise ValueError(f"{name} must be a numpy array or float")
    array, wanted = np.asarray(value), _DIMENSIONS[name]
    if array.ndim > wanted:
        raise ValueError(f"{name} can have at most {wanted} dimensions")
    if array.ndim < wanted:
        array = array.reshape((1,) * (wanted - array.ndim) + array.shape)
    return np.ascontiguousarray(array, np.float64)


def _inferred(axis: int, arrays: Mapping[str, Array], known: int | None) -> int:
    """The length of an axis: that of every array that has not just one there. Raises ValueError where they differ."""
    for name, array in arrays.items():
        n = array.shape[axis]
        if n != 1 and known is not None and n != known:
            raise ValueError(f"dimension {axis} inferred as {known} but {name} has {n}")
        known = n if n != 1 else known
    return 1 if known is None else int(known)
