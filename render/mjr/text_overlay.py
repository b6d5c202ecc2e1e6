"""Words and rectangles over a picture."""

from __future__ import annotations

from tumble.physics.errors import ModelError
from tumble.physics.state.enums import mjtFont, mjtGridPos
from tumble.render.mjr.context import MjrContext, MjrRect, current
from tumble.render.mjr.flat import text_size

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
