"""Islands on several threads: the same bits as on one, whatever the solver, and whatever else happens meanwhile."""

import copy
import pickle
import threading
from functools import lru_cache
from time import monotonic

import numpy as np
import pytest

from tests.physics.island.scenes import BRICKS, STATISTICS, scene
from tumble import physics
from tumble.physics.island.island_overlay import COUNTS, DATA_RULES, INTEGER_STATISTICS, LANES, REAL_STATISTICS
from tumble.physics.parallel.pool import POOL
from tumble.physics.state.fields.scratch import SCRATCH
from tumble.physics.state.layout import DATA_LAYOUT

STEPS = 30
PATIENCE = 60.0  # for a worker to come where other programs have the processor [s]
SPARSE, DENSE = "sparse", "dense"
FIELDS = (
    "qpos", "qvel", "qacc", "qfrc_constraint", "efc_force", "efc_state", "efc_b", "iacc", "iefc_force",
    "solver_niter", "solver_nnz",
)  # fmt: skip
# The wall is first among small ones, and its arms and sliders have all kinds of rows.
MANY = ("box", "pair", "arm", "sliders") * 6


def xml(name: str, **options: str) -> str:
    text = scene(*MANY, **options)
    return text.replace('<body pos="1 0 ', BRICKS + '<body pos="1 0 ', 1) if name == "big" else text


def make(text: str, threads: int, **options: int) -> tuple[physics.MjModel, physics.MjData]:
    m = physics.MjModel.from_xml_string(text)
    m.tumble.threads = threads
    for option, value in options.items():
        setattr(m.opt, option, value)
    return m, physics.MjData(m)


def outcome(d: physics.MjData) -> dict[str, np.ndarray]:
    """What the solver has left, copied."""
    numbers = {name: getattr(d, name).copy() for name in FIELDS}
    return numbers | {name: getattr(d.solver, name).copy() for name in STATISTICS}


