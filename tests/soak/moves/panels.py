"""What a soak does with panels, the palette and the preferences."""

from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget

from tests.soak import hands
from tests.soak.player import Play, Player
from tumble.app.base import settings
from tumble.app.look import actions
from tumble.app.palette.entries import EntryKind
from tumble.app.panels.table import BOTTOM, LEFT, RIGHT

# Actions that end the program, that other moves choose, or that ask for a program of the user's.
NOT_ANY = {"quit", "open", "library", "record", "export", "screenshot", "save_replay", "palette", "preferences", "fullscreen",
           "tour", "new_controller", "open_controller", "report", "editor"}  # fmt: skip
# Controls of panels and dialogs that would start such a program, or let others in.
NOT_USED = ("editor", "Control by other programs", "Browse")


def all_panels(player: Player) -> Play:
    """Look at each panel while time runs: each has made and filled what it keeps, once this was played in the warm-up."""
    player.session.set_paused(False)
    for dock in player.window.docks:
        dock.bring()
        yield 0.5
    player.session.set_paused(False)
    yield 0.5


def docks(player: Player) -> Play:
    """Open, close, move and float panels."""
    window, rng = player.window, player.rng
    for _ in range(rng.randint(2, 6)):
        dock = rng.choice(window.docks)
        what = rng.choice(("bring", "bring", "close", "float", "move"))
        player.about += f" {what} {dock.objectName()}"
        if what == "bring":
            dock.bring()
        elif what == "close":
            dock.close()
        elif what == "float":
            dock.setFloating(not dock.isFloating())
        else:
            window.addDockWidget(rng.choice((LEFT, RIGHT, BOTTOM)), dock)
            dock.show()
        yield 0.25


def layouts(player: Player) -> Play:
    names = [spec.name for spec in actions.LAYOUTS if spec.name.startswith("layout_")]
    for name in player.rng.sample([*names, "fold_bottom", "left_panels", "right_panels", "reset_layout"], 4):
        player.trigger(name)
        yield 0.3
    player.window.layouts.save("soak")
    player.window.layouts.show("soak")
    yield 0.2


def use_panel(player: Player) -> Play:
    """Use what there is in a panel."""
    dock = player.rng.choice(player.window.docks)
    dock.bring()
    player.about = dock.objectName()
    yield 0.4
    for _ in range(player.rng.randint(2, 8)):
        there = [c for c in hands.controls(dock.panel) if not _is_avoided(c)]
        if not there:
            break
        player.about += "; " + hands.use(player.rng.choice(there), player.rng)
        yield 0.15
    yield player.obeyed()


def any_actions(player: Player) -> Play:
    names = [name for name in player.window.actions_by_name if name not in NOT_ANY]
    for _ in range(player.rng.randint(2, 6)):
        name = player.rng.choice(names)
        player.about += f" {name}"
        player.trigger(name)
        yield 0.3
    yield from player.loaded()
    player.trigger("normal_text")
    yield 0.1


def palette(player: Player) -> Play:
    """Type some letters, and choose what is found, if it is a panel, an element or a signal."""
    popup, rng = player.window.finder.popup, player.rng
    if not popup.isVisible():
        player.trigger("palette")
    yield 0.3
    for letter in rng.choice(("con", "qpos", "joint", "time", "geom", "sol", "zzz", "body", "plot")):
        QTest.keyClick(popup.field, letter)
        yield 0.05
    index = popup.list.currentIndex()
    entries = popup.rows.entries
    chosen = entries[index.row()] if 0 <= index.row() < len(entries) else None
    player.about = popup.field.text() + (f" -> {chosen.title}" if chosen else "")
    QTest.keyClick(popup.field, Qt.Key.Key_Escape if chosen is None or chosen.kind is EntryKind.ACTION else Qt.Key.Key_Return)
    yield 0.3


def preferences(player: Player) -> Play:
    player.trigger("preferences")
    dialog = player.window.preferences.dialog
    yield 0.3
    for _ in range(player.rng.randint(1, 5)):
        there = [c for c in hands.controls(dialog) if not _is_avoided(c)]
        if there:
            player.about += "; " + hands.use(player.rng.choice(there), player.rng)
        yield 0.2
    dialog.reject()
    keep_small(player)
    yield 0.2


def keep_small(player: Player) -> None:
    """What the past may take is little, so that it is full before the warm-up is over; the text has its usual size."""
    player.session.store.put(settings.HISTORY_MEMORY, 16)
    player.session.history.set_memory(16)
    player.trigger("normal_text")
    player.trigger("theme_system")


def _is_avoided(control: QWidget) -> bool:
    text = f"{control.accessibleName()} {control.objectName()} {control.property('text') or ''}"
    return any(part.lower() in text.lower() for part in NOT_USED)
