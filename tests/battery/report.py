"""The table of the battery."""

from collections import Counter

import numpy as np

from tests.battery.run import Outcome, PairResult
from tests.battery.verdict import NEITHER, OURS, THEIRS, TIE, TOLERANCE
from tests.benchmarks.markdown import grid

_VERDICTS = (OURS, TIE, TOLERANCE, NEITHER, THEIRS)


def report(results: list[PairResult], show: int = 0) -> str:
    """Everything that is worth to be read."""
    outcomes = [o for r in results for o in r.outcomes]
    rows = [_row("-".join(r.kinds), r.outcomes) for r in results]
    for kind in sorted({o.case.kind for o in outcomes}):
        rows.append(_row(kind, [o for o in outcomes if o.case.kind == kind]))
    heads = ["pair", "cases", "number equal %", "distance: 99 %", "worst", "normal: 99 %", "worst", "disagree", *_VERDICTS]
    lines = [grid(" | ".join(heads), [*rows, _row("all", outcomes)]), ""]
    for what in ("number", "distance", "normal", ""):
        counts = Counter(o.verdict.right for o in outcomes if o.verdict.what == what and o.verdict.right)
        lines.append(f"{what or 'agree (sampled)'}: " + ", ".join(f"{counts[v]} {v}" for v in _VERDICTS))
    lines.append("faults: " + str(dict(Counter(f for o in outcomes for f in o.faults))))
    where = Counter(("-".join(r.kinds), f, o.case.kind) for r in results for o in r.outcomes for f in o.faults)
    lines += [f"  {n:6d}  {' '.join(key)}" for key, n in where.most_common(25)]
    for verdict in (THEIRS, NEITHER):
        lines.append(f"{verdict}, by pair, what and kind:")
        chosen = [(r.kinds, o) for r in results for o in r.outcomes if o.verdict.right == verdict]
        where = Counter(("-".join(kinds), o.verdict.what, o.case.kind) for kinds, o in chosen)
        lines += [f"  {n:6d}  {' '.join(key)}" for key, n in where.most_common(25)]
    if show:
        worst = sorted((o for o in outcomes if o.verdict.right in (THEIRS, NEITHER)), key=lambda o: -o.verdict.ours)
        lines += [_shown(o) for o in worst[:show]]
    return "\n".join(lines) + "\n"


def _row(name: str, outcomes: list[Outcome]) -> list[str]:
    equal = np.mean([o.number[0] == o.number[1] for o in outcomes]) * 100
    distance = np.array([o.distance for o in outcomes if o.angle >= 0] or [0.0])
    angle = np.array([o.angle for o in outcomes if o.angle >= 0] or [0.0])
    counts = Counter(o.verdict.right for o in outcomes if o.verdict.what)
    return [name, f"{len(outcomes)}", f"{equal:.2f}", f"{np.quantile(distance, 0.99):.1e}", f"{distance.max():.1e}",
            f"{np.quantile(angle, 0.99):.1e}", f"{angle.max():.1e}", f"{sum(counts.values())}",
            *(f"{counts[v]}" for v in _VERDICTS)]  # fmt: skip


def _shown(o: Outcome) -> str:
    a, b = o.case.first, o.case.second
    numbers = [x.ravel().tolist() for x in (a.size, b.size, b.pos - a.pos, a.mat, b.mat)]
    head = f"{a.kind}-{b.kind} {o.case.kind} margin {o.case.margin:.3g} scale {o.case.scale:.3g}"
    return f"{head} {o.verdict} {o.number}\n    {numbers}"
