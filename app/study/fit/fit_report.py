"""The report of a fit as one HTML file without external resources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from tumble import __version__
from tumble.app.study.fit.fit import FitJob, FitResult
from tumble.app.study.fit.plot_svg import PlotLine, plot
from tumble.app.study.fit.prediction import Predicted
from tumble.app.study.fit.uncertainty import Estimate

Array = NDArray[np.float64]


def fit_report(name: str, job: FitJob, result: FitResult) -> str:
    """The page of a study of that name."""
    style = resources.files("tumble.resources").joinpath("findings.css").read_text("utf-8")
    title = f"Fit of {escape(name)}"
    held = f", {len(job.held_out)} held out" if job.held_out else ""
    body = [
        f"<h1>{title}</h1>",
        f'<p class="dim">{escape(job.study.model)}: {len(result.estimates)} unknowns from {len(job.records)} records'
        f"{held}, in windows of {_length(job)}. Tumble {escape(__version__)}.</p>",
        "" if result.whole else "<p>The search was stopped: these are its best values so far.</p>",
        "<h2>Unknowns</h2>", _estimates(result), _undetermined(result.undetermined), _inertias(result.inertias),
        "<h2>Differences</h2>", _scores(result), "<h2>Measured and simulated</h2>", _plots(job, result),
    ]  # fmt: skip
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{style}</style></head>\n<body>\n"
        + "\n".join(part for part in body if part)
        + "\n</body></html>\n"
    )


def _length(job: FitJob) -> str:
    return f"{job.fit.window:g} s" if job.fit.window else "whole records"


def interval(estimate: Estimate) -> str:
    """The 95 % interval in words."""
    return f"{estimate.low:.4g} to {estimate.high:.4g}" if estimate.determined else "not determined by the data"


def _estimates(result: FitResult) -> str:
    rows = []
    for one in result.estimates:
        ends = "" if one.restarts is None else f"{one.restarts[0]:.4g} to {one.restarts[1]:.4g}"
        limit = f" (its {one.limit} limit)" if one.limit else ""
        rows.append(
            f'<tr><td>{escape(one.name)}</td><td class="number">{one.value:.5g}{limit}</td>'
            f'<td class="number">{interval(one)}</td><td class="number">{ends}</td></tr>'
        )
    numbers = "".join(f'<th class="number">{text}</th>' for text in ("value", "95 % interval", "restarts"))
    heads = f"<tr><th>unknown</th>{numbers}</tr>"
    note = f'<p class="dim">Intervals rest on {escape(result.uncertainty.by)}.</p>'
    return f"<table>{heads}{''.join(rows)}</table>{note}"


def _undetermined(sentences: Sequence[str]) -> str:
    if not sentences:
        return "<p>The data determine all of them.</p>"
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def _inertias(inertias: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    lines = []
    for body, words in inertias.items():
        attributes = " ".join(f'{key}="{" ".join(f"{value:.6g}" for value in values)}"' for key, values in words.items())
        lines.append(f"{escape(body)}: {escape(f'<inertial {attributes}/>')}")
    return f"<pre>{chr(10).join(lines)}</pre>" if lines else ""


def _scores(result: FitResult) -> str:
    rows = []
    for records, score in result.scores.items():
        for signal, before in score.before.items():
            after = score.after[signal]
            change = f"{100 * (after / before - 1):+.0f} %" if before > 0 else ""
            rows.append(
                f'<tr><td>{escape(records)}</td><td>{escape(signal)}</td><td class="number">{before:.4g}</td>'
                f'<td class="number">{after:.4g}</td><td class="number">{change}</td></tr>'
            )
    heads = "".join(f'<th class="number">{text}</th>' for text in ("before", "after", "change"))
    what = "Root mean square of simulated less measured, over windows from measured states; before: where the search began."
    note = f'<p class="dim">{what}</p>'
    return f"<table><tr><th>records</th><th>signal</th>{heads}</tr>{''.join(rows)}</table>{note}"


def _plots(job: FitJob, result: FitResult) -> str:
    keys = (("measured", "measured"), ("before", "simulated before"), ("after", "simulated after"))
    parts = ["<p>" + "".join(f'<span class="key {style}">{text}</span>' for style, text in keys) + "</p>"]
    held = {record.name for record in job.held_out}
    for name, (before, after) in result.shown.items():
        parts.append(f"<h3>{escape(name)}{' (held out)' if name in held else ''}</h3>")
        parts += [plot(signal, _lines(k, before, after)) for k, signal in enumerate(job.fit.signals)]
    return "\n".join(parts)


def _lines(k: int, before: Predicted, after: Predicted) -> list[PlotLine]:
    """Lines of an output: windows one after the other, with a break between."""
    time = np.concatenate([before.time + before.begins[:, None], np.full((len(before.time), 1), np.nan)], axis=1).ravel()

    def flat(values: Array) -> Array:
        shown = np.where(np.isfinite(before.time), values[..., k], np.nan)
        return np.concatenate([shown, np.full((len(shown), 1), np.nan)], axis=1).ravel()

    measured = flat(before.measured)
    simulated = [PlotLine(time, flat(one.simulated), style) for one, style in ((before, "before"), (after, "after"))]
    return [PlotLine(time, measured, "measured"), *simulated]
