"""`python packaging/reference_api.py`: write packaging/reference_api.json, the functions of the package mujoco.

Needs the package; docs/api.md and the tests are made from what it wrote.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_suffix(".json")
PREFIXES = ("mj_", "mjd_", "mju_", "get_mjcb_", "set_mjcb_")


def introspected() -> dict[str, Any]:
    """The version, and of each kind of names what the package itself says of them."""
    import mujoco

    names = [name for name in dir(mujoco) if name.startswith(PREFIXES)]
    return {"version": mujoco.__version__, "functions": {name: _function(getattr(mujoco, name).__doc__) for name in names}}


def text(content: dict[str, Any]) -> str:
    """The stored form: a line each function."""
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in content["functions"].items())
    return f'{{\n "version": {json.dumps(content["version"])},\n "functions": {{\n{rows}\n }}\n}}\n'


def _function(doc: str) -> dict[str, Any]:
    """Of a docstring's first line the arguments, with types and, where they may be left out, defaults; and what is returned."""
    (definition,) = ast.parse(f"def {doc.strip().splitlines()[0]}: ...").body
    assert isinstance(definition, ast.FunctionDef)
    assert definition.returns is not None
    given = definition.args
    first_default = len(given.args) - len(given.defaults)
    arguments = []
    for k, argument in enumerate(given.args):
        assert argument.annotation is not None
        arguments.append([argument.arg, _type(argument.annotation)])
        if k >= first_default:
            arguments[-1].append(ast.unparse(given.defaults[k - first_default]))
    return {"arguments": arguments, "returns": _type(definition.returns)}


def _type(node: ast.expr) -> str:
    """A type in short: float64[3] for an array that is read, out float64[m, n] for one that is written."""
    if isinstance(node, ast.BinOp):
        return f"{_type(node.left)} | {_type(node.right)}"
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "typing.Annotated":
        assert isinstance(node.slice, ast.Tuple)
        kind, shape, *flags = (ast.unparse(part) for part in node.slice.elts)
        extents = shape.strip("'[]").removesuffix(", 1")
        found = re.search(r"numpy\.(\w+)\]", kind)
        assert found
        return f"{'out ' if any('writeable' in flag for flag in flags) else ''}{found[1]}[{extents}]"
    name = re.sub(r"\b[\w.]+\.(\w+)", r"\1", ast.unparse(node))
    return name.removeprefix("Supports").lower() if name.startswith("Supports") else name


if __name__ == "__main__":
    STORED.write_text(text(introspected()), encoding="utf-8")
    sys.stdout.write(f"{STORED}\n")
