"""A run of a study is a simulation from its start with its values, and its measures are those of all of its steps."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

from tests.app.study.slope import FRICTION, HEAD, SLID, SLOPE, plan
from tumble import physics
from tumble.app.study.study_file import StudyError, parse
from tumble.app.study.trial import DONE, Plan, Trial, UntrustedError

MEASURES = """[measures]
slid = {change = "xpos[box, x]"}
fast = {max = "norm(qvel[box])"}
deep = {min = "min(contact.dist)"}
late = {max = "qvel[hinge]", after = 0.1}
mean = {mean = "qpos[hinge]"}
rms = {rms = "qvel[hinge]"}
way = {integral = "qvel[hinge]"}
moved = {until = "xpos[box, x] > 0.01 and time > 0"}
never = {until = "time > 5"}
touching = {share = "len(contact.dist) > 0"}
begun = {first = "qpos[hinge]"}
both = {final = "max(qpos[hinge], 2) + max(contact.dist, 0)"}
"""


def by_hand(plan: Plan, friction: float, ctrl: float) -> dict[str, np.ndarray]:
    """What each step of the study's run has, by mj_step."""
    m = physics.MjModel.from_xml_string(SLOPE.replace('friction="0.6', f'friction="{friction}'))
    d = physics.MjData(m)
    d.ctrl[:] = ctrl
    physics.mj_forward(m, d)
    rows = []
    for k in range(201):
        if k:
            physics.mj_step(m, d)
        dist = d.contact.dist
        low, high = (min(dist), max(dist)) if d.ncon else (math.nan, math.nan)
        rows.append((d.time, d.xpos[1, 0], np.linalg.norm(d.qvel[:6]), low, high, d.qpos[7], d.qvel[6], d.ncon))
    return dict(zip(("time", "x", "speed", "low", "high", "angle", "rate", "ncon"), np.array(rows).T, strict=True))


def test_measures_are_those_of_a_run_by_hand(tmp_path: Path) -> None:
    study = plan(tmp_path, HEAD + FRICTION + MEASURES + "[controls]\nservo = 0.8\n")
    row = Trial(study).row(0, [0.1])
    assert row is not None
    assert row.status == DONE
    got, run = dict(zip(study.study.measures, row.measures, strict=True)), by_hand(study, 0.1, 0.8)
    late = run["time"] >= 0.1 - 1e-9
    expected = {
        "slid": run["x"][-1] - run["x"][0], "fast": run["speed"].max(), "deep": np.nanmin(run["low"]),
        "late": run["rate"][late].max(), "mean": run["angle"].mean(), "rms": math.sqrt((run["rate"] ** 2).mean()),
        "way": np.trapezoid(run["rate"], run["time"]), "moved": run["time"][np.argmax(run["x"] > 0.01)],
        "touching": (run["ncon"] > 0).mean(), "begun": 0.0, "both": 2 + max(run["high"][-1], 0),
    }  # fmt: skip
    assert math.isnan(got.pop("never"))
    assert got == pytest.approx(expected, rel=1e-12)


def test_more_contacts_than_thought_are_measured_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measures = '[measures]\ndeep = {min = "min(contact.dist)"}\nmost = {max = "len(contact.dist)"}\n'
    study = plan(tmp_path, HEAD + FRICTION + measures)
    whole = Trial(study).row(0, [0.3])
    monkeypatch.setattr("tumble.app.study.measures.GROWN", 1)
    again = Trial(study).row(0, [0.3])
    assert whole is not None
    assert again is not None
    assert whole.measures == again.measures
    assert whole.measures[1] == 4


def test_a_run_that_blows_up_says_when_and_has_no_measures(tmp_path: Path) -> None:
    text = HEAD + '[parameters.kp]\npath = "position[servo].kp"\nlow = 1.0\nhigh = 1e9\n' + SLID + "[controls]\nservo = 0.5\n"
    row = Trial(plan(tmp_path, text)).row(0, [1e9])
    assert row is not None
    assert "hinge became huge or not a number" in row.status
    assert math.isnan(row.measures[0])


def test_a_variant_that_does_not_compile_is_a_result(tmp_path: Path) -> None:
    size = '[parameters.size]\npath = "geom[rod].size[0]"\nlow = 0.0\nhigh = 1.0\n'
    row = Trial(plan(tmp_path, HEAD + size + SLID)).row(0, [-1.0])
    assert row is not None
    assert "<geom>" in row.status


