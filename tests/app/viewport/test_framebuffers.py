"""The view draws in a context in which Qt makes and replaces framebuffers of its own."""

import ctypes

import pytest

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.viewport.photo import Photo


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
