"""Windows that were closed are gone: with their sessions, panels, models and OpenGL objects."""

import gc
from collections import Counter

import pytest
from PyQt6.QtCore import QCoreApplication, QEvent

from tests.app.conftest import MODELS, open_and_wait, opened_window
from tests.app.memory import resident
from tumble import physics

OURS = ("tumble.app.", "tumble.render.", "tumble.physics.model.", "tumble.physics.data.", "tumble.physics.state.")
# What the interpreter, Qt and Mesa keep of a window, and what malloc cannot give back for lying between the living [bytes].
KEPT = 1.5e6


def one_after_the_other(qtbot, folder, count):
    """Windows are opened, with a model, the first with every panel too, and closed by the user."""
    for k in range(count):
        with opened_window(qtbot, folder, size=(640, 420)) as window:
            window.session.set_paused(True)
            open_and_wait(qtbot, window.session, MODELS / "arm.xml")
            if k == 0:
                for dock in window.docks:
                    dock.bring()
            session = window.session
            session.step(5)
            qtbot.waitUntil(lambda session=session: session.is_obeyed)
            window.close()
            window.deleteLater()
        del window, session
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def living():
    """How many objects of each class of ours there are."""
    while gc.collect():  # what Qt's objects held is found unreachable only once they are gone
        pass
    kinds = (type(thing) for thing in gc.get_objects())
    return Counter(f"{kind.__module__}.{kind.__qualname__}" for kind in kinds if str(kind.__module__).startswith(OURS))


@pytest.mark.slow
@pytest.mark.usefixtures("_panels_prepared", "no_threads_left")
@pytest.mark.parametrize("count", [10, pytest.param(20, marks=pytest.mark.fuzz)])
def test_windows_that_were_closed_leave_nothing_behind(qtbot, tmp_path, monkeypatch, count):
    monkeypatch.setattr(physics, "work_ahead", lambda: None)  # a compiler's memory, where one is at work, is no window's
    one_after_the_other(qtbot, tmp_path, 2)  # what is made once is there
    before, memory = living(), resident()
    one_after_the_other(qtbot, tmp_path, count)
    left = living() - before
    assert not left
    assert resident() - memory < KEPT * count
