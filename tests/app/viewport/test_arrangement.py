"""Where each of several views lies."""

import pytest
from PyQt6.QtCore import QRect

from tumble.app.viewport.tiles.arrangement import Arrangement, Corner, areas

SIZES = ((960, 640), (961, 743), (400, 900), (240, 180), (3, 2))
HEAD = 24


def whole(area):
    return area.head.united(area.picture)


@pytest.mark.parametrize("arrangement", list(Arrangement))
@pytest.mark.parametrize("size", SIZES)
def test_views_lie_in_the_viewport_beside_each_other_and_those_of_a_kind_have_one_size(arrangement, size):
    width, height = size
    found = areas(arrangement, width, height, HEAD)
    assert len(found) == arrangement.count
    for area in found:
        assert area.picture.width() >= 1
        assert area.picture.height() >= 1
        if min(size) > 100:
            assert QRect(0, 0, width, height).contains(whole(area))
            assert area.head.height() == (HEAD if arrangement is not Arrangement.ONE else 0)
    if min(size) < 100:
        return
    kinds = [found] if arrangement not in (Arrangement.LARGE, Arrangement.INSET) else [found[:1], found[1:]]
    assert all(len({(area.picture.width(), area.picture.height()) for area in kind}) == 1 for kind in kinds)
    if arrangement is Arrangement.INSET:
        assert found[0].picture.contains(whole(found[1]))
        return
    for k, one in enumerate(found):
        assert not any(whole(one).intersects(whole(other)) for other in found[k + 1 :])
    covered = sum(whole(area).width() * whole(area).height() for area in found)
    assert covered > 0.95 * width * height
    assert max(whole(area).right() for area in found) == width - 1
    assert max(whole(area).bottom() for area in found) == height - 1


def test_the_view_in_the_picture_goes_to_each_corner_and_has_the_shape_of_its_camera():
    for corner in Corner:
        small = whole(areas(Arrangement.INSET, 900, 700, HEAD, corner, aspect=2.0)[1])
        assert (small.center().x() > 450, small.center().y() > 350) == (corner.right, corner.lower)
        assert Corner.at(right=corner.right, lower=corner.lower) is corner
    picture = areas(Arrangement.INSET, 900, 700, HEAD, aspect=2.0)[1].picture
    assert picture.width() / picture.height() == pytest.approx(2.0, abs=0.05)
    assert areas(Arrangement.INSET, 900, 700, HEAD, aspect=0.5)[1].picture.height() <= 0.46 * 700
    assert Corner.BOTTOM_LEFT.next is Corner.TOP_LEFT


def test_small_views_lie_below_the_large_one_where_the_viewport_is_higher_than_wide():
    large, *small = areas(Arrangement.LARGE, 400, 900, HEAD)
    assert all(area.head.top() > large.picture.bottom() for area in small)
    assert whole(large).width() == 400
