"""The model panel: all elements as a tree with search, and the fields of the one chosen, live and to be changed."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QLabel, QMenu

from tumble.app.editing.edits import Edits
from tumble.app.look import theme
from tumble.app.panels.inspector.element_tree import TreeNode, body_of
from tumble.app.panels.inspector.field_table import FieldTable
from tumble.app.panels.inspector.inspection import FieldEntry, FieldReading, Inspector
from tumble.app.panels.inspector.tree_view import ModelView
from tumble.app.session.requests import AskPair, PlotSignal, ProposeStop, Request, ShowElement
from tumble.app.session.trails import Trails
from tumble.app.simulation.commands import WatchProbe
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import holder, make_splitter, present, vbox
from tumble.physics.state.enums import mjtGeom
from tumble.render.scene.scene import Pieces

if TYPE_CHECKING:
    from tumble.app.decompose.decompose_desk import DecomposeDesk
    from tumble.physics import MjModel


class InspectorPanel(LivePanel[FieldReading]):
    """The tree over the fields."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session, edits = bench.session, bench.session.part(Edits)
        self._viewport = bench.viewport
        self._desk: DecomposeDesk | None = None
        self.inspector = session.part(Inspector)
        super().__init__(dock, session, self.inspector.probe)
        self._shown_model: MjModel | None = None  # whose tree is shown
        self._sought: TreeNode | None = None  # like the one that was chosen when the tree of a model before was given up
        self.view, self.table = ModelView(), FieldTable(self.inspector)
        self.table.setAccessibleName("Fields of the chosen element")
        self.title, self.problem, self.remark = QLabel(), QLabel(), QLabel()
        self._lay_out()
        self.view.chosen.connect(self._choose)
        self.view.asked.connect(self._offer_for)
        self.table.typed.connect(self._type)
        self.table.refused.connect(self._say)
        self.table.asked.connect(self._offer)
        edits.settled.connect(self._show)
        edits.cleared.connect(self._show)
        session.selection_changed.connect(self._follow)
        session.paused_changed.connect(lambda paused: self.table.show_rules() if self.live else None)
        self._look_at(None)

    def _lay_out(self) -> None:
        self.title.setContentsMargins(10, 6, 10, 4)
        self.title.setSizePolicy(self.title.sizePolicy().Policy.Ignored, self.title.sizePolicy().verticalPolicy())
        self.title.setWordWrap(True)
        for label in (self.problem, self.remark):
            label.setWordWrap(True)
            label.setContentsMargins(10, 4, 10, 6)
            label.hide()
        self.problem.setProperty("bad", True)
        self.remark.setProperty("warn", True)
        below = holder(vbox(self.title, (self.table, 1), self.problem, self.remark, margins=(0, 0, 0, 0), spacing=0))
        self.set_content(make_splitter(Qt.Orientation.Vertical, (self.view, 0, 320), (below, 0, 420)))

    # ---- which element

    def build(self) -> None:
        """Another model is loaded: select the element of the same kind and name again."""
        self._look_at(None)
        if self.live:
            self._fill()
        else:
            self._empty()

    def _empty(self) -> None:
        """Release the previous, closed model: it may be large."""
        chosen = self.view.current
        if chosen is not None and chosen.is_element:
            self._sought = TreeNode(chosen.kind, chosen.index, chosen.name, None)
        self._shown_model = None
        self.view.set_model(None)

    def become_live(self) -> None:
        """Becoming visible: show the changes made in the meantime."""
        self._fill()
        self.table.show_rules()
        self._show()

    def _fill(self) -> None:
        if self._shown_model is not self.session.model:
            self._shown_model = self.session.model
            before, self._sought = self.view.current or self._sought, None
            self.view.set_model(self._shown_model)
            same = self.view.nodes.like(before) if before is not None else None
            if same is not None:
                self.view.reveal(same)
                self._look_at(same)
        self._follow(self.session.selection)

    def _follow(self, body: int) -> None:
        """A body was selected, in the view or elsewhere: show it, unless one of its elements is shown."""
        model, kind = self.session.model, self.inspector.kind
        if not self.live or body <= 0 or model is None or model is not self._shown_model:
            return
        shown = body_of(model, kind, self.inspector.index) if kind is not None else -1
        node = self.view.nodes.find("body", body)
        if node is not None and shown != body:
            self.view.reveal(node)
            self._look_at(node)

    def answer(self, request: Request) -> None:
        """Show an element."""
        super().answer(request)
        if isinstance(request, ShowElement) and self.session.model is not None:
            self._fill()
            node = self.view.nodes.find(request.prefix, request.index)
            if node is not None:
                self.view.reveal(node)
                self._look_at(node)

    def _choose(self, node: TreeNode) -> None:
        """The user has chosen a node: show it, and select its body in the view."""
        self._look_at(node)
        body = body_of(self.session.loaded_model, node.kind, node.index) if node.index >= 0 else -1
        if body >= 0:
            self.session.select(body)

    def _look_at(self, node: TreeNode | None) -> None:
        if node is None or not node.is_element:
            self.inspector.look_at(None, -1)
            self.title.setText(escape(node.name) if node is not None else "Choose an element, or double-click a body")
            self.title.setToolTip("")
        else:
            self.inspector.look_at(node.kind, node.index)
            number = f" {node.index}" if node.index >= 0 else ""
            kind = "" if node.name == node.kind.title else node.kind.title + number
            self.title.setText(f"<b>{escape(node.name)}</b>&nbsp; <span style='color:{theme.colours()['dim']}'>{kind}</span>")
            self.title.setToolTip(f"{node.kind.title}{number}: {node.name}")
        self._say("")
        self.table.build()
        self._show()
        if self.live:
            self.session.send(WatchProbe(self.probe, True))  # again: while paused, nothing is taken but after a command

    # ---- queries

    def show_reading(self, reading: FieldReading) -> None:
        """Show the numbers of the moment."""
        if self.inspector.take(reading):
            self.table.show_values()

    def _show(self) -> None:
        """Show the element's present values."""
        if self.live and self.session.model is self._shown_model:
            self.table.show_values()
            self.remark.setText(self.inspector.remark())
            self.remark.setVisible(bool(self.remark.text()))

    def _say(self, why: str) -> None:
        self.problem.setText(why)
        self.problem.setVisible(bool(why))

    # ---- user input

    def _type(self, entry: FieldEntry, text: str) -> None:
        why = self.inspector.set_text(entry, text)
        self._say(f"Not accepted: {why}" if why else "")
        self._show()

    def menu(self, entry: FieldEntry) -> QMenu:
        """Context menu of a field."""
        menu = QMenu(self)
        add = menu.addAction
        attribute = self.inspector.as_attribute(entry)
        as_attribute = f"Copy {attribute[:40]}" if attribute else "Copy as an attribute of MJCF"
        for text, what in (("Copy value", self.inspector.text(entry, whole=True)), (as_attribute, attribute)):
            action = present(add(text))
            action.setEnabled(bool(what))
            action.triggered.connect(partial(self._copy, what))
        back = present(add("Revert to the file"))
        back.setEnabled(self.inspector.is_changed(entry))
        back.triggered.connect(lambda: self.inspector.restore(entry))
        menu.addSeparator()
        values = self.inspector.values(entry) or ()
        for title, tell in (("Plot", self._plot), ("Stop when it exceeds this value", self._stop)):
            sub = present(menu.addMenu(title))
            sub.setEnabled(bool(entry.numbers))
            for signal, value in zip(entry.numbers, values, strict=False):
                present(sub.addAction(signal.name)).triggered.connect(partial(tell, signal.name, value))
        return menu

    def node_menu(self, node: TreeNode) -> QMenu:
        """Actions on an element; empty if none apply."""
        menu = QMenu(self)
        is_geom = node.kind.prefix == "geom" and node.index >= 0
        if is_geom and self.session.loaded_model.geom_type[node.index] == mjtGeom.mjGEOM_MESH:
            cut = present(menu.addAction("Decompose…"))
            cut.setToolTip("Cut the mesh into convex parts, so that it is hollow for contacts too")
            cut.triggered.connect(lambda: self.decomposition.ask(node.index))
        if is_geom:
            collide = present(menu.addAction("Why does it collide, or not, with…"))
            collide.triggered.connect(lambda: self.session.ask(AskPair(node.index)))
        if node.kind.prefix == "body" and node.index > 0:
            trails = self.session.part(Trails)
            trail = present(menu.addAction("Trail"))
            trail.setCheckable(True)
            trail.setChecked(trails.has(node.index))
            trail.setToolTip("Show where this body has been")
            trail.triggered.connect(lambda: trails.toggle(node.index))
        return menu

    @property
    def decomposition(self) -> DecomposeDesk:
        """Dialog that decomposes meshes; created on first use."""
        if self._desk is None:
            from tumble.app.decompose.decompose_desk import DecomposeDesk

            self._desk = DecomposeDesk(self.session, self)
            self._desk.shown.connect(self._show_pieces)
        return self._desk

    def _show_pieces(self, pieces: Pieces | None) -> None:
        self._viewport.pieces = pieces
        self._viewport.update()

    def _offer_for(self, node: TreeNode, at: QPoint) -> None:
        menu = self.node_menu(node)
        menu.aboutToHide.connect(menu.deleteLater)
        if not menu.isEmpty():
            menu.popup(at)

    def _offer(self, entry: FieldEntry, at: QPoint) -> None:
        menu = self.menu(entry)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _copy(self, text: str) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None:
            clipboard.setText(text)
            self.session.status.emit(f"Copied {text}")

    def _plot(self, name: str, value: float) -> None:
        self.session.ask(PlotSignal(name))

    def _stop(self, name: str, value: float) -> None:
        self.session.ask(ProposeStop(f"{name} > {value:.6g}"))
