"""The examination of a model by all rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from tumble import physics
from tumble.app.doctor.case import DoctorRule, Examination, NoRun
from tumble.app.doctor.finding import Finding, Severity
from tumble.app.doctor.rule_table import RULES
from tumble.app.doctor.silence import silence_of
from tumble.app.editing.stiffness import ElementAt

_ORDER = list(Severity)
_BY_ID = {rule.id: rule for rule in RULES}
_RANKS = {rule.id: rank for rank, rule in enumerate(RULES)}


def examine(case: Examination, going: Callable[[int, int], None]) -> list[Finding]:
    """Run a case and look at it by all rules; findings with their places in the file, the most severe first.

    going: called before each step with the number done and of all; may raise to stop.
    """
    observers = {rule.id: rule.observe(case) for rule in RULES if rule.observe is not None and case.runs}
    if case.runs:
        case.run(observers.values(), going)
    found: list[Finding] = []
    for rule in RULES:
        case.check()
        found += _of_rule(rule, case)
        if rule.id in observers:
            found += observers[rule.id].findings()
    if not found:
        return []  # and the file is not read
    silence = silence_of(case)
    kept = _once([finding for finding in found if not silence.covers(case, finding)])
    if case.begun:
        kept = [finding for finding in kept if not _BY_ID[finding.rule].counts]
    return ranked(_placed(case, finding) for finding in kept)


def _of_rule(rule: DoctorRule, case: Examination) -> list[Finding]:
    """Findings of a rule that looks at the case as a whole."""
    case.looked = False
    try:
        found = [] if rule.examine is None else list(rule.examine(case))
    except NoRun:
        return []
    return [] if case.begun and not case.looked else found


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by severity, then in the order of the rules, which is by what they do to the result."""
    return sorted(findings, key=lambda finding: (_ORDER.index(finding.severity), _RANKS.get(finding.rule, len(_RANKS))))


def _once(found: list[Finding]) -> list[Finding]:
    """Without what findings of other rules explain: an overlap that stays is a contact that rests too deep."""
    return [finding for finding in found if not _is_explained(finding, found)]


def _is_explained(finding: Finding, found: list[Finding]) -> bool:
    causes = [cause for cause in found if finding.rule in _BY_ID[cause.rule].explains]
    if not causes:
        return False
    pairs = {pair for cause in causes for pair in cause.pairs}
    elements = {element for cause in causes for element in cause.elements}
    return _overlapping(finding) <= elements or (bool(finding.pairs) and finding.pairs <= pairs)


def _overlapping(finding: Finding) -> set[ElementAt]:
    """Elements of a finding about a state, but for the keyframe."""
    return {element for element in finding.elements if element[0] != physics.mjtObj.mjOBJ_KEY}


def _placed(case: Examination, finding: Finding) -> Finding:
    if finding.place is not None or finding.element is None:
        return finding
    return replace(finding, place=case.place(finding.element))
