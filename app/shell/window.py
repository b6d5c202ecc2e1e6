"""The window as seen by its actions, tour and scripts: its parts, and operations on files and messages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PyQt6.QtWidgets import QMainWindow, QMessageBox

from tumble import __version__
from tumble.app.base import settings

if TYPE_CHECKING:
    from PyQt6.QtGui import QAction

    from tumble.app.editing.edits import Edits
    from tumble.app.film.filming import Filming
    from tumble.app.handles.desk import PosingDesk
    from tumble.app.palette.finder import CommandPalette
    from tumble.app.panels.table import Panels
    from tumble.app.preferences.help_card import HelpCard
    from tumble.app.preferences.keys import KeyMap
    from tumble.app.preferences.looks import Looks
    from tumble.app.preferences.preferences_dialog import PreferencesDesk
    from tumble.app.remote.desk import RemoteDesk
    from tumble.app.rescue.safety import Safety
    from tumble.app.session.loader import CompiledModel
    from tumble.app.session.session import Session
    from tumble.app.shell.banners import BannerDesk
    from tumble.app.shell.controlling import ControllerDesk
    from tumble.app.shell.file_choice import LibraryDesk
    from tumble.app.shell.layouts.layout_desk import LayoutDesk
    from tumble.app.shell.reading.reading_window import ReadingWindow
    from tumble.app.shell.saving import ModelSaving, Replays
    from tumble.app.shell.state_paste import Clipboard
    from tumble.app.shell.toolbar import TimeBar
    from tumble.app.shell.unsaved import Leaving
    from tumble.app.viewer.window import ScriptLink
    from tumble.app.viewport.widget import Viewport
    from tumble.app.widgets.dock import Dock, Workbench
    from tumble.app.widgets.problem_banner import Remedy

STATUS_TIME = 6000  # [ms]


class ShellWindow(QMainWindow):
    """A session, its view, its docks and desks; `MainWindow` makes them and connects them."""

    session: Session
    viewport: Viewport
    edits: Edits
    clipboard: Clipboard
    actions_by_name: dict[str, QAction]
    keys: KeyMap
    looks: Looks
    bench: Workbench
    panels: Panels
    docks: list[Dock]
    toolbar: TimeBar
    layouts: LayoutDesk
    leaving: Leaving
    safety: Safety
    library: LibraryDesk
    controlling: ControllerDesk
    banners: BannerDesk

    def __init__(self) -> None:
        super().__init__()
        self.script: ScriptLink | None = None
        self._ended = False  # no more questions
        self.lost_graphics = False  # the graphics driver was reset
        self._at_work: dict[str, tuple[str, float]] = {}  # text and share of each running task; the latest last

    # ---- created on first use: few sessions need them, and importing them takes long

    @cached_property
    def filming(self) -> Filming:
        """Videos and pictures of the view."""
        from tumble.app.film.filming import Filming

        filming = Filming(self.session, self.viewport, self)
        filming.said.connect(self.say)
        filming.failed.connect(self.show_error)
        filming.offer(self.actions_by_name["record"], self.statusBar())
        return filming

    @cached_property
    def posing(self) -> PosingDesk:
        """Handles of bodies, and the measure."""
        from tumble.app.handles.desk import PosingDesk

        return PosingDesk(self.session, self.viewport, self.actions_by_name)

    @cached_property
    def model_saving(self) -> ModelSaving:
        """Saving the whole model."""
        from tumble.app.shell.saving import ModelSaving

        saving = ModelSaving(self.session, self)
        saving.said.connect(self.say)
        saving.failed.connect(self.show_error)
        return saving

    @cached_property
    def replays(self) -> Replays:
        """Saving the history."""
        from tumble.app.shell.saving import Replays

        replays = self.session.part(Replays)
        replays.saved.connect(self._on_saved)
        replays.failed.connect(partial(self.show_error, "The replay was not saved"))
        return replays

    def _on_saved(self, path: str, seconds: float) -> None:
        from tumble.app.describe.numbers import duration

        history = self.session.history
        left = ", ".join(branch.name for branch in history.branches)
        self.say(f"Saved {path}: {duration(seconds)}" + (f" of {history.course}; not in it: {left}" if left else ""))

    @cached_property
    def finder(self) -> CommandPalette:
        """The command palette."""
        from tumble.app.palette.finder import CommandPalette

        return CommandPalette(self, self.bench, self.docks)

    @cached_property
    def preferences(self) -> PreferencesDesk:
        """Settings and keys."""
        from tumble.app.preferences.preferences_dialog import PreferencesDesk

        return PreferencesDesk(self, self.session, self.viewport, self.keys, self.looks, lambda on: self.remote.set_on(on))

    @cached_property
    def remote(self) -> RemoteDesk:
        """Control of this window by other programs of the user."""
        from tumble.app.remote.desk import RemoteDesk

        remote = RemoteDesk(self, self.session, self.viewport, self)
        remote.said.connect(self.say)
        return remote

    @cached_property
    def reading(self) -> ReadingWindow:
        """The page on the theory, whose names lead to their places."""
        from tumble.app.shell.reading.reading_window import ReadingWindow

        return ReadingWindow(self, self.docks, self.open_path)

    @cached_property
    def help_card(self) -> HelpCard:
        """Mouse and keys."""
        from tumble.app.preferences.help_card import HelpCard

        return HelpCard(self, self.actions_by_name["help"], self.keys)

    # ---- files

    @property
    def has_unsaved(self) -> bool:
        """True if there are unsaved changes; those of a script's model are the script's."""
        return self.edits.unsaved > 0 and not self.shows_script

    @property
    def shows_script(self) -> bool:
        """True while the window shows a script's simulation."""
        return self.script is not None and self.script.shows

    def open_path(self, path: Path, compiled: CompiledModel | None = None) -> None:
        """Open a model, a replay, a study or measured data, and lose no changes without a question; compiled: if it exists."""
        from tumble.app.session.requests import LayOver, OpenStudy

        for request in (OpenStudy, LayOver):
            if path.suffix.lower() == request.suffix:
                self.session.ask(request(path))
                return
        self.leaving.then(lambda: self.open_at_once(path, compiled), f"opening {path.name}")

    def open_at_once(self, path: Path, compiled: CompiledModel | None = None) -> None:
        """The same without a question: for callers that restore the changes themselves."""
        self.hide_error()
        self.session.open(path, compiled)

    def reload(self) -> None:
        """Read the file again, and lose no changes without a question; a script loads its model itself."""
        if self.script is not None and self.script.shows:
            self.script.reload()
            return
        self.leaving.then(self.session.reload, "reading the file again")

    def ask_open(self) -> None:
        """Let the user choose a file."""
        from tumble.app.shell import file_choice

        chosen = file_choice.model_to_open(self, self.session.store.get(settings.FOLDER))
        if chosen is not None:
            self.open_path(chosen)

    def view_state(self) -> dict[str, Any]:
        """State of the view as plain JSON, for replay files."""
        from tumble.app.shell import view_flags

        return view_flags.describe(self.session, self.viewport, self.panels)

    def ask_replay(self) -> None:
        """Let the user choose where to save the history."""
        from tumble.app.shell import file_choice

        path = self.session.path
        if path is None:
            self.say("No history yet: open a model")
            return
        chosen = file_choice.replay_to_save(self, self.session.store.get(settings.FOLDER), path)
        if chosen is not None:
            self.replays.save(chosen, self.view_state())

    # ---- messages

    def show_error(self, title: str, message: str, remedies: Sequence[Remedy] = ()) -> None:
        """Show an error over the view, with buttons; it stays until it is closed or a model loads."""
        self._at_work.clear()
        self.viewport.progress = None
        self.viewport.error_title, self.viewport.error = title, message
        self.banners.show(title, message, remedies)
        self.viewport.update()
        self.say(message.splitlines()[0] if message else "")

    def hide_error(self) -> None:
        """Close the message of `show_error`."""
        self.viewport.error = ""
        self.banners.hide()
        self.viewport.update()

    def say(self, text: str) -> None:
        """Show a passing remark."""
        bar = self.statusBar()
        if bar is not None:
            bar.showMessage(text, STATUS_TIME)

    def show_about(self) -> None:
        """Show version and licence."""
        text = f"<b>Tumble {__version__}</b><p>Interactive simulation of MJCF models.</p><p>GPL-3.0-or-later</p>"
        QMessageBox.about(self, "About Tumble", text)

    def end_from_outside(self) -> None:
        """Close without a question: changes that are not saved are offered by the next start."""
        self.safety.recovery.stays = self.has_unsaved
        self.close_at_once()

    def end_without_graphics(self) -> None:
        """Close: Qt cannot show this window any more. The state is left for the next start, and recordings are finished."""
        self.lost_graphics = self.safety.recovery.stays = True
        self.close_at_once()

    def close_at_once(self) -> None:
        """Close without a question, whatever is not saved."""
        self._ended = True
        self.close()
