"""Parts of a session: the models that panels show and that actions of the window act on."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, runtime_checkable


class SessionPart(Protocol):
    """Objects constructed from a session."""

    def __init__(self, session: Any) -> None: ...  # noqa: ANN401 - a Session, which has them


Part = TypeVar("Part", bound=SessionPart)


@runtime_checkable
class Closable(Protocol):
    """A part that has threads or files of its own."""

    def close(self) -> bool:
        """The session ends. Returns True if all threads have ended."""


class SessionParts:
    """One object of each kind, made as `kind(session)` on first use.

    A panel and the actions of the window get the same object, in whatever order they ask. A panel only shows it: what must go
    on while a panel is closed, or was never opened, is here.
    """

    def __init__(self, session: object) -> None:
        self._session = session
        self._made: dict[type[SessionPart], SessionPart] = {}

    def get(self, kind: type[Part]) -> Part:
        """The part of this kind."""
        if kind not in self._made:
            self._made[kind] = kind(self._session)  # not setdefault: a part may ask for others while it is made
        part = self._made[kind]
        assert isinstance(part, kind)
        return part

    def close(self) -> bool:
        """Close those that have something to close, in the order of their making; returns True if all threads have ended."""
        ended = [part.close() for part in self._made.values() if isinstance(part, Closable)]  # each of them
        return all(ended)
