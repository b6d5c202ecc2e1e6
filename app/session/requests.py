"""Requests to panels from other panels or actions, which do not know them: see `Session.ask`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Protocol

from msgspec import Struct

from tumble.app.simulation.changes import Change


class Request(Protocol):
    """panel: key of the requested panel, as in the table of panels."""

    @property
    def panel(self) -> str:
        """The key."""


class Show(Struct, frozen=True):
    """Open a panel, in front of its tabs."""

    panel: str


class PlotSignal(Struct, frozen=True):
    """Plot a number: its name."""

    panel: ClassVar[str] = "signals"
    name: str


class ProposeStop(Struct, frozen=True):
    """Offer a condition to stop at, for the user to complete."""

    panel: ClassVar[str] = "breakpoints"
    text: str


class TuneGeom(Struct, frozen=True):
    """Show the parameters of a geom."""

    panel: ClassVar[str] = "parameters"
    geom: int


class EditTogether(Struct, frozen=True):
    """Edit the parameters of several geoms at once."""

    panel: ClassVar[str] = "parameters"
    geoms: tuple[int, ...]


class ShowElement(Struct, frozen=True):
    """Show the fields of an element: the prefix of its kind's fields, and its number."""

    panel: ClassVar[str] = "inspector"
    prefix: str
    index: int


class AskPair(Struct, frozen=True):
    """Explain whether two geoms collide; -1: the user chooses that one."""

    panel: ClassVar[str] = "collision"
    first: int = -1
    second: int = -1


class ShowOptimization(Struct, frozen=True):
    """Show the optimization that the chosen contact is part of."""

    panel: ClassVar[str] = "solver"


class WriteChanges(Struct, frozen=True):
    """Show the patch of the model's file, and offer to save it; then: called at the end with whether it was saved."""

    panel: ClassVar[str] = "parameters"
    then: Callable[[bool], None] | None = None


class AskDoctor(Struct, frozen=True):
    """Examine the model that runs, and choose what is found about a contact, or at first what a change would remove.

    pair: the two sides of the contact, geoms or -1 - flex, of which the present state is examined; None: of no contact.
    """

    panel: ClassVar[str] = "doctor"
    pair: tuple[int, int] | None = None


class ForkNow(Struct, frozen=True):
    """Fork the present state with the settings chosen in the panel."""

    panel: ClassVar[str] = "forks"


class TryFork(Struct, frozen=True):
    """Fork the present state with changes of the model's numbers; name: of the fork."""

    panel: ClassVar[str] = "forks"
    name: str
    changes: tuple[Change, ...]


class SaveKeyframe(Struct, frozen=True):
    """Save the present state as a keyframe."""

    panel: ClassVar[str] = "keyframes"


class WriteKeyframes(Struct, frozen=True):
    """Show the patch of keyframes of the model's file, and offer to save it; then: as for `WriteChanges`."""

    panel: ClassVar[str] = "keyframes"
    then: Callable[[bool], None] | None = None


class LayOver(Struct, frozen=True):
    """Lay measured data over the plots and the view: a CSV file."""

    panel: ClassVar[str] = "signals"
    suffix: ClassVar[str] = ".csv"
    path: Path


class RunController(Struct, frozen=True):
    """Write a controller that the program has composed, and run it: its text is the program's own, so it is trusted."""

    panel: ClassVar[str] = "control"
    path: Path
    text: str


class StopController(Struct, frozen=True):
    """Run the controller no more."""

    panel: ClassVar[str] = "control"


class OpenStudy(Struct, frozen=True):
    """Open a study file, and its model where no changes would be lost."""

    panel: ClassVar[str] = "study"
    suffix: ClassVar[str] = ".toml"
    path: Path
