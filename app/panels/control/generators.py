"""The signal generators of a session, by actuator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.session.session import Session
from tumble.app.simulation.commands import SetDriver
from tumble.app.simulation.correspondence import GONE
from tumble.app.simulation.generators import Generator, GeneratorDriver, Shape
from tumble.app.simulation.hooks import DriverSlot

if TYPE_CHECKING:
    from tumble.physics import MjModel


class Generators(QObject):
    """Signal generators by actuator. changed: an actuator's generator was replaced or removed."""

    changed = pyqtSignal(int)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._on: dict[int, Generator] = {}
        session.model_loaded.connect(self._follow)

    def of(self, actuator: int) -> Generator | None:
        """The generator of an actuator."""
        return self._on.get(actuator)

    def set(self, actuator: int, generator: Generator | None) -> None:
        """Set or remove the generator of an actuator."""
        if generator == self._on.get(actuator):
            return
        if generator is None:
            del self._on[actuator]
        else:
            self._on[actuator] = generator
        self._send()
        self.changed.emit(actuator)

    def set_all(self, generator: Generator | None) -> None:
        """The same for all actuators; noise differs from one to the next."""
        for actuator in range(self._session.model.nu if self._session.model is not None else 0):
            self.set(actuator, generator)

    def set_noise(self, deviation: float, memory: float) -> None:
        """Noise for all actuators as that of `simulate`: about the middle of the range, deviation times half of it; 0: none.

        An actuator without a range goes about 0, by the deviation itself. memory [s]. Other generators end, but for deviation 0.
        """
        model = self._session.model
        if model is None:
            return
        if deviation > 0:
            noise = {i: _noise_of(model, i, deviation, memory) for i in range(int(model.nu))}
        else:
            noise = {i: generator for i, generator in self._on.items() if generator.shape is not Shape.NOISE}
        changed = [i for i in range(int(model.nu)) if noise.get(i) != self._on.get(i)]
        self._on = noise
        self._send()
        for i in changed:
            self.changed.emit(i)

    def noise(self) -> Generator | None:
        """The noise of the first actuator that has any."""
        return next((generator for generator in self._on.values() if generator.shape is Shape.NOISE), None)

    def clear_controls(self) -> None:
        """All controls to zero; generators would move them again, so they end."""
        self.set_all(None)
        self._session.clear_ctrl()

    def _send(self) -> None:
        self._session.send(SetDriver(DriverSlot.GENERATORS, GeneratorDriver(self._on) if self._on else None))

    def _follow(self) -> None:
        """Another model has none; a reloaded one keeps those of its actuators."""
        kept, before = self._session.kept, self._on
        self._on = {}
        if kept is not None:
            moved = {kept.element("actuator", i): generator for i, generator in before.items()}
            self._on = {i: generator for i, generator in moved.items() if i != GONE}
        if self._on:
            self._send()


def _noise_of(model: MjModel, actuator: int, deviation: float, memory: float) -> Generator:
    limited = bool(model.actuator_ctrllimited[actuator])
    low, high = (float(x) for x in model.actuator_ctrlrange[actuator]) if limited else (-1.0, 1.0)
    return Generator(Shape.NOISE, (low + high) / 2, deviation * (high - low) / 2, memory=memory)
