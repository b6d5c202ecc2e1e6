"""What a soak does to the window, action by action."""

from __future__ import annotations

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QDialog, QWidget

from app.base import settings
from app.describe.expression import ExpressionError
from app.editing.edits import EditPlace, Edits
from app.editing.keyframes import Keyframes
from app.film.camera_keys import CameraGuide, CameraKeys, Motion
from app.film.export import ExportPhase
from app.film.export_dialog import LAST
from app.film.recording import RecordingPhase
from app.look import actions
from app.palette.entries import EntryKind
from app.panels.breakpoints.model import Breakpoints
from app.panels.control.generators import Generator, Generators, Shape
from app.panels.table import BOTTOM, LEFT, RIGHT
from tests.app.mouse import drop
from tests.soak import hands
from tests.soak.player import Move, Play, Player

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
RIGHT_BUTTON, LEFT_BUTTON = Qt.MouseButton.RightButton, Qt.MouseButton.LeftButton
# Actions that end the program, that other moves choose, or that ask for a program of the user's.
NOT_ANY = {"quit", "open", "library", "record", "export", "screenshot", "save_replay", "palette", "preferences", "fullscreen",
           "tour", "open_controller", "report", "editor"}  # fmt: skip
# Controls of panels and dialogs that would start such a program, or let others in.
NOT_USED = ("editor", "Control by other programs", "Browse")
LOAD_ERRORS = ("app.session.session: ",)


# ---- files


def open_model(player: Player) -> Play:
    path = player.model_to_open()
    player.about = path.name
    yield from player.open(path)
    player.session.set_paused(False)
    yield player.rng.uniform(0.2, 1.5)


def drop_model(player: Player) -> Play:
    path = player.shelf.any(player.rng)
    player.about = path.name
    drop(player.window, path)
    yield from player.loaded()
    yield 0.3


def open_broken(player: Player) -> Play:
    path = player.shelf.broken(player.rng)
    player.about = path.name
    if player.rng.random() < 0.5:
        drop(player.window, path)
    else:
        player.window.open_path(path)
    yield from player.loaded()
    yield 0.3
    player.window.banners.dismiss()


def open_and_cancel(player: Player) -> Play:
    player.window.open_path(player.shelf.any(player.rng))
    yield player.rng.uniform(0.0, 0.3)
    player.session.cancel_load()
    yield from player.loaded()


def reload(player: Player) -> Play:
    player.trigger("reload")
    yield from player.loaded()
    yield 0.2


def save_in_editor(player: Player) -> Play:
    """The file of the model is saved by a text editor: it is read again while it runs."""
    path = player.session.path
    if path is None or path.suffix != ".xml" or player.place["models"] not in path.parents or path.name.startswith("broken"):
        return
    path.write_bytes(path.read_bytes().replace(b"</mujoco>", b"<!-- saved --></mujoco>"))
    yield 0.8
    yield from player.loaded()


def library(player: Player) -> Play:
    player.trigger("library")
    yield player.rng.uniform(0.5, 2.0)
    for dialog in player.window.findChildren(QDialog):
        dialog.reject()


def replay(player: Player) -> Play:
    """Save what has happened, open it, go through it, and leave it."""
    if player.session.model is None or player.session.history.seconds == 0.0:
        return
    player.file = player.output(f"{player.rng.randrange(3)}.tumble")
    player.trigger("save_replay")
    written = player.file
    yield player.until("the replay is written", lambda: written.exists() or not player.session.path)
    yield 0.3
    yield from player.open(written)
    history = player.session.history
    yield player.obeyed()
    for _ in range(4):
        history.go(player.rng.randint(history.first, max(history.first, history.end)))
        yield 0.15
    history.play()
    yield 0.5


# ---- time


def pause_and_step(player: Player) -> Play:
    player.trigger("pause")
    yield 0.1
    for _ in range(player.rng.randint(1, 12)):
        player.trigger(player.rng.choice(("step", "step", "back")))
        yield 0.03
    player.session.set_paused(False)
    yield player.obeyed()


