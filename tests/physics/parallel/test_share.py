"""Jobs that several threads share: every piece is done once, workers come, sleep and end, nothing locks up."""

import ctypes
import gc
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from tumble.physics.kernel import Compiled
from tumble.physics.kernel.function import INT
from tumble.physics.parallel.atomic import add, address_of, load, relax, swap
from tumble.physics.parallel.pool import Pool
from tumble.physics.parallel.share import lane_work, share
from tumble.physics.state.memory import i8_at

PIECES = 500
TAKEN, HERE, FIRST = 0, 8, 16  # where the words of a job lie, in bytes; from FIRST on one for each piece


@lane_work
def count_pieces(m, d, lane):
    """Take pieces until none is left; count each, and the lane that came."""
    job = address_of(d)
    piece = add(job + TAKEN, 1)
    while piece < 500:
        add(job + FIRST + 8 * piece, 1)
        piece = add(job + TAKEN, 1)


@lane_work
def meet(m, d, lane):
    """Leave only when as many lanes have come as the model's first word says."""
    job = address_of(d)
    add(job + HERE, 1)
    while load(job + HERE) < load(address_of(m)):
        relax()


def callable_from_python(function):
    """A function of integers, compiled and called without Python's lock."""
    count = function.__code__.co_argcount
    made = Compiled(function, (INT,) * count)
    return lambda *arguments: ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * count)(made.address)(*arguments)


@callable_from_python
def drive(pool, function, m, d, lanes):
    share(pool, function, m, d, lanes)


@callable_from_python
def primitives(at, results):
    """Each of the atomic operations once; what it returned."""
    out = i8_at(results, 5)
    out[0] = add(at, 5)
    out[1] = load(at)
    out[2] = swap(at, 5, 9)
    out[3] = swap(at, 5, 1)
    out[4] = load(at)


@pytest.fixture
def pool():
    made = Pool()
    yield made
    made.close()


class User:
    """Something that can be referred to weakly."""


def alive() -> int:
    return sum(t.name == "tumble-island" for t in threading.enumerate())


def run_jobs(pool: Pool, count: int, lanes: int) -> None:
    for _ in range(count):
        job = np.zeros(PIECES + 2, np.int64)
        drive(pool.address, count_pieces.address, job.ctypes.data, job.ctypes.data, lanes)
        np.testing.assert_array_equal(job[2:], 1)


def test_words_change_in_one_piece() -> None:
    word, out = np.array([0]), np.zeros(5, np.int64)
    primitives(word.ctypes.data, out.ctypes.data)
    assert out.tolist() == [0, 5, 1, 0, 9]


def test_a_job_is_done_without_any_worker() -> None:
    run_jobs(Pool(), 10, 3)


@pytest.mark.parametrize("workers", [1, 3, 7])
def test_every_piece_is_done_once(pool: Pool, workers: int) -> None:
    pool.require(pool, workers)
    assert pool.size == workers
    run_jobs(pool, 2000, workers)


@pytest.mark.parametrize("lanes", [1, 2, 5])
def test_all_workers_come_awake_or_asleep(pool: Pool, lanes: int) -> None:
    """A job that ends only when all lanes have come: at once, and after a pause in which the workers fall asleep."""
    pool.require(pool, lanes)
    before = pool.joined
    for pause in (0.0, 0.0, 0.05, 0.0, 0.05):
        time.sleep(pause)
        model, job = np.array([lanes + 1]), np.zeros(2, np.int64)
        drive(pool.address, meet.address, model.ctypes.data, job.ctypes.data, lanes)
        assert job[1] == lanes + 1
    assert pool.joined == before + 5 * lanes


def test_no_more_workers_join_than_there_are_lanes(pool: Pool) -> None:
    pool.require(pool, 5)
    before = pool.joined
    run_jobs(pool, 300, 2)
    assert pool.joined <= before + 600


def test_an_idle_worker_uses_no_time(pool: Pool) -> None:
    """The processor time of the whole process over half a second in which three workers have nothing to do."""
    pool.require(pool, 3)
    run_jobs(pool, 10, 3)
    time.sleep(0.1)
    start = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - start < 0.05


def test_two_threads_offer_jobs_at_once(pool: Pool) -> None:
    """One of them owns the pool, the other works alone meanwhile: all pieces are done either way."""
    pool.require(pool, 2)
    failed = []

    def offer() -> None:
        try:
            run_jobs(pool, 500, 2)
        except AssertionError as error:
            failed.append(error)

    threads = [threading.Thread(target=offer) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_the_one_that_wants_most_decides(pool: Pool) -> None:
    few, many = User(), User()
    pool.require(few, 2)
    pool.require(many, 5)
    assert pool.size == 5
    pool.require(few, 1)
    assert pool.size == 5
    del many
    gc.collect()
    assert pool.size == 0  # those of before are about to end; who still wants some asks for them
    pool.require(few, 1)
    assert pool.size == 1
    pool.require(few, 0)
    assert pool.size == 0
    assert not pool.is_used_by(few)


def test_a_thousand_beginnings_and_ends_leave_nothing(pool: Pool) -> None:
    before = alive()
    for k in range(1000):
        pool.require(pool, k % 4)
        if k % 50 == 0:
            run_jobs(pool, 1, 3)
    pool.require(pool, 0)
    assert alive() == before


def test_more_and_fewer_workers_in_turn_never_lock_up(pool: Pool) -> None:
    """A new worker that lies down must not take the post that wakes an old one to its end."""
    user = User()

    def change() -> None:
        for _ in range(200):
            pool.require(user, 7)
            pool.require(user, 2)

    changing = threading.Thread(target=change, daemon=True)
    changing.start()
    changing.join(60.0)
    assert not changing.is_alive()
    assert pool.size == 2


def test_a_closed_pool_starts_nothing(pool: Pool) -> None:
    pool.require(pool, 2)
    pool.close()
    before = alive()
    pool.require(pool, 4)
    assert alive() == before
    run_jobs(pool, 5, 4)


def test_too_few_threads_are_told_and_do(pool: Pool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    pool.require(pool, 2)
    assert pool.size == 0
    assert "no more than 0 worker threads" in caplog.text
    run_jobs(pool, 5, 2)


SCRIPT = """
import os, sys
from tumble import physics
from tumble.physics.parallel.pool import POOL
from tests.physics.island.scenes import scene

m = physics.MjModel.from_xml_string(scene(*["box"] * 20))
m.tumble.threads = 3
d = physics.MjData(m)
physics.mj_step(m, d, 5)
assert POOL.size == 2
"""
FORK = """
child = os.fork()
if child == 0:
    assert POOL.size == 0
physics.mj_step(m, d, 100)
assert POOL.size == 2
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
WHILE_STEPPING = """
import threading
def endless():
    while True:
        physics.mj_step(m, d, 100)
threading.Thread(target=endless, daemon=True).start()
physics.mj_step(m, physics.MjData(m), 50)
"""


NO_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@pytest.mark.parametrize(
    "more", [pytest.param("", id="idle"), pytest.param(WHILE_STEPPING, id="busy"), pytest.param(FORK, id="fork", marks=NO_FORK)]
)
def test_the_interpreter_ends_with_living_workers(more: str) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT + more], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
