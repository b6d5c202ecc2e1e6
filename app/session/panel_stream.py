"""Samples of every step for a panel, while it wants them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from tumble.app.session.panel_kernels import Preparation
from tumble.app.simulation.commands import StreamSteps
from tumble.app.simulation.hooks import StepStream, Watcher

if TYPE_CHECKING:
    from tumble.app.session.session import Session
    from tumble.physics import MjData

Seen = TypeVar("Seen")


class PanelStream(Generic[Seen]):
    """A watcher's samples of every step of the present model, while they are wanted."""

    def __init__(self, session: Session, make: Callable[[MjData], Watcher[Seen]], kernels: Preparation) -> None:
        """make: creates the watcher of given data; kernels: those that it runs."""
        self._session, self._make, self._kernels = session, make, kernels
        self._wanted = False
        self._stream: StepStream[Seen] | None = None
        kernels.ended.connect(self.renew)

    def want(self, wanted: bool) -> None:
        """Turn watching of steps on or off."""
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if self._stream is not None:
            self._session.send(StreamSteps(self._stream, False))
        self.renew()

    def renew(self) -> None:
        """Another model runs, and the previous stream has ended; or the kernels are ready."""
        self._stream = None
        if self._wanted and self._session.model is not None and self._kernels.ready():
            self._stream = StepStream(self._make)
            self._session.send(StreamSteps(self._stream, True))

    def take(self) -> list[Seen]:
        """The samples since the last call."""
        return [] if self._stream is None else self._stream.take()
