"""Jacobians of points fixed to bodies, read off the motion axes: each dof moves what is below it in the tree."""

import math

from tumble.physics.algebra.mat3 import mat_t_vec
from tumble.physics.algebra.sparse import mul_sym, solve_ld
from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import load3, scale3, sub3
from tumble.physics.dynamics.contact_force import contact_force
from tumble.physics.dynamics.object import object_body, object_mat, object_pos, point_acceleration, point_velocity, velocity_at
from tumble.physics.dynamics.position import differentiate_joints, integrate_joints, normalize_joints
from tumble.physics.kernel import kernel, query
from tumble.physics.kernel.function import FLOAT, INT, D, M
from tumble.physics.state.memory import f4_at, f8_at, i4_at


@kernel
def last_dof(m, body):
    """The last dof of those that move a body: its own, or of its nearest ancestor that has any; -1: it cannot move."""
    while body > 0 and m.body_dofnum[body] == 0:
        body = m.body_parentid[body]
    return m.body_dofadr[body] + m.body_dofnum[body] - 1 if body > 0 else -1


@kernel
def _clear(a):
    for k in range(a.shape[0]):
        a[k] = 0.0


@kernel
def _store_column(a, n, i, v):
    """Write column i of a matrix (3, n) by rows."""
    a[i], a[n + i], a[2 * n + i] = v


@query(M, D, INT, INT, INT, INT)
def jacobian(m, d, jacp, jacr, point, body):
    """Write the matrices (3, nv) at jacp and jacr, 0: neither, of the world point (3,) at an address that moves with a body."""
    n = m.nv
    moves, turns, at = f8_at(jacp, 3 * n if jacp else 0), f8_at(jacr, 3 * n if jacr else 0), f8_at(point, 3)
    _clear(moves)
    _clear(turns)
    offset = sub3((at[0], at[1], at[2]), load3(d.subtree_com, m.body_rootid[body]))
    i = last_dof(m, body)
    while i >= 0:
        axis = load6(d.cdof, i)
        if jacp:
            _store_column(moves, n, i, velocity_at(axis, offset))
        if jacr:
            _store_column(turns, n, i, (axis[0], axis[1], axis[2]))
        i = m.dof_parentid[i] + 0


@query(M, D, INT, INT)
def subtree_jacobian(m, d, jacp, body):
    """Write the matrix (3, nv) at an address of the centre of mass of a body and its descendants.

    A dof moves all of it from above, and from within what is below the dof, whose centre of mass is known too.
    """
    n, total = m.nv, m.body_subtreemass[body]
    moves = f8_at(jacp, 3 * n)
    _clear(moves)
    if not total > 0.0:
        return
    whole = sub3(load3(d.subtree_com, body), load3(d.subtree_com, m.body_rootid[body]))
    i = last_dof(m, body)
    while i >= 0:
        _store_column(moves, n, i, velocity_at(load6(d.cdof, i), whole))
        i = m.dof_parentid[i] + 0
    for b in range(body + 1, m.nbody):
        above = m.body_parentid[b]
        while above > body:
            above = m.body_parentid[above] + 0
        if above != body:
            break  # bodies of a subtree are next to each other
        part = sub3(load3(d.subtree_com, b), load3(d.subtree_com, m.body_rootid[b]))
        for i in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            _store_column(moves, n, i, scale3(m.body_subtreemass[b] / total, velocity_at(load6(d.cdof, i), part)))


@query(M, INT, INT)
def full_inertia(m, inertia, full):
    """Write the symmetric matrix (nv, nv) at an address of an inertia (nM,) in the layout of d.qM."""
    n = m.nv
    values, dense = f8_at(inertia, m.nM), f8_at(full, n * n)
    _clear(dense)
    at = 0
    for i in range(n):
        j = i
        while j >= 0:
            dense[n * i + j] = dense[n * j + i] = values[at]
            at += 1
            j = m.dof_parentid[j] + 0


@query(M, D, INT, INT)
def times_inertia(m, d, res, vec):
    """res <- M vec: addresses of nv numbers each."""
    mul_sym(m.M_rownnz, m.M_rowadr, m.M_colind, d.M, f8_at(vec, m.nv), f8_at(res, m.nv))


@query(M, D, INT, INT)
def solve_inertia(m, d, x, rows):
    """x <- M^-1 x, in place, of each of so many rows of nv numbers from an address on."""
    for k in range(rows):
        solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, f8_at(x + 8 * m.nv * k, m.nv))


@kernel
def _store(at, turn, move):
    """Write six numbers to an address."""
    res = f8_at(at, 6)
    res[0], res[1], res[2] = turn
    res[3], res[4], res[5] = move


@kernel
def _store_of(d, kind, i, local, at, turn, move):
    """The same of two vectors of an object, turned into its own axes if they are wanted in those."""
    if local:
        axes = object_mat(d, kind, i)
        turn, move = mat_t_vec(axes, turn), mat_t_vec(axes, move)
    _store(at, turn, move)


@query(M, D, INT, INT, INT, INT)
def object_velocity(m, d, kind, i, local, res):
    """Angular and linear velocity of an object, in its own axes or the world's, to an address."""
    turn, move = point_velocity(m, d, object_body(m, kind, i), object_pos(d, kind, i))
    _store_of(d, kind, i, local, res, turn, move)


@query(M, D, INT, INT, INT, INT)
def object_acceleration(m, d, kind, i, local, res):
    """The same of its acceleration."""
    turn, move = point_acceleration(m, d, object_body(m, kind, i), object_pos(d, kind, i))
    _store_of(d, kind, i, local, res, turn, move)


@query(D, INT, INT)
def force_of_contact(d, c, res):
    """Force and torque of a contact, in its frame, to an address."""
    force, torque = contact_force(d, c)
    _store(res, force, torque)


@query(M, INT, INT, FLOAT)
def integrate(m, qpos, qvel, h):
    """qpos, nq numbers at an address, moved along qvel, nv numbers, for a time h."""
    integrate_joints(m, 0, m.njnt, f8_at(qpos, m.nq), f8_at(qvel, m.nv), h)


@query(M, INT, FLOAT, INT, INT)
def differentiate(m, qvel, h, qpos1, qpos2):
    """qvel, nv numbers at an address, that leads from qpos1 to qpos2, nq numbers each, in a time h."""
    differentiate_joints(m, f8_at(qvel, m.nv), h, f8_at(qpos1, m.nq), f8_at(qpos2, m.nq))


@query(M, INT)
def normalize(m, qpos):
    """Scale the quaternions in qpos, nq numbers at an address, to length 1."""
    normalize_joints(m, f8_at(qpos, m.nq))


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
