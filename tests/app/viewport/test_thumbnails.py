"""Pictures of moments: drawn one at a time, the wanted ones only, and kept while there is room."""

import numpy as np
import pytest
from PyQt6.QtGui import QImage

from tests.app.conftest import MODELS
from tumble import physics
from tumble.app.viewport.thumbnails import Gallery, fits
from tumble.render.frame import Frame

FRAMES = [Frame(time=float(k)) for k in range(8)]


class View:
    """Something that draws, and looks at things in some way."""

    def __init__(self):
        self.drawn = []
        self.look = "from the left"
        self.can = True

    def draw(self, frame):
        if not self.can:
            return None
        self.drawn.append(frame.time)
        return QImage(4, 4, QImage.Format.Format_RGB32)


@pytest.fixture
def view():
    return View()


def gallery_of(view, most=4):
    return Gallery(view.draw, lambda: view.look, most)


def draw_all(gallery):
    while gallery.waiting:
        gallery.draw_next()


def test_one_picture_is_drawn_at_a_time_in_the_order_wanted(view):
    gallery = gallery_of(view)
    gallery.want([FRAMES[2], FRAMES[0]])
    gallery.draw_next()
    assert view.drawn == [2.0]
    assert gallery.picture(FRAMES[2]) is not None
    assert gallery.picture(FRAMES[0]) is None
    assert gallery.waiting
    gallery.draw_next()
    gallery.draw_next()
    assert view.drawn == [2.0, 0.0]
    assert not gallery.waiting


def test_what_is_there_is_not_drawn_again(view):
    gallery = gallery_of(view)
    for _ in range(3):
        gallery.want(FRAMES[:2])
        draw_all(gallery)
    assert view.drawn == [0.0, 1.0]


def test_a_picture_is_of_its_own_frame_even_where_the_numbers_are_the_same(view):
    gallery = gallery_of(view)
    gallery.want([FRAMES[0], Frame(time=0.0)])
    draw_all(gallery)
    assert view.drawn == [0.0, 0.0]


def test_those_not_seen_for_longest_are_forgotten(view):
    gallery = gallery_of(view)
    gallery.want(FRAMES[:4])
    draw_all(gallery)
    gallery.picture(FRAMES[0])  # it is seen
    gallery.want([FRAMES[4]])
    draw_all(gallery)
    assert len(gallery) == 4
    assert [gallery.picture(frame) is not None for frame in FRAMES[:5]] == [True, False, True, True, True]


def test_where_the_view_looks_in_another_way_pictures_are_drawn_again_after_those_that_are_missing(view):
    gallery = gallery_of(view)
    gallery.want(FRAMES[:2])
    draw_all(gallery)
    view.look = "from the right"
    gallery.want(FRAMES[:3], again=False)
    draw_all(gallery)
    assert view.drawn == [0.0, 1.0, 2.0]
    gallery.want(FRAMES[:4])
    assert gallery.picture(FRAMES[0]) is not None  # the old one, meanwhile
    draw_all(gallery)
    assert view.drawn[3:] == [3.0, 0.0, 1.0]


def test_what_cannot_be_drawn_is_left_out_and_may_be_wanted_again(view):
    gallery = gallery_of(view)
    view.can = False
    gallery.want(FRAMES[:2])
    draw_all(gallery)
    assert len(gallery) == 0
    view.can = True
    gallery.want(FRAMES[:2])
    draw_all(gallery)
    assert len(gallery) == 2
    gallery.clear()
    assert gallery.picture(FRAMES[0]) is None


def test_a_frame_fits_its_own_model_only():
    models = [physics.MjModel.from_xml_path(str(MODELS / name)) for name in ("ball.xml", "bounce.xml")]
    frames = []
    for model in models:
        data = physics.MjData(model)
        physics.mj_forward(model, data)
        frames.append(Frame.from_data(data))
    assert np.array([[fits(frame, model) for frame in frames] for model in models]).tolist() == [[True, False], [False, True]]
