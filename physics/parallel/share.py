"""A job that several threads share, as kernels see it: one thread offers it, others join, and latecomers are not waited for.

A *job* is a function of (m, d, lane) that takes pieces of work until none is left. A *lane* is a place with working memory
of its own. The thread that steps offers the job with so many lanes, does it itself in lane 0, then closes it and waits for
those that are still inside. It never waits for a thread to come: without any worker the job is done all the same, and
where another thread has offered one already, it is done alone. So nothing can lock up, and little is lost where cores are busy.

All goes through one word, the gate: how many are inside, how many lanes are left, whether it is open, and the number of
the job, so that no thread joins the same job twice or a later one by mistake:

    offer   gate <- number + 1, open, all lanes left       only the owner, while it is closed and no thread inside
    join    lanes left - 1, inside + 1                     in one piece, only if it is open and lanes are left
    leave   inside - 1                                     the last one after the closing posts `done`
    close   not open                                       if a thread is inside, the owner then waits for `done`

What the owner wrote before it offered, workers see when they have joined; what they wrote before they left, it sees after
it has waited. Workers look for a job for some microseconds and then sleep: they count themselves as sleepers, look once
more, and wait. A thread that wakes one counts it off first, so that there is exactly one post for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tumble.physics.kernel import Compiled, kernel
from tumble.physics.kernel.function import INT, D, M
from tumble.physics.parallel.atomic import add, ask_system, load, relax, run_lane, store, swap
from tumble.physics.parallel.semaphore import FOREVER, ONE

# Where the words of a pool lie, in bytes. Those that different threads write are 128 bytes apart: processors fetch
# cache lines of 64 in pairs.
LOCK = 0  # 1: a thread owns the pool
GATE = 128
SLEEPERS = 256  # workers that wait to be woken, or are about to
JOINED = 384  # how often a worker has joined a job
FLOOR = 512  # workers with a lower serial number have to end
MADE = 520  # workers that were asked for
WORK, JOB_M, JOB_D = 640, 648, 656  # the job; written by the owner while the gate is closed
WAIT, POST, BELL, DONE = 768, 776, 784, 792  # functions and handles of semaphores; constant while there are workers
SIZE = 896

INSIDE, LEFT, OPEN, NUMBER = 1, 1 << 12, 1 << 24, 1 << 25  # the parts of the gate, by the unit of each
PART = 0xFFF  # of the first two

# Looks for work before a worker sleeps, and for the end of a job before its owner does. Each takes 10 to 50 ns: that is
# about as long as it takes to be woken, and most steps come back within it.
PATIENCE = 1000


def lane_work(function: Callable[..., Any]) -> Compiled:
    """A function of (m, d, lane), compiled on its own: what a job runs."""
    return Compiled(function, (M, D, INT))


@kernel
def wait(pool, semaphore):
    """Wait for a post; a signal to the process may end the system's wait too early."""
    while ask_system(load(pool + WAIT), load(pool + semaphore), FOREVER) != 0:
        pass


@kernel
def post(pool, semaphore):
    """Release one waiting thread, now or as soon as it waits."""
    ask_system(load(pool + POST), load(pool + semaphore), ONE)


@kernel
def take_sleeper(pool):
    """Count one sleeper off; false if there is none."""
    count = load(pool + SLEEPERS)
    while count > 0:
        if swap(pool + SLEEPERS, count, count - 1):
            return True
        count = load(pool + SLEEPERS)
    return False


@kernel
def wake(pool):
    """Wake two sleepers, if lanes are left: each will wake two more, so that no thread has to wake all."""
    for _ in range(2):
        if (load(pool + GATE) // LEFT) & PART == 0 or not take_sleeper(pool):
            return
        post(pool, BELL)


@kernel
def has_job(pool, seen):
    """True if a job is open that has lanes left and is not the one with the number `seen`."""
    gate = load(pool + GATE)
    return gate & OPEN != 0 and (gate // LEFT) & PART != 0 and gate // NUMBER != seen


@kernel
def join(pool, seen):
    """The lane that a worker got in the open job; 0: there is none for it, or its number is `seen`."""
    while has_job(pool, seen):
        gate = load(pool + GATE)
        left = (gate // LEFT) & PART
        if gate & OPEN != 0 and left != 0 and gate // NUMBER != seen and swap(pool + GATE, gate, gate - LEFT + INSIDE):
            return left
    return 0


@kernel
def leave(pool):
    """Be outside again."""
    gate = add(pool + GATE, -INSIDE)
    if gate & OPEN == 0 and gate & PART == INSIDE:
        post(pool, DONE)


@kernel
def sleep(pool, serial, seen):
    """Wait to be woken, unless something came while this worker lay down."""
    add(pool + SLEEPERS, 1)
    # A thread that came before the count knew of no sleeper. Where the count is gone already, a post is on its way.
    if (has_job(pool, seen) or load(pool + FLOOR) > serial) and take_sleeper(pool):
        return
    wait(pool, BELL)


def _worker(function: Callable[..., Any]) -> Compiled:
    return Compiled(function, (INT, INT))


@_worker
def work(pool, serial):
    """The life of a worker: look for a job, do it, sleep; until FLOOR is above its serial number."""
    seen = -1
    while load(pool + FLOOR) <= serial:
        lane, looks = join(pool, seen), 0
        while lane == 0 and looks < PATIENCE and load(pool + FLOOR) <= serial:
            relax()
            looks += 1
            lane = join(pool, seen)
        if lane == 0:
            sleep(pool, serial, seen)
            continue
        seen = load(pool + GATE) // NUMBER  # the same as long as a thread is inside
        add(pool + JOINED, 1)
        wake(pool)
        run_lane(load(pool + WORK), load(pool + JOB_M), load(pool + JOB_D), lane)
        leave(pool)


@_worker
def retire(pool, floor):
    """End the workers whose serial number is below `floor`: sleeping ones immediately, the others after their job."""
    store(pool + FLOOR, floor)
    while take_sleeper(pool):
        post(pool, BELL)


@kernel
def offer(pool, function, m, d, lanes):
    """Open the gate to a job: the pool's owner does."""
    store(pool + WORK, function)
    store(pool + JOB_M, m)
    store(pool + JOB_D, d)
    store(pool + GATE, (load(pool + GATE) // NUMBER + 1) * NUMBER + OPEN + lanes * LEFT)
    wake(pool)


@kernel
def close(pool):
    """Close the gate, and wait until no thread is inside."""
    if add(pool + GATE, -OPEN) & PART == 0:
        return
    looks = 0
    while load(pool + GATE) & PART != 0 and looks < PATIENCE:
        relax()
        looks += 1
    wait(pool, DONE)


@kernel
def share(pool, function, m, d, lanes):
    """Do a job, function(m, d, lane), with at most `lanes` workers; m, d: addresses. Alone where the pool is in use."""
    if lanes == 0 or not swap(pool + LOCK, 0, 1):
        run_lane(function, m, d, 0)
        return
    offer(pool, function, m, d, lanes)
    run_lane(function, m, d, 0)
    close(pool)
    store(pool + LOCK, 0)
