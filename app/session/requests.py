"""Requests to panels from other panels or actions, which do not know them: see `Session.ask`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol


class Request(Protocol):
    """panel: the key of the panel that is asked, as in the table of panels."""

    @property
    def panel(self) -> str:
        """The key."""


@dataclass(frozen=True, slots=True)
class Show:
    """Open a panel, in front of its tabs."""

    panel: str


@dataclass(frozen=True, slots=True)
class PlotSignal:
    """Plot a number: its name."""

    panel: ClassVar[str] = "signals"
    name: str


@dataclass(frozen=True, slots=True)
class ProposeStop:
    """Offer a condition to stop at, for the user to complete."""

    panel: ClassVar[str] = "breakpoints"
    text: str


@dataclass(frozen=True, slots=True)
class TuneGeom:
    """Show the parameters of a geom."""

    panel: ClassVar[str] = "parameters"
    geom: int


@dataclass(frozen=True, slots=True)
class EditTogether:
    """Edit the parameters of several geoms at once."""

    panel: ClassVar[str] = "parameters"
    geoms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShowElement:
    """Show the fields of an element: the prefix of its kind's fields, and its number."""

    panel: ClassVar[str] = "inspector"
    prefix: str
    index: int


@dataclass(frozen=True, slots=True)
class AskPair:
    """Say whether two geoms collide, and why or why not; -1: the user is to choose that one."""

    panel: ClassVar[str] = "collision"
    first: int = -1
    second: int = -1


@dataclass(frozen=True, slots=True)
class WriteChanges:
    """Show what would change in the model's file, and offer to save it there; then: told in the end whether it was saved."""

    panel: ClassVar[str] = "parameters"
    then: Callable[[bool], None] | None = None


@dataclass(frozen=True, slots=True)
class CheckModel:
    """Check the model that runs, as `tumble check` does."""

    panel: ClassVar[str] = "check"


@dataclass(frozen=True, slots=True)
class ForkNow:
    """Fork the present state with what is chosen in the panel."""

    panel: ClassVar[str] = "forks"


@dataclass(frozen=True, slots=True)
class SaveKeyframe:
    """Save the present state as a keyframe."""

    panel: ClassVar[str] = "keyframes"


@dataclass(frozen=True, slots=True)
class WriteKeyframes:
    """Show what keyframes would change in the model's file, and offer to save it there; then: as for `WriteChanges`."""

    panel: ClassVar[str] = "keyframes"
    then: Callable[[bool], None] | None = None
