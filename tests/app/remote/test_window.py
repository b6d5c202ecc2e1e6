"""A window under remote control: each command, by the client and by the command line, in the real window."""

from __future__ import annotations

import io
import json
import os
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.app.conftest import MODELS, open_and_wait, written
from tumble import physics
from tumble.__main__ import main
from tumble.app.base import settings
from tumble.app.cli import remote as command
from tumble.app.remote import Remote, RemoteError, connect, desk, protocol
from tumble.app.shell.main_window import MainWindow
from tumble.app.viewport.photo import Photo
from tumble.physics.base import system

pytestmark = pytest.mark.pumped


class Elsewhere:
    """Another program: what it does happens in a thread, while the window lives on."""

    def __init__(self, qtbot: QtBot, file: Path) -> None:
        self._qtbot, self.file = qtbot, file
        self._pool = ThreadPoolExecutor(1)
        self.window: Remote = self(lambda: connect(file))

    def __call__(self, work: Callable[[], Any]) -> Any:
        future = self._pool.submit(work)
        self._qtbot.waitUntil(future.done)
        return future.result()

    def close(self) -> None:
        self.window.close()
        self._pool.shutdown()


@pytest.fixture
def elsewhere(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Any:
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    window.remote.set_on(True, tmp_path / "place.json")
    client = Elsewhere(qtbot, tmp_path / "place.json")
    yield client
    client.close()
    window.remote.set_on(False)
    assert not client.file.exists()


def test_remote_commands_finish_before_reply_or_are_refused(elsewhere: Elsewhere, window: MainWindow) -> None:
    remote, model = elsewhere.window, window.session.loaded_model
    assert elsewhere(remote.pause)["time"] >= 0
    before = elsewhere(lambda: remote.read("time"))["time"]
    after = elsewhere(lambda: remote.step(250))["time"]
    assert after == pytest.approx(before + 250 * model.opt.timestep)
    elsewhere(lambda: remote.set({"qpos[0]": 0.25, "opt.timestep": 0.001, "ctrl[0]": 0.5}))
    read = elsewhere(lambda: remote.read("qpos[0]", "opt.timestep", "ctrl[0]", "qpos"))
    assert (read["qpos[0]"], read["opt.timestep"], read["ctrl[0]"]) == (0.25, 0.001, 0.5)
    assert len(read["qpos"]) == model.nq
    assert window.edits.unsaved == 1  # and it can be undone in the window
    window.edits.stack.undo()
    assert elsewhere(lambda: remote.read("opt.timestep"))["opt.timestep"] != 0.001
    assert elsewhere(remote.reset)["time"] == 0.0
    elsewhere(lambda: remote.run(rate=2.0))
    assert not window.session.paused
    assert window.session.rate == 2.0
    status = elsewhere(remote.status)
    assert status["path"] == str(MODELS / "arm.xml")
    assert status["nq"] == model.nq
    assert "qpos[" in elsewhere(lambda: remote.signals("qpos"))[0]

    elsewhere(remote.pause)
    now, unsaved, nq = elsewhere(lambda: remote.read("qpos")), window.edits.unsaved, model.nq
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"do": "fly"}, "there is no command 'fly'; there are status, open"),
        ({"do": "set", "values": {"qpos[0]": 1.0, "nosuch": 1.0}}, "there is no 'nosuch'"),
        ({"do": "set", "values": {"qpos": [0.0] * (nq + 1)}}, f"qpos has {nq} numbers, and {nq + 1} are given"),
        ({"do": "set", "values": {"nq": 4}}, "sizes"),
        ({"do": "set", "values": {"xpos": 1.0}}, "xpos has"),
        ({"do": "set", "values": {"energy[potential]": 1.0}}, "is computed"),
        ({"do": "set", "values": {"opt.timestep": -1.0}}, "opt.timestep: "),
        ({"do": "set", "values": {"opt.integrator": 99}}, "integrator=99 is unknown; valid are 0 Euler"),
        ({"do": "set", "values": {"opt.solver": -1}}, "solver=-1 is unknown; valid are 0 PGS"),
        ({"do": "set", "values": {"tumble.contact_model": 7}}, "contact_model=7 is unknown"),
        ({"do": "set", "values": {"qpos[0]": "far"}}, "expected a finite number"),
        ({"do": "set", "values": 3}, 'expected {"name": numbers}'),
        ({"do": "read", "names": []}, "expected a list"),
        ({"do": "read", "names": ["qpos[0"]}, "the bracket is not closed"),
        ({"do": "step", "count": 0}, "expected a whole number"),
        ({"do": "run", "rate": -1}, "expected a number above 0"),
        ({"do": "reset", "key": "nosuch"}, "there is no keyframe 'nosuch'"),
        ({"do": "open", "path": "/no/such.xml"}, "no such"),
        ({"do": "picture", "width": 10**9}, "expected a whole number from 0 to"),
        ({"do": "picture", "width": 16384, "height": 16384}, "a picture has at most 16777216 pixels"),
    ]
    for message, why in wrong:
        with pytest.raises(RemoteError) as error:
            elsewhere(lambda message=message: remote.ask(**message))
        assert why in str(error.value)
    assert elsewhere(lambda: remote.read("qpos")) == now
    assert window.edits.unsaved == unsaved


