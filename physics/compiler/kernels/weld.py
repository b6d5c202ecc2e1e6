"""Corners at the same place as one vertex."""

from tumble.physics.kernel import exact, query
from tumble.physics.kernel.function import INT
from tumble.physics.state.memory import i4_at

_NONE = -1


@exact
def _weld(bits, count, table, room, first, vertex):
    """Look each corner's place up in an open hash table of vertices, `room` a power of two."""
    found = 0
    for k in range(count):
        x, y, z = bits[3 * k], bits[3 * k + 1], bits[3 * k + 2]
        key = x * 0x1E3779B97F4A7C15 ^ y * 0x42B2AE3D27D4EB4F ^ z * 0x165667B19E3779F9
        key = (key ^ (key >> 29)) * 0x3F58476D1CE4E5B9
        slot = (key ^ (key >> 32)) & (room - 1)
        while table[slot] != _NONE:
            other = 3 * first[table[slot]]
            if bits[other] == x and bits[other + 1] == y and bits[other + 2] == z:
                break
            slot = (slot + 1) & (room - 1)
        if table[slot] == _NONE:
            table[slot] = found
            first[found] = k
            found += 1
        vertex[k] = table[slot]
    return found


@query(INT, INT, INT, INT, INT, INT, INT)
def weld_corners(bits, count, table, room, first, vertex, found):
    """vertex (count,) i4 <- the number of each corner's place, by where it first appears; first (count,) i4 <- the corner there.

    bits: (count, 3) i4, the coordinates as they are stored, in which zero has one sign. table: (room,) i4 of -1, room a power
    of two above count. found: (1,) i4 <- how many places there are.
    """
    i4_at(found, 1)[0] = _weld(i4_at(bits, 3 * count), count, i4_at(table, room), room, i4_at(first, count), i4_at(vertex, count))
