"""Panels are listed in one table, follow the simulation exactly while they are seen, and cost nothing before or after."""

import ast
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtWidgets import QMenu, QTabBar

from tests.app.conftest import MODELS, open_and_wait
from tests.app.pump import simulation_of
from tumble import physics
from tumble.app import panels
from tumble.app.look.actions import plain
from tumble.app.panels import table
from tumble.app.panels.table import BOTTOM, PANELS, PanelSpec
from tumble.app.session.requests import PlotSignal, ProposeStop, Show
from tumble.app.shell.layouts.layout_desk import LAYOUT_VERSION
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Panel

ROOM = Path(panels.__path__[0])
EXTRA = """
from PyQt6.QtCore import QObject
from PyQt6.QtWidgets import QLabel
from tumble.app.widgets.dock import Dock, Panel
from tumble.app.widgets.dock import Workbench

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
    """A module and a line more."""
    (tmp_path / "field_notes_panel.py").write_text(EXTRA)
    monkeypatch.setattr(panels, "__path__", [*panels.__path__, str(tmp_path)])
    monkeypatch.setattr(table, "PANELS", (*PANELS, PanelSpec("field_notes", "Field notes", BOTTOM)))
    yield
    for name in [name for name in sys.modules if name.startswith("tumble.app.panels.field_notes")]:
        del sys.modules[name]


def test_a_new_panel_is_one_module_and_one_line(one_more, window, qtbot):
    dock = window.panels.dock("field_notes")
    entries = {menu.title(): [a.text() for a in menu.actions()] for menu in window.menuBar().findChildren(QMenu)}
    assert "Field notes" in map(plain, entries["&Window"])
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.BottomDockWidgetArea
    assert not dock.isVisible()
    assert "tumble.app.panels.field_notes_panel" not in sys.modules
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


def test_panels_are_listed_by_the_table_alone():
    modules = {".".join(path.relative_to(ROOM).with_suffix("").parts): path for path in ROOM.rglob("*_panel.py")}
    assert {f"tumble.app.panels.{name}" for name in modules} == {spec.module for spec in PANELS}
    folders = {path.parent.name for path in ROOM.glob("*/__init__.py")}  # not what an earlier version left of its caches
    assert folders == {name.split(".")[0] for name in modules if "." in name}
    for spec in PANELS:
        tree = ast.parse(modules[spec.module.removeprefix("tumble.app.panels.")].read_text())
        assert spec.class_name in [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    tree = ast.parse((Path(panels.__path__[0]).parent / "shell" / "main_window.py").read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named = {name for name in imported if name is not None and name.startswith("tumble.app.panels.")}
    assert named == {"tumble.app.panels.table"}


def test_session_parts_are_shared_and_closed_with_session(session):
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
    requests = [PlotSignal("time"), ProposeStop("time > 1")]
    for request in requests:
        dock = window.panels.dock(request.panel)
        assert not dock.is_made
        window.session.ask(request)
        assert isinstance(dock.panel, Panel)
        assert dock.isVisible()
    assert [signal.name for signal in window.panels.signals.panes[0].signals] == ["time"]
    assert window.panels.breakpoints.text.text() == "time > 1"


def test_menu_entry_raises_a_tabbed_panel_then_closes_it(window, qtbot):
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


@pytest.mark.parametrize("name", ["parameters", "inspector"])
def test_a_dock_made_to_float_from_behind_a_tab_follows(window, qtbot, name):
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    panel = getattr(window.panels, name)
    front = window.panels.dock({"parameters": "control", "inspector": "joints"}[name])
    front.raise_()
    qtbot.waitUntil(lambda: not panel.live)
    panel.dock.setFloating(True)
    qtbot.waitUntil(lambda: panel.dock.isVisible() and panel.live)
    assert window.geometry().contains(panel.dock.geometry().topLeft())  # where the user sees it
    qtbot.waitUntil(lambda: window.session.reading(panel.probe) is not None)
    panel.dock.close()
    qtbot.waitUntil(lambda: not panel.live)
    panel.dock.show()
    qtbot.waitUntil(lambda: panel.live)
    panel.dock.setFloating(False)
    panel.dock.raise_()
    qtbot.waitUntil(lambda: panel.live)
    front.raise_()
    qtbot.waitUntil(lambda: not panel.live)


def test_signals_made_to_float_from_behind_a_tab_are_sampled(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    panel = window.panels.signals
    panel.dock.show()
    panel.add("time")
    window.panels.log.dock.bring()
    qtbot.waitUntil(lambda: panel.dock.visibleRegion().isEmpty())
    qtbot.waitUntil(lambda: simulation_of(window.session).data.tap == 0)
    panel.dock.setFloating(True)
    qtbot.waitUntil(lambda: panel.traces.now.count > 5)


def test_no_tab_bar_lies_about_that_belongs_to_no_docks(window, qtbot):
    """Qt forgets one when docks are put into tabs, and each time a layout is restored, as at every start."""

    def titles():
        bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        seen = [bar for bar in bars if bar.isVisible() and bar.geometry().intersects(window.rect())]
        return sorted([bar.tabText(k) for k in range(bar.count())] for bar in seen)

    expected = [["Control", "Parameters", "Options"], ["Joints", "Model"]]
    qtbot.waitUntil(lambda: titles() == expected)
    window.restoreState(window.saveState(LAYOUT_VERSION), LAYOUT_VERSION)
    window.resize(1200, 760)
    qtbot.waitUntil(lambda: titles() == expected)
    window.panels.signals.dock.show()
    window.panels.log.dock.show()
    qtbot.waitUntil(lambda: titles() == [*expected, ["Signals", "Log"]])


def test_a_window_in_which_nothing_happens_does_nothing(window, qtbot):
    """No layout follows from a layout: once that went on for ever, and took a whole core."""
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    window.session.set_paused(True)
    qtbot.wait(400)
    counted = EventCounter(QEvent.Type.LayoutRequest)
    window.installEventFilter(counted)
    qtbot.wait(300)
    window.removeEventFilter(counted)
    assert counted.count <= 1


class EventCounter(QObject):
    """Counts the events of one kind that a widget gets."""

    def __init__(self, kind):
        super().__init__()
        self._kind, self.count = kind, 0

    def eventFilter(self, watched, event):
        self.count += event is not None and event.type() == self._kind
        return False


FIRST_MODULES = 30  # of ours that are imported until the window is shown, and until all is in it, with two panels
MOST_MODULES = 400
# A start up to where a model is opened. What is imported beside it, while the window is shown, does not count.
START = """
import os, sys
from pathlib import Path
import tumble.__main__
from PyQt6.QtWidgets import QMainWindow
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import Settings
from tumble.app.rescue import graphics
from tumble.app.shell import application, curtain, main_window
raise_on = curtain.raise_on
def seen(window, opening):
    raise_on(window, opening)
    assert window.isVisible()
    print(*sys.modules)
