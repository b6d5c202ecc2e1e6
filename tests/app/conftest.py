"""Real windows for the tests: OpenGL's format set before the first window, and threads counted after each."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PyQt6 import sip
from PyQt6.QtCore import QCoreApplication, QEvent, Qt
from PyQt6.QtGui import QGuiApplication, QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from tests.app.mouse import drop as drop
from tests.app.pump import HandPumped, remember
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import Settings
from tumble.app.look import theme
from tumble.app.rescue import recovery
from tumble.app.session.session import Session
from tumble.app.shell.application import configure_gl
from tumble.app.shell.main_window import MainWindow
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.thread import ThreadWorker, Worker
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.base_panels import LivePanel
from tumble.physics.kernel.prepare import load
from tumble.physics.observe.sample import sample_signals, sample_solver
from tumble.physics.observe.touch import follow_contacts
from tumble.physics.solver.record import record

configure_gl()

# For whatever a test waits for [ms]: a machine may be busy, and kernels may have to be compiled. Only a red test takes so long.
PATIENCE = 240_000
MODELS = Path(__file__).parent / "models"


@pytest.fixture(scope="session", autouse=True)
def _themed(qapp: QApplication) -> None:
    theme.apply(qapp)


class PatientBot(QtBot):
    """Waits as long as a busy machine may need; no test has a limit of its own."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE, **rest: Any) -> SignalBlocker:
        return super().waitSignal(signal, timeout=timeout, **rest)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """What a test leaves to be painted is looked at by nobody; pytest-qt turns the event loop once more, after this."""
    try:
        return (yield)
    finally:
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible():
                widget.setUpdatesEnabled(False)


@pytest.fixture(autouse=True)
def _buttons_are_up(qapp: QApplication) -> Iterator[None]:
    """Buttons of the mouse that a test has left down go up: in the next one, the focus would seem to come with a click."""
    yield
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton):
        if QGuiApplication.mouseButtons() & button:
            QTest.mouseRelease(QWidget(), button)
    assert QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton


@pytest.fixture
def no_threads_left() -> Iterator[None]:
    """The test leaves as many threads as it found; where no kernel is compiled yet, the engine may be at that for all."""
    before = set(threading.enumerate())
    yield
    after = [thread for thread in threading.enumerate() if thread not in before and not thread.name.startswith("kernels")]
    for thread in after:
        thread.join(60.0)  # what it did is done and delivered; it ends a moment later
    left = [thread.name for thread in after if thread.is_alive()]
    assert not left, f"threads left running: {left}"


@pytest.fixture
def worker(request: pytest.FixtureRequest) -> Worker:
    """Runs the simulation of `window` and of `session`: a thread in real time, or the test itself where it asks for `pump`,
    or its module is marked `pumped` and it not `threaded`."""
    marked = request.node.get_closest_marker("pumped") and not request.node.get_closest_marker("threaded")
    return HandPumped() if marked or "pump" in request.fixturenames else ThreadWorker()


@pytest.fixture
def pump(worker: Worker) -> HandPumped:
    """Time stands until `pump.run` lets it pass, and nothing waits for it; see docs/testing.md."""
    assert isinstance(worker, HandPumped)
    return worker


@pytest.fixture
def simulation(worker: Worker) -> Simulation:
    """The running simulation of `window` or `session`, with its live data."""
    return worker.simulation


@pytest.fixture
def session(qtbot: QtBot, no_threads_left: None, worker: Worker) -> Iterator[Session]:
    """A session without a window."""
    made = Session(worker=worker)
    remember(made, worker)
    yield made
    assert made.close()


@pytest.fixture(scope="session")
def _panels_prepared() -> None:
    """What panels compile when they are first opened is there: no test waits for a compiler, or leaves one at work."""
    load((record, sample_signals, sample_solver, follow_contacts))


@pytest.fixture
def recovery_interval() -> float:
    """Wall time between two writes of the last state [s]: never by chance in the midst of a slow test."""
    return 3600.0


@pytest.fixture
def window_size() -> tuple[int, int]:
    """Of `window` [pixels]: drawing by the processor takes most of a test's time. Modules that need more room ask for it."""
    return (900, 600)


@contextmanager
def opened_window(
    qtbot: QtBot, folder: Path, worker: Worker | None = None, size: tuple[int, int] = (1100, 700)
) -> Iterator[MainWindow]:
    """The window as the user has it, painted once, without a model; its settings are in a folder."""
    relay = LogRelay()
    logger = logging.getLogger("tumble.app")
    logger.setLevel(logging.INFO)
    logger.addHandler(relay)
    worker = worker or ThreadWorker()
    made = MainWindow(Settings(folder / "settings.json"), relay, worker)
    remember(made.session, worker)
    made.resize(*size)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    qtbot.waitUntil(lambda: made.viewport.fps >= 0 and made.viewport.isValid())
    try:
        yield made
    finally:
        made.cleanup()
        logger.removeHandler(relay)
        if not sip.isdeleted(made):  # now: one that is half collected as garbage crashes in its destructor
            made.deleteLater()
            QCoreApplication.sendPostedEvents(made, QEvent.Type.DeferredDelete)


@pytest.fixture
def window(
    qtbot: QtBot,
    tmp_path: Path,
    no_threads_left: None,
    _panels_prepared: None,
    worker: Worker,
    recovery_interval: float,
    window_size: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[MainWindow]:
    """The window as the user has it, painted once, without a model."""
    monkeypatch.setattr(recovery, "INTERVAL", recovery_interval)
    with opened_window(qtbot, tmp_path, worker, window_size) as made:
        qtbot.addWidget(made, before_close_func=lambda w: w.cleanup())
        yield made


def picture(view: Viewport) -> QImage:
    """The view as it is drawn, without what is written over it."""
    kept = view.show_time, view.show_help, view.show_info
    view.show_time = view.show_help = view.show_info = False
    view.tools.hidden = True
    try:
        return view.grabFramebuffer()
    finally:
        view.tools.hidden = False
        view.show_time, view.show_help, view.show_info = kept


def written(path: Path, text: str) -> Path:
    """Write a file; its path."""
    path.write_text(text, encoding="utf-8")
    return path


def open_panel(qtbot: QtBot, window: MainWindow, key: str, path: Path | None = None, paused: bool = False) -> Any:
    """Open a model, one that stands if it is to, and bring a panel to the front: the panel, which follows the simulation."""
    if paused:
        window.session.set_paused(True)
    if path is not None:
        open_and_wait(qtbot, window.session, path)
    window.panels.dock(key).bring()
    panel = getattr(window.panels, key)
    qtbot.waitUntil(lambda: panel.live if isinstance(panel, LivePanel) else panel.isVisible())
    return panel


def open_and_wait(qtbot: QtBot, session: Session, path: Path, act: Callable[[], None] | None = None) -> None:
    """Open a model, by the session or another way, and wait until it runs."""
    with qtbot.waitSignal(session.model_loaded):
        if act is None:
            session.open(path)
        else:
            act()
