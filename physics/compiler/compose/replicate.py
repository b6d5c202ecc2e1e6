"""<replicate>: the same again and again, each a step of a translation and a rotation further."""

from __future__ import annotations

from tumble.physics.compiler import pose
from tumble.physics.compiler.bodies.frames import euler_quat
from tumble.physics.compiler.compose.assembly import Assembly, Placement
from tumble.physics.compiler.compose.measure import too_large
from tumble.physics.compiler.pose import IDENTITY, ZERO, vec3
from tumble.physics.mjcf.source import MAX_ELEMENTS
from tumble.physics.mjcf.spec import Element


def replicate(assembly: Assembly, element: Element, part: Element) -> list[Element]:
    """Elements that replace a <replicate>; part: holds the complete elements to replicate in the tree of the assembly.

    Raises MjcfError for more copies than a model may have elements.
    """
    count = element.get("count")
    for lost in [child for child in part.children if child.tag == "inertial"]:
        lost.warn("is replicated, and a body has but one: it is left out, as if it were not written")
        part.children = [child for child in part.children if child is not lost]
    if not part.children:
        return []
    if count > MAX_ELEMENTS:
        raise too_large(element)
    return assembly.replicate(part, _steps(element, count), element)


def _steps(element: Element, count: int) -> list[Placement]:
    """The copies: each one offset further in the frame of the one before it, and turned by the angles once more.

    The angles are multiplied, not the rotations: about two axes that is not the same. Suffixes are numbers from
    zero, all with the digits of the count.
    """
    offset, angles = vec3(element.get("offset")), vec3(element.get("euler"))
    digits, separator = len(str(count)), element.get("sep", "")
    steps, pos = [], ZERO
    for i in range(count):
        quat = euler_quat(pose.scale(float(i), angles), element.settings) if any(angles) else IDENTITY
        steps.append(Placement(pos, quat, f"{separator}{i:0{digits}d}"))
        pos = pose.add(pos, pose.rotate(quat, offset))
    return steps
