"""Kernels that only a panel needs are compiled beside the simulation: opening the panel stops neither time nor window."""

import threading

import pytest
from PyQt6.QtCore import QObject, QPoint, Qt

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics
from tumble.app.editing.edits import EditPlace
from tumble.app.library.examples import EXAMPLES
from tumble.app.look.theme import RESOURCES
from tumble.app.session import loader, panel_stream
from tumble.app.session.loader import file_digest
from tumble.app.session.loading import preparing
from tumble.app.simulation.commands import RecordSolves, SolveAgain, StreamSteps
from tumble.app.widgets.base_panels import LivePanel
from tumble.physics.compiler import compile as compiling
from tumble.physics.compiler.assets.mesh import process
from tumble.physics.kernel import Compiled, prepare
from tumble.physics.observe import tap

NAMES = {"record", "sample_solver", "sample_signals", "follow_contacts", "pgs"}


@pytest.fixture
def compiler(monkeypatch):
    """Set: the compiler comes to an end; until then it takes its time."""
    go_on = threading.Event()
    yield go_on
    go_on.set()


@pytest.fixture
def empty_cache(monkeypatch, compiler):
    """As on a first start: panels' kernels are not compiled, and compiling one takes its time. What has been compiled."""
    compiled = set()
    real = Compiled.__dict__["address"]

    def is_there(part):
        return part.name not in NAMES or part.name in compiled

    def compile_it(part):
        if not is_there(part):
            assert compiler.wait(60)
            compiled.add(part.name)

    def address(part):
        compile_it(part)
        return int(part.__dict__["address"] if "address" in part.__dict__ else real.__get__(part))

    def build(parts, done, **more):
        for part in parts:
            compile_it(part)
            done(part)

    monkeypatch.setattr(Compiled, "address", property(address))
    monkeypatch.setattr(Compiled, "ready", property(is_there))
    monkeypatch.setattr(Compiled, "kept", property(is_there))
    for module in (tap, panel_stream, prepare):
        monkeypatch.setattr(module, "compile_beside", build)
    monkeypatch.setattr(physics, "work_ahead", lambda: None)
    return compiled


@pytest.mark.parametrize("name", ["solver", "contact_events", "signals"])
def test_simulation_runs_while_panel_kernels_compile(window, qtbot, empty_cache, compiler, name):
    session = window.session
    open_and_wait(qtbot, session, MODELS / "incline.xml")
    panel = getattr(window.panels, name)
    messages = []
    session.status.connect(messages.append)
    panel.dock.bring()
    if name == "signals":
        panel.add("time")
    assert panel.kernels.running
    assert messages == [panel_stream.PREPARING]
    if isinstance(panel, LivePanel):
        qtbot.waitUntil(lambda: panel.convergence.summary.text() == panel_stream.PREPARING)
    before, looks = session.snapshot.time, []
    session.advanced.connect(lambda: looks.append(session.snapshot.time))
    qtbot.waitUntil(lambda: session.snapshot.time > before + 0.1 and len(looks) > 3)
    assert panel.kernels.running  # time and window went on, and none is compiled yet
    assert not empty_cache
    compiler.set()
    qtbot.waitUntil(lambda: not panel.kernels.running)
    assert empty_cache
    sampled = {
        "solver": lambda: panel.history.now.count,
        "contact_events": lambda: len(panel.lanes.pairs),
        "signals": lambda: panel.traces.now.count,
    }[name]
    qtbot.waitUntil(lambda: sampled() > 0)
    if isinstance(panel, LivePanel):
        session.set_paused(True)
        qtbot.waitUntil(lambda: panel.comparison.record is not None)


def test_recording_starts_before_step_stream_on_preparation(
    window, qtbot, empty_cache, compiler, monkeypatch
):
    session, panel = window.session, window.panels.solver
    open_and_wait(qtbot, session, MODELS / "incline.xml")
    begun, send = [], session.send

    def note(command):
        if isinstance(command, RecordSolves | StreamSteps):
            begun.append(type(command))
        send(command)

    monkeypatch.setattr(session, "send", note)
    panel.dock.bring()
    assert not begun
    compiler.set()
    qtbot.waitUntil(lambda: not panel.kernels.running)
    assert begun == [RecordSolves, StreamSteps]
    panel.dock.hide()
    panel.dock.show()
    assert begun == [RecordSolves, StreamSteps, RecordSolves, StreamSteps, RecordSolves, StreamSteps]


@pytest.mark.parametrize("way", ["option", "solve again"])
def test_solver_kernels_compile_in_background_with_progress(window, qtbot, empty_cache, compiler, way):
    session = window.session
    open_and_wait(qtbot, session, MODELS / "incline.xml")
    progress = []
    session.kernels_progress.connect(progress.append)
    answers = []
    pgs = int(physics.mjtSolver.mjSOL_PGS)
    if way == "option":
        window.edits.set(EditPlace("opt.solver"), (float(pgs),), "solver")
    else:
        session.send(SolveAgain({"solver": pgs}, answers.append))
    qtbot.waitUntil(lambda: window.viewport.progress is not None)
    assert "Preparing the simulation, once on this computer: about " in window.viewport.progress[0]
    assert not window.viewport.grabFramebuffer().isNull()
    assert not empty_cache
    compiler.set()
    qtbot.waitUntil(lambda: window.viewport.progress is None)
    assert empty_cache - {"record"} == {"pgs"}  # solving again records, which nothing is told of
    assert way == "solve again" or empty_cache == {"pgs"}
    assert (progress[0].done, progress[-1].done) == (0.0, 1.0)
    before = session.snapshot.time
    qtbot.waitUntil(lambda: session.snapshot.time > before + 0.1)
    if way == "solve again":
        qtbot.waitUntil(lambda: isinstance(answers[0], physics.Solved) if answers else False)


