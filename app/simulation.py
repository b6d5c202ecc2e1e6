"""The running simulation: the live model and data, and the clock that ties them to real time."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import physics
from app.carry import Correspondence
from app.clock import Clock
from app.drive import Driver, Slot
from app.feed import Feed
from app.fork_runner import ForkRunner
from app.monitor import StepMonitor
from app.perturb import Grip, move_free, move_mocap, spring_wrench
from app.probe import Probe
from app.snapshot import Exchange

# Least wall time between two published snapshots [s]: twice a frame of a 60 Hz display.
PUBLISH_INTERVAL = 1 / 125


class Simulation:
    """Owns MjModel and MjData; one thread calls every method."""

    def __init__(self, clock: Clock | None = None, now: Callable[[], float] = perf_counter) -> None:
        self.clock = clock or Clock()
        self.model: Any = None
        self.data: Any = None
        self.paused = True
        self.obeyed = 0  # commands carried out so far
        self._now = now
        self._exchange: Exchange | None = None
        self._grip: Grip | None = None
        self._probes: list[Probe] = []
        self._feeds: list[Feed[Any]] = []
        self._monitor: StepMonitor | None = None
        self.forks = ForkRunner()
        self._drivers: dict[Slot, Driver] = {}
        self._recording = False
        self._again: physics.Again | None = None
        self._published = -1.0

    def adopt(self, model: Any, data: Any, exchange: Exchange, kept: Correspondence | None = None) -> None:
        """Run another model; kept: the one before read again, whose state goes on."""
        if kept is not None:
            self.hold(None)
            kept.carry(self.data, data)
            physics.mj_forward(model, data)
        for feed in [*self._feeds]:
            self.unsample(feed)
        self._monitor = None
        self.forks.clear()
        self._drivers = {}
        self.model, self.data, self._exchange = model, data, exchange
        self.record(self._recording)
        self._grip = None
        self.clock.stop()
        self.clock.forget_cost()

    def set_paused(self, paused: bool) -> None:
        """Stop or continue; the time that stood still is not owed."""
        if paused != self.paused:
            self.paused = paused
            self.clock.stop()

    def watch(self, probe: Probe) -> None:
        """Have a probe taken at every publication."""
        if probe not in self._probes:
            self._probes.append(probe)

    def unwatch(self, probe: Probe) -> None:
        """No longer take a probe."""
        if probe in self._probes:
            self._probes.remove(probe)

    def sample(self, feed: Feed[Any]) -> None:
        """Have every step looked at by a feed, which is of this model."""
        if self.data is not None:
            feed.begin(self.data)
            self._feeds.append(feed)

    def unsample(self, feed: Feed[Any]) -> None:
        """No longer have it look."""
        if feed in self._feeds:
            self._feeds.remove(feed)
            feed.end()

    def guard(self, monitor: StepMonitor | None) -> None:
        """Have every step looked at; None: no longer."""
        self._monitor = monitor

    def drive(self, slot: Slot, driver: Driver | None) -> None:
        """Have inputs written before every step; None: no longer."""
        others = {s: d for s, d in self._drivers.items() if s != slot}
        if driver is not None:
            others[slot] = driver
            driver.begin(self.model, self.data)
        self._drivers = dict(sorted(others.items()))

    def record(self, wanted: bool) -> None:
        """Have every solve recorded, of whichever model runs, or no longer."""
        self._recording, self._again = wanted, None
        if self.data is None:
            return
        if not wanted:
            physics.stop_recording(self.data)
        elif not physics.is_recording(self.data):
            physics.start_recording(self.data)
            if self.paused:
                physics.mj_forward(self.model, self.data)  # the step that stands was not recorded

    def solve_again(self, settings: physics.Settings) -> physics.Solved:
        """Solve the last step again with other settings, beside the data; raises PhysicsError for what cannot be."""
        if self.data is None:
            raise physics.ModelError("there is no model whose step could be solved again")
        if self._again is None:
            self._again = physics.Again(self.model)
        return self._again.solve(self.data, **settings)

    def back(self, count: int) -> None:
        """Stop, and go back so many steps, as far as the monitor has kept them."""
        self.set_paused(True)
        if self._monitor is not None:
            self._monitor.back(self.model, self.data, count)

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
        moved = move_mocap(self.model, self.data, grip)
        if self.paused and (moved or move_free(self.model, self.data, grip)):
            physics.mj_forward(self.model, self.data)

    def step(self, count: int) -> int:
        """Take steps; how many were taken.

        The spring of a held body acts anew in each, drivers write their inputs, forks go along, a monitor sees each and may stop.
        """
        if self._grip is None and self._monitor is None and not self.forks and not self._drivers:
            physics.mj_step(self.model, self.data, count)
            return count
        for done in range(1, count + 1):
            if self._grip is not None and not move_mocap(self.model, self.data, self._grip):
                self.data.xfrc_applied[self._grip.body] = spring_wrench(self.model, self.data, self._grip)
            for driver in self._drivers.values():
                driver.drive(self.model, self.data)
            if self._monitor is not None:
                self._monitor.before_step(self.model, self.data)
            if self.forks:
                self.forks.before_step(self.data)
            physics.mj_step(self.model, self.data)
            if self.forks:
                self.forks.after_step(self.model, self.data)
            if self._monitor is not None and self._monitor.after_step(self.model, self.data):
                self.set_paused(True)
                return done
        return count

    def advance(self) -> float | None:
        """Take the steps that are due and publish; the wall time until more are due [s], None: not until a command."""
        if self.model is None or self.paused:
            return None
        timestep = float(self.model.opt.timestep)
        start = self._now()
        count = self.clock.due(start, timestep)
        if count:
            count = self.step(count)
            end = self._now()
            self.clock.done(end, count, timestep, end - start)
            if self.paused or end - self._published >= self._interval():
                self.publish()
        return self.clock.wait(timestep)

    def _interval(self) -> float:
        """Wall time between two snapshots [s]: half of that between two looks, for what nobody sees takes time from the steps."""
        return max(PUBLISH_INTERVAL, 0.5 * self._exchange.pace) if self._exchange is not None else PUBLISH_INTERVAL

    def publish(self) -> None:
        """Show the present state to the others."""
        if self._exchange is None:
            return
        snapshot = self._exchange.writing
        snapshot.fill(self.data)
        snapshot.take(self._probes, self.model, self.data)
        snapshot.forks = self.forks.publish(self.data)
        for feed in self._feeds:
            feed.collect()
        snapshot.paused = self.paused
        snapshot.rate = self.clock.rate
        snapshot.measured = self.clock.measured
        snapshot.obeyed = self.obeyed
        self._exchange.publish()
        self._published = self._now()
