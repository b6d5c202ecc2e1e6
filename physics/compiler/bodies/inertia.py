"""Masses and inertias of bodies: from `<inertial>`, or from the geoms; then bounds, balance and total mass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tumble.physics.compiler import pose
from tumble.physics.compiler.bodies.frames import Full, principal, read_pose
from tumble.physics.compiler.draft import Body
from tumble.physics.compiler.pose import ZERO, Quat, Vec, vec3
from tumble.physics.mjcf import faults
from tumble.physics.state.constants import mjMINVAL


def set_inertias(world: Body, totalmass: float) -> None:
    """Give every body its mass, and the frame and principal moments of its inertia.

    Raises MjcfError for a mass or inertia that no body can have, and for a body that moves without any.
    """
    bodies = list(world.walk())[1:]
    faults.each(_set_inertia, bodies)
    faults.settle(always=True)  # without a mass because it could not be read is no fault
    for body in bodies:
        if body.joints and not _moves_mass(body):
            what = "moves but has neither mass nor inertia: give it a <geom> with mass, or <inertial>"
            faults.report(body.element.error(what))
    if totalmass > 0:
        _scale_total(bodies, totalmass)


def _set_inertia(body: Body) -> None:
    settings = body.element.settings
    if settings.inertiafromgeom == "true" or (settings.inertiafromgeom == "auto" and body.inertial is None):
        if not _infer(body) and body.inertial is not None:
            _read(body)
    elif body.inertial is not None:
        _read(body)
    body.mass = max(body.mass, settings.boundmass)
    low = settings.boundinertia
    body.inertia = (max(body.inertia[0], low), max(body.inertia[1], low), max(body.inertia[2], low))
    _check_triangle(body)


def _read(body: Body) -> None:
    element = body.inertial
    assert element is not None
    body.mass = element.get("mass")
    body.ipos, body.iquat = read_pose(element)
    if body.mass < 0:
        element.warn(f"mass is negative, {body.mass:g}: it is taken as 0")
        body.mass = 0.0
    if element.has("fullinertia"):
        if element.has("diaginertia"):
            raise element.error("has both diaginertia and fullinertia: give the inertia in one way only")
        xx, yy, zz, xy, xz, yz = (float(v) for v in element.get("fullinertia"))
        body.inertia, body.iquat = principal((xx, yy, zz, xy, xz, yz))
        if body.inertia[2] < mjMINVAL:
            raise element.error("fullinertia must be positive definite: its numbers are xx yy zz xy xz yz")
    else:
        body.inertia = vec3(element.get("diaginertia", ZERO))
        if min(body.inertia) < 0:
            element.warn("diaginertia is negative: what is below 0 is taken as 0")
            body.inertia = vec3(max(v, 0.0) for v in body.inertia)


def _infer(body: Body) -> bool:
    """Mass and inertia of the body's geoms; False, and nothing written, if they have none."""
    low, high = body.element.settings.inertiagrouprange
    geoms = [g for g in body.geoms if low <= g.element.get("group", 0) <= high and g.mass > mjMINVAL]
    if not geoms:
        return False
    if len(geoms) == 1:  # keeps the geom's axes in their order
        only = geoms[0]
        body.mass, body.inertia = only.mass, only.inertia
        body.ipos, body.iquat = only.mass_frame
    else:
        _combine(body, [_Part(g.mass, g.inertia, *g.mass_frame) for g in geoms])
    return True


class _Part(NamedTuple):
    """A piece of a body: its mass, its moments, and where they are."""

    mass: float
    inertia: Vec
    pos: Vec
    quat: Quat


def merge_inertia(parent: Body, child: Body) -> None:
    """Make a child's mass and inertia a part of its parent's."""
    if child.mass < mjMINVAL:
        return
    pos, quat = pose.compose(child.pos, child.quat, child.ipos, child.iquat)
    _combine(parent, [_Part(parent.mass, parent.inertia, parent.ipos, parent.iquat), _Part(child.mass, child.inertia, pos, quat)])


def _combine(body: Body, parts: Sequence[_Part]) -> None:
    """Give a body the mass and inertia of its parts together."""
    body.mass = sum(part.mass for part in parts)
    x, y, z = (sum(part.mass * part.pos[k] for part in parts) / body.mass for k in range(3))
    body.ipos = (x, y, z)
    full = [_full_inertia(part, body.ipos) for part in parts]
    xx, yy, zz, xy, xz, yz = (sum(one[k] for one in full) for k in range(6))
    body.inertia, body.iquat = principal((xx, yy, zz, xy, xz, yz))


def _full_inertia(part: _Part, about: Vec) -> Full:
    """Inertia of a part about a point of its body, along the body's axes."""
    r = pose.quat_mat(part.quat)
    i, m = part.inertia, part.mass
    x, y, z = pose.sub(part.pos, about)

    def turned(j: int, k: int) -> float:
        return sum(r[j][n] * i[n] * r[k][n] for n in range(3))

    return (
        turned(0, 0) + m * (y * y + z * z), turned(1, 1) + m * (x * x + z * z), turned(2, 2) + m * (x * x + y * y),
        turned(0, 1) - m * x * y, turned(0, 2) - m * x * z, turned(1, 2) - m * y * z,
    )  # fmt: skip


def are_principal_moments(moments: Sequence[float], tolerance: float = 0.0) -> bool:
    """True if a body can have these principal moments [kg m^2]: A + B >= C, whichever is C; tolerance: relative to C."""
    a, b, c = sorted(moments)
    return a + b >= c * (1 - tolerance)


def _check_triangle(body: Body) -> None:
    """No other principal moments than those of a real body, unless they are to be balanced."""
    a, b, c = body.inertia
    if are_principal_moments(body.inertia):
        return
    if not body.element.settings.balanceinertia:
        where = body.inertial or body.element
        raise where.error(
            f'no body has the principal inertias {a:g} {b:g} {c:g}: any two must sum to at least the third; '
            '<compiler balanceinertia="true"/> replaces them by their mean'
        )
    body.inertia = ((a + b + c) / 3,) * 3


def _moves_mass(body: Body) -> bool:
    """True if a body has mass and inertia, itself or in a body that moves with it as one."""
    todo = [body]
    while todo:
        one = todo.pop()
        if one.mass >= mjMINVAL and min(one.inertia) >= mjMINVAL:
            return True
        todo += [child for child in one.children if not child.joints]
    return False


def _scale_total(bodies: Sequence[Body], total: float) -> None:
    now = sum(body.mass for body in bodies)
    factor = max(mjMINVAL, total) / max(mjMINVAL, now)
    for body in bodies:
        body.mass *= factor
        body.inertia = pose.scale(factor, body.inertia)
