"""What a soak does with files: models that are opened, dropped, damaged, saved; replays."""

from PyQt6.QtWidgets import QDialog

from tests.app.mouse import drop
from tests.soak.player import Play, Player


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
