"""`tumble compare`: differences of two models, and divergence of their simulations."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np

from tumble import physics
from tumble.app.cli.common import FINE, PROBLEMS, STOPPED, Grammar, add_model, load, parser_for, seconds, stoppable, table
from tumble.app.cli.output import show, tell
from tumble.app.editing.whole_model import LEFT_OUT, differences

if TYPE_CHECKING:
    from tumble.physics import MjModel

TIMES = 5  # moments at which the distance of the states is printed


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "compare",
        "Show how two compiled models differ, by element, and simulate both to see how far they diverge.\n"
        "Two models are the same if all of their numbers are, to the last bit.",
        "compare a.xml b.xml",
    )
    add_model(grammar, name="first")
    add_model(grammar, name="second")
    grammar.add_argument("--seconds", type=seconds, default=1.0, metavar="S", help="simulated time; 0 runs nothing (default 1)")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Compare; the exit code."""
    first, second = load(options.first, options), load(options.second, options)
    sizes = [[name, str(a), str(second.sizes()[name])] for name, a in first.sizes().items()
             if a != second.sizes()[name] and name not in LEFT_OUT]  # fmt: skip
    if sizes:
        for line in table(["size", options.first.name, options.second.name], sizes):
            show(line, options)
    lines = differences(first, second)
    for line in lines:
        show(line, options)
    sizes_apart = {name: [int(a), int(b)] for name, a, b in sizes}
    tell(options, same=not (sizes or lines), sizes=sizes_apart, differences=lines, moments=[], runs_apart_from=None)
    if (first.nq, first.nv, first.nu) != (second.nq, second.nv, second.nu):
        show("the states have different sizes: not run", options)
        return PROBLEMS
    return _run_both(first, second, options, bool(sizes or lines))


def _run_both(first: MjModel, second: MjModel, options: argparse.Namespace, differ: bool) -> int:
    """Run both, each with its own time step; report how far the states diverge."""
    length: float = options.seconds
    datas = [physics.MjData(first), physics.MjData(second)]
    moments: list[dict[str, float]] = []
    apart = None
    with stoppable() as stop:
        for k in range(1, TIMES + 1):
            if stop():
                return STOPPED
            time = length * k / TIMES
            for model, data in zip((first, second), datas, strict=True):
                physics.mj_step(model, data, max(0, round((time - float(data.time)) / float(model.opt.timestep))))
            position, velocity = (np.max(np.abs(a - b), initial=0.0) for a, b in
                                  ((datas[0].qpos, datas[1].qpos), (datas[0].qvel, datas[1].qvel)))  # fmt: skip
            apart = time if apart is None and (position > 0 or velocity > 0) else apart
            moments.append({"time": time, "qpos": position, "qvel": velocity})
    if length > 0:
        tell(options, moments=moments, runs_apart_from=apart)
        rows = [[f"{at['time']:g}", f"{at['qpos']:.3g}", f"{at['qvel']:.3g}"] for at in moments]
        for line in table(["t [s]", "largest difference of qpos", "of qvel"], rows):
            show(line, options)
    if differ:
        show("the models differ" + ("" if apart is not None or length == 0 else ", but run the same so far"), options)
        return PROBLEMS
    show("the models are the same" + ("" if apart is None else f", but not the runs, from {apart:g} s on"), options)
    return FINE if apart is None else PROBLEMS
