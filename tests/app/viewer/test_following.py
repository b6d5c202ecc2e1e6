"""Following another program's simulation: its states are shown exactly, and its past can be gone through."""

from __future__ import annotations

from collections import deque

import numpy as np

from tumble import physics
from tumble.app.replay.state import Reader, State
from tumble.app.replay.tape import Tape
from tumble.app.simulation.snapshot import Exchange
from tumble.app.viewer.following import Follow, FollowingSimulation
from tumble.app.viewer.moments import GEOM, SharedMoment
from tumble.physics import MjData, MjModel
from tumble.physics.observe.tap import see

XML = """<mujoco><option timestep="0.01"/><worldbody><geom type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody>
  <actuator><motor joint="free" gear="0 0 1 0 0 0"/></actuator></mujoco>""".replace("<freejoint/>", "<freejoint name='free'/>")


class Source:
    """A feed whose moments a test gives."""

    def __init__(self) -> None:
        self.sent = 0
        self.moments: deque[SharedMoment] = deque()

    def newest(self) -> SharedMoment | None:
        return self.moments.pop() if self.moments else None


class Case:
    """A simulation here that follows one there; wall: the time that passes here [s]."""

    def __init__(self) -> None:
        self.there = physics.MjModel.from_xml_string(XML)
        self.data = physics.MjData(self.there)
        self.reader, self.source, self.wall = Reader(self.there, self.data), Source(), 0.0
        self.sim = FollowingSimulation(now=lambda: self.wall)
        model = physics.MjModel.from_xml_string(XML)
        here = physics.MjData(model)
        self.exchange = Exchange(here)
        self.sim.adopt(model, here, self.exchange)
        self.sim.set_paused(False)
        Follow(self.source).apply(self.sim)

    def step(self, count: int) -> State:
        """Steps there, of which the last moment arrives."""
        physics.mj_step(self.there, self.data, count)
        state = self.reader.read()
        self.arrive(state)
        return state

    def arrive(self, state: State, obeyed: int = 0) -> None:
        self.source.moments.append(SharedMoment(state, np.zeros((2, 8), np.int64), obeyed, np.zeros(0, GEOM)))
        self.wall += 0.1
        self.sim.advance()

    def here(self) -> tuple[MjModel, MjData]:
        return self.sim.model, self.sim.data


def test_a_moment_is_shown_bit_for_bit_with_all_its_results() -> None:
    case = Case()
    case.step(1)
    state = case.step(60)  # it lies on the floor
    _, d = case.here()
    assert d.qpos.tobytes() == case.data.qpos.tobytes()
    assert Reader(*case.here()).read().values.tobytes() == state.values.tobytes()
    assert d.ncon == 1
    snapshot, fresh = case.exchange.read()
    assert fresh
    assert snapshot.time == case.data.time
    assert snapshot.ncon == 1


def test_followed_steps_are_tape_positions_and_seek_exactly() -> None:
    case = Case()
    case.step(1)
    states = {1 + case.sim.tape.now - 1: case.reader.read()}
    for count in (5, 7, 1):
        state = case.step(count)
        states[case.sim.tape.now] = state
    assert sorted(states)[1:] == [5, 12, 13]  # the first is where the record begins
    for position in (5, 12, 13, 5):
        case.sim.go(position)
        while case.sim.target is not None:
            case.sim.advance()
        assert Reader(*case.here()).read().values.tobytes() == states[position].values.tobytes()
    case.sim.set_paused(False)
    case.step(3)  # the other program went on meanwhile: what is shown is its present
    assert case.sim.tape.now == case.sim.tape.end == 16
    assert case.here()[1].time == case.data.time


def test_a_pause_here_holds_the_picture_only() -> None:
    case = Case()
    case.step(1)
    case.sim.set_paused(True)
    before = case.here()[1].time
    case.step(10)
    assert case.here()[1].time == before
    case.sim.set_paused(False)
    case.step(1)
    assert case.here()[1].time == case.data.time


def test_change_without_time_replaces_the_state_at_its_position() -> None:
    case = Case()
    case.step(1)
    now = case.sim.tape.now
    case.data.qpos[0] = 0.5  # as by a script that only moves a model
    case.arrive(case.reader.read())
    assert case.sim.tape.now == now
    assert case.here()[1].qpos[0] == 0.5
    physics.mj_resetData(case.there, case.data)
    case.arrive(case.reader.read())  # back in time is a step on the tape
    assert case.sim.tape.now == now + 1
    assert case.here()[1].time == 0.0


def test_a_control_set_here_stays_until_the_other_program_has_it() -> None:
    case = Case()
    case.step(1)
    case.source.sent = 1
    case.here()[1].ctrl[0] = 2.0
    case.step(1)
    assert case.here()[1].ctrl[0] == 2.0
    case.data.ctrl[0] = 2.0
    case.arrive(case.reader.read(), obeyed=1)
    case.data.ctrl[0] = 3.0
    case.arrive(case.reader.read(), obeyed=1)
    assert case.here()[1].ctrl[0] == 3.0


def test_taps_look_at_every_moment() -> None:
    from tumble.physics.observe.sample import SignalTap

    case = Case()
    _, data = case.here()
    tap = SignalTap(data, [("qpos", 2)], 100)
    tap.attach()
    case.step(1)
    case.step(1)
    see(data)
    assert tap.count == 3
    tap.detach()


def test_breakpoint_pauses_the_follower_at_its_moment() -> None:
    class Touching:
        def begin(self, tape: Tape) -> None:
            self.tape = tape

        def before_step(self, model: MjModel, data: MjData) -> None:
            pass

        def after_step(self, model: MjModel, data: MjData) -> bool:
            return bool(data.ncon > 0)

    case = Case()
    case.sim.monitor_steps(Touching())
    case.step(1)
    assert not case.sim.paused
    case.step(60)
    assert case.sim.paused
    assert case.here()[1].ncon == 1
