"""Write protection of the arrays of a block, and the views of them that programs get."""

from __future__ import annotations

import numpy as np


class _Reading:
    """Memory for reading only: an array of it has no base that could be written."""

    __slots__ = ("__array_interface__", "__memory")

    def __init__(self, array: np.ndarray) -> None:
        self.__memory = array  # lives as long as whoever reads it
        interface = dict(array.__array_interface__)
        self.__array_interface__ = interface | {"data": (interface["data"][0], True)}


class Lock:
    """Write protection of a block's layout, and the views handed out while it lasts.

    closed: it can. written: rows of data were, and are not checked yet.
    """

    __slots__ = ("_views", "closed", "written")

    def __init__(self) -> None:
        self.closed = self.written = False
        self._views: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def guarded(self, name: str, array: np.ndarray) -> np.ndarray:
        """The array of a field as programs have it: for reading only, while the lock is closed."""
        return self.reading(name, array)

    def reading(self, name: str, array: np.ndarray) -> np.ndarray:
        """The array of a field; the same for reading only, while the lock is closed."""
        if not self.closed:
            return array.view()
        known = self._views.get(name)
        if known is not None and known[0] is array:
            return known[1]
        view = np.asarray(_Reading(array)) if array.size else array.copy()
        view.flags.writeable = False
        self._views[name] = array, view
        return view


class Arrays(dict[str, np.ndarray]):
    """The arrays of a block by name, and which of them its lock guards.

    Programs get views of them: who sets the shape or type of one changes that view alone.
    """

    __slots__ = ("lock", "locked", "views")
    lock: Lock
    locked: frozenset[str]
    views: dict[str, np.ndarray]  # of those that can be written, as programs were given them

    def guarded(self, name: str) -> np.ndarray:
        """The view of an array, for reading only where it is locked."""
        if name in self.locked:
            return self.lock.guarded(name, self[name])
        known = self.views.get(name)
        if known is None:
            known = self.views[name] = self[name].view()
        return known


def guarded(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    """An array as programs get it: a view where it is one of a block, for reading only if the block keeps it."""
    return arrays.guarded(name) if isinstance(arrays, Arrays) else arrays[name]