TIED = """<mujoco><worldbody><body><joint name="a"/><geom size=".1"/></body><body><joint name="b"/><geom size=".1"/></body>
</worldbody>
<equality><joint name="tie" joint1="a" joint2="b"/></equality></mujoco>"""


def test_forces_and_equalities_are_set_from_elsewhere(elsewhere: Elsewhere, window: MainWindow, tmp_path: Path) -> None:
    remote = elsewhere.window
    elsewhere(lambda: remote.open(written(tmp_path / "tied.xml", TIED)))
    elsewhere(remote.pause)
    wanted = {"qfrc_applied[b]": 0.125, "xfrc_applied[1, 2]": -0.5, "eq_active[tie]": 0}
    elsewhere(lambda: remote.set(wanted))
    assert elsewhere(lambda: remote.read(*wanted)) == wanted
    with pytest.raises(RemoteError, match="is 1, on, or 0, off"):
        elsewhere(lambda: remote.set({"eq_active[tie]": 0.5}))


STILL = """<mujoco><option integrator="RK4"><flag sleep="enable"/></option>
<worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def test_a_step_that_cannot_be_taken_is_refused_with_its_reason(
    elsewhere: Elsewhere, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Each of the options alone is refused where it would complete the pair; a file may have both."""
    remote = elsewhere.window
    rk4, sleep = float(physics.mjtIntegrator.mjINT_RK4), float(physics.mjtEnableBit.mjENBL_SLEEP)
    for first, second in (("opt.integrator", "opt.enableflags"), ("opt.enableflags", "opt.integrator")):
        pair = {"opt.integrator": rk4, "opt.enableflags": sleep}
        elsewhere(lambda: remote.open(MODELS / "ball.xml", discard=True))
        elsewhere(lambda first=first, pair=pair: remote.set({first: pair[first]}))
        with pytest.raises(RemoteError, match="exclude each other"):
            elsewhere(lambda second=second, pair=pair: remote.set({second: pair[second]}))
    elsewhere(lambda: remote.open(written(tmp_path / "still.xml", STILL), discard=True))
    assert elsewhere(lambda: main(["remote", "step", "3", "--window", str(elsewhere.file)])) == command.REFUSED
    assert "does not go with the flag sleep" in capsys.readouterr().err


def test_remote_returns_pictures_and_open_keeps_unsaved_edits(
    elsewhere: Elsewhere, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    remote = elsewhere.window
    png = tmp_path / "view.png"
    png.write_bytes(elsewhere(lambda: remote.picture(320, 200)))
    pixels = np.asarray(Image.open(png))
    assert pixels.shape == (200, 320, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 16
    elsewhere(lambda: remote.set({"opt.timestep": 0.001}))
    with pytest.raises(RemoteError, match="unsaved changes"):
        elsewhere(lambda: remote.open(MODELS / "ball.xml"))
    assert elsewhere(lambda: remote.open(MODELS / "ball.xml", discard=True))["path"] == str(MODELS / "ball.xml")

    where = ["--window", str(elsewhere.file)]
    assert elsewhere(lambda: main(["remote", "pause", "--json", *where])) == 0
    assert json.loads(capsys.readouterr().out)["time"] >= 0
    assert elsewhere(lambda: main(["remote", "set", "qpos[0]=0.5", *where])) == 0
    capsys.readouterr()
    assert elsewhere(lambda: main(["remote", "read", "qpos[0]", *where])) == 0
    assert capsys.readouterr().out == "qpos[0] = 0.5\n"
    assert elsewhere(lambda: main(["remote", "picture", str(tmp_path / "a.png"), "--size", "64x48", *where])) == 0
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (64, 48)
    assert elsewhere(lambda: main(["remote", "set", "nosuch=1", *where])) == command.REFUSED
    assert "there is no 'nosuch'" in capsys.readouterr().err


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 3)])
def test_the_smallest_pictures_are_answered(elsewhere: Elsewhere, size: tuple[int, int]) -> None:
    with Image.open(io.BytesIO(elsewhere(lambda: elsewhere.window.picture(*size, overlay=True)))) as picture:
        assert picture.size == size


