"""What was closed is gone: windows with all in them, models with all that showed them; a short soak measures it."""

import gc
import types
import weakref
from collections import Counter
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from PyQt6.QtCore import QCoreApplication, QEvent

from tests.app.conftest import MODELS, open_and_wait, opened_window
from tests.app.memory import resident
from tests.soak import census, player
from tests.soak import place as soak_place
from tests.soak.census import RESOURCES
from tests.soak.journal import Action, Rest, Unclean, read
from tests.soak.moves import MOVES
from tests.soak.place import JOURNAL, Place
from tests.soak.scenes import SCENES
from tests.soak.shelf import Shelf
from tumble import physics
from tumble.app.panels.control.controllers import Controllers

OURS = ("tumble.app.", "tumble.render.", "tumble.physics.model.", "tumble.physics.state.")
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


def _holders(model):
    """Types of the objects outside the engine that refer to a model, through dicts and the like."""
    found, seen, waiting = [], {id(model)}, [(model, "")]
    while waiting:
        one, way = waiting.pop()
        for holder in gc.get_referrers(one):
            if id(holder) in seen or holder is waiting or isinstance(holder, types.FrameType | types.ModuleType | type):
                continue
            seen.add(id(holder))
            name = f"{type(holder).__module__}.{type(holder).__qualname__}"
            if name.startswith(("tumble.physics.", "builtins.")) and way.count("<") < 6:
                waiting.append((holder, f"{way} < {getattr(holder, '__qualname__', name)}"))
            else:
                found.append(f"{name}{way}")
    return found


@pytest.mark.slow
def test_panels_that_were_closed_keep_no_model(window, qtbot, pump):
    open_and_wait(qtbot, window.session, MODELS / "ball.xml")
    before = weakref.ref(window.session.model)
    for dock in window.docks:
        dock.bring()
        qtbot.waitUntil(dock.isVisible)
    window.finder.toggle()
    qtbot.waitUntil(lambda: window.finder.is_read)
    window.finder.popup.leave()
    window.session.select(1)
    pump.run(0.1)  # what is in sight reads the model as it steps
    for dock in window.docks:
        dock.close()
    open_and_wait(qtbot, window.session, MODELS / "spin.xml")
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    pump.run(0.1)
    window.session.look()
    try:
        qtbot.waitUntil(lambda: gc.collect() >= 0 and before() is None)  # what loads ends in its own time
    except qtbot.TimeoutError:
        left = before()
        assert left is None, _holders(left)


FEW = ("broken", "pause and step", "edit")


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_a_few_actions_are_played_and_measured(window, qtbot, tmp_path, monkeypatch, scene):
    monkeypatch.setattr(player, "TRIES", 1)
    monkeypatch.setattr(player, "BETWEEN", len(FEW))
    monkeypatch.setattr(player, "SETTLE", 0.0)
    place = Place(tmp_path / "soak").make()
    shelf = Shelf(place[soak_place.MODELS], [], Random(1), SCENES[scene])
    played = player.Player(window, place, shelf, MOVES, player.Plan(3600.0, 3, FEW, scene=scene))
    with qtbot.waitSignal(played.ended):
        played.start()
        qtbot.waitUntil(lambda: sum(isinstance(e, Action) for e in read(place[JOURNAL])) >= len(FEW))
        played.stop()
    assert window.viewport.tiles.arrangement is SCENES[scene].views
    assert window.session.part(Controllers).running == bool(SCENES[scene].controller)
    entries = list(read(place[JOURNAL]))
    assert [e for e in entries if isinstance(e, Unclean)] == []
    assert {e.name for e in entries if isinstance(e, Action)} == set(FEW)
    rests = [e for e in entries if isinstance(e, Rest)]
    assert rests[-1].amounts.keys() == {resource.name for resource in RESOURCES}
    assert rests[-1].amounts["textures"] > 0
    assert rests[-1].amounts["numpy"] > 0
    assert rests[-1].types["thread simulation"] == 1


def test_arrays_are_counted_through_their_views():
    before = census.objects()[1]
    holder = SimpleNamespace(view=np.zeros(2**20)[3:])
    assert census.objects()[1] - before == pytest.approx(8 * 2**20, rel=0.1)
    assert holder.view.size
