"""The schema of MJCF for reading: the page docs/mjcf.md, of every element and attribute, and the list of `mj_printSchema`."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from msgspec import Struct, field

from tumble.physics.mjcf.schema import (
    INCLUDE,
    LATER_ATTRIBUTES,
    LATER_ELEMENTS,
    LATER_POLYNOMIALS,
    MUJOCO,
    Attribute,
    ElementRule,
)
from tumble.physics.mjcf.schema.grammar import Status, show_value
from tumble.physics.state.arguments import checked

OCCURS = {"!": "once", "?": "at most once", "*": "any number of times", "R": "any number of times, also in itself"}

# What an ignored part's reason begins with if its value is kept in the model.
STORED = "stored"
README_BEGIN = "<!-- Written by `make docs` from physics/mjcf/schema: edit that. -->"
README_END = "<!-- The end of what `make docs` writes. -->"

Place = tuple[str, ElementRule]

HEAD = """# MJCF, element by element

Written by `make docs` from the schema that the reader itself goes by (`physics/mjcf/schema`): edit that.
It is MJCF as MuJoCo 3.5.0 reads it. Of each element and attribute it says what it may hold, its default, and its status:

- **supported**: what MuJoCo does with it, we do; the column is empty then.
- **partly**: it is read, and not everything follows from it.
- **ignored**: it is read, and nothing follows from it; the reason is given.
- **refused**: the file does not open. One error names all such parts, each at its place. Where all of them are textures,
  materials or skins, the window offers to open the file without them, as `MjModel.from_xml_path(..., without_looks=True)` does.

