"""The time line over a bouncing ball."""

import pytest

from tests.app.panels.timeline.bounce import CHUNK, advance, bounced


@pytest.fixture
def panel(window, qtbot, pump):
    """The dock over the bouncing ball and the sliding brick, paused after more than a second made in small parts."""
    return bounced(window, qtbot, lambda: advance(window, pump, CHUNK))


@pytest.fixture
def threaded_panel(window, qtbot):
    """The same where a thread simulates, as in the program."""

    def step():
        until = window.session.history.end + CHUNK
        window.session.step(CHUNK)
        qtbot.waitUntil(lambda: window.session.history.now == until)

    return bounced(window, qtbot, step)
