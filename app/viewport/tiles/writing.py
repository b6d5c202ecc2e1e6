"""What is written over the pictures of several views: each part where its view is, and the headers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PyQt6.QtCore import QRect
from PyQt6.QtGui import QPainter, QRegion

from app.session.drawing import Drawing
from app.session.session import Session
from app.viewport.figures import flatten, marked_contact
from app.viewport.overlay import Overlay, paint
from app.viewport.readout import contact_legend
from app.viewport.tiles.arrangement import Arrangement
from app.viewport.tiles.tiles import Tile, Tiles
from app.viewport.tools import Canvas, Tools
from render.camera import View
from render.labels import labels
from render.options import LabelMode, Selection

Drawn = tuple[Tile, View | None, QRect]  # a view, what it was taken with, and where it is
STRIP = 38.0  # height of the line of time and rate, below legends of narrow views [px]
NARROW = 900  # a view in which both have no room beside each other [px]


@contextmanager
def _inside(painter: QPainter, area: QRect, covered: QRect) -> Iterator[None]:
    painter.save()
    painter.setClipRegion(QRegion(area) - QRegion(covered))
    painter.translate(area.x(), area.y())
    try:
        yield
    finally:
        painter.restore()


def over_view(session: Session, tile: Tile, canvas: Canvas, selection: Selection, lift: float = 0.0) -> Overlay:
    """What is written over one view: figures of panels, labels, the chosen contact, and what colours mean, so far up [px]."""
    made = Overlay(lift=lift)
    if session.snapshot is None:
        return made
    view, width, height = canvas.view, canvas.width, canvas.height
    options = tile.drawn_options(view)
    made.marked = marked_contact(session, view, width, height)
    made.legend = contact_legend(session, view, options)
    made.figures = flatten(session.part(Drawing).figures, view, width, height)
    if options.label != LabelMode.NONE:
        found = labels(session.loaded_model, session.snapshot.frame, options, selection, view, width, height)
        made.labels = [(label.x, label.y, label.text) for label in found]
    return made


def painted_inside(painter: QPainter, drawn: Sequence[Drawn], tiles: Tiles) -> Iterator[tuple[Tile, Canvas]]:
    """Each view that has a picture, with the painter moved there, and kept out of a view that lies over it."""
    over = drawn[1][2].adjusted(0, -tiles.head, 0, 0) if tiles.arrangement is Arrangement.INSET and len(drawn) > 1 else QRect()
    for tile, view, area in drawn:
        if view is not None:
            with _inside(painter, area, over if tile.index == 0 else QRect()):
                yield tile, Canvas(view, area.width(), area.height(), tile is tiles.active, tile is tiles.under)


def write_views(
    painter: QPainter, drawn: Sequence[Drawn], tiles: Tiles, tools: Tools, session: Session, selection: Selection
) -> None:
    """Over the picture of each view, what videos show too: tools, labels, marks."""
    lowest = max((area.bottom() for _, _, area in drawn), default=0)
    places = {tile: area for tile, _, area in drawn}
    for tile, canvas in painted_inside(painter, drawn, tiles):
        tools.paint(painter, canvas, recorded=True)
        area = places[tile]
        narrow = tiles.several and area.x() == 0 and area.bottom() == lowest and area.width() < NARROW
        made = over_view(session, tile, canvas, selection, STRIP if narrow else 0.0)
        paint(painter, canvas.width, canvas.height, made)
