"""The first-time user's path of docs/tour.md, by mouse and keys: open, find what slips, soften it, see it, save it.

With TUMBLE_TOUR set to a folder, a picture of the screen is kept after each step: that is how the pictures of the tour are made,
on a screen of 1440 x 900 that pytest does not replace by its own (`-p no:xvfb`).
"""

import os
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QFileDialog

from tests.app.tasks.steps import choose, enter
from tumble import physics
from tumble.app.panels.contacts.columns import CONTACT_COLUMNS
from tumble.app.shell.tour.welcome import Banner

LEFT = Qt.MouseButton.LeftButton
TITLES = [column.title for column in CONTACT_COLUMNS]
SWING = 2.0  # simulated time in which the plank has been on both sides [s]
PICTURES = bool(os.environ.get("TUMBLE_TOUR"))


def cells(window, title):
    model = window.panels.contacts.contacts.model()
    column = TITLES.index(title)
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


def on_rollers(window):
    """How many contacts the rollers have in the moment shown: each meets the plank along its side, in one point or two."""
    rollers = [window.session.model.geom(name).id for name in ("left", "right")]
    return int(np.isin(window.session.snapshot.contact("geom"), rollers).any(axis=1).sum())


@pytest.mark.slow
def test_a_contact_that_slips_is_found_softened_seen_and_saved(window, qtbot, keep_picture, tmp_path, monkeypatch):
    window.resize(1440, 900)
    session = window.session

    with qtbot.waitSignal(session.model_loaded):
        choose(window, "File", "Examples", "Plank on rollers")
    loaded = perf_counter()
    if PICTURES:
        window.viewport.findChild(Banner).cross.click()  # the hint for newcomers would lie over every picture
    depths = []
    session.advanced.connect(lambda: depths.append(depth(window)))
    qtbot.waitUntil(lambda: session.snapshot.time > SWING)
    keep_picture("1-open")

    choose(window, "Window", "Contacts")
    QTest.keyClick(window.viewport, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: session.is_obeyed and session.snapshot.paused and window.panels.contacts.live)
    QTest.keyClick(window.viewport, Qt.Key.Key_C)
    QTest.mouseClick(window.panels.contacts.search, LEFT)
    QTest.keyClicks(window.panels.contacts.search, "slip")
    qtbot.waitUntil(lambda: all(text.endswith("slip") for text in cells(window, "State")))
    assert set(cells(window, "Pair")) == {"left \N{EN DASH} plank", "right \N{EN DASH} plank"}
    # A roller that meets the plank in two points has one row for both.
    count = [int(text.split()[0]) if " " in text else 1 for text in cells(window, "State")]
    assert sum(count) == on_rollers(window)
    assert 2 <= on_rollers(window) <= 4  # as docs/tour.md says
    document = (Path(__file__).parents[3] / "docs" / "tour.md").read_text("utf-8")
    assert "only the contacts on the rollers are left, one or two on each" in " ".join(document.split())
    table = window.panels.contacts.contacts
    QTest.mouseClick(table.viewport(), LEFT, pos=QPoint(20, table.rowViewportPosition(0) + 8))
    assert dict(window.panels.contacts.gauge.lines())["used"] == "100.0 %"
    keep_picture("2-what-slips")

    QTest.mouseClick(window.panels.contacts.parameters, LEFT)
    panel = window.panels.parameters
    qtbot.waitUntil(lambda: panel.live and panel.choice.element.currentText() == "left")
    qtbot.waitUntil(lambda: panel._reading is not None and panel._reading.rest > 0)
    stiff, deepest = panel._reading.rest, max(depths)  # of a whole swing
    keep_picture("3-its-parameters")

    enter(panel.rows["solref"].fields[0], "0.2")
    roller = session.model.geom("left").id
    qtbot.waitUntil(lambda: session.model.geom_solref[roller, 0] == 0.2)
    qtbot.waitUntil(lambda: panel._reading.rest > 2 * stiff)  # the curve's promise, before a step is taken
    QTest.keyClick(window.viewport, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: depth(window) > 2 * deepest)  # the dots on the curve go where none were before
    QTest.keyClick(window.viewport, Qt.Key.Key_Space)
    keep_picture("4-softer")

    QTest.mouseClick(panel.bar.write, LEFT)
    qtbot.waitUntil(panel.bar.view.isVisible)
    added = [line for line in panel.bar.view.text.toPlainText().splitlines() if line.startswith("+ ")]
    assert len(added) == 1
    assert 'solref="0.2' in added[0]
    keep_picture("5-the-patch")
    target, source = tmp_path / "rollers.xml", session.path
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    kept = source.read_bytes()
    QTest.mouseClick(panel.bar.view.copy, LEFT)
    qtbot.waitUntil(target.exists)
    took = perf_counter() - loaded
    assert source.read_bytes() == kept
    changed = [b for a, b in zip(kept.splitlines(), target.read_bytes().splitlines(), strict=True) if a != b]
    assert len(changed) == 1
    assert physics.MjModel.from_xml_path(str(target)).geom("left").solref[0] == 0.2
    assert took < 60  # what the program takes of the user's two minutes


def depth(window):
    """How deep the plank is in the left roller [m]."""
    snapshot, roller = window.session.snapshot, window.session.model.geom("left").id
    pairs = snapshot.contact("geom").astype(int).tolist()
    return max((-d for d, pair in zip(snapshot.contact("dist"), pairs, strict=True) if roller in pair), default=0.0)
