"""Moments in shared memory: the newest arrives whole, whatever the writer does meanwhile."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from tumble import physics
from tumble.app.replay.state import Reader, State
from tumble.app.viewer.moments import GEOM, MomentRing

XML = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


def test_the_newest_moment_arrives_once_and_leaves_no_file() -> None:
    m = physics.MjModel.from_xml_string(XML)
    d = physics.MjData(m)
    mine = MomentRing(m)
    theirs = MomentRing(m, mine.path)
    assert not os.path.exists(mine.path)
    assert theirs.newest() is None
    reader, warning = Reader(m, d), np.zeros((2, 8), np.int64)
    geoms = np.zeros(2, GEOM)
    geoms["pos"][1] = 1, 2, 3
    for height in (1.0, 2.0, 3.0):
        d.qpos[2] = height
        mine.write(reader.read(), warning, int(height), geoms)
    moment = theirs.newest()
    assert moment is not None
    assert moment.obeyed == 3
    assert moment.geoms["pos"][1].tolist() == [1, 2, 3]
    other = physics.MjData(m)
    moment.state.place(m, other)
    assert other.qpos[2] == 3.0
    assert theirs.newest() is None


def test_no_moment_is_torn() -> None:
    m = physics.MjModel.from_xml_string(XML)
    mine = MomentRing(m)
    theirs = MomentRing(m, mine.path)
    size = physics.mj_stateSize(m, physics.mjtState.mjSTATE_INTEGRATION)
    warning, none = np.zeros((2, 8), np.int64), np.zeros(0, GEOM)
    over = threading.Event()

    def write() -> None:
        for k in range(3000):
            mine.write(State(np.full(size, float(k)), np.zeros(m.ntree, np.int32), np.zeros(0)), warning, k, none)
        over.set()

    thread = threading.Thread(target=write)
    thread.start()
    seen = []
    while not over.is_set() or not seen or seen[-1] != 2999:
        moment = theirs.newest()
        if moment is not None:
            assert len(set(moment.state.values.tolist())) == 1
            assert moment.state.values[0] == moment.obeyed
            seen.append(moment.obeyed)
    thread.join()
    assert seen == sorted(seen)


def test_partially_written_moment_is_not_read() -> None:
    """As processors of ARM may show it: here a part is changed in the file, behind the count."""
    m = physics.MjModel.from_xml_string(XML)
    mine = MomentRing(m)
    with mine.path.open("r+b", buffering=0) as file:
        theirs = MomentRing(m, mine.path)
        size = physics.mj_stateSize(m, physics.mjtState.mjSTATE_INTEGRATION)
        geoms, warning, obeyed = np.zeros(1, GEOM), np.full((2, 8), 0x1122334455), 0x5566778899
        geoms["size"] = 0.7
        mine.write(State(np.full(size, np.pi), np.zeros(m.ntree, np.int32), np.zeros(0)), warning, obeyed, geoms)
        memory = file.read()
        for part in (np.float64(np.pi), np.int64(0x1122334455), np.int64(obeyed), np.float32(0.7)):
            at = memory.index(part.tobytes())
            file.seek(at)
            file.write(bytes([memory[at] ^ 1]))
            assert theirs.newest() is None, part
            file.seek(at)
            file.write(memory[at : at + 1])
        moment = theirs.newest()
    assert moment is not None
    assert moment.state.values.tolist() == [np.pi] * size
    assert moment.obeyed == obeyed


def test_moment_ring_checks_the_model_and_removes_its_file() -> None:
    ring = MomentRing(physics.MjModel.from_xml_string(XML))
    path, other = ring.path, physics.MjModel.from_xml_string("<mujoco/>")
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(OSError, match="this model needs"):
        MomentRing(other, path)
    assert path.exists()
    del ring
    assert not path.exists()
