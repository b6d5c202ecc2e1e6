"""Real data: parameters that were fitted predict records that were not, better than published ones."""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks.fits import MEASURED, PUBLISHED, study_fit, toss_errors, whole_records, window_errors


@pytest.mark.slow
def test_fitted_pendulum_predicts_a_record_that_was_not_fitted() -> None:
    """At least 30 % better than the published parameters, from 3 s of another record."""
    fitted, held = sorted((MEASURED / "double_pendulum").glob("*.csv"))
    fit = study_fit("pendulum", [fitted], [held])
    solution = fit.run().solution
    assert window_errors(fit, solution.shares) < 0.7 * window_errors(fit, fit.unknowns.start)


@pytest.mark.slow
def test_fitted_cube_falls_as_measured() -> None:
    """Over whole tosses, nearer in place and in rotation than with the published friction and restitution."""
    files = sorted((MEASURED / "cube_tosses").glob("*.csv"))
    box = study_fit("box", files, files)
    values = PUBLISHED["friction 0.18, restitution 0.125"]
    published = np.array([one.share(value) for one, value in zip(box.unknowns.table, values, strict=True)])
    fit = study_fit("cube", files, files, evaluations=100)
    fitted = fit.run().solution.shares
    before = toss_errors(box.predicted(whole_records(box), published))
    after = toss_errors(fit.predicted(whole_records(fit), fitted))
    assert after[0] < before[0]
    assert after[1] < before[1]
