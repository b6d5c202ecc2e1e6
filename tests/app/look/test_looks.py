"""Themes and sizes of text: shown at once everywhere, kept, and readable by the contrasts of WCAG 2.2."""

import re
from pathlib import Path

import pytest
from PyQt6.QtGui import QColor, QFontDatabase
from PyQt6.QtWidgets import QLabel

from tests.app.conftest import MODELS, open_and_wait, picture
from tumble import app
from tumble.app.base import settings
from tumble.app.look import relook, theme
from tumble.app.panels.table import BOTTOM
from tumble.app.preferences.looks import SCALES
from tumble.app.shell.layouts.sides import LOWEST
from tumble.app.widgets.scroll_area import SteadyScrollArea

pytestmark = pytest.mark.pumped


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


def test_a_theme_is_shown_at_once_taken_back_and_kept(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    window.panels.dock("signals").bring()
    window.panels.signals.add("time")
    before = kept(window)
    plain = picture(window.viewport)
    window.actions_by_name["theme_light"].trigger()
    light = theme.table("light")
    shown = kept(window)
    expected = {"ground": "field", "axis": "dim", "curve": "ink0", "mark": "ink0", "icon": "text", "window": "back"}
    assert shown == {name: light[ink] for name, ink in expected.items()}
    window.viewport.set_option("skybox", False)
    assert picture(window.viewport).pixelColor(3, 3).lightness() > 180  # behind the model, too
    window.viewport.set_option("skybox", True)
    window.actions_by_name["theme_dark"].trigger()
    assert kept(window) == before
    assert picture(window.viewport).size() == plain.size()
    window.actions_by_name["theme_light"].trigger()
    assert window.session.store.get(settings.THEME) == "light"
    assert window.actions_by_name["theme_light"].isChecked()
    window.actions_by_name["theme_system"].trigger()
    assert theme.name() == "dark"  # where the desktop says nothing


def test_text_scale_applies_everywhere_and_resets_exactly(window, qtbot):
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
def test_large_text_widens_docks_without_clipping(window, qtbot):
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


TEXT, LARGE = 4.5, 3.0  # least contrasts: of text; of curves, marks and what is disabled (which WCAG exempts)
INKS = ("text", "bright", "dim", "accent", "good", "warn", "bad")
GROUNDS = ("back", "panel", "field", "raised", "hover")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
VALUE = re.compile(r"#[0-9a-fA-F]{6}\b|QColor\(\d|setRgb\(")


def luminance(value):
    """Relative luminance of #rrggbb."""
    parts = [int(value[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """Between two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_measure_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)  # the grey that just passes, as often quoted


@pytest.mark.parametrize("name", theme.NAMES)
def test_every_text_is_readable_on_every_ground(name):
    inks = theme.table(name)
    assert [(i, g) for i in INKS for g in GROUNDS if contrast(inks[i], inks[g]) < TEXT] == []
    assert [g for g in GROUNDS if contrast(inks["disabled"], inks[g]) < LARGE] == []
    assert contrast(inks["disabled"], inks["field"]) >= TEXT  # numbers that cannot be edited are read all the same
    pairs = (("onaccent", "accent"), ("errortext", "errorback"), ("bright", "errorback"), ("text", "accentdim"), ("dim", "view"))
    assert [pair for pair in pairs if contrast(inks[pair[0]], inks[pair[1]]) < TEXT] == []


@pytest.mark.parametrize("name", theme.NAMES)
def test_curves_and_marks_are_seen_on_the_grounds_of_plots(name):
    inks = theme.table(name)
    curves = [ink for ink in inks if re.fullmatch(r"ink\d", ink)]
    assert len(curves) == len(theme.INKS)
    assert [ink for ink in curves for ground in ("field", "back", "panel") if contrast(inks[ink], inks[ground]) < LARGE] == []


@pytest.mark.parametrize("name", theme.NAMES)
def test_style_sheet_colours_meet_contrast_minimum(name):
    sheet = re.sub(r"/\*.*?\*/", "", (theme.RESOURCES / "themes" / "window.qss").read_text("utf-8"), flags=re.DOTALL)
    inks, seen, poor = theme.table(name), 0, []
    for selector, body in RULE.findall(sheet):
        colours = dict(re.findall(r"(?<![\w-])(color|background): @(\w+)", body))
        if len(colours) < 2:
            continue
        seen += 1
        least = LARGE if ":disabled" in selector else TEXT
        if contrast(inks[colours["color"]], inks[colours["background"]]) < least:
            poor.append(selector.strip())
    assert seen > 10
    assert poor == []


def test_model_colours_stay_readable_in_light_theme(qapp):
    theme.apply(qapp, "light")
    try:
        for value in ("#ffffff", "#f0e05a", "#56b4e9", "#101010"):
            assert contrast(theme.readable(QColor(value)).name(), theme.colours()["field"]) >= LARGE
    finally:
        theme.apply(qapp, "dark")
    assert theme.readable(QColor("#f0e05a")).name() == "#f0e05a"


def test_a_colour_of_one_theme_has_its_counterpart_in_the_other():
    dark, light = (theme.table(name) for name in theme.NAMES)
    assert list(dark) == list(light)
    values = [*dark.values(), *light.values()]
    assert len(set(values)) == len(values)  # from a value alone it is known what takes its place


@pytest.mark.parametrize("name", theme.NAMES)
def test_the_icons_of_the_style_sheet_are_in_the_theme(name):
    folder = theme.RESOURCES / "icons" / name
    inks = set(theme.table(name).values())
    sheet = (theme.RESOURCES / "themes" / "window.qss").read_text("utf-8")
    used = set(re.findall(r"@icons/(\w+\.svg)", sheet))
    assert used == {path.name for path in folder.iterdir()}
    for path in folder.iterdir():
        assert set(re.findall(r"#[0-9a-f]{6}", path.read_text("utf-8"))) <= inks, path.name


def test_no_colour_is_written_outside_of_the_themes():
    room = Path(app.__path__[0])
    colours = [
        f"{path.relative_to(room)}:{k}"
        for path in sorted(room.rglob("*.py"))
        for k, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if VALUE.search(line)
    ]
    assert colours == []
