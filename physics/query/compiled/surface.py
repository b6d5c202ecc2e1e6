"""The surface of a soft thing as it is drawn: normals of vertices, and corners moved off the vertices by a radius.

A corner is a vertex and a side, 1 or -1: where it lies is the vertex plus side times radius along a normal.
Points and normals are numbers of 8 bytes, what the graphics card gets of 4: SURFACE_WIDTH a corner, position, 0, normal.
"""

import math

from tumble.physics.kernel import kernel, query
from tumble.physics.kernel.function import FLOAT, INT
from tumble.physics.state.memory import f4_at, f8_at, i4_at

SURFACE_WIDTH = 7
ROD_WIDTH = 6
_LEAST = 1e-15  # mjMINVAL: what is shorter has no direction


@kernel
def _unit(x, y, z):
    """The vector in its direction of length 1; 0 0 0 for one without length."""
    length = math.sqrt(x * x + y * y + z * z)
    if length < _LEAST:
        return 0.0, 0.0, 0.0
    return x / length, y / length, z / length


@kernel
def _cross_of(points, a, b, c):
    """Twice the area of a triangle, along its normal; a, b, c: where its corners begin."""
    ux, uy, uz = points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]
    vx, vy, vz = points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


@query(INT, INT, INT, INT, INT)
def vertex_normals(points, count, faces, nface, normals):
    """normals (count, 3) <- unit means of those of the faces (nface, 3) around points (count, 3), of any size; 0 if none."""
    place, corner, normal = f8_at(points, 3 * count), i4_at(faces, 3 * nface), f8_at(normals, 3 * count)
    for i in range(3 * count):
        normal[i] = 0.0
    for f in range(nface):
        a, b, c = 3 * corner[3 * f], 3 * corner[3 * f + 1], 3 * corner[3 * f + 2]
        x, y, z = _unit(*_cross_of(place, a, b, c))
        for at in (a, b, c):
            normal[at] += x
            normal[at + 1] += y
            normal[at + 2] += z
    for i in range(count):
        normal[3 * i], normal[3 * i + 1], normal[3 * i + 2] = _unit(normal[3 * i], normal[3 * i + 1], normal[3 * i + 2])


@kernel
def _put(out, at, place, off, normal):
    """One corner: its place, which is a vertex's less `off`, and its normal."""
    out[at], out[at + 1], out[at + 2], out[at + 3] = place[0] + off[0], place[1] + off[1], place[2] + off[2], 0.0
    out[at + 4], out[at + 5], out[at + 6] = normal


@query(INT, INT, INT, INT, INT, FLOAT, INT, INT)
def smooth_corners(points, normals, count, corners, ncorner, radius, centre, out):
    """out <- corners (ncorner, 2) with the normals of their vertices, about a centre (3,)."""
    place, normal = f8_at(points, 3 * count), f8_at(normals, 3 * count)
    corner, middle, made = i4_at(corners, 2 * ncorner), f8_at(centre, 3), f4_at(out, SURFACE_WIDTH * ncorner)
    for i in range(ncorner):
        v, side = 3 * corner[2 * i], float(corner[2 * i + 1])
        n = side * normal[v], side * normal[v + 1], side * normal[v + 2]
        off = radius * n[0] - middle[0], radius * n[1] - middle[1], radius * n[2] - middle[2]
        _put(made, SURFACE_WIDTH * i, (place[v], place[v + 1], place[v + 2]), off, n)


@query(INT, INT, INT, INT, INT, FLOAT, INT, INT, INT)
def flat_corners(points, normals, count, corners, ncorner, radius, lifted, centre, out):
    """out <- the corners of triangles, three each, with the normals of their triangles, about a centre (3,).

    lifted: they lie off the vertices along the triangle's normal, whatever their side; else along those of the vertices.
    """
    place, normal = f8_at(points, 3 * count), f8_at(normals, 3 * count)
    corner, middle, made = i4_at(corners, 2 * ncorner), f8_at(centre, 3), f4_at(out, SURFACE_WIDTH * ncorner)
    for first in range(0, ncorner, 3):
        a, b, c = 3 * corner[2 * first], 3 * corner[2 * first + 2], 3 * corner[2 * first + 4]
        n = _unit(*_cross_of(place, a, b, c))
        for i in range(first, first + 3):
            v, side = 3 * corner[2 * i], radius * float(corner[2 * i + 1])
            if lifted:
                off = radius * n[0], radius * n[1], radius * n[2]
            else:
                off = side * normal[v], side * normal[v + 1], side * normal[v + 2]
            off = off[0] - middle[0], off[1] - middle[1], off[2] - middle[2]
            _put(made, SURFACE_WIDTH * i, (place[v], place[v + 1], place[v + 2]), off, n)


@query(INT, INT, INT, INT, INT, FLOAT, INT, INT)
def rim_corners(points, normals, count, corners, ncorner, radius, centre, out):
    """out <- the corners of triangles (a, b, b) between both sides of a rim, about a centre (3,): seen from outside."""
    place, normal = f8_at(points, 3 * count), f8_at(normals, 3 * count)
    corner, middle, made = i4_at(corners, 2 * ncorner), f8_at(centre, 3), f4_at(out, SURFACE_WIDTH * ncorner)
    for first in range(0, ncorner, 3):
        a, b, side = 3 * corner[2 * first], 3 * corner[2 * first + 2], float(corner[2 * first + 1])
        x, y, z = place[b] - place[a], place[b + 1] - place[a + 1], place[b + 2] - place[a + 2]
        nx, ny, nz = side * normal[b], side * normal[b + 1], side * normal[b + 2]
        n = _unit(y * nz - z * ny, z * nx - x * nz, x * ny - y * nx)
        for i in range(first, first + 3):
            v, away = 3 * corner[2 * i], radius * float(corner[2 * i + 1])
            off = away * normal[v] - middle[0], away * normal[v + 1] - middle[1], away * normal[v + 2] - middle[2]
            _put(made, SURFACE_WIDTH * i, (place[v], place[v + 1], place[v + 2]), off, n)


@query(INT, INT, INT, INT, INT, INT)
def rod_ends(points, count, ends, nrod, centre, out):
    """out (nrod, 6) of 4 bytes <- both ends (nrod, 2) of each rod, about a centre (3,)."""
    place, end = f8_at(points, 3 * count), i4_at(ends, 2 * nrod)
    middle, made = f8_at(centre, 3), f4_at(out, ROD_WIDTH * nrod)
    for i in range(2 * nrod):
        for k in range(3):
            made[3 * i + k] = place[3 * end[i] + k] - middle[k]


SURFACE = (vertex_normals, smooth_corners, flat_corners, rim_corners, rod_ends)
