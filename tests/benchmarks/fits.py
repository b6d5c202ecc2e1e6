"""Fits: how often the truth is in stated intervals, and how far predictions are from real data that were not fitted."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from tests.app.study.fit import swing, toss
from tests.app.study.fit.test_toss import BEGINNINGS, BODY, CONTACT, FILE, NOISE, TRUTH
from tests.benchmarks.markdown import grid, section
from tumble import physics
from tumble.app.replay.bundle import Contents
from tumble.app.study.fit.fit import FitJob, ModelFit
from tumble.app.study.fit.prediction import Predicted, Predictor
from tumble.app.study.study_file import load

Array = NDArray[np.float64]

STUDIES = Path(__file__).parent / "studies"
MEASURED = Path(swing.__file__).parent / "measured"
WIDTH = 0.1048  # of the cube [m]
RESTITUTION = 0.552  # damping ratio of a restitution of 0.125
PUBLISHED = {
    "defaults": (1.0, 0.02, 1.0),
    "friction 0.18, restitution 0.125": (0.18, 0.02, RESTITUTION),
    "friction 0.3": (0.3, 0.02, 1.0),
}  # friction, and time constant [s] and damping ratio of solref

BOUNCES = {"friction 0.18, restitution 0.125": 0.125}  # of hard contacts

REPEAT = 20
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


def coverage() -> str:
    """Counts of the 95 % intervals of fits of simulated noisy motion that have the truth in them."""
    every: dict[tuple[str, str], Hits] = {}
    scenes: dict[str, tuple[Callable[[Path, int], ModelFit], dict[str, float]]] = {
        "arm": (_arm, swing.TRUTH), "tosses": (_tosses, TRUTH),
    }  # fmt: skip
    for scene, (fit, truth) in scenes.items():
        for seed in range(REPEAT):
            with tempfile.TemporaryDirectory() as folder:
                for one in fit(Path(folder), seed).run().estimates:
                    hits = every.setdefault((scene, one.name), Hits())
                    hits.add(one.value, one.low, one.high, truth[one.name])
    rows = [
        (scene, name, f"{hits.inside} of {REPEAT}", f"{hits.near} of {REPEAT}",
         f"{100 * np.median(hits.errors):.2g} %", f"{100 * np.median(hits.widths):.2g} %")
        for (scene, name), hits in every.items()
    ]  # fmt: skip
    return section(
        "Fits of simulated truth",
        "How often the truth is in the stated 95 % interval, and the estimate within 5 % of it; the median error, and half "
        "the median interval. Each repetition has other motion and other noise.",
        grid("scene | unknown | in the interval | within 5 % | error | interval", rows),
    )


def study_fit(name: str, data: list[Path], held: list[Path], **options: object) -> ModelFit:
    """A fit of a study of this folder; options: of [fit], other than the file's."""
    path = STUDIES / f"{name}.toml"
    study = load(path)
    study = msgspec.structs.replace(study, fit={**study.fit, **options})
    contents, model = Contents(), STUDIES / study.model
    contents[str(model)]
    files = [[str(file) for file in some] for some in (data, held)]
    return ModelFit(FitJob.of(study, contents.bundle(model), STUDIES, path.name, *files))


def whole_records(fit: ModelFit) -> Predictor:
    """Predicts whole records that are held out."""
    return fit.predictor_of(fit.job.held_out, msgspec.structs.replace(fit.job.fit, window=0.0))


def toss_errors(predicted: Predicted) -> tuple[float, float]:
    """Medians over tosses of the mean error of positions [widths of the cube] and of rotations [degrees]."""
    place = np.linalg.norm(predicted.difference[..., :3], axis=2) / WIDTH
    cosine = np.sum(predicted.simulated[..., 3:7] * predicted.measured[..., 3:7], axis=2)
    angle = np.degrees(2 * np.arccos(np.clip(np.abs(cosine), 0, 1)))
    return float(np.median(np.nanmean(place, axis=1))), float(np.median(np.nanmean(angle, axis=1)))


def cube() -> str:
    """Tosses of a real cube, half of them fitted: errors over the other half, from the first measured row."""
    files = sorted((MEASURED / "cube_tosses").glob("*.csv"))
    data, held = files[::2], files[1::2]
    rows = []
    for contact in (0, 1):
        model = "hard" if contact else "convex"
        for name, values in PUBLISHED.items():
            bounce = {"tumble.lcp_restitution": BOUNCES.get(name, 0.0)} if contact else {}
            box = study_fit("box", data, held, options={"tumble.contact_model": contact} | bounce)
            shares = np.array([one.share(value) for one, value in zip(box.unknowns.table, values, strict=True)])
            rows.append((model, name, *_cells(box, shares)))
        fit = study_fit("cube_lcp" if contact else "cube", data, held)
        rows.append((model, "fitted", *_cells(fit, fit.run().solution.shares)))
    return section(
        "Tosses of a real cube",
        f"{len(data)} tosses fitted, {len(held)} others predicted from their first measured row to their ends: medians of the "
        "mean error over a toss, of position in widths of the cube and of rotation in degrees.",
        grid("contacts | parameters | position | rotation", rows),
    )


def _cells(fit: ModelFit, shares: Array) -> tuple[str, str]:
    place, angle = toss_errors(whole_records(fit).predict(shares))
    return f"{place:.3f}", f"{angle:.1f}°"


def pendulum() -> str:
    """A real double pendulum: each record predicted with what the others tell."""
    files, rows = sorted((MEASURED / "double_pendulum").glob("*.csv")), []
    for held in files:
        fit = study_fit("pendulum", [file for file in files if file != held], [held])
        solution = fit.run().solution
        before, after = window_errors(fit, fit.unknowns.start), window_errors(fit, solution.shares)
        rows.append((held.stem, f"{before:.3f}", f"{after:.3f}", f"{100 * (after / before - 1):+.0f} %"))
    return section(
        "A real double pendulum",
        "Root mean square error [rad] of both angles over windows of 0.5 s from measured states, each 0.1 s, with the published "
        "parameters and with those fitted to the other records.",
        grid("record | published | fitted | change", rows),
    )


def window_errors(fit: ModelFit, shares: Array) -> float:
    """Root mean square error of the two angles [rad] of the records held out."""
    options = msgspec.structs.replace(fit.job.fit, window=0.5, every=0.1)
    predictor = fit.predictor_of(fit.job.held_out, options)
    return float(np.sqrt(np.nanmean(predictor.predict(shares).difference[:, 1:, :2] ** 2)))
