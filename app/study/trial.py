"""One run of a study: a variant, from the study's start, driven by its controls, and what is measured of it."""

from __future__ import annotations

import hashlib
import math
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.names import keyframes
from tumble.app.describe.warnings import describe
from tumble.app.replay.bundle import Bundle, LoadError
from tumble.app.simulation.controller_file import ControllerError, ControllerSource
from tumble.app.simulation.controller_file import read as read_controller
from tumble.app.study import controls, measures
from tumble.app.study.attribute_path import Value
from tumble.app.study.controls import Controls
from tumble.app.study.run_steps import FULL, GIVEN, MOCAP, Inputs, run_steps
from tumble.app.study.study_file import Noise, Study, StudyError
from tumble.app.study.variants import Variants
from tumble.physics.errors import PhysicsError
from tumble.physics.observe.sample import SignalTap
from tumble.physics.run.program import bind
from tumble.physics.run.rollout import Roller, RolloutBatch
from tumble.physics.state.enums import mjtEnableBit

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Array = NDArray[np.float64]

ENERGY = int(mjtEnableBit.mjENBL_ENERGY)
MOST_NUMBERS = 2**27  # samples of one run
DONE = "done"


class RunRow(Struct, frozen=True):
    """A run: its number, the number of its repetition, the values of parameters and of measures, how it ended, its wall time [s].

    status: "done", or why there are no measures.
    """

    run: int
    repetition: int
    values: tuple[Value, ...]
    measures: tuple[float, ...]
    status: str
    wall: float


class UntrustedError(StudyError):
    """A study has a controller, a program to which the user has not agreed yet."""

    def __init__(self, source: ControllerSource) -> None:
        super().__init__(f"{source.path}: the study's controller is a program that can do all that you can do on this computer")
        self.source = source


def controller_of(study: Study, folder: Path) -> ControllerSource | None:
    """The controller of a study whose files lie in `folder`; None for none. Raises StudyError."""
    if not study.controller:
        return None
    try:
        return read_controller((folder / study.controller).absolute())
    except ControllerError as error:
        raise StudyError(f"controller: {error}") from error


class Plan(Struct, frozen=True):
    """A study with all it needs, independent of later changes to files, to be carried out here or on another machine."""

    study: Study
    bundle: Bundle
    controls: Controls
    controller: ControllerSource | None = None

    @classmethod
    def of(
        cls, study: Study, bundle: Bundle, folder: Path, trusted: Callable[[ControllerSource], bool] = lambda source: False
    ) -> Plan:
        """folder: of the files that the study names; trusted: whether the user has agreed to run a controller.

        Raises StudyError, LoadError, UntrustedError.
        """
        source = controller_of(study, folder)
        if source is not None and not trusted(source):
            raise UntrustedError(source)
        return cls(study, bundle, controls.read(study.controls, bundle.compile(), folder, study.seed), source)

    @property
    def digest(self) -> str:
        """Digest of all that its results depend on."""
        parts = [msgspec.json.encode(self.study), self.bundle.text, repr(sorted(self.bundle.named.items())).encode()]
        parts += [part for name in sorted(self.bundle.files) for part in (name.encode(), self.bundle.files[name])]
        parts.append(pickle.dumps(self.controls))
        parts += [] if self.controller is None else [self.controller.digest.encode()]
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


