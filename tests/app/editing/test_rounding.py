"""Rounding to what matters: few digits, the effect within a thousandth."""

import math

from tumble.app.editing.rounding import rounded


def test_a_number_gets_the_fewest_digits_that_keep_its_effect():
    assert rounded((-123456.78901, -702.7), lambda v: v) == (-123500.0, -702.7)
    assert rounded((0.019999999,), lambda v: v) == (0.02,)
    # A difference of near numbers needs more digits than either alone: the mixture with another geom may be one.
    assert rounded((1.000123456,), lambda v: (v[0] - 1,)) == (1.0001235,)


def test_what_is_infinite_stays_so():
    assert rounded((3.14159,), lambda v: (math.inf, v[0])) == (3.14,)
