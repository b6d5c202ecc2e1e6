"""Drives of the joints of a URDF: mimicry as equality constraints, transmissions as motors.

The reference drops both. A part that cannot be followed is left out with a note, for the reference loads such a file, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from tumble.physics.mjcf import notes
from tumble.physics.mjcf.source import Node
from tumble.physics.mjcf.spec import Element
from tumble.physics.mjcf.suggest import MODEL_NAMES, meant

MIMIC, TRANSMISSION, CONTROL = "mimic", "transmission", "ros2_control"
_SINGLE = frozenset({"revolute", "continuous", "prismatic"})  # joints of one dof, which keep their names
_SIMPLE = "SimpleTransmission"  # the kind that leads from one motor to one joint, whatever stands before


def drives(root: Node) -> list[Element]:
    """The sections <equality> and <actuator> of a <robot>; none of those that would be empty."""
    joints = {node.attributes.get("name", ""): node for node in _all(root, "joint")}
    found = {"equality": list(_equalities(joints)), "actuator": list(_motors(root, joints))}
    return [Element(tag, root.where, children=children) for tag, children in found.items() if children]


def _equalities(joints: Mapping[str, Node]) -> Iterator[Element]:
    """q = offset + multiplier * q of the joint that is mimicked; all are 0 as the robot is built."""
    for name, joint in joints.items():
        for mimic in _all(joint, MIMIC):
            other = mimic.attributes.get("joint", "")
            multiplier, offset = (_number(mimic, key, otherwise) for key, otherwise in (("multiplier", 1.0), ("offset", 0.0)))
            if not _moves_alone(joint):
                _leave_out(mimic, f'is of the joint "{name}", which has no single dof')
            elif other not in joints or other == name:
                _leave_out(mimic, f'joint "{other}" is no other joint; {meant(other, joints.keys() - {name}, MODEL_NAMES)}')
            elif multiplier is None or offset is None:
                _leave_out(mimic, "has a multiplier or offset that is no number")
            elif joints[other].attributes.get("type") == "fixed":
                yield _made("joint", mimic, name=f"{name}_mimic", joint1=name, polycoef=np.array([offset, 0.0, 0.0, 0.0, 0.0]))
            elif not _moves_alone(joints[other]):
                _leave_out(mimic, f'joint "{other}" has no single dof')
            else:
                polynomial = np.array([offset, multiplier, 0.0, 0.0, 0.0])
                yield _made("joint", mimic, name=f"{name}_mimic", joint1=name, joint2=other, polycoef=polynomial)


def _motors(root: Node, joints: Mapping[str, Node]) -> Iterator[Element]:
    """Motors whose control is the force of the motor before the reduction, at most what the joint's limit allows behind it."""
    driven: set[str] = set()
    names: set[str] = set()
    for part, driver, reduction in _drivers(root):
        joint = joints.get(driver.attributes.get("name", ""))
        if joint is None or not _moves_alone(joint):
            _leave_out(part, f'drives "{driver.attributes.get("name", "")}", which is no joint of one dof')
            continue
        driven_name = joint.attributes["name"]
        if driven_name in driven:
            continue  # a file says so for several programs
        driven.add(driven_name)
        motor = next(_all(part, "actuator"), part)
        name = motor.attributes.get("name", "") if part.tag == TRANSMISSION else ""
        name = driven_name if name in names | {""} else name
        names.add(name)
        values: dict[str, str | np.ndarray] = {"name": name, "joint": driven_name}
        if reduction != 1:
            values["gear"] = np.array([reduction, 0.0, 0.0, 0.0, 0.0, 0.0])
        if effort := _effort(joint):
            values["ctrlrange"] = np.array([-effort, effort]) / abs(reduction)
        yield _made("motor", part, **values)


def _drivers(root: Node) -> Iterator[tuple[Node, Node, float]]:
    """Each part that drives a joint, the node in it that names the joint, and its reduction."""
    for part in root.children:
        if part.tag == TRANSMISSION:
            kind = part.attributes.get("type") or next((node.text.strip() for node in _all(part, "type")), "")
            drivers = list(_all(part, "joint"))
            if len(drivers) != 1 or (kind and not kind.endswith(_SIMPLE)):
                _leave_out(part, f"is no simple one, from one motor to one joint, but {kind or f'of {len(drivers)} joints'}")
                continue
            yield part, drivers[0], _reduction(part)
        elif part.tag == CONTROL:
            for driver in _all(part, "joint"):
                if any(_all(driver, "command_interface")):
                    yield part, driver, 1.0


def _reduction(transmission: Node) -> float:
    """The reduction of a transmission, wherever in it that stands: force at the joint over force of the motor."""
    around = [transmission, *_all(transmission, "actuator"), *_all(transmission, "joint")]
    for written in (node for parent in around for node in _all(parent, "mechanicalReduction")):
        try:
            value = float(written.text)
        except ValueError:
            value = 0.0
        if value and math.isfinite(value):
            return value
        _leave_out(written, f'"{written.text.strip()}" is no reduction')
    return 1.0


def _effort(joint: Node) -> float:
    """The largest force of a joint [N or N m]; 0: the file has none."""
    limit = next(_all(joint, "limit"), None)
    return 0.0 if limit is None else abs(_number(limit, "effort", 0.0) or 0.0)


def _moves_alone(joint: Node) -> bool:
    return joint.attributes.get("type") in _SINGLE


def _all(parent: Node, tag: str) -> Iterator[Node]:
    return (child for child in parent.children if child.tag == tag)


def _number(node: Node, name: str, otherwise: float) -> float | None:
    """A number of an element, None if it is none."""
    try:
        value = float(node.attributes.get(name, otherwise))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _leave_out(node: Node, why: str) -> None:
    notes.add(f"{node.where}: <{node.tag}> {why}: it is left out")


def _made(tag: str, source: Node, **values: str | np.ndarray) -> Element:
    """An element of MJCF in the place of a part of the URDF."""
    for value in values.values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
    return Element(tag, source.where, dict(values), frozenset(values), actuator_steps=((tag, dict(values)),))
