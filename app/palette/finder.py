"""The command palette of a window: its contents, search, and execution."""

from __future__ import annotations

from functools import partial
from heapq import nsmallest
from typing import TYPE_CHECKING

from msgspec import Struct
from PyQt6.QtWidgets import QMainWindow

from tumble.app.base import settings
from tumble.app.base.background import Background
from tumble.app.palette import elements
from tumble.app.palette.elements import KnownElement, SignalIndex
from tumble.app.palette.entries import EntryKind, PaletteEntry, commands, score, without_fillers, words_of
from tumble.app.palette.popup import PalettePopup
from tumble.app.session.requests import PlotSignal, ShowElement
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import present
from tumble.render.camera import look_at

if TYPE_CHECKING:
    from tumble.physics import MjModel

MOST_SHOWN = 200
MOST_RECENT = 20
FEW = 20  # elements found as typed, below which scattered letters are looked for too
RECENT_BONUS = 15  # added to the score of recently used entries


class ModelIndex(Struct, frozen=True):
    """Elements and numbers of a model, for searching."""

    model: MjModel
    elements: list[KnownElement]
    signals: SignalIndex


def index_of(model: MjModel) -> ModelIndex:
    """Read a model; for one of 10,000 elements this takes a part of a second."""
    return ModelIndex(model, elements.elements(model), SignalIndex(model))


