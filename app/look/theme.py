"""The looks of the window: the palette, the style sheet and the icons, all from resources/."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import overload

from msgspec import Struct
from PyQt6.QtCore import QByteArray, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PyQt6.QtGui import QBrush, QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PyQt6.QtSvg import QSvgRenderer
from PyQt6.QtWidgets import QApplication

import tumble

RESOURCES = Path(tumble.__file__).with_name("resources")
# Fonts made for screens, the best first; the first that is installed is used.
SANS = ("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "Ubuntu", "Cantarell", "DejaVu Sans")
MONO = ("JetBrains Mono", "Cascadia Mono", "SF Mono", "Noto Sans Mono", "Ubuntu Mono", "DejaVu Sans Mono")
POINT = 4 / 3 if sys.platform == "darwin" else 1.0  # 9.5 points elsewhere are 13 on macOS, whose points are pixels
NAMES = ("dark", "light")
CURVE_LUMINANCE = 0.29  # the most that has a contrast of 3 on the light theme's plots
SMALLEST, LARGEST = 0.8, 2.0  # scales of the fonts


class _Look(Struct):
    """The theme that is shown, and the scale of all fonts."""

    theme: str = "dark"
    scale: float = 1.0


_look = _Look()


@cache
def table(name: str) -> dict[str, str]:
    """The colours of a theme by name, as #rrggbb."""
    with (RESOURCES / "themes" / f"{name}.toml").open("rb") as file:
        return {ink: str(value) for ink, value in tomllib.load(file)["colours"].items()}


@cache
def _names() -> dict[str, str]:
    """The name of every value of every theme."""
    return {value: ink for name in NAMES for ink, value in table(name).items()}


def colours() -> dict[str, str]:
    """The present theme's colours by name, as #rrggbb."""
    return table(_look.theme)


def colour(name: str, alpha: int = 255) -> QColor:
    """A colour of the theme; alpha 0..255."""
    result = QColor(colours()[name])
    result.setAlpha(alpha)
    return result


def shown(value: str) -> str:
    """Map a colour #rrggbb of another theme to the present theme; other colours are unchanged."""
    ink = _names().get(value.lower())
    return value if ink is None else colours()[ink]


def ink(value: str, alpha: int = 255) -> QColor:
    """A colour by its name in the theme, or by its value #rrggbb in any theme; alpha 0..255."""
    result = QColor(shown(value) if value.startswith("#") else colours()[value])
    result.setAlpha(alpha)
    return result


def readable(colour: QColor) -> QColor:
    """A colour of the model's, such as an island's, as a curve on the light theme shows it: dark enough to be seen."""
    result = QColor(colour)
    while _look.theme == "light" and _luminance(result) > CURVE_LUMINANCE:
        result = result.darker(110)
    return result


