"""Findings as one HTML file without external resources: a table of models, then each one's findings with pictures."""

from __future__ import annotations

import base64
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from msgspec import Struct

from tumble import __version__
from tumble.app.doctor.finding import Severity, listed
from tumble.app.doctor.rule_table import RULES

_STYLE = """
:root { color-scheme: light }
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 62rem; background: #fff; color: #1d2126;
  font: 15px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif }
h1 { font-size: 1.6rem; margin: 0 0 .3rem } h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem; overflow-wrap: anywhere }
h3 { font-size: 1rem; margin: 0 0 .3rem } p { margin: .25rem 0 } a { color: #0b5cad }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .2rem .7rem .2rem 0; vertical-align: top }
th { color: #5c6670; font-weight: 600 } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
.summary td:first-child { overflow-wrap: anywhere } .summary td:last-child { width: 45% } .finding table { width: auto }
.summary tr + tr td { border-top: 1px solid #e7eaed }
.finding { display: flex; gap: 1.2rem; border: 1px solid #dfe3e8; border-left-width: 5px; border-radius: 6px;
  padding: .8rem 1rem; margin: .7rem 0; break-inside: avoid }
.finding > div { flex: 1; min-width: 0; overflow-wrap: anywhere }
.finding img { width: 300px; height: 200px; border-radius: 4px; flex: none }
.error { border-left-color: #c62828 } .warning { border-left-color: #d98200 } .advice { border-left-color: #7d8a97 }
.severity { font-size: .75rem; font-weight: 700; text-transform: uppercase; letter-spacing: .04em; margin-right: .5rem }
.error .severity { color: #c62828 } .warning .severity { color: #a86400 } .advice .severity { color: #5c6670 }
.dim { color: #5c6670 } .change { background: #f3f7f3; border-radius: 4px; padding: .35rem .6rem; margin-top: .5rem }
code, pre { font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", Consolas, monospace }
pre { background: #f6f8fa; border-radius: 6px; padding: .7rem .9rem; overflow-x: auto }
details { margin-top: .4rem } summary { cursor: pointer; color: #5c6670 }
dt { font-weight: 600; margin-top: .8rem } dd { margin: 0 }
@media (max-width: 46rem) { .finding { flex-direction: column-reverse } .finding img { width: 100%; height: auto } }
"""
_ORDER = [severity.value for severity in Severity]
_HEADS = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.ADVICE: "advice"}
_ELEMENTS = 6  # names in a line
_DIGITS = 4  # of numbers


class ModelSection(Struct, frozen=True):
    """Findings of a model.

    name: as the user gave it; entries: as `report.as_json` gives them; pictures: PNG files, one an entry, None for none;
    figures: of the model and its run, in a line; fixed: entries that a patch of the file removes; diff: its lines.
    """

    name: str
    entries: Sequence[Mapping[str, Any]]
    pictures: Sequence[bytes | None]
    figures: str = ""
    fixed: Sequence[Mapping[str, Any]] = ()
    diff: Sequence[str] = ()


def html_report(sections: Sequence[ModelSection], no_pictures: str = "") -> str:
    """The page; no_pictures: why there are none."""
    entries = [entry for section in sections for entry in section.entries]
    count = f"{len(sections)} model{'' if len(sections) == 1 else 's'}"
    totals = Counter(entry["severity"] for entry in entries)
    total = ", ".join(f"{totals[s.value]} {_HEADS[s]}" for s in Severity)
    body = [
        f"<h1>Findings in {count}</h1>",
        f'<p class="dim">{total}. Examined by the rules of the doctor, Tumble {escape(__version__)}.</p>',
        f'<p class="dim">There are no pictures: {escape(no_pictures)}.</p>' if no_pictures else "",
        _table(sections),
        *(_section(k, section) for k, section in enumerate(sections)),
        _glossary({str(entry["rule"]) for entry in entries}),
    ]
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Findings in {count}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(part for part in body if part)
        + "\n</body></html>\n"
    )


def _names(sections: Sequence[ModelSection]) -> list[str]:
    """Names of the models from their common folder on."""
    names = [section.name for section in sections]
    roots = {(os.path.isabs(name), os.path.splitdrive(name)[0]) for name in names}
    common = os.path.commonpath([os.path.dirname(name) for name in names]) if len(roots) == 1 else ""
    return [os.path.relpath(name, common) if common and len(names) > 1 else name for name in names]


