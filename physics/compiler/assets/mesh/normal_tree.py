"""A sorted set of unit normals, in which those that are nearly parallel count as one.

Which normals meet there depends on the path of the search: the comparison is not a strict order. A red-black tree that
stops at the first normal that counts as the same finds what the reference finds.
"""

from __future__ import annotations

_SAME = 0.99999872  # cosine of the angle 0.0016 [1]
_NONE = -1

Normal = tuple[float, float, float]


class NormalTree:
    """Normals in descending order of x, then y, then z; each is known by the number of its entry, from 0 on."""

    def __init__(self) -> None:
        self._normal: list[Normal] = []
        self._child: tuple[list[int], list[int]] = ([], [])  # before, after
        self._parent: list[int] = []
        self._red: list[bool] = []
        self._root = _NONE

    def find_or_add(self, normal: Normal) -> int:
        """The number of the entry that is nearly parallel to a normal, or of a new one."""
        x, y, z = normal
        at, above, side = self._root, _NONE, 0
        while at != _NONE:
            other = self._normal[at]
            if x * other[0] + y * other[1] + z * other[2] > _SAME or normal == other:
                return at
            above, side = at, 0 if normal > other else 1
            at = self._child[side][at]
        return self._add(normal, above, side)

    def ordered(self) -> list[int]:
        """The numbers of the entries in their order."""
        before, after = self._child
        found: list[int] = []
        path: list[int] = []
        at = self._root
        while path or at != _NONE:
            while at != _NONE:
                path.append(at)
                at = before[at]
            at = path.pop()
            found.append(at)
            at = after[at]
        return found

    def _add(self, normal: Normal, above: int, side: int) -> int:
        new = len(self._normal)
        self._normal.append(normal)
        self._parent.append(above)
        self._red.append(True)
        for links in self._child:
            links.append(_NONE)
        if above == _NONE:
            self._root = new
        else:
            self._child[side][above] = new
        self._balance(new)
        return new

    def _balance(self, at: int) -> None:
        """Repair after a red entry was hung in: no red one has a red parent."""
        parent, red = self._parent, self._red
        while parent[at] != _NONE and red[parent[at]]:
            above = parent[at]
            top = parent[above]
            side = 0 if self._child[0][top] == above else 1
            uncle = self._child[1 - side][top]
            if uncle != _NONE and red[uncle]:
                red[above] = red[uncle] = False
                red[top] = True
                at = top
                continue
            if self._child[1 - side][above] == at:
                self._rotate(above, side)
                at, above = above, at
            red[above], red[top] = False, True
            self._rotate(top, 1 - side)
        red[self._root] = False

    def _rotate(self, at: int, side: int) -> None:
        """Let an entry sink to a side; its child on the other takes its place."""
        near, far = self._child[side], self._child[1 - side]
        child = far[at]
        far[at] = near[child]
        if near[child] != _NONE:
            self._parent[near[child]] = at
        above = self._parent[at]
        self._parent[child] = above
        if above == _NONE:
            self._root = child
        else:
            links = near if near[above] == at else far
            links[above] = child
        near[child] = at
        self._parent[at] = child
