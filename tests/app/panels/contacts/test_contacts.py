"""The contacts dock in the real window: the block that slips is found, made to stick, and chosen in table and view."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt

from tests.app.conftest import MODELS, open_and_wait, open_panel, picture
from tests.app.mouse import Mouse, on_screen
from tumble.app.panels.contacts.columns import CONTACT_COLUMNS, ROW_COLUMNS
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import SetModel
from tumble.physics import ContactMode

pytestmark = pytest.mark.pumped
SLOPE, BALL = MODELS / "incline.xml", MODELS / "ball.xml"
LEFT = Qt.MouseButton.LeftButton
TITLES = [c.title for c in CONTACT_COLUMNS]


@pytest.fixture
def panel(window, qtbot):
    """The dock open over the slope, paused after 0.3 s."""
    panel = open_panel(qtbot, window, "contacts", SLOPE)
    qtbot.waitUntil(lambda: window.session.contact_choice.open)
    run_to(window, qtbot, 150)
    panel.by_pair.setChecked(False)
    return panel


def run_to(window, qtbot, steps):
    session = window.session
    session.set_paused(True)
    session.reset()
    session.step(steps)
    qtbot.waitUntil(lambda: abs(session.snapshot.time - 0.002 * steps) < 1e-9)


def cells(panel, title):
    column = TITLES.index(title)
    model = panel.contacts.model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def seen(window, index):
    """Where in the view a contact is."""
    return on_screen(window.viewport, window.session.snapshot.contact("pos")[index])


def click_row(qtbot, table, row):
    qtbot.mouseClick(table.viewport(), LEFT, pos=QPoint(20, table.rowViewportPosition(row) + 8))


def test_slipping_contact_is_found_and_sticks_with_friction(window, panel, qtbot, pump):
    session = window.session
    assert "slip" in panel.count.text()
    qtbot.keyClicks(panel.search, "slip")
    others = len(panel._state) - panel.contacts.model().rowCount()
    assert panel.search.hidden.text() == f"The filter hides {others}: clear"
    assert set(cells(panel, "Pair")) == {"slope \N{EN DASH} ice"}
    assert set(cells(panel, "State")) == {"slip"}
    assert set(cells(panel, "Used %")) == {"100.0"}
    click_row(qtbot, panel.contacts, 0)
    assert dict(panel.gauge.lines())["used"] == "100.0 %"
    assert panel.gauge.pair == "slope \N{EN DASH} ice"
    qtbot.mouseClick(panel.parameters, LEFT)
    kind, geom = window.panels.parameters.choice.current
    assert (kind.name, geom) == ("geom", session.model.geom("ice").id)
    assert window.panels.parameters.dock.isVisible()
    panel.search.clear()
    session.send(SetModel(Change("geom_friction", session.model.geom("ice").id, (0.7, 0.005, 0.0001))))
    qtbot.keyClick(window.viewport, Qt.Key.Key_Space)
    slope = np.array([np.cos(np.deg2rad(20)), 0, -np.sin(np.deg2rad(20))])
    pump.run_until(lambda: "slip" not in panel.count.text() and abs(session.snapshot.qvel[:3] @ slope) < 0.01)
    pump.run(0.2)  # below 1 cm/s it is still being stopped
    qtbot.waitUntil(lambda: panel.gauge.index >= 0)
    state, k = panel.gauge.state, panel.gauge.index
    assert panel.gauge.pair == "slope \N{EN DASH} ice"  # still the one chosen
    assert ContactMode(int(state.mode[k])) == ContactMode.STICK
    same = (state.geom == state.geom[k]).all(axis=1)
    share = state.tangential[same].sum() / (0.7 * state.normal[same].sum())
    assert share == pytest.approx(np.tan(np.deg2rad(20)) / 0.7, rel=0.03)
    assert state.creep[k] < 0.01


def test_no_number_of_a_deep_contact_is_cut(window, panel, qtbot, tmp_path):
    path = tmp_path / "soft.xml"
    path.write_text("""<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .03"><freejoint/>
