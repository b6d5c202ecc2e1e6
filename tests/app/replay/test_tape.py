"""The tape: every moment again to the last bit, in bounded memory, whole for other threads; other futures of the past."""

from __future__ import annotations

import sys
import threading
from itertools import count
from queue import Queue

import numpy as np
import pytest
from msgspec.structs import replace

from tests.app.replay.test_replay import disturb, edit, play, state, write_heap
from tumble import physics
from tumble.app.library.examples import EXAMPLES
from tumble.app.replay.bundle import Bundle
from tumble.app.replay.replay_file import Player, Replay
from tumble.app.replay.tape import KEY_SECONDS, Tape
from tumble.app.replay.timeline import Timeline
from tumble.app.session.loader import read_compiled
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import CutTape, DropBranch, Go, LeaveFuture, Reset, ReturnTo, SetCtrl, SetModel
from tumble.app.simulation.hooks import DriverSlot
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange

STEPS = 3200


def simulated(model, timeline=None):
    """A simulation of a model that runs, or plays a timeline, and its live data."""
    sim, data = Simulation(), physics.MjData(model)
    sim.adopt(model, data, Exchange(data), tape=None if timeline is None else Tape.of(timeline, model, data))
    sim.set_paused(False)
    return sim, data


class Run:
    """A restless simulation, and what it was at every position: the bits of its state, two numbers of the model."""

    def __init__(self, folder, sleep):
        self.compiled = read_compiled(write_heap(folder, sleep))
        self.model = self.compiled.model
        self.sim, self.data = simulated(self.model)
        rng = np.random.default_rng(3)
        self.was = []
        for k in range(STEPS):
            self.sim.touch()
            disturb(self.sim, rng, k)
            self.was.append(self.now())
            self.sim.step(1)
        self.was.append(self.now())

    @property
    def tape(self):
        assert self.sim.tape is not None
        return self.sim.tape

    def now(self):
        asleep = np.array(self.data.tree_asleep).tobytes()
        return state(self.model, self.data), asleep, float(self.model.geom_friction[0, 0]), int(self.model.opt.solver)


@pytest.fixture(params=["disable", "enable"])
def run(tmp_path, request):
    return Run(tmp_path / "model", request.param)


def test_every_moment_and_part_comes_again_bit_for_bit(run):
    assert len({was[2] for was in run.was}) > 2  # the model was changed on the way
    rng = np.random.default_rng(0)
    for position in [STEPS, 0, 1, STEPS - 1, *rng.integers(0, STEPS, 40).tolist(), STEPS]:
        run.tape.go(position)
        assert run.tape.now == position
        assert run.now() == run.was[position]
        assert run.tape.end == STEPS
    assert run.tape.strayed == 0
    found = []
    CutTape(found.append, seconds=2.0).apply(run.sim)
    line = found[0].timeline
    assert found[0].begin == STEPS - line.steps
    assert 500 <= line.steps <= 500 + KEY_SECONDS / 0.004
    player = play(Replay(run.compiled.bundle, line))
    assert state(player.model, player.data) == run.was[STEPS][0]
    assert player.model.geom_friction[0, 0] == run.was[STEPS][2]
    run.sim.back(400)  # and so it is wherever the simulation stands
    CutTape(found.append, seconds=2.0).apply(run.sim)
    player = play(Replay(run.compiled.bundle, found[1].timeline))
    assert state(player.model, player.data) == run.was[STEPS][0]
    run.tape.go(STEPS)
    run.sim.back(700)
    assert run.sim.paused
    run.sim.set_paused(False)
    for position in range(STEPS - 699, STEPS + 1):
        assert run.sim.step(1) == 1
        assert run.now() == run.was[position]
    assert run.tape.checked > 10
    assert run.tape.strayed == 0
    assert run.sim.step(10) == 10
    assert run.tape.now == run.tape.end == STEPS + 10


def test_who_changes_something_in_the_past_begins_another_future(run):
    run.sim.back(1000)
    run.sim.touch()
    SetCtrl(0, 0.123).apply(run.sim)
    run.sim.step(1)
    assert run.tape.end == STEPS - 999
    run.sim.step(500)
    after = run.now()
    run.tape.go(100)
    assert run.now() == run.was[100]
    run.tape.go(run.tape.end)
    assert run.now() == after
    assert run.data.ctrl[0] == 0.123