def _table(sections: Sequence[ModelSection]) -> str:
    heads = "".join(f'<th class="number">{head}</th>' for head in _HEADS.values())
    rows = []
    for k, (name, section) in enumerate(zip(_names(sections), sections, strict=True)):
        counts = Counter(entry["severity"] for entry in section.entries)
        numbers = "".join(f'<td class="number">{counts[severity] or ""}</td>' for severity in _ORDER)
        rules = listed(list(dict.fromkeys(str(entry["rule"]) for entry in _ranked(section))), _ELEMENTS)
        rows.append(f'<tr><td><a href="#model-{k}">{escape(name)}</a></td>{numbers}<td>{escape(rules)}</td></tr>')
    return f'<table class="summary"><tr><th>model</th>{heads}<th>rules</th></tr>{"".join(rows)}</table>'


def _ranked(section: ModelSection) -> list[Mapping[str, Any]]:
    return sorted(section.entries, key=lambda entry: _ORDER.index(entry["severity"]))


def _section(number: int, section: ModelSection) -> str:
    pictured = {id(entry): picture for entry, picture in zip(section.entries, section.pictures, strict=True)}
    parts = [f'<h2 id="model-{number}">{escape(section.name)}</h2>']
    parts += [f'<p class="dim">{escape(section.figures)}</p>'] if section.figures else []
    parts += [_finding(entry, pictured[id(entry)]) for entry in _ranked(section)] or ["<p>No findings.</p>"]
    if section.diff:
        rules = listed([str(entry["rule"]) for entry in section.fixed], _ELEMENTS)
        parts.append(f"<p>Changes of the file for {escape(rules)}:</p><pre>{escape(chr(10).join(section.diff))}</pre>")
    return "\n".join(parts)


def _finding(entry: Mapping[str, Any], picture: bytes | None) -> str:
    rule, elements = str(entry["rule"]), listed(list(entry["elements"]), _ELEMENTS)
    place = str(entry["file"]) + ("" if entry["line"] is None else f":{entry['line']}")
    time = "" if entry["time"] is None else f" at {entry['time']:.{_DIGITS}g} s"
    lines = [
        f'<h3><span class="severity">{escape(entry["severity"])}</span><a href="#rule-{escape(rule)}">{escape(rule)}</a>'
        f'{f": {escape(elements)}" if elements else ""}</h3>',
        f"<p>{escape(_sentence(entry['cause']))}</p>",
        f"<p>{escape(entry['effect'])}</p>" if entry["effect"] else "",
        _change(entry),
        f'<p class="dim"><code>{escape(place)}</code>{escape(time)}</p>',
        _evidence(entry["evidence"]),
    ]
    image = "" if picture is None else (
        f'<img alt="{escape(elements)} in the model" src="data:image/png;base64,{base64.b64encode(picture).decode()}">'
    )
    return f'<div class="finding {escape(entry["severity"])}"><div>{"".join(lines)}</div>{image}</div>'


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".:!?" else ".")


def _change(entry: Mapping[str, Any]) -> str:
    change, proof = entry["change"], entry.get("proof")
    if change is None:
        refuted = "A change was tried, and does not do what was predicted of it: it is not proposed."
        return f'<p class="dim">{refuted} {escape(_proven(proof))}</p>' if proof else ""
    path, before, after = (f"<code>{escape(change[name])}</code>" for name in ("path", "from", "to"))
    said = "; ".join(text for text in (change["predicted"], _proven(proof) if proof else "") if text)
    return f'<div class="change">Change {path}: {before} → {after}{f". {escape(_sentence(said))}" if said else ""}</div>'


def _proven(proof: Mapping[str, Any]) -> str:
    return f"measured: {proof['text']}"


def _evidence(evidence: Mapping[str, Any]) -> str:
    if not evidence:
        return ""
    rows = "".join(f"<tr><th>{escape(str(name))}</th><td>{escape(_shown(value))}</td></tr>" for name, value in evidence.items())
    return f"<details open><summary>Evidence</summary><table>{rows}</table></details>"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.{_DIGITS}g}"
    if isinstance(value, list | tuple):
        return ", ".join(_shown(each) for each in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_shown(each)}" for key, each in value.items())
    return "" if value is None else str(value)


def _glossary(rules: set[str]) -> str:
    """Title and physics of the rules that found something."""
    terms = "".join(
        f'<dt id="rule-{escape(rule.id)}">{escape(rule.id)}: {escape(rule.title)}</dt><dd>{escape(rule.about)}</dd>'
        for rule in RULES if rule.id in rules
    )  # fmt: skip
    return f"<h2>The rules</h2><dl>{terms}</dl>" if terms else ""
