"""Findings as one HTML file without external resources: a table of models, then each one's findings with pictures."""

from __future__ import annotations

import base64
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from msgspec import Struct

from tumble import __version__
from tumble.app.doctor.finding import Severity, listed
from tumble.app.doctor.rule_table import RULES

_ORDER = [severity.value for severity in Severity]
_HEADS = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.ADVICE: ("suggestion", "suggestions"),
}
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


def _style() -> str:
    return resources.files("tumble.resources").joinpath("findings.css").read_text("utf-8")


def html_report(sections: Sequence[ModelSection], no_pictures: str = "") -> str:
    """The page; no_pictures: why there are none."""
    entries = [entry for section in sections for entry in section.entries]
    count = f"{len(sections)} model{'' if len(sections) == 1 else 's'}"
    totals = Counter(entry["severity"] for entry in entries)
    total = ", ".join(f"{totals[s.value]} {_HEADS[s][totals[s.value] != 1]}" for s in Severity)
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
        f"<title>Findings in {count}</title><style>{_style()}</style></head>\n<body>\n"
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
    heads = "".join(f'<th class="number">{head[1]}</th>' for head in _HEADS.values())
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
        f"{f': {escape(elements)}' if elements else ''}</h3>",
        f"<p>{escape(_sentence(entry['cause']))}</p>",
        f"<p>{escape(entry['effect'])}</p>" if entry["effect"] else "",
        _change(entry),
        f'<p class="dim"><code>{escape(place)}</code>{escape(time)}</p>',
        _evidence(entry["evidence"]),
    ]
    image = (
        ""
        if picture is None
        else (f'<img alt="{escape(elements)} in the model" src="data:image/png;base64,{base64.b64encode(picture).decode()}">')
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
    effect = "; ".join(text for text in (change["predicted"], _proven(proof) if proof else "") if text)
    return f'<div class="change">Change {path}: {before} → {after}{f". {escape(_sentence(effect))}" if effect else ""}</div>'


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
