"""Room for the view at 1280 x 800, sides that fold to their tabs, and layouts by name."""

from itertools import pairwise

import pytest
from PyQt6.QtCore import QEvent, QPoint, Qt
from PyQt6.QtGui import QHelpEvent, QImage, QPainter
from PyQt6.QtWidgets import QApplication, QLabel, QMenu, QTabBar, QToolTip, QTreeWidget, QTreeWidgetItem, QWidget, QWidgetAction

from tests.app.conftest import MODELS, open_and_wait, opened_window
from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.look.actions import plain
from tumble.app.panels.collision.collision_panel import GeomCombo
from tumble.app.panels.table import BOTTOM, LEFT, RIGHT
from tumble.app.shell.layouts.layout_desk import PRESETS
from tumble.app.shell.layouts.own_layouts import OwnLayouts
from tumble.app.widgets.dock import level
from tumble.app.widgets.plot import make_plot
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.tables import tip_where_cut

pytestmark = pytest.mark.pumped

BUTTON = Qt.MouseButton.LeftButton

BELOW = ("contacts", "contact_events", "collision", "solver", "forks", "signals", "timeline", "log")


def share(window):
    """The view's part of the window's area."""
    return window.viewport.width() * window.viewport.height() / (window.width() * window.height())


def ready(window, qtbot):
    window.setAnimated(False)
    window.resize(1280, 800)
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")


def opened(window):
    """The panels that are open, and whether each is in front."""
    return {dock.objectName(): not dock.visibleRegion().isEmpty() for dock in window.docks if dock.isVisible()}


def whole(panel):
    """Whether a panel is seen from its top to its bottom."""
    area = panel.findChild(SteadyScrollArea)  # the first one is that of the dock
    return area.widget().height() <= area.viewport().height()


def tab_bar(window, title):
    """The tab bar of docks in which there is a title."""
    for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        for k in range(bar.count()):
            if bar.tabText(k) == title and bar.isVisible():
                return bar, k
    raise AssertionError(f"no tab {title}")


def test_the_view_keeps_45_percent_whatever_is_opened(window, qtbot):
    ready(window, qtbot)
    qtbot.waitUntil(lambda: share(window) >= 0.45)
    for key in BELOW:
        toggle = window.panels.dock(key).toggleViewAction()
        toggle.trigger()
        qtbot.waitUntil(lambda: share(window) >= 0.45)
        assert window.panels.dock(key).height() >= 150, key
        qtbot.waitUntil(lambda: whole(window.panels.dock(key).panel))  # noqa: B023  at once
        toggle.trigger()
    # With nothing below, the side that had made room is back.
    qtbot.waitUntil(lambda: opened(window).get("joints", False))
    qtbot.waitUntil(lambda: share(window) >= 0.45)
    window.panels.dock("timeline").bring()
    qtbot.wait(150)  # the left side may have folded for it
    window.panels.dock("keyframes").bring()
    qtbot.wait(150)
    assert window.panels.keyframes.isVisible()
    assert window.panels.timeline.isVisible()


def test_presets_and_own_layouts_show_what_they_are_for(window, qtbot):
    ready(window, qtbot)
    for preset in PRESETS:
        window.actions_by_name[preset.action].trigger()
        qtbot.waitUntil(lambda: share(window) >= 0.45)
        folded = window.layouts.sides.of(LEFT).folded
        hidden = set(folded.keys) if folded is not None else set()
        assert set(opened(window)) | hidden == set(preset.open)
        assert window.width() == 1280
        sides = {window.panels.side(key): key for key in reversed(preset.open)}
        assert all(opened(window)[key] for key in sides.values() if key not in hidden)
        if "solver" in preset.open:
            assert window.panels.solver.convergence.plot.height() >= 75
    layouts = window.layouts
    window.actions_by_name["layout_film"].trigger()
    qtbot.waitUntil(lambda: opened(window).get("timeline", False))
    expected = opened(window)
    layouts.dialog.appear()
    layouts.dialog.name.setText("Mine")
    layouts.dialog.save.click()
    window.actions_by_name["layout_simulate"].trigger()
    qtbot.waitUntil(lambda: "timeline" not in opened(window))
    layouts.dialog.list.item(0).setText("")
    assert "needs a name" in layouts.dialog.problem.text()
    layouts.dialog.list.item(0).setText("Ours")
    assert layouts.own.names() == ["Ours"]
    layouts.show("Ours")
    qtbot.waitUntil(lambda: opened(window) == expected)
    layouts.dialog.list.setCurrentRow(0)
    layouts.dialog.delete.click()
    assert layouts.own.names() == []
    layouts.dialog.close()


