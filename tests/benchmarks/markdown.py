"""Sections of docs/performance.md: a heading, words, tables."""

from collections.abc import Iterable, Sequence

import numpy as np


def section(title: str, *parts: str) -> str:
    """Paragraphs and tables under a heading."""
    return "\n\n".join([f"## {title}", *parts]) + "\n"


def grid(columns: str, rows: Iterable[Sequence[object]]) -> str:
    """A table. columns: their heads, with bars between; all but the first stand at the right."""
    heads = columns.split(" | ")
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def mean(ratios: Sequence[float]) -> str:
    """The geometric mean, in words."""
    return f"Geometric mean {np.exp(np.mean(np.log(ratios))):.2f}."
