"""What takes long on a large model is done in the thread that it belongs to, never in the window's, which is told."""

import shutil
import threading

import numpy as np
import pytest

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics
from tumble.app.base.background import Background
from tumble.app.base.files import FileError
from tumble.app.editing import patch
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.panels.forks.forks import FAILED, RUNNING, ForkChoice, Forks
from tumble.app.simulation import correspondence
from tumble.app.widgets.patch_writing import CHECKING, SAVING
from tumble.app.widgets.write_bar import WriteBar
from tumble.physics.state.model import Model

FRICTION, MARGIN = EditPlace("geom_friction", 0), EditPlace("geom_margin", 0)


class Threads:
    """Notes in which thread a function is called."""

    def __init__(self, monkeypatch):
        self._monkeypatch = monkeypatch
        self.seen = {}

    def watch(self, owner, name, before=lambda: None):
        """before: is called each time first, in that thread."""
        real = getattr(owner, name)
        names = self.seen.setdefault(name, [])

        def watched(*args, **more):
            names.append(threading.current_thread().name)
            before()
            return real(*args, **more)

        self._monkeypatch.setattr(owner, name, watched)

    def hold(self, owner, name):
        """Have each call wait until the second event is set; the first tells that one has begun."""
        begun, go_on = threading.Event(), threading.Event()

        def wait():
            begun.set()
            assert go_on.wait(60.0)

        self.watch(owner, name, wait)
        return begun, go_on

    def of(self, name):
        """The names of the threads, without the number of each."""
        return {thread.partition("_")[0] for thread in self.seen[name]}


@pytest.fixture
def threads(monkeypatch):
    return Threads(monkeypatch)


@pytest.fixture
def opened(session, qtbot, tmp_path):
    """A model that stands, in a file of its own."""
    path = tmp_path / "soft.xml"
    shutil.copy(MODELS / "soft.xml", path)
    session.set_paused(True)
    open_and_wait(qtbot, session, path)
    return path


def _read_again(qtbot, session):
    with qtbot.waitSignal(session.model_loaded):
        session.read_again({str(session.path): ""})


def test_reload_computes_first_picture_outside_gui_thread(session, opened, qtbot, threads):
    session.step(50)
    qtbot.waitUntil(lambda: session.is_obeyed and session.snapshot.paused)
    before = session.snapshot.qpos.copy(), session.snapshot.time
    threads.watch(physics, "mj_forward")
    threads.watch(correspondence, "_bodies")
    threads.watch(physics.MjModel, "from_xml_path")
    _read_again(qtbot, session)
    assert session.snapshot.time == before[1]
    assert session.snapshot.qpos.tobytes() == before[0].tobytes()
    qtbot.waitUntil(lambda: session.is_obeyed)
    assert threads.of("mj_forward") == {"loader", "simulation"}
    assert threads.of("_bodies") == {"loader"}
    assert threads.of("from_xml_path") == {"loader"}


def test_opening_another_file_replaces_a_running_reload(session, opened, qtbot, monkeypatch, threads):
    begun, go_on = threads.hold(physics, "mj_forward")
    session.read_again({str(opened): ""})
    qtbot.waitUntil(begun.is_set)
    assert session.loads.busy
    monkeypatch.undo()
    session.open(MODELS / "ball.xml")
    with qtbot.waitSignal(session.model_loaded):
        go_on.set()
    qtbot.wait(50)
    assert session.path == MODELS / "ball.xml"
    assert not session.loads.busy


@pytest.fixture
def bar(session, opened, qtbot):
    widget = WriteBar(session, session.part(Edits))
    qtbot.addWidget(widget, before_close_func=lambda bar: bar.writing._background.close(10.0))
    widget.show()
    widget._edits.set(FRICTION, (0.3, 0.005, 0.0001), "friction")
    return widget


def test_patch_compiles_and_saves_outside_gui_thread(bar, opened, qtbot, threads):
    threads.watch(patch, "compile")
    threads.watch(patch, "write_whole")
    bar.write.click()
    assert bar.count.text() == CHECKING
    assert not bar.write.isEnabled()
    qtbot.waitUntil(bar.view.isVisible)
    assert bar.count.text() == "1 changed"
    bar.view.save.click()
    assert bar.count.text() == bar.view.left.text() == SAVING
    assert not bar.view.save.isEnabled()
    assert not bar.view.copy.isEnabled()
    qtbot.waitUntil(lambda: not bar.view.isVisible())
    assert b'friction="0.3' in opened.read_bytes()
    assert bar.count.text() == "as in the file"
    assert threads.of("compile") == threads.of("write_whole") == {"patch"}


def test_edit_during_patch_check_is_in_the_shown_patch(bar, qtbot, threads):
    begun, go_on = threads.hold(patch, "outline")
    bar.ask()
    qtbot.waitUntil(begun.is_set)
    bar._edits.set(MARGIN, (0.02,), "margin")
    bar.ask()  # nothing is checked twice at a time
    go_on.set()
    qtbot.waitUntil(bar.view.isVisible)
    assert 'margin="0.02"' in bar.view.text.toPlainText()
    assert len(threads.seen["outline"]) == 2