def rates(player: Player) -> Play:
    for _ in range(4):
        player.trigger(player.rng.choice(("faster", "slower")))
        yield 0.1
    player.session.set_rate(1.0)


def reset(player: Player) -> Play:
    model = player.session.model
    if model is not None:
        keys = [None, *range(model.nkey)]
        player.session.reset(player.rng.choice(keys))
    yield 0.3


def scrub(player: Player) -> Play:
    """Drag along the time line, go on from there, and return to the branch that was left."""
    history = player.session.history
    player.window.panels.open(["timeline"])
    yield 0.6
    for _ in range(12):
        history.go(player.rng.randint(history.first, max(history.first, history.end)))
        yield 0.05
    yield player.obeyed()
    player.rng.choice((history.play, history.go_on))()
    yield 0.4
    if history.branches and player.rng.random() < 0.5:
        history.return_to(player.rng.choice(history.branches).number)
        yield player.obeyed()
    player.session.set_paused(False)


def time_strip(player: Player) -> Play:
    """The mouse on the time line."""
    player.window.panels.open(["timeline"])
    yield 0.3
    panel = player.window.panels.timeline
    strips = [child for child in panel.findChildren(QWidget) if type(child).__name__ == "TimeStripView"]
    for strip in strips:
        at = hands.place(strip, player.rng)
        hands.press(strip, at)
        for _ in range(8):
            at = QPoint(player.rng.randrange(max(strip.width(), 1)), at.y())
            hands.move(strip, at)
            yield 0.04
        hands.release(strip, at)
        hands.wheel(strip, at, player.rng.randint(-3, 3))
    player.session.set_paused(False)
    yield 0.1


def bookmarks(player: Player) -> Play:
    history = player.session.history
    player.trigger("bookmark")
    yield 0.1
    for mark in history.bookmarks[:-3]:
        history.unmark(mark.step)
    if history.bookmarks:
        history.go(player.rng.choice(history.bookmarks).step)
        yield 0.2
    player.session.set_paused(False)


def keyframes(player: Player) -> Play:
    keys = player.session.part(Keyframes)
    player.trigger("save_keyframe")
    yield player.obeyed()
    yield 0.3
    if player.session.model is not None and player.session.model.nkey:
        keys.go(0)
        yield 0.1
    player.trigger("undo")
    yield 0.1


def breakpoints(player: Player) -> Play:
    points, snapshot = player.session.part(Breakpoints), player.session.snapshot
    if snapshot is None:
        return
    player.window.panels.open(["breakpoints"])
    try:
        key = points.add(player.rng.choice((f"time > {snapshot.time + 0.2:.3f}", "ncon > 0", "abs(qvel[0]) > 100")))
    except ExpressionError:
        return  # this model has no such number
    player.session.set_paused(False)
    yield 0.6
    points.remove(key)
    player.session.set_paused(False)
    yield 0.1


def forks(player: Player) -> Play:
    player.trigger("fork")
    yield 0.8
    player.trigger("fork")
    yield 0.5


def generators(player: Player) -> Play:
    model, own = player.session.model, player.session.part(Generators)
    if model is None or model.nu == 0:
        return
    for _ in range(3):
        actuator = player.rng.randrange(model.nu)
        player.session.set_ctrl(actuator, player.rng.uniform(-1, 1))
        own.set(actuator, Generator(player.rng.choice(list(Shape))))
        yield 0.2
    player.trigger("clear_ctrl")
    yield player.obeyed()


# ---- the view


def camera(player: Player) -> Play:
    view, rng = player.view, player.rng
    button, modifiers = rng.choice((LEFT_BUTTON, RIGHT_BUTTON, Qt.MouseButton.MiddleButton)), hands.PLAIN
    at = hands.place(view, rng)
    hands.press(view, at, button, modifiers)
    for _ in range(rng.randint(3, 20)):
        at += QPoint(rng.randint(-12, 12), rng.randint(-12, 12))
        hands.move(view, at, button, modifiers)
        yield 0.02
    hands.release(view, at, button, modifiers)
    hands.wheel(view, at, rng.randint(-3, 3))
    yield 0.1
    player.trigger(rng.choice(("align", "next_camera", "previous_camera", "orthographic", "free_camera")))
    yield 0.4


