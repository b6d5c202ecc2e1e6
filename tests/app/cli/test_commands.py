"""The commands without a window: what they print, write, and end with."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.app.conftest import MODELS, written
from tests.app.film.test_video import decoded
from tests.app.replay.test_replay import write_heap
from tests.physics.scenes import GYM
from tumble import physics
from tumble.__main__ import COMMANDS, main
from tumble.app.cli import remote, run
from tumble.app.cli.output import Progress
from tumble.app.describe.signals import Catalogue
from tumble.app.library.examples import EXAMPLES

ROOT = Path(__file__).parents[3]
PENDULUM = """<mujoco model="pendulum">
  <option timestep="0.01"/>
  <worldbody><body name="rod"><joint name="hinge" axis="0 1 0"/>
    <geom type="capsule" size="0.02" fromto="0 0 0 0.5 0 0"/></body></worldbody>
  <actuator><position name="servo" joint="hinge" kp="{kp}" kv="{kv}"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><framepos name="where" objtype="body" objname="rod"/></sensor>
  <keyframe><key name="up" qpos="-1.5" ctrl="-1.5"/></keyframe>
</mujoco>"""


def pendulum(folder: Path, kp: float = 5, kv: float = 0.5) -> Path:
    return written(folder / "pendulum.xml", PENDULUM.format(kp=kp, kv=kv))


# ---- all of them


@pytest.mark.parametrize("name", COMMANDS)
def test_command_help_lists_example_and_exit_codes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    output = capsys.readouterr().out
    assert f"tumble {name}" in output
    assert "example: tumble" in output
    assert "exit codes: 0 done" in output


@pytest.mark.parametrize(
    "line",
    [["render", "-o", "x.mp4"], ["simulate"], ["check"], ["bench"], ["convert", "x.xml"], ["compare", str(MODELS / "ball.xml")]],
)
@pytest.mark.parametrize(("model", "says"), [("broken.xml", "broken.xml:3:5: <geom>"), ("missing.xml", "no such file")])
def test_a_model_that_does_not_load_ends_with_2_and_where(
    line: list[str], model: str, says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *more = line
    place = [str(MODELS / model), *more] if name != "compare" else [*more, str(MODELS / model)]
    assert main([name, *place, "--quiet"]) == 2
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.err.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_output_that_nobody_reads_any_more_ends_quietly(tmp_path: Path) -> None:
    line = f"{sys.executable} -m tumble simulate --quiet {pendulum(tmp_path)} --seconds 300 --csv - | head -1"
    ran = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stdout == "time,qpos[hinge],qvel[hinge]\n"
    assert ran.stderr == ""


# ---- simulate


def test_simulate_csv_rows_equal_engine_state_exactly(tmp_path: Path) -> None:
    out, path = tmp_path / "out.csv", pendulum(tmp_path)
    line = ["--seconds", "0.5", "--csv", str(out), "--fields", "time,qpos,sensordata,xpos[rod,z],actuator_force", "--quiet"]
    assert main(["simulate", str(path), *line, "--key", "up", "--ctrl", "servo=0.25", "--every", "2"]) == 0
    with out.open() as file:
        head, *rows = list(csv.reader(file))
    assert head == [
        "time", "qpos[hinge]", "sensordata[angle]", "sensordata[where, 0]", "sensordata[where, 1]", "sensordata[where, 2]",
        "xpos[rod, z]", "actuator_force[servo]",
    ]  # fmt: skip
    m = physics.MjModel.from_xml_path(str(path))
    d = physics.MjData(m)
    physics.mj_resetDataKeyframe(m, d, 0)
    d.ctrl[0] = 0.25
    assert len(rows) == 25
    for row in rows:
        physics.mj_step(m, d, 2)
        assert [float(x) for x in row] == [d.time, d.qpos[0], *d.sensordata, d.xpos[1, 2], d.actuator_force[0]]


@pytest.mark.parametrize(
    ("more", "code", "says"),
    [
        (["--fields", "qposs"], 2, "there is no 'qposs'; did you mean qpos"),
        (["--fields", "qpos[knee]"], 2, "qpos has no 'knee'; valid are for example hinge"),
        (["--fields", "contact.dist"], 2, "another number of rows at every step; say which, as contact.dist[0]"),
        (["--csv", "no/folder/out.csv"], 3, "cannot be written: No such file"),
        (["--record", "no/folder/out.tumble"], 3, "cannot be written: No such file"),
        (["--key", "down"], 2, "no keyframe 'down'; there are: up"),
    ],
)
def test_what_cannot_be_simulated_ends_with_its_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], code: int, says: str
) -> None:
    assert main(["simulate", str(pendulum(tmp_path)), "--quiet", "--seconds", "0.1", *more]) == code
    assert says in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["pendulum.xml"]


def test_a_state_that_blows_up_is_told_by_name_and_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(MODELS / "blowup.xml"), "--seconds", "1", "--quiet"]) == 1
    assert "joint spring became huge or not a number" in capsys.readouterr().err


# ---- replays on the command line


def test_recorded_run_checks_and_renders_but_damaged_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replay, out = tmp_path / "run.tumble", tmp_path / "out.mp4"
    assert main(["simulate", str(write_heap(tmp_path / "model")), "--seconds", "0.5", "--record", str(replay), "--quiet"]) == 0
    assert main(["check", str(replay), "--quiet"]) == 0
    assert "125 steps to 0.500 s, the same states at all 1 that were recorded" in capsys.readouterr().out
    assert main(["render", str(replay), "-o", str(out), "--size", "64x48", "--quality", "plain", "--quiet"]) == 0
    assert len(decoded(out)) == 30
    assert main(["render", str(replay), "-o", str(out), "--ctrl", "swing=1"]) == 2
    replay.write_bytes(replay.read_bytes()[:-100])
    assert main(["check", str(replay), "--quiet"]) == 2
    assert "run.tumble: is damaged or cut short" in capsys.readouterr().err


# ---- bench, compare, convert


def test_bench_tells_speed_and_stages_that_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(MODELS / "heap.xml"), "--wall", "0.3", "--quiet"]) == 0
    output = capsys.readouterr().out
    assert "x real time at a time step of" in output
    table = {line.split()[0]: float(line.split()[-1]) for line in output.splitlines()[3:]}
    assert output.splitlines()[2].split() == ["stage", "us", "%", "of", "step"]
    assert table["step"] == 100
    inner = sum(table[name] for name in ("position", "velocity", "actuation", "constraint"))
    assert 0.5 * table["forward"] < inner < 1.05 * table["forward"]


def test_bench_tells_the_pairs_that_a_collision_tests(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(MODELS / "heap.xml"), "--pairs", "--quiet"]) == 0
    output = capsys.readouterr().out
    for head in ("phase", "types", "geoms"):
        assert any(line.split()[:1] == [head] for line in output.splitlines())
    assert main(["bench", str(MODELS / "heap.xml"), "--pairs", "--json", "--quiet"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert sum(kind["contacts"] for kind in result["types"]) == sum(pair["contacts"] for pair in result["pairs"]) > 0
    assert result["phases"]["narrow"] == pytest.approx(sum(pair["us"] for pair in result["pairs"]))


def test_compare_lists_model_differences_and_divergence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = pendulum(tmp_path)
    second = tmp_path / "other.xml"
    second.write_text(first.read_text().replace('kp="5"', 'kp="5.5"'))
    assert main(["compare", str(first), str(first), "--quiet"]) == 0
    assert capsys.readouterr().out.endswith("the models are the same\n")
    assert main(["compare", str(first), str(second), "--quiet", "--seconds", "0.5"]) == 1
    output = capsys.readouterr().out
    assert "actuator_gainprm[servo, 0]: 5 and 5.5" in output
    assert "actuator_biasprm[servo, 1]: -5 and -5.5" in output
    times = [line.split()[0] for line in output.splitlines() if line[:1].isdigit()]
    assert times == ["0.1", "0.2", "0.3", "0.4", "0.5"]
    assert output.endswith("the models differ\n")


def test_compare_of_models_of_other_sizes_lists_the_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(pendulum(tmp_path)), str(MODELS / "heap.xml"), "--quiet"]) == 1
    output = capsys.readouterr().out
    assert "not run" in output
    assert output.splitlines()[0].split() == ["size", "pendulum.xml", "heap.xml"]


@pytest.mark.parametrize(
    "path", [*GYM, *(pytest.param(e.path, marks=pytest.mark.slow) for e in EXAMPLES)], ids=lambda path: path.stem
)
def test_converted_model_compiles_identically_in_reference(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "flat.xml"
    assert main(["convert", str(path), str(out), "--quiet"]) == 0  # which compares every number of ours
    text = out.read_text()
    assert "<include" not in text
    first, second = mujoco.MjModel.from_xml_path(str(path)), mujoco.MjModel.from_xml_path(str(out))
    for name in ("body_mass", "body_inertia", "geom_size", "geom_friction", "jnt_range", "qpos0", "actuator_gainprm", "names"):
        np.testing.assert_array_equal(np.asarray(getattr(first, name)), np.asarray(getattr(second, name)))


def test_a_converted_model_finds_its_files_from_another_folder(tmp_path: Path) -> None:
    path, out = write_heap(tmp_path / "model"), tmp_path / "elsewhere" / "deep" / "flat.xml"
    out.parent.mkdir(parents=True)
    assert main(["convert", str(path), str(out), "--quiet"]) == 0
    first, second = (physics.MjModel.from_xml_path(str(p)) for p in (path, out))
    np.testing.assert_array_equal(first.tex_data, second.tex_data)
    assert first.ntexdata == 48


def test_a_converted_model_finds_the_models_it_attaches(tmp_path: Path) -> None:
    path, out = tmp_path / "main.xml", tmp_path / "elsewhere" / "flat.xml"
    for folder in (tmp_path / "parts", out.parent):
        folder.mkdir()
    path.write_text('<mujoco><include file="parts/list.xml"/><worldbody><replicate count="2" offset="1 0 0" euler="0 0 30">'
                    '<attach model="M" body="a" prefix="x_"/></replicate></worldbody></mujoco>')  # fmt: skip
    (tmp_path / "parts" / "list.xml").write_text('<mujoco><asset><model name="M" file="part.xml"/></asset></mujoco>')
    (tmp_path / "parts" / "part.xml").write_text(
        '<mujoco><compiler angle="radian"/><worldbody><body name="a" euler="0 1 0"><joint name="j"/><geom size=".1"/></body>'
        '</worldbody><actuator><motor joint="j"/></actuator></mujoco>')  # fmt: skip
    assert main(["convert", str(path), str(out), "--quiet"]) == 0  # which compares every number
    assert mujoco.MjModel.from_xml_path(str(out)).nu == 2


ACTUATORS = """<mujoco>
  <default><motor gear="3"/><position kp="7"/>
    <default class="fast"><general gainprm="2"/><velocity kv="4"/>
      <default class="faster"><motor ctrlrange="-1 2"/></default></default>
  </default>
  <worldbody><body><joint name="a"/><geom size="0.1"/></body></worldbody>
  <actuator>
    <motor joint="a"/><position joint="a" class="fast"/><velocity joint="a" class="faster" kv="0.1"/>
    <general joint="a" class="faster" gainprm="0.3333333333333333 1e-17"/><intvelocity joint="a" actrange="-1 1"/>
  </actuator></mujoco>"""
ONLY_IN_CLASSES = """<mujoco>
  <default><tendon width="0.02" rgba="1 0 0 1"/><material texture="t"/>
    <default class="thin"><tendon width="0.001"/></default></default>
  <asset><texture name="t" type="2d" builtin="flat" width="1" height="1"/>
    <material name="m"><layer role="normal" texture="t"/></material></asset>
  <worldbody><body><joint name="a"/><geom size="0.1" material="m"/></body></worldbody>
  <tendon><fixed name="x"><joint joint="a" coef="1"/></fixed><fixed class="thin"><joint joint="a" coef="2"/></fixed></tendon>
  <actuator><motor tendon="x"/></actuator></mujoco>"""


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (ACTUATORS, [f"actuator_{name}" for name in ("gainprm", "biasprm", "gear", "ctrlrange", "dyntype", "biastype")]),
        (ONLY_IN_CLASSES, ["tendon_width", "tendon_rgba", "mat_texid"]),
    ],
)
def test_convert_keeps_what_classes_say(text: str, fields: list[str], tmp_path: Path) -> None:
    path, out = written(tmp_path / "classes.xml", text), tmp_path / "flat.xml"
    assert main(["convert", str(path), str(out), "--quiet"]) == 0  # which compares every number of ours
    first, second = mujoco.MjModel.from_xml_path(str(path)), mujoco.MjModel.from_xml_path(str(out))
    for name in fields:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_npz_export_names_every_array_without_pickle(tmp_path: Path) -> None:
    path, out = pendulum(tmp_path), tmp_path / "model.npz"
    assert main(["convert", str(path), str(out), "--quiet"]) == 0
    model = physics.MjModel.from_xml_path(str(path))
    with np.load(out, allow_pickle=False) as arrays:
        for name in ("opt_timestep", "body_mass", "geom_size", "actuator_gainprm", "nv"):
            np.testing.assert_array_equal(arrays[name], np.asarray(getattr(model, name)))
        assert "stage" not in arrays  # addresses of this process


def test_a_compiled_model_is_opened_by_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, text, replay = tmp_path / "model.tumble-model", tmp_path / "model.txt", tmp_path / "run.tumble"
    assert main(["convert", str(pendulum(tmp_path)), str(saved), "--quiet"]) == 0
    assert main(["compare", str(saved), str(tmp_path / "pendulum.xml")]) == 0
    assert main(["check", str(saved), "--seconds", "0.1", "--quiet"]) == 0
    assert main(["convert", str(saved), str(text), "--quiet"]) == 0
    assert "actuator_gainprm" in text.read_text()
    assert main(["convert", str(saved), str(tmp_path / "again.xml")]) == 2
    assert "does not contain its MJCF text" in capsys.readouterr().err
    assert main(["simulate", str(saved), "--seconds", "0.2", "--key", "up", "--record", str(replay), "--quiet"]) == 0
    saved.unlink()
    assert main(["check", str(replay), "--quiet"]) == 0  # the model is in the replay


def test_mjb_and_truncated_models_have_clear_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs, cut = tmp_path / "their.mjb", tmp_path / "cut.tumble-model"
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_path(str(pendulum(tmp_path))), str(theirs))
    cut.write_bytes(b"Tumble model\r\n\x1a\n")
    assert main(["check", str(theirs)]) == main(["check", str(cut)]) == 2
    errors = capsys.readouterr().err
    assert "their.mjb: a binary model of MuJoCo (.mjb)" in errors
    assert "cut.tumble-model: cut off" in errors


def test_the_grammar_for_editors_is_written_or_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = (ROOT / "resources" / "mjcf.rng").read_bytes()
    assert main(["schema", str(tmp_path / "mjcf.rng")]) == 0
    assert (tmp_path / "mjcf.rng").read_bytes() == shipped
    assert '<?xml-model href="mjcf.rng"?>' in capsys.readouterr().err
    assert main(["schema"]) == 0
    assert capsys.readouterr().out.encode() == shipped
    assert main(["schema", str(tmp_path / "none" / "mjcf.rng")]) == 3


# ---- progress


_COLOUR = re.compile(r"\x1b\[[\d;]*m")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_progress_is_one_line_drawn_over_and_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "70")
    terminal = _Terminal()
    with Progress("Rendering", stream=terminal) as progress:
        for k in range(1, 601):
            progress.update(k, 600)
    text = terminal.getvalue()
    lines = [_COLOUR.sub("", line) for line in text.split("\r\x1b[2K")]  # to the begin of the line, and clear it
    assert 2 <= len(lines) < 50  # not once a frame
    assert all(line.startswith("Rendering ") and len(line.rstrip("\n")) <= 70 for line in lines)
    assert "100% 600/600" in lines[-1]
    assert (text.count("\n"), lines[-1][-1]) == (1, "\n")
    assert "\x1b[?25l" not in text  # the cursor stays, should the command be killed
    Progress("x", quiet=True, stream=terminal).update(1, 1)
    assert terminal.getvalue() == text


def test_a_bar_that_is_stopped_in_the_middle_ends_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = _Terminal()
    with suppress(KeyboardInterrupt), Progress("Checking [fast]", stream=terminal) as progress:
        progress.update(1, 4)
        raise KeyboardInterrupt
    text = _COLOUR.sub("", terminal.getvalue())
    assert text.startswith("Checking [fast]")
    assert " 25% 1/4" in text
    assert text.endswith("\n")


def test_a_bar_is_imported_only_where_one_is_drawn() -> None:
    bar = "from tumble.app.cli.output import Progress; bar = Progress('x'); bar.update(1, 1); bar.close()"
    code = f"import sys; {bar}; print('rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    assert done.stderr == "x: 100 %\n"


# ---- the order of options, and names of columns


@pytest.mark.parametrize(
    "line",
    [["{model}", "-o", "{out}"], ["-o", "{out}", "{model}"], ["{model}", "--quiet", "{out}"], ["{model}", "{out}", "--quiet"]],
)
def test_options_stand_anywhere_among_the_arguments(line: list[str], tmp_path: Path) -> None:
    out = tmp_path / "flat.xml"
    places = {"model": pendulum(tmp_path), "out": out}
    assert main(["convert", *(word.format(**places) for word in line)]) == 0
    assert out.exists()


def test_options_may_follow_arguments_but_not_those_of_another_program() -> None:
    options = remote.parser().read(["open", "--discard", "model.xml", "--timeout", "3"])
    assert (options.what, options.arguments, options.discard, options.timeout) == ("open", ["model.xml"], True, 3.0)
    options = run.parser().read(["program.py", "--json", "-o", "x"])
    assert (options.json, options.arguments) == (False, ["--json", "-o", "x"])


@pytest.mark.parametrize(("line", "says"), [([], "no output is named"), (["a.xml", "-o", "b.xml"], "two outputs are named")])
def test_convert_needs_one_output(line: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(pendulum(tmp_path)), *line]) == 2
    assert says in capsys.readouterr().err


def test_csv_headers_name_elements_given_by_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """<mujoco><worldbody><body name="box"><freejoint/><geom size=".1"/>
      <body name="arm"><joint name="elbow" axis="0 1 0"/><geom size=".1"/></body></body></worldbody>
      <actuator><motor name="drive" joint="elbow"/></actuator><sensor><gyro name="spin" site="s"/></sensor></mujoco>"""
    path = written(tmp_path / "model.xml", text.replace('<joint name="elbow"', '<site name="s"/><joint name="elbow"'))
    line = ["--seconds", "0.01", "--csv", "-", "--fields", "qpos[7],qvel[1],xpos[1],xpos[2,2],ctrl[0],sensordata[2]", "--quiet"]
    assert main(["simulate", str(path), *line]) == 0
    head = next(csv.reader([capsys.readouterr().out.splitlines()[0]]))
    box = ["xpos[box, x]", "xpos[box, y]", "xpos[box, z]"]
    assert head == ["time", "qpos[elbow]", "qvel[box, 1]", *box, "xpos[arm, z]", "ctrl[drive]", "sensordata[spin, 2]"]
    assert all(Catalogue(physics.MjModel.from_xml_path(str(path))).knows(name) for name in head)