<geom size=".036" mass="12" solref=".02 1" solimp=".015 1 .036 .5 2" priority="1"/></body></worldbody></mujoco>""")
    open_and_wait(qtbot, window.session, path)
    run_to(window, qtbot, 400)
    qtbot.waitUntil(lambda: any(text.startswith("deep ") for text in cells(panel, "Depth %")))
    table = panel.contacts
    assert [t for k, t in enumerate(TITLES) if k and table.sizeHintForColumn(k) > table.columnWidth(k)] == []


def test_rows_are_listed_and_rows_and_view_choose_each_other(window, panel, qtbot):
    bar = panel.tabs.tabBar()
    qtbot.mouseClick(bar, LEFT, pos=bar.tabRect(1).center())
    model = panel.rows.model()
    qtbot.waitUntil(lambda: model.rowCount() == window.session.snapshot.nefc > 0)
    titles = [c.title for c in ROW_COLUMNS]
    row = [model.index(0, i).data() for i in range(len(titles))]
    assert row[:4] == ["hinge", "", "joint friction", "quadratic"]
    qtbot.keyClicks(panel.search, "ice cone")
    directions = [model.index(r, 1).data() for r in range(model.rowCount())]
    assert directions[:3] == ["normal", "tangent 1", "tangent 2"]
    panel.rows.setCurrentIndex(model.index(1, 0))
    assert window.session.contact_choice.pair == (window.session.model.geom("slope").id, window.session.model.geom("ice").id)
    assert panel.rows.currentIndex().row() == 1
    panel.search.clear()
    panel.rows.setCurrentIndex(model.index(0, 0))
    assert window.session.contact_choice.pair is None
    window.session.step(1)
    qtbot.waitUntil(lambda: window.session.snapshot.time > 0.301)
    assert panel.rows.currentIndex().row() == 0
    panel.tabs.setCurrentIndex(0)
    run_to(window, qtbot, 150)
    choice, session = window.session.contact_choice, window.session
    qtbot.keyClick(window.viewport, Qt.Key.Key_C)  # shows the points
    plain = picture(window.viewport)
    click_row(qtbot, panel.contacts, 3)
    assert choice.index == int(panel.contacts.moments.order[3])
    at = seen(window, choice.index)
    marked = picture(window.viewport)
    ring = (at * window.viewport.devicePixelRatioF()).toPoint() + QPoint(0, 9)
    assert marked.pixelColor(ring) != plain.pixelColor(ring)
    Mouse(window.viewport).click(seen(window, 0))
    assert choice.index == 0
    assert panel.contacts.selectionModel().isRowSelected(panel.contacts.moments.place(0))
    where = session.snapshot.contact("pos")[0].copy()
    Mouse(window.viewport).click(QPointF(3, 3))  # nothing there: the choice stays
    assert choice.index == 0
    qtbot.keyClick(panel.contacts, Qt.Key.Key_Down)
    assert choice.index == 1
    Mouse(window.viewport).click(seen(window, 0))
    session.step(20)
    qtbot.waitUntil(lambda: session.snapshot.time > 0.33)
    assert 0 < np.linalg.norm(session.snapshot.contact("pos")[choice.index] - where) < 0.1
    header = panel.contacts.horizontalHeader()
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(header.sectionViewportPosition(2) + 20, 8))
    used = [float(text) for text in cells(panel, "Used %")]
    assert used == sorted(used) or used == sorted(used, reverse=True)
    assert panel.contacts.selectionModel().isRowSelected(panel.contacts.moments.place(choice.index))
    panel.dock.hide()
    qtbot.waitUntil(lambda: choice.pair is None)


def test_contacts_panel_survives_reset_and_model_changes(window, qtbot, pump):
    panel, session = window.panels.contacts, window.session
    panel.by_pair.setChecked(False)
    panel.dock.show()
    panel.tabs.setCurrentIndex(1)
    panel.tabs.setCurrentIndex(0)
    qtbot.keyClicks(panel.search, "ball")
    open_and_wait(qtbot, session, BALL)
    pump.run(0.1)
    qtbot.waitUntil(lambda: panel.count.text().startswith("No contacts"))
    panel.search.clear()
    open_and_wait(qtbot, session, SLOPE)
    pump.run(0.1)
    qtbot.waitUntil(lambda: panel.contacts.model().rowCount() > 3)
    session.set_paused(True)
    click_row(qtbot, panel.contacts, 1)
    pair = session.contact_choice.pair
    assert pair is not None
    session.reset()
    qtbot.waitUntil(lambda: session.snapshot.time == 0)
    assert session.contact_choice.pair == pair
    open_and_wait(qtbot, session, BALL)
    assert session.contact_choice.pair is None
    qtbot.waitUntil(lambda: panel.contacts.model().rowCount() == 0)
    assert session.model.ngeom == 2
