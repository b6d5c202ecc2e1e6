"""What a soak does with files: models that are opened, dropped, damaged, saved; replays, videos, pictures, exports."""

from PyQt6.QtWidgets import QDialog

from tests.app.mouse import drop
from tests.soak.player import Play, Player
from tumble.app.film.export import ExportPhase
from tumble.app.film.export_dialog import LAST
from tumble.app.film.recording import RecordingPhase


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


def record(player: Player) -> Play:
    film = player.window.filming
    if film.recording.phase is not RecordingPhase.IDLE:
        return
    player.trigger("record")
    yield 0.2
    dialog = film.record_dialog
    dialog.file.text.setText(str(player.output(f"film.{player.rng.choice(('mp4', 'mp4', 'gif'))}")))
    dialog.go.click()
    yield player.until("a picture is recorded", lambda: film.recording.frames > 0 or not film.recording.active)
    yield player.rng.uniform(0.8, 2.0)
    if film.recording.phase is RecordingPhase.RUNNING:
        player.trigger("record")
    yield player.until("the recording is finished", lambda: film.recording.phase is RecordingPhase.IDLE, 240.0)


def screenshot(player: Player) -> Play:
    film = player.window.filming
    player.trigger("screenshot")
    yield 0.2
    dialog = film.screenshot_dialog
    dialog.form_box.setCurrentIndex(player.rng.randrange(dialog.form_box.count()))
    path = player.output(f"picture{dialog.picture_form.suffix}")
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
