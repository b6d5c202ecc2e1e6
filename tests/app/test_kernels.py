"""Kernels that only a panel needs are compiled beside the simulation: opening the panel stops neither time nor window."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pytest
from PyQt6.QtCore import QObject
from pytestqt.qtbot import QtBot

import physics
import physics.step.tap
from app import kernels
from app.docks.live import LivePanel
from app.edits import Place
from app.main_window import MainWindow
from physics.kernel import Compiled, prepare
from tests.app.conftest import MODELS, open_and_wait

COMPILING = 4.0  # what each kernel takes here [s]
NAMES = {"record", "sample_solver", "sample_signals", "follow_contacts", "pgs"}


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """As on a first start: panels' kernels are not compiled, and compiling one takes its time. What has been compiled."""
    compiled: set[str] = set()
    real = Compiled.__dict__["address"]

    def is_there(part: Compiled) -> bool:
        return part.name not in NAMES or part.name in compiled

    def compile_it(part: Compiled) -> None:
        if not is_there(part):
            time.sleep(COMPILING)
            compiled.add(part.name)

    def address(part: Compiled) -> int:
        compile_it(part)
        return int(part.__dict__["address"] if "address" in part.__dict__ else real.__get__(part))

    def build(parts: Sequence[Compiled], done: Callable[[Compiled], None]) -> None:
        for part in parts:
            compile_it(part)
            done(part)

    monkeypatch.setattr(Compiled, "address", property(address))
    monkeypatch.setattr(Compiled, "ready", property(is_there))
    monkeypatch.setattr(Compiled, "kept", property(is_there))
    for module in (physics.step.tap, kernels, prepare):
        monkeypatch.setattr(module, "compile_beside", build)
    return compiled


@pytest.mark.parametrize("name", ["solver", "contact_events", "signals"])
def test_time_goes_on_while_a_panel_that_is_opened_first_is_prepared(
    window: MainWindow, qtbot: QtBot, empty_cache: set[str], name: str
) -> None:
    session = window.session
    open_and_wait(qtbot, session, MODELS / "incline.xml")
    panel = getattr(window.panels, name)
    said: list[str] = []
    session.status.connect(said.append)
    longest, before = 0.0, time.perf_counter()

    def look() -> None:
        nonlocal longest, before
        now = time.perf_counter()
        longest, before = max(longest, now - before), now

    panel.dock.show()
    panel.dock.raise_()
    if name == "signals":
        panel.add("time")
    session.advanced.connect(look)
    assert panel.kernels.running
    assert said == [kernels.PREPARING]
    if isinstance(panel, LivePanel):
        qtbot.waitUntil(lambda: panel.convergence.summary.text() == kernels.PREPARING, timeout=1_000)
    qtbot.waitUntil(lambda: not panel.kernels.running, timeout=20_000)
    look()
    assert longest < COMPILING / 2  # as long as one kernel, if time had waited for it
    assert empty_cache
    sampled = {
        "solver": lambda: panel.history.now.count,
        "contact_events": lambda: len(panel.lanes.pairs),
        "signals": lambda: panel.traces.now.count,
    }[name]
    qtbot.waitUntil(lambda: sampled() > 0, timeout=10_000)
    if isinstance(panel, LivePanel):
        session.set_paused(True)
        qtbot.waitUntil(lambda: panel.comparison.record is not None, timeout=10_000)


@pytest.mark.parametrize("way", ["option", "solve again"])
def test_another_solver_is_prepared_while_the_window_lives_on_and_says_so(
    window: MainWindow, qtbot: QtBot, empty_cache: set[str], way: str
) -> None:
    session = window.session
    open_and_wait(qtbot, session, MODELS / "incline.xml")
    told: list[physics.KernelProgress] = []
    session.kernels_progress.connect(told.append)
    answers: list[object] = []
    pgs = int(physics.mjtSolver.mjSOL_PGS)
    if way == "option":
        window.edits.set(Place("opt.solver"), (float(pgs),), "solver")
    else:
        session.solve_again({"solver": pgs}, answers.append)
    qtbot.waitUntil(lambda: window.viewport.progress is not None, timeout=5_000)
    assert "Preparing the simulation, once on this computer: about " in window.viewport.progress[0]
    qtbot.waitUntil(lambda: window.viewport.progress is None, timeout=20_000)
    assert empty_cache == {"pgs"}
    assert (told[0].done, told[-1].done) == (0.0, 1.0)
    before = session.snapshot.time
    qtbot.waitUntil(lambda: session.snapshot.time > before + 0.1, timeout=10_000)
    if way == "solve again":
        qtbot.waitUntil(lambda: isinstance(answers[0], physics.Solved) if answers else False, timeout=10_000)


def test_who_cannot_compile_beside_goes_on_all_the_same(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that fails leaves its kernels undone, and first use compiles them: nobody waits for ever."""
    monkeypatch.setattr(Compiled, "ready", property(lambda part: False))
    monkeypatch.setattr(Compiled, "kept", property(lambda part: False))
    monkeypatch.setattr(kernels, "compile_beside", lambda parts, done: None)
    owner = QObject()
    made = kernels.Preparation((physics.step.sample.sample_signals,), lambda text: None, owner)
    with qtbot.waitSignal(made.ended, timeout=5_000):
        assert not made.ready()
    assert made.ready()
