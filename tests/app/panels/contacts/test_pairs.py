"""Contacts by pair: totals, opening and closing, what stays chosen; and depths against the size of what they are in."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QFontMetrics

from tests.app.conftest import open_panel, written
from tests.app.panels.contacts.test_contact_state import observed
from tumble import physics
from tumble.app.base import settings
from tumble.app.describe.contacts import Names
from tumble.app.panels.contacts.columns import CONTACT_COLUMNS, find_contacts, summary
from tumble.app.panels.contacts.state import arrange_pairs, pair_totals, sides
from tumble.physics.observe.thickness import thickness_of

pytestmark = pytest.mark.pumped

LEFT = Qt.MouseButton.LeftButton
TITLES = [column.title for column in CONTACT_COLUMNS]
PADDING = 10  # of a title, by the style sheet [px]
DASH = " \N{EN DASH} "
# Two boxes with four contacts each, one sunk by 30 mm of its 40, and a ball with one.
TABLE = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
<body pos="0 0 .0995"><freejoint/><geom name="crate" type="box" size=".1 .1 .1"/></body>
<body pos="1 0 -.01"><freejoint/><geom name="tile" type="box" size=".1 .1 .02"/></body>
<body pos="2 0 .0995"><freejoint/><geom name="ball" size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def moment():
    m = physics.MjModel.from_xml_string(TABLE)
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    return m, observed(m, d)[1]


@pytest.fixture
def panel(window, qtbot, tmp_path, pump):
    panel = open_panel(qtbot, window, "contacts", written(tmp_path / "table.xml", TABLE), paused=True)
    pump.obey()
    qtbot.waitUntil(lambda: panel.contacts.moments.rowCount() > 0)
    return panel


def cells(panel, title):
    model = panel.contacts.moments
    return [str(model.index(row, TITLES.index(title)).data()) for row in range(model.rowCount())]


def click(panel, qtbot, row, x):
    area = panel.contacts.viewport()
    qtbot.mouseClick(area, LEFT, pos=QPoint(x, panel.contacts.rowViewportPosition(row) + 8))


def test_totals_of_a_pair_are_those_of_its_contacts(moment):
    _, state = moment
    pairs = pair_totals(state, None)
    assert len(pairs) == 3
    assert sorted(pairs.count.tolist()) == [1, 4, 4]
    for pair in range(3):
        own = pairs.of == pair
        assert (sides(state)[own] == sides(pairs)[pair]).all()
        assert pairs.count[pair] == own.sum()
        assert pairs.normal[pair] == pytest.approx(state.normal[own].sum())
        assert pairs.tangential[pair] == pytest.approx(state.tangential[own].sum())
        assert pairs.dist[pair] == state.dist[own].min()
        assert pairs.creep[pair] == state.creep[own].max()
        assert pairs.sunk[pair] == state.sunk[own].max()
        assert state.normal[pairs.lead[pair]] == state.normal[own].max()
    few = pair_totals(state, np.arange(len(state)) == 2)
    assert few.count.tolist() == [1]
    assert few.of.tolist() == [0 if k == 2 else -1 for k in range(len(state))]
    assert len(pair_totals(state, np.zeros(len(state), bool))) == 0


def test_single_contact_pair_is_flat_and_open_pair_nests(moment):
    _, state = moment
    pairs = pair_totals(state, None)
    alone = int(np.flatnonzero(pairs.count == 1)[0])
    crate = int(np.flatnonzero(pairs.count == 4)[0])
    order, everything = np.arange(len(state))[::-1], np.arange(3)
    closed = arrange_pairs(pairs, order, everything, ())
    assert sorted(closed) == sorted([int(pairs.lead[alone]), *(-1 - k for k in range(3) if k != alone)])
    first, second = sides(pairs)[crate]
    opened = arrange_pairs(pairs, order, everything, {(int(first), int(second))}).tolist()
    at = opened.index(-1 - crate)
    assert opened[at + 1 : at + 5] == [k for k in order if pairs.of[k] == crate]  # sorted as the list is
    assert len(opened) == 3 + 4


def test_relative_depth_uses_thinner_geom_and_not_planes(moment):
    m, state = moment
    thick = thickness_of(m)
    assert [thick[m.geom(name).id] for name in ("floor", "crate", "tile", "ball")] == pytest.approx([np.inf, 0.2, 0.04, 0.2])
    of_crate = (state.geom == m.geom("crate").id).any(axis=1)
    of_tile = (state.geom == m.geom("tile").id).any(axis=1)
    assert state.sunk[of_crate] == pytest.approx(0.0005 / 0.2, rel=1e-6)
    assert state.sunk[of_tile] == pytest.approx(0.03 / 0.04, rel=1e-6)
    assert summary(state).endswith("; 4 deep")
    deep = find_contacts("deep", state, Names(m))
    assert deep.tolist() == of_tile.tolist()


def test_pairs_open_by_arrow_or_keys_and_keep_selection(panel, window, qtbot):
    table, choice, moments = panel.contacts, window.session.contact_choice, panel.contacts.moments
    assert cells(panel, "Pair") == [f"floor{DASH}{name}" for name in ("crate", "tile", "ball")]
    assert [text.split()[0] for text in cells(panel, "State")[:2]] == ["4", "4"]
    assert cells(panel, "Depth %")[1] == "deep 75.0"
    click(panel, qtbot, 0, 60)
    assert choice.pair == (0, 1)
    assert moments.rowCount() == 3
    assert table.currentIndex().row() == 0
    click(panel, qtbot, 0, 8)
    assert moments.rowCount() == 7
    assert table.currentIndex().row() == 0  # the pair, though one of its contacts is seen now
    table.setFocus()
    for row in range(1, 5):
        qtbot.keyClick(table, Qt.Key.Key_Down)
        assert table.currentIndex().row() == row
        assert choice.index == moments.order[row]
    for row in range(3, -1, -1):
        qtbot.keyClick(table, Qt.Key.Key_Up)
        assert table.currentIndex().row() == row
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Left)  # to its pair
    assert table.currentIndex().row() == 0
    qtbot.keyClick(table, Qt.Key.Key_Left)
    assert moments.rowCount() == 3
    assert choice.pair == (0, 1)
    index = moments.index(0, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == f"floor{DASH}crate, 4 contacts, closed"
    qtbot.keyClick(table, Qt.Key.Key_Right)
    assert moments.rowCount() == 7


def test_pairs_open_for_what_is_chosen_or_give_way_to_a_list(panel, window, qtbot):
    assert len(cells(panel, "Pair")) == 3
    panel.by_pair.click()
    assert len(cells(panel, "Pair")) == 9
    assert window.session.store.get(settings.CONTACTS_BY_PAIR) is False
    qtbot.keyClicks(panel.search, "tile")
    assert len(cells(panel, "Pair")) == 4
    assert panel.search.hidden.text() == "The filter hides 5: clear"
    panel.search.hidden.click()
    assert len(cells(panel, "Pair")) == 9
    panel.by_pair.click()
    moments, session = panel.contacts.moments, window.session
    snapshot = session.snapshot
    second = int(np.flatnonzero((snapshot.contact_sides() == (0, 2)).all(axis=1))[1])
    session.contact_choice.choose_pair((0, 2), session.loaded_model, snapshot, snapshot.contact("pos")[second])
    assert session.contact_choice.index == second
    assert moments.rowCount() == 7
    assert int(moments.order[panel.contacts.currentIndex().row()]) == second
    header = panel.contacts.horizontalHeader()
    gap = TITLES.index("Gap mm")
    panel.contacts.sortByColumn(gap, Qt.SortOrder.AscendingOrder)
    across = Qt.Orientation.Horizontal
    assert moments.headerData(gap, across) == "Gap mm \N{BLACK UP-POINTING SMALL TRIANGLE}"
    assert cells(panel, "Pair")[0] == f"floor{DASH}tile"
    panel.contacts.sortByColumn(gap, Qt.SortOrder.DescendingOrder)
    assert moments.headerData(gap, across) == "Gap mm \N{BLACK DOWN-POINTING SMALL TRIANGLE}"
    assert [moments.headerData(k, across) for k in range(len(TITLES)) if k != gap] == [t for t in TITLES if t != "Gap mm"]
    for k in range(len(TITLES)):
        panel.contacts.sortByColumn(k, Qt.SortOrder.DescendingOrder)
        font = moments.headerData(k, across, Qt.ItemDataRole.FontRole)
        wide = QFontMetrics(font).horizontalAdvance(str(moments.headerData(k, across)))
        assert wide + PADDING <= header.sectionSize(k), TITLES[k]  # the arrow has room
