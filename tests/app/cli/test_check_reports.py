"""`tumble check` of folders, its page of HTML, its proofs and its patches."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.app.cli.test_commands import pendulum
from tests.app.conftest import written
from tumble.__main__ import COMMANDS, main
from tumble.app.cli import check
from tumble.app.doctor import fix
from tumble.app.doctor.proof import Proof
from tumble.render import offscreen

ROOT = Path(__file__).parents[3]
HARD = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body pos="0 0 0.1">
      <freejoint/>
      <geom name="crate" type="box" size=".1 .1 .1" mass="50" solref="0.0021 1" priority="1"/>
    </body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """A crate whose time constant is below two time steps: half of them prove to lift it."""
    return written(tmp_path / "hard.xml", HARD)


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main(["check", *arguments, "--json"])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_proof_has_what_a_run_measures_without_and_with_the_change(hard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = told([str(hard), "--prove"], capsys)["findings"]
    proof, measure = finding["proof"], finding["change"]["measure"]
    assert proof["holds"] is True
    assert (proof["before"], proof["after"]) == pytest.approx((measure["before"], measure["after"]), rel=0.1)
    assert "proof" not in told([str(hard)], capsys)["findings"][0]


def test_change_that_does_not_hold_is_dropped(
    hard: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def prove(model: object, start: object, change: Any, seconds: float, going: object) -> Proof:
        before = change.prediction.before
        return Proof(change.prediction, before, before)

    monkeypatch.setattr(fix, "prove", prove)
    answer = told([str(hard), "--fix"], capsys)
    (finding,) = answer["findings"]
    assert finding["change"] is None
    assert finding["proof"]["holds"] is False
    assert answer["models"][0]["fix"]["written"] == []
    assert hard.read_text() == HARD
    main(["check", str(hard), "--fix", "--quiet"])
    assert "nothing to fix" in capsys.readouterr().out


def test_fix_writes_the_patch_and_says_what_is_left(hard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = told([str(hard), "--fix"], capsys)
    assert answer["exit_code"] == 0
    assert answer["findings"] == []
    (model,) = answer["models"]
    assert model["fix"]["written"] == [str(hard)]
    assert [entry["rule"] for entry in model["fix"]["fixed"]] == ["soft-contact"]
    assert '+  <option timestep="0.00105"/>' in model["fix"]["diff"]
    assert hard.read_text() == HARD.replace("<mujoco>", '<mujoco>\n  <option timestep="0.00105"/>')


def test_dry_run_shows_the_patch_and_writes_nothing(hard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(hard), "--fix", "--dry-run", "--quiet"]) == 1
    printed = capsys.readouterr().out
    assert '+  <option timestep="0.00105"/>' in printed
    assert printed.endswith("not written: --dry-run\n")
    assert hard.read_text() == HARD
    assert main(["check", str(hard), "--dry-run"]) == 2


def test_fix_leaves_examples_of_the_program_alone(
    hard: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fix, "is_bundled", lambda path: True)
    assert main(["check", str(hard), "--fix", "--quiet"]) == 1
    assert "not fixed: hard.xml is an example of the program" in capsys.readouterr().out
    assert hard.read_text() == HARD


def test_page_has_findings_and_pictures_and_needs_no_other_file(hard: Path, tmp_path: Path) -> None:
    broken = written(tmp_path / "<broken>.xml", "<mujoco><worldbody><geom size='x'/></worldbody></mujoco>")
    page = tmp_path / "page.html"
    assert main(["check", str(hard), str(broken), "--jobs", "1", "--prove", "--html", str(page), "--quiet"]) == 2
    html = page.read_text()
    assert "1 error, 1 warning, 0 suggestions" in html
    assert "geom:crate" in html
    assert "<code>option.timestep</code>: <code>0.002</code> → <code>0.00105</code>" in html
    assert "(1.21 µm predicted)" in html
    assert "&lt;broken&gt;.xml" in html
    assert "<broken>" not in html
    assert html.count("data:image/png;base64,") == 1
    assert set(re.findall(r'(?:src|href)="([^"]{5})', html)) <= {"data:", "#mode", "#rule"}
    assert not re.search(r"<script|<link|url\(", html)


def test_page_says_why_it_has_no_pictures(hard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offscreen, "make_context", lambda: 1 / 0)
    page = tmp_path / "page.html"
    assert main(["check", str(hard), "--html", str(page), "--quiet"]) == 1
    html = page.read_text()
    assert "There are no pictures: no picture can be drawn without a window (OpenGL 3.3 by EGL): division by zero." in html
    assert "<img" not in html


@pytest.fixture
def folder(hard: Path, tmp_path: Path) -> Path:
    """Four files: a scene that includes a robot, a crate, and a file that does not load."""
    robots = tmp_path / "robots"
    robots.mkdir()
    pendulum(tmp_path).rename(robots / "robot.xml")
    hard.rename(robots / "a.xml")
    (robots / "b.xml").write_text("<mujoco><worldbody><geom size='x'/></worldbody></mujoco>")
    (robots / "scene.xml").write_text('<mujoco><include file="robot.xml"/></mujoco>')
    (robots / "other.xml").write_text("<note/>")
    return robots


def test_folder_stands_for_its_models_scenes_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = told([str(folder), "--jobs", "1", "--seconds", "0.1"], capsys)
    assert [Path(model["model"]).name for model in answer["models"]] == ["scene.xml", "a.xml"]
    assert "load" in [entry["rule"] for entry in answer["findings"]]
    assert answer["exit_code"] == 2


@pytest.mark.slow
def test_processes_give_the_same_results_in_the_same_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = [told([str(folder), "--jobs", jobs, "--seconds", "0.1", "--prove"], capsys) for jobs in ("1", "3")]
    assert answers[0] == answers[1]


def test_files_that_are_no_models_are_skipped(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder / "other.xml"), "--quiet"]) == 2
    capsys.readouterr()
    assert main(["check", str(folder / "other.xml"), "--models-only", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []


def test_hook_of_pre_commit_names_an_existing_command() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    program, command = hook["entry"].split()
    assert f'{program} = "tumble.__main__:main"' in (ROOT / "pyproject.toml").read_text()
    assert command in COMMANDS
    assert check.parser().read([*hook["args"], "model.xml"]).models_only
    assert (hook["id"], hook["language"], hook["types"]) == ("tumble-check", "python", ["xml"])