def test_bottom_dock_folds_by_front_tab_and_unfolds_unchanged(window, qtbot):
    ready(window, qtbot)
    window.actions_by_name["layout_contact"].trigger()
    qtbot.waitUntil(lambda: share(window) >= 0.45)
    window.panels.dock("collision").raise_()
    qtbot.waitUntil(lambda: opened(window)["collision"])
    before, height = opened(window), window.panels.dock("collision").height()
    bar, at = tab_bar(window, "Collision")
    qtbot.mouseClick(bar, BUTTON, pos=bar.tabRect(at).center())
    side = window.layouts.sides.of(BOTTOM)
    qtbot.waitUntil(lambda: side.folded is not None and not window.panels.dock("collision").isVisible())
    assert [side.tabs.tabText(k) for k in range(side.tabs.count())] == ["Contacts", "Contact events", "Collision"]
    assert side.strip.isVisible()
    assert side.strip.height() < 40
    qtbot.mouseClick(side.tabs, BUTTON, pos=side.tabs.tabRect(2).center())
    qtbot.waitUntil(lambda: opened(window) == before)
    qtbot.waitUntil(lambda: abs(window.panels.dock("collision").height() - height) < 5)
    window.panels.dock("collision").findChild(object, "chevron").click()
    qtbot.waitUntil(lambda: side.folded is not None)
    window.actions_by_name["fold_bottom"].trigger()
    qtbot.waitUntil(lambda: opened(window) == before)
    bar, at = tab_bar(window, "Contacts")  # another tab than the one in front only comes to the front
    qtbot.mouseClick(bar, BUTTON, pos=bar.tabRect(at).center() + QPoint(1, 0))
    qtbot.waitUntil(lambda: opened(window)["contacts"])
    assert side.folded is None


@pytest.mark.usefixtures("no_threads_left", "_panels_prepared")
def test_the_next_start_shows_the_layout_with_its_folded_sides(qtbot, tmp_path):
    with opened_window(qtbot, tmp_path) as window:
        window.setAnimated(False)
        window.actions_by_name["layout_contact"].trigger()
        qtbot.waitUntil(lambda: opened(window).get("contacts", False))
        window.actions_by_name["fold_bottom"].trigger()
        window.layouts.sides.of(RIGHT).fold()
        window.close()
    with opened_window(qtbot, tmp_path) as window:
        assert window.layouts.sides.of(BOTTOM).strip.isVisible()
        tabs = window.layouts.sides.of(RIGHT).tabs
        assert tabs.width() >= tabs.sizeHint().width() > 0  # whole names can be read
        assert "contacts" not in opened(window)
        window.actions_by_name["fold_bottom"].trigger()
        qtbot.waitUntil(lambda: opened(window).get("contacts", False))
        assert "collision" in opened(window)
        window.close()


def bar_of(window, key):
    """The bar with the tab of a panel."""
    return tab_bar(window, window.panels.dock(key).windowTitle())[0]


def tab_is_seen(bar, k):
    return bar.rect().contains(bar.tabRect(k)) and bar.tabRect(k).width() > 30


def test_all_dock_tabs_are_visible_with_full_names_as_tooltips(window, qtbot):
    ready(window, qtbot)
    window.layouts.sides.make_room_soon()
    for dock in window.docks:
        dock.show()
    for key, count in (("log", 17), ("keyframes", 4), ("camera_path", 8)):
        window.panels.dock(key).bring()
        qtbot.waitUntil(lambda: bar_of(window, key).count() == count)  # noqa: B023  at once
        qtbot.waitUntil(lambda: all(tab_is_seen(bar_of(window, key), k) for k in range(count)))  # noqa: B023
        bar = bar_of(window, key)
        assert [bar.tabToolTip(k) for k in range(count)] == [bar.tabText(k) for k in range(count)]
    for key in ("solver", "signals"):
        for dock in window.panels.of_side(window.panels.side(key)):
            if dock.objectName() not in ("solver", "signals"):
                dock.hide()
    qtbot.waitUntil(lambda: bar_of(window, "solver").count() == 2)
    qtbot.waitUntil(lambda: "padding: 4px 9px" in bar_of(window, "solver").styleSheet())  # there is room again


def test_the_longest_tabs_are_cut_first():
    assert level([20, 30, 100, 200], 400) == 200
    assert level([20, 30, 100, 200], 250) == 100
    assert level([20, 30, 100, 200], 150) == 50
    assert level([20, 30, 100, 200], 60) == 15


def drag(window, qtbot, dock, pixels):
    """Drag the separator over a dock."""
    at = QPoint(dock.geometry().center().x(), dock.geometry().top() - 3)
    before = dock.height()
    qtbot.mousePress(window, BUTTON, pos=at)
    qtbot.mouseMove(window, at + QPoint(0, pixels))
    qtbot.waitUntil(lambda: dock.height() != before)
    qtbot.mouseRelease(window, BUTTON, pos=at + QPoint(0, pixels))


