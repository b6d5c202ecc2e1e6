"""<replicate>: the same again and again, each a step of a translation and a rotation further."""

from __future__ import annotations

from physics.compiler import pose
from physics.compiler.compose.assembly import Assembly
from physics.compiler.frames import euler_quat
from physics.compiler.pose import IDENTITY, ZERO, Quat, Vec, vec3
from physics.mjcf.source import MAX_ELEMENTS
from physics.mjcf.spec import Element


def replicate(assembly: Assembly, element: Element, part: Element) -> list[Element]:
    """What stands in the place of a <replicate>; part: holds in the tree of the assembly what is to be replicated, complete.

    Raises MjcfError for more copies than a model may have elements.
    """
    count = element.get("count")
    for lost in [child for child in part.children if child.tag == "inertial"]:
        lost.warn("is replicated, and a body has but one: it is left out, as if it were not written")
        part.children = [child for child in part.children if child is not lost]
    if not part.children:
        return []
    if count > MAX_ELEMENTS:
        raise element.error(f"makes the model too large: at most {MAX_ELEMENTS} elements can be made, count is {count}")
    return assembly.replicate(part, _steps(element, count), _suffixes(element.get("sep", ""), count), element)


def _steps(element: Element, count: int) -> list[tuple[Vec, Quat]]:
    """The poses of the copies: each is one offset further in the frame of the one before it, and turned by one more of the angles.

    The angles are multiplied, not the rotations: about two axes at once that is not the same.
    """
    offset, angles = vec3(element.get("offset")), vec3(element.get("euler"))
    poses, pos = [], ZERO
    for i in range(count):
        quat = euler_quat(pose.scale(float(i), angles), element.settings) if any(angles) else IDENTITY
        poses.append((pos, quat))
        pos = pose.add(pos, pose.rotate(quat, offset))
    return poses


def _suffixes(separator: str, count: int) -> list[str]:
    """Numbers from zero, all with the digits of the count."""
    digits = len(str(count))
    return [f"{separator}{i:0{digits}d}" for i in range(count)]
