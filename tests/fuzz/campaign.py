"""A campaign: mutants of all kinds, on all cores, for so many minutes; what goes wrong is made small and kept as a case.

Which mutant has which number depends on the seed alone, so `--first N --number 1` makes it again on any computer with the same
corpora. How many there are in an hour depends on the computer.
"""

import itertools
import os
import random
import threading
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from msgspec import Struct, field

from tests.benchmarks.markdown import grid
from tests.fuzz import corpora
from tests.fuzz.asset_seeds import Files
from tests.fuzz.kinds import Kind, available
from tests.fuzz.reduce import MOST_BYTES, Reducer, keep
from tests.fuzz.worker import SECONDS, Worker

OUTCOMES = ("accepted", "rejected", "slow", "unclear", "failed", "crashed", "timeout", "memory")
CLEAN = ("accepted", "rejected", "slow")
LONG = 2.0  # of the processor's time [s]: what takes longer to open is compared with the reference
TIMES, MOST_TIMES = 20.0, 4.0  # how much longer ours may take, above LONG, and where it takes longer than a mutant may
MEMORY = 1200  # a mutant may want so much [MB]
FOUND = Path(__file__).parents[2] / "build" / "fuzz"


class Finding(Struct):
    """A fault: its kind and outcome, where it is, how often it came, the number of the first mutant, and where that is kept."""

    kind: str
    outcome: str
    at: str
    number: int
    message: str
    trace: str
    kept: Path | None = None
    times: int = 1


class Figures(Struct):
    """Outcomes by kind; the longest time [s] and the most memory [MB] of clean mutants; faults by what tells them apart."""

    outcomes: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    memory: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    findings: dict[tuple[str, str], Finding] = field(default_factory=dict)

    def table(self) -> str:
        """All figures, a row a kind."""
        rows = [(kind, sum(told.values()), *(told[o] for o in OUTCOMES), f"{self.seconds[kind]:.1f}", self.memory[kind])
                for kind, told in self.outcomes.items()]  # fmt: skip
        total = sum(self.outcomes.values(), Counter[str]())
        longest, most = max([0.0, *self.seconds.values()]), max([0, *self.memory.values()])
        rows.append(("all", sum(total.values()), *(total[o] for o in OUTCOMES), f"{longest:.1f}", most))
        return grid(" | ".join(["kind", "mutants", *OUTCOMES, "longest [s]", "most [MB]"]), rows)


class Campaign:
    """Runs mutants until its time is over."""

    def __init__(self, seed: int, minutes: float, first: int = 0, number: int | None = None, kinds: tuple[str, ...] = (),
                 checked: bool = False) -> None:  # fmt: skip
        self._seed, self._end, self._checked = seed, monotonic() + 60 * minutes, checked
        self._numbers: Iterator[int] = iter(range(first, first + number) if number is not None else itertools.count(first))
        self._kinds = [kind for kind in available() if not kinds or kind.name in kinds]
        self._lock, self.figures, self._broken = threading.Lock(), Figures(), ""

    def run(self, threads: int) -> Figures:
        """All mutants; a thread a core only waits for its child."""
        hands = [threading.Thread(target=self._hand) for _ in range(threads)]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        if self._broken:
            raise RuntimeError(f"the harness itself failed: {self._broken}")
        return self.figures

    def drawn(self, number: int) -> tuple[Kind, Files]:
        """The mutant of a number."""
        rng = random.Random(f"{self._seed} {number}")
        kind = rng.choices(self._kinds, [kind.share for kind in self._kinds])[0]
        return kind, kind.draw(rng)

    def _hand(self) -> None:
        try:
            with Worker("ours", self._checked) as ours, Worker("theirs") as theirs:
                while monotonic() < self._end and not self._broken and (number := self._next()) is not None:
                    kind, files = self.drawn(number)
                    self._note(kind, files, number, judged(ours, theirs, kind, files, number), ours, theirs)
        except Exception:  # noqa: BLE001  # raised again in the main thread
            self._broken = traceback.format_exc()

    def _next(self) -> int | None:
        with self._lock:
            return next(self._numbers, None)

    def _note(self, kind: Kind, files: Files, number: int, result: dict[str, Any], ours: Worker, theirs: Worker) -> None:
        outcome, name = result["outcome"], kind.name
        with self._lock:
            told = self.figures
            told.outcomes[name][outcome] += 1
            if outcome in CLEAN:
                told.seconds[name] = max(told.seconds[name], result.get("seconds", 0.0))
                told.memory[name] = max(told.memory[name], result.get("memory", 0))
                return
            key = outcome, result.get("at", "")
            if key in told.findings:
                told.findings[key].times += 1
                return
            found = told.findings[key] = Finding(name, outcome, key[1], number, result.get("message", ""), result.get("trace",
                ""))
        found.kept = _kept(kind, files, number, result, ours, theirs)
        print(f"{outcome} {name} {number}: {found.at}: {found.message[:300]}\n  {found.kept}", flush=True)  # noqa: T201


def judged(ours: Worker, theirs: Worker, kind: Kind, files: Files, seed: int) -> dict[str, Any]:
    """The outcome of a mutant; what is slow is compared with the reference, where that reads such files."""
    result = ours.run(kind.name, files, seed)
    compared = kind.name in ("model", "published", "asset")
    if compared and result["outcome"] == "timeout":
        known = theirs.run(kind.name, files, seed)
        if known["outcome"] in ("timeout", "crashed") or known.get("all", known.get("seconds", 0.0)) * MOST_TIMES > SECONDS:
            return {"outcome": "slow", "seconds": SECONDS}
    elif compared and result["outcome"] == "accepted" and result.get("opened", 0.0) > LONG:
        known = theirs.run(kind.name, files, seed)
        if known["outcome"] == "accepted" and known["seconds"] * TIMES < result["opened"]:
            told = f"opening takes {result['opened']:.1f} s, the reference {known['seconds']:.2f} s"
            return {"outcome": "timeout", "message": told, "at": f"opening {kind.name}"}
    if result.get("memory", 0) > MEMORY and result["outcome"] in CLEAN:
        return result | {"outcome": "memory", "message": f"wants {result['memory']} MB", "at": f"opening {kind.name}"}
    return result


def _kept(kind: Kind, files: Files, number: int, result: dict[str, Any], ours: Worker, theirs: Worker) -> Path:
    """The mutant as it is, below build/; and made small, as a case, if it is one by itself that is small enough."""
    whole = keep(kind.name, {os.path.basename(name): data for name, data in files.items()}, number, FOUND)
    if kind.name == "published":
        inside = corpora.self_contained(files)
        if inside is None or not _same(judged(ours, theirs, kind, inside, number), result):
            return whole
        files = inside
    small = Reducer(lambda made: _same(judged(ours, theirs, kind, made, number), result)).reduced(files)
    return keep(kind.name, small, number) if sum(map(len, small.values())) <= MOST_BYTES else whole


def _same(result: dict[str, Any], before: dict[str, Any]) -> bool:
    return (result["outcome"], result.get("at")) == (before["outcome"], before.get("at"))
