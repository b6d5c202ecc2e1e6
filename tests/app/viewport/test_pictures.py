"""Pictures of the view: in full detail where nothing moves, small ones of moments, and among Qt's own framebuffers."""

import ctypes
from fractions import Fraction

import numpy as np
import pytest
from PyQt6.QtGui import QImage

from tests.app.conftest import MODELS, open_and_wait, written
from tumble import mujoco, physics
from tumble.app.film.offline import Studio, Take
from tumble.app.viewport.photo import Photo
from tumble.app.viewport.picture_pace import AGAIN, LEAST, SETTLED, START, Stillness
from tumble.app.viewport.thumbnails import Gallery, fits
from tumble.render import renderer
from tumble.render.camera import orbit
from tumble.render.frame import Frame


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_view_is_still_at_first_and_again_after_settling(clock, qtbot):
    still = Stillness(lambda: None, clock)
    pose = np.zeros(6)
    assert still.look(pose)
    assert not still.look(pose + 0.1)
    clock.now += SETTLED / 2
    assert not still.look(pose + 0.1)
    clock.now += SETTLED / 2
    assert still.look(pose + 0.1)
    assert not still.look(np.zeros(12))  # another view is there
    still.begin()
    assert still.look(np.ones(3))


def test_slow_motion_is_drawn_in_one_way_not_by_turns(clock):
    for per_second, quiet in ((0.2 * LEAST / SETTLED, True), (0.6 * START / SETTLED, True), (3 * START / SETTLED, False)):
        for frame in (0.016, 0.08):
            still, drawn = Stillness(lambda: None, clock), []
            for _ in range(100):
                drawn.append(still.look(np.array([per_second * clock.now])))
                clock.now += frame
            assert all(drawn[20:]) if quiet else not any(drawn[20:])


def test_another_picture_is_asked_for_within_a_third_of_a_second(qtbot):
    requests = []
    still = Stillness(lambda: requests.append(still.look(np.ones(3))))
    still.look(np.zeros(3))
    assert not still.look(np.ones(3))
    assert AGAIN < 300
    qtbot.waitUntil(lambda: bool(requests))
    assert requests == [True]


def test_redraws_do_not_postpone_full_detail(clock, qtbot):
    still = Stillness(lambda: None, clock)
    still.look(np.zeros(3))
    still.look(np.ones(3))
    still._timer.setInterval(60_000)
    qtbot.wait(20)
    left = still._timer.remainingTime()
    clock.now += SETTLED / 2
    assert not still.look(np.ones(3))
    assert still._timer.remainingTime() <= left
    still.begin()


@pytest.mark.pumped
def test_the_view_is_in_full_detail_while_nothing_moves(window, qtbot, tmp_path):
    path = written(tmp_path / "m.xml", '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    session, view, clock = window.session, window.viewport, Clock()
    view._stillness._clock = clock
    session.set_paused(True)
    open_and_wait(qtbot, session, path)
    view.grabFramebuffer()  # which paints at once: Qt may put off a repaint until the window has shown the one before
    drawing = view._renderer
    assert drawing.full_detail
    view.set_camera(orbit(view.camera, 0.1, 0.0))
    view.grabFramebuffer()
    assert not drawing.full_detail
    clock.now += SETTLED
    view.grabFramebuffer()
    assert drawing.full_detail


def test_what_is_saved_has_all_triangles(window, qtbot, tmp_path, monkeypatch):
    """Photographs, films rendered without a window, and programs' pictures: none has where to get simplified meshes from."""
    open_and_wait(qtbot, window.session, written(tmp_path / "m.xml", '<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>'))
    window.viewport.grabFramebuffer()
    made = []
    begin = renderer.Renderer.__init__

    def noted(self, *args, **options):
        begin(self, *args, **options)
        made.append(self)

    monkeypatch.setattr(renderer.Renderer, "__init__", noted)
    window.viewport.photograph(Photo(64, 48))
    model = window.session.model
    with Studio(model, Take(64, 48, Fraction(30), 1.0)):
        pass
    with mujoco.Renderer(model, 48, 64):
        pass
    assert len(made) == 3
    assert [one.simplifier for one in made] == [None] * 3


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
def drawer():
    return View()


@pytest.fixture
def gallery(drawer):
    return Gallery(drawer.draw, lambda: drawer.look, most=4)


def draw_all(gallery):
    while gallery.waiting:
        gallery.draw_next()


def test_one_picture_is_drawn_at_a_time_in_the_order_wanted(drawer, gallery):
    gallery.want([FRAMES[2], FRAMES[0]])
    gallery.draw_next()
    assert drawer.drawn == [2.0]
    assert gallery.picture(FRAMES[2]) is not None
    assert gallery.picture(FRAMES[0]) is None
    assert gallery.waiting
    gallery.draw_next()
    gallery.draw_next()
    assert drawer.drawn == [2.0, 0.0]
    assert not gallery.waiting
    gallery.want([FRAMES[0], Frame(time=0.0), FRAMES[2]])  # what is there is not drawn again; another frame of its time is
    draw_all(gallery)
    assert drawer.drawn == [2.0, 0.0, 0.0]


def test_those_not_seen_for_longest_are_forgotten(gallery):
    gallery.want(FRAMES[:4])
    draw_all(gallery)
    gallery.picture(FRAMES[0])  # it is seen
    gallery.want([FRAMES[4]])
    draw_all(gallery)
    assert len(gallery) == 4
    assert [gallery.picture(frame) is not None for frame in FRAMES[:5]] == [True, False, True, True, True]


def test_changed_look_redraws_thumbnails_after_missing_ones(drawer, gallery):
    gallery.want(FRAMES[:2])
    draw_all(gallery)
    drawer.look = "from the right"
    gallery.want(FRAMES[:3], again=False)
    draw_all(gallery)
    assert drawer.drawn == [0.0, 1.0, 2.0]
    gallery.want(FRAMES[:4])
    assert gallery.picture(FRAMES[0]) is not None  # the old one, meanwhile
    draw_all(gallery)
    assert drawer.drawn[3:] == [3.0, 0.0, 1.0]


def test_failed_thumbnail_is_omitted_and_can_be_retried(drawer, gallery):
    drawer.can = False
    gallery.want(FRAMES[:2])
    draw_all(gallery)
    assert len(gallery) == 0
    drawer.can = True
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


@pytest.fixture
def gl(window, qtbot):
    """OpenGL, with the view's context current and no error left."""
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    library = ctypes.CDLL("libGL.so.1")
    window.viewport.makeCurrent()
    assert library.glGetError() == 0
    yield library
    window.viewport.doneCurrent()


def test_a_picture_after_the_view_was_replaced_makes_no_error(window, gl):
    view = window.viewport
    ctx = view._ctx
    colour = ctx.renderbuffer((8, 8), 4)

    def painted():
        """A picture that begins with a new map of shadows."""
        view._renderer._shadow._release_depth()
        view.repaint()

    for look in (lambda: view.photograph(Photo(64, 48)), painted):
        view.makeCurrent()
        view._anchor.use()
        gone = ctx.framebuffer([colour])
        gone.use()
        gone.release()
        look()
        view.makeCurrent()
        assert gl.glGetError() == 0
