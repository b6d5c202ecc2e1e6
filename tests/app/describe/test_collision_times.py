"""Words for the time of a collision."""

import pytest

from tumble.app.describe.collision import microseconds, time_rows, time_summary
from tumble.physics import CollisionTimes, MjModel, PairTime

MODEL = """
<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body><freejoint/><geom type="box" size="1 1 1"/></body>
  <body><freejoint/><geom type="box" size="1 1 1"/></body>
</worldbody></mujoco>"""
NAMES = ["floor", "one", "two"]


def test_pairs_are_below_their_types_and_the_most_expensive_is_first():
    pairs = (PairTime(0, 1, -1, 4, 1e-6), PairTime(0, 2, -1, 4, 2e-6), PairTime(1, 2, -1, 8, 9e-6))
    rows = time_rows(MjModel.from_xml_string(MODEL), NAMES, CollisionTimes(2e-5, 0.0, 0.0, 3, pairs))
    assert [row.label.partition(",")[0] for row in rows] == ["box \N{EN DASH} box", "plane \N{EN DASH} box"]
    assert [row.pair for row in rows[1].below] == [(0, 2), (0, 1)]
    assert rows[1].contacts == 8
    assert rows[1].seconds == pytest.approx(3e-6)


def test_phases_that_took_no_time_are_not_named():
    text = time_summary(CollisionTimes(2e-5, 0.0, 0.0, 3, (PairTime(0, 1, -1, 4, 1e-6),)))
    assert "20.0 " in text
    assert "broad" not in text
    assert "none near enough" in time_summary(CollisionTimes(2e-5, 0.0, 0.0, 3, ()))


@pytest.mark.parametrize(("seconds", "text"), [(1.23e-8, "0.0123"), (9.99e-6, "9.99"), (1.234e-4, "123"), (0.0123456, "12346")])
def test_microseconds_have_three_digits_or_all(seconds, text):
    assert microseconds(seconds) == text
