"""Making room for what a stage could not store, and running a stage until it fits."""

from __future__ import annotations

from physics.kernel import Stage
from physics.parallel.pool import POOL
from physics.state.data import Data
from physics.state.model import Model
from physics.step.program import bind, unbind


def lacks_room(d: Data) -> bool:
    """Whether a stage stopped for lack of room, or of a compiled narrow phase."""
    return bool(d.needcon or d.needefc or d.needA or d.needH or d.needD or d.needL or d.needR or d.needlane or d.needcollide)


def make_room(m: Model, d: Data) -> None:
    """Grow what was too small, find threads, compile what was missing. Raises ModelError where there is no memory for it."""
    contacts, rows, entries, hessian, island, halves = d.needcon, d.needefc, d.needA, d.needH, d.needD, d.needL
    iterates, threads = d.needR, d.needlane
    # before growing, which raises when memory is short: the next call starts anew
    d.needcon = d.needefc = d.needA = d.needH = d.needD = d.needL = d.needR = d.needlane = 0
    if contacts:
        d.grow_contacts(contacts)
    if rows:
        d.grow_rows(rows)
    if entries:
        d.grow_dual(entries)
    if hessian:
        d.grow_hessian(hessian)
    if island:
        d.grow_island(island)
    if halves:
        d.grow_lcp(halves)
    if iterates:
        d.grow_record(iterates)
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
