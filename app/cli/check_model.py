"""Examination of one model for `tumble check`: findings in lines and as entries, their proofs, the patch, pictures."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from tumble.app.base.log_relay import unlogged
from tumble.app.cli.common import BAD_INPUT, FINE, PROBLEMS, begin, load, progress_of, stoppable, table
from tumble.app.cli.output import plain
from tumble.app.describe.names import counts
from tumble.app.doctor import report
from tumble.app.doctor.case import Examination
from tumble.app.doctor.examine import examine
from tumble.app.doctor.finding import Severity
from tumble.app.doctor.finding_pictures import NoPicturesError, pictures
from tumble.app.doctor.fix import Fix, ProvenFinding, fix_of, proven
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.stiffness import Servo, StiffnessWatch
from tumble.app.library import unpack
from tumble.app.session.loader import without_text

if TYPE_CHECKING:
    from tumble.physics import MjModel

LISTED = 8  # servos of a table
SEVERITIES = [severity.value for severity in Severity]
Known = frozenset[tuple[str, str, tuple[str, ...]]]


class CheckStopped(Exception):
    """The user wants the end."""


class CheckedModel(Struct):
    """Result of a model.

    code: of the command for it; lines: for people; entries: findings for programs; pictures: a PNG file of each or None; facts:
    of the model and its run, {} where it did not load; figures: the same in a line; no_pictures: why there are none; fixed,
    diff: entries that a patch removes, and its lines.
    """

    path: str
    code: int
    lines: list[str]
    entries: list[dict[str, Any]]
    pictures: list[bytes | None]
    facts: dict[str, Any] = field(default_factory=dict)
    no_pictures: str = ""
    figures: str = ""
    fixed: list[dict[str, Any]] = field(default_factory=list)
    diff: list[str] = field(default_factory=list)


class _Checked(Struct):
    """A case, what was found in it that is not known already, and what a run proves of the changes."""

    case: Examination
    proofs: list[ProvenFinding]
    entries: list[dict[str, Any]]

    def lines(self) -> list[str]:
        """Findings, changes and how many there are, for people."""
        findings = [one.kept for one in self.proofs]
        lines: list[str] = []
        for line, one in zip(report.lines_of(findings), self.proofs, strict=True):
            lines.append(line)
            change = one.finding.change
            if one.proof is not None and change is not None:
                what = f"{change.path}: {change.before} -> {change.after}"
                verdict = "proven" if one.proof.holds else "not proposed, it does not do what was predicted"
                lines.append(f"    {what}, {verdict}: {one.proof.text}")
        return [*lines, report.summary(findings)]


def check_model(path: Path, options: argparse.Namespace, known: Known) -> CheckedModel:
    """Examine a model; with --prove, --fix and --html also prove, patch and draw. Raises LoadError, CheckStopped."""
    checked = _examined(path, options, known)
    model, watch, servos = checked.case.model, checked.case.watch, checked.case.servos
    result = CheckedModel(str(path), FINE, _tables(unpack.as_named(path), model, watch, servos), [], [])
    result.facts = {"model": str(path), **_facts(model, watch, servos)}
    result.figures = f"{_sizes(model)}; {_steps(model, watch)}"
    result.lines += checked.lines()
    if options.fix:
        checked = _fix(path, options, known, checked, result)
    result.entries = checked.entries
    result.pictures = [None for _ in checked.entries]
    if options.html is not None:
        try:
            result.pictures = pictures(checked.case, [one.kept for one in checked.proofs])
        except NoPicturesError as error:
            result.no_pictures = str(error)
    failing = SEVERITIES[: SEVERITIES.index(options.fail_on) + 1]
    result.code = PROBLEMS if any(entry["severity"] in failing for entry in checked.entries) else FINE
    return result


def unread(path: Path, why: str) -> CheckedModel:
    """Result of a file that does not load."""
    entry: dict[str, Any] = {"rule": "load", "severity": Severity.ERROR.value, "elements": [], "file": str(path), "line": None,
                             "time": None, "evidence": {}, "cause": why, "effect": "The model does not load.",
                             "change": None}  # fmt: skip
    return CheckedModel(str(path), BAD_INPUT, [f"error: {why}"], [entry], [None])


def _examined(path: Path, options: argparse.Namespace, known: Known) -> _Checked:
    with unlogged("tumble.physics.model"):
        model = load(path, options)
    case = Examination(model, None if without_text(path) else path, begin(model, options), options.seconds)
    with stoppable() as stop:
        with progress_of("Checking", options) as progress:
            found = examine(case, _going(stop, progress.update))
        new = [finding for finding in found if report.key_of(report.as_json(finding, model, path)) not in known]
        proofs = [ProvenFinding(finding) for finding in new]
        if options.prove or options.fix:
            with progress_of("Proving", options) as progress:
                proofs = proven(case, new, _going(stop, progress.update))
    shown = [report.as_json(one.kept, model, path, one.proof) for one in proofs]
    return _Checked(case, proofs, [{name: plain(value) for name, value in entry.items()} for entry in shown])


def _going(stop: Callable[[], bool], update: Callable[[float, float], None]) -> Callable[[int, int], None]:
    def going(done: int, steps: int) -> None:
        if stop():
            raise CheckStopped
        update(done, steps)

    return going


def _fix(path: Path, options: argparse.Namespace, known: Known, checked: _Checked, result: CheckedModel) -> _Checked:
    """Write the patch, or only show it; returns what is left."""
    problem, fix = "", None
    try:
        fix = fix_of(checked.case, path, checked.proofs)
        writes = fix is not None and bool(fix.patch.files)
        if fix is not None and writes and not options.dry_run:
            fix.patch.save()
    except PatchError as error:
        problem, writes = str(error), False
    if fix is None or not writes:
        left = [problem] if problem else [] if fix is None else list(fix.left)
        result.facts["fix"] = {"written": [], "fixed": [], "diff": [], "left": left}
        result.lines += [f"not fixed: {why}" for why in left] or ["nothing to fix: no finding has a change that is proven"]
        return checked
    _report_fix(fix, options, checked, result)
    if options.dry_run:
        return checked
    after = _examined(path, options, known)
    result.lines += ["", "left after the change:", *after.lines()]
    return after


def _report_fix(fix: Fix, options: argparse.Namespace, checked: _Checked, result: CheckedModel) -> None:
    written = [] if options.dry_run else [str(file.path) for file in fix.patch.files]
    result.diff = [line for file in fix.patch.files for line in file.diff()]
    result.fixed = [entry for one, entry in zip(checked.proofs, checked.entries, strict=True) if one.finding in fix.findings]
    result.facts["fix"] = {"written": written, "fixed": result.fixed, "diff": result.diff, "left": list(fix.left)}
    result.lines += ["", *result.diff, *(f"not fixed: {why}" for why in fix.left)]
    result.lines.append(f"written: {', '.join(written)}" if written else "not written: --dry-run")


def _sizes(model: MjModel) -> str:
    return ", ".join(counts(model, "body", "jnt", "v", "geom", "u"))


def _steps(model: MjModel, watch: StiffnessWatch) -> str:
    """Steps, contacts and iterations of the run."""
    h, solver = float(model.opt.timestep), ("PGS", "CG", "Newton")[int(model.opt.solver)]
    return (
        f"{watch.steps} steps of {h:g} s: at most {watch.contacts} contacts, {watch.rows} constraint rows; "
        f"{solver} {watch.mean_iterations:.1f} iterations per step, at most {watch.most_iterations} of {model.opt.iterations}"
    )


def _tables(path: Path, model: MjModel, watch: StiffnessWatch, own: list[Servo]) -> list[str]:
    """Figures of the run, in tables."""
    lines = [f"{path}: {_sizes(model)}", _steps(model, watch)]
    if watch.groups:
        rows = [[kind, str(g.rows), _time(g.constant), f"{g.share:.3f}", f"{g.depth:.3g}", g.deepest or g.stiffest]
                for kind, g in watch.groups.items()]  # fmt: skip
        head = ["constraint", "rows", "time constant", "share", "deepest [m, rad]", "where"]
        lines += ["", *table(head, rows)]
    if own:
        rows = [[s.name, f"{s.stiffness:.4g}", f"{s.damping:.4g}", f"{s.inertia:.3g}", f"{s.share:.3f}"] for s in own[:LISTED]]
        lines += ["", *table(["servo or spring", "stiffness", "damping", "inertia", "share"], rows)]
        lines += [f"... and {len(own) - LISTED} less stiff"] if len(own) > LISTED else []
    return [*lines, ""]


def _facts(model: MjModel, watch: StiffnessWatch, own: list[Servo]) -> dict[str, object]:
    """The same figures, for programs: times in seconds, depths in m or rad."""
    return {
        "steps": watch.steps, "timestep": float(model.opt.timestep), "contacts": watch.contacts, "rows": watch.rows,
        "mean_iterations": watch.mean_iterations, "most_iterations": watch.most_iterations,
        "constraints": [
            {"kind": kind, "rows": g.rows, "time_constant": g.constant, "share": g.share,
             "depth": g.depth, "where": g.deepest or g.stiffest}
            for kind, g in watch.groups.items()
        ],
        "servos": [
            {"name": s.name, "stiffness": s.stiffness, "damping": s.damping, "inertia": s.inertia, "share": s.share} for s in own
        ],
    }  # fmt: skip


def _time(value: float) -> str:
    return f"{1e3 * value:.3g} ms" if math.isfinite(value) else "-"
