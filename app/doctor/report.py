"""Findings for programs: as JSON, and as SARIF, which code hosts show beside the lines of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tumble import __version__
from tumble.app.describe.names import name_of
from tumble.app.doctor.finding import Finding, ModelChange, Severity
from tumble.app.doctor.rule_table import RULES

if TYPE_CHECKING:
    from tumble.app.doctor.proof import Proof
    from tumble.physics import MjModel

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_json(finding: Finding, model: MjModel, path: Path, proof: Proof | None = None) -> dict[str, Any]:
    """A finding in a model's file; elements as `geom:foot`, file and line those of the first where they are known.

    proof: of its change, or of one that is dropped because it does not hold.
    """
    place = finding.place
    elements = [f"{kind.name.removeprefix('mjOBJ_').lower()}:{name_of(model, kind, index)}" for kind, index in finding.elements]
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "elements": elements,
        "file": str(path if place is None else place.path),
        "line": None if place is None else place.line,
        "time": finding.time,
        "evidence": finding.evidence,
        "cause": finding.cause,
        "effect": finding.effect,
        "change": None if finding.change is None else _change(finding.change),
        **({} if proof is None else {"proof": _proof(proof)}),
    }


def _proof(proof: Proof) -> dict[str, Any]:
    """Numbers of the measure in runs without and with a change, and whether they differ as predicted."""
    return {"before": proof.before, "after": proof.after, "holds": proof.holds, "text": proof.text}


def _change(change: ModelChange) -> dict[str, Any]:
    """A change for programs; measure: what proves it, with its numbers before and after, or None."""
    prediction, measure = change.prediction, None
    if prediction is not None:
        shown = prediction.measure
        measure = {"name": shown.name, "unit": shown.unit, "before": prediction.before, "after": prediction.after}
    return {
        "path": change.path,
        "from": change.before,
        "to": change.after,
        "predicted": change.predicted,
        "measure": measure,
    }


def key_of(entry: Mapping[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    """The identity of a finding between two reports, in which numbers and lines may differ: rule, name of the file, elements."""
    return str(entry["rule"]), Path(str(entry["file"])).name, tuple(entry["elements"])


def as_sarif(entries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """A log in the format SARIF 2.1.0 of findings as `as_json` gives them."""
    rules = [{"id": rule.id, "shortDescription": {"text": rule.title}, "fullDescription": {"text": rule.about}} for rule in RULES]
    tool = {"driver": {"name": "Tumble", "version": __version__, "rules": rules}}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": tool, "results": [_result(entry) for entry in entries]}]}


def _result(entry: Mapping[str, Any]) -> dict[str, Any]:
    where: dict[str, Any] = {"artifactLocation": {"uri": Path(str(entry["file"])).as_posix()}}
    if entry["line"] is not None:
        where["region"] = {"startLine": entry["line"]}
    return {
        "ruleId": entry["rule"],
        "level": _LEVELS[Severity(entry["severity"])],
        "message": {"text": f"{entry['cause']}. {entry['effect']}".strip()},
        "locations": [{"physicalLocation": where}],
    }


def lines_of(findings: Sequence[Finding]) -> list[str]:
    """Findings for people, a line each: severity, text, rule and place."""
    places = ["" if f.place is None else f" ({f.place.path}:{f.place.line})" for f in findings]
    return [f"{f.severity.value}: {f.text} [{f.rule}]{place}" for f, place in zip(findings, places, strict=True)]


def summary(findings: Sequence[Finding]) -> str:
    """The number of findings by severity: "1 error, 2 warnings, 1 suggestion"; "no findings"."""
    words = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "suggestion"}
    counts = [(sum(f.severity is severity for f in findings), word) for severity, word in words.items()]
    return ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts if n) or "no findings"
