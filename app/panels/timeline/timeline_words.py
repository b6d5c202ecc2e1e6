"""Words for the timeline: durations, position of the simulation, events at a time."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from tumble.app.describe import numbers
from tumble.app.describe.numbers import digits_of, duration
from tumble.app.look import theme
from tumble.app.panels.timeline.strip import Spot
from tumble.app.session.history import History

MOST_LINES = 6  # most spots listed


class Stand(Enum):
    """Place of the simulation in its time; the value is its colour."""

    NOTHING = theme.colours()["dim"]
    LIVE = theme.colours()["good"]
    PAST = theme.colours()["accent"]
    AGAIN = theme.INKS[0]
    ON_THE_WAY = theme.colours()["warn"]


def moment(step: int, timestep: float) -> str:
    """A place on the axis."""
    return numbers.moment(step * timestep, digits_of(timestep))


def stand(history: History, paused: bool, loaded: bool) -> tuple[Stand, str]:
    """Place of the simulation, in a word and a line."""
    if not loaded:
        return Stand.NOTHING, "No model"
    behind = f"{duration((history.end - history.now) * history.timestep)} before the end"
    if history.target is not None:
        return Stand.ON_THE_WAY, f"Going to {moment(history.target, history.timestep)}"
    odd = f"; from {moment(history.strayed, history.timestep)} on it differs from the recording" if history.strayed else ""
    if history.playing:
        return Stand.AGAIN, f"Replaying, {behind}{odd}"
    if history.now < history.end:
        return Stand.PAST, f"In the past: {behind}{odd}"
    return Stand.LIVE, ("Live, paused" if paused else "Live") + odd


def spot_line(spot: Spot, timestep: float) -> str:
    """A spot in a line: position, text, and the simulation time where it differs."""
    own = f" (time {numbers.moment(spot.when, digits_of(timestep))})" if abs(spot.when - spot.time) > 0.5 * timestep else ""
    return f"{moment(spot.step, timestep)}  {spot.text or spot.look.word}{own}"


def spot_lines(found: Sequence[Spot], timestep: float) -> list[str]:
    """Marks at a place, a line each, and the number of others."""
    lines = [spot_line(spot, timestep) for spot in found[:MOST_LINES]]
    more = len(found) - MOST_LINES
    return [*lines, f"and {more} more"] if more > 0 else lines


def empty_line(time: float, history: History) -> str:
    """Text for a moment [s] without events."""
    step = round(time / history.timestep)
    return moment(step, history.timestep) if history.first <= step <= history.end else "Nothing is recorded at this moment"


def reach(history: History) -> str:
    """The past that can be reached, and the memory it takes."""
    return f"Reaches back {duration((history.end - history.first) * history.timestep)} now, in {history.nbytes / 2**20:.1f} MB"
