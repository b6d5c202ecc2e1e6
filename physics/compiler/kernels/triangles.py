"""Geometry of each triangle of a mesh: centre, area vector, box, and circumcircle."""

import math

from tumble.physics.kernel import exact, query
from tumble.physics.kernel.function import INT
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.memory import f8_at, i4_at


@exact
def _edges(vert, face, k):
    """First corner of a triangle, and the edges from there to the other two."""
    a, b, c = 3 * face[3 * k], 3 * face[3 * k + 1], 3 * face[3 * k + 2]
    u = (vert[b] - vert[a], vert[b + 1] - vert[a + 1], vert[b + 2] - vert[a + 2])
    v = (vert[c] - vert[a], vert[c + 1] - vert[a + 1], vert[c + 2] - vert[a + 2])
    return a, u, v


@exact
def _cross(u, v):
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


@exact
def _square(u):
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2]


@exact
def _describe(vert, face, nface, centre, normal, area):
    for k in range(nface):
        _, u, v = _edges(vert, face, k)
        across = _cross(u, v)
        length = math.sqrt(_square(across))
        area[k] = 0.5 * length
        scale = 1.0 / (1.0 if length < mjMINVAL else length)
        for axis in range(3):
            total = vert[3 * face[3 * k] + axis] + vert[3 * face[3 * k + 1] + axis] + vert[3 * face[3 * k + 2] + axis]
            centre[3 * k + axis] = total / 3
            normal[3 * k + axis] = across[axis] * scale
        if length < mjMINVAL:
            normal[3 * k], normal[3 * k + 1], normal[3 * k + 2] = 0.0, 0.0, 1.0


@query(INT, INT, INT, INT, INT, INT, INT)
def describe_triangles(vert, nvert, face, nface, centre, normal, area):
    """centre (nface, 3), normal (nface, 3) of length 1, area (nface,), all f8 <- those of triangles; z for one without area.

    vert: (nvert, 3) f8. face: (nface, 3) i4.
    """
    _describe(f8_at(vert, 3 * nvert), i4_at(face, 3 * nface), nface,
              f8_at(centre, 3 * nface), f8_at(normal, 3 * nface), f8_at(area, nface))  # fmt: skip


@exact
def _enclose(vert, face, nface, corner, middle):
    for k in range(nface):
        a, u, v = _edges(vert, face, k)
        for axis in range(3):
            x = vert[a + axis]
            y, z = vert[3 * face[3 * k + 1] + axis], vert[3 * face[3 * k + 2] + axis]
            corner[6 * k + axis], corner[6 * k + 3 + axis] = min(min(x, y), z), -max(max(x, y), z)
        across = _cross(u, v)
        twice, uu, vv = 2.0 * _square(across), _square(u), _square(v)
        aim = (uu * v[0] - vv * u[0], uu * v[1] - vv * u[1], uu * v[2] - vv * u[2])
        offset = _cross(aim, across)
        for axis in range(3):
            middle[axis * nface + k] = vert[a + axis] + (offset[axis] / twice if twice > 0.0 else 0.0)


@query(INT, INT, INT, INT, INT, INT)
def enclose_triangles(vert, nvert, face, nface, corners, middles):
    """corners (nface, 6) f8 <- low and minus high of the box of each triangle; middles (3, nface) f8 <- the centre of its circle.

    Of a triangle without area its first corner. vert: (nvert, 3) f8. face: (nface, 3) i4.
    """
    _enclose(f8_at(vert, 3 * nvert), i4_at(face, 3 * nface), nface, f8_at(corners, 6 * nface), f8_at(middles, 3 * nface))


@exact
def _moment(vert, face, k, i, j):
    d, e, f = 3 * face[3 * k], 3 * face[3 * k + 1], 3 * face[3 * k + 2]
    squares = 2 * (vert[d + i] * vert[d + j] + vert[e + i] * vert[e + j] + vert[f + i] * vert[f + j])
    mixed = (vert[d + i] * vert[e + j] + vert[d + j] * vert[e + i] + vert[d + i] * vert[f + j] + vert[d + j] * vert[f + i]
             + vert[e + i] * vert[f + j] + vert[e + j] * vert[f + i])  # fmt: skip
    return squares + mixed


@exact
def _sum_moments(vert, face, nface, weight, sums):
    for s in range(6):
        sums[s] = 0.0
    for k in range(nface):
        for i in range(3):
            sums[i] += weight[k] * _moment(vert, face, k, i, i)
        sums[3] += weight[k] * _moment(vert, face, k, 0, 1)
        sums[4] += weight[k] * _moment(vert, face, k, 0, 2)
        sums[5] += weight[k] * _moment(vert, face, k, 1, 2)


@query(INT, INT, INT, INT, INT, INT)
def sum_moments(vert, nvert, face, nface, weights, sums):
    """sums (6,) f8 <- xx, yy, zz, xy, xz, yz of all triangles, each with its weight, one after the other.

    A triangle's is that of its corners, with their products with each other. vert: (nvert, 3) f8. face: (nface, 3) i4.
    weights: (nface,) f8.
    """
    _sum_moments(f8_at(vert, 3 * nvert), i4_at(face, 3 * nface), nface, f8_at(weights, nface), f8_at(sums, 6))
