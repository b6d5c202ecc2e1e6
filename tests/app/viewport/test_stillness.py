"""What moves may be drawn simplified; what stands still is drawn in full, and so is what is recorded."""

from fractions import Fraction

import numpy as np
import pytest

from tests.app.conftest import open_and_wait
from tumble import mujoco
from tumble.app.film.offline import Studio, Take
from tumble.app.viewport.photo import Photo
from tumble.app.viewport.pictures.stillness import AGAIN, LEAST, SETTLED, START, Stillness
from tumble.render import renderer
from tumble.render.camera import orbit


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_a_pose_is_still_at_first_and_again_soon_after_it_stopped(clock, qtbot):
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
    asked = []
    still = Stillness(lambda: asked.append(still.look(np.ones(3))))
    still.look(np.zeros(3))
    assert not still.look(np.ones(3))
    assert AGAIN < 300
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [True]


def test_pictures_drawn_for_another_reason_do_not_put_off_full_detail(clock, qtbot):
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
    path = tmp_path / "m.xml"
    path.write_text('<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
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
    path = tmp_path / "m.xml"
    path.write_text('<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>')
    open_and_wait(qtbot, window.session, path)
    window.viewport.grabFramebuffer()
    made = []
    begin = renderer.Renderer.__init__

    def noted(self, *args, **options):
        begin(self, *args, **options)
        made.append(self)

    monkeypatch.setattr(renderer.Renderer, "__init__", noted)
    window.viewport.photograph(Photo(64, 48))
    model = window.session.model
    assert model is not None
    with Studio(model, Take(64, 48, Fraction(30), 1.0)):
        pass
    with mujoco.Renderer(model, 48, 64):
        pass
    assert len(made) == 3
    assert [one.simplifier for one in made] == [None] * 3
