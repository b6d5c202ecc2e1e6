"""The window that is seen before anything is in it."""

from contextlib import contextmanager

import pytest
from PyQt6 import sip

from tests.app.conftest import MODELS
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import Settings
from tumble.app.shell import ahead, curtain
from tumble.app.shell.curtain import PICTURES, Opening
from tumble.app.shell.main_window import MainWindow

ARM = MODELS / "arm.xml"


@contextmanager
def _started(qtbot, settings, opening):
    made = MainWindow(Settings(settings), LogRelay(), None, opening)
    try:
        made.show()
        bars = made.menuBar(), made.toolbar, made.statusBar()
        qtbot.waitUntil(lambda: made.viewport.isValid() and all(bar is not None and bar.isVisible() for bar in bars))
        qtbot.waitUntil(lambda: made.viewport.y() > made.toolbar.height())  # below both, once they are laid out
        qtbot.waitUntil(lambda: any(dock.is_made for dock in made.docks))  # all that are in sight are made at once
        yield made
    finally:
        made.cleanup()
        if not sip.isdeleted(made):
            sip.delete(made)


def _places(window):
    """Where the view and the docks are, which of them are open, and whose panels exist."""
    widgets = {"view": window.viewport} | {dock.objectName(): dock for dock in window.docks}
    found = {name: widget.geometry().getRect() for name, widget in widgets.items() if widget.isVisible()}
    return found | {f"{dock.objectName()} is made": () for dock in window.docks if dock.is_made}


def test_a_window_that_is_seen_empty_gets_the_layout_of_one_that_is_shown_complete(qtbot, tmp_path):
    with _started(qtbot, tmp_path / "one.json", None) as window:
        complete = _places(window)
    with _started(qtbot, tmp_path / "other.json", Opening("humanoid.xml")) as window:
        assert _places(window) == complete


def test_a_window_that_is_seen_empty_gets_the_layout_of_the_last_start(qtbot, tmp_path):
    with _started(qtbot, tmp_path / "settings.json", None) as window:
        for key in ("control", "parameters", "options"):
            window.panels.dock(key).hide()
        window.resize(700, 500)  # which the screen has room for
        window.panels.dock("inspector").bring()
        window.close()
    kept = []
    for opening in (None, Opening()):
        with _started(qtbot, tmp_path / "settings.json", opening) as window:
            kept.append((window.size(), _places(window)))
    assert kept[0] == kept[1]
    assert "control" not in kept[0][1]


def test_a_window_says_what_it_opens_before_it_is_complete(qtbot, tmp_path, monkeypatch):
    pictures = []

    def look(window, opening):
        raise_on(window, opening)
        shown = window.centralWidget()
        assert window.isVisible()
        assert isinstance(shown, curtain.Curtain)
        assert not hasattr(window, "session")
        pictures.append(shown.grabFramebuffer())

    raise_on = curtain.raise_on
    monkeypatch.setattr(curtain, "raise_on", look)
    for name in ("humanoid.xml", "", "humanoid.xml"):
        with _started(qtbot, tmp_path / "settings.json", Opening(name)):
            pass
    assert pictures[0] == pictures[2] != pictures[1]


@pytest.mark.usefixtures("no_threads_left")
def test_panels_are_made_once_the_model_has_been_seen_moving(qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(curtain, "LATEST", 60_000)
    window = MainWindow(Settings(tmp_path / "settings.json"), LogRelay(), None, Opening(ARM.name, ahead.import_contents()))
    moved = []  # at each picture of the model until there are panels
    made = lambda: [dock.objectName() for dock in window.docks if dock.is_made]  # noqa: E731

    def look():
        if window.viewport.is_drawn and not made():
            moved.append(window.session.snapshot is not None and window.session.snapshot.time > 0)

    window.viewport.frameSwapped.connect(look)
    try:
        window.show()
        window.open_path(ARM)
        assert not made()
        qtbot.waitUntil(lambda: len(made()) == 2)
        assert len(moved) >= PICTURES - 1
        assert moved[-1]
        assert window.panels.joints.isVisible()
    finally:
        window.cleanup()
        sip.delete(window)


def test_panels_come_where_there_is_no_model_too(qtbot, tmp_path):
    with _started(qtbot, tmp_path / "settings.json", Opening("missing.xml")) as window:
        assert {dock.objectName() for dock in window.docks if dock.is_made} == {"joints", "control"}
        assert not window.viewport.is_drawn
