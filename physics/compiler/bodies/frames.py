"""Positions and orientations as MJCF writes them: quat, axisangle, xyaxes, zaxis, euler and fromto."""

from __future__ import annotations

from typing import Any

from tumble.physics.compiler import pose
from tumble.physics.compiler.pose import IDENTITY, Quat, Vec, vec3
from tumble.physics.mjcf.compiler_settings import CompilerSettings
from tumble.physics.mjcf.spec import Element

_FORMS = ("axisangle", "xyaxes", "zaxis", "euler")
_SMALL = 1e-8  # a direction shorter than this is none


def read_pose(element: Element) -> tuple[Vec, Quat]:
    """Position and unit quaternion of an element in its parent's frame."""
    return vec3(element.get("pos", pose.ZERO)), read_orientation(element)


def read_orientation(element: Element) -> Quat:
    """The orientation of an element, whichever way it is written; the reader has seen that it is but one way.

    Any other form goes before `quat`, even one that is inherited. Raises MjcfError if a direction has no length.
    """
    form = next((name for name in _FORMS if element.has(name)), None)
    if form is None:
        return _quat(element, element.get("quat", IDENTITY))
    value = element.get(form)
    match form:
        case "axisangle":
            return pose.axis_angle(_direction(element, "axisangle", value[:3]), element.settings.angle(float(value[3])))
        case "xyaxes":
            return _xyaxes(element, value)
        case "zaxis":
            return pose.z_to(_direction(element, "zaxis", value))
        case _:
            return euler_quat(value, element.settings)


def euler_quat(angles: Any, settings: CompilerSettings) -> Quat:
    """The rotation of three successive turns; angles: (3,) in the file's unit, axes from `eulerseq`."""
    quat = IDENTITY
    for angle, letter in zip(angles, settings.eulerseq, strict=True):
        k = "xyz".index(letter.lower())
        turn = pose.axis_angle(vec3(float(i == k) for i in range(3)), settings.angle(float(angle)))
        # small letters turn about axes that move along, capital letters about axes that stay
        quat = pose.quat_mul(quat, turn) if letter.islower() else pose.quat_mul(turn, quat)
    return pose.quat_unit(quat)


def read_segment(element: Element) -> tuple[Vec, Quat, float] | None:
    """Middle, orientation and half length of `fromto`, whose z axis points from the end to the start; None without it."""
    if not element.has("fromto"):
        return None
    value = element.get("fromto")
    start, end = vec3(value[:3]), vec3(value[3:])
    along = pose.sub(start, end)
    if pose.norm(along) < _SMALL:
        raise element.error("fromto needs two different points")
    return pose.scale(0.5, pose.add(start, end)), pose.z_to(along), 0.5 * pose.norm(along)


def _quat(element: Element, value: Any) -> Quat:
    if pose.norm([float(v) for v in value]) < _SMALL:
        raise element.error("quat must not be all zeros")
    return pose.quat_unit(value)


def _direction(element: Element, name: str, value: Any) -> Vec:
    axis = vec3(value)
    if pose.norm(axis) < _SMALL:
        raise element.error(f"{name} needs a direction, is all zeros")
    return pose.unit(axis)


def _xyaxes(element: Element, value: Any) -> Quat:
    x = _direction(element, "xyaxes", value[:3])
    y = vec3(value[3:])
    y = pose.sub(y, pose.scale(pose.dot(x, y), x))  # only the part across x counts
    if pose.norm(y) < _SMALL:
        raise element.error("xyaxes needs two different directions")
    y = pose.unit(y)
    return pose.from_axes(x, y, pose.unit(pose.cross(x, y)))
