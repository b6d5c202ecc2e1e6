"""Two threads that run the same data: one of them gets an error that says so; what the other has computed holds."""

from __future__ import annotations

import threading

import numpy as np

from tumble import physics

RAIN = "<mujoco><worldbody><geom type='plane' size='3 3 1'/>" + "".join(
    f"<body pos='{k % 4 * 0.15} {k // 4 * 0.15} 0.3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>" for k in range(12)
) + "</worldbody></mujoco>"  # fmt: skip


def test_the_second_thread_gets_an_error_and_the_first_goes_on():
    m = physics.MjModel.from_xml_string(RAIN)
    d, alone = physics.MjData(m), physics.MjData(m)
    refused, done = [], threading.Event()

    def disturb() -> None:
        calls = (physics.mj_step, physics.mj_forward, physics.mj_resetData, physics.mj_kinematics)
        while not done.is_set():
            for call in calls[:1] if refused else calls:
                try:
                    call(m, other)
                except physics.ModelError as error:
                    refused.append(str(error))

    other = physics.MjData(m)
    held = threading.Event()

    def hold() -> None:
        other.take(m)
        held.set()
        done.wait()
        other.give()

    threads = [threading.Thread(target=hold), threading.Thread(target=disturb)]
    threads[0].start()
    held.wait()
    threads[1].start()
    physics.mj_step(m, d, 300)
    physics.mj_step(m, alone, 300)
    done.set()
    for thread in threads:
        thread.join()
    assert len(refused) >= 1
    assert "another thread is at work on these data" in refused[0]
    np.testing.assert_array_equal(d.qpos, alone.qpos)
    physics.mj_step(m, other)  # free again


def test_threads_that_fight_for_the_same_data_leave_them_whole():
    m = physics.MjModel.from_xml_string(RAIN)
    d = physics.MjData(m)
    outcomes: list[str] = []

    def fight() -> None:
        for _ in range(40):
            try:
                physics.mj_step(m, d, 5)
                outcomes.append("stepped")
            except physics.ModelError as error:
                outcomes.append(str(error))

    threads = [threading.Thread(target=fight) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = 5 * outcomes.count("stepped")
    twin = physics.MjData(m)
    physics.mj_step(m, twin, steps)
    np.testing.assert_array_equal(d.qpos, twin.qpos)
    assert set(outcomes) <= {"stepped", "another thread is at work on these data: each thread needs data of its own"}
