"""Rollouts on the workers of a Dask cluster: the numbers are those of rollouts on this computer.

The model is a task of its own, which the others depend on: it is sent to each worker once, and made again where the worker
that held it is gone. What a lost worker was doing is done by another one, as Dask does with all tasks.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from tumble.physics import MjData, mj_stateSize, mjtState
from tumble.physics.run.rollout import Array, RolloutBatch, roll_out

if TYPE_CHECKING:
    from distributed import Client, Future

    from tumble.physics import MjModel

_CHUNKS = 10  # for each thread of the cluster, so that none idles long at the end

# What a task returns: states and readings, as far as they are wanted.
_Results = tuple[Array | None, Array | None]


def roll_out_on(client: Client, models: Sequence[MjModel], batch: RolloutBatch, chunk: int = 0) -> None:
    """Do the rollouts of a batch on the workers of a client; models: one for all, or one for each.

    chunk: how many rollouts a task does, 0: as suits. Raises TypeError for what is not a client that waits for results, and
    what a rollout raises.
    """
    _require_client(client)
    threads = sum(client.nthreads().values()) or 1
    size = chunk or max(1, batch.nbatch // (_CHUNKS * threads))
    wanted = batch.state is not None, batch.sensordata is not None
    places: dict[Future[Any], slice] = {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")  # the model: it is sent to one worker, and from there on
        sent = {id(m): client.submit(pickle.loads, pickle.dumps(m), pure=False) for m in models}
        for first in range(0, batch.nbatch, size):
            part = slice(first, min(first + size, batch.nbatch))
            used = [sent[id(m)] for m in (models[part] if len(models) > 1 else models)]
            places[client.submit(_roll_part, used, _part_of(batch, part), wanted, pure=False)] = part
    try:
        _collect(places, batch)
    except BaseException:
        client.cancel([*places, *sent.values()])
        raise


def _require_client(client: object) -> None:
    """Raise TypeError for what is no Dask client that waits for results."""
    try:
        from distributed import Client
    except ImportError as error:
        raise ImportError(
            f"rollouts on a Dask cluster need the package distributed: pip install 'tumble[dask]' ({error})"
        ) from error
    if not isinstance(client, Client):
        raise TypeError(f"executor should be a Dask client (dask.distributed.Client), not {client!r:.80}")
    if client.asynchronous:
        raise TypeError("executor should be a Dask client that waits for results, not an asynchronous one")


def _part_of(batch: RolloutBatch, part: slice) -> RolloutBatch:
    """Some runs of a batch, without outputs."""

    def cut(array: Array) -> Array:
        return array[part] if len(array) > 1 else array

    return RolloutBatch(
        part.stop - part.start, batch.nstep, cut(batch.initial), None if batch.control is None else cut(batch.control),
        batch.spec, None if batch.warmstart is None else cut(batch.warmstart), None, None,
    )  # fmt: skip


def _roll_part(models: Sequence[MjModel], part: RolloutBatch, wanted: tuple[bool, bool]) -> _Results:
    """On a worker: do these runs, with one model or one for each; wanted: whether states and readings are."""
    # Tasks on other threads of this worker are given the same models, and each binds its own.
    own = {id(m): m.shadow() for m in models}
    m = models[0]
    sizes = mj_stateSize(m, mjtState.mjSTATE_FULLPHYSICS), m.nsensordata
    state, sensordata = (np.empty((part.nbatch, part.nstep, n)) if want else None for n, want in zip(sizes, wanted, strict=True))
    data = MjData(own[id(m)])
    roll_out([own[id(m)] for m in models], [data], replace(part, state=state, sensordata=sensordata))
    return state, sensordata


def _collect(places: dict[Future[Any], slice], batch: RolloutBatch) -> None:
    """Write the results of tasks to where they belong, as they come. Raises what a task raised."""
    from distributed import as_completed

    results: Any = as_completed(list(places), with_results=True)
    for future, (state, sensordata) in results:
        part = places.pop(future)
        if batch.state is not None:
            batch.state[part] = state
        if batch.sensordata is not None:
            batch.sensordata[part] = sensordata
        future.release()
