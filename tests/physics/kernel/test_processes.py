"""Processes that compile: one that fails is told, one that ends with the program is not."""

import logging
import threading
from time import monotonic, sleep

import pytest

from tumble.physics.kernel import processes
from tumble.physics.kernel.function import STAGES


def _kill_all() -> None:
    for process in tuple(processes._working):
        process.kill()


@pytest.mark.parametrize(("end", "told"), [(_kill_all, True), (processes._end_all, False)])
def test_a_compiler_that_is_ended_with_the_program_has_not_failed(monkeypatch, tmp_path, caplog, end, told):
    waits = tmp_path / "python"
    waits.write_text("#!/bin/sh\nexec sleep 60\n")
    waits.chmod(0o700)
    monkeypatch.setattr(processes.sys, "executable", str(waits))
    monkeypatch.setattr(processes, "_exiting", threading.Event())
    monkeypatch.setattr(processes, "_working", set())
    part = STAGES["tumble.physics.dynamics.com:com_pos"]
    compiling = threading.Thread(target=processes.compile_beside, args=([part], lambda part: None))
    with caplog.at_level(logging.WARNING, processes.__name__):
        compiling.start()
        until = monotonic() + 60
        while not processes._working and monotonic() < until:
            sleep(0.01)
        end()
        compiling.join(60.0)
    assert not compiling.is_alive()
    assert ("a process that compiles kernels" in caplog.text) == told
