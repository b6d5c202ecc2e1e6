"""Two geoms chosen in the view, one after the other: do they collide?"""

from __future__ import annotations

from tumble.app.session.requests import AskPair
from tumble.app.session.session import Session


class PairPicker:
    """Remembers the geom that was picked last, and asks about it and the next."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._first = -1
        session.model_loaded.connect(lambda: self.note(-1))

    def note(self, geom: int) -> None:
        """A geom was picked alone: the first of the next two."""
        self._first = geom

    def ask(self, geom: int) -> None:
        """A geom was picked as the other one."""
        if geom < 0:
            return
        if self._first in (-1, geom):
            self._first = geom
            self._session.status.emit("Shift + double click the other geom")
        else:
            self._session.ask(AskPair(self._first, geom))
