"""Copies of the present state for work in another thread, each made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble import physics
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


class StateCopy(Struct, frozen=True, eq=False):
    """The simulation at one moment, copied; without model: why there is none."""

    model: MjModel | None = None
    data: MjData | None = None
    why: str = ""
    number: int = 0


class ShownState(Struct):
    """The newest copy in a snapshot."""

    copy: StateCopy = StateCopy()


class StateProbe:
    """Copies model and data once each time it is `wanted`."""

    def __init__(self, refuse: Callable[[MjModel], str]) -> None:
        """refuse: why a model is not copied, "" where it is."""
        self.wanted = True
        self.taken = 0  # copies so far
        self._refuse = refuse
        self._last = StateCopy()

    def room(self, model: MjModel, data: MjData) -> ShownState:
        return ShownState()

    def take(self, model: MjModel, data: MjData, into: ShownState) -> None:
        if self.wanted:
            self.wanted = False
            self.taken += 1
            self._last = copy_state(model, data, self._refuse(model), self.taken)
        into.copy = self._last


def copy_state(model: MjModel, data: MjData, refusal: str, number: int = 0) -> StateCopy:
    """A copy for another thread; with a refusal, or where it cannot be copied: why not."""
    if refusal:
        return StateCopy(why=refusal, number=number)
    try:
        other, own = physics.fork(model, data)
    except PhysicsError as error:
        return StateCopy(why=f"It cannot be copied: {error}", number=number)
    other.tumble.threads = 1  # the simulation's own threads continue
    return StateCopy(other, own, number=number)
