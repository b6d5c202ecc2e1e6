"""Several geoms at once: which, and choosing them by body, by class, from a list or in the view."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QEvent, QObject, QPointF, Qt, pyqtSignal
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtWidgets import QAbstractItemView, QListWidget, QMenu, QToolButton, QWidget

from tumble import physics
from tumble.app.base.background import Background
from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.names import body_name, name_of
from tumble.app.editing.geom_classes import geom_classes
from tumble.app.session.session import Session
from tumble.app.viewport.gestures import is_click
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.form import FormDialog
from tumble.app.widgets.layout import hbox, make_label, present
from tumble.app.widgets.tables import FilterField, has_words
from tumble.physics.compiler.compile import outline
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_path

if TYPE_CHECKING:
    from tumble.physics import MjModel

NAMED = 3  # of the geoms chosen
GEOM = physics.mjtObj.mjOBJ_GEOM


class SeveralBar(QWidget):
    """Shows which geoms are edited together, and offers others. chosen: these (a tuple), the first one leading."""

    chosen = pyqtSignal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._background = Background("classes", self)
        self._classes: list[tuple[str, tuple[int, ...]]] | None = None  # of this model, None before they were read
        self.geoms: tuple[int, ...] = ()
        self.words = make_label(ink="dim", wrap=True)
        self.button = QToolButton()
        self.button.setText("Several…")
        tip = "Edit several geoms at once: all of a body, of a class, or chosen ones"
        self.button.setToolTip(tip + with_keys(" (Ctrl+click in the view)"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill)
        self.button.setMenu(self.menu)
        line = hbox((self.words, 1), margins=(12, 0, 10, 4), inside=self)
        line.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)

    def show_geoms(self, geoms: tuple[int, ...]) -> None:
        """Show which geoms are edited."""
        self.geoms, model = geoms, self._session.model
        many = len(geoms) > 1 and model is not None
        if many and model is not None:
            names = ", ".join(name_of(model, GEOM, g) for g in geoms[:NAMED])
            more = f" and {len(geoms) - NAMED} more" if len(geoms) > NAMED else ""
            self.words.setText(f"{len(geoms)} geoms together: {names}{more}")
        else:
            self.words.setText("")

    def forget(self) -> None:
        """Another model runs."""
        self._classes = None

    def toggle(self, geom: int) -> None:
        """Add a geom to those that are edited, or leave it out if it is one of them."""
        rest = tuple(g for g in self.geoms if g != geom)
        self.chosen.emit(rest or (geom,) if geom in self.geoms else (*self.geoms, geom))

    # ---- the menu

    def _fill(self) -> None:
        self.menu.clear()
        model = self._session.model
        if model is None or not self.geoms:
            return
        first = self.geoms[0]
        if len(self.geoms) > 1:
            self._offer(f"Only {name_of(model, GEOM, first)}", (first,))
        body = int(model.geom_bodyid[first])
        of_body = tuple(int(g) for g in range(model.ngeom) if int(model.geom_bodyid[g]) == body)
        if len(of_body) > 1:
            self._offer(f"All {len(of_body)} geoms of {body_name(model, body) if body else 'the world'}", of_body)
        if model.ngeom > 1:
            self._offer(f"All {model.ngeom} geoms", tuple(range(model.ngeom)))
        present(self.menu.addAction("Choose from a list…")).triggered.connect(self._ask)
        if self._classes is not None:
            self._offer_classes(self._classes)
        elif self._session.path is not None:
            path = self._session.path
            self._background.run(lambda: _classes_of(path), partial(self._on_classes, model))

    def _on_classes(self, model: MjModel, found: list[tuple[str, tuple[int, ...]]]) -> None:
        if model is self._session.model:
            self._classes = found
            if self.menu.isVisible():
                self._offer_classes(found)

    def _offer_classes(self, found: list[tuple[str, tuple[int, ...]]]) -> None:
        for name, members in found:
            self._offer(f"All {len(members)} geoms of class “{name}”", members)

    def _offer(self, text: str, geoms: tuple[int, ...]) -> None:
        present(self.menu.addAction(text)).triggered.connect(lambda: self.chosen.emit(geoms))

    def _ask(self) -> None:
        model = self._session.model
        if model is not None:
            dialog = SeveralDialog(model, self.geoms, self)
            dialog.taken.connect(lambda geoms: self.chosen.emit(geoms) if model is self._session.model else None)
            dialog.appear()


def _classes_of(path: Path) -> list[tuple[str, tuple[int, ...]]]:
    """The default classes of a file, and their geoms; none where it does not load any more. Takes as long as reading it."""
    try:
        document = read_path(path)
        return [(entry.name, entry.members) for entry in geom_classes(document, outline(document)) if len(entry.members) > 1]
    except PhysicsError:
        return []


class SeveralDialog(FormDialog):
    """A list of all geoms; several are chosen with Ctrl or Shift. taken: these (a tuple)."""

    taken = pyqtSignal(object)

    def __init__(self, model: MjModel, chosen: tuple[int, ...], parent: QWidget) -> None:
        super().__init__("Choose geoms", "Choose", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = FilterField("Filter geoms", "Filter by name or body", "Geoms that have all these words")
        self.list = QListWidget()
        self.list.setAccessibleName("Geoms")
        self.list.setToolTip(with_keys("Ctrl+click or Shift+click chooses several"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        for geom in range(model.ngeom):
            body = int(model.geom_bodyid[geom])
            self.list.addItem(f"{name_of(model, GEOM, geom)}   ({body_name(model, body) if body else 'world'})")
        for geom in chosen:
            item = self.list.item(geom)
            if item is not None:
                item.setSelected(True)
        self.search.textChanged.connect(lambda text: self._filter())
        for place, widget in enumerate((self.search, self.search.hidden, self.list)):
            self.column.insertWidget(place, widget, 1 if widget is self.list else 0)
        self.list.setMinimumSize(320, 260)
        self.wanted.connect(self._take)

    def _filter(self) -> None:
        items = [item for row in range(self.list.count()) if (item := self.list.item(row)) is not None]
        for item in items:
            item.setHidden(not has_words(item.text(), self.search.words))
        self.search.show_hidden(sum(item.isHidden() for item in items))

    def _take(self) -> None:
        geoms = tuple(sorted(self.list.row(item) for item in self.list.selectedItems() if not item.isHidden()))
        if not geoms:
            self.refuse("Choose at least one geom")
            return
        self.taken.emit(geoms)
        self.accept()


class GeomClicks(QObject):
    """Watches the view for Ctrl+click. clicked: on a geom, and whether it is to be added to those before."""

    clicked = pyqtSignal(int, bool)

    def __init__(self, session: Session, view: Viewport) -> None:
        super().__init__(view)
        self._session, self._view = session, view
        self._pressed: QPointF | None = None
        self._adds = False
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Note the place of Ctrl and a left press, and take the geom there if they are released at the same place."""
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            held = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if event.type() == QEvent.Type.MouseButtonPress:
                self._pressed = event.position() if held else None
                self._adds = self._session.selection > 0  # else the press itself selects the body
            elif event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
                hit = self._view.looking.pick(event.position()) if held and is_click(self._pressed, event.position()) else None
                self._pressed = None
                if hit is not None and hit.geom >= 0:
                    self.clicked.emit(hit.geom, self._adds)
        return super().eventFilter(watched, event)
