"""The command line, in a process of its own where a window would open."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.conftest import MODELS
from tumble import __main__ as command
from tumble import __version__

ROOT = Path(command.__file__).parents[1]


@pytest.fixture(autouse=True)
def _no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> int:
        raise AssertionError("a window was opened")

    monkeypatch.setattr(command, "_run", refuse)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        (MODELS / "missing.xml", "no such file"),
        (MODELS, "folder"),
        (Path(__file__), "a .py file is not a model"),
    ],
)
def test_a_bad_model_ends_with_2_and_one_message(path: Path, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(path)]) == command.BAD_MODEL == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert printed.out == ""
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    ("option", "says"), [("--help", [f"tumble {name}" for name in command.COMMANDS]), ("--version", [__version__])]
)
def test_help_and_version(option: str, says: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main([option])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert all(text in printed for text in says)


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "fast"])
def test_a_speed_that_is_none_is_refused(speed: str) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--speed", speed])
    assert ended.value.code == 2


def test_a_model_that_does_not_load_ends_the_window_with_2() -> None:
    """The window comes first, whatever a model takes to load."""
    line = [sys.executable, "-m", "tumble", str(MODELS / "broken.xml")]
    ended = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 2, ended.stderr
    assert "broken.xml:3:" in ended.stderr


def test_closed_stdout_exits_without_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdout", None)  # what Python makes of `>&-`
    assert command.main(["schema"]) == 3
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_unencodable_output_is_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    """As where LC_ALL is C, or where Windows writes to a file."""
    path = tmp_path / "model.xml"
    path.write_text('<mujoco><worldbody><body><joint name="→"/><geom size="1"/></body></worldbody></mujoco>', "utf-8")
    line = ["simulate", str(path), "--seconds", "0.002", "--quiet"]
    for options, coded, shown in (((), encoding, r"qpos[\u2192]"), (("--json",), "utf-8", '"command": "simulate"')):
        written = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
        assert command.main([*line, *(options or ("--csv", "-"))]) == 0
        assert sys.stdout.encoding == coded
        assert shown in written.getvalue().decode(coded)
