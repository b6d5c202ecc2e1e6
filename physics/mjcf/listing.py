"""The schema of MJCF as a list of elements and the names of their attributes, for reading."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from tumble.physics.mjcf.schema import MUJOCO, ElementRule
from tumble.physics.state.arguments import checked

_INDENT, _NAMES, _WIDTH = 3, 28, 90  # letters: of a level, before the attributes, of a line


@checked
def mj_printSchema(flg_html: bool, flg_pad: bool) -> str:
    """Every element of MJCF below those that hold it, how often it may occur, and its attributes: as text, or as an HTML table.

    ! once, ? at most once, * any number of times, R the same and within itself. flg_pad: in HTML, levels are indented by a style,
    otherwise by spaces that do not break. What they hold, and what becomes of it, is in docs/mjcf.md.
    """
    rows = list(_rows(MUJOCO, 0, set()))
    if flg_html:
        return "\n".join(['<table border="1">', *(_html(*row, flg_pad) for row in rows), "</table>", ""])
    return "\n".join(line for row in rows for line in _lines(*row)) + "\n"


def _rows(rule: ElementRule, level: int, seen: set[int]) -> Iterator[tuple[ElementRule, int]]:
    """The rules with their levels; what an element holds is listed where it comes first."""
    yield rule, level
    if id(rule) not in seen:
        seen.add(id(rule))
        for child in rule.children.values():
            yield from _rows(child, level + 1, seen)


def _lines(rule: ElementRule, level: int) -> Iterator[str]:
    head = f"{' ' * _INDENT * level}{rule.tag} ({rule.occurs})"
    names = wrap(" ".join(rule.attributes), _WIDTH - _NAMES) or [""]
    yield f"{head:<{_NAMES}}{names[0]}".rstrip()
    yield from (" " * _NAMES + more for more in names[1:])


def _html(rule: ElementRule, level: int, pad: bool) -> str:
    style = f' style="padding-left:{5 + 15 * level}px"' if pad else ""
    indent = "" if pad else "&nbsp;" * _INDENT * level
    names = " ".join(rule.attributes)
    return f"<tr><td{style}>{indent}{rule.tag}</td><td>{rule.occurs}</td><td>{names}</td></tr>"
