"""Plays Gymnasium's MuJoCo environments with random actions, with whatever `import mujoco` gives.

  python -m tests.app.mujoco.environments STEPS FILE

does so with our namespace, and pickles what `play` returns.
"""

from __future__ import annotations

import logging
import pickle
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

NAMES = ("Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher",
         "Reacher", "Swimmer", "Walker2d")  # fmt: skip


class Heard(logging.Handler):
    """Keeps the warnings that are logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def play(steps: int) -> dict[str, tuple[list[Any], list[str]]]:
    """By environment: observation, reward and flags after every step, and the warnings that came."""
    import gymnasium

    played = {}
    for name in NAMES:
        heard = Heard()
        logging.getLogger().addHandler(heard)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            env = gymnasium.make(f"{name}-v5")
            env.action_space.seed(4)
            rows: list[Any] = [(env.reset(seed=3)[0], 0.0, False, False)]
            for k in range(steps):
                observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
                numbers = [value for _, value in sorted(info.items()) if np.isscalar(value)]
                rows.append((np.append(observation, numbers), reward, terminated, truncated))
                if terminated or truncated:
                    env.reset(seed=k)
            env.close()
        logging.getLogger().removeHandler(heard)
        played[name] = rows, heard.messages + [str(w.message) for w in caught]
    return played


if __name__ == "__main__":
    from tumble.mujoco import stand_in

    stand_in.install()
    Path(sys.argv[2]).write_bytes(pickle.dumps(play(int(sys.argv[1]))))