def drag_body(player: Player) -> Play:
    """Select a body with a double click, and pull or turn it."""
    view, rng = player.view, player.rng
    points = (hands.place(view, rng) for _ in range(30))
    found = next((at for at in points if (hit := view.pick(at.toPointF())) is not None and hit.body > 0), None)
    if found is None:
        return
    QTest.mouseDClick(view, LEFT_BUTTON, hands.PLAIN, found)
    yield 0.1
    button = rng.choice((LEFT_BUTTON, RIGHT_BUTTON))
    if rng.random() < 0.3:
        player.trigger("gizmo")
    hands.press(view, found, button, CTRL)
    for _ in range(rng.randint(5, 25)):
        found += QPoint(rng.randint(-15, 15), rng.randint(-15, 15))
        hands.move(view, found, button, CTRL)
        yield 0.03
    hands.release(view, found, button, CTRL)
    player.session.select(0)
    yield player.obeyed()


def measure(player: Player) -> Play:
    player.trigger(player.rng.choice(("measure", "measure_bodies")))
    for _ in range(3):
        QTest.mouseClick(player.view, LEFT_BUTTON, hands.PLAIN, hands.place(player.view, player.rng))
        yield 0.1
    player.trigger("copy_measure")
    player.trigger("free_camera")
    yield 0.1


def flags(player: Player) -> Play:
    """What is drawn, and back: on or off it is as before."""
    specs = (*actions.VISUALIZATION, *actions.RENDERING, *actions.GROUPS)
    chosen = player.rng.sample([spec.name for spec in specs], 6)
    for _ in range(2):
        for name in chosen:
            player.trigger(name)
            yield 0.08
    for name in ("labels", "frames"):
        player.trigger(name)
        yield 0.1


def insets(player: Player) -> Play:
    for name in player.rng.sample(("profiler", "sensors", "info", "help"), 2):
        player.trigger(name)
        yield 0.6
        player.trigger(name)
        yield 0.1


def camera_path(player: Player) -> Play:
    keys, guide = player.session.part(CameraKeys), player.session.part(CameraGuide)
    for k in range(3):
        keys.add(0.5 * k, player.view.camera)
        player.trigger(player.rng.choice(("align", "next_camera")))
        yield 0.2
    guide.set_motion(player.rng.choice(list(Motion)))
    yield 0.6
    guide.set_motion(next(iter(Motion)))
    keys.clear()
    player.trigger("free_camera")
    yield 0.1


# ---- the model


def edit(player: Player) -> Play:
    """Change parameters, take some back, and bring some back again."""
    model, edits, rng = player.session.model, player.session.part(Edits), player.rng
    if model is None or model.ngeom == 0:
        return
    for _ in range(rng.randint(1, 5)):
        geom = rng.randrange(model.ngeom)
        field = rng.choice(("geom_friction", "geom_solref", "geom_margin", "geom_rgba"))
        value = {
            "geom_friction": (rng.uniform(0, 2), 0.005, 0.0001),
            "geom_solref": (rng.uniform(0.005, 0.1), 1.0),
            "geom_margin": (rng.uniform(0, 0.01),),
            "geom_rgba": (rng.random(), rng.random(), rng.random(), 1.0),
        }[field]
        edits.set(EditPlace(field, geom), value, field)
        yield 0.1
    if rng.random() < 0.5:
        edits.set(EditPlace("opt.gravity"), (0.0, 0.0, rng.uniform(-12, 0)), "gravity")
    for _ in range(rng.randint(1, 8)):
        player.trigger(rng.choice(("undo", "undo", "redo")))
        yield 0.05
    if rng.random() < 0.5:
        player.trigger("restore")
    yield player.obeyed()


def write_model(player: Player) -> Play:
    """Edit a number, and have the model's file changed, or a copy of it saved."""
    model, edits = player.session.model, player.session.part(Edits)
    if model is None or model.ngeom == 0:
        return
    edits.set(EditPlace("geom_friction", 0), (player.rng.uniform(0.1, 2), 0.005, 0.0001), "friction")
    yield 0.1
    player.file = player.output("saved.xml")
    player.trigger(player.rng.choice(("save_model", "write", "save_binary", "print_model", "print_data")))
    yield 1.5
    edits.restore()
    yield player.obeyed()


