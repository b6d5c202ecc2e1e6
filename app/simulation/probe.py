"""Probes: data that a panel needs from each published moment beyond the snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Reading = TypeVar("Reading")


class Probe(Protocol[Reading]):
    """Copies numbers from the live data, in the simulation thread, into storage that the window reads later.

    Each snapshot has its own storage, so what the window reads does not change. A probe is taken only while
    it is watched: `Session.watch`. It is compared by identity.
    """

    def room(self, model: MjModel, data: MjData) -> Reading:
        """New storage for one snapshot."""

    def take(self, model: MjModel, data: MjData, into: Reading) -> None:
        """Fill the storage; do not keep or change model or data. Arrays in it may be replaced where they grow."""
