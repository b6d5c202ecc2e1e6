"""`tumble fit`: the values, the report and the model's file of a study, and mistakes in one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.app.study.fit.swing import ARM, ARM_STUDY, TRUTH, arm_rows, write
from tumble.__main__ import main
from tumble.physics import MjModel

QUICK = ARM_STUDY.replace("position = 0.002\nvelocity = 0.05\n", "")  # beginnings as measured: a second, not three


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "arm.xml").write_text(ARM.format(friction=0.4, damping=0.05, kp=12.0))
    (tmp_path / "arm.toml").write_text(QUICK)
    for seed in (1, 2):
        write(tmp_path / f"{seed}.csv", "t,q,v,target", arm_rows(np.random.default_rng(seed), 3.0))
    return tmp_path / "arm.toml"


def test_report_and_model_of_a_fit(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, model = study.parent, study.parent / "fitted.xml"
    data = ["--data", str(folder / "*.csv"), "--hold-out", str(folder / "2.csv")]
    assert main(["fit", str(study), *data, "--model", str(model), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["estimates"]["kp"]["value"] == pytest.approx(TRUTH["kp"], rel=0.05)
    held = answer["scores"]["held out"]
    assert held["after"]["qpos[elbow]"] < 0.5 * held["before"]["qpos[elbow]"]
    fitted = MjModel.from_xml_path(str(model))
    assert fitted.actuator_gainprm[0, 0] == pytest.approx(answer["estimates"]["kp"]["value"], rel=1e-6)
    page = (folder / "arm.html").read_text()
    assert page.count("<svg") == 4  # two signals of two records
    assert "2 (held out)" in page
    assert "http:" not in page  # nothing from elsewhere
    assert "https:" not in page


def test_mistakes_are_one_line(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", str(study)]) == 2
    assert "a fit needs measured data: fit.data, or --data FILES" in capsys.readouterr().err
    assert main(["fit", str(study), "--data", str(study.parent / "none.csv")]) == 2
    assert "none.csv: there is no such file of measured data" in capsys.readouterr().err
    study.write_text(QUICK.split("[fit]")[0])
    assert main(["fit", str(study), "--data", str(study.parent / "1.csv")]) == 2
    assert "a fit needs a section [fit]" in capsys.readouterr().err
