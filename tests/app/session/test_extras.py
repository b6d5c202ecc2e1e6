"""Drawings of several panels in the view."""

from __future__ import annotations

import numpy as np

from tumble.app.session.extras import Extras
from tumble.physics.state.enums import mjtObj
from tumble.render.camera import View
from tumble.render.constants import Category
from tumble.render.drawlist import DrawList


def test_drawings_of_two_panels_are_drawn_together():
    def first(view: View, height: int) -> DrawList:
        return DrawList.blank(1, mjtObj.mjOBJ_UNKNOWN, Category.DECOR)

    def second(view: View, height: int) -> DrawList:
        return DrawList.blank(2, mjtObj.mjOBJ_UNKNOWN, Category.DECOR)

    extras = Extras()
    assert extras.more is None
    for drawing in (first, second, second):
        extras.draw(drawing)
    assert len(extras.more(None, 100)) == 3
    assert extras.erase(first)
    assert not extras.erase(first)
    assert extras.more is second
    np.testing.assert_array_equal(extras.more(None, 100).objid, [0, 1])
