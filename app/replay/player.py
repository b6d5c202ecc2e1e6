"""Running a replay: the same model, the same events before the same steps, so the same bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble import physics
from tumble.app.replay.replay_file import Replay, require
from tumble.app.replay.tape import Tape

if TYPE_CHECKING:
    from tumble.physics.kernel.prepare import Told


class Player:
    """A simulation that repeats a recording. model, data: as they are after `now` steps.

    The bits are the same on the same kind of processor with the same version; elsewhere rounding may differ, and contacts
    make much of little. So the recording has digests of the state on its way. checked: how many were met so far;
    strayed: after how many steps the state was first another than recorded, 0: it never was.
    """

    def __init__(self, replay: Replay, told: Told | None = None) -> None:
        """told: as for physics.prepare. Raises LoadError, ReplayError, PhysicsError."""
        self.replay = replay
        self.model = replay.bundle.compile()
        physics.prepare(self.model, told)
        self.data = physics.MjData(self.model)
        require(replay.timeline, self.model, self.data)
        self._tape = Tape.of(replay.timeline, self.model, self.data)

    @property
    def now(self) -> int:
        """Steps taken so far."""
        return self._tape.now

    @property
    def checked(self) -> int:
        """Number of states that were compared with the recorded ones."""
        return self._tape.checked

    @property
    def strayed(self) -> int:
        """Step at which the state first differed from the recording; 0: never."""
        return self._tape.strayed

    def ready(self) -> bool:
        """True if there is a next step; inputs before it are applied."""
        return self._tape.now < self._tape.end

    def step(self) -> None:
        """Take the next step, after `ready`."""
        physics.mj_step(self.model, self.data)
        self._tape.followed(1)


def stray_text(player: Player) -> str:
    """The message for a replay that has diverged."""
    return (
        f"differs from the recording from step {player.strayed} of {player.replay.timeline.steps}: it was written by another "
        "version, or on another kind of processor"
    )
