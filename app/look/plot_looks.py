"""Applies theme and font size to a pyqtgraph plot, which stores its own pens, brushes and fonts."""

from __future__ import annotations

import pyqtgraph as pg
from PyQt6.QtGui import QBrush, QColor, QPen

from tumble.app.look import theme
from tumble.app.look.theme import brush_now, colour_now, grown_font, text_now

_PENS, _BRUSHES = ("pen", "symbolPen", "shadowPen"), ("brush", "symbolBrush", "fillBrush")


def relook_plot(view: pg.GraphicsView, grown: float) -> None:
    """Visit the ground and all items of a plot."""
    ground = view.backgroundBrush()
    if ground.color().alpha():
        view.setBackground(brush_now(ground))
    for item in view.scene().items():
        if isinstance(item, pg.AxisItem):
            _axis(item, grown)
        elif isinstance(item, pg.PlotDataItem | pg.ScatterPlotItem | pg.PlotCurveItem | pg.BarGraphItem):
            _data(item)
        elif isinstance(item, pg.InfiniteLine):
            item.setPen(_pen(item.pen))
            item.setHoverPen(_pen(item.hoverPen))
        elif isinstance(item, pg.TextItem):
            item.setColor(colour_now(QColor(item.color)))
        elif isinstance(item, pg.LegendItem):
            _legend(item)
        elif isinstance(item, pg.LabelItem):
            kept = item.opts.get("color")
            item.setText(text_now(item.text), **({} if kept is None else {"color": colour_now(pg.mkColor(kept))}))


def _pen(kept: object) -> QPen:
    pen = QPen(pg.mkPen(kept))
    pen.setBrush(brush_now(pen.brush()))
    return pen


def _axis(axis: pg.AxisItem, grown: float) -> None:
    axis.setPen(_pen(axis.pen()))
    axis.setTextPen(_pen(axis.textPen()))
    if axis.style["tickFont"] is not None:
        axis.setTickFont(grown_font(axis.style["tickFont"], grown))
    style = dict(axis.labelStyle)
    if "color" in style:
        style["color"] = theme.shown(str(style["color"]))
    axis.labelStyle = style
    axis.label.setFont(grown_font(axis.label.font(), grown))
    axis.label.setHtml(axis.labelString())


def _data(item: pg.PlotDataItem | pg.ScatterPlotItem | pg.PlotCurveItem | pg.BarGraphItem) -> None:
    """Update pens and brushes of curves, dots and bars; a pen of None draws nothing."""
    for name in _PENS:
        setter, kept = getattr(item, f"set{name[0].upper()}{name[1:]}", None), item.opts.get(name)
        if setter is not None and kept is not None:
            setter(_pen(kept))
    for name in _BRUSHES:
        setter, kept = getattr(item, f"set{name[0].upper()}{name[1:]}", None), item.opts.get(name)
        if setter is not None and kept is not None and not isinstance(kept, list):
            setter(brush_now(QBrush(pg.mkBrush(kept))))


def _legend(item: pg.LegendItem) -> None:
    item.setPen(_pen(item.pen()))
    item.setBrush(brush_now(QBrush(item.brush())))
    kept = item.labelTextColor()
    if kept is not None:
        item.setLabelTextColor(colour_now(QColor(kept)))
