"""The numbers of two machines side by side."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
from msgspec import Struct

from tests.benchmarks.markdown import grid

# Sums in another order and another library of mathematics differ in the last bits; a solver that ends when it is near enough
# makes that larger.
SAME = 1e-6
# Of the moments of a model that may differ by more: a contact of bodies that just touch is there or not by the last bit, and a
# solver may end an iteration earlier.
UNDECIDED = 0.2
PICTURE = 1.0  # mean difference of a picture in grey levels
FREE = "after 1000"  # a run of its own, which is shown but not judged
COLUMNS = ("compiled", "after 1", "from", "variant from", FREE)


class Difference(Struct):
    """The largest in one field, or several. relative: to the largest number of the field, at least one."""

    absolute: float = 0.0
    relative: float = 0.0

    def __or__(self, other: Difference) -> Difference:
        return Difference(max(self.absolute, other.absolute), max(self.relative, other.relative))

    def __str__(self) -> str:
        return f"{self.absolute:.0e}, {self.relative:.0e}"


def compare(here: Path, there: Path) -> tuple[str, list[str]]:
    """A table of the largest absolute and relative differences, and what is wrong."""
    ours, theirs = dict(np.load(here)), dict(np.load(there))
    wrong = [f"{key} is on one machine only" for key in sorted(ours.keys() ^ theirs.keys())]
    if theirs["compiler"]:
        wrong.append("kernels were compiled there")
    moments: dict[str, dict[str, Difference]] = defaultdict(lambda: defaultdict(Difference))
    for key in ours.keys() & theirs.keys():
        if key.count("/") == 2:
            model, moment, _ = key.split("/")
            moments[model][moment] |= difference(ours[key], theirs[key])
    rows = []
    for model, found in sorted(moments.items()):
        cells = dict.fromkeys(COLUMNS, Difference())
        for moment, one in found.items():
            cells[moment if moment in COLUMNS else moment.rpartition(" ")[0]] |= one
        differing = sorted(moment for moment, one in found.items() if moment != FREE and not one.relative <= SAME)
        rows.append([model, *cells.values(), ", ".join(differing)])
        if len(differing) > UNDECIDED * len(found) or "compiled" in differing:
            wrong.append(f"{model} differs: {', '.join(differing)}")
        wrong += [f"{model} {moment} is no number on one machine" for moment, one in found.items() if np.isinf(one.absolute)]
    picture = np.abs(ours["picture"].astype(int) - theirs["picture"].astype(int))
    if not picture.mean() <= PICTURE:
        wrong.append("the pictures differ")
    table = grid(f"model | {' | '.join(COLUMNS)} | moments that differ", rows)
    return f"{table}\n\npicture: {picture.mean():.3f} grey levels in the mean, {picture.max()} at most", wrong


def difference(ours: np.ndarray, theirs: np.ndarray) -> Difference:
    """Of two arrays; infinite if their sizes differ, or where only one has a number."""
    if ours.shape != theirs.shape:
        return Difference(np.inf, np.inf)
    same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
    if same.all():
        return Difference()
    absolute = float(np.nan_to_num(np.abs(ours - theirs)[~same], nan=np.inf).max())
    return Difference(absolute, absolute / max(1.0, float(np.abs(ours).max())))
