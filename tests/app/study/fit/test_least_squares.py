"""Fits of simulated truth: what is recovered, how wide the intervals are, and what the data cannot tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.study.fit.swing import ARM, ARM_STUDY, TRUTH, arm_fit, arm_rows, job, write
from tumble.app.study.fit import loss
from tumble.app.study.fit.fit import FitResult, ModelFit
from tumble.app.study.fit.normal_equations import CloudPlane, System


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> FitResult:
    return arm_fit(tmp_path_factory.mktemp("arm")).run()


def test_friction_damping_and_gain_of_an_arm_are_recovered(result: FitResult) -> None:
    """Within 5 %, from 6 s with noise of 2 mrad and 0.05 rad/s, deviations below 2.2 %."""
    for one in result.estimates:
        assert one.value == pytest.approx(TRUTH[one.name], rel=0.05)
        assert one.determined
        assert one.low < one.value < one.high
        assert one.deviation < 0.022 * TRUTH[one.name]
    assert not result.undetermined


def test_the_fit_moves_as_was_measured(result: FitResult) -> None:
    """What is left is the noise of the measurement and of the states that windows begin in; before, it was many times that."""
    score = result.scores["fitted"]
    assert score.after["qpos[elbow]"] < 0.02
    assert score.before["qpos[elbow]"] > 5 * score.after["qpos[elbow]"]


def test_two_numbers_of_which_the_data_tell_only_the_sum(tmp_path: Path) -> None:
    """Two stiffnesses of one joint: of spring and servo. The targets are zero, so that only their sum counts."""
    model = ARM.replace('frictionloss="{friction}"', 'frictionloss="{friction}" stiffness="3"')
    rows = arm_rows(np.random.default_rng(2), values={**TRUTH, "kp": TRUTH["kp"] + 3.0}, reach=0.0)
    study = ARM_STUDY + """
[parameters.stiffness]
path = "joint[elbow].stiffness"
low = 1.0
high = 10.0
log = true
"""
    write(tmp_path / "arm.csv", "t,q,v,target", rows)
    fit = ModelFit(job(tmp_path, study, model.format(friction=0.2, damping=0.1, kp=8.0), ["arm.csv"]))
    found = fit.run()
    expected = "The data do not tell kp and stiffness apart, only how one goes with the other: one may rise as the other falls."
    assert expected in found.undetermined
    determined = {one.name: one.determined for one in found.estimates}
    assert not determined["kp"]
    assert not determined["stiffness"]


def test_a_delay_and_an_offset_are_recovered(tmp_path: Path) -> None:
    """A target that arrives 20 ms late is what its column said 20 ms before; the angle is measured from 0.1 rad off."""
    study = ARM_STUDY + """
[fit.unknowns.delay]
of = "shift"
signals = ["ctrl[servo]"]
low = -0.05
high = 0.05
[fit.unknowns.zero]
of = "offset"
signals = ["qpos[elbow]"]
low = -0.3
high = 0.3
"""
    rows = arm_rows(np.random.default_rng(3), delay=0.02)
    rows[:, 1] -= 0.1
    write(tmp_path / "arm.csv", "t,q,v,target", rows)
    found = {one.name: one for one in ModelFit(job(tmp_path, study, ARM.format(**TRUTH), ["arm.csv"])).run().estimates}
    assert found["delay"].value == pytest.approx(-0.02, abs=0.001)
    assert found["zero"].value == pytest.approx(0.1, abs=0.005)
    assert found["kp"].value == pytest.approx(TRUTH["kp"], rel=0.05)


def test_predictions_begin_where_the_lead_says(tmp_path: Path) -> None:
    """Angles measured with 2 mrad and velocities with 0.05 rad/s for 0.1 s tell the beginning better than the first row."""
    fit = arm_fit(tmp_path, study=ARM_STUDY.replace("window = 0.5", "window = 0.5\nlead = 0.1"))
    shares = np.array([one.share(TRUTH[one.name]) for one in fit.unknowns.table])
    plain, led = fit.predictor.predict(shares), fit.predicted(fit.predictor, shares)
    assert np.nanstd(led.difference[:, 1:, 0]) < 0.7 * np.nanstd(plain.difference[:, 1:, 0])


def test_equal_fits_are_equal(tmp_path: Path) -> None:
    first, second = (arm_fit(tmp_path).run().solution.shares for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("kind", ["linear", "soft-l1", "cauchy"])
def test_the_information_is_the_curvature_of_the_cost(kind: str) -> None:
    """Of one unknown, by which all residuals move: the second difference of the robust cost, which its weights exceed."""
    rng, step = np.random.default_rng(4), 1e-4
    r, slope = rng.standard_normal((5, 80)), rng.uniform(0.5, 2.0, (5, 80))
    system = System([CloudPlane(r, slope[..., None], np.empty((5, 80, 0)))], np.empty((5, 0)), kind)
    costs = [float(loss.cost(kind, r + p * slope).sum()) for p in (-step, 0.0, step)]
    assert system.information.sum() == pytest.approx((costs[0] - 2 * costs[1] + costs[2]) / step**2, rel=1e-4)
    assert system.parts.sum() >= system.information.sum() * (1 - 1e-12)
