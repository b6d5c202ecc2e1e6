"""The islands and sleep panel: which trees are solved together, which sleep and why, with buttons to wake and stop them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from tumble.app.describe import islands
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.look import theme
from tumble.app.panels.islands.readings import IslandReading, IslandsProbe
from tumble.app.panels.islands.tree_table import ChipView, TreeTable, plural
from tumble.app.simulation.commands import SettleTrees, WakeTrees
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, make_splitter, vbox
from tumble.render.scene.island_colours import leaders

FLAGS = EditPlace("opt.enableflags")
NOTHING_MOVES = "Nothing can move in this model."


class IslandsPanel(LivePanel[IslandReading]):
    """A switch for sleep, the islands as chips, their trees in a table, and buttons for the trees selected."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session, edits = bench.session, bench.session.part(Edits)
        super().__init__(dock, session, IslandsProbe())
        self._edits = edits
        self._names: dict[int, str] = {}
        self._leader: NDArray[np.int64] = np.zeros(0, np.int64)
        self._chosen = -1  # the tree whose island is listed alone; -1: all are
        self._reading: IslandReading | None = None
        column = vbox(self._head(bench.actions["island"]), margins=(8, 8, 8, 8), spacing=6)
        body = holder(column)
        self.note = self._line("dim")
        session.absence_changed.connect(self.note.setText)
        self.message = self._line("bad")
        self.chips = ChipView()
        self.chips.setAccessibleName("Islands")
        self.chips.picked.connect(self._pick)
        self.table = TreeTable()
        self.table.setAccessibleName("Kinematic trees, awake or asleep")
        self.table.chosen.connect(self._select_body)
        self.chips.chips.name = self.table.rows.name = self._name
        self.splitter = make_splitter(Qt.Orientation.Vertical, (self.chips, 0, 150), (self._trees(), 1, 450))
        self.detail = self._line("dim")
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.detail.setMinimumHeight(3 * self.detail.fontMetrics().lineSpacing())  # so that the table does not jump
        for widget in (self.note, self.message, self.splitter, self.detail):
            column.addWidget(widget, 1 if widget is self.splitter else 0)
        column.addStretch(0)
        column.addLayout(self._buttons())
        self.set_content(body)
        self.setMinimumWidth(300)
        self.message.hide()
        session.selection_changed.connect(self._follow_selection)
        edits.settled.connect(self._show_switch)

    # ---- parts

    def _head(self, colour: QAction) -> QHBoxLayout:
        """colour: colours the view by islands."""
        self.switch = make_check("Sleeping", "Let trees at rest fall asleep: the flag sleep of the options")
        self.switch.clicked.connect(self._switch)
        self.counts = make_label(ink="dim", tip="Islands that are awake: trees joined by constraint rows, solved together")
        self.colours = QToolButton()
        self.colours.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        colour.setIconText("Colours")
        self.colours.setDefaultAction(colour)
        return hbox(self.switch, (self.counts, 1), self.colours)

    def _line(self, ink: str) -> QLabel:
        label = make_label(wrap=True)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        label.setStyleSheet(f"color: {theme.colours()[ink]}")
        return label

    def _trees(self) -> QWidget:
        self.title = QLabel()
        self.everyone = make_button(
            "All trees", "List the trees of all islands", lambda: self._list(-1), style="padding: 2px 8px"
        )
        return holder(vbox(hbox((self.title, 1), self.everyone), (self.table, 1), margins=(0, 4, 0, 0), spacing=4))

    def _buttons(self) -> QHBoxLayout:
        self.wake, self.settle, self.keep = QPushButton("Wake"), QPushButton("Put to sleep"), QPushButton("Keep awake")
        self.keep.setCheckable(True)
        self.wake.clicked.connect(self._wake)
        self.settle.clicked.connect(self._settle)
        self.keep.clicked.connect(self._keep)
        line = hbox(spacing=4)
        held = theme.colours()["accentdim"]
        for button in (self.wake, self.settle, self.keep):
            button.setStyleSheet(f"QPushButton {{ padding: 5px 6px }} QPushButton:checked {{ background: {held} }}")
            line.addWidget(button, 1)
        return line

    # ---- display

    def build(self) -> None:
        """Another model."""
        self._names.clear()
        self._chosen, self._reading = -1, None
        model = self.session.model
        self._leader = np.zeros(0, np.int64)
        self.table.rows.model, self.table.rows.reading = model, None
        self.table.show_trees(self._leader)
        self.chips.show_groups(None, None)
        moves = model is not None and int(model.ntree) > 0
        self.splitter.setVisible(moves)
        self.switch.setEnabled(model is not None)
        self.counts.setText("")
        self.note.setText("" if moves else self.session.absence or NOTHING_MOVES)
        self.message.hide()
        self._show_switch()
        self._show_chosen()

    def show_reading(self, reading: IslandReading) -> None:
        """Sample islands, trees and sleep state."""
        model, snapshot = self.session.model, self.session.snapshot
        if model is None or snapshot is None or len(reading.tree_asleep) != int(model.ntree) or not len(reading.tree_asleep):
            return
        self._reading = reading
        self._leader = leaders(reading.tree_island, reading.tree_asleep)
        rows = self.table.rows
        rows.reading, rows.leader = reading, self._leader
        rows.speed = islands.speeds(snapshot.qvel, np.asarray(model.dof_length), np.asarray(model.tree_dofadr))
        sizes = np.asarray(model.tree_dofnum)
        statistics = reading.rows, reading.iterations, reading.seconds
        groups = islands.groups(self._leader, reading.tree_island, reading.tree_asleep, sizes, *statistics)
        counts = dict(zip(groups.leader.tolist(), groups.trees.tolist(), strict=True))
        counts[-1] = 1
        rows.members = np.array([counts[leader] for leader in self._leader.tolist()])
        self.chips.show_groups(groups, self._marked())
        self._show_trees()
        joined = int(np.count_nonzero((groups.leader >= 0) & ~groups.asleep))
        self.counts.setText(plural(joined, "island"))
        self._show_note()
        self._show_chosen()

    def _show_note(self) -> None:
        reading = self._reading
        if reading is not None:
            self.note.setText(islands.remark(self.table.rows.sleeping, reading.islands, reading.tolerance))

    def _show_trees(self) -> None:
        reading, everyone = self._reading, self._chosen < 0
        if reading is None:
            return
        trees = np.arange(len(self._leader)) if everyone else np.flatnonzero(self._leader == self._leader[self._chosen])
        self.table.show_trees(trees)
        if everyone:
            awake = int(np.count_nonzero(reading.tree_asleep < 0))
            self.title.setText(f"{awake} of {plural(len(trees), 'tree')} awake")
        elif self._leader[self._chosen] < 0:
            self.title.setText(f"{plural(len(trees), 'free tree')}")
        else:
            asleep = reading.tree_asleep[self._chosen] >= 0
            words = ("asleep together" if len(trees) > 1 else "asleep") if asleep else "of an island"
            self.title.setText(f"{plural(len(trees), 'tree')} {words}")
        self.everyone.setVisible(not everyone)

    def _marked(self) -> int | None:
        """The leader of the chip to mark: of the island listed, else of the tree selected."""
        tree = self._chosen if self._chosen >= 0 else self._selected_tree()
        return int(self._leader[tree]) if 0 <= tree < len(self._leader) else None

    def _show_switch(self) -> None:
        on = self.session.model is not None and bool(self._flags() & islands.SLEEP)
        with QSignalBlocker(self.switch):
            self.switch.setChecked(on)
        if on != self.table.rows.sleeping:
            self.table.rows.sleeping = on
            self._show_note()
            self._show_chosen()

    def _show_chosen(self) -> None:
        """The buttons and the line about the trees selected."""
        reading, trees = self._reading, self.table.selected()
        if reading is None or not len(trees):
            for button in (self.wake, self.settle, self.keep):
                button.setEnabled(False)
                button.setToolTip("Select trees in the table, or an island")
            self.detail.setText("")
            return
        asleep = reading.tree_asleep[trees] >= 0
        self.wake.setEnabled(bool(asleep.any()))
        self.wake.setToolTip("Wake the selected trees and all that sleep with them: at rest, they fall asleep again")
        able = self.table.rows.sleeping and (reading.islands or reading.nefc == 0) and bool((~asleep).any())
        self.settle.setEnabled(able)
        self.settle.setToolTip("Stop the selected trees and their islands; the next step puts them to sleep")
        with QSignalBlocker(self.keep):
            self.keep.setChecked(bool(np.isin(self._policies(trees), islands.NEVER).all()))
        self.keep.setEnabled(True)
        self.keep.setToolTip("Whether the selected trees never sleep: tree_sleep_policy; can be undone")
        self.detail.setText(self.table.rows.describe(int(trees[0])))

    # ---- user actions

    def _flags(self) -> int:
        return int(self._edits.value(FLAGS)[0])

    def _switch(self, on: bool) -> None:
        refused = self._reading.refused if self._reading is not None and on else ""
        self._say(refused)
        if not refused:
            flags = self._flags() | islands.SLEEP if on else self._flags() & ~islands.SLEEP
            self._edits.set(FLAGS, (float(flags),), "Sleeping on" if on else "Sleeping off")
        self._show_switch()

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _wake(self) -> None:
        self._say("")
        self.session.send(WakeTrees(tuple(self.table.selected().tolist())))

    def _settle(self) -> None:
        trees = islands.together(self._leader, self.table.selected())
        never = trees[np.isin(self._policies(trees), islands.NEVER)]
        if len(never):
            self._say(f"{self._name(int(never[0]))} never sleeps, so no tree in its island does: see Keep awake.")
            return
        self._say("")
        self.session.send(SettleTrees(tuple(trees.tolist())))

    def _keep(self, on: bool) -> None:
        self._say("")
        trees = self.table.selected().tolist()
        places = [EditPlace("tree_sleep_policy", tree) for tree in trees]
        values: dict[EditPlace, Values] = {}
        for place in places:
            first = self._edits.first(place)
            values[place] = (islands.KEEP_AWAKE,) if on else (islands.MAY_SLEEP,) if first[0] in islands.NEVER else first
        self._edits.set_all(values, "Keep awake" if on else "Let sleep")
        if on:
            self.session.send(WakeTrees(tuple(trees)))

    def _policies(self, trees: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array([self._edits.value(EditPlace("tree_sleep_policy", int(tree)))[0] for tree in trees], np.int64)

    # ---- selection, here and in the view

    def _name(self, tree: int) -> str:
        if tree not in self._names:
            self._names[tree] = islands.tree_name(self.session.loaded_model, tree)
        return self._names[tree]

    def _selected_tree(self) -> int:
        body = self.session.selection
        return int(self.session.model.body_treeid[body]) if body > 0 and self.session.model is not None else -1

    def _pick(self, row: int) -> None:
        """A chip was clicked: list its trees and select them all; once more: list all again."""
        groups = self.chips.chips.groups
        if groups is None or row >= len(groups.leader):
            return
        leader = int(groups.leader[row])
        members = np.flatnonzero(self._leader == leader)
        if not len(members):
            return
        if self._chosen >= 0 and self._leader[self._chosen] == leader:
            self._list(-1)
            return
        self._list(int(members[0]))
        self.table.select_trees(members, reveal=True)
        self._select_body()

    def _list(self, tree: int) -> None:
        self._chosen = tree
        self._show_trees()
        self.chips.show_groups(self.chips.chips.groups, self._marked())
        self._show_chosen()

    def _select_body(self) -> None:
        """The user has selected trees: the view shows the first."""
        self._say("")
        trees = self.table.selected()
        if len(trees) and self._selected_tree() != trees[0]:
            self.session.select(int(self.session.loaded_model.tree_bodyadr[trees[0]]))
        self._show_chosen()

    def _follow_selection(self, body: int) -> None:
        """A body was selected, here or in the view."""
        tree = self._selected_tree()
        if self.live and tree not in self.table.selected():
            if self._chosen >= 0 and (tree < 0 or self._leader[tree] != self._leader[self._chosen]):
                self._chosen = -1
            self._show_trees()
            self.table.select_trees(np.array([tree] if tree >= 0 else [], np.int64), reveal=True)
            self._show_chosen()
        self.chips.show_groups(self.chips.chips.groups, self._marked())
