"""Figures, words and rectangles over a picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from tumble.physics.errors import ModelError
from tumble.physics.state.enums import mjtFont, mjtGridPos
from tumble.render.mjr.context import MjrContext, MjrRect, current
from tumble.render.mjr.flat import font, text_size
from tumble.render.mjv.structs import MAXLINE, MAXLINEPNT, MjvFigure

Range = tuple[float, float]
Frame = tuple[int, int, int, int]  # of the pane: left, top, right, bottom, from the top left
_SMALL = 0.7  # a figure's letters against those of an overlay


def _ink(rgba: NDArray[np.float32]) -> tuple[int, int, int, int]:
    channels = [round(255 * float(min(max(c, 0.0), 1.0))) for c in rgba]
    red, green, blue, alpha = channels if len(channels) == 4 else [*channels, 255]
    return red, green, blue, alpha


def _lines(fig: MjvFigure) -> list[tuple[int, NDArray[np.float64]]]:
    """The lines that have points: their number and (n, 2) points."""
    counts = np.clip(fig.linepnt, 0, MAXLINEPNT)
    return [(i, fig.linedata[i, : 2 * counts[i]].reshape(-1, 2).astype(float)) for i in range(MAXLINE) if counts[i] > 0]


def _range(fig: MjvFigure, axis: int, lines: list[tuple[int, NDArray[np.float64]]]) -> Range:
    """Range of an axis: its given range, extended to the data where requested or without a given one."""
    low, high = (float(v) for v in fig.range[axis])
    fixed = low < high
    if lines and (fig.flg_extend or not fixed):
        values = np.concatenate([points[:, axis] for _, points in lines])
        values = values[np.isfinite(values)]
        if len(values):
            low = min(low, float(values.min())) if fixed else float(values.min())
            high = max(high, float(values.max())) if fixed else float(values.max())
    if axis == 1 and fig.flg_symmetric:
        high = max(abs(low), abs(high))
        low = -high
    return (low, high) if high > low else (low, low + 1.0)


def _number(form: str, value: float) -> str:
    """A number in C's format; plain if the format is invalid."""
    try:
        return form % value
    except (TypeError, ValueError):
        return f"{value:.3g}"


def mjr_figure(viewport: MjrRect, fig: MjvFigure, con: MjrContext) -> None:
    """Draw a figure into a rectangle of the buffer: grid, lines, title, axis, legend.

    Writes the layout of the axes into the figure: xaxispixel, yaxispixel, xaxisdata, yaxisdata.
    """
    target = con.target()
    width, height = viewport.width, viewport.height
    if width < 1 or height < 1:
        return
    scale = max(50, round(_SMALL * con.fontScale))
    image = Image.new("RGBA", (width, height), _ink(fig.figurergba))
    draw = ImageDraw.Draw(image, "RGBA")
    lines = _lines(fig)
    ranges = _range(fig, 0, lines), _range(fig, 1, lines)
    pane = _pane(fig, width, height, scale)
    draw.rectangle(pane, _ink(fig.panergba))
    _grid(draw, fig, pane, ranges, scale)
    _curves(draw, fig, lines, pane, ranges)
    _texts(draw, fig, pane, width, height, scale)
    if fig.flg_legend:
        _legend(draw, fig, lines, pane, scale)
    fig.xaxispixel = viewport.left + pane[0], viewport.left + pane[2]
    fig.yaxispixel = viewport.bottom + height - pane[3], viewport.bottom + height - pane[1]
    fig.xaxisdata, fig.yaxisdata = ranges
    con.flat.image(target, (viewport.left, viewport.bottom, width, height), np.asarray(image))


