"""The looks of the window: the palette, the style sheet and the icons, all from resources/."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from pathlib import Path

from PyQt6.QtCore import QByteArray, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPalette, QPixmap
from PyQt6.QtSvg import QSvgRenderer
from PyQt6.QtWidgets import QApplication

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
# Fonts made for screens, the best first; the first that is installed is used.
SANS = ("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "Ubuntu", "Cantarell", "DejaVu Sans")
MONO = ("JetBrains Mono", "Cascadia Mono", "SF Mono", "Noto Sans Mono", "Ubuntu Mono", "DejaVu Sans Mono")
ICON_SIZES = (16, 20, 24, 32, 48)
# Colours of curves and their counterparts elsewhere, distinct on a dark background, also for colour-blind users.
INKS = ("#56b4e9", "#f2913d", "#6cc28a", "#e87fb0", "#f0e05a", "#b9a2f0", "#5fd3d0", "#e5635c")


@cache
def colours() -> dict[str, str]:
    """The theme's colours by name, as #rrggbb."""
    with (RESOURCES / "themes" / "dark.toml").open("rb") as file:
        return {name: str(value) for name, value in tomllib.load(file)["colours"].items()}


def colour(name: str, alpha: int = 255) -> QColor:
    """A colour of the theme; alpha 0..255."""
    result = QColor(colours()[name])
    result.setAlpha(alpha)
    return result


def apply(app: QApplication) -> None:
    """Give the application the theme."""
    app.setStyle("Fusion")
    app.setPalette(_palette())
    app.setFont(sans())
    sheet = (RESOURCES / "themes" / "dark.qss").read_text("utf-8")
    for name, value in sorted(colours().items(), key=lambda item: -len(item[0])):
        sheet = sheet.replace(f"@{name}", value)
    sheet = sheet.replace("@icons", (RESOURCES / "icons").as_posix())
    app.setStyleSheet(sheet)


def sans(points: float = 9.5, *, bold: bool = False) -> QFont:
    """The font of the interface."""
    return _font(SANS, points, bold)


def mono(points: float = 9.5, *, bold: bool = False) -> QFont:
    """The font of numbers and paths."""
    return _font(MONO, points, bold)


def _font(families: tuple[str, ...], points: float, bold: bool) -> QFont:
    installed = set(QFontDatabase.families())
    font = QFont(next((name for name in families if name in installed), families[-1]))
    font.setPointSizeF(points)
    font.setBold(bold)
    return font


def icon(name: str, ink: str = "text") -> QIcon:
    """An icon of resources/icons, its lines (`currentColor`) drawn in a colour of the theme, dimmed when disabled."""
    return _drawn(name, colours()[ink], colours()["disabled"])


@lru_cache(maxsize=256)
def _drawn(name: str, normal: str, disabled: str) -> QIcon:
    result = QIcon()
    for mode, ink in ((QIcon.Mode.Normal, normal), (QIcon.Mode.Disabled, disabled)):
        renderer = QSvgRenderer(_svg(name, ink))
        for size in ICON_SIZES:
            result.addPixmap(_render(renderer, size), mode)
    return result


@lru_cache(maxsize=256)
def swatch(ink: str) -> QIcon:
    """A square of a colour (#rrggbb), the same where the row is selected: Qt would tint it."""
    pixmap = QPixmap(10, 10)
    pixmap.fill(QColor(ink))
    result = QIcon()
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
        result.addPixmap(pixmap, mode)
    return result


def app_icon() -> QIcon:
    """The icon of the application."""
    result = QIcon()
    renderer = QSvgRenderer(str(RESOURCES / "icons" / "tumble.svg"))
    for size in (16, 24, 32, 48, 64, 128, 256):
        result.addPixmap(_render(renderer, size))
    return result


def _svg(name: str, ink: str) -> QByteArray:
    text = (RESOURCES / "icons" / f"{name}.svg").read_text("utf-8")
    return QByteArray(text.replace("currentColor", ink).encode())


def _render(renderer: QSvgRenderer, size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
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
