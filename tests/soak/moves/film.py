"""What a soak makes: videos, pictures, exports."""

from tests.soak.player import Play, Player
from tumble.app.film.export import ExportPhase
from tumble.app.film.export_dialog import LAST
from tumble.app.film.recording import RecordingPhase


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