def assert_same(mine: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    for name, value in mine.items():
        if value.shape != other[name].shape or value.tobytes() != other[name].tobytes():  # numbers are slow
            np.testing.assert_array_equal(value, other[name], err_msg=name)


compiled = lru_cache(maxsize=1)(physics.MjModel.from_xml_string)


def trajectory(text: str, threads: int, steps: int = STEPS) -> list[dict[str, np.ndarray]]:
    m = compiled(text)
    m.tumble.threads = threads
    d, states = physics.MjData(m), []
    for _ in range(steps):
        physics.mj_step(m, d)
        states.append(outcome(d))
    return states


@pytest.mark.parametrize("name", ["many", "big"])
@pytest.mark.parametrize("jacobian", [DENSE, SPARSE])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_the_number_of_threads_changes_no_bit(solver: str, cone: str, jacobian: str, name: str) -> None:
    """After each step. Workers that never came would prove nothing: that some did is asked for too."""
    text = xml(name, solver=solver, cone=cone, jacobian=jacobian)
    steps = 10 if name == "big" else STEPS  # the wall touches from the first on
    alone, before = trajectory(text, 1, steps), POOL.joined
    end = monotonic() + PATIENCE
    while POOL.joined == before:
        assert monotonic() < end, "no worker came"
        for threads in (2, 3, 8):
            for mine, other in zip(trajectory(text, threads, steps), alone, strict=True):
                assert_same(mine, other)


def test_solver_scratch_arrays_belong_to_an_island_or_lane() -> None:
    """A new one that is forgotten would be shared by threads. solve_line lies by contacts, which islands do not share."""
    own = {*DATA_RULES[:, 0], *LANES[:, 0], DATA_LAYOUT.slot["efc_J"], DATA_LAYOUT.slot["efc_AR"], DATA_LAYOUT.slot["solve_line"]}
    working = [f.name for f in SCRATCH if f.shape != () and f.name.startswith(("solve_", "block_", "dual_"))]
    rows = [name for name in DATA_LAYOUT.fields if name.startswith(("efc_AR", "efc_J", "solverstat_", "solver_n"))]
    own |= {slot for table in (COUNTS, REAL_STATISTICS, INTEGER_STATISTICS) for slot in table[:, 0]}
    assert len(working) > 25
    assert [name for name in working + rows if DATA_LAYOUT.slot[name] not in own] == []


def test_lanes_are_used_where_there_is_work() -> None:
    m, d = make(xml("many"), 4)
    physics.mj_step(m, d)
    assert d.island_lanes == d.maxlane == 3
    few_m, few_d = make(scene("box", "box"), 4)
    physics.mj_step(few_m, few_d, 10)
    assert few_d.nisland == 2
    assert few_d.island_lanes == few_d.maxlane == 0


def test_the_islands_with_most_work_come_first() -> None:
    m, d = make(xml("big"), 2)
    physics.mj_step(m, d)
    order = d.island_order[: d.nisland]
    work = d.island_nefc * d.island_nv
    np.testing.assert_array_equal(np.sort(order), np.arange(d.nisland))
    assert work[order[0]] == work.max()
    assert (np.diff(np.frexp(work[order])[1]) <= 0).all()


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_the_number_of_threads_may_change_between_steps(solver: str) -> None:
    text = xml("big", solver=solver)
    m, d = make(text, 1)
    fixed_m, fixed_d = make(text, 1)
    for threads in (1, 3, 2, 1, 8, 8, 1, 2):
        m.tumble.threads = threads
        physics.mj_step(m, d, 5)
        physics.mj_step(fixed_m, fixed_d, 5)
        assert d.maxlane == threads - 1
        assert POOL.size >= threads - 1
        assert_same(outcome(d), outcome(fixed_d))


def test_fewer_threads_between_the_halves_of_a_step() -> None:
    text = xml("many")
    m, d = make(text, 4)
    fixed_m, fixed_d = make(text, 1)
    physics.mj_step(m, d, 3)
    physics.mj_step(fixed_m, fixed_d, 3)
    physics.mj_step1(m, d)
    m.tumble.threads = 1
    physics.mj_step2(m, d)
    physics.mj_step(fixed_m, fixed_d)
    assert_same(outcome(d), outcome(fixed_d))


def test_memory_comes_with_threads_and_goes() -> None:
    m, d = make(xml("many"), 1)
    physics.mj_step(m, d)
    least = d.nbytes
    m.tumble.threads = 4
    physics.mj_step(m, d)
    assert d.lane_H.shape == (3, d.maxH)
    assert d.nbytes > least
    m.tumble.threads = 1
    physics.mj_step(m, d)
    assert d.nbytes == least


@pytest.mark.parametrize("solver", ["Newton", "PGS"])
@pytest.mark.parametrize("jacobian", [DENSE, SPARSE])
def test_room_grows_in_the_middle(solver: str, jacobian: str) -> None:
    """Boxes that land one after the other: contacts, rows and matrices outgrow their capacities again and again."""
    falling = "".join(
        f'<body pos="{i % 8} {i // 8} {0.1 + 0.004 * i}" euler="{i} 20 5"><freejoint/><geom type="box" size=".1 .12 .1"/></body>'
        for i in range(48)
    )
    text = (
        f'<mujoco><option solver="{solver}" jacobian="{jacobian}"/><worldbody><geom type="plane" size="9 9 1"/>{falling}'
        "</worldbody></mujoco>"
    )
    m, d = make(text, 3)
    alone_m, alone_d = make(text, 1)
    start = d.maxcon
    for _ in range(12):
        physics.mj_step(m, d, 20)
        physics.mj_step(alone_m, alone_d, 20)
        assert_same(outcome(d), outcome(alone_d))
        if d.maxlane:
            assert d.lane_AR.shape == (2, d.maxA)
            assert d.lane_H.shape == (2, d.maxH)
    assert d.maxlane == 2
    assert d.maxcon > start


def test_two_data_are_stepped_at_once() -> None:
    """Of one model, and each with another number of threads, from two threads of Python."""
    text = xml("big")
    m, first = make(text, 3)
    other_m, second = make(text, 5)
    alone_m, alone_d = make(text, 1)
    third = physics.MjData(m)
    jobs = [(m, first), (other_m, second), (m, third)]
    threads = [threading.Thread(target=physics.mj_step, args=(*job, 200)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    physics.mj_step(alone_m, alone_d, 200)
    for _, d in jobs:
        assert_same(outcome(d), outcome(alone_d))


def test_copies_and_pickles_go_on_the_same() -> None:
    m, d = make(xml("big"), 3)
    physics.mj_step(m, d, 20)
    copies = [copy.deepcopy(d), pickle.loads(pickle.dumps(d)), physics.MjData(m)]
    physics.mj_copyData(copies[2], m, d)
    physics.mj_step(m, d, 20)
    for other in copies:
        assert other.maxlane == 2
        assert other.lane_data.shape == (2, len(other.island_data))
        physics.mj_step(other.model, other, 20)
        assert_same(outcome(d), outcome(other))


def test_data_of_fewer_threads_take_those_of_more() -> None:
    m, d = make(xml("many"), 4)
    physics.mj_step(m, d, 5)
    other = physics.MjData(m)
    physics.mj_copyData(d, m, other)
    assert d.lane_data.shape[0] == d.maxlane == 0
    physics.mj_step(m, d, 5)
    physics.mj_step(m, other, 5)
    assert_same(outcome(d), outcome(other))


def test_a_reset_keeps_the_lanes() -> None:
    m, d = make(xml("many"), 3)
    physics.mj_step(m, d, 30)
    first = physics.MjData(m)
    physics.mj_step(m, first, 30)
    physics.mj_resetData(m, d)
    assert d.maxlane == 2
    physics.mj_step(m, d, 30)
    assert_same(outcome(d), outcome(first))


@pytest.mark.parametrize("threads", [0, -1, 129])
def test_a_number_of_threads_that_cannot_be_is_told(threads: int) -> None:
    with pytest.raises(physics.ModelError, match=r"1 to 128"):
        make(scene("box"), threads)


def test_a_model_that_goes_back_to_one_thread_asks_for_no_worker() -> None:
    m, d = make(xml("many"), 2)
    physics.mj_step(m, d)
    assert POOL.is_used_by(m)
    m.tumble.threads = 1
    physics.mj_step(m, d)
    assert not POOL.is_used_by(m)
