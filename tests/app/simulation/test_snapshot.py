"""Snapshots: nothing torn, nothing lost for good, contact forces decoded."""

from __future__ import annotations

import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from tumble import physics
from tumble.app.simulation.snapshot import COPIED_FIELDS, Exchange, Snapshot

WIDE = 4000  # numbers a field: copying takes long enough for a reader to come in between
ROUNDS = 1500


class FakeData:
    """Data whose every number is the same, so that a mixture shows."""

    def __init__(self) -> None:
        for name in COPIED_FIELDS:
            setattr(self, name, np.zeros((WIDE, 3)))
        self.time, self.nefc, self.ncon = 0.0, 0, 0
        self.solver_niter = np.zeros(20, np.int32)
        self.warning = _Warnings()
        self.contact = SimpleNamespace()

    def set(self, value: float) -> None:
        for name in COPIED_FIELDS:
            getattr(self, name)[:] = value
        self.time = value


class _Warnings:
    number = np.zeros(8, np.int64)
    lastinfo = np.zeros(8, np.int64)

    def __len__(self) -> int:
        return 8


class OneForBoth(Exchange):
    """An exchange that is wrong: the writer fills what the reader holds."""

    def publish(self) -> None:
        self._waiting.append(self.writing)


def stress(exchange: Exchange, rounds: int) -> tuple[list[float], list[float]]:
    """The stamps that a reader saw while a writer put one stamp after another all over: those of torn snapshots, and all."""
    data = FakeData()
    torn, order = [], []
    done = threading.Event()

    def write() -> None:
        for k in range(1, rounds):
            data.set(float(k))
            exchange.writing.fill(data)
            exchange.publish()
        done.set()

    def read() -> None:
        while True:
            ended = done.is_set()
            snapshot, fresh = exchange.read()
            if fresh:
                time = snapshot.time
                order.append(time)
                if not all((getattr(snapshot, name) == time).all() for name in COPIED_FIELDS):
                    torn.append(time)
            elif ended:
                return

    threads = [threading.Thread(target=work) for work in (write, read)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # the threads take turns within a copy, not only between copies
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        sys.setswitchinterval(interval)
    return torn, order


def test_a_reader_never_sees_half_a_snapshot() -> None:
    torn, order = stress(Exchange(FakeData()), ROUNDS)
    assert not torn
    assert order == sorted(order)
    assert order[-1] == ROUNDS - 1  # the last one always arrives


def test_half_a_snapshot_would_be_seen() -> None:
    torn, _ = stress(OneForBoth(FakeData()), ROUNDS)
    assert torn


def test_a_snapshot_stays_as_it_is_until_the_next_read() -> None:
    data = FakeData()
    exchange = Exchange(data)
    data.set(1.0)
    exchange.writing.fill(data)
    exchange.publish()
    kept, fresh = exchange.read()
    assert fresh
    for k in range(2, 9):
        data.set(float(k))
        exchange.writing.fill(data)
        exchange.publish()
        assert kept.time == 1.0
        assert (kept.xpos == 1.0).all()
    newest, fresh = exchange.read()
    assert fresh
    assert newest.time == 8.0
    assert exchange.read() == (newest, False)


def test_snapshots_share_no_memory_with_the_data_or_each_other() -> None:
    data = FakeData()
    one, two = Snapshot(data), Snapshot(data)
    for name in COPIED_FIELDS:
        assert not np.shares_memory(getattr(one, name), getattr(data, name))
        assert not np.shares_memory(getattr(one, name), getattr(two, name))


def test_the_frame_shows_the_snapshot_s_own_arrays() -> None:
    data = FakeData()
    snapshot = Snapshot(data)
    data.set(3.0)
    snapshot.fill(data)
    assert snapshot.frame.geom_xpos is snapshot.geom_xpos  # type: ignore[attr-defined]
    assert snapshot.frame.time == 3.0
    assert len(snapshot.frame.contact_pos) == 0


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_contact_forces_carry_the_weight_and_oppose_the_pull(cone: str) -> None:
    model = physics.MjModel.from_xml_string(
        f"""<mujoco><option cone="{cone}" gravity="1 0 -9.81"/><worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 .099"><freejoint/><geom type="sphere" size=".1" mass="2" condim="3"/></body></worldbody></mujoco>"""
    )
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    snapshot = Snapshot(data)
    snapshot.fill(data)
    out = snapshot.contact("force")
    frame = np.asarray(data.contact.frame).reshape(-1, 3, 3)[0]
    # Whatever the decoding, the force in the world is the one that the constraint exerts on the body.
    np.testing.assert_allclose(frame.T @ out[0, :3], np.asarray(data.qfrc_constraint)[:3], atol=1e-9)
    assert out[0, 0] > 0
