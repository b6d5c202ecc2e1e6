"""The level of quality follows what pictures take, and settles."""

import pytest

from tumble.app.describe.pictures import MeasuredQuality, measured
from tumble.render.gpu.quality import COUNT, FIRST, Pace, QualityLevel

PLAIN, FINE, BEST = QualityLevel


@pytest.mark.parametrize(
    ("known", "times", "settled"),
    [
        (PLAIN, {PLAIN: 0.02}, PLAIN),  # slow, and nothing is below
        (FINE, {FINE: 0.02, PLAIN: 0.001}, PLAIN),  # quick again, but what is above was too slow
        (PLAIN, {PLAIN: 0.001, FINE: 0.002, BEST: 0.002}, BEST),
        (PLAIN, {PLAIN: 0.001, FINE: 0.002, BEST: 0.05}, FINE),
        (FINE, {FINE: 0.006}, FINE),
    ],
)
def test_it_settles_for_the_best_that_is_in_time(
    known: QualityLevel, times: dict[QualityLevel, float], settled: QualityLevel
) -> None:
    pace = Pace(None, known)
    for _ in range(6 * (FIRST + COUNT)):
        if pace.took is not None:
            break
        assert pace._level is not None
        # What is drawn first takes long for other reasons.
        pace.note(5.0 if pace._left else times[pace._level])
    assert pace._level is settled
    assert pace.took == pytest.approx(times[settled])
    kept = MeasuredQuality("a card", settled, times[settled])
    assert MeasuredQuality.read(kept.text()) == kept
    assert settled.name.lower() in measured(kept.text())


@pytest.mark.parametrize("text", ["", '{"renderer": "a card", "level": "worst", "seconds": 0.1}'])
def test_a_level_that_does_not_exist_is_no_measurement(text: str) -> None:
    assert measured(text) == ""
