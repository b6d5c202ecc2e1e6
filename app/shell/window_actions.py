"""Implementation of the window's actions; names and keys are in tumble.app.look.actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QApplication

from tumble.app.base import settings
from tumble.app.look import actions
from tumble.app.panels.breakpoints.breakpoints import Breakpoints
from tumble.app.panels.control.controllers import Controllers
from tumble.app.panels.control.generators import Generators
from tumble.app.panels.table import LEFT, RIGHT
from tumble.app.panels.timeline.strip import mark_here
from tumble.app.preferences import keyboard
from tumble.app.session.requests import AskDoctor, AskPair, ForkNow, SaveKeyframe, WriteChanges, WriteKeyframes
from tumble.app.session.session import Session
from tumble.app.shell import view_actions
from tumble.app.shell.reopening import HotReload
from tumble.app.shell.toolbar import faster, slower
from tumble.app.viewport.widget import Viewport

if TYPE_CHECKING:
    from tumble.app.shell.window import ShellWindow

Slots = dict[str, Callable[[], object]]


def make(window: ShellWindow) -> dict[str, QAction]:
    """The actions by name. Parts of the window are looked up when an action is triggered: not all exist yet."""
    session = window.session
    specs = (
        *(*actions.FILE, *actions.EDIT, *actions.SIMULATION, *actions.CAMERA, *actions.TOOLS, *actions.WINDOW, *actions.HELP),
        *(*actions.VIEWS, *actions.SEVERAL, *actions.POSING, *actions.MEASURING),
        *(*actions.VISUALIZATION, *actions.RENDERING, *actions.GROUPS, actions.FRAMES, actions.LABELS, actions.FLEX_LAYER),
        *(*actions.CONTACTS, *actions.ARROWS, *actions.MOTION),
        *(actions.TREE_DEPTH, *actions.LABEL_KINDS, *actions.FRAME_KINDS),
        *(*actions.LAYOUTS, *actions.LOOKS),
    )
    result = actions.make(list(specs), window)
    slots = _of_files(window) | _of_simulation(session) | _of_window(window)
    for name, slot in slots.items():
        result[name].triggered.connect(lambda checked=False, slot=slot: slot())
    for name in actions.EXPORTS:
        result[name].triggered.connect(partial(_export, window, name))
    _connect_switches(window, result)
    view_actions.connect(window, result)
    return result


def _of_files(window: ShellWindow) -> Slots:
    return {
        "open": window.ask_open,
        "library": lambda: window.library.show(),
        "reload": lambda: window.reload(),
        "new_controller": lambda: window.controlling.create(),
        "open_controller": lambda: window.controlling.ask(),
        "save_model": lambda: window.model_saving.ask(),
        "save_replay": window.ask_replay,
        "screenshot": lambda: window.filming.ask_screenshot(),
        "record": lambda: window.filming.toggle_recording(),
        "export": lambda: window.filming.ask_export(),
        "copy_state": window.clipboard.copy_state,
        "copy_state_text": partial(window.clipboard.copy_state, plain=True),
        "copy_camera": window.clipboard.copy_camera,
        "copy_camera_text": partial(window.clipboard.copy_camera, plain=True),
        "paste_state": window.clipboard.paste,
        "quit": window.close,
        "undo": window.edits.stack.undo,
        "redo": window.edits.stack.redo,
        "restore": window.edits.restore,
    }


def _export(window: ShellWindow, form: str, checked: bool = False) -> None:
    from tumble.app.shell.saving import ModelExports  # few sessions need it

    window.session.part(ModelExports).ask(form)


def _of_simulation(session: Session) -> Slots:
    return {
        "pause": lambda: session.set_paused(not session.paused),
        "step": session.step,
        "back": session.history.back,
        "backwards": session.step_backwards,
        "reset": session.reset,
        "faster": lambda: session.set_rate(faster(session.rate)),
        "slower": lambda: session.set_rate(slower(session.rate)),
        "bookmark": partial(mark_here, session),
        "save_keyframe": lambda: session.ask(SaveKeyframe()),
        "return_branch": session.history.return_to_last,
        "write": lambda: session.ask(WriteChanges()),
        "write_keys": lambda: session.ask(WriteKeyframes()),
        "fork": lambda: session.ask(ForkNow()),
        "clear_ctrl": session.part(Generators).clear_controls,
        "stop_controller": session.part(Controllers).stop,
        "collision": lambda: session.ask(AskPair()),
        "explain": session.part(Breakpoints).explain,
        "check": lambda: session.ask(AskDoctor()),
    }


def _of_window(window: ShellWindow) -> Slots:
    return {
        "free_camera": partial(_escape, window),
        "snap_steps": lambda: window.posing.ask_steps(),
        "copy_measure": lambda: window.posing.measure.copy(),
        "reset_layout": lambda: window.layouts.reset(),
        "report": lambda: window.safety.ask_report(),
        "editor": partial(_ask_editor, window),
        "about": window.show_about,
        "reading": lambda: window.reading.appear(),
        "next_part": lambda: keyboard.go(window, window.viewport, window.docks, 1),
        "previous_part": lambda: keyboard.go(window, window.viewport, window.docks, -1),
        "palette": lambda: window.finder.toggle(),
        "preferences": lambda: window.preferences.dialog.appear(),
    }


def _connect_switches(window: ShellWindow, made: dict[str, QAction]) -> None:
    session, view = window.session, window.viewport
    made["fullscreen"].triggered.connect(lambda on: window.showFullScreen() if on else window.showNormal())
    made["left_panels"].triggered.connect(partial(_show_side, window, LEFT))
    made["right_panels"].triggered.connect(partial(_show_side, window, RIGHT))
    made["help"].triggered.connect(partial(_set_overlay, view, "show_help"))
    made["help"].triggered.connect(lambda on: window.help_card.show_it(on))
    made["info"].triggered.connect(partial(_set_overlay, view, "show_info"))
    made["profiler"].triggered.connect(view.insets.show_profiler)
    made["sensors"].triggered.connect(view.insets.show_sensors)
    made["reload_on_save"].toggled.connect(partial(_set_reload_on_save, session))
    made["reload_on_save"].setChecked(session.store.get(settings.RELOAD_ON_SAVE))


def _set_reload_on_save(session: Session, on: bool) -> None:
    session.part(HotReload).set_on(on)
    session.store.put(settings.RELOAD_ON_SAVE, on)


def _set_overlay(view: Viewport, name: str, on: bool) -> None:
    setattr(view, name, on)
    view.update()


def _show_side(window: ShellWindow, side: Qt.DockWidgetArea, on: bool) -> None:
    for dock in window.docks:
        if window.dockWidgetArea(dock) == side and not dock.isFloating():
            dock.setVisible(on)


def _ask_editor(window: ShellWindow) -> None:
    """Let the user choose a text editor."""
    from tumble.app.shell.banners import EditorDialog

    EditorDialog(window.session.store, window).appear()


def _escape(window: ShellWindow) -> None:
    """Cancel a load, else close the card of keys, leave a panel, close what lies over the view, or free the camera."""
    session, view = window.session, window.viewport
    if view.tools.cancel():
        return
    if session.loads.of_another:
        session.cancel_load()
    elif view.show_help:
        window.actions_by_name["help"].trigger()
    elif QApplication.focusWidget() not in (None, view):
        keyboard.leave(window, view)
    elif view.error:
        window.banners.dismiss()
    elif session.loads.busy and view.progress is not None:  # the running file is read again; a mere look at it shows nothing
        session.cancel_load()
    else:
        view.free_camera()
