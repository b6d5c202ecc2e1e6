"""The task: why do these slip? In at most three steps from the window as it opens to the reason in words, with its numbers."""

import math

import pytest

from tests.app.conftest import MODELS, open_and_wait
from tests.app.tasks.steps import choose, click_row

MOST_STEPS = 3
pytestmark = pytest.mark.pumped


def test_it_is_told_why_a_sledge_slips_and_a_brick_creeps(window, qtbot, pump):
    open_and_wait(qtbot, window.session, MODELS / "incline.xml")
    window.session.set_paused(False)
    pump.run(0.15)

    def row_of(name):
        panel = window.panels.contacts
        moments = panel.contacts.moments
        names = [str(moments.data(moments.index(row, 0))) for row in range(moments.rowCount())]
        return next(row for row, pair in enumerate(names) if name in pair)

    def table():
        pump.run(0.05)
        return window.panels.contacts.contacts

    steps = [
        lambda: choose(window, "Window", "Contacts"),
        lambda: click_row(table(), row_of("ice")),
    ]
    assert len(steps) <= MOST_STEPS
    for step in steps:
        step()
    why = window.panels.contacts.why
    assert why.isVisible()
    assert "It slips: friction is at its limit" in why.text()
    assert f"20.0° need tan 20.0° = {math.tan(math.radians(20)):.3f}, ice has 0.2" in why.text()

    # The other block sticks, and the words give the speed at which soft friction lets it creep: that which is measured.
    pump.run(0.5)
    click_row(table(), row_of("clay"))
    state, k = window.panels.contacts._state, window.panels.contacts._index
    assert "It sticks" in why.text()
    assert "impratio 100 in place of 10" in why.text()
    law = float(why.text().partition("R / B = ")[2].split()[0])
    assert law == pytest.approx(1e3 * state.creep[k], rel=0.02)