def test_a_patch_of_a_model_that_is_gone_is_not_shown(bar, session, qtbot, threads):
    begun, go_on = threads.hold(patch, "outline")
    bar.ask()
    qtbot.waitUntil(begun.is_set)
    open_and_wait(qtbot, session, MODELS / "ball.xml")
    go_on.set()
    qtbot.waitUntil(lambda: not bar.writing.busy)
    assert not bar.view.isVisible()
    assert not bar.problem.isVisible()


def test_edit_during_patch_save_stays_unsaved(bar, opened, qtbot, threads):
    bar.ask()
    qtbot.waitUntil(bar.view.isVisible)
    begun, go_on = threads.hold(patch, "write_whole")
    bar.view.save.click()
    qtbot.waitUntil(begun.is_set)
    bar._edits.set(FRICTION, (0.4, 0.005, 0.0001), "friction")
    go_on.set()
    qtbot.waitUntil(lambda: not bar.writing.busy)
    assert bar._edits.changes() == {FRICTION: ((0.3, 0.005, 0.0001), (0.4, 0.005, 0.0001))}


def test_a_fork_copies_the_model_in_the_simulation_thread_only(session, opened, qtbot, threads):
    threads.watch(Model, "twin")
    threads.watch(physics, "prepare")
    forks = session.part(Forks)
    forks.set_running(True)
    entry = forks.add(ForkChoice(solref="0.1 1"))
    qtbot.waitUntil(lambda: entry.state == RUNNING)
    assert threads.of("twin") == {"simulation"}
    assert threads.of("prepare") == {"fork"}
    assert tuple(session.model.geom_solref[0]) != (0.1, 1.0)
    with pytest.raises(ValueError, match="solref takes 2 numbers"):
        forks.add(ForkChoice(solref="0.1"))
    assert entry.state != FAILED
    assert forks.close()


def test_fork_includes_edits_requested_before_it(session, opened, qtbot, monkeypatch):
    """Changes that were asked for before it are in it, though the simulation had not yet carried them out."""
    models = []
    real = physics.fork

    def fork(*args, **settings):
        model, data = real(*args, **settings)
        models.append(model)
        return model, data

    monkeypatch.setattr(physics, "fork", fork)
    edits = session.part(Edits)
    forks = session.part(Forks)
    forks.set_running(True)
    edits.set(MARGIN, (0.03,), "margin")
    entry = forks.add(ForkChoice())
    qtbot.waitUntil(lambda: entry.state == RUNNING)
    assert models[0].geom_margin[0] == 0.03
    assert not np.shares_memory(models[0].geom_margin, session.model.geom_margin)
    assert forks.close()


def test_a_step_of_many_places_is_told_once_and_counted(session, opened, qtbot):
    edits = session.part(Edits)
    signals = []
    edits.settled.connect(lambda: signals.append(edits.count))
    places = {EditPlace("geom_margin", k): (0.01,) for k in range(session.model.ngeom)}
    edits.set_all(places, "margins")
    edits.stack.undo()
    assert signals == [len(places), 0]
    edits.stack.redo()
    edits.written({MARGIN: (0.01,)})
    assert edits.count == len(edits.changes()) == len(places) - 1


def test_background_work_after_close_does_not_start(qtbot, no_threads_left):
    background, done = Background("late"), []
    assert background.close(1.0)
    background.run(lambda: done.append(1))
    assert background.wait(1.0)
    assert not done
    assert not background.busy


@pytest.fixture
def background(qtbot, no_threads_left):
    worker = Background("test")
    yield worker
    assert worker.close(10.0)


def _refuse(error):
    raise error


def test_what_comes_of_work_is_told_in_the_windows_thread(background, qtbot):
    results = []
    main = threading.current_thread().name

    def then(value):
        results.append(("then", value, threading.current_thread().name))

    def failed(value):
        results.append(("failed", value, threading.current_thread().name))

    for work in (
        lambda: threading.current_thread().name.startswith("test"),
        lambda: _refuse(FileError("the disk is full")),
        lambda: _refuse(ZeroDivisionError("by zero")),
    ):
        background.run(work, then, failed, (FileError,))
        count = len(results)
        qtbot.waitUntil(lambda count=count: len(results) > count)
    assert results == [
        ("then", True, main),
        ("failed", "the disk is full", main),
        ("failed", "ZeroDivisionError: by zero", main),
    ]


def test_closing_waits_so_long_and_says_whether_all_has_ended(background):
    free = threading.Event()
    background.run(lambda: free.wait(60.0), lambda value: None, lambda why: None)
    assert not background.close(0.05)
    free.set()
    assert background.close(10.0)
