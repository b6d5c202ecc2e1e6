"""Making room for what a stage could not store, and running a stage until it fits."""

from __future__ import annotations

from collections.abc import Callable

from physics.dispatch.program import bind, unbind
from physics.kernel import Stage
from physics.parallel.pool import POOL
from physics.state.data import Data
from physics.state.model import Model

# What a stage asks for in vain, and how there comes to be room for it.
_GROW: dict[str, Callable[[Data, int], None]] = {
    "needcon": Data.grow_contacts,
    "needefc": Data.grow_rows,
    "needA": Data.grow_dual,
    "needH": Data.grow_hessian,
    "needD": Data.grow_island,
    "needL": Data.grow_lcp,
    "needR": Data.grow_record,
}


def lacks_room(d: Data) -> bool:
    """Whether a stage stopped for lack of room, or of a compiled narrow phase."""
    return any(getattr(d, name) for name in _GROW) or bool(d.needlane or d.needcollide)


def make_room(m: Model, d: Data) -> None:
    """Grow what was too small, find threads, compile what was missing. Raises ModelError where there is no memory for it."""
    asked = {name: getattr(d, name) for name in _GROW}
    threads = d.needlane
    # before growing, which raises when memory is short: the next call starts anew
    d.needlane = 0
    for name in _GROW:
        setattr(d, name, 0)
    for name, need in asked.items():
        if need:
            _GROW[name](d, need)
    if threads:
        d.set_lanes(threads - 1)
        POOL.require(m, threads - 1)
    if d.needcollide:
        unbind(m)
        bind(m)
        d.needcollide = 0


def run_stage(m: Model, d: Data, stage: Stage) -> None:
    """Run a stage of the pipeline, making room until it fits."""
    bind(m)
    while True:
        stage(m, d)
        if not lacks_room(d):
            return
        make_room(m, d)
