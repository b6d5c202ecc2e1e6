"""How far compiling is: a bar that only grows, and a time left that falls; once the kernels are there nobody compiles again."""

import logging
import threading
from time import monotonic, sleep

import pytest

from tests.physics.reference import load
from tumble import physics
from tumble.physics.kernel import prepare, processes
from tumble.physics.kernel.function import STAGES, Compiled
from tumble.physics.observe.fork import apply_settings
from tumble.physics.run.program import needed

NAMES = (
    "tumble.physics.solver.primal.newton:newton", "tumble.physics.dynamics.crb:factor_m",
    "tumble.physics.solver.primal.newton:cg",
    "tumble.physics.dynamics.com:com_pos",
)  # fmt: skip
SCENE = """<mujoco><worldbody><geom type="plane" size="3 3 .1"/>{bodies}</worldbody></mujoco>"""
SHAPES = {"sphere": ".1", "capsule": ".1 .1", "ellipsoid": ".1 .2 .1", "cylinder": ".1 .1", "box": ".1 .1 .1"}


@pytest.fixture
def no_compiler(monkeypatch):
    """Compiling anything is an error from now on."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something is compiled")

    monkeypatch.setattr(Compiled, "_compile", refuse)
    monkeypatch.setattr(prepare, "compile_beside", refuse)


def test_kernel_progress_is_monotonic_in_any_order(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(prepare, "perf_counter", lambda: float(next(clock)))
    reports: list[prepare.KernelProgress] = []
    parts = [STAGES[name] for name in NAMES]
    meter = prepare.Meter(parts, reports.append)
    for part in reversed(parts):
        meter.wait()
        meter.wait()
        meter.add(part)
    shares = [progress.done for progress in reports]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1], reports[-1].left) == (0.0, 1.0, 0.0)
    assert all(progress.left > 0 for progress in reports[:-1])


def test_costly_kernels_are_handed_out_first(monkeypatch):
    monkeypatch.setattr(Compiled, "kept", property(lambda part: part.done))
    monkeypatch.setattr(Compiled, "ready", property(lambda part: part.done))
    monkeypatch.setattr(Compiled, "address", property(lambda part: 0))
    handed: list[Compiled] = []

    def beside(parts, done, waiting):
        for part in parts:
            handed.append(part)
            part.done = True
            done(part)

    monkeypatch.setattr(prepare, "compile_beside", beside)
    parts = [STAGES[name] for name in NAMES]
    for part in parts:
        monkeypatch.setattr(part, "done", False, raising=False)
    prepare.load(parts)
    costs = [prepare.cost(part) for part in handed]
    assert len(handed) == len(parts)
    assert costs == sorted(costs, reverse=True)


def test_no_option_or_geom_pair_compiles_with_the_library(no_compiler):
    """With the library there: every option and every pair of shapes, also in a scene so large that it is sparse and swept."""
    kinds = list(SHAPES.items())
    bodies = "".join(
        f'<body pos="{i} {j} .5"><freejoint/><geom type="{a}" size="{x}"/><geom type="{b}" size="{y}" pos=".05 0 .1"/></body>'
        for i, (a, x) in enumerate(kinds) for j, (b, y) in enumerate(kinds)
    )  # fmt: skip
    model, data = load(SCENE.format(bodies=bodies))
    for solver in physics.mjtSolver:
        for cone in physics.mjtCone:
            for extra in ({}, {"noslip_iterations": 2}, {"jacobian": 0}, {"jacobian": 1}):
                other = model.shadow()
                apply_settings(other, {"solver": int(solver), "cone": int(cone), "noslip_iterations": 0, "jacobian": 2, **extra})
                assert all(part.kept for part in needed(other).values())
    for integrator in physics.mjtIntegrator:
        other = model.shadow()
        other.opt.integrator = int(integrator)
        assert all(part.kept for part in needed(other).values())
    for hard in physics.ContactModel:
        model.tumble.contact_model = int(hard)
        physics.mj_step(model, data)
    model.opt.enableflags |= physics.mjtEnableBit.mjENBL_SLEEP | physics.mjtEnableBit.mjENBL_ENERGY
    model.tumble.contact_model = int(physics.ContactModel.SOFT)
    physics.mj_step(model, data)


def _kill_all() -> None:
    for process in tuple(processes._working):
        process.kill()


@pytest.mark.parametrize(("end", "told"), [(_kill_all, True), (processes._end_all, False)])
def test_compiler_ended_at_exit_is_not_reported_as_failed(monkeypatch, tmp_path, caplog, end, told):
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
        until = monotonic() + 10
        while not processes._working and monotonic() < until:
            sleep(0.01)
        end()
        compiling.join(10)
    assert not compiling.is_alive()
    assert ("a process that compiles kernels" in caplog.text) == told
