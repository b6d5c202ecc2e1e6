"""The kinematic tree: bodies, their joints and what is fixed to them, with every frame resolved."""

from __future__ import annotations

from msgspec import Struct

from tumble.physics.compiler import pose
from tumble.physics.compiler.assets import Assets
from tumble.physics.compiler.bodies.frames import read_pose, read_segment
from tumble.physics.compiler.bodies.geoms import make_geom, shape_size
from tumble.physics.compiler.draft import Body, DraftCamera, Joint, Light, Site
from tumble.physics.compiler.pose import IDENTITY, ZERO, Quat, Vec, vec3
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.spec import Element
from tumble.physics.mjcf.suggest import with_article
from tumble.physics.state.enums import mjtGeom, mjtJoint

_SMALL = 1e-10  # a direction shorter than this is none


class FrameChain(Struct, frozen=True):
    """A chain of `<frame>` elements, as one pose in the body's frame."""

    pos: Vec = ZERO
    quat: Quat = IDENTITY

    def around(self, pos: Vec, quat: Quat) -> tuple[Vec, Quat]:
        """A pose given inside the frame, in the body's frame."""
        if self.quat == IDENTITY:  # keeps what is written exact to the last bit
            return pose.add(self.pos, pos), quat
        pos, quat = pose.compose(self.pos, self.quat, pos, quat)
        return pos, pose.quat_unit(quat)


def build_tree(root: Element, assets: Assets) -> Body:
    """The world body with everything in it."""
    world = Body(next(root.all("worldbody"), Element("worldbody", root.where)), None)
    for element in root.all("worldbody"):
        _read_tree(world, element, assets)
    return world


def _read_tree(world: Body, element: Element, assets: Assets) -> None:
    """Read all that is in an element, in document order; with its own stack, for files nest deeper than calls may.

    Errors are reported: what is wrong is left out, a body with all that is in it.
    """
    todo = [(world, FrameChain(), iter(element.children))]
    while todo:
        body, frame, rest = todo[-1]
        child = next(rest, None)
        if child is None:
            todo.pop()
            if todo and todo[-1][0] is not body:
                with faults.tolerated():
                    _check_body(body)
        elif not (_is_faulty(child) or assets.lacks(child)):
            with faults.tolerated():
                if child.tag == "frame":
                    todo.append((body, FrameChain(*frame.around(*read_pose(child))), iter(child.children)))
                elif child.tag == "body":
                    todo.append((_make_body(body, child, frame), FrameChain(), iter(child.children)))
                else:
                    _read_item(body, child, frame, assets)


def _is_faulty(element: Element) -> bool:
    """True if an element is wrong; what is in a body or frame may be, one by one."""
    return faults.is_faulty(element.where) if element.tag in ("body", "frame") else faults.has_fault(element)


def _read_item(body: Body, child: Element, frame: FrameChain, assets: Assets) -> None:
    match child.tag:
        case "inertial":
            body.inertial = child
        case "joint" | "freejoint":
            if body.parent is None:
                raise child.error("the world does not move: only a <body> can have joints")
            body.joints.append(make_joint(child, body, frame.pos, frame.quat))
        case "geom":
            body.geoms.append(make_geom(child, body, frame.around, assets))
        case "site":
            body.sites.append(_make_site(child, body, frame))
        case "camera":
            body.cameras.append(DraftCamera(child, body, *frame.around(*read_pose(child))))
        case "light":
            body.lights.append(_make_light(child, body, frame))


def _make_body(parent: Body, element: Element, frame: FrameChain) -> Body:
    """A child of a body, with nothing in it yet."""
    own = read_pose(element)
    body = Body(element, parent, *frame.around(*own))
    body.ipos, body.iquat = own  # as the reference leaves it if nothing gives the body a mass
    parent.children.append(body)
    return body


def _check_body(body: Body) -> None:
    """Raise MjcfError if what a body holds does not fit together."""
    check_joints(body)
    if body.mocap and (body.joints or (body.parent and body.parent.parent is not None)):
        raise body.element.error("mocap needs a child of the world without joints")


def _make_site(element: Element, body: Body, frame: FrameChain) -> Site:
    kind = mjtGeom[f"mjGEOM_{element.get('type', 'sphere').upper()}"]
    segment = read_segment(element)
    pos, quat = segment[:2] if segment else read_pose(element)
    return Site(element, body, *frame.around(pos, quat), kind, shape_size(element, kind, segment))


def _make_light(element: Element, body: Body, frame: FrameChain) -> Light:
    direction = vec3(element.get("dir", (0.0, 0.0, -1.0)))
    if pose.norm(direction) < _SMALL:
        raise element.error("dir needs a direction, is all zeros")
    pos, _ = frame.around(vec3(element.get("pos", ZERO)), IDENTITY)
    return Light(element, body, pos, pose.rotate(frame.quat, pose.unit(direction)))


FREE, BALL, SLIDE, HINGE = mjtJoint



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
