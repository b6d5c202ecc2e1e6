"""The page on time: how long the collision of the present poses takes, by pair of types and by pair of geoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tumble import physics
from tumble.app.base.background import Background, Closed
from tumble.app.describe.collision import TimeRow, time_rows, time_summary
from tumble.app.describe.contacts import Names
from tumble.app.describe.numbers import MICRO, microseconds
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.simulation.commands import copy_state
from tumble.app.widgets.layout import hbox, holder, make_button, make_label, vbox
from tumble.app.widgets.tables import NUMBER, set_headings
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.physics import CollisionTimes, MjData, MjModel

FEW = 40  # pairs of geoms that are all unfolded; of more, those of the most expensive types
MOST = 200  # pairs that are listed of two types
_PAIR = Qt.ItemDataRole.UserRole
HINT = "Measure tells which pairs of geoms cost the most time. A click on a pair chooses it."
TIP = (
    "Time the collision of this moment, pair by pair, on a copy.\n"
    "While the simulation is paused the numbers are steadier"
)  # fmt: skip
TITLES = ("pair", "contacts", MICRO, "%")
TIPS = ("Types, with the number of pairs that were tested, and their pairs of geoms", "", "Mean time", "Of the whole collision")


class TimesPage(QWidget):
    """head: a line with its button. chosen: the user went to a pair of geoms; kind_chosen: to all pairs of two types."""

    chosen = pyqtSignal(int, int)
    kind_chosen = pyqtSignal(object)  # of these pairs (geom, geom), those that are listed
    _told = pyqtSignal(int, int)  # from the background: which measurement, and how much of it is done [%]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._background = Background("collision times", self)
        self._asked = 0  # measurements so far: of several the last counts
        self._measuring = False
        self.summary = make_label(HINT, wrap=True, font=theme.sans(8.5))
        self.tree = _make_tree()
        self.head = self._make_head()
        vbox(self.summary, (self.tree, 1), margins=(0, 0, 0, 0), spacing=4, inside=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)  # the steps set the height of the panel
        self.tree.currentItemChanged.connect(lambda item, before: self._choose(item))
        self._told.connect(self._show_progress)
        session.model_loaded.connect(self.forget)

    def _make_head(self) -> QWidget:
        self.button = make_button(
            "Measure", TIP, lambda checked: self.stop() if self._measuring else self.measure(), style="padding: 4px 8px"
        )
        self.state = make_label(ink="dim")
        line = hbox(margins=(0, 0, 0, 0))
        head = holder(line)
        line.addWidget(self.state, 1, Qt.AlignmentFlag.AlignRight)
        line.addWidget(self.button)
        return head

    # ---- measuring

    def measure(self) -> None:
        """Measure the present moment."""
        if self._session.model is None or self._session.snapshot is None:
            return
        self._begin(measuring=True)
        self.state.setText("measuring")
        turn = self._asked

        def go(copied: tuple[MjModel, MjData] | str) -> None:
            self._background.run(
                lambda: self._measure(copied, turn), lambda found: self._show(turn, *found),
                lambda why: self._fail(turn, why), (PhysicsError,),
            )  # fmt: skip

        self._session.send(copy_state(go))

    def stop(self) -> None:
        """Cancel the running measurement."""
        self._begin(measuring=False)

    def forget(self) -> None:
        """Another model: clear the times."""
        self.stop()
        self.tree.clear()
        self.summary.setText(HINT)

    def _begin(self, *, measuring: bool) -> None:
        self._asked += 1
        self._measuring = measuring
        self.button.setText("Stop" if measuring else "Measure")
        self.state.setText("")

    def _measure(self, copied: tuple[MjModel, MjData] | str, turn: int) -> tuple[CollisionTimes, list[TimeRow], float]:
        if isinstance(copied, str):
            raise PhysicsError(copied)
        model, data = copied
        before = -1

        def tell(done: float) -> None:
            nonlocal before
            self._background.check()
            if turn != self._asked:
                raise Closed
            if int(100 * done) != before:
                before = int(100 * done)
                self._told.emit(turn, before)

        times = physics.collision_times(model, data, tell)
        return times, time_rows(model, Names(model).geoms, times), float(data.time)

    # ---- results

    def _show_progress(self, turn: int, percent: int) -> None:
        if turn == self._asked and self._measuring:
            self.state.setText(f"measuring {percent} %")

    def _fail(self, turn: int, why: str) -> None:
        if turn == self._asked:
            self.forget()
            self.summary.setText(why)

    def _show(self, turn: int, times: CollisionTimes, rows: list[TimeRow], when: float) -> None:
        if turn != self._asked:
            return
        self._begin(measuring=False)
        self.state.setText(f"at {when:.3f} s")
        self.summary.setText(time_summary(times))
        self.tree.clear()
        for k, row in enumerate(rows):
            item = QTreeWidgetItem(self.tree, _texts(row, times.whole))
            _align(item)
            for pair in row.below[:MOST]:
                child = QTreeWidgetItem(item, _texts(pair, times.whole))
                child.setData(0, _PAIR, pair.pair)
                _align(child)
            if len(row.below) > MOST:
                rest = QTreeWidgetItem(item, [f"and {len(row.below) - MOST} more"])
                rest.setDisabled(True)
            item.setExpanded(k == 0 or len(times.pairs) <= FEW)

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        pair = None if item is None else item.data(0, _PAIR)
        if pair is not None:
            self.chosen.emit(*pair)
        elif item is not None and item.childCount():
            below = [item.child(k) for k in range(item.childCount())]
            self.kind_chosen.emit([child.data(0, _PAIR) for child in below if child is not None and child.data(0, _PAIR)])


def _make_tree() -> QTreeWidget:
    tree = QTreeWidget()
    tree.setAccessibleName("Times of the search by pair")
    tree.setIndentation(14)
    tree.setFont(theme.sans(8.5))
    tree.setMinimumSize(QSize(120, 60))
    tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    set_headings(tree, TITLES, TIPS, numbers=True)
    return tree


def _texts(row: TimeRow, whole: float) -> list[str]:
    return [row.label, str(row.contacts), microseconds(row.seconds), f"{100 * row.seconds / whole:.1f}"]


def _align(item: QTreeWidgetItem) -> None:
    for column in range(1, len(TITLES)):
        item.setTextAlignment(column, NUMBER)
    item.setToolTip(0, item.text(0))