class Trial:
    """Runs of one study. Several threads may use it at once."""

    def __init__(self, plan: Plan, compiled: Callable[[int, int], None] = lambda done, total: None) -> None:
        """compiled: called with the variants that are compiled beforehand, and all. Raises StudyError, LoadError."""
        self.study, self._controls, self._controller = plan.study, plan.controls, plan.controller
        self.variants = Variants(plan.bundle, plan.study.parameters, compiled)
        self._base = self.variants.base
        physics.prepare(self._base)
        self._quantities = measures.read(plan.study.measures, self._base)
        self._start = self._key()
        self._energy = any(signal.field == "energy" for quantity in self._quantities for signal in quantity.of.signals)
        self._columns: dict[int, measures.Columns] = {}

    def row(self, run: int, values: Sequence[Value], stopped: Callable[[], bool] = lambda: False) -> RunRow | None:
        """Do a run; None where `stopped` ended it. What is wrong with one variant is its status."""
        begun, repetition = perf_counter(), run % self.study.repetitions
        numbers: tuple[float, ...] = (math.nan,) * len(self._quantities)
        try:
            numbers, status = self._measured(self.variants.model(values), run, stopped)
        except (LoadError, PhysicsError, ControllerError) as error:
            status = str(error)
        except MemoryError:
            status = "there is not enough memory"
        return None if stopped() else RunRow(run, repetition, tuple(values), numbers, status, perf_counter() - begun)

    def _key(self) -> int:
        """The number of the keyframe that runs start from; -1 for none. Raises StudyError."""
        names, key = keyframes(self._base), self.study.keyframe
        if not key:
            return -1
        if key not in names and not (key.isdecimal() and int(key) < len(names)):
            raise StudyError(f"keyframe: there is no {key!r}; there are {', '.join(names) or 'none'}")
        return names.index(key) if key in names else int(key)

    def begin(self, model: MjModel, run: int) -> tuple[MjData, Inputs]:
        """Data of a variant, and how a run of it begins and is driven."""
        rng = np.random.default_rng([self.study.seed, run])
        data = physics.MjData(model)
        if self._start >= 0:
            physics.mj_resetDataKeyframe(model, data, self._start)
        shake(model, data, self.study.noise, rng)
        return data, self._inputs(model, data, rng)

    def _measured(self, model: MjModel, run: int, stopped: Callable[[], bool]) -> tuple[tuple[float, ...], str]:
        if self._energy:
            model.opt.enableflags = int(model.opt.enableflags) | ENERGY
        data, inputs = self.begin(model, run)
        grown = measures.GROWN
        time, source, status = self._run(model, data, inputs, grown, stopped)
        while status == DONE and source.most_rows > grown:
            grown = source.most_rows
            time, source, status = self._run(model, data, inputs, grown, stopped)
        if status != DONE:
            return (math.nan,) * len(self._quantities), status
        return tuple(measures.measured(quantity, time, source) for quantity in self._quantities), status

    def _inputs(self, model: MjModel, data: MjData, rng: np.random.Generator) -> Inputs:
        """The state that a run begins in, and its inputs: those of the study, else as in the data."""
        steps = max(1, round(self.study.seconds / float(model.opt.timestep)))
        ctrl = self._controls.over(model, steps, np.array(data.ctrl))
        if self.study.noise.control > 0:
            ctrl = ctrl + self.study.noise.control * rng.standard_normal((steps, model.nu))
        poses = state_of(model, data, MOCAP)
        given = np.concatenate([ctrl, np.broadcast_to(poses, (len(ctrl), poses.size))], axis=1)
        return Inputs(steps, state_of(model, data, FULL)[None], np.ascontiguousarray(given)[None])

    def _run(
        self, model: MjModel, data: MjData, inputs: Inputs, grown: int, stopped: Callable[[], bool]
    ) -> tuple[Array, measures.Sampled, str]:
        """The times and samples of a run, from its start on, and how it ended; of fields that grow the first `grown` rows."""
        if grown not in self._columns:
            self._columns[grown] = measures.columns(self._quantities, self._base, grown)
        columns = self._columns[grown]
        if (inputs.steps + 1) * (len(columns.numbers) + 2) > MOST_NUMBERS:
            many = f"{inputs.steps} steps of {len(columns.numbers)} numbers"
            raise PhysicsError(f"{many} do not fit in memory: measure fewer signals, or for fewer seconds")
        place(model, data, inputs)
        tap = SignalTap(data, columns.numbers, inputs.steps + 1)
        tap.look()
        tap.attach()
        bind(model)
        if self._controller is not None:
            run_steps(model, data, inputs, self._controller, stopped)
        else:
            given = inputs.given if inputs.given.shape[2] else None
            batch = RolloutBatch(1, inputs.steps, inputs.start, given, GIVEN, None, None, None)
            Roller(data, batch).roll(model, 0, 1, stopped)
        tap.detach()
        samples = tap.since(0)
        return samples.time, measures.Sampled(samples.values, columns), ended(model, data, len(samples.time))


def place(model: MjModel, data: MjData, inputs: Inputs) -> None:
    """Put data into the state in which a run begins, with all that follows from it."""
    physics.mj_setState(model, data, inputs.start[0], FULL)
    physics.mj_setState(model, data, inputs.given[0, 0], GIVEN)
    physics.mj_forward(model, data)


def state_of(model: MjModel, data: MjData, components: int) -> Array:
    """Components of the state of data, mjtState."""
    state = np.empty(physics.mj_stateSize(model, components))
    physics.mj_getState(model, data, state, components)
    return state


def shake(model: MjModel, data: MjData, noise: Noise, rng: np.random.Generator) -> None:
    """Noise on positions, in the tangent space where joints turn, and on velocities."""
    if noise.position > 0:
        physics.mj_integratePos(model, data.qpos, noise.position * rng.standard_normal(model.nv), 1.0)
    if noise.velocity > 0:
        data.qvel[:] += noise.velocity * rng.standard_normal(model.nv)


def ended(model: MjModel, data: MjData, samples: int) -> str:
    """The end of a run: "done", or the warning that ended it."""
    number = np.asarray(data.warning.number)
    if not number.any():
        return DONE
    kind = int(np.flatnonzero(number)[0])
    return describe(model, kind, int(data.warning.lastinfo[kind]), max(0, samples - 2) * float(model.opt.timestep))
