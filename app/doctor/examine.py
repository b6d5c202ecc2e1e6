"""The examination of a model by all rules."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from tumble.app.doctor.case import Examination
from tumble.app.doctor.finding import Finding, Severity
from tumble.app.doctor.rule_table import RULES
from tumble.app.doctor.silence import silence_of

GIVES_ENERGY = {"overlap-start", "limit-start", "blow-up", "unstable-step", "gear-sign", "conflict"}  # findings that explain it
_ORDER = list(Severity)


def examine(case: Examination, going: Callable[[int, int], None]) -> list[Finding]:
    """Run a case and look at it by all rules; findings with their places in the file, the most severe first.

    going: called before each step with the number done and of all; may raise to stop.
    """
    observers = {rule.id: rule.observe(case) for rule in RULES if rule.observe is not None}
    case.run(observers.values(), going)
    found: list[Finding] = []
    for rule in RULES:
        if rule.examine is not None:
            found += rule.examine(case)
        if rule.id in observers:
            found += observers[rule.id].findings()
    if not found:
        return []  # and the file is not read
    silence = silence_of(case)
    kept = _once([finding for finding in found if not silence.covers(case, finding)])
    return sorted((_placed(case, finding) for finding in kept), key=lambda finding: _ORDER.index(finding.severity))


def _once(found: list[Finding]) -> list[Finding]:
    """Without what another finding explains: an overlap that stays (`sink` says why), energy that the start gave."""
    sunken = {frozenset(finding.pair) for finding in found if finding.rule == "sink" and finding.pair is not None}
    kept = [f for f in found if not (f.rule == "overlap-start" and f.pair is not None and frozenset(f.pair) in sunken)]
    rules = {finding.rule for finding in kept}
    return [f for f in kept if not (f.rule == "energy-grows" and rules & GIVES_ENERGY)]


def _placed(case: Examination, finding: Finding) -> Finding:
    if finding.place is not None or finding.element is None:
        return finding
    return replace(finding, place=case.place(finding.element))
