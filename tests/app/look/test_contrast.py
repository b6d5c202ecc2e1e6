"""Every text can be read and every curve be seen, in both themes: contrasts by WCAG 2.2, computed from the themes themselves."""

import re
from pathlib import Path

import pytest
from PyQt6.QtGui import QColor

from tumble import app
from tumble.app.look import theme

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
def test_what_the_style_sheet_writes_is_readable_on_what_it_paints(name):
    sheet = re.sub(r"/\*.*?\*/", "", (theme.RESOURCES / "themes" / "window.qss").read_text("utf-8"), flags=re.DOTALL)
    inks, seen, poor = theme.table(name), 0, []
    for selector, body in RULE.findall(sheet):
        said = dict(re.findall(r"(?<![\w-])(color|background): @(\w+)", body))
        if len(said) < 2:
            continue
        seen += 1
        least = LARGE if ":disabled" in selector else TEXT
        if contrast(inks[said["color"]], inks[said["background"]]) < least:
            poor.append(selector.strip())
    assert seen > 10
    assert poor == []


def test_a_colour_of_the_model_is_seen_as_a_curve_on_the_light_theme(qapp):
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
    found = [
        f"{path.relative_to(room)}:{k}"
        for path in sorted(room.rglob("*.py"))
        for k, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if VALUE.search(line)
    ]
    assert found == []
