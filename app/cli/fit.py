"""`tumble fit`: parameters of a model from measured data."""

from __future__ import annotations

import argparse
from pathlib import Path

from tumble.app.base.files import write_whole
from tumble.app.cli.common import FINE, PROBLEMS, STOPPED, Grammar, InputError, parser_for, progress_of, stoppable, table
from tumble.app.cli.output import say, show, tell
from tumble.app.cli.sweep import bundle_of
from tumble.app.study.fit.fit import FitJob, FitResult, ModelFit
from tumble.app.study.fit.fit_report import fit_report, interval
from tumble.app.study.study_file import Study, StudyError, load


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "fit",
        "Find the parameters with which a model moves as was measured: those of a study file, from CSV files whose\n"
        "columns its section [fit] names. Writes a report with measured and simulated motion over each other.",
        "fit cube.toml --data tosses/*.csv --hold-out tosses/5*.csv --model fitted.xml",
    )
    grammar.add_argument("study", type=Path, help="study file (*.toml)")
    grammar.add_argument("--data", nargs="+", default=[], metavar="CSV", help="measured files, instead of those of the study")
    grammar.add_argument("--hold-out", nargs="+", default=[], metavar="CSV", help="measured files that are only predicted")
    grammar.add_argument("-o", "--output", type=Path, metavar="FILE", help="the report (default: the study's name, *.html)")
    grammar.add_argument("--model", type=Path, metavar="FILE", help="write the model's file with the values that were found")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Fit; the exit code."""
    try:
        return _fitted(options)
    except StudyError as error:
        raise InputError(str(error)) from error


def _fitted(options: argparse.Namespace) -> int:
    study = load(options.study)
    job = _job(study, options)
    fit = ModelFit(job)
    with progress_of("Fitting", options) as progress, stoppable() as stop:
        result = fit.run(progress.update, stop)
    report = options.output or options.study.with_suffix(".html")
    write_whole(report, fit_report(options.study.name, job, result).encode())
    for line in _lines(result):
        show(line, options)
    if options.model is not None:
        _write_model(options.model, job, result, options)
    say(f"report: {report}" if result.whole else f"stopped: the best values so far are in {report}", options)
    tell(options, **_facts(result), report=report, model=options.model)
    return STOPPED if not result.whole else PROBLEMS if result.undetermined else FINE


def _job(study: Study, options: argparse.Namespace) -> FitJob:
    """Raises StudyError, LoadError."""
    bundle = bundle_of(study, options.study, options)
    return FitJob.of(study, bundle, options.study.parent, options.study.name, options.data, options.hold_out)


def _write_model(path: Path, job: FitJob, result: FitResult, options: argparse.Namespace) -> None:
    """Write the model's main file. Included files that changed are only named: they may belong to other models, too."""
    write_whole(path, result.texts.get(job.bundle.main, job.bundle.text))
    others = [name for name in result.texts if name != job.bundle.main]
    if others:
        say(f"{', '.join(others)}: included, and not written", options)


def _lines(result: FitResult) -> list[str]:
    rows = [[one.name, f"{one.value:.5g}", interval(one)] for one in result.estimates]
    lines = table(["unknown", "value", "95 % interval"], rows)
    lines += result.undetermined
    for records, score in result.scores.items():
        for signal, before in score.before.items():
            lines.append(f"{records}: {signal}: {before:.4g} before, {score.after[signal]:.4g} after")
    return lines


def _facts(result: FitResult) -> dict[str, object]:
    """The result for programs."""
    return {
        "estimates": {
            one.name: {key: getattr(one, key) for key in ("value", "deviation", "low", "high", "determined")}
            for one in result.estimates
        },
        "undetermined": result.undetermined,
        "scores": {records: {"before": score.before, "after": score.after} for records, score in result.scores.items()},
        "inertias": result.inertias,
    }