A name that is not on this page is an error at its place, with the names that are valid there. The same schema makes a grammar
by which editors complete and check models: [MJCF in your editor](editors.md).
"""


def places() -> list[Place]:
    """Every element with its path below <mujoco>, each rule once, in the order of the schema; but for default classes."""
    found: list[Place] = []
    seen: set[int] = set()
    pending = [(tag, rule) for tag, rule in reversed(MUJOCO.children.items())]
    while pending:
        path, rule = pending.pop()
        if id(rule) in seen or rule.tag == "default":
            continue
        seen.add(id(rule))
        # bodies may contain what the world does, except frames and replicas
        here = path if rule.tag in ("worldbody", "frame", "replicate") else path.replace("worldbody/", "")
        found.append((here, rule))
        below = "worldbody" if path == "worldbody" else here
        pending += [(f"{below}/{tag}", child) for tag, child in reversed(rule.children.items())]
    return found


def _alike(found: list[Place]) -> Iterator[tuple[list[str], ElementRule]]:
    """Elements in one holder that hold the same, together."""
    group: list[str] = []
    last: ElementRule | None = None
    for path, rule in found:
        same = last is not None and group[-1].rpartition("/")[0] == path.rpartition("/")[0] and _table(rule) == _table(last)
        if last is not None and not same:
            yield group, last
            group = []
        group.append(path)
        last = rule
    if last is not None:
        yield group, last


def _status(status: Status) -> str:
    if status.level == "supported":
        return ""
    words = f" `{'`, `'.join(status.words)}`" if status.words else ""
    return f"**{status.level}**{words}: {status.why}"


def _row(attribute: Attribute) -> str:
    default = "required" if attribute.required else "" if attribute.default is None else f"`{show_value(attribute.default)}`"
    holds = attribute.describe().replace("|", chr(92) + "|")
    return f"| `{attribute.name}` | {holds} | {default} | {_status(attribute.status)} |"


def _table(rule: ElementRule) -> str:
    rows = [_row(attribute) for attribute in rule.attributes.values()]
    status = [_status(rule.status), ""] if _status(rule.status) else []
    table = ["| attribute | holds | default | |", "| --- | --- | --- | --- |", *rows, ""] if rows else []
    holds = " ".join(f"`<{tag}>`" for tag in sorted(rule.children))
    return "\n".join([*status, *table, *([f"Holds {holds}.", ""] if holds else [])])


class Gap(Struct):
    """Parts of MJCF that lack the same thing for the same reason.

    parts: path of the element, attribute ("" for the element itself), keywords (() for every value).
    """

    status: Status
    parts: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)

    def names(self) -> str:
        """The parts in Markdown, attributes of one element together."""
        by_element: dict[str, list[str]] = {}
        for path, name, words in self.parts:
            by_element.setdefault(path, []).extend([f"{name} {', '.join(words)}".strip()] if name else [])
        return ", ".join(f"`{path}` {', '.join(names)}".rstrip() for path, names in by_element.items())


def gaps(*levels: str) -> list[Gap]:
    """Entries of the schema with these levels, by reason, in the order of the levels."""
    found: dict[tuple[str, str], Gap] = {}
    for path, rule in places():
        for name, status in [("", rule.status), *((a.name, a.status) for a in rule.attributes.values())]:
            if status.level in levels:
                found.setdefault((status.level, status.why), Gap(status)).parts.append((path, name, status.words))
    return sorted(found.values(), key=lambda gap: levels.index(gap.status.level))


def stored_gaps() -> list[Gap]:
    """Attributes that are stored in the model but affect neither engine nor rendering."""
    return [gap for gap in gaps("ignored") if gap.status.why.startswith(STORED)]


def readme_section() -> str:
    """The list of README.md, between its two marks."""
    refused = [f"- {gap.names()}: {gap.status.why};" for gap in gaps("refused")]
    partly = [f"- {gap.names()}: {gap.status.why};" for gap in gaps("partly")]
    stored = Gap(Status("ignored"), [part for gap in stored_gaps() for part in gap.parts])
    ends = [[*lines[:-1], f"{lines[-1][:-1]}."] for lines in (refused, [*partly, f"- {stored.names()}: without effect;"])]
    return "\n".join(["A model that uses one of these is refused, with one message that lists them all by line and column:", "",
                      *ends[0], "", "These open, but something is missing:", "", *ends[1]])  # fmt: skip


def with_readme_section(text: str) -> str:
    """The text of README.md with its list as the schema has it now. Raises ValueError for a text without the marks."""
    before, begin, rest = text.partition(README_BEGIN)
    _, end, after = rest.partition(README_END)
    if not begin or not end:
        raise ValueError(f"README.md has no section between {README_BEGIN} and {README_END}")
    return f"{before}{begin}\n\n{readme_section()}\n\n{end}{after}"


def _defaults() -> list[str]:
    lines = ["## default", "", "Sets what elements do not say. A class is nested in another, whose values it starts from; the",
             "outermost is `main`. What may be set, each with the meaning that it has on the element itself:", ""]  # fmt: skip
    default = MUJOCO.children["default"]
    for tag, rule in default.children.items():
        if tag != "default":
            held = "".join(f", and `<{child}>`" for child in rule.children)
            lines.append(f"- `<{tag}>`: {', '.join(rule.attributes)}{held}")
    return [*lines, ""]


def _later() -> list[str]:
    said = "Releases after 3.5.0 have added these. A file opens without them, and a note says so."
    lines = ["## Of later releases", "", said, ""]
    lines += [f"- `{holder}`: {', '.join(f'`<{tag}>`' for tag in sorted(tags))}" for holder, tags in LATER_ELEMENTS.items()]
    lines += [f"- `<{tag}>`: {', '.join(sorted(names))}" for tag, names in LATER_ATTRIBUTES.items()]
    lines += [f"- `<{tag}>`: {', '.join(sorted(names))} with more than one number, of which the first counts"
              for tag, names in LATER_POLYNOMIALS.items()]  # fmt: skip
    return [*lines, ""]


def page() -> str:
    """The whole page."""
    found = places()
    lines = [HEAD, "## What is not there", "",
             *(f"- {gap.status.level}, {gap.status.why}: {gap.names()}" for gap in gaps("refused", "partly")), ""]  # fmt: skip
    lines += ["## mujoco", "", _table(MUJOCO), "## include", "", "Anywhere: replaced by what the file's root holds.", "",
              _table(INCLUDE)]  # fmt: skip
    lines += _defaults()
    for paths, rule in _alike(found):
        lines += [f"## {', '.join(paths)}", "", f"Occurs {OCCURS[rule.occurs]}.", "", _table(rule)]
    lines += _later()
    return "\n".join(lines).rstrip() + "\n"


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
