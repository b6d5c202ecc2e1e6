"""The state as text that goes back into a model file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tumble.app.simulation.snapshot import Snapshot

# Attributes of <key> and the fields they hold.
ATTRIBUTES = {"qpos": "qpos", "qvel": "qvel", "act": "act", "ctrl": "ctrl", "mpos": "mocap_pos", "mquat": "mocap_quat"}


def key_element(snapshot: Snapshot) -> str:
    """A <key> element whose numbers read back bit for bit."""
    lines = [f'<key time="{snapshot.time!r}"']
    values = {name: getattr(snapshot, field).ravel() for name, field in ATTRIBUTES.items()}
    lines += [f'{name}="{_numbers(array)}"' for name, array in values.items() if array.size]
    return "\n     ".join(lines) + "/>"


def state_lines(snapshot: Snapshot) -> str:
    """Time and the other numbers of the state, a line each, as Python reads them, bit for bit."""
    values = {name: getattr(snapshot, field).ravel() for name, field in ATTRIBUTES.items()}
    lines = [f"{name} = [{', '.join(repr(float(v)) for v in array)}]" for name, array in values.items() if array.size]
    return "\n".join([f"time = {snapshot.time!r}", *lines])


def _numbers(values: Iterable[Any]) -> str:
    return " ".join(repr(float(v)).removesuffix(".0") for v in values)
