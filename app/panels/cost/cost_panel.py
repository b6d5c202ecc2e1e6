"""Performance panel: the cost of a step by stage and over time, by island, by pair of geoms; memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QHBoxLayout

from tumble.app.describe.subject import Subject
from tumble.app.panels.cost.island_page import IslandCostProbe, IslandCosts, IslandPage
from tumble.app.panels.cost.memory_page import MemoryPage
from tumble.app.panels.cost.stage_page import StagePage
from tumble.app.profile import Profiler, StepStage
from tumble.app.session.marking import mark
from tumble.app.session.panel_stream import PREPARING
from tumble.app.session.requests import AskPair, Show
from tumble.app.simulation.commands import WatchProbe
from tumble.app.viewport.contacts.mark import boxes, geoms_of_bodies
from tumble.app.viewport.figures import Drawing
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_tabs, vbox
from tumble.app.widgets.pair_times import TimesPage
from tumble.app.widgets.slider_row import ElidedLabel

INTERVAL = 0.2  # wall time between two updates [s]
NAME = "cost"
TITLES = {  # of the panels that explain a stage
    "joints": "Joints", "inspector": "Model", "collision": "Collision", "contacts": "Contacts", "islands": "Islands and sleep",
    "control": "Control", "solver": "Solver", "signals": "Signals", "options": "Options",
}  # fmt: skip
LOW = 230  # pixels of height below which rows take the place of the hint
HINT = "A row marks its elements in the view: the bodies of an island, the two geoms of a pair"


class CostPanel(LivePanel[IslandCosts]):
    """Steps are measured while it can be seen, and only then."""

    probe: IslandCostProbe

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session = bench.session
        super().__init__(dock, session, IslandCostProbe(), INTERVAL)
        self.profiler = session.part(Profiler)
        self._drawing = session.part(Drawing)
        self._geoms: list[int] = []  # that are marked in the view
        self._pair: tuple[int, int] | None = None
        self._marked = False  # whether the panel has set the figures over the view
        self.stages, self.islands, self.pairs = StagePage(self.profiler), IslandPage(), TimesPage(session)
        self.stages.chosen.connect(lambda stage: self._explain())
        self.islands.chosen.connect(self._choose_trees)
        self.pairs.chosen.connect(self._choose_pair)
        self.pairs.kind_chosen.connect(self._choose_kind)
        for table in (self.stages.table, self.islands.table):
            table.itemActivated.connect(lambda item, column: self._open())
        self.profiler.kernels.ended.connect(self.refresh)
        pairs = holder(vbox(self.pairs.head, (self.pairs, 1), margins=(8, 4, 8, 4), spacing=2))
        self.memory = MemoryPage(session, bench.viewport, self.profiler)
        self.tabs = make_tabs(
            (self.stages, "Stages", "What each stage of a step costs, now and over time"),
            (self.islands, "Islands", "What the solver does in each island"),
            (pairs, "Pairs", "How long each pair of geoms takes"),
            (self.memory, "Memory", "What the program keeps in memory, and for what"),
        )
        self.tabs.setAccessibleName("Cost by stage, by island, by pair, in memory")
        self.tabs.currentChanged.connect(lambda k: self._turn())
        body = holder(vbox((self.tabs, 1), self._foot(), margins=(0, 0, 0, 0), spacing=0))
        self.set_content(body, low=True)
        dock.in_sight.connect(self._measure)
        session.advanced.connect(lambda: self._mark() if self._geoms else None)  # each picture: marks lag behind otherwise
        self._explain()

    def _foot(self) -> QHBoxLayout:
        self.what = ElidedLabel("")
        self.what.setProperty("dim", True)
        self.go = make_button("Open", act=self._open, style="padding: 3px 9px", by_tab=True)
        return hbox((self.what, 1), self.go, margins=(8, 2, 8, 6))

    # ---- display

    def build(self) -> None:
        """Another model."""
        self.islands.build(self.session.model)
        self._geoms, self._pair = [], None
        self.stages.draw()
        self._explain()

    def show_reading(self, reading: IslandCosts) -> None:
        """Update the front page, and the marks of moving bodies."""
        page = self.tabs.currentIndex()
        if page == 0:
            self.stages.draw()
            if self.profiler.kernels.running:
                self.stages.summary.setText(PREPARING)
        elif page == 1 and self.session.model is not None and len(reading.tree_island) == int(self.session.model.ntree):
            self.islands.show_costs(reading)
            self._geoms = self._geoms_of(self.islands.trees())
        elif self.tabs.currentWidget() is self.memory:
            self.memory.show_memory(reading.data_bytes)
        self._mark()

    def _measure(self, visible: bool) -> None:
        """Measure while it can be seen."""
        self.profiler.want(NAME, visible)
        if not visible:
            self._unmark()

    def _turn(self) -> None:
        """Another page is in front: remove the marks of the one before."""
        self._unmark()
        self.probe.weighs = self.tabs.currentWidget() is self.memory
        if self.live and self.probe.weighs:
            self.session.send(WatchProbe(self.probe, True))  # publishes the moment that stands
        self.refresh()
        self._explain()

    # ---- selection

    def _choose_trees(self, trees: NDArray[np.int64]) -> None:
        self._geoms = self._geoms_of(trees)
        if len(trees):
            self.session.select(int(self.session.loaded_model.tree_bodyadr[trees[0]]))
        self._mark()
        self._explain()

    def _geoms_of(self, trees: NDArray[np.int64]) -> list[int]:
        model = self.session.model
        if model is None or not len(trees):
            return []
        return geoms_of_bodies(model, np.isin(np.asarray(model.body_treeid), trees))

    def _choose_pair(self, first: int, second: int) -> None:
        self._pair, self._geoms = (first, second), [first, second]
        model = self.session.loaded_model
        moving = [int(model.geom_bodyid[g]) for g in (first, second) if model.geom_bodyid[g] > 0]
        if moving:
            self.session.select(moving[0])
        mark(self.session, Subject(pair=(first, second)))
        self._mark()
        self._explain()

    def _choose_kind(self, pairs: list[tuple[int, int]]) -> None:
        self._pair, self._geoms = None, sorted({geom for pair in pairs for geom in pair})
        self._mark()
        self._explain()

    def _mark(self) -> None:
        snapshot, model = self.session.snapshot, self.session.model
        if self._geoms and snapshot is not None and model is not None and self.live:
            self._drawing.show(boxes(model, snapshot.frame, self._geoms))
            self._marked = True
        elif self._marked:
            self._unmark()

    def _unmark(self) -> None:
        self._geoms, self._pair = [], None
        if self._marked:
            self._marked = False
            self._drawing.clear()

    # ---- where it is explained

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show the hint where there is room for it."""
        super().resizeEvent(event)
        self._explain()

    @property
    def _stage(self) -> StepStage | None:
        return self.stages.stage if self.tabs.currentIndex() == 0 else None

    def _explain(self) -> None:
        """Describe the selection, and offer the panel with its details."""
        stage, panel = self._stage, self._panel()
        hint = "" if self.tabs.currentWidget() is self.memory else HINT
        self.what.set_text(stage.what if stage is not None else hint)
        self.what.setVisible(stage is not None or bool(panel) or self.height() >= LOW)
        self.go.setVisible(bool(panel))
        if panel:
            self.go.setText(f"Open {TITLES[panel]}")
            self.go.setToolTip("Open the panel with the details")

    def _panel(self) -> str:
        page = self.tabs.currentIndex()
        if page == 0:
            return self._stage.panel if self._stage is not None else ""
        chosen = len(self.islands.trees()) if page == 1 else self._pair is not None
        return ("islands" if page == 1 else "collision") if chosen else ""

    def _open(self) -> None:
        if self.tabs.currentIndex() == 2 and self._pair is not None:
            self.session.ask(AskPair(*self._pair))
        elif self._panel():
            self.session.ask(Show(self._panel()))
