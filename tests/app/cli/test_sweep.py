"""`tumble sweep`: a study carried out, its table, what is best and what matters, and mistakes in one line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.app.study.slope import FRICTION, HEAD, SLID, SLOPE
from tumble.__main__ import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slope.xml").write_text(SLOPE)
    return tmp_path


def sweep(folder: Path, text: str, *options: str) -> int:
    (folder / "slope.toml").write_text(text)
    return main(["sweep", str(folder / "slope.toml"), *options])


def test_the_table_and_the_best_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = HEAD + FRICTION + SLID + '[sweep]\nmethod = "grid"\nobjective = "slid"\ngoal = "greatest"\n'
    assert sweep(folder, text, "--csv", str(folder / "a.csv")) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[0].split() == ["measure", "least", "median", "greatest", "none"]
    assert output[2].startswith("best: run 0, friction = 0.05, slid = 0.1")
    with (folder / "a.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["friction"] for row in rows] == ["0.05", "0.2875", "0.525", "0.7625", "1.0"]
    assert {row["status"] for row in rows} == {"done"}


def test_programs_get_the_numbers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = HEAD + FRICTION + '[parameters.kp]\npath = "position[servo].kp"\nlow = 1.0\nhigh = 3.0\n' + SLID
    assert sweep(folder, text + '[sweep]\nmethod = "sensitivity"\nruns = 64\n', "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["runs"], answer["failed"], answer["best"]) == (64, 0, None)
    (index,) = answer["sensitivity"]
    assert index["measure"] == "slid"
    assert index["total"]["friction"] > 0.8
    assert index["total"]["kp"] == pytest.approx(0.0, abs=1e-9)


def test_failures_are_results_and_an_exit_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = HEAD + '[parameters.kp]\npath = "position[servo].kp"\nvalues = [1.0, 1e9]\n' + SLID + "[controls]\nservo = 0.5\n"
    assert sweep(folder, text + '[sweep]\nmethod = "grid"\n', "--csv", str(folder / "a.csv")) == 1
    assert "2 runs in" in capsys.readouterr().err
    with (folder / "a.csv").open() as file:
        assert ["huge or not a number" in row["status"] for row in csv.DictReader(file)] == [False, True]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (HEAD + FRICTION.replace("geom[box]", "geom[bix]") + SLID, 2, "no <geom> is called 'bix'; there are box"),
        (HEAD.replace("slope.xml", "hill.xml") + FRICTION + SLID, 2, "hill.xml"),
        (HEAD + "low\n", 2, "slope.toml:3:4"),
    ],
)
def test_a_mistake_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str], text: str, code: int, words: str) -> None:
    assert sweep(folder, text, "--quiet") == code
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_full_disk_loses_nothing_that_was_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = HEAD + FRICTION + SLID + '[sweep]\nmethod = "grid"\n'
    assert sweep(folder, text, "-o", "/dev/full", "--quiet") == 3
    assert capsys.readouterr().err.count("\n") == 1


def test_a_scheduler_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    assert sweep(folder, HEAD + FRICTION + SLID, "--scheduler", "nonsense://x", "--quiet") == 3
    assert "--scheduler nonsense://x: no scheduler answers there" in capsys.readouterr().err


def test_a_controller_runs_only_with_trust(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "hold.py").write_text("def control(model, data):\n    data.ctrl[0] = 0.5\n")
    text = 'controller = "hold.py"\n' + HEAD + FRICTION + SLID + 'hinge = {final = "ctrl[servo]"}\n[sweep]\nmethod = "grid"\n'
    assert sweep(folder, text) == 2
    error = capsys.readouterr().err
    assert "hold.py: the study's controller is a program" in error
    assert "--trust" in error
    assert not (folder / "slope.sqlite").exists()
    assert sweep(folder, text, "--trust", "--csv", str(folder / "a.csv")) == 0
    with (folder / "a.csv").open() as file:
        assert {row["hinge"] for row in csv.DictReader(file)} == {"0.5"}