def test_noise_differs_from_run_to_run_and_is_the_same_again(tmp_path: Path) -> None:
    trial = Trial(plan(tmp_path, HEAD + FRICTION + '[measures]\nx = {first = "qpos[0]"}\n[noise]\nposition = 0.01\n'))
    rows = [trial.row(run, [0.5]) for run in (0, 1, 0)]
    first, second, again = (row.measures[0] for row in rows if row is not None)
    assert first == again
    assert first != second
    assert 0 < abs(first) < 0.05


def test_controls_follow_shapes_files_and_limits(tmp_path: Path) -> None:
    (tmp_path / "push.csv").write_text("time,servo\n0.1,0\n0.2,5\n")
    measures = '[measures]\nlow = {min = "ctrl[servo]"}\nhigh = {max = "ctrl[servo]"}\nhalf = {until = "ctrl[servo] >= 0.45"}\n'
    for control, low, high, half in (
        ('{shape = "sine", amplitude = 0.5, offset = 0.2, frequency = 5.0}', -0.3, 0.7, 0.020),
        ('{csv = "push.csv", column = "servo"}', 0.0, 1.0, 0.112),
        ('{shape = "step", start = 0.3}', 0.0, 1.0, 0.302),
    ):
        row = Trial(plan(tmp_path, HEAD + FRICTION + measures + f"[controls]\nservo = {control}\n")).row(0, [0.5])
        assert row is not None
        assert row.measures == pytest.approx((low, high, half), abs=1e-9)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (SLID.replace("xpos[box, x]", "xpos[bix, x]"), "measure slid: .*at character 5.*no 'bix'"),
        (SLID + "[controls]\nserva = 1.0\n", "no actuator 'serva'; there are servo"),
        (SLID + '[controls]\nservo = {shape = "saw"}\n', "'saw' is no shape; valid are sine, square"),
        (SLID + '[controls]\nservo = {csv = "none.csv", column = "a"}\n', "none.csv: cannot be read"),
        (SLID + '[controls]\nservo = {csv = "bad.csv", column = "b"}\n', "bad.csv: there is no column 'b'; there are time, a"),
        (SLID + '[controls]\nservo = {csv = "bad.csv", column = "a"}\n', "bad.csv:4: the time 1 does not come after 1"),
        (SLID + '[controls]\nservo = {csv = "nan.csv", column = "a"}\n', "nan.csv:3: a is no finite number"),
    ],
)
def test_what_a_study_cannot_have_is_said_before_a_run(tmp_path: Path, more: str, words: str) -> None:
    (tmp_path / "bad.csv").write_text("time,a\n0,1\n1,2\n1,3\n")
    (tmp_path / "nan.csv").write_text("time,a\n0,1\n1,nan\n")
    with pytest.raises(StudyError, match=words):
        Trial(plan(tmp_path, HEAD + FRICTION + more))


def test_a_run_starts_where_its_variant_does(tmp_path: Path) -> None:
    height = '[parameters.height]\npath = "body[box].pos[2]"\nlow = 0.2\nhigh = 2.0\n[measures]\nz = {first = "xpos[box, z]"}\n'
    row = Trial(plan(tmp_path, HEAD + height)).row(0, [1.25])
    assert row is not None
    assert row.measures == (1.25,)


def test_a_keyframe_gives_controls_and_poses_too(tmp_path: Path) -> None:
    model = SLOPE.replace("</worldbody>", '<body name="hand" mocap="true"><geom size=".01" pos="9 0 0"/></body></worldbody>')
    key = '<keyframe><key name="up" qpos="0 0 3 1 0 0 0 0.5" ctrl="0.7" mpos="1 2 3"/></keyframe>'
    model = model.replace("</mujoco>", f"{key}</mujoco>")
    measures = '[measures]\nangle = {first = "qpos[hinge]"}\nctrl = {min = "ctrl[servo]"}\nhand = {min = "xpos[hand, z]"}\n'
    for more, ctrl in (("", 0.7), ("[controls]\nservo = -0.2\n", -0.2)):
        row = Trial(plan(tmp_path, 'keyframe = "up"\n' + HEAD + FRICTION + measures + more, model)).row(0, [0.5])
        assert row is not None
        assert row.measures == (0.5, ctrl, 3.0)