def _pane(fig: MjvFigure, width: int, height: int, scale: int) -> Frame:
    _, line = text_size("A", scale, big=False)
    margin = max(2, line // 3)
    left = margin + (text_size(fig.minwidth or "X", scale, big=False)[0] + margin if fig.flg_ticklabel[1] else 0)
    below = margin + (line if fig.flg_ticklabel[0] else 0) + (line if fig.xlabel else 0)
    above = margin + (line if fig.title else 0)
    return left, above, max(width - 1 - margin, left + 1), max(height - 1 - below, above + 1)


def _at(points: NDArray[np.float64], pane: Frame, ranges: tuple[Range, Range]) -> NDArray[np.float64]:
    """(n, 2) pixels of points."""
    (x0, x1), (y0, y1) = ranges
    left, top, right, bottom = pane
    x = left + (points[:, 0] - x0) / (x1 - x0) * (right - left)
    y = bottom - (points[:, 1] - y0) / (y1 - y0) * (bottom - top)
    return np.stack([x, y], axis=1)


def _grid(draw: ImageDraw.ImageDraw, fig: MjvFigure, pane: Frame, ranges: tuple[Range, Range], scale: int) -> None:
    left, top, right, bottom = pane
    ink, text = _ink(fig.gridrgb), _ink(fig.textrgb)
    thick = max(1, round(fig.gridwidth))
    letters = font(scale, big=False)
    for axis, form in ((0, fig.xformat), (1, fig.yformat)):
        count = int(min(max(fig.gridsize[axis], 2), 200))
        for share in np.linspace(0.0, 1.0, count):
            label = _number(form, ranges[axis][0] + share * (ranges[axis][1] - ranges[axis][0]))
            wide, high = text_size(label, scale, big=False)
            if axis == 0:
                x = left + share * (right - left)
                draw.line([(x, top), (x, bottom)], ink, thick)
                if fig.flg_ticklabel[0]:
                    draw.text((min(max(x - wide / 2, 0), right - wide), bottom + 1), label, text, letters)
            else:
                y = bottom - share * (bottom - top)
                draw.line([(left, y), (right, y)], ink, thick)
                if fig.flg_ticklabel[1]:
                    draw.text((max(left - wide - 3, 0), min(max(y - high / 2, 0), bottom - high / 2)), label, text, letters)


def _curves(
    draw: ImageDraw.ImageDraw,
    fig: MjvFigure,
    lines: list[tuple[int, NDArray[np.float64]]],
    pane: Frame,
    ranges: tuple[Range, Range],
) -> None:
    thick = max(1, round(fig.linewidth))
    low, high = np.array(pane[:2], float), np.array(pane[2:], float)
    for i, points in lines:
        pixels = _at(points, pane, ranges)
        pixels = np.clip(pixels[np.isfinite(pixels).all(axis=1)], low, high)
        ink = _ink(fig.linergb[i])
        step = 2 if fig.flg_barplot else 1
        for start, end in zip(pixels[::step], pixels[1::step], strict=False):
            draw.line([tuple(start), tuple(end)], ink, thick)
    if fig.flg_selection:
        x = _at(np.array([[fig.selection, 0.0]]), pane, ranges)[0, 0]
        if pane[0] <= x <= pane[2]:
            draw.line([(x, pane[1]), (x, pane[3])], _ink(fig.textrgb), 1)


def _texts(draw: ImageDraw.ImageDraw, fig: MjvFigure, pane: Frame, width: int, height: int, scale: int) -> None:
    letters, ink = font(scale, big=False), _ink(fig.textrgb)
    for text, y in ((fig.title, 1), (fig.xlabel, height - text_size("A", scale, big=False)[1] - 1)):
        if text:
            draw.text(((width - text_size(text, scale, big=False)[0]) / 2, y), text, ink, letters)


def _legend(
    draw: ImageDraw.ImageDraw, fig: MjvFigure, lines: list[tuple[int, NDArray[np.float64]]], pane: Frame, scale: int
) -> None:
    named = [(i, fig.linename[i].decode("utf-8", "replace")) for i, _ in lines]
    named = [(i, name) for i, name in named if name][max(fig.legendoffset, 0) :]
    if not named:
        return
    sizes = [text_size(name, scale, big=False) for _, name in named]
    line, wide = sizes[0][1], max(size[0] for size in sizes)
    left, top = pane[2] - wide - 6, pane[1] + 2
    draw.rectangle((left, top, pane[2] - 1, min(top + line * len(named) + 4, pane[3])), _ink(fig.legendrgba))
    for row, (i, name) in enumerate(named):
        if top + (row + 1) * line <= pane[3]:
            draw.text((left + 3, top + row * line), name, _ink(fig.linergb[i]), font(scale, big=False))


_BACK = (0.0, 0.0, 0.0, 0.35)
_LEFT, _MIDDLE, _RIGHT = 0.0, 0.5, 1.0
# Where in the rectangle, from its lower left, each place of the grid is.
_PLACES = {
    int(mjtGridPos.mjGRID_TOPLEFT): (_LEFT, _RIGHT),
    int(mjtGridPos.mjGRID_TOPRIGHT): (_RIGHT, _RIGHT),
    int(mjtGridPos.mjGRID_BOTTOMLEFT): (_LEFT, _LEFT),
    int(mjtGridPos.mjGRID_BOTTOMRIGHT): (_RIGHT, _LEFT),
    int(mjtGridPos.mjGRID_TOP): (_MIDDLE, _RIGHT),
    int(mjtGridPos.mjGRID_BOTTOM): (_MIDDLE, _LEFT),
    int(mjtGridPos.mjGRID_LEFT): (_LEFT, _MIDDLE),
    int(mjtGridPos.mjGRID_RIGHT): (_RIGHT, _MIDDLE),
}


def _words(text: str | bytes | None) -> str:
    """A text; programs also give bytes."""
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text or ""


def mjr_rectangle(viewport: MjrRect, r: float, g: float, b: float, a: float) -> None:
    """Fill a rectangle of the buffer in use with a colour, blended by its alpha."""
    con = current()
    box = (viewport.left, viewport.bottom, viewport.width, viewport.height)
    con.flat.rectangle(con.target(), box, (float(r), float(g), float(b), float(a)))


def mjr_text(font: int, txt: str, con: MjrContext, x: float, y: float, r: float, g: float, b: float) -> None:
    """Write a text in a font (mjtFont) and colour with its lower left corner at (x, y), in [0, 1] of the buffer."""
    target = con.target()
    left, bottom = round(x * target.width), round(y * target.height)
    big, shadow = int(font) == int(mjtFont.mjFONT_BIG), int(font) == int(mjtFont.mjFONT_SHADOW)
    con.flat.text(target, left, bottom, _words(txt), con.fontScale, (r, g, b), big=big, shadow=shadow)


def mjr_label(
    viewport: MjrRect,
    font: int,
    txt: str,
    r: float,
    g: float,
    b: float,
    a: float,
    rt: float,
    gt: float,
    bt: float,
    con: MjrContext,
) -> None:
    """Fill a rectangle with a colour (r, g, b, a), and write a text in another (rt, gt, bt) into its middle."""
    target, text = con.target(), _words(txt)
    con.flat.rectangle(target, (viewport.left, viewport.bottom, viewport.width, viewport.height), (r, g, b, a))
    big, shadow = int(font) == int(mjtFont.mjFONT_BIG), int(font) == int(mjtFont.mjFONT_SHADOW)
    width, height = text_size(text, con.fontScale, big=big)
    left, bottom = viewport.left + (viewport.width - width) // 2, viewport.bottom + (viewport.height - height) // 2
    con.flat.text(target, left, bottom, text, con.fontScale, (rt, gt, bt), big=big, shadow=shadow)


def mjr_overlay(
    font: int, gridpos: int, viewport: MjrRect, overlay: str | bytes, overlay2: str | bytes | None, con: MjrContext
) -> None:
    """Write lines of text in two columns, on a dark ground at a place of the grid (mjtGridPos) of a rectangle.

    Raises ModelError for another place.
    """
    if int(gridpos) not in _PLACES:
        raise ModelError(f"mjr_overlay: invalid grid position {int(gridpos)}: {min(_PLACES)} to {max(_PLACES)}")
    columns = [text.rstrip("\n") for text in (_words(overlay), _words(overlay2)) if text.strip()]
    if not columns:
        return
    target, scale = con.target(), con.fontScale
    big, shadow = int(font) == int(mjtFont.mjFONT_BIG), int(font) == int(mjtFont.mjFONT_SHADOW)
    sizes = [text_size(text, scale, big=big) for text in columns]
    pad = max(2, round(0.06 * scale))
    width, height = sum(w for w, _ in sizes) + pad * (1 + len(columns)), max(h for _, h in sizes) + 2 * pad
    across, up = _PLACES[int(gridpos)]
    left = viewport.left + round(across * (viewport.width - width))
    bottom = viewport.bottom + round(up * (viewport.height - height))
    con.flat.rectangle(target, (left, bottom, width, height), _BACK)
    x = left + pad
    for text, (wide, high) in zip(columns, sizes, strict=True):
        con.flat.text(target, x, bottom + height - pad - high, text, scale, (1.0, 1.0, 1.0), big=big, shadow=shadow)
        x += wide + pad