def _luminance(colour: QColor) -> float:
    """Relative luminance by WCAG 2.2."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class _Inks(Sequence[str]):
    """Colours of curves and their counterparts elsewhere, as the present theme shows them."""

    def __len__(self) -> int:
        return 8

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        all_of_them = [colours()[f"ink{k}"] for k in range(len(self))]
        return all_of_them[at]


INKS = _Inks()


def name() -> str:
    """The present theme, one of NAMES."""
    return _look.theme


def scale() -> float:
    """Scale factor of all fonts; 1: as declared."""
    return _look.scale


def apply(app: QApplication, theme: str = "dark", size: float = 1.0) -> None:
    """Set theme, one of NAMES, and font scale of the application. Existing widgets are updated by `relook.follow`."""
    _look.theme, _look.scale = theme, min(max(size, SMALLEST), LARGEST)
    app.setStyle("Fusion")
    app.setPalette(_palette())
    app.setFont(sans())
    app.setStyleSheet(_sheet())


def _sheet() -> str:
    """The style sheet with the colours and the icons of the theme in their places."""
    sheet = (RESOURCES / "themes" / "window.qss").read_text("utf-8")
    for ink, value in sorted(colours().items(), key=lambda item: -len(item[0])):
        sheet = sheet.replace(f"@{ink}", value)
    return sheet.replace("@icons", (RESOURCES / "icons" / _look.theme).as_posix())


def sans(points: float = 9.5, *, bold: bool = False) -> QFont:
    """The font of the interface."""
    return _font(SANS, QFontDatabase.SystemFont.GeneralFont, points, bold)


def mono(points: float = 9.5, *, bold: bool = False) -> QFont:
    """The font of numbers and paths."""
    return _font(MONO, QFontDatabase.SystemFont.FixedFont, points, bold)


def _font(families: tuple[str, ...], other: QFontDatabase.SystemFont, points: float, bold: bool) -> QFont:
    """The first installed family, else the system font, as on macOS, which does not list its own."""
    installed = set(QFontDatabase.families())
    name = next((name for name in families if name in installed), "")
    font = QFont(name) if name else QFontDatabase.systemFont(other)
    font.setPointSizeF(points * POINT * _look.scale)
    font.setBold(bold)
    return font


def icon(name: str, ink: str = "text") -> QIcon:
    """An icon of resources/icons, its lines (`currentColor`) drawn in a colour of the theme, dimmed when disabled."""
    return _drawn(name, colours()[ink], colours()["disabled"])


def icon_now(old: QIcon) -> QIcon | None:
    """An icon made by `icon`, `swatch` or `made_by` in the present theme; None if it is up to date, or not made here."""
    theme, again = _origins.get(old.cacheKey(), (_look.theme, None))
    return None if theme == _look.theme or again is None else again()


def made_by(icon: QIcon, again: Callable[[], QIcon]) -> QIcon:
    """Register an icon with the function that redraws it for another theme; returns the icon."""
    _origins[icon.cacheKey()] = _look.theme, again
    return icon


# The theme of each icon that was made, and what makes it again, by the icon's key.
_origins: dict[int, tuple[str, Callable[[], QIcon]]] = {}


@lru_cache(maxsize=256)
def _drawn(name: str, normal: str, disabled: str) -> QIcon:
    return made_by(QIcon(_Lines(name, normal, disabled)), lambda: _drawn(name, shown(normal), colours()["disabled"]))


class _Lines(QIconEngine):
    """Draws an icon on first paint, in the requested size: most are in menus that are never opened."""

    def __init__(self, name: str, normal: str, disabled: str) -> None:
        super().__init__()
        self._name, self._normal, self._disabled = name, normal, disabled
        self._pixmaps: dict[tuple[int, int, str], QPixmap] = {}

    def paint(self, painter: QPainter | None, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Called by Qt."""
        QSvgRenderer(_svg(self._name, self._ink(mode))).render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Called by Qt, whenever a button is painted; cached."""
        key = size.width(), size.height(), self._ink(mode)
        if key not in self._pixmaps:
            self._pixmaps[key] = _render(QSvgRenderer(_svg(self._name, key[2])), size)
        return self._pixmaps[key]

    def clone(self) -> QIconEngine:
        """Called by Qt."""
        return _Lines(self._name, self._normal, self._disabled)

    def _ink(self, mode: QIcon.Mode) -> str:
        return self._disabled if mode == QIcon.Mode.Disabled else self._normal


def swatch(ink: str) -> QIcon:
    """A square of a colour (#rrggbb), the same where the row is selected: Qt would tint it."""
    return _square(shown(ink))


@lru_cache(maxsize=256)
def _square(ink: str) -> QIcon:
    pixmap = QPixmap(10, 10)
    pixmap.fill(QColor(ink))
    result = QIcon()
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
        result.addPixmap(pixmap, mode)
    return made_by(result, lambda: _square(shown(ink)))


def app_icon() -> QIcon:
    """The icon of the application."""
    result = QIcon()
    renderer = QSvgRenderer(str(RESOURCES / "icons" / "tumble.svg"))
    for size in (16, 24, 32, 48, 64, 128, 256):
        result.addPixmap(_render(renderer, QSize(size, size)))
    return result


def _svg(name: str, ink: str) -> QByteArray:
    text = (RESOURCES / "icons" / f"{name}.svg").read_text("utf-8")
    return QByteArray(text.replace("currentColor", ink).encode())


def _render(renderer: QSvgRenderer, size: QSize) -> QPixmap:
    pixmap = QPixmap(size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(QPointF(), QSizeF(size)))
    painter.end()
    return pixmap


def _palette() -> QPalette:
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    palette = QPalette()
    for where, name in {
        role.Window: "panel",
        role.WindowText: "text",
        role.Base: "field",
        role.AlternateBase: "panel",
        role.Text: "text",
        role.PlaceholderText: "dim",
        role.Button: "raised",
        role.ButtonText: "text",
        role.BrightText: "bright",
        role.ToolTipBase: "raised",
        role.ToolTipText: "text",
        role.Highlight: "accent",
        role.HighlightedText: "bright",
        role.Link: "accent",
        role.Light: "raised",
        role.Midlight: "raised",
        role.Mid: "line",
        role.Dark: "back",
        role.Shadow: "back",
    }.items():
        palette.setColor(where, colour(name))
    for where in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(group.Disabled, where, colour("disabled"))
    return palette


_HEX = re.compile(r"#[0-9a-fA-F]{6}\b")


def text_now(text: str) -> str:
    """A style sheet or rich text with the colours of the present theme."""
    return _HEX.sub(lambda found: shown(found[0]), text)


def brush_now(brush: QBrush) -> QBrush:
    """A brush in the colour of the present theme; its alpha stays."""
    result = QBrush(brush)
    result.setColor(colour_now(brush.color()))
    return result


def colour_now(colour: QColor) -> QColor:
    """A colour as the present theme shows it; its alpha stays."""
    return ink(colour.name(), colour.alpha())


def grown_font(font: QFont, grown: float) -> QFont:
    """A font with its size multiplied."""
    result = QFont(font)
    if font.pointSizeF() > 0:
        result.setPointSizeF(font.pointSizeF() * grown)
    return result
