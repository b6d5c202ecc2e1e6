"""Another theme or size of text is shown at once, everywhere, and again at the next start."""

import pytest
from PyQt6.QtGui import QColor, QFontDatabase
from PyQt6.QtWidgets import QLabel

from tests.app.conftest import MODELS, open_and_wait, picture
from tumble.app.base import settings
from tumble.app.look import relook, theme
from tumble.app.panels.table import BOTTOM
from tumble.app.preferences.looks import SCALES
from tumble.app.shell.layouts.sides import LOWEST
from tumble.app.widgets.scroll_area import SteadyScrollArea


@pytest.fixture(autouse=True)
def _as_it_was(qapp):
    yield
    relook.follow(qapp, "dark", 1.0)


def kept(window):
    """A colour of each thing that keeps one: a plot, its axis and a curve; a style sheet; rich text; an icon; a row."""
    pane = window.panels.signals.panes[0]
    entry = next(iter(pane.entries.values()))
    mark = next(label for label in entry.findChildren(QLabel) if "color" in label.styleSheet())
    image = window.actions_by_name["open"].icon().pixmap(48).toImage()
    inks = {image.pixelColor(x, y).name() for x in range(48) for y in range(48) if image.pixelColor(x, y).alpha() == 255}
    return {
        "ground": pane.plot.backgroundBrush().color().name(),
        "axis": pane.plot.getAxis("left").textPen().color().name(),
        "curve": QColor(pane._curves["time"][1].opts["pen"].color()).name(),
        "mark": mark.styleSheet().split()[-1],
        "icon": max(inks, default=""),
        "window": window.palette().window().color().name(),
    }


def test_a_theme_is_shown_at_once_by_all_that_is_there_and_taken_back(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    window.panels.dock("signals").bring()
    window.panels.signals.add("time")
    before = kept(window)
    plain = picture(window.viewport)
    window.actions_by_name["theme_light"].trigger()
    light = theme.table("light")
    shown = kept(window)
    wanted = {"ground": "field", "axis": "dim", "curve": "ink0", "mark": "ink0", "icon": "text", "window": "back"}
    assert shown == {name: light[ink] for name, ink in wanted.items()}
    window.viewport.set_option("skybox", False)
    assert picture(window.viewport).pixelColor(3, 3).lightness() > 180  # behind the model, too
    window.viewport.set_option("skybox", True)
    window.actions_by_name["theme_dark"].trigger()
    assert kept(window) == before
    assert picture(window.viewport).size() == plain.size()


def test_text_grows_and_shrinks_everywhere_and_comes_back_exactly(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    row = window.panels.parameters.findChildren(QLabel)
    before = [label.font().pointSizeF() for label in row]
    window.looks.set_scale(1.75)
    window.actions_by_name["larger_text"].trigger()
    window.actions_by_name["larger_text"].trigger()
    assert theme.scale() == SCALES[-1] == 2.0
    assert [label.font().pointSizeF() for label in row] == pytest.approx([2 * size for size in before])
    assert window.session.store.get(settings.FONT_SCALE) == 2.0  # and at the next start
    window.actions_by_name["normal_text"].trigger()
    assert [label.font().pointSizeF() for label in row] == pytest.approx(before)


@pytest.mark.slow
def test_with_large_text_the_sides_are_wider_and_the_bottom_is_higher(window, qtbot):
    window.setAnimated(False)
    window.resize(1280, 800)
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    panels, side = window.panels, window.layouts.sides.of(BOTTOM)
    window.actions_by_name["layout_film"].trigger()
    qtbot.waitUntil(lambda: panels.dock("timeline").isVisible() and side.size_of(panels.dock("timeline")) < 230)
    window.looks.set_scale(1.5)
    window.actions_by_name["layout_film"].trigger()
    qtbot.waitUntil(lambda: side.size_of(panels.dock("timeline")) >= 1.5 * LOWEST)
    window.layouts.reset()
    for key in ("joints", "control", "parameters", "camera_path"):
        dock = panels.dock(key)
        dock.bring()
        area = dock.panel.findChild(SteadyScrollArea)
        qtbot.waitUntil(lambda: area.widget().width() <= area.viewport().width())  # noqa: B023  nothing is cut


def test_the_theme_chosen_is_that_of_the_next_start(window):
    window.actions_by_name["theme_light"].trigger()
    assert window.session.store.get(settings.THEME) == "light"
    assert window.actions_by_name["theme_light"].isChecked()
    window.actions_by_name["theme_system"].trigger()
    assert theme.name() == "dark"  # where the desktop says nothing


def test_a_system_without_our_fonts_shows_its_own(qapp, monkeypatch):
    """As macOS, which names none of its fonts, and whose points are smaller."""
    for name, font, own in (
        ("SANS", theme.sans, QFontDatabase.SystemFont.GeneralFont),
        ("MONO", theme.mono, QFontDatabase.SystemFont.FixedFont),
    ):
        size = font(9.0).pointSizeF()
        monkeypatch.setattr(theme, name, ("No Such Font",))
        assert font(9.0).family() == QFontDatabase.systemFont(own).family()
        monkeypatch.setattr(theme, "POINT", 4 / 3)
        assert font(9.0).pointSizeF() == pytest.approx(4 / 3 * size, abs=0.01)
        monkeypatch.setattr(theme, "POINT", 1.0)