def test_an_edit_of_the_model_in_the_past_counts_from_there_on(run):
    run.sim.back(1500)
    run.sim.touch()
    edit(run.sim, "geom_friction", 0, (0.77, 0.005, 0.0001))
    run.sim.step(200)
    run.tape.go(STEPS - 1501)
    assert run.model.geom_friction[0, 0] == run.was[STEPS - 1501][2] != 0.77
    run.tape.go(STEPS - 1400)
    assert run.model.geom_friction[0, 0] == 0.77


def test_unstepped_inputs_survive_seeking(run):
    run.sim.touch()
    SetCtrl(1, 0.5).apply(run.sim)
    run.sim.go(10)
    run.tape.go(STEPS)
    assert run.data.ctrl[1] == 0.5
    Reset().apply(run.sim)  # nobody said so before: as the state is compared only where it was held
    run.sim.touch()
    SetCtrl(1, -0.25).apply(run.sim)
    run.tape.go(5)
    run.tape.go(STEPS)
    assert run.data.ctrl[1] == -0.25


def test_long_seek_is_split_and_interruptible(tmp_path):
    compiled = read_compiled(write_heap(tmp_path / "model"))
    data = physics.MjData(compiled.model)
    clock = count(step=0.004)  # every look at it is later
    sim = Simulation(now=lambda: float(next(clock)))
    sim.adopt(compiled.model, data, Exchange(data), tape=Tape(compiled.model, data, between=10_000))
    sim.step(2000)
    last = state(compiled.model, data)
    Go(0).apply(sim)
    sim.advance()
    Go(2000).apply(sim)
    for _ in range(3):
        assert sim.advance() == 0.0
        assert 0 < sim.tape.now < 2000
        assert sim.target == 2000
    sim.touch()
    while sim.advance() is not None:
        pass
    assert state(compiled.model, data) == last
    Go(0).apply(sim)
    sim.advance()
    Go(2000).apply(sim)
    sim.advance()
    sim.touch()
    SetCtrl(0, 1.0).apply(sim)  # it stays where it is: this is another future
    while sim.advance() is not None:
        pass
    assert sim.target is None
    assert sim.tape.now == sim.tape.end < 200


