"""Fits: whether the truth is in stated intervals, and how far predictions are from real data that were not fitted."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.app.study.fit import swing, toss
from tests.app.study.fit.test_toss import BEGINNINGS, BODY, CONTACT, FILE, NOISE, TRUTH
from tests.benchmarks.markdown import grid, section
from tumble import physics
from tumble.app.study.fit.fit import ModelFit

TOSSES = 4
ARM_SECONDS = 12.0


def _arm(folder: Path, seed: int) -> ModelFit:
    return swing.arm_fit(folder, seed, seconds=ARM_SECONDS)


def _tosses(folder: Path, seed: int) -> ModelFit:
    rng, truth = np.random.default_rng(seed), physics.MjModel.from_xml_string(toss.cube())
    names = [f"{k}.csv" for k in range(TOSSES)]
    for name in names:
        swing.write(folder / name, toss.HEAD, toss.toss(truth, rng, NOISE, push=1.0))
    return ModelFit(swing.job(folder, toss.study(CONTACT + BODY, more=BEGINNINGS), FILE, names))


class Hits:
    """Counts of an unknown over repeated fits."""

    def __init__(self) -> None:
        self.inside = self.near = 0
        self.errors: list[float] = []
        self.widths: list[float] = []

    def add(self, value: float, low: float, high: float, truth: float) -> None:
        """Count an estimate."""
        self.inside += low <= truth <= high
        self.near += abs(value / truth - 1) < 0.05
        self.errors.append(abs(value / truth - 1))
        self.widths.append((high - low) / 2 / truth)


def coverage(repeat: int) -> str:
    """How often 95 % intervals of fits of simulated noisy motion have the truth in them."""
    every: dict[tuple[str, str], Hits] = {}
    scenes: dict[str, tuple[Callable[[Path, int], ModelFit], dict[str, float]]] = {
        "arm": (_arm, swing.TRUTH), "tosses": (_tosses, TRUTH),
    }  # fmt: skip
    for scene, (fit, truth) in scenes.items():
        for seed in range(repeat):
            with tempfile.TemporaryDirectory() as folder:
                for one in fit(Path(folder), seed).run().estimates:
                    hits = every.setdefault((scene, one.name), Hits())
                    hits.add(one.value, one.low, one.high, truth[one.name])
    rows = [
        (scene, name, f"{hits.inside} of {repeat}", f"{hits.near} of {repeat}",
         f"{100 * np.median(hits.errors):.2g} %", f"{100 * np.median(hits.widths):.2g} %")
        for (scene, name), hits in every.items()
    ]  # fmt: skip
    return section(
        "Fits of simulated truth",
        "How often the truth is in the stated 95 % interval, and the estimate within 5 % of it; the median error, and half "
        "the median interval. Each repetition has other motion and other noise.",
        grid("scene | unknown | in the interval | within 5 % | error | interval", rows),
    )
