"""Gymnasium's MuJoCo environments run on our engine as they are, and give what they give with the package that they import."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.mujoco.environments import NAMES, play

ROOT = Path(__file__).parents[3]


def play_ours(steps: int, tmp_path: Path) -> dict[str, tuple[list[Any], list[str]]]:
    """What `play` returns in a process of its own, where `import mujoco` gives our namespace."""
    file = tmp_path / "played"
    command = [sys.executable, "-m", "tests.app.mujoco.environments", str(steps), str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return pickle.loads(file.read_bytes())


def largest_difference(rows: list[Any], others: list[Any]) -> float:
    """Of observations, infos and rewards, relative to them or to 1, whichever is more."""
    pairs = [(np.append(a[0], a[1]), np.append(b[0], b[1])) for a, b in zip(rows, others, strict=True)]
    return max(float(np.max(np.abs(a - b) / np.maximum(1.0, np.abs(a)))) for a, b in pairs)


@pytest.mark.slow
def test_gymnasium_observations_and_rewards_match_reference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the reference writes warnings into a file there
    ours, theirs = play_ours(10, tmp_path), play(10)
    for name in NAMES:
        # 1e-3 is promised; both engines compute the same, so what is left is rounding that 10 control steps have let grow.
        assert largest_difference(theirs[name][0], ours[name][0]) < 1e-9, name
        assert [row[2:] for row in ours[name][0]] == [row[2:] for row in theirs[name][0]]
        assert ours[name][1] == theirs[name][1]


@pytest.mark.fuzz  # some seconds, of which most find nothing
def test_gymnasium_random_steps_warn_only_as_reference_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ours, theirs = play_ours(1000, tmp_path), play(1000)
    assert not (tmp_path / "MUJOCO_LOG.TXT").exists()
    for name in NAMES:
        assert ours[name][1] == theirs[name][1], name
        assert all(np.isfinite(row[0]).all() for row in ours[name][0]), name
