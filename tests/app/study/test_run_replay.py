"""A run's replay has the steps of the run, bit for bit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.study.slope import FRICTION, HEAD, SLID, plan
from tests.app.study.test_trial import driven
from tumble.app.replay.replay_file import Player, load, save
from tumble.app.study.run_replay import replay_of
from tumble.app.study.trial import DONE, Trial

WAVE = '[controls]\nservo = {shape = "noise", amplitude = 0.5, memory = 0.05}\n[noise]\nposition = 0.01\ncontrol = 0.1\n'
HINGE = 'angle = {final = "qpos[hinge]"}\n'


def played(path: Path) -> Player:
    """A player at the end of a replay file."""
    player = Player(load(path))
    while player.ready():
        player.step()
    return player


@pytest.mark.parametrize("driven", ["", "[controls]\nservo = 0.4\n", WAVE])
def test_replay_ends_with_the_measures_of_the_run(tmp_path: Path, driven: str) -> None:
    study = plan(tmp_path, HEAD + FRICTION + SLID + HINGE + driven)
    row = Trial(study).row(3, [0.2])
    assert row is not None
    assert row.status == DONE
    save(replay_of(study, 3, [0.2]), tmp_path / "run.tumble")
    player = played(tmp_path / "run.tumble")
    assert player.now == 200
    assert player.checked > 0
    assert player.strayed == 0
    assert float(player.data.qpos[7]) == row.measures[1]
    assert player.model.geom("box").friction[0] == 0.2


def test_replay_of_a_run_with_a_controller_has_what_it_wrote_and_runs_nothing(tmp_path: Path) -> None:
    study = driven(tmp_path)
    row = Trial(study).row(2, [0.2])
    assert row is not None
    save(replay_of(study, 2, [0.2]), tmp_path / "run.tumble")
    (tmp_path / "hold.py").unlink()
    player = played(tmp_path / "run.tumble")
    assert player.strayed == 0
    assert float(player.data.qpos[7]) == row.measures[1]
    assert float(player.data.ctrl[0]) == -0.5


def test_replay_of_a_run_that_blows_up_ends_there(tmp_path: Path) -> None:
    text = HEAD + '[parameters.kp]\npath = "position[servo].kp"\nlow = 1.0\nhigh = 1e12\n' + SLID + "[controls]\nservo = 0.5\n"
    study = plan(tmp_path, text)
    row = Trial(study).row(0, [1e12])
    assert row is not None
    assert row.status != DONE
    steps = replay_of(study, 0, [1e12]).timeline.steps
    assert 0 < steps < 200
