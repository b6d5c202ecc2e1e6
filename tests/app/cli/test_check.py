"""`tumble check`: what it finds in models, and that it finds nothing in those that are sound."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.app.cli.test_commands import pendulum
from tests.app.conftest import MODELS, written
from tumble import physics
from tumble.__main__ import main
from tumble.app.editing.impedance import Spring
from tumble.app.editing.stiffness import COARSE, damped_share, longest_damped_step, longest_step
from tumble.app.library.examples import EXAMPLES


@pytest.mark.slow
def test_check_finds_nothing_wrong_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(example.path) for example in EXAMPLES]
    assert main(["check", *paths, "--quiet", "--seconds", "0.3"]) == 0, capsys.readouterr().out


def test_check_reports_servo_unstable_at_time_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(pendulum(tmp_path)), "--quiet"]) == 0
    capsys.readouterr()
    # 60 N m s/rad on an inertia of about 0.06 kg m^2: h kv / I is near 10, and 2 is where it explodes
    assert main(["check", str(pendulum(tmp_path, 5, 60)), "--quiet"]) == 1
    output = capsys.readouterr().out
    assert "error: servo is unstable at a time step of 0.01 s (share " in output
    assert "joint hinge became huge" in output
    assert "error: Euler is unstable in this state at a time step of 10 ms" in output
    path = pendulum(tmp_path, 5, 60)
    path.write_text(path.read_text().replace("<option ", '<option integrator="implicitfast" '))
    assert main(["check", str(path), "--quiet"]) == 0, capsys.readouterr().out


def test_suggested_time_step_has_the_coarse_share() -> None:
    for spring in (Spring(400.0, 3.0), Spring(0.0, 50.0), Spring(1e6, 0.0)):
        assert spring.step_share(0.9, longest_step(spring, 0.9)) == pytest.approx(COARSE)
        if spring.K:
            assert damped_share(spring, longest_damped_step(spring)) == pytest.approx(COARSE)


def test_check_tells_time_constants_that_are_raised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "hard.xml", (MODELS / "ball.xml").read_text().replace("<geom ", '<geom solref="0.001 1" ', 1))
    assert main(["check", str(path), "--quiet"]) == 1
    assert "are raised to that (refsafe): " in capsys.readouterr().out


CRATE = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body pos="0 0 0.1"><freejoint/><geom name="crate" type="box" size=".1 .1 .1" {softness}/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("softness", "depth", "says"),
    [
        ('solref="0.9 1"', 0.026, "its solref, 0.46 1, is soft (50 % floor, 50 % crate); with 0.02 1 it would be 0.108 mm"),
        ('solref="0.46 1" priority="1"', 0.026, "its solref, 0.46 1, is soft (crate alone, by its priority)"),
        ('solimp="0.001 0.9 0.3" priority="1"', None, "its solimp, 0.001 0.9 0.3 0.5 2, is soft"),
    ],
)
def test_check_tells_how_deep_a_soft_crate_sinks_and_why(
    softness: str, depth: float | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "crate.xml", CRATE.format(softness=softness))
    assert main(["check", str(path), "--quiet"]) == 1
    printed = capsys.readouterr().out
    (told,) = re.findall(r"crate sinks ([\d.]+) mm into floor at rest", printed)
    assert says in printed
    model = physics.MjModel.from_xml_path(str(path))
    data = physics.MjData(model)
    physics.mj_step(model, data, 10_000)
    settled = 0.1 - float(data.qpos[2])
    assert float(told) == pytest.approx(1e3 * settled, rel=0.05)  # the check ends before it has settled, and predicts
    assert depth is None or settled == pytest.approx(depth, rel=0.02)


def test_check_accepts_a_crate_that_lands_and_rests(tmp_path: Path) -> None:
    path = written(tmp_path / "crate.xml", CRATE.format(softness="").replace("0 0 0.1", "0 0 0.5"))
    assert main(["check", str(path), "--quiet"]) == 0


def test_check_reports_initial_overlap_of_jointed_geoms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "arm.xml", """<mujoco><option gravity="0 0 0"/><worldbody><body name="base"><freejoint/>
      <body name="between" pos="0.05 0 0"><joint type="slide" axis="0 0 1" range="-0.001 0.001" limited="true"/>
      <geom size=".001"/><body name="hand" pos="0.05 0 0"><joint type="slide" axis="0 0 1"/><geom name="palm" size=".06"/></body>
      </body><geom name="trunk" size=".06"/></body></worldbody></mujoco>""")
    assert main(["check", str(path), "--quiet"]) == 1
    says = r"(palm|trunk) sinks 20 mm into (palm|trunk) .*: they overlap by 20 mm before the first step"
    assert re.search(says, capsys.readouterr().out)


def test_several_files_are_checked_and_written_as_sarif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = written(tmp_path / "broken.xml", '<mujoco><worldbody><geom size="x"/></worldbody></mujoco>')
    stiff = written(tmp_path / "stiff.xml", pendulum(tmp_path).read_text().replace("<option ", '<option integrator="RK4" '))
    log = tmp_path / "log.sarif"
    assert main(["check", str(stiff), str(broken), "--json", "--sarif", str(log)]) == 2
    told = json.loads(capsys.readouterr().out)
    assert [entry["model"] for entry in told["models"]] == [str(stiff)]
    (load,) = [entry for entry in told["findings"] if entry["rule"] == "load"]
    assert load["file"] == str(broken)
    assert load["severity"] == "error"
    (run,) = json.loads(log.read_text())["runs"]
    assert [result["ruleId"] for result in run["results"]] == [entry["rule"] for entry in told["findings"]]


def test_baseline_leaves_out_known_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "crate.xml", CRATE.format(softness='solref="0.46 1" priority="1"'))
    baseline = tmp_path / "known.json"
    assert main(["check", str(path), "--json"]) == 1
    baseline.write_text(capsys.readouterr().out)
    assert main(["check", str(path), "--baseline", str(baseline)]) == 0
    assert capsys.readouterr().out.endswith("no findings\n")
    assert main(["check", str(path), "--baseline", str(path)]) == 2
    assert "not the output of tumble check --json" in capsys.readouterr().err


def test_fail_on_sets_the_severity_of_the_exit_code(tmp_path: Path) -> None:
    path = written(tmp_path / "servo.xml", """<mujoco>
      <worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body></worldbody>
      <actuator><position joint="j" kp="9"/></actuator></mujoco>""")
    codes = [main(["check", str(path), "--quiet", "--fail-on", severity]) for severity in ("error", "warning", "advice")]
    assert codes == [0, 0, 1]
