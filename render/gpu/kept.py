"""Resources on the graphics card, by content: kept while a model needs them, and until the next but one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class Releasable(Protocol):
    """Something that lives on the graphics card."""

    def release(self) -> None:
        """Free it."""


T = TypeVar("T", bound=Releasable)


class Kept(Generic[T]):
    """Resources by a key of their content. Those that neither a model nor the one before it used are released."""

    def __init__(self) -> None:
        self._things: dict[str, T] = {}
        self._used: dict[str, int] = {}
        self._generation = 0
        self.made = 0  # how many were ever made: uploads

    def get(self, key: str, make: Callable[[], T]) -> T:
        """The resource of this key, created if there is none."""
        if key not in self._things:
            self._things[key] = make()
            self.made += 1
        self._used[key] = self._generation
        return self._things[key]

    def next_model(self) -> None:
        """Another model's resources are requested from now on."""
        for key in [key for key, used in self._used.items() if used < self._generation]:
            del self._used[key]
            self._things.pop(key).release()
        self._generation += 1

    def release(self) -> None:
        """Release everything."""
        for thing in self._things.values():
            thing.release()
        self._things.clear()
        self._used.clear()
