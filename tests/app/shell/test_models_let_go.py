"""A model that was closed is let go by everything that showed it, also by what the user does not look at now."""

import gc
import types
import weakref

import pytest

from tests.app.conftest import MODELS, open_and_wait


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