def test_memory_is_bounded_and_what_is_kept_can_be_reached(tmp_path):
    run = Run(tmp_path / "model", "disable")
    size = run.tape.position().nbytes
    assert run.tape.first == 0
    run.sim.limit_history(size // 4)
    first = run.tape.first
    assert STEPS / 2 < first < STEPS
    assert run.tape.position().nbytes <= size // 4
    for position in (0, first, first + 1, STEPS - 3):
        run.tape.go(position)
        assert run.tape.now == max(first, position)
        assert run.now() == run.was[max(first, position)]
    run.tape.go(STEPS)
    rng = np.random.default_rng(4)
    for k in range(1500):
        run.sim.touch()
        disturb(run.sim, rng, k)
        run.sim.step(1)
        assert run.tape.position().nbytes <= size // 4
    player = play(Replay(run.compiled.bundle, run.tape.timeline()))
    assert state(player.model, player.data) == state(run.model, run.data)


def test_a_driver_is_heard_in_new_steps_only(tmp_path):
    class Counter:
        calls = 0

        def begin(self, model, data): ...

        def write_inputs(self, model, data):
            self.calls += 1
            data.ctrl[0] = 0.01 * self.calls

        def end(self): ...

    compiled = read_compiled(write_heap(tmp_path / "model"))
    (sim, data), driver = simulated(compiled.model), Counter()
    sim.set_driver(DriverSlot.CONTROLLER, driver)
    sim.step(300)
    last = state(compiled.model, data)
    sim.back(200)
    assert data.ctrl[0] == pytest.approx(0.01 * 100, abs=0.011)
    sim.step(200)
    assert driver.calls == 300
    assert state(compiled.model, data) == last
    sim.step(1)
    assert driver.calls == 301


def test_going_on_from_the_past_takes_another_course(run):
    run.sim.back(300)
    LeaveFuture().apply(run.sim)
    assert run.tape.now == run.tape.end == STEPS - 300
    assert run.now() == run.was[STEPS - 300]
    run.sim.step(300)  # nothing is done to it this time
    assert run.now() != run.was[STEPS]


def test_tape_branches_are_restored_exactly_both_ways(run):
    """Left three times: by going on, by an input, by an edit of the model; each of the four courses is then met again."""
    tape, rng, ends = run.tape, np.random.default_rng(9), {0: run.now()}
    for position, steps in ((2000, 400), (2200, 300), (700, 500)):
        tape.go(position)
        LeaveFuture().apply(run.sim)
        for k in range(steps):
            run.sim.touch()
            disturb(run.sim, rng, k)
            run.sim.step(1)
        ends[tape.position().course] = run.now()
    parts = {branch.number: (branch.fork, branch.end) for branch in tape.position().branches}
    assert parts == {0: (700, STEPS), 1: (700, 2400), 2: (700, 2500)}
    for number in (0, 2, 1, 3, 1, 0):
        ReturnTo(number).apply(run.sim)
        while run.sim.target is not None:
            run.sim.advance()
        assert tape.position().course == number
        assert run.now() == ends[number]
        ends[number] = run.now()
        assert {branch.number for branch in tape.position().branches} == {0, 1, 2, 3} - {number}
    for position in (650, 705, 1999, 2300, STEPS - 1, 10):
        tape.go(position)
        assert run.now() == run.was[position]
    assert tape.strayed == 0
    assert {branch.number: branch.fork for branch in tape.position().branches} == {1: 2000, 2: 2000, 3: 700}


def test_an_edit_where_a_branch_was_left_is_no_part_of_it(tmp_path):
    run = Run(tmp_path / "model", "enable")
    run.sim.back(1500)
    run.sim.touch()
    edit(run.sim, "geom_friction", 0, (0.77, 0.005, 0.0001))
    run.sim.step(200)
    after = run.now()
    ReturnTo(0).apply(run.sim)
    run.tape.go(STEPS - 1500)
    assert run.now() == run.was[STEPS - 1500]
    run.tape.go(STEPS)
    assert run.now() == run.was[STEPS]
    ReturnTo(1).apply(run.sim)
    run.tape.go(STEPS - 1300)
    assert run.now() == after


def test_full_tape_memory_drops_the_oldest_branch_first(tmp_path):
    run = Run(tmp_path / "model", "disable")
    size = run.tape.position().nbytes
    run.sim.limit_history(round(1.3 * size))
    for _ in range(2):
        run.sim.back(800)
        LeaveFuture().apply(run.sim)
        assert run.tape.position().nbytes == pytest.approx(size, rel=0.1)  # what is common counts once
        run.sim.step(100)
    assert [branch.number for branch in run.tape.position().branches] == [0, 1]
    while len(run.tape.position().branches) == 2:
        run.sim.step(100)
    assert [branch.number for branch in run.tape.position().branches] == [1]
    run.sim.step(3 * STEPS)
    assert run.tape.position().nbytes <= 1.3 * size
    ReturnTo(0).apply(run.sim)  # it is no more: nothing happens
    assert run.tape.position().course == 2
    DropBranch(1).apply(run.sim)
    assert run.tape.position().branches == ()


def test_a_replay_stops_where_it_ends_and_then_goes_on_live(tmp_path):
    run = Run(tmp_path / "model", "enable")
    replay = Replay(run.compiled.bundle, run.tape.timeline())
    player = Player(replay)
    sim, data = simulated(player.model, replay.timeline)
    assert sim.step(10_000) == STEPS
    assert sim.paused
    assert state(player.model, data) == run.was[STEPS][0]
    sim.set_paused(False)
    assert sim.step(5) == 5
    assert sim.tape.end == STEPS + 5


def test_replay_left_midway_continues_as_a_simulation(tmp_path):
    run = Run(tmp_path / "model", "disable")
    sim, _ = simulated(run.model, run.tape.timeline())
    sim.step(500)
    LeaveFuture().apply(sim)
    assert sim.step(300) == 300
    assert not sim.paused


def test_partial_replay_is_saved_with_later_model_changes(tmp_path):
    run = Run(tmp_path / "model", "enable")
    replay = Replay(run.compiled.bundle, run.tape.timeline())
    player = Player(replay)
    sim, _ = simulated(player.model, replay.timeline)
    sim.step(1)
    again = Player(Replay(run.compiled.bundle, sim.tape.timeline()))
    while again.ready():
        again.step()
    assert state(again.model, again.data) == run.was[STEPS][0]


def test_nothing_is_read_while_nobody_touches_it(tmp_path, monkeypatch):
    path = next(e.path for e in EXAMPLES if e.path.stem == "slope")
    model = physics.MjModel.from_xml_path(str(path))
    sim, _ = simulated(model)
    reads = []
    read = sim.tape._reader.read
    monkeypatch.setattr(sim.tape._reader, "read", lambda: reads.append(1) or read())
    between = sim.tape._between
    for _ in range(4 * between):
        sim.step(1)
    assert len(reads) == 4  # a key each
    SetModel(Change("opt.timestep", None, (0.001,))).apply(sim)
    sim.step(1)
    assert len(reads) == 6


MODEL = """<mujoco><option timestep="0.01"/><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .3"><joint name="a" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
  <body pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></body>
  </worldbody><actuator><motor joint="a"/><motor joint="b"/></actuator></mujoco>"""
ROUNDS, BETWEEN_CUTS = 60, 12  # cuts, and steps between two of them
MEMORY = 20_000  # bytes of the tape: what is first on it goes all the time


class SharedTape(Tape):
    """A tape that is wrong: what it has cut before is written over."""

    _cut: Timeline | None = None

    def timeline(self, begin=0):
        """As a tape, but for the memory."""
        result = super().timeline(begin)
        if self._cut is None or self._cut.jump_values.shape != result.jump_values.shape:
            self._cut = result
        np.copyto(self._cut.jump_values, result.jump_values)
        return replace(result, jump_values=self._cut.jump_values)


def torn(kind):
    """How many cuts do not lead where the simulation went, and of how many, played by one thread while another steps."""
    model = Bundle("m.xml", MODEL.encode(), {}).compile()
    cuts = Queue()
    seen = []

    def simulate():
        rng, data = np.random.default_rng(1), physics.MjData(model)
        tape = kind(model, data, MEMORY)
        for _ in range(ROUNDS):
            for _ in range(BETWEEN_CUTS):
                tape.hold()
                data.ctrl = rng.normal(size=2)
                if rng.random() < 0.1:
                    data.qpos = rng.normal(size=2)
                tape.note()
                physics.mj_step(model, data)
                tape.took(1)
            cuts.put((tape.timeline(tape.now - 2 * BETWEEN_CUTS), np.concatenate((data.qpos, data.qvel))))
        cuts.put(None)

    def play():
        while (item := cuts.get()) is not None:
            cut, expected = item
            data = physics.MjData(model)
            tape = Tape.of(cut, model, data)
            while tape.now < tape.end:
                physics.mj_step(model, data)
                tape.followed(1)
            seen.append(bool(tape.strayed) or not np.array_equal(np.concatenate((data.qpos, data.qvel)), expected))

    threads = [threading.Thread(target=work) for work in (simulate, play)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        sys.setswitchinterval(interval)
    return sum(seen), len(seen)


@pytest.mark.parametrize("kind", [Tape, SharedTape])
def test_timeline_copy_is_consistent_during_recording(kind):
    wrong, number = torn(kind)
    assert number == ROUNDS
    assert wrong == 0 if kind is Tape else wrong > 0  # a torn one would be seen


@pytest.mark.parametrize("forward", [False, True], ids=["the last step's", "those of the present state"])
def test_a_solve_recorded_while_paused_leaves_the_results_that_stand(forward):
    model = read_compiled(next(e.path for e in EXAMPLES if e.path.stem == "dominoes")).model
    sim, data = simulated(model)
    sim.step(300)
    sim.set_paused(True)
    if forward:
        physics.mj_forward(model, data)
    solved = {name: getattr(data, name).copy() for name in ("qpos", "qacc", "qacc_warmstart", "qfrc_constraint", "efc_force")}
    contacts = data.contact.geom.copy()
    sim.record(True)
    assert len(physics.read_record(model, data)) > 0
    assert np.array_equal(data.contact.geom, contacts)
    for name, values in solved.items():
        assert np.array_equal(getattr(data, name), values), name
    assert sim.tape is not None
    assert (sim.tape.now, sim.tape.strayed) == (300, 0)
