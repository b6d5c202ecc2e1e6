"""`mujoco._enums`: all enumerations, under the module's name that some programs write."""

from __future__ import annotations

from tumble.physics.state.enums import *  # noqa: F403