def copy_and_paste(player: Player) -> Play:
    player.trigger(player.rng.choice(("copy_state", "copy_state_text", "copy_camera", "copy_camera_text")))
    yield 0.1
    player.trigger("paste_state")
    yield player.obeyed()


def check_model(player: Player) -> Play:
    player.trigger(player.rng.choice(("check", "collision", "explain")))
    yield 2.0


# ---- panels


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


# ---- pictures and videos


def record(player: Player) -> Play:
    film = player.window.filming
    if film.recording.phase is not RecordingPhase.IDLE:
        return
    player.trigger("record")
    yield 0.2
    dialog = film.record_dialog
    dialog.file.text.setText(str(player.output(f"film.{player.rng.choice(('mp4', 'mp4', 'gif'))}")))
    dialog.go.click()
    yield player.rng.uniform(0.8, 2.0)
    if film.recording.phase is RecordingPhase.RUNNING:
        player.trigger("record")
    yield player.until("the recording is finished", lambda: film.recording.phase is RecordingPhase.IDLE, 240.0)


def screenshot(player: Player) -> Play:
    film = player.window.filming
    player.trigger("screenshot")
    yield 0.2
    dialog, path = film.screenshot_dialog, player.output("picture.png")
    dialog.file.text.setText(str(path))
    dialog.size_box.setCurrentText(player.rng.choice(("640 x 480", "1280 x 720", "300 x 900")))
    dialog.transparent.setChecked(player.rng.random() < 0.3)
    dialog.go.click()
    if not dialog.isVisible():
        yield player.until("the picture is written", path.exists, 60.0)
    dialog.reject()
    yield 0.2


def export(player: Player) -> Play:
    film, session = player.window.filming, player.session
    if session.model is None or session.history.seconds < 0.2:
        return
    player.trigger("export")
    yield 0.2
    dialog = film.export_dialog
    dialog.source.setCurrentIndex(LAST)
    dialog.seconds.setValue(0.3)
    dialog.size_box.setCurrentText("320 x 240")
    dialog.fps.setCurrentText("25")
    dialog.file.text.setText(str(player.output("export.mp4")))
    dialog.go.click()
    if player.rng.random() < 0.2:
        yield 1.0
        film.export.cancel()
    yield player.until("the export ends", lambda: film.export.phase is ExportPhase.IDLE, 300.0)
    dialog.reject()
    yield 0.1


MOVES = [
    Move("open", open_model, 3.0),
    Move("drop", drop_model),
    Move("broken", open_broken, 1.0, LOAD_ERRORS),
    Move("cancel load", open_and_cancel),
    Move("reload", reload),
    Move("save in editor", save_in_editor),
    Move("library", library, 0.3),
    Move("replay", replay, 1.0),
    Move("pause and step", pause_and_step),
    Move("rates", rates),
    Move("reset", reset),
    Move("scrub", scrub, 1.5),
    Move("time strip", time_strip),
    Move("bookmarks", bookmarks),
    Move("keyframes", keyframes),
    Move("breakpoints", breakpoints),
    Move("forks", forks),
    Move("generators", generators),
    Move("camera", camera, 2.0),
    Move("drag body", drag_body, 2.0),
    Move("measure", measure, 0.7),
    Move("flags", flags),
    Move("insets", insets),
    Move("camera path", camera_path, 0.7),
    Move("edit", edit, 2.0),
    Move("write model", write_model, 1.0),
    Move("copy and paste", copy_and_paste),
    Move("check model", check_model, 0.5),
    Move("docks", docks, 2.0),
    Move("layouts", layouts),
    Move("use panel", use_panel, 3.0),
    Move("any actions", any_actions),
    Move("palette", palette),
    Move("preferences", preferences, 0.7),
    Move("record", record, 0.7),
    Move("screenshot", screenshot),
    Move("export", export, 0.4),
]
