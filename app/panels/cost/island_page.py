"""The page on islands: solver work and time of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray
from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QWidget

from tumble.app.describe.islands import NO_ISLAND, tree_name
from tumble.app.describe.numbers import MICRO, microseconds
from tumble.app.panels.cost.stage_page import CostTable
from tumble.app.widgets.layout import make_label, vbox
from tumble.physics.state.constants import mjNISLAND

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Numbers = NDArray[Any]
SMOOTHING = 0.2  # how fast a time follows that of the last step: one step alone is noise
MOST = 200  # islands that are listed, the most expensive
OFF = "The flag island is off: all constraint rows are solved as one."
NONE = "No island: no constraint row is active, or all trees sleep."


class IslandCosts(Struct):
    """Islands at one moment: tree_island (ntree,); dofs, rows, seconds (nisland,); iterations of the first of them.

    data_bytes: memory of the data.
    """

    tree_island: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    dofs: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    rows: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    iterations: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    seconds: Numbers = field(default_factory=lambda: np.zeros(0))
    off: bool = False
    threads: int = 1
    data_bytes: int = 0


class IslandCostProbe:
    """Samples the engine's measurements of each island. weighs: how much memory the data take, too."""

    weighs = False

    def room(self, model: MjModel, data: MjData) -> IslandCosts:
        """New storage for one snapshot."""
        return IslandCosts()

    def take(self, model: MjModel, data: MjData, into: IslandCosts) -> None:
        """Fill the storage."""
        count = int(data.nisland)
        into.tree_island = np.array(data.tree_island)
        into.dofs, into.rows = np.array(data.island_nv[:count]), np.array(data.island_nefc[:count])
        into.seconds = np.array(data.island_time[:count])
        into.iterations = np.array(data.solver_niter[: min(count, mjNISLAND)])
        into.off = bool(int(model.opt.disableflags) & NO_ISLAND)
        into.threads = int(model.tumble.threads)
        into.data_bytes = data.nbytes if self.weighs else 0


class IslandPage(QWidget):
    """chosen: the trees of the island that was selected, an empty array: of none. It is found again by its first tree."""

    chosen = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.model: MjModel | None = None
        self.summary = make_label(NONE, wrap=True)
        self.table = CostTable(
            "Cost by island", ("island", "trees", "dofs", "rows", "iter.", MICRO, "%"),
            ("Trees that are joined by constraint rows, by the first of them", "Trees in it", "Degrees of freedom",
             "Constraint rows", "Iterations of the solver", "Measured by the engine, a mean of the last steps",
             "Of all islands"),
        )  # fmt: skip
        self.table.itemSelectionChanged.connect(self._choose)
        self._smooth: dict[int, float] = {}
        self._leaders: list[int] = []
        self._chosen = -1
        self._costs = IslandCosts()
        self._names: dict[int, str] = {}
        vbox(self.summary, (self.table, 1), margins=(8, 6, 8, 4), spacing=4, inside=self)

    def build(self, model: MjModel | None) -> None:
        """Another model, or none."""
        self.model = model
        self._smooth, self._leaders, self._chosen, self._names = {}, [], -1, {}
        self._costs = IslandCosts()
        self.table.show_rows([])
        self.summary.setText(NONE)

    def trees(self) -> Numbers:
        """The trees of the island that is selected, as it is now."""
        island = self._costs.tree_island
        if not 0 <= self._chosen < len(island) or island[self._chosen] < 0:
            return np.zeros(0, np.int64)
        return np.flatnonzero(island == island[self._chosen])

    def show_costs(self, costs: IslandCosts) -> None:
        """Show a moment."""
        self._costs = costs
        count = len(costs.rows)
        known, first = np.unique(costs.tree_island, return_index=True)
        leader = {int(i): int(tree) for i, tree in zip(known, first, strict=True) if 0 <= i < count}
        before, self._smooth = self._smooth, {}
        for i, tree in leader.items():
            now = float(costs.seconds[i])
            self._smooth[tree] = before[tree] + SMOOTHING * (now - before[tree]) if tree in before else now
        order = sorted(leader, key=lambda i: -self._smooth[leader[i]])[:MOST]
        total = sum(self._smooth.values())
        self._leaders = [leader[i] for i in order]
        sizes = np.bincount(costs.tree_island[costs.tree_island >= 0], minlength=count)
        self.table.blockSignals(True)  # rows are reordered under the selection
        self.table.show_rows([self._row(costs, i, leader[i], int(sizes[i]), total) for i in order])
        self._select_again()
        self.table.blockSignals(False)
        self.summary.setText(self._words(costs, count, total))

    def _row(self, costs: IslandCosts, i: int, tree: int, size: int, whole: float) -> tuple[tuple[str, ...], float]:
        assert self.model is not None
        if tree not in self._names:
            self._names[tree] = tree_name(self.model, tree)
        name = self._names[tree] + (f" and {size - 1} more" if size > 1 else "")
        turns = str(costs.iterations[i]) if i < len(costs.iterations) else "?"
        share = self._smooth[tree] / whole if whole > 0 else 0.0
        time = microseconds(self._smooth[tree]) if self._smooth[tree] > 0 else "0"
        return (name, str(size), str(costs.dofs[i]), str(costs.rows[i]), turns, time, f"{100 * share:.1f}"), share

    def _words(self, costs: IslandCosts, count: int, whole: float) -> str:
        if costs.off:
            return OFF
        if count == 0:
            return NONE
        many = f" by {costs.threads} threads: in all they may take longer than the solver" if costs.threads > 1 else ""
        more = f", the first {MOST} are listed" if count > MOST else ""
        return f"{count} island{'s' if count > 1 else ''}, solved in {microseconds(whole)} {MICRO}{many}{more}"

    def _select_again(self) -> None:
        """Select the island of the tree that was chosen, wherever it is listed now."""
        trees = set(self.trees().tolist())
        row = next((k for k, tree in enumerate(self._leaders) if tree in trees), -1)
        item = self.table.topLevelItem(row) if row >= 0 else None
        if item is None:
            self.table.clearSelection()
        elif self.table.row != row:
            self.table.setCurrentItem(item)

    def _choose(self) -> None:
        row = self.table.row
        self._chosen = self._leaders[row] if 0 <= row < len(self._leaders) else -1
        self.chosen.emit(self.trees())
