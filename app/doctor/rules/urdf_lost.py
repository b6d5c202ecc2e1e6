"""Rule urdf-lost: parts of a URDF that have no effect on the model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import FilePlace, Finding, Severity, listed
from tumble.app.editing.stiffness import ElementAt
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.source import parse
from tumble.physics.mjcf.urdf import PassedOver, passed_over

LOOKS = frozenset({"texture", "material", "verbose"})  # what only shows


def _examine(case: Examination) -> Iterable[Finding]:
    """One piece of advice for all parts."""
    lost = [part for part in _lost(case.path) if part.node.tag not in LOOKS]
    if not lost:
        return
    places: dict[str, int] = {}
    for part in lost:
        places.setdefault(f"<{part.node.tag}> of {_owner(part)}", part.node.where.line)
    names = [f"{text} (line {line})" for text, line in places.items()]
    where = lost[0].node.where
    counts = {tag: sum(part.node.tag == tag for part in lost) for tag in dict.fromkeys(part.node.tag for part in lost)}
    yield Finding(
        RULE.id, Severity.ADVICE, f"parts of the URDF that are not read: {listed(names)}",
        "What they say, of friction, sensors or other programs, has no effect.",
        tuple(dict.fromkeys(element for part in lost for element in _elements(case, part))),
        {"lost": counts, "lines": [part.node.where.line for part in lost]},
        place=FilePlace(Path(where.file), where.line, where.column),
    )  # fmt: skip


def _lost(path: Path | None) -> list[PassedOver]:
    if path is None:
        return []
    try:
        root = parse(path.read_bytes(), str(path))
    except (OSError, PhysicsError):
        return []
    return passed_over(root) if root.tag == "robot" else []


def _owner(part: PassedOver) -> str:
    """The name of the innermost named element around a part."""
    return next((node.attributes["name"] for node in reversed(part.around) if node.attributes.get("name")), "robot")


def _elements(case: Examination, part: PassedOver) -> Iterable[ElementAt]:
    """The joint or body that a part is about, where it has become one."""
    named = [(node.tag, node.attributes.get("name", "")) for node in (part.node, *reversed(part.around))]
    named += [(node.tag, node.attributes.get("name", "")) for node in part.node.children]
    named += [("link", part.node.attributes["reference"]), ("joint", part.node.attributes["reference"])] \
        if "reference" in part.node.attributes else []  # fmt: skip
    for tag, name in named:
        kind = {"joint": OBJ.mjOBJ_JOINT, "link": OBJ.mjOBJ_BODY}.get(tag)
        index = -1 if kind is None or not name else physics.mj_name2id(case.model, kind, name)
        if kind is not None and index >= 0:
            yield kind, index


RULE = DoctorRule(
    "urdf-lost", "Parts of a URDF that are dropped",
    "A URDF is read as links, joints, inertias and shapes, mimicry as equality constraints, simple transmissions and joints "
    "that `ros2_control` commands as motors. What other programs add has no counterpart: friction of contacts and sensors are "
    "not read. What only shows is not listed; mimicry and transmissions that cannot be followed are found by `reading`.",
    _examine,
)  # fmt: skip
