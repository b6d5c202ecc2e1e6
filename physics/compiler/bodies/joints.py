"""Joints: their frames, ranges and references, and which joints a body may have together."""

from __future__ import annotations

from tumble.physics.compiler import pose
from tumble.physics.compiler.draft import Body, Joint
from tumble.physics.compiler.pose import ZERO, Quat, Vec, vec3
from tumble.physics.mjcf.spec import Element
from tumble.physics.mjcf.suggest import with_article
from tumble.physics.state.enums import mjtJoint

FREE, BALL, SLIDE, HINGE = mjtJoint

_SMALL = 1e-10  # an axis shorter than this has no direction


def make_joint(element: Element, body: Body, pos: Vec, quat: Quat) -> Joint:
    """A joint of a body; pos, quat: the `<frame>` it is written in."""
    kind = FREE if element.tag == "freejoint" else mjtJoint[f"mjJNT_{element.get('type', 'hinge').upper()}"]
    joint = Joint(element, body, kind, ZERO, (0.0, 0.0, 1.0))
    if kind != FREE:
        joint.pos = pose.add(pos, pose.rotate(quat, vec3(element.get("pos", ZERO))))
    if kind in (SLIDE, HINGE):
        axis = vec3(element.get("axis", (0.0, 0.0, 1.0)))
        if pose.norm(axis) < _SMALL:
            raise element.error("axis needs a direction, is all zeros")
        joint.axis = pose.rotate(quat, pose.unit(axis))
    _read_limits(joint)
    unit = element.settings.angle if kind == HINGE else float
    joint.ref, joint.springref = unit(element.get("ref", 0.0)), unit(element.get("springref", 0.0))
    if element.has("springdamper") and (pair := element.get("springdamper")).any() and not (pair > 0).all():
        raise element.error("springdamper needs two positive numbers: time constant [s] and damping ratio")
    return joint


def _read_limits(joint: Joint) -> None:
    element, kind = joint.element, joint.type
    low, high = (float(v) for v in element.get("range", (0.0, 0.0)))
    if kind == FREE:
        joint.range = low, high  # it may inherit limits, which mean nothing for it
        return
    if kind == BALL and element.get("limited", "auto") in (True, "true"):
        joint.limited = True  # by its first angle already, if it has no range
    else:
        joint.limited = is_limited(element, "limited", "range")
    unit = element.settings.angle if kind in (BALL, HINGE) and joint.limited else float
    joint.range = (unit(low), unit(high))
    if kind == BALL and joint.limited and low != 0:
        raise element.error(f"range of a ball joint must start at 0, starts at {low:g}")
    if kind != BALL:
        joint.actfrclimited = is_limited(element, "actuatorfrclimited", "actuatorfrcrange")


def is_limited(element: Element, flag: str, bounds: str) -> bool:
    """True if a limit holds: written as true or false, or "auto" - then a range that is written makes it so.

    A range that is reversed or empty is no limit then, which is noted.
    Raises MjcfError if a limit that is asked for lacks a range, or a range leaves open whether it holds.
    """
    value = element.get(flag, "auto")
    low, high = (float(v) for v in element.get(bounds, (0.0, 0.0)))
    if value == "auto":
        if element.has(bounds) and not element.settings.autolimits and (low, high) != (0.0, 0.0):
            raise element.error(f'has {bounds} but not {flag}: write {flag}="true" or "false", or <compiler autolimits="true">')
        if low > high:
            element.warn(f"{bounds} is reversed: {low:g} is not below {high:g}; it limits nothing")
        return low < high
    on = value in (True, "true")
    if on and low >= high:
        found = f"{low:g} is not below {high:g}" if element.has(bounds) else "none is written"
        raise element.error(f'{flag}="true" needs {with_article(bounds)} whose first number is the smaller: {found}')
    return on


def check_joints(body: Body) -> None:
    """Raise MjcfError if a body's joints do not fit together."""
    if sum(joint.ndof for joint in body.joints) > 6:
        raise body.element.error(f"has {sum(j.ndof for j in body.joints)} degrees of freedom in its joints, 6 are the most")
    seen_ball = False
    for joint in body.joints:
        if seen_ball and joint.type in (BALL, HINGE):
            raise joint.element.error("a ball joint must be the last rotation of its body")
        seen_ball |= joint.type == BALL


def check_free(world: Body) -> None:
    """Raise MjcfError if a free joint is below another body than the world; to be called when bodies are fused."""
    for body in world.walk():
        free = next((joint for joint in body.joints if joint.type == FREE), None)
        if free and body.parent is not world:
            raise free.element.error("a free joint needs a body that is a child of the world")