class CommandPalette:
    """Ctrl+K. The elements and signals of a model are read in the background when it is first opened on that model."""

    def __init__(self, window: QMainWindow, bench: Workbench, docks: list[Dock]) -> None:
        self._window, self._docks, self._actions = window, docks, bench.actions
        self._session, self._view, self._store = bench.session, bench.viewport, bench.session.store
        self._background = Background("palette", window)
        self._commands: list[PaletteEntry] = []
        self.index: ModelIndex | None = None
        self._reading: MjModel | None = None
        self.popup = PalettePopup(window)
        self.popup.asked.connect(self._show)
        self.popup.chosen.connect(self._carry_out)
        self._session.model_loaded.connect(self._forget)

    def toggle(self) -> None:
        """Open it, or close it."""
        if self.popup.isVisible():
            self.popup.leave()
            return
        bar = present(self._window.menuBar())
        self._commands = commands(bar, self._actions.values(), self._docks)
        self._read()
        self.popup.appear()

    @property
    def is_read(self) -> bool:
        """True if the present model can be searched."""
        return self.index is not None and self.index.model is self._session.model

    def _forget(self) -> None:
        """Another model runs: release the previous one."""
        if not self.is_read:
            self.index = None

    def _read(self) -> None:
        model = self._session.model
        if model is None or self.is_read or self._reading is model:
            return
        self._reading = model
        self._background.run(lambda: index_of(model), self._take)

    def _take(self, index: ModelIndex) -> None:
        self._reading = None
        if index.model is self._session.model:
            self.index = index
            if self.popup.isVisible() and self.popup.field.text():
                self._show(self.popup.field.text())

    # ---- finding

    def find(self, typed: str) -> list[PaletteEntry]:
        """Entries that fit some words, the best first; without words those used last, then all actions and panels."""
        words, used = words_of(typed), self._store.get(settings.PALETTE_RECENT)
        recent = {ident: rank for rank, ident in enumerate(used)}
        if not words:
            known = [*self._commands, *self._remembered(used)]
            return sorted(known, key=lambda entry: recent.get(entry.ident, MOST_RECENT))
        content = without_fillers(words)
        return self._find(words, recent) or (self._find(content, recent) if content != words else [])

    def _find(self, words: list[str], recent: dict[str, int]) -> list[PaletteEntry]:
        """Entries that fit all of some words, the best first; recent: ranks of those used last."""
        scored = [(score(words, e.title.lower(), f"{e.about} {e.keys} {e.words}".lower(), e.tasks), e) for e in self._commands]
        scored += self._find_elements(words)
        scored += self._find_signals(words)
        bonus = RECENT_BONUS * len(words)

        def rank(item: tuple[int, PaletteEntry]) -> tuple[int, int, int]:
            points, entry = item
            length = 0 if entry.kind is EntryKind.SIGNAL else len(entry.title)  # signals come in the order of their fields
            return -(points + bonus * (entry.ident in recent)), int(entry.kind), length

        return [entry for _, entry in nsmallest(MOST_SHOWN, (item for item in scored if item[0]), key=rank)]

    def _remembered(self, idents: list[str]) -> list[PaletteEntry]:
        """Elements and signals among the recent choices, as far as the model has them."""
        if not self.is_read or self.index is None:
            return []
        parts = [ident.split(":", 2) for ident in idents if ident.startswith(("element:", "signal:"))]
        kinds = {(part[1], part[2]) for part in parts if part[0] == "element" and len(part) == 3}
        entries = [self._element(e) for e in self.index.elements if (e.kind.prefix, e.name) in kinds] if kinds else []
        names = [ident.partition(":")[2] for ident in idents if ident.startswith("signal:")]
        return entries + [self._signal(name, "") for name in names if self.index.signals.knows(name)]

    def _find_elements(self, words: list[str]) -> list[tuple[int, PaletteEntry]]:
        if not self.is_read or self.index is None:
            return []
        known = self.index.elements
        near = [e for e in known if all(w in e.title or w in e.about for w in words)]
        scored = [(score(words, e.title, e.about), e) for e in (near if len(near) >= FEW else known)]
        best = nsmallest(MOST_SHOWN, (item for item in scored if item[0]), key=lambda item: (-item[0], len(item[1].title)))
        return [(points, self._element(element)) for points, element in best]

    def _find_signals(self, words: list[str]) -> list[tuple[int, PaletteEntry]]:
        if not self.is_read or self.index is None:
            return []
        best = nsmallest(MOST_SHOWN, self.index.signals.search(words), key=lambda item: -item[0])
        return [(points, self._signal(name, doc)) for points, name, doc in best]

    def _element(self, element: KnownElement) -> PaletteEntry:
        assert self.index is not None
        ident = f"element:{element.kind.prefix}:{element.name}"
        about = elements.about(self.index.model, element)
        return PaletteEntry(ident, element.name, EntryKind.ELEMENT, partial(self._show_element, element), about)

    def _signal(self, name: str, doc: str) -> PaletteEntry:
        run = partial(self._session.ask, PlotSignal(name))
        return PaletteEntry(f"signal:{name}", name, EntryKind.SIGNAL, run, f"Signal: {doc}" if doc else "Signal")

    # ---- choosing

    def _show(self, typed: str) -> None:
        entries = self.find(typed)
        waits = bool(typed.strip()) and not self.is_read and self._session.model is not None
        nothing = f"No match for “{typed.strip()}”: no action, panel, element or signal"
        remark = "Reading the model…" if waits else "" if entries else nothing
        self.popup.show_entries(entries, remark or "Enter chooses   ·   up and down move   ·   Esc closes")

    def _carry_out(self, entry: PaletteEntry) -> None:
        kept = [ident for ident in self._store.get(settings.PALETTE_RECENT) if ident != entry.ident]
        self._store.put(settings.PALETTE_RECENT, [entry.ident, *kept][:MOST_RECENT])
        entry.run()

    def _show_element(self, element: KnownElement) -> None:
        """Select its body, show its fields, and look at it from where the camera is turned to."""
        session, snapshot = self._session, self._session.snapshot
        if self.index is None or session.model is not self.index.model or snapshot is None:
            return
        prefix, index = element.kind.prefix, element.index
        body, point = elements.place(self.index.model, snapshot.frame, prefix, index)
        if body > 0:
            session.select(body)
        if point is not None:
            self._view.free_camera()
            self._view.set_camera(look_at(self._view.camera, point))
        session.ask(ShowElement(prefix, index))
