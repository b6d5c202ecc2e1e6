"""Signal generators: controls that move by themselves, as functions of simulated time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

BLOCK = 4096  # steps of noise that are made at once
FORGOTTEN = 40.0  # time constants after which noise has forgotten where it began: exp(-40) is below rounding
MOST_BLOCKS = 256  # that it begins before, where that is longer


class Shape(Enum):
    """Waveforms of signal generators."""

    SINE = "Sine"
    SQUARE = "Square"
    STEP = "Step"
    NOISE = "Noise"


class Generator(Struct, frozen=True, forbid_unknown_fields=True):
    """offset + amplitude * shape(time), limited to the actuator's range. Controls are in the unit of the actuator.

    sine: sin(2 pi frequency time + phase), frequency [Hz], phase [rad]; square: its sign, +1 or -1;
    step: 0 before `start` [s], then 1; noise: normally distributed with standard deviation 1, correlated over `memory` [s]
    as the control noise of MuJoCo's `simulate` is; the same numbers for the same seed, actuator and step.
    """

    shape: Shape
    offset: float = 0.0
    amplitude: float = 1.0
    frequency: float = 1.0
    phase: float = 0.0
    start: float = 1.0
    memory: float = 0.1
    seed: int = 0

    def value(self, time: float, noise: float = 0.0) -> float:
        """The control at a time [s], before limits; noise: of this step."""
        if self.shape is Shape.SINE:
            wave = math.sin(2 * math.pi * self.frequency * time + self.phase)
        elif self.shape is Shape.SQUARE:
            wave = 1.0 if (self.frequency * time + self.phase / (2 * math.pi)) % 1.0 < 0.5 else -1.0
        elif self.shape is Shape.STEP:
            wave = 1.0 if time >= self.start else 0.0
        else:
            wave = noise
        return self.offset + self.amplitude * wave


class NoisePath:
    """x[k] = r x[k-1] + sqrt(1 - r^2) n[k] with r = exp(-timestep / memory) and normal n: an Ornstein-Uhlenbeck process.

    A function of k: going back in time, or starting elsewhere, gives the same numbers. For that each block of steps
    begins from zero so much earlier that the initial value no longer matters, and has its own random generator.
    """

    def __init__(self, seed: int, stream: int, timestep: float, memory: float) -> None:
        """stream: distinguishes paths with one seed; timestep, memory [s]: memory 0 is white noise."""
        self._seed, self._stream = seed, stream
        self._r = math.exp(-timestep / memory) if memory > 0 else 0.0
        self._before = min(MOST_BLOCKS, math.ceil(FORGOTTEN * memory / timestep / BLOCK))
        self._block = -1
        self._values: list[float] = []

    def at(self, step: int) -> float:
        """The number of a step, counted from time 0."""
        block, index = divmod(max(step, 0), BLOCK)
        if block != self._block:
            self._block, self._values = block, self._make(block)
        return self._values[index]

    def _make(self, block: int) -> list[float]:
        r, scale, x = self._r, math.sqrt(1 - self._r**2), 0.0
        values: list[float] = []
        for b in range(max(0, block - self._before), block + 1):
            values = []
            for n in np.random.default_rng([self._seed, self._stream, b]).standard_normal(BLOCK).tolist():
                x = r * x + scale * n
                values.append(x)
        return values


class GeneratorDriver:
    """Writes the controls of actuators that have a generator; belongs to the simulation thread."""

    def __init__(self, generators: Mapping[int, Generator]) -> None:
        self._generators = dict(generators)
        self._paths: dict[int, NoisePath] = {}
        self._timestep = 0.0

    def begin(self, model: MjModel, data: MjData) -> None:
        """Nothing to do before the first step."""

    def write_inputs(self, model: MjModel, data: MjData) -> None:
        """Write the controls of this moment."""
        ctrl = data.ctrl
        for index, value in self.values(float(data.time), float(model.opt.timestep)).items():
            if model.actuator_ctrllimited[index]:
                low, high = model.actuator_ctrlrange[index]
                value = min(max(value, low), high)
            ctrl[index] = value

    def values(self, time: float, timestep: float) -> dict[int, float]:
        """The numbers of a moment, before limits, by index; time, timestep [s]."""
        if timestep != self._timestep:
            self._timestep, self._paths = timestep, {}
        step = round(time / timestep)
        return {k: generator.value(time, self._noise(k, generator, step)) for k, generator in self._generators.items()}

    def end(self) -> None:
        """The controls stay as they are."""

    def _noise(self, index: int, generator: Generator, step: int) -> float:
        if generator.shape is not Shape.NOISE:
            return 0.0
        if index not in self._paths:
            self._paths[index] = NoisePath(generator.seed, index, self._timestep, generator.memory)
        return self._paths[index].at(step)
