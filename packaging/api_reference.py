"""`python packaging/api_reference.py`: write docs/api.md; with --check, say whether it is up to date.

A row for every function of the package mujoco, as packaging/reference_api.json has them: where it is here, or why it is not.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import physics  # noqa: E402

PAGE = ROOT / "docs" / "api.md"
REFERENCE: dict[str, Any] = json.loads((ROOT / "packaging" / "reference_api.json").read_text(encoding="utf-8"))
FAILED = 1

# Why a name of the reference is not here. One that is in `physics` after all must not be in here: the tests say so.
_PLUGINS = "plugins are compiled libraries for the reference's own memory; models with plugins are refused by name"
_SCENE = "there is no MjvScene: what is drawn is made by `render`, of a model and a frame"
_FLEXES = "there are no flexes yet: a model with flexes is refused"
REFUSED = {
    "mj_loadAllPluginLibraries": _PLUGINS,
    "mj_loadPluginLibrary": _PLUGINS,
    "mj_printFormattedScene": _SCENE,
    "mj_printScene": _SCENE,
}
LATER = {
    "mj_rayFlex": _FLEXES,
}
REASONS = {"refused": REFUSED, "not there yet": LATER}

GROUPS = {
    "mj_": "models, data and simulation",
    "mjd_": "derivatives",
    "mju_": "vectors, matrices, rotations and other utilities",
    "get_mjcb_": "callbacks that are set",
    "set_mjcb_": "callbacks to set",
}

HEAD = """# The functions of MuJoCo's Python package, one by one

Written by `make docs` from what the package mujoco {version} says of itself (`packaging/reference_api.json`) and from what is
here (`import physics as mujoco`). Arguments have the same names and places here and there; arrays are numpy's, and results are
written into those that are given. Classes, enumerations and constants are not listed.

Of {total} functions {done} are here.{rest}

An array of the wrong shape raises `ShapeError`, which is a TypeError; where the reference ends the process, `ModelError` is
raised.
"""


def arguments(name: str) -> str:
    """The arguments of a function of the reference, as it is called."""
    rows = REFERENCE["functions"][name]["arguments"]
    return ", ".join(row[0] if len(row) == 2 else f"{row[0]}={row[2]}" for row in rows)


def status(name: str) -> tuple[str, str]:
    """What has become of a name: "" and where it is, or a status and the reason; raises LookupError if nothing says so."""
    if hasattr(physics, name):
        return "", place(getattr(physics, name))
    return next((level, names[name]) for level, names in REASONS.items() if name in names)


def place(function: Any) -> str:
    """The file of a function."""
    plain = inspect.unwrap(getattr(function, "function", function))
    return str(plain.__module__).replace(".", "/") + ".py"


def about(function: Any) -> str:
    """The first sentence of what it says of itself, in one line."""
    return (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def _rows(names: list[str]) -> Iterator[str]:
    for name in names:
        level, reason = status(name)
        text = f"**{level}**: {reason}" if level else about(getattr(physics, name))
        yield f"| `{name}({arguments(name)})` | {text} | {'' if level else f'`{reason}`'} |"


def page() -> str:
    """The whole page."""
    names = list(REFERENCE["functions"])
    levels = [status(name)[0] for name in names]
    rest = "".join(f" {levels.count(level)} are {level}." for level in REASONS if level in levels)
    lines = [HEAD.format(version=REFERENCE["version"], total=len(names), done=levels.count(""), rest=rest)]
    for prefix, title in GROUPS.items():
        group = [name for name in names if name.startswith(prefix)]
        lines += [f"## {prefix}: {title}", "", "| function | what it does | file |", "| --- | --- | --- |", *_rows(group), ""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where the page is another")
    check = parser.parse_args().check
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    if check:
        sys.stderr.write(f"{PAGE} is not what the code says: run `make docs`\n")
        return FAILED
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
