"""Overlays of several views, each at the place of its view, with headers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PyQt6.QtCore import QRect
from PyQt6.QtGui import QPainter, QRegion

from tumble.app.look import theme
from tumble.app.session.drawing import Drawing
from tumble.app.session.session import Session
from tumble.app.viewport.figures import flatten
from tumble.app.viewport.overlay import Overlay, paint
from tumble.app.viewport.plates import extent
from tumble.app.viewport.tiles.arrangement import Arrangement
from tumble.app.viewport.tiles.tiles import Tile, Tiles
from tumble.app.viewport.tools import Canvas, Tools
from tumble.render.camera import View
from tumble.render.options import LabelMode, Selection
from tumble.render.scene.labels import labels

Drawn = tuple[Tile, View | None, QRect]  # a view, its snapshot, and its area


@contextmanager
def _inside(painter: QPainter, area: QRect, covered: QRect) -> Iterator[None]:
    painter.save()
    painter.setClipRegion(QRegion(area) - QRegion(covered))
    painter.translate(area.x(), area.y())
    try:
        yield
    finally:
        painter.restore()


def over_view(session: Session, tile: Tile, canvas: Canvas, selection: Selection, *, still: bool = False) -> Overlay:
    """Overlay of one view: figures of panels, labels, the selected contact and the colour legend.

    still: in its own picture, which leaves the arrangement of the view's labels as it is.
    """
    overlay = Overlay()
    if session.snapshot is None:
        return overlay
    view, width, height = canvas.view, canvas.width, canvas.height
    options = tile.drawn_options(view)
    overlay.figures = flatten(session.part(Drawing).figures, view, width, height)
    tile.contacts.annotate(overlay, options, view, width, height)
    if options.label != LabelMode.NONE:
        model, frame = session.loaded_model, session.frame or session.snapshot.frame
        texts = labels(model, frame, options, selection, view, width, height)
        layout = tile.layout.branch() if still else tile.layout
        overlay.labels = layout.place(texts, extent, width, height, scale=theme.scale(), about=(options.label, id(model)))
    return overlay


def painted_inside(painter: QPainter, drawn: Sequence[Drawn], tiles: Tiles) -> Iterator[tuple[Tile, Canvas]]:
    """Each view that has a picture, with the painter moved there, and kept out of a view that lies over it."""
    over = drawn[1][2].adjusted(0, -tiles.head, 0, 0) if tiles.arrangement is Arrangement.INSET and len(drawn) > 1 else QRect()
    for tile, view, area in drawn:
        if view is not None:
            with _inside(painter, area, over if tile.index == 0 else QRect()):
                yield tile, Canvas(view, area.width(), area.height(), tile is tiles.active, tile is tiles.under)


def write_views(
    painter: QPainter, drawn: Sequence[Drawn], tiles: Tiles, tools: Tools, session: Session, selection: Selection, *,
    still: bool = False,
) -> None:  # fmt: skip
    """Over the picture of each view, what videos show too: tools, labels, marks. still: as for `over_view`."""
    for tile, canvas in painted_inside(painter, drawn, tiles):
        tools.paint(painter, canvas, recorded=True)
        paint(painter, canvas.width, canvas.height, over_view(session, tile, canvas, selection, still=still))
