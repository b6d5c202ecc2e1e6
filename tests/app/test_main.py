"""The command line, in a process of its own where a window would open."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import physics
from app import __main__ as command
from app import __version__
from tests.app.conftest import MODELS


@pytest.fixture(autouse=True, scope="module")
def _kernels() -> None:
    """Without them a window comes first, to show how far their compilation is."""
    physics.prepare_loading()


@pytest.fixture(autouse=True)
def _no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> int:
        raise AssertionError("a window was opened")

    monkeypatch.setattr(command, "_run", refuse)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        (MODELS / "broken.xml", "broken.xml:3:"),
        (MODELS / "missing.xml", "no such file"),
        (MODELS, "folder"),
        (Path(__file__), "no MJCF model"),
    ],
)
def test_a_bad_model_ends_with_2_and_one_message(path: Path, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(path)]) == command.BAD_MODEL == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert printed.out == ""
    assert "Traceback" not in printed.err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for option, says in (("--help", "model"), ("--version", __version__)):
        with pytest.raises(SystemExit) as ended:
            command.main([option])
        assert ended.value.code == 0
        assert says in capsys.readouterr().out


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "fast"])
def test_a_speed_that_is_none_is_refused(speed: str) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--speed", speed])
    assert ended.value.code == 2


def test_the_model_is_compiled_once_and_handed_to_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def run(path, compiled, options) -> int:
        seen.append((path, compiled.model.nu, options.speed))
        return 0

    monkeypatch.setattr(command, "_run", run)
    assert command.main([str(MODELS / "arm.xml"), "--speed", "0.5"]) == 0
    assert command.main([]) == 0
    assert seen[0] == (MODELS / "arm.xml", 1, 0.5)
    assert seen[1][0].name == "tumbler.xml"


def test_without_compiled_kernels_the_window_comes_first_and_a_bad_model_still_ends_with_2(tmp_path: Path) -> None:
    env, root = os.environ | {"TUMBLE_CACHE": str(tmp_path)}, Path(command.__file__).parents[1]
    line = [sys.executable, "-m", "app", str(MODELS / "broken.xml")]
    ended = subprocess.run(line, env=env, cwd=root, capture_output=True, text=True, check=False)
    assert ended.returncode == 2, ended.stderr
    assert "broken.xml:3:" in ended.stderr