def test_reload_check_does_not_clear_kernel_progress(window, qtbot):
    """A save, or a doubt whether there was one, has the file read again; that ends without a model where nothing has changed."""
    session = window.session
    open_and_wait(qtbot, session, MODELS / "incline.xml")
    digests = {name: file_digest(name) for name in [str(MODELS / "incline.xml")]}
    session.kernels_progress.emit(physics.KernelProgress(0.2, 5.0))
    assert window.viewport.progress == (preparing(physics.KernelProgress(0.2, 5.0)), 0.2)
    session.read_again(digests)
    assert session.loads.busy
    session.kernels_progress.emit(physics.KernelProgress(1.0, 0.0))
    assert window.viewport.progress is None
    session.kernels_progress.emit(physics.KernelProgress(0.4, 5.0))
    with qtbot.waitSignal(session.load_ended):
        pass
    assert window.viewport.progress is not None  # the end of the reading is not the end of the kernels
    assert window.viewport.progress[1] == 0.4


def test_who_cannot_compile_beside_goes_on_all_the_same(qtbot, monkeypatch):
    """A process that fails leaves its kernels undone, and first use compiles them: nobody waits for ever."""
    monkeypatch.setattr(Compiled, "ready", property(lambda part: False))
    monkeypatch.setattr(Compiled, "kept", property(lambda part: False))
    monkeypatch.setattr(panel_stream, "compile_beside", lambda parts, done, **more: None)
    owner = QObject()
    preparation = panel_stream.Preparation((physics.observe.sample.sample_signals,), lambda text: None, owner)
    with qtbot.waitSignal(preparation.ended):
        assert not preparation.ready()
    assert preparation.ready()


@pytest.mark.slow
def test_no_example_panel_or_option_compiles_with_the_library(window, qtbot, monkeypatch):
    compiled = []
    monkeypatch.setattr(Compiled, "_compile", lambda part: compiled.append(part.key))
    for module in (tap, panel_stream, prepare):
        monkeypatch.setattr(module, "compile_beside", lambda parts, *rest, **more: compiled.extend(parts))
    session = window.session
    window.resize(400, 300)  # what is drawn is not asked here
    session.set_paused(True)
    for example in EXAMPLES:
        open_and_wait(qtbot, session, example.path)
        session.step()
    for dock in window.docks:
        dock.bring()
        qtbot.wait(10)
    for solver in physics.mjtSolver:
        for cone in physics.mjtCone:
            window.edits.set(EditPlace("opt.solver"), (float(solver),), "solver")
            window.edits.set(EditPlace("opt.cone"), (float(cone),), "cone")
            session.step()
    window.edits.set(EditPlace("tumble.contact_model"), (float(physics.ContactModel.LCP),), "contact model")
    session.step()
    window.panels.forks.fork_now()
    qtbot.waitUntil(lambda: session.is_obeyed)
    assert not compiled


def test_scene_and_camera_are_live_while_kernels_compile(window, qtbot, monkeypatch):
    callbacks = []
    go_on = threading.Event()

    def compile_all(model, told):
        callbacks.append(told)
        told(physics.KernelProgress(0.25, 12.0))
        assert go_on.wait(60.0)

    monkeypatch.setattr(physics, "loads_at_once", lambda: False)
    monkeypatch.setattr(loader, "prepare_all", compile_all)
    session, view = window.session, window.viewport
    seen = []
    session.absence_changed.connect(seen.append)
    session.open(MODELS / "incline.xml")
    qtbot.waitUntil(lambda: bool(callbacks) and view.progress is not None and session.shown is not None)
    try:
        assert session.model is None
        assert "about 12 s left" in view.progress[0]
        assert seen == ["Waiting for incline.xml…"]
        grabbed = view.grabFramebuffer()
        colours = {grabbed.pixel(x, y) for x in range(0, grabbed.width(), 9) for y in range(0, grabbed.height(), 9)}
        assert len(colours) > 20  # not the empty view's one
        before = view.camera
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
        qtbot.mouseMove(view, QPoint(160, 120))
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(160, 120))
        turned = view.camera
        assert turned != before
    finally:
        go_on.set()
    qtbot.waitUntil(lambda: session.model is not None and session.first_look is None)
    assert view.camera == turned
    qtbot.waitUntil(lambda: session.snapshot.time > 0)


def test_a_model_is_seen_while_hulls_of_its_meshes_are_made(window, qtbot, monkeypatch):
    go_on = threading.Event()
    outline = process.polygons

    def slowly(*arguments):
        assert go_on.wait(60)
        return outline(*arguments)

    monkeypatch.setattr(process, "polygons", slowly)
    monkeypatch.setattr(compiling, "_SOON", 0.0)
    monkeypatch.setattr("tumble.physics.compiler.assets.mesh.store.read", lambda key: None)
    session, view = window.session, window.viewport
    session.open(RESOURCES / "models" / "arm.xml")
    try:
        qtbot.waitUntil(lambda: session.shown is not None and "contacts of" in (view.progress or ("",))[0])
        assert session.model is None
        assert "Esc: cancel" in view.progress[0]
        grabbed = view.grabFramebuffer()
        assert len({grabbed.pixel(x, y) for x in range(0, grabbed.width(), 9) for y in range(0, grabbed.height(), 9)}) > 20
    finally:
        go_on.set()
    qtbot.waitUntil(lambda: session.model is not None and session.first_look is None)
