"""Rule falls-asleep: trees that fall asleep while something moves them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.describe.islands import SLEEP, tree_name
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Measure, ModelChange, Prediction, Severity
from tumble.app.doctor.proof import tried
from tumble.app.doctor.trees import sizes, speeds_of, travelled
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel
from tumble.physics.sleep.fall import INIT

AWAKE_FOR = 0.1  # simulated time [s] for which what fell asleep is looked at awake
MOVES = 0.01  # share of its size that a tree has to move in that time
FINER = (10.0, 100.0, 1000.0)  # by which sleep_tolerance is divided
LIKE = 0.5  # share of the way awake that a change has to bring back
MOST = 4  # trees that are named
FORKS = 8  # times that trees which fell asleep are run on awake


class _Sleeper(Struct, frozen=True):
    """A tree that fell asleep and would move: when [s], how far in AWAKE_FOR [m], at which speed it was before [m/s], why."""

    tree: int
    time: float
    way: float
    speed: float
    why: str
    until: int


class _Falls:
    def __init__(self, case: Examination) -> None:
        self._case = case
        model = case.model
        self._on = bool(int(model.opt.enableflags) & SLEEP) and model.ntree > 0
        self._asleep = np.zeros(model.ntree, bool)
        self._speed = np.zeros(model.ntree)
        self._seen: set[int] = set()
        self._forks = 0
        self._found: list[_Sleeper] = []
        if self._on:
            self._take(case.start)

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        if self._on:
            self._take(data)

    def _take(self, data: MjData) -> None:
        model, steps = self._case.model, self._case.watch.steps
        asleep = np.asarray(data.tree_asleep) >= 0
        self._found = [one for one in self._found if asleep[one.tree] or steps >= one.until]  # what is touched wakes: all is well
        new = [t for t in np.flatnonzero(asleep & ~self._asleep).tolist() if t not in self._seen]
        if new and len(self._found) < MOST and self._forks < FORKS:
            self._seen.update(new)
            self._forks += 1
            self._found += self._movers(data, new)
        self._asleep = asleep
        if not asleep.all():
            self._speed = speeds_of(model, np.asarray(data.qvel))

    def _movers(self, data: MjData, trees: list[int]) -> Iterator[_Sleeper]:
        """Those of some trees that move when nothing sleeps."""
        model = self._case.model
        awake, other = physics.fork(model, data)
        awake.opt.enableflags = int(awake.opt.enableflags) & ~SLEEP
        length = max(1, round(AWAKE_FOR / float(model.opt.timestep)))
        for k in range(length):
            physics.mj_step(awake, other)
            if k == 0:
                force = np.asarray(other.qfrc_actuator).copy()
                touched = {int(model.body_treeid[model.geom_bodyid[g]]) for g in np.ravel(other.contact_geom) if g >= 0}
        ways, large = travelled(model, np.array(data.qpos), np.array(other.qpos)), sizes(model)
        for tree in trees:
            if ways[tree] <= MOVES * large[tree]:
                continue
            dofs = slice(int(model.tree_dofadr[tree]), int(model.tree_dofadr[tree]) + int(model.tree_dofnum[tree]))
            if self._case.watch.steps == 0 and int(model.tree_sleep_policy[tree]) == INIT:
                why = "its policy init lets it begin asleep"
            elif np.any(force[dofs]):
                why = "an actuator pushes it so gently"
            elif tree in touched:
                why = "it gives way so slowly"
            else:
                why = "nothing carries it: it turns back or sets off there"
            until = self._case.watch.steps + length
            yield _Sleeper(tree, float(data.time), float(ways[tree]), float(self._speed[tree]), why, until)

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        case = self._case
        tolerance = float(case.model.opt.sleep_tolerance)
        for one in self._found[:MOST]:
            rest = "" if one.time == 0 else f", below sleep_tolerance {tolerance:g} m/s at {one.speed:.2g} m/s"
            yield Finding(
                RULE.id, Severity.WARNING,
                f"{tree_name(case.model, one.tree)} falls asleep at {one.time:g} s though it should move ({one.why}{rest}); "
                f"awake it goes {1e3 * one.way:.3g} mm in {AWAKE_FOR:g} s",
                "It stays where it is until something touches it.",
                ((OBJ.mjOBJ_BODY, int(case.model.tree_bodyadr[one.tree])),),
                {"way": one.way, "speed": one.speed, "tolerance": tolerance}, self._change(one), time=one.time,
            )  # fmt: skip

    def _change(self, one: _Sleeper) -> ModelChange | None:
        case, model = self._case, self._case.model
        body = OBJ.mjOBJ_BODY, int(model.tree_bodyadr[one.tree])
        if one.time == 0:
            return ModelChange(case.path_of(body, "sleep"), "init", "auto", "it begins awake")
        measure, tolerance = _way(one.tree), float(model.opt.sleep_tolerance)
        moved = travelled(model, np.array(case.start.qpos), np.array(case.data.qpos))[one.tree]
        before = float(moved)
        for times in FINER:
            finer = float(f"{tolerance / times:.2g}")
            change = Change("opt.sleep_tolerance", None, (finer,))
            after = tried(case, (change,), measure)
            if after - before > LIKE * one.way:
                words = f"it goes {1e3 * after:.3g} mm in place of {1e3 * before:.3g} mm"
                return ModelChange(
                    "option.sleep_tolerance", f"{tolerance:g}", f"{finer:g}", words, (change,), Prediction(measure, before, after)
                )
        return None


def _way(tree: int) -> Measure:
    """Longest way of a tree from where it was at first [m]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        first, farthest = None, 0.0
        for data in steps:
            now = np.array(data.qpos)
            first = now if first is None else first
            farthest = max(farthest, float(travelled(model, first, now)[tree]))
        return farthest

    return Measure("way", "m", of)


RULE = DoctorRule(
    "falls-asleep", "Trees that fall asleep while something moves them",
    "A tree that has been slower than `sleep_tolerance` for ten steps falls asleep, whatever acts on it: at the point where a "
    "swing turns back, at the beginning of a slow motion, or under a force that moves it slowly. What has just fallen asleep is "
    "run on awake, on a copy; a finding is what moves by more than a hundredth of its size in a tenth of a second.",
    observe=_Falls,
)  # fmt: skip
