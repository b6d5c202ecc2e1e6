"""The running simulation: the live model and data, and the clock that ties them to real time."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from tumble import physics
from tumble.app.replay.tape import MOST_BYTES, Position, Tape, unseen
from tumble.app.simulation.applied_forces import ForceDriver
from tumble.app.simulation.clock import Clock
from tumble.app.simulation.correspondence import Correspondence
from tumble.app.simulation.fork_runner import ForkRunner
from tumble.app.simulation.hooks import DriverSlot, InputDriver, Probe, StepMonitor, StepStream
from tumble.app.simulation.perturbation import Grip, bend_limb, move_free, move_mocap, place_free, spring_wrench
from tumble.app.simulation.snapshot import Exchange

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel
    from tumble.physics.kernel.prepare import Told
    from tumble.physics.observe.motion.backwards import BackwardResult

# Wall time in which steps are taken on the way to another moment, before commands are checked again [s], and
# steps before the clock is.
SEEK_TIME, SEEK_STEPS = 0.01, 8
# Least wall time between two published snapshots [s]: twice a frame of a 60 Hz display.
PUBLISH_INTERVAL = 1 / 125


class Simulation:
    """Owns MjModel and MjData; one thread calls every method."""

    def __init__(self, clock: Clock | None = None, now: Callable[[], float] = perf_counter) -> None:
        self.clock = clock or Clock()
        self._model: MjModel | None = None
        self._data: MjData | None = None
        self.paused = True
        self.obeyed = 0  # commands carried out so far
        self.tape: Tape | None = None
        self.target: int | None = None  # the position on the tape to which the simulation is on its way
        self._history_bytes = MOST_BYTES
        self._film = False  # a replay was opened and is not over yet: time stops at its end
        self.tell_kernels: Told = lambda progress: None
        self.now = now
        self._exchange: Exchange | None = None
        self._grip: Grip | None = None
        self._probes: list[Probe[Any]] = []
        self._streams: list[StepStream[Any]] = []
        self._monitor: StepMonitor | None = None
        self.forks = ForkRunner()
        self._drivers: dict[DriverSlot, InputDriver] = {}
        self._recording = False
        self._again: physics.Again | None = None
        self._published = -1.0

    @property
    def model(self) -> MjModel:
        """The model that runs; ModelError if missing."""
        if self._model is None:
            raise physics.ModelError("no model runs")
        return self._model

    @property
    def data(self) -> MjData:
        """The live data. Raises ModelError without a model."""
        if self._data is None:
            raise physics.ModelError("no model runs")
        return self._data

    def adopt(
        self, model: MjModel, data: MjData, exchange: Exchange, kept: Correspondence | None = None, tape: Tape | None = None
    ) -> None:
        """Run another model; kept: if reloaded, how the previous state continues in it; tape: its record, None: start one."""
        self.tape = tape or Tape(model, data)
        self.tape.limit(self._history_bytes)
        self._film = self.tape.end > 0
        self.target = None
        for driver in self._drivers.values():
            driver.end()
        if kept is not None:
            self.hold(None)
            self.tape.hold()
            kept.transfer(kept.taken(self.data), data)
            physics.mj_forward(model, data)
        for stream in [*self._streams]:
            self.close_stream(stream)
        self._monitor = None
        self.forks.clear()
        self._drivers = {}
        self._model, self._data, self._exchange = model, data, exchange
        self.record(self._recording)
        self._grip = None
        self.clock.stop()
        self.clock.forget_cost()

    def set_paused(self, paused: bool) -> None:
        """Stop or continue; the time that stood still is not owed."""
        if paused != self.paused:
            self.paused = paused
            self.target = None if not paused else self.target
            self.clock.stop()

    def touch(self, *, model: bool = False) -> None:
        """Announce a change of the state or the inputs; model: or of numbers of the model."""
        if self.tape is not None:
            self.tape.hold(model=model)

    def watch(self, probe: Probe[Any], wanted: bool = True) -> None:
        """Take a probe at every publication, or no longer."""
        self._probes = [other for other in self._probes if other is not probe] + ([probe] if wanted else [])

    def open_stream(self, stream: StepStream[Any]) -> None:
        """Add a stream that watches every step of this model."""
        if self._data is not None:
            stream.begin(self.data)
            self._streams.append(stream)

    def close_stream(self, stream: StepStream[Any]) -> None:
        """No longer have it look."""
        if stream in self._streams:
            self._streams.remove(stream)
            stream.end()

    def monitor_steps(self, monitor: StepMonitor | None) -> None:
        """Set the monitor that checks every step; None removes it."""
        self._monitor = monitor
        if monitor is not None and self.tape is not None:
            monitor.begin(self.tape)

    def set_driver(self, slot: DriverSlot, driver: InputDriver | None) -> None:
        """Set the driver that writes inputs before every step; None removes it."""
        others = {s: d for s, d in self._drivers.items() if s != slot}
        if slot in self._drivers:
            self._drivers[slot].end()
        if driver is not None:
            others[slot] = driver
            driver.begin(self.model, self.data)
        self._drivers = dict(sorted(others.items()))

    def record(self, wanted: bool) -> None:
        """Turn recording of every solve on or off, for all models."""
        self._recording, self._again = wanted, None
        if self._data is None:
            return
        if not wanted:
            physics.stop_recording(self.data)
        elif not physics.is_recording(self.data):
            physics.start_recording(self.data)
            if self.paused and self.target is None and self.tape is not None:
                self.tape.repeat()  # the step that stands was not recorded

    def require_kernels(self, model: MjModel) -> None:
        """Compile the stages for a model's options in another process. The window stays usable."""
        from tumble.physics.kernel.prepare import load, ready
        from tumble.physics.run.program import needed  # all stages, which a window without a model does not need

        parts = needed(model).values()
        if ready(parts):
            return
        load(parts, self.tell_kernels)
        self.tell_kernels(physics.KernelProgress(1.0, 0.0))
        self.clock.stop()  # the time that stood still is not owed

    def solve_again(self, settings: physics.SolveSettings) -> physics.Solved:
        """Solve the last step again with other settings, on a copy; raises PhysicsError if that is impossible."""
        if self._data is None:
            raise physics.ModelError("there is no model whose step could be solved again")
        from tumble.physics.observe.again import variant_of_solve

        self.require_kernels(variant_of_solve(self.model, settings))
        if self._again is None:
            self._again = physics.Again(self.model)
        return self._again.solve(self.data, **settings)

    def run_forks(self, running: bool) -> None:
        """Restart all forks from the present state, or suspend them."""
        self.forks.run(self._data, running)

    def limit_history(self, most_bytes: int) -> None:
        """Limit the memory of the tape, for this model and later ones."""
        self._history_bytes = most_bytes
        if self.tape is not None:
            self.tape.limit(most_bytes)

    def go(self, position: int) -> None:
        """Pause, and go to another position on the tape, or the nearest; it may take time: `advance` continues."""
        if self.tape is None:
            return
        self.set_paused(True)
        self.tape.seek(position)
        self.target = min(max(position, self.tape.first), self.tape.end)
        if self._monitor is not None:
            self._monitor.begin(self.tape)

    def return_to(self, number: int) -> None:
        """Pause, and go to the end of a branch of the tape, which that becomes in exchange for the branch here."""
        if self.tape is not None and self.tape.return_to(number):
            self.go(self.tape.end)

    def back(self, count: int) -> None:
        """Pause, and go back a number of steps, as far as the tape reaches."""
        if self.tape is not None:
            self.go(self.tape.now - count)
            while self.target is not None:
                self._approach(self.tape, self.target)

    def step_backwards(self, count: int) -> BackwardResult:
        """Compute steps into the past, also of before the record begins; the tape gets a jump to there."""
        from tumble.physics.observe.motion.backwards import BackwardResult, backwards  # rarely needed

        self.set_paused(True)
        self.target = None
        if self._drivers:
            return BackwardResult(0, "a controller, a generator or an applied force writes inputs as time goes on")
        return backwards(self.model, self.data, count)

    def _approach(self, tape: Tape, target: int) -> float | None:
        """Step towards the target position; as `advance`."""
        tape.note()  # a change on the way stays there: the future becomes a branch
        target = min(target, tape.end)
        until = self.now() + SEEK_TIME
        with unseen(self.data):
            while tape.now < target and self.now() < until:
                steps = min(tape.ahead(), target - tape.now, SEEK_STEPS)
                self._make(steps, tape.followed)
                tape.followed(steps)
        self.target = target if tape.now < target else None
        if self.target is None:
            tape.settle()
        if self.target is None or self.now() - self._published >= self._interval():
            self.publish()
        return None if self.target is None else 0.0

    def reset(self, key: int | None = None) -> None:
        """Back to the initial state, or to a keyframe; controls and applied forces are part of it."""
        if key is None:
            physics.mj_resetData(self.model, self.data)
        else:
            physics.mj_resetDataKeyframe(self.model, self.data, key)
        physics.mj_forward(self.model, self.data)

    def hold(self, grip: Grip | None) -> None:
        """Hold a body with the mouse, hold it elsewhere, or let go."""
        if self._grip is not None and (grip is None or grip.body != self._grip.body):
            self.data.xfrc_applied[self._grip.body] = 0
        self._grip = grip
        if grip is None:
            return
        if self.paused and any(move(self.model, self.data, grip) for move in (move_mocap, bend_limb, move_free)):
            physics.mj_forward(self.model, self.data)
        elif not self.paused:
            move_mocap(self.model, self.data, grip)

    def step(self, count: int) -> int:
        """Take steps, recorded ones first; returns their number.

        The spring of a held body acts again in each new step, drivers write their inputs, forks go along, a monitor sees each
        and may stop.
        """
        tape = self.tape
        assert tape is not None
        self.target = None
        tape.note()
        done = 0
        while done < count:
            if self._grip is not None:
                tape.leave_future()
            recorded = tape.now < tape.end
            steps = min(count - done, tape.ahead()) if recorded else count - done
            if not recorded and (self._grip is not None or self._drivers):
                steps = 1
                tape.hold()
                self._write_inputs()
                tape.note()
            if self._monitor is not None or self.forks:
                steps = 1
            stop = self._take(steps, tape.followed if recorded else tape.took)
            done += steps
            over = recorded and self._film and tape.now >= tape.end
            self._film &= recorded  # else it has become its own simulation
            if stop or over:
                self._film &= not over
                self.set_paused(True)
                break
        return done

    def _write_inputs(self) -> None:
        """Write the inputs of the next step: applied forces, the pull of the mouse beside them, and what drivers make of it."""
        grip, forces = self._grip, self._drivers.get(DriverSlot.FORCES)
        if forces is not None:
            forces.write_inputs(self.model, self.data)
        if grip is not None and not (move_mocap(self.model, self.data, grip) or place_free(self.model, self.data, grip)):
            beside = forces.on_body(grip.body) if isinstance(forces, ForceDriver) else 0.0
            self.data.xfrc_applied[grip.body] = beside + spring_wrench(self.model, self.data, grip)
        for driver in self._drivers.values():
            if driver is not forces:
                driver.write_inputs(self.model, self.data)

    def _make(self, steps: int, tell: Callable[[int], None]) -> None:
        """Take steps; where one fails, as by an error in a callback, record those before it, and raise that error."""
        try:
            physics.mj_step(self.model, self.data, steps)
        except BaseException:
            if done := steps - self.data.steps:
                tell(done)
            raise

    def _take(self, steps: int, tell: Callable[[int], None]) -> bool:
        """Take steps and record them; returns True if the monitor requests a stop."""
        if self._monitor is not None:
            self._monitor.before_step(self.model, self.data)
        if self.forks:
            self.forks.before_step(self.data)
        self._make(steps, tell)
        if self.forks:
            self.forks.after_step(self.model, self.data)
        tell(steps)
        return self._monitor is not None and self._monitor.after_step(self.model, self.data)

    def advance(self) -> float | None:
        """Take the due steps and publish; returns the wall time until the next ones [s], None: wait for a command."""
        if self.tape is not None and self.target is not None:
            return self._approach(self.tape, self.target)
        if self._model is None or self.paused:
            return None
        timestep = float(self.model.opt.timestep)
        start = self.now()
        count = self.clock.due(start, timestep)
        if count:
            count = self.step(count)
            end = self.now()
            self.clock.done(end, count, timestep, end - start)
            if self.paused or end - self._published >= self._interval():
                self.publish()
        return self.clock.wait(timestep)

    def _interval(self) -> float:
        """Wall time between two snapshots [s]: half of that between two reads, as unseen snapshots take time from the steps."""
        return max(PUBLISH_INTERVAL, 0.5 * self._exchange.pace) if self._exchange is not None else PUBLISH_INTERVAL

    def publish(self) -> None:
        """Publish the present state; a probe that fails is watched no longer, and its error raised when all is published."""
        if self._exchange is None:
            return
        snapshot = self._exchange.writing
        snapshot.fill(self.data)
        failed = snapshot.take(self._probes, self.model, self.data)
        snapshot.forks = self.forks.publish(self.data)
        for stream in self._streams:
            stream.collect()
        snapshot.paused = self.paused
        snapshot.rate = self.clock.rate
        snapshot.measured = self.clock.measured
        snapshot.obeyed = self.obeyed
        snapshot.position = Position() if self.tape is None else self.tape.position(self.target)
        self._exchange.publish()
        self._published = self.now()
        for probe in failed:
            self.watch(probe, False)
        if failed:
            raise next(iter(failed.values()))
