"""Tools of the view: they get mouse events before the camera, and are painted over the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QMouseEvent, QPainter

from tumble.render.camera import View

if TYPE_CHECKING:
    from tumble.app.viewport.surface import ViewSurface


class MouseAt(Struct, frozen=True):
    """The mouse at a point of the view [device-independent pixels], the button it has to do with, and the keys that are held."""

    where: QPointF
    button: Qt.MouseButton
    modifiers: Qt.KeyboardModifier


class Canvas(Struct, frozen=True):
    """The picture as it is seen: its view and snapshot, and its size [device-independent pixels].

    active, hovered: whether it is the active view's, and whether the mouse is over it; there may be several views.
    """

    view: View
    width: int
    height: int
    active: bool = True
    hovered: bool = True


class ViewTool:
    """A tool that does nothing; each tool overrides what it needs. A press that it takes is its own until the release."""

    active = True  # whether the tool gets events and is painted at all
    recorded = False  # whether a video of the view and the overlay shows it
    hovers = False  # whether it gets mouse moves without a button

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Handle a button press; returns True if the tool takes the drag."""
        return False

    def drag(self, mouse: MouseAt, canvas: Canvas) -> None:
        """The mouse moves in a drag of this tool."""

    def release(self, mouse: MouseAt, canvas: Canvas) -> None:
        """The drag of this tool is over."""

    def click(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Handle a left click without a drag; returns True if the tool has used it."""
        return False

    def hover(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Handle a mouse move without a button; returns True if it is over a part of the tool."""
        return False

    def leave_view(self) -> None:
        """The mouse has left the view."""

    def cursor(self) -> Qt.CursorShape | None:
        """The cursor of a mode that this tool is; None without one."""
        return None

    def cancel(self) -> bool:
        """Handle Escape; returns True if there was a mode to leave."""
        return False

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw over the picture."""


class Tools:
    """The tools of a view, the foremost last."""

    def __init__(self, viewport: ViewSurface) -> None:
        self._viewport = viewport
        self._tools: list[ViewTool] = []
        self._dragging: ViewTool | None = None
        self.hidden = False  # while a picture without anything over it is taken

    def add(self, tool: ViewTool) -> None:
        """Add a tool, in front of the others."""
        self._tools.append(tool)
        self.refresh()

    def refresh(self) -> None:
        """A tool has become active, or is no longer."""
        hovers = any(tool.active and tool.hovers for tool in self._tools)
        self._viewport.setMouseTracking(hovers or self._viewport.tiles.several)
        self._viewport.setCursor(self._cursor())
        self._viewport.update()

    def switch(self, tool: ViewTool, on: bool) -> None:
        """Activate or deactivate a tool."""
        tool.leave_view()
        tool.active = on
        self.refresh()

    def press(self, event: QMouseEvent) -> bool:
        """Handle a button press; returns True if a tool takes the drag."""
        canvas, mouse = self._canvas(), self._mouse_at(event)
        self._dragging = None
        if canvas is not None:
            self._dragging = next((tool for tool in self._front() if tool.press(mouse, canvas)), None)
            if self._dragging is not None:
                self._viewport.update()
        return self._dragging is not None

    def move(self, event: QMouseEvent) -> bool:
        """Handle a mouse move; returns True if it belongs to a tool's drag."""
        canvas, mouse = self._canvas(), self._mouse_at(event)
        if canvas is None:
            return False
        if self._dragging is not None:
            self._dragging.drag(mouse, canvas)
            self._viewport.update()
            return True
        if not event.buttons():
            hovering = [tool for tool in self._front() if tool.hovers]
            over = [tool.hover(mouse, canvas) for tool in hovering]  # each of them: one is left as another is reached
            self._viewport.setCursor(Qt.CursorShape.PointingHandCursor if any(over) else self._cursor())
        return False

    def leave(self) -> None:
        """The mouse has left the view."""
        for tool in self._front():
            tool.leave_view()

    def _cursor(self) -> Qt.CursorShape:
        """The cursor where no tool has one."""
        return next((cursor for tool in self._front() if (cursor := tool.cursor()) is not None), Qt.CursorShape.ArrowCursor)

    def release(self, event: QMouseEvent) -> bool:
        """Handle a button release; returns True if it ended a tool's drag."""
        tool, self._dragging = self._dragging, None
        canvas = self._canvas()
        if tool is not None and canvas is not None:
            tool.release(self._mouse_at(event), canvas)
            self._viewport.update()
        return tool is not None

    def click(self, event: QMouseEvent) -> bool:
        """Handle a click without a drag; returns True if a tool has used it."""
        canvas, mouse = self._canvas(), self._mouse_at(event)
        return canvas is not None and any(tool.click(mouse, canvas) for tool in self._front())

    def cancel(self) -> bool:
        """Handle Escape; returns True if a tool had a mode to leave."""
        done = any(tool.cancel() for tool in self._front())
        self._dragging = None if done else self._dragging
        self._viewport.update()
        return done

    def paint(self, painter: QPainter, canvas: Canvas, *, recorded: bool) -> None:
        """Draw the active ones that videos and pictures of the view show, or those that none does."""
        for tool in self._tools if not self.hidden else ():
            if tool.active and tool.recorded == recorded:
                tool.paint(painter, canvas)

    def _front(self) -> list[ViewTool]:
        return [tool for tool in reversed(self._tools) if tool.active]

    def _mouse_at(self, event: QMouseEvent) -> MouseAt:
        return MouseAt(self._viewport.mouse_at(event), event.button(), event.modifiers())

    def _canvas(self) -> Canvas | None:
        view = self._viewport.view()
        return None if view is None else Canvas(view, *self._viewport.picture_size)