curtain.raise_on = seen
app = application.create(["tumble"])
graphics.no_platform()
window = main_window.MainWindow(Settings(Path(sys.argv[1])), LogRelay(), None, curtain.Opening())
print(*sys.modules)
window.cleanup()
sys.stdout.flush()
os._exit(0)
"""


@pytest.fixture
def calls(window, monkeypatch):
    """How often each dock's probe was taken in the simulation thread, and how often the dock showed what it took."""
    counts = Counter()

    def counted(name, function):
        def call(*args):
            counts[name] += 1
            return function(*args)

        return call

    for panel in live_panels(window):
        name = panel.dock.objectName()
        monkeypatch.setattr(panel.probe, "take", counted(f"{name} taken", panel.probe.take))
        monkeypatch.setattr(panel, "show_reading", counted(f"{name} shown", panel.show_reading))
    return counts


def live_panels(window):
    """All panels that follow the simulation, made where they are not there yet."""
    return [panel for dock in window.docks if isinstance(panel := dock.panel, LivePanel)]


def test_closed_docks_cost_nothing_and_an_open_one_costs_its_own(window, qtbot, pump, calls):
    open_and_wait(qtbot, window.session, MODELS / "incline.xml")
    for dock in window.docks:
        dock.hide()
    simulation = simulation_of(window.session)
    qtbot.waitUntil(lambda: not simulation._probes)
    calls.clear()
    pump.run(0.3)
    assert not calls
    assert not simulation._streams
    assert simulation._monitor is None
    assert simulation.data.tap == 0
    assert not physics.is_recording(simulation.data)
    live = live_panels(window)
    assert len(live) >= 5
    for panel in live:
        panel.dock.show()
        name = panel.dock.objectName()
        qtbot.waitUntil(lambda: panel.live)  # noqa: B023  at once
        pump.run(0.4)
        assert calls[f"{name} taken"] > 3
        assert calls[f"{name} shown"] > 1
        assert {key.split()[0] for key in calls} == {name}
        panel.dock.hide()
        qtbot.waitUntil(lambda: not simulation._probes)
        calls.clear()


def test_panels_are_built_lazily_and_show_the_loaded_model(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    assert {dock.objectName() for dock in window.docks if dock.is_made} == {"joints", "control"}
    window.panels.dock("inspector").bring()
    qtbot.waitUntil(lambda: window.panels.dock("inspector").is_made)
    assert window.panels.inspector.view.nodes.find("body", 1) is not None


def test_a_start_imports_no_closed_panels_compiler_or_grammar(imports):
    late = [spec.module for spec in PANELS if spec.key not in ("joints", "control", "log")]
    late += ["pyqtgraph", "imageio_ffmpeg", "tumble.app.film.export", "tumble.app.film.recording", "tumble.app.film.video"]
    late += ["tumble.app.rescue.report", "tumble.app.rescue.recovery_dialog", "tumble.app.widgets.trust_dialog"]
    assert not imports[1].intersection(late)
    engine = "compiler.compile compiler.setconst mjcf.schema mjcf.reader model spec run.program step.simulate"
    heavy = {f"tumble.physics.{name}" for name in engine.split()}
    heavy |= {"numba", "llvmlite", "scipy", "lxml", "PIL", "rich", "numpy.ma"}
    assert imports[1] & heavy == set()
    assert all(find_spec(name) for name in (*late, *heavy))  # a name that nothing has would forbid nothing
    assert len(_ours(imports[1])) < MOST_MODULES, "each takes 0.6 ms of every start"


def test_the_window_is_shown_before_what_is_in_it_is_imported(imports):
    shown = imports[0]
    late = {"numpy", "moderngl", "tumble.physics.state.data", "tumble.render.renderer", "tumble.app.session.session"}
    assert shown & late == set()
    assert len(_ours(shown)) < FIRST_MODULES, "each takes 0.6 ms until there is a window"


def _ours(names):
    return [name for name in names if name.startswith("tumble.")]


@pytest.fixture(scope="module")
def imports(tmp_path_factory):
    """What has been imported when the window is first shown, empty, and when all is in it."""
    done = subprocess.run(
        [sys.executable, "-c", START, str(tmp_path_factory.mktemp("start") / "settings.json")],
        cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True,
    )  # fmt: skip
    shown, filled = done.stdout.splitlines()
    return set(shown.split()), set(filled.split())
