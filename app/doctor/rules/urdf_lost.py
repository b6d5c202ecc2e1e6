"""Rule urdf-lost: parts of a URDF that have no effect on the model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import FilePlace, Finding, ModelChange, Severity, listed
from tumble.app.editing.stiffness import ElementAt
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.source import parse
from tumble.physics.mjcf.urdf import PassedOver, passed_over

LOOKS = frozenset({"texture", "material", "verbose"})  # what only shows
_MIMIC, _TRANSMISSION = "mimic", "transmission"


def _examine(case: Examination) -> Iterable[Finding]:
    """Mimic joints move freely: a warning; the rest are two pieces of advice."""
    lost = [part for part in _lost(case.path) if part.node.tag not in LOOKS]
    mimics = [part for part in lost if part.node.tag == _MIMIC]
    drives = [part for part in lost if part.node.tag == _TRANSMISSION]
    others = [part for part in lost if part.node.tag not in (_MIMIC, _TRANSMISSION)]
    if mimics:
        names = [f"{_owner(part)} of {part.node.attributes.get('joint', '?')} (line {part.node.where.line})" for part in mimics]
        yield _finding(
            case, mimics, Severity.WARNING, f"joints that mimic others move freely here: {listed(names)}",
            "What they move, the second finger of a gripper for one, hangs loose.", _equality(mimics[0]),
        )  # fmt: skip
    if drives and not case.model.nu:
        names = [f"{part.node.attributes.get('name', '?')} (line {part.node.where.line})" for part in drives]
        yield _finding(
            case, drives, Severity.ADVICE, f"transmissions make no actuators: {listed(names)}", "Nothing drives the joints.", None
        )
    if others:
        places: dict[str, int] = {}
        for part in others:
            places.setdefault(f"<{part.node.tag}> of {_owner(part)}", part.node.where.line)
        names = [f"{text} (line {line})" for text, line in places.items()]
        yield _finding(
            case, others, Severity.ADVICE, f"parts of the URDF that are not read: {listed(names)}",
            "What they say, of friction, sensors or other programs, has no effect.", None,
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


def _equality(part: PassedOver) -> ModelChange:
    """The equality constraint that does what a mimic joint means: q = offset + multiplier q of the other."""
    numbers = [part.node.attributes.get(name, default) for name, default in (("offset", "0"), ("multiplier", "1"))]
    return ModelChange(
        "equality.joint", "none", f'joint1="{_owner(part)}" joint2="{part.node.attributes.get("joint", "?")}" '
        f'polycoef="{" ".join(numbers)} 0 0 0"',
        "it follows the other joint: URDF has no place for it, saved as MJCF there is one",
    )  # fmt: skip


def _finding(
    case: Examination, parts: Sequence[PassedOver], severity: Severity, cause: str, effect: str, change: ModelChange | None
) -> Finding:
    elements = tuple(dict.fromkeys(element for part in parts for element in _elements(case, part)))
    where = parts[0].node.where
    counts = {tag: sum(part.node.tag == tag for part in parts) for tag in dict.fromkeys(part.node.tag for part in parts)}
    lines = [part.node.where.line for part in parts]
    return Finding(
        RULE.id, severity, cause, effect, elements, {"lost": counts, "lines": lines}, change,
        place=FilePlace(Path(where.file), where.line, where.column),
    )  # fmt: skip


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
    "A URDF is read as links, joints, inertias and shapes. Mimicry, transmissions and what other programs add have no "
    "counterpart: a joint that should follow another moves freely, no transmission makes an actuator, and friction of "
    "contacts is not read. What only shows is not listed.",
    _examine,
)  # fmt: skip