def test_an_internal_error_is_answered(
    elsewhere: Elsewhere, window: MainWindow, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(window.viewport, "photograph", lambda photo: [][0])
    monkeypatch.setattr(window.session, "set_rate", lambda rate: [][0])
    for ask in (lambda: elsewhere.window.picture(64, 48), lambda: elsewhere.window.run(2.0)):
        with pytest.raises(RemoteError, match="internal error: IndexError"):
            elsewhere(ask)
    assert caplog.text.count("a remote command failed") == 2


def test_a_client_that_reads_nothing_delays_nobody_and_can_quit(
    elsewhere: Elsewhere, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "QUITTING", 100)
    drawn: list[Photo] = []
    place = protocol.read_place(elsewhere.file)
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", place.port))
        deaf.sendall(protocol.encoded({"token": place.token}))
        # Noise, which no PNG packs: 9 MB each, more than the sockets hold.
        noise = QImage(np.random.default_rng(0).bytes(4 * 1500 * 1500), 1500, 1500, QImage.Format.Format_RGBA8888_Premultiplied)
        monkeypatch.setattr(window.viewport, "photograph", lambda photo: drawn.append(photo) or noise)
        for _ in range(40):
            deaf.sendall(protocol.encoded({"do": "picture", "width": 1500, "height": 1500}))
        qtbot.waitUntil(lambda: bool(drawn))
        for k in range(20):
            assert elsewhere(lambda k=k: elsewhere.window.set({"qpos[0]": k / 100}))["ok"]
        assert len(drawn) <= 2
        closed: list[bool] = []
        monkeypatch.setattr(window, "close_at_once", lambda: closed.append(True))
        deaf.sendall(protocol.encoded({"do": "quit", "discard": True}))
        qtbot.waitUntil(lambda: bool(closed))
        assert len(drawn) <= 2


def test_the_file_of_a_window_appears_with_its_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, path, replace = protocol.WindowPlace(1, "a", 2), tmp_path / "place.json", os.replace

    def check(made: Path, target: Path) -> None:
        assert not path.exists()
        assert protocol.read_place(made) == place
        replace(made, target)

    monkeypatch.setattr(os, "replace", check)
    protocol.write_place(place, path)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("text", ["", "{}", '{"port": "x"}', "[" * 100_000], ids=["empty", "no entries", "other kinds", "deep"])
def test_a_file_that_is_no_address_of_a_window_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "place.json"
    path.write_text(text)
    with pytest.raises(protocol.PlaceError, match="is not a file of a window"):
        protocol.read_place(path)


def test_remote_is_off_by_default_and_its_file_is_private(window: MainWindow, tmp_path: Path,
                                                                     monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr(system, "runtime_folder", lambda: tmp_path / "places")
    assert not window.session.store.get(settings.REMOTE)
    assert not protocol.windows()
    with pytest.raises(RemoteError, match="tumble --remote"):
        connect()
    window.preferences.dialog.settings.controls[settings.REMOTE.key].setChecked(True)
    assert window.remote.on
    (file,) = protocol.windows()
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700
    assert protocol.read_place(file).pid == os.getpid()
    window.preferences.dialog.settings.controls[settings.REMOTE.key].setChecked(False)
    assert not protocol.windows()
    model = tmp_path / "model.xml"
    model.write_text("<mujoco/>")
    window.remote.set_on(True, model)  # a file of the user's is never replaced
    assert not window.remote.on
    assert model.read_text() == "<mujoco/>"