@pytest.mark.usefixtures("no_threads_left", "_panels_prepared")
def test_dragged_bottom_dock_height_survives_restart(qtbot, tmp_path):
    with opened_window(qtbot, tmp_path, size=(1280, 1000)) as window:
        window.setAnimated(False)
        log, timeline = window.panels.dock("log"), window.panels.dock("timeline")
        log.bring()
        qtbot.waitUntil(lambda: log.height() == window.panels.height("log"))
        drag(window, qtbot, log, -210)
        qtbot.waitUntil(lambda: window.layouts.sides.heights.chosen(log) is not None)
        high = log.height()
        assert high > window.panels.height("log") + 150
        timeline.bring()
        qtbot.waitUntil(lambda: timeline.height() == window.panels.height("timeline"))
        timeline.hide()
        log.bring()
        qtbot.waitUntil(lambda: log.height() == high)
        log.hide()
        window.close()
    with opened_window(qtbot, tmp_path, size=(1280, 1000)) as window:
        window.setAnimated(False)
        log = window.panels.dock("log")
        log.bring()
        qtbot.waitUntil(lambda: log.height() == high)
        window.close()


def test_stored_heights_that_no_panel_can_have_are_left_out(qtbot, tmp_path):
    store = Settings(tmp_path / "settings.json")
    store.put(settings.PANEL_HEIGHTS, {"log": -5})
    store.sync()
    with opened_window(qtbot, tmp_path) as window:
        log = window.panels.dock("log")
        assert window.layouts.sides.heights.of(log) == window.panels.height("log")
        window.close()


def test_window_menu_lists_all_panels_under_group_headings(window):
    menu = next(menu for menu in window.menuBar().findChildren(QMenu) if plain(menu.title()) == "Window")
    found = {}
    for action in menu.actions():
        if isinstance(action, QWidgetAction):
            heading = action.defaultWidget()
            assert isinstance(heading, QLabel)
            found[heading.text()] = []
        elif action.isSeparator():
            break
        else:
            list(found.values())[-1].append(plain(action.text()))
    assert found == {group: [dock.windowTitle() for dock in docks] for group, docks in window.panels.groups().items()}
    assert sorted(title for titles in found.values() for title in titles) == sorted(dock.windowTitle() for dock in window.docks)


def test_what_is_cut_is_in_a_tip(qtbot):
    room = QWidget()
    qtbot.addWidget(room)
    table = QTreeWidget(room)
    table.setHeaderLabels(["name", "value"])
    table.addTopLevelItem(QTreeWidgetItem(["cdof[elbow, rotation about x]", "1"]))
    table.setColumnWidth(0, 70)
    tip_where_cut(room)
    room.show()
    at = QPoint(20, table.visualItemRect(table.topLevelItem(0)).center().y())
    viewport = table.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, at, viewport.mapToGlobal(at)))
    assert QToolTip.text() == "cdof[elbow, rotation about x]"
    QToolTip.hideText()
    combo = GeomCombo("first geom")
    qtbot.addWidget(combo)
    combo.resize(90, 26)
    combo.show()
    combo.offer(["left_front_outer_wheel_rim", "floor"])
    combo.show_geom(0)
    assert combo.lineEdit().cursorPosition() == 0
    assert "left_front_outer_wheel_rim" in combo.toolTip()


def labels_of(plot):
    """Where the left and the lower axis write numbers."""
    image = QImage(8, 8, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    specs = [plot.getAxis(side).generateDrawSpecs(painter) for side in ("left", "bottom")]
    painter.end()
    return [[place for place, _, _ in labels] for _, _, labels in specs]


def test_a_plot_draws_no_axes_labels_or_titles_that_would_be_cut(qtbot):
    plot = make_plot("force", "time")
    qtbot.addWidget(plot)
    plot.resize(240, 110)
    plot.show()
    qtbot.waitExposed(plot)
    assert labels_of(plot) == [[], []]
    curve = plot.plot([0, 1, 2], [0, 1e3, 5e3])
    plot.grab()  # which fits the axes
    drawn = labels_of(plot)
    assert all(len(places) > 1 for places in drawn)
    assert not any(a.intersects(b) for places in drawn for a, b in pairwise(places))
    curve.setData([], [])
    assert labels_of(plot) == [[], []]
    plot = make_plot("distance [m]", "")
    qtbot.addWidget(plot)
    plot.show()
    for height, shown in ((300, True), (70, False), (300, True)):
        plot.resize(240, height)
        assert plot.getAxis("left").label.isVisible() == shown


def test_layouts_of_one_name_in_a_file_are_one(tmp_path):
    """A start with 1,751 of them took over ten seconds: each was shown, after a look at all."""
    store = Settings(tmp_path / "settings.json")
    store.put(settings.OWN_LAYOUTS, [{"name": "mine", "state": text, "folded": [], "views": {}} for text in ("AAAA", "AAAB")])
    own = OwnLayouts(store)
    assert own.names() == ["mine"]
    assert own.get("mine") == own.all()[-1]
    assert own.all()[0].state == b"\x00\x00\x01"