def test_energy_is_computed_where_it_is_measured(tmp_path: Path) -> None:
    measures = '[measures]\nlost = {change = "energy[potential] + energy[kinetic]"}\n'
    row = Trial(plan(tmp_path, HEAD + FRICTION + measures)).row(0, [0.5])
    assert row is not None
    assert row.measures[0] < -0.01


def test_a_keyframe_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="there is no 'home'; there are none"):
        Trial(plan(tmp_path, HEAD + 'keyframe = "home"\n' + FRICTION + SLID))


# ---- controllers

CONTROLLER = '''count = 0


def control(model, data):
    """Hold the hinge at 0.5, and count the calls of this run."""
    global count
    count += 1
    data.ctrl[0] = 0.5 if count < 100 else -0.5
    data.qfrc_applied[6] = -0.1 * data.qvel[6]
'''
DRIVEN = 'controller = "hold.py"\n' + HEAD + FRICTION + SLID + 'angle = {final = "qpos[hinge]"}\n'


def driven(folder: Path, text: str = CONTROLLER, study: str = DRIVEN) -> Plan:
    """A study with a controller that is trusted."""
    (folder / "hold.py").write_text(text)
    made = plan(folder, study.replace('controller = "hold.py"\n', ""))
    return Plan.of(parse(study, "slope.toml"), made.bundle, folder, lambda source: source.text == text)


def test_a_controller_is_called_before_each_step_of_each_run_anew(tmp_path: Path) -> None:
    made = driven(tmp_path)
    first, second = (Trial(made).row(run, [0.2]) for run in (0, 1))
    model = made.bundle.compile()
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    for step in range(200):
        data.ctrl[0] = 0.5 if step < 99 else -0.5
        data.qfrc_applied[6] = -0.1 * data.qvel[6]
        physics.mj_step(model, data)
    assert first is not None
    assert second is not None
    assert first.status == DONE
    assert first.measures == second.measures
    assert first.measures[1] == pytest.approx(float(data.qpos[7]), rel=1e-9)


def test_a_controller_runs_only_with_consent_to_its_very_text(tmp_path: Path) -> None:
    made = driven(tmp_path)
    assert pickle.loads(pickle.dumps(made)).controller == made.controller  # a cluster's workers get the text that was agreed to
    (tmp_path / "hold.py").write_text(CONTROLLER + "# another\n")
    with pytest.raises(UntrustedError, match=r"hold\.py: the study's controller is a program"):
        Plan.of(made.study, made.bundle, tmp_path, lambda source: source.text == CONTROLLER)
    with pytest.raises(UntrustedError):
        Plan.of(made.study, made.bundle, tmp_path)
    assert made.digest != Plan.of(made.study, made.bundle, tmp_path, lambda source: True).digest


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("def control(model, data):\n    data.ctrl[0] = 1 / 0\n", "hold.py: line 2: ZeroDivisionError: division by zero"),
        ("import sys\n\n\ndef control(model, data):\n    sys.exit(3)\n", "hold.py: line 5: SystemExit: 3"),
        ("controle = 1\n", "hold.py has no function control(model, data)"),
    ],
)
def test_an_exception_of_a_controller_is_the_status_of_its_run(tmp_path: Path, text: str, status: str) -> None:
    row = Trial(driven(tmp_path, text)).row(0, [0.2])
    assert row is not None
    assert status in row.status


def test_a_controller_that_does_not_return_is_ended_with_its_study(tmp_path: Path) -> None:
    trial = Trial(driven(tmp_path, "def control(model, data):\n    while True:\n        pass\n"))
    begun = monotonic()
    assert trial.row(0, [0.2], lambda: monotonic() - begun > 0.5) is None
    assert monotonic() - begun < 20


def test_a_controller_that_is_missing_is_named(tmp_path: Path) -> None:
    made = plan(tmp_path, HEAD + FRICTION + SLID)
    with pytest.raises(StudyError, match=r"controller: .*none\.py"):
        Plan.of(parse('controller = "none.py"\n' + HEAD + FRICTION + SLID, "slope.toml"), made.bundle, tmp_path)
