"""The table of panels is the only place that lists them."""

import ast
import sys
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QMenu

from tests.app.conftest import MODELS, open_and_wait
from tumble.app import panels
from tumble.app.look.actions import plain
from tumble.app.panels import table
from tumble.app.panels.table import BOTTOM, PANELS, PanelSpec
from tumble.app.session.requests import PlotSignal, ProposeStop, Show
from tumble.app.widgets.dock import Panel

ROOM = Path(panels.__path__[0])
EXTRA = """
from PyQt6.QtCore import QObject
from PyQt6.QtWidgets import QLabel
from tumble.app.widgets.dock import Dock, Panel
from tumble.app.widgets.workbench import Workbench

class Notes(QObject):
    def __init__(self, session):
        super().__init__(session)
        self.closed = False
    def close(self):
        self.closed = True
        return True

class FieldNotesPanel(Panel):
    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self.bench, self.notes = bench, bench.session.part(Notes)
        self.set_content(QLabel("Notes"))
"""


@pytest.fixture
def one_more(tmp_path, monkeypatch):
    """A folder and a line more."""
    (tmp_path / "field_notes").mkdir()
    (tmp_path / "field_notes" / "panel.py").write_text(EXTRA)
    monkeypatch.setattr(panels, "__path__", [*panels.__path__, str(tmp_path)])
    monkeypatch.setattr(table, "PANELS", (*PANELS, PanelSpec("field_notes", "Field notes", BOTTOM)))
    yield
    for name in [name for name in sys.modules if name.startswith("tumble.app.panels.field_notes")]:
        del sys.modules[name]


def test_a_new_panel_is_one_folder_and_one_line(one_more, window, qtbot):
    dock = window.panels.dock("field_notes")
    entries = {menu.title(): [a.text() for a in menu.actions()] for menu in window.menuBar().findChildren(QMenu)}
    assert "Field notes" in map(plain, entries["&Window"])
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.BottomDockWidgetArea
    assert not dock.isVisible()
    assert "tumble.app.panels.field_notes.panel" not in sys.modules
    dock.toggleViewAction().trigger()
    qtbot.waitUntil(lambda: dock.is_made)
    window.panels.dock("log").show()
    assert dock in window.tabifiedDockWidgets(window.panels.dock("log"))
    panel = window.panels.field_notes
    assert panel.bench.session is window.session
    assert panel.notes is window.session.part(type(panel.notes))
    state = window.view_state()
    assert "field_notes" in state["docks"]  # a replay remembers it
    dock.hide()
    window.session.ask(Show("field_notes"))
    qtbot.waitUntil(lambda: not dock.visibleRegion().isEmpty())
    window.cleanup()
    assert panel.notes.closed


def test_every_folder_is_a_line_and_every_line_a_folder():
    folders = {path.parent.name for path in ROOM.glob("*/panel.py")}
    assert folders == {path.name for path in ROOM.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert [spec.key for spec in PANELS] == sorted(folders, key=[spec.key for spec in PANELS].index)
    for spec in PANELS:
        tree = ast.parse((ROOM / spec.key / "panel.py").read_text())
        assert spec.class_name in [node.name for node in tree.body if isinstance(node, ast.ClassDef)]


def test_the_window_names_no_panel_but_for_what_its_actions_do():
    tree = ast.parse((Path(panels.__path__[0]).parent / "shell" / "main_window.py").read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named = {name for name in imported if name is not None and name.startswith("tumble.app.panels.")}
    assert named == {"tumble.app.panels.table"}


def test_a_panel_that_does_not_exist_is_said(window):
    with pytest.raises(AttributeError, match="no panel nonsense; there are joints, inspector"):
        window.panels.nonsense  # noqa: B018


def test_a_model_is_the_same_for_all_who_ask_and_is_closed_with_its_session(session):
    closed = []

    class Counted:
        def __init__(self, session):
            self.session = session
            self.number = session.part(Inner).number + 1

        def close(self):
            closed.append(type(self))
            return True

    class Inner(Counted):
        def __init__(self, session):
            self.number = 1

    assert session.part(Counted) is session.part(Counted)
    assert session.part(Counted).number == 2  # one may be made of others
    assert session.part(Counted).session is session
    assert session.close()
    assert closed == [Inner, Counted]


def test_what_is_asked_of_a_panel_opens_it_and_is_done_there(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "ball.xml")
    asked = [PlotSignal("time"), ProposeStop("time > 1")]
    for request in asked:
        dock = window.panels.dock(request.panel)
        assert not dock.is_made
        window.session.ask(request)
        assert isinstance(dock.panel, Panel)
        assert dock.isVisible()
    assert [signal.name for signal in window.panels.signals.panes[0].signals] == ["time"]
    assert window.panels.breakpoints.text.text() == "time > 1"


def test_a_panel_behind_another_tab_is_raised_by_its_menu_entry_and_closed_once_it_is_in_front(window, qtbot):
    control, options = window.panels.dock("control"), window.panels.dock("options")
    control.raise_()
    qtbot.waitUntil(lambda: not control.visibleRegion().isEmpty())
    options.raise_()
    qtbot.waitUntil(lambda: control.visibleRegion().isEmpty())
    for dock in (control, options):
        entry = dock.toggleViewAction()
        entry.trigger()
        qtbot.waitUntil(lambda dock=dock: not dock.visibleRegion().isEmpty())
        assert entry.isChecked()
    entry.trigger()
    assert options.isHidden()
    assert not entry.isChecked()
    entry.trigger()
    assert options.isVisible()
    assert entry.isChecked()
