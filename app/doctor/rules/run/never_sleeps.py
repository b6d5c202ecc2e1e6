"""Rule never-sleeps: trees at rest that do not fall asleep, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from tumble.app.describe.islands import NEVER, NO_ISLAND, SLEEP, tree_name
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Measure, ModelChange, Prediction, Severity, listed
from tumble.app.doctor.proof import tried
from tumble.app.doctor.trees import sizes, speeds_of, travelled
from tumble.app.editing.sinking import RESTING
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel

ROUGH = 0.02  # speed [m/s] of a tree that shakes or creeps in its place
STAYS = 0.1  # share of the way of its speed that a tree that shakes may have gone
CREEPS = 0.002  # share of its size that a tree that creeps may have gone
ROOM = 2.0  # times the fastest of those at rest that a tolerance should be
MOST = 0.05  # sleep_tolerance [m/s] beyond which motions that are wanted end


class _Never:
    def __init__(self, case: Examination) -> None:
        self._case = case
        self._on = bool(int(case.model.opt.enableflags) & SLEEP) and case.model.ntree > 0
        self._fastest = np.zeros(case.model.ntree)
        self._begin = np.array(case.start.qpos)

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        watch = self._case.watch
        if self._on and watch.steps >= (1 - RESTING) * watch.length:
            if watch.steps - 1 < (1 - RESTING) * watch.length:
                self._begin = np.array(data.qpos)
            self._fastest = np.maximum(self._fastest, speeds_of(model, np.asarray(data.qvel)))

    def findings(self) -> Iterable[Finding]:
        """The findings of the run: one for each reason."""
        if not self._on:
            return
        model = self._case.model
        rest = self._at_rest()
        if not rest.any():
            return
        policy, tolerance = np.asarray(model.tree_sleep_policy), float(model.opt.sleep_tolerance)
        if int(model.opt.disableflags) & NO_ISLAND:
            change = Change("opt.disableflags", None, (int(model.opt.disableflags) & ~NO_ISLAND,))
            found = self._change("option.flag.island", "disable", "enable", change, rest)
            yield self._finding(rest, "the flag island is off, so it is unknown which trees touch", found)
            return
        kept = np.isin(policy, NEVER)
        fast = rest & (self._fastest >= tolerance)
        if fast.any():
            fastest = float(self._fastest[fast].max())
            wanted = float(f"{ROOM * fastest:.1g}")
            change = Change("opt.sleep_tolerance", None, (wanted,))
            words = "option.sleep_tolerance", f"{tolerance:g}", f"{wanted:g}"
            found = self._change(*words, change, fast) if wanted <= MOST else None
            why = f"they shake or creep at up to {fastest:.2g} m/s, above sleep_tolerance {tolerance:g} m/s"
            yield self._finding(fast, why, found)
        bound = rest & ~fast & self._beside(kept)
        if bound.any():
            names = listed([tree_name(model, int(t)) for t in np.flatnonzero(kept)])
            yield self._finding(bound, f"they touch what never sleeps ({names})", None)

    def _at_rest(self) -> np.ndarray:
        """Trees that may sleep, do not, and stay where they are."""
        case, model = self._case, self._case.model
        way = travelled(model, self._begin, np.array(case.data.qpos))
        span = RESTING * case.seconds
        tolerance = float(model.opt.sleep_tolerance)
        stays = (way < STAYS * self._fastest * span) | (way < CREEPS * sizes(model))
        slow = (self._fastest < tolerance) | ((self._fastest < ROUGH) & stays)
        rest: np.ndarray = slow & (np.asarray(case.data.tree_asleep) < 0) & ~np.isin(model.tree_sleep_policy, NEVER)
        return rest

    def _beside(self, kept: np.ndarray) -> np.ndarray:
        """Trees in an island with one that never sleeps."""
        island = np.asarray(self._case.data.tree_island)
        joined: np.ndarray = np.isin(island, island[kept & (island >= 0)])
        return joined

    def _finding(self, trees: np.ndarray, why: str, change: ModelChange | None) -> Finding:
        model, which = self._case.model, np.flatnonzero(trees).tolist()
        names = listed([tree_name(model, t) for t in which])
        return Finding(
            RULE.id, Severity.ADVICE, f"at rest, and never asleep: {names}; {why}", "Each of their steps is computed.",
            tuple((OBJ.mjOBJ_BODY, int(model.tree_bodyadr[t])) for t in which),
            {"trees": len(which), "fastest": float(self._fastest[which].max()), "tolerance": float(model.opt.sleep_tolerance)},
            change, time=float(self._case.data.time),
        )  # fmt: skip

    def _change(self, path: str, old: str, new: str, change: Change, trees: np.ndarray) -> ModelChange | None:
        """The change, where the same run ends with them asleep."""
        measure, before = asleep_at_end(), float((np.asarray(self._case.data.tree_asleep) >= 0).sum())
        after = tried(self._case, (change,), measure)
        if after - before < 0.5 * trees.sum():
            return None
        return ModelChange(path, old, new, f"{after:g} trees sleep in the end", (change,), Prediction(measure, before, after))


def asleep_at_end() -> Measure:
    """Trees that sleep at the end of a run."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        count = 0
        for data in steps:
            count = int((np.asarray(data.tree_asleep) >= 0).sum())
        return float(count)

    return Measure("trees asleep", "", of)


RULE = DoctorRule(
    "never-sleeps", "Trees at rest that do not fall asleep",
    "A tree falls asleep after ten steps slower than `sleep_tolerance`, with all of its island. What shakes faster, what "
    "touches a tree with actuators, which never sleeps, or all trees where islands are off stay awake.",
    observe=_Never,
)  # fmt: skip
