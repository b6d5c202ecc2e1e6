"""Bookmarks of the window: the present moment gets a name."""

from __future__ import annotations

from tumble.app.panels.timeline.timeline_words import moment
from tumble.app.session.session import Session


def mark_here(session: Session) -> None:
    """Bookmark the present moment, and report it."""
    history = session.history
    if session.model is None:
        return
    here = next((bookmark.text for bookmark in history.bookmarks if bookmark.step == history.now), "")
    if here:
        session.status.emit(f"{here} is at this moment")
        return
    taken = {bookmark.text for bookmark in history.bookmarks}
    name = next(name for k in range(1, len(taken) + 2) if (name := f"Bookmark {k}") not in taken)
    history.mark(name)
    session.status.emit(f"{name} at {moment(history.now, history.timestep)}: see Window, Timeline")
