"""Findings of `tumble check`: problems and notes, each with its element and place in the file."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tumble import physics
from tumble.app.base.editor import place_in
from tumble.app.describe.integrators import advice
from tumble.app.describe.warnings import bad_joint, counted
from tumble.app.editing.stiffness import COARSE, UNSTABLE, ElementAt, Servo, StiffnessWatch, raised_time_constants, servos
from tumble.physics.compiler.compile import outline
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.observe.stability import analyse_stability
from tumble.physics.run.program import gaps, is_hard

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

LISTED = 8  # elements of one finding
LIMITED_SHARE = 0.01  # of steps in which the solver may end at its limit before that is a finding
SECONDS = 1.0  # of simulated time that a check runs
_OBJ = physics.mjtObj
# The lists of a draft by kind of element, and whether their objects hold the element of the file or are it.
_LISTS = {
    _OBJ.mjOBJ_GEOM: ("geoms", True), _OBJ.mjOBJ_JOINT: ("joints", True), _OBJ.mjOBJ_PAIR: ("pairs", False),
    _OBJ.mjOBJ_EQUALITY: ("equalities", False), _OBJ.mjOBJ_TENDON: ("tendons", False), _OBJ.mjOBJ_ACTUATOR: ("actuators", False),
}  # fmt: skip


class Severity(Enum):
    """Severity of a finding."""

    PROBLEM = "problem"
    NOTE = "note"


class FilePlace(Struct, frozen=True):
    """A line and column of a file."""

    path: Path
    line: int
    column: int = 1


class Finding(Struct, frozen=True):
    """A finding in words.

    element: its subject, None for the whole model; parts: the same of each element, where there are several; place: in the
    file, None where that is not known; pair: the two sides of the contact that it is about, geoms or -1 - flex, None for none.
    """

    severity: Severity
    text: str
    element: ElementAt | None = None
    place: FilePlace | None = None
    parts: tuple[Finding, ...] = ()
    pair: tuple[int, int] | None = None


def problem(text: str, element: ElementAt | None = None, parts: tuple[Finding, ...] = ()) -> Finding:
    """Create a finding that is a problem."""
    return Finding(Severity.PROBLEM, text, element, None, parts)


def check(model: MjModel, going: Callable[[int, int], None]) -> list[Finding]:
    """Run a model from its initial state for one second, and return the findings; going: called each step, may raise to stop."""
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    own, unstable = servos(model, data), instability(model, data)
    watch = StiffnessWatch(round(SECONDS / float(model.opt.timestep)))
    watch.resting.begin(data)
    while watch.steps < watch.length:
        going(watch.steps, watch.length)
        physics.mj_step(model, data)
        watch.look(model, data)
    notes = [Finding(Severity.NOTE, note, None, _place(place_in(note))) for note in model.notes]
    return [*problems_of(model, data, watch, own), *unstable, *notes]


def instability(model: MjModel, data: MjData) -> list[Finding]:
    """Findings on the stability of the model's integrator at the current state, and of the others.

    Nothing for hard contacts, which have their own integrator, for delays and for large models.
    """
    if is_hard(model) or model.nhistory:
        return []
    # The others cost as much again each, and are of interest only where the model's own is unstable.
    stability = analyse_stability(model, data, integrators=(physics.mjtIntegrator(int(model.opt.integrator)),))
    if stability is None or stability.own.stable:
        return []
    every = analyse_stability(model, data)
    return [] if every is None else [problem(advice(every))]


def problems_of(model: MjModel, data: MjData, watch: StiffnessWatch, own: list[Servo]) -> list[Finding]:
    """The problems of a run: the engine's warnings, elements too stiff for the time step, contacts that
    rest too deep, a solver that ends at its limit."""
    findings = [problem(gap) for gap in gaps(model)]
    for kind, info, text in counted(model, data, float(data.time)):
        joint = bad_joint(model, kind, info)
        findings.append(problem(text, (_OBJ.mjOBJ_JOINT, joint) if joint >= 0 else None))
    findings += [*_raised(model), *_stiff(model, watch, own), *_sunken(model, data, watch)]
    if watch.limited > LIMITED_SHARE * watch.steps:
        limit = int(model.opt.iterations)
        findings.append(problem(f"the solver ended at its limit of {limit} iterations in {watch.limited} of {watch.steps} steps"))
    return findings


def _raised(model: MjModel) -> list[Finding]:
    raised, h = raised_time_constants(model), float(model.opt.timestep)
    if not raised:
        return []
    words = [text for _, text in raised]
    listed = ", ".join(words[:LISTED]) + (f" and {len(words) - LISTED} more" if len(words) > LISTED else "")
    text = f"time constants below two time steps, {2 * h:g} s, are raised to that (refsafe)"
    parts = tuple(problem(f"the time constant of {one} is below two time steps and is raised to {2 * h:g} s (refsafe)", element)
                  for element, one in raised)  # fmt: skip
    return [problem(f"{text}: {listed}", raised[0][0], parts)]


def _stiff(model: MjModel, watch: StiffnessWatch, own: list[Servo]) -> list[Finding]:
    """Constraints, servos and springs that are stiff for the time step, the worst first."""
    h, findings = float(model.opt.timestep), []
    # A constraint with a time constant of two steps, the shortest that refsafe lets through, has a share of about a half.
    limits = [(g.share, g.longest, UNSTABLE, f"{kind} {g.stiffest}", g.element, g.pair) for kind, g in watch.groups.items()]
    limits += [(s.share, s.longest, COARSE, s.name, s.element, None) for s in own]
    for share, longest, limit, name, element, pair in sorted(limits, key=lambda item: -item[0])[:LISTED]:
        if share >= limit:
            word = "unstable at" if share >= UNSTABLE else "stiff for"
            text = f"{name} is {word} a time step of {h:g} s (share {share:.3g}); try {longest:.2g} s"
            findings.append(replace(problem(text, element), pair=pair))
    return findings


def _sunken(model: MjModel, data: MjData, watch: StiffnessWatch) -> list[Finding]:
    """Contacts that rest deeper than suits their geoms."""
    sunken = watch.resting.sunken(model, data)
    findings = [replace(problem(one.words(model), (_OBJ.mjOBJ_GEOM, one.thinner)), pair=(one.thinner, one.other))
             for one in sunken[:LISTED]]  # fmt: skip
    return [*findings, problem(f"{len(sunken) - LISTED} more pairs of geoms rest too deep")] if len(sunken) > LISTED else findings


# ---- where it stands in the file


def located(findings: list[Finding], path: Path) -> list[Finding]:
    """The findings with the places of their elements in the model's files; as they are where a file does not load any more."""
    try:
        draft = outline(read_path(path))
    except PhysicsError:
        return findings

    def with_place(finding: Finding) -> Finding:
        parts = tuple(map(with_place, finding.parts))
        if finding.place is not None or finding.element is None or finding.element[0] not in _LISTS:
            return replace(finding, parts=parts)
        kind, index = finding.element
        name, held = _LISTS[kind]
        objects = getattr(draft, name)
        if index >= len(objects):
            return replace(finding, parts=parts)
        where = (objects[index].element if held else objects[index]).where
        return replace(finding, place=FilePlace(Path(where.file), where.line, where.column), parts=parts)

    return [with_place(finding) for finding in findings]


def _place(found: tuple[Path, int, int] | None) -> FilePlace | None:
    return None if found is None else FilePlace(*found)
