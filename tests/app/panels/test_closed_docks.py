"""Nothing is computed for a dock that nobody sees: calls are counted in both threads."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.app.conftest import MODELS, open_and_wait
from tests.app.pump import simulation_of
from tumble import physics
from tumble.app.panels.table import PANELS
from tumble.app.widgets.live_panel import LivePanel

FIRST_MODULES = 30  # of ours that are imported until the window is shown, and until all is in it, with two panels
MOST_MODULES = 455
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
    found = Counter()

    def counted(name, function):
        def call(*args):
            found[name] += 1
            return function(*args)

        return call

    for panel in live_panels(window):
        name = panel.dock.objectName()
        monkeypatch.setattr(panel.probe, "take", counted(f"{name} taken", panel.probe.take))
        monkeypatch.setattr(panel, "show_reading", counted(f"{name} shown", panel.show_reading))
    return found


def live_panels(window):
    """All panels that follow the simulation, made where they are not there yet."""
    return [panel for dock in window.docks if isinstance(panel := dock.panel, LivePanel)]


def _run(window, qtbot, seconds):
    """So much simulated time passes."""
    until = window.session.snapshot.time + seconds
    qtbot.waitUntil(lambda: window.session.snapshot.time >= until)


def _wait_until_it_follows(window, qtbot, panel, calls):
    """Its probe is taken in the simulation, and it shows what is taken; where it does not, how far it has come."""
    name, session = panel.dock.objectName(), window.session
    before = session.snapshot.time
    try:
        qtbot.waitUntil(lambda: calls[f"{name} taken"] > 3 and calls[f"{name} shown"] > 1)
    except TimeoutError:
        where = f"live {panel.live}, visible {panel.dock.isVisible()} at {panel.dock.geometry().getRect()}"
        went = f"time went from {before:g} to {session.snapshot.time:g} s, commands obeyed: {session.is_obeyed}"
        pytest.fail(f"{name} does not follow: {dict(calls)}; {where}; {went}")


@pytest.mark.slow
def test_closed_docks_cost_nothing_and_an_open_one_costs_its_own(window, qtbot, calls):
    open_and_wait(qtbot, window.session, MODELS / "incline.xml")
    for dock in window.docks:
        dock.hide()
    simulation = simulation_of(window.session)
    qtbot.waitUntil(lambda: not simulation._probes)
    calls.clear()
    _run(window, qtbot, 0.3)
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
        _wait_until_it_follows(window, qtbot, panel, calls)
        assert {key.split()[0] for key in calls} == {name}
        panel.dock.hide()
        qtbot.waitUntil(lambda: not simulation._probes)
        calls.clear()


def test_only_what_is_seen_at_first_is_made_and_a_panel_seen_later_shows_the_model(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    assert {dock.objectName() for dock in window.docks if dock.is_made} == {"joints", "control"}
    window.panels.dock("inspector").bring()
    qtbot.waitUntil(lambda: window.panels.dock("inspector").is_made)
    assert window.panels.inspector.view.nodes.find("body", 1) is not None


def test_a_start_imports_neither_panels_that_are_closed_nor_what_few_sessions_use(imports):
    late = [f"tumble.app.panels.{spec.key}.panel" for spec in PANELS if spec.key not in ("joints", "control", "log")]
    late += ["pyqtgraph", "imageio_ffmpeg", "tumble.app.film.export", "tumble.app.film.recording", "tumble.app.film.video"]
    late += ["tumble.app.rescue.reporting", "tumble.app.rescue.report"]
    late += ["tumble.app.rescue.recovery_dialog", "tumble.app.panels.control.trust_dialog"]
    assert not imports[1].intersection(late)


def test_a_start_imports_neither_the_compiler_nor_the_grammar_of_mjcf(imports):
    engine = "compiler.compile compiler.setconst mjcf.schema mjcf.reader model spec dispatch.program step.simulate sensor.rays"
    heavy = {f"tumble.physics.{name}" for name in engine.split()}
    heavy |= {"numba", "llvmlite", "scipy", "lxml", "PIL", "rich", "numpy.ma"}
    assert imports[1] & heavy == set()
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
