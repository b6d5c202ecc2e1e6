"""`python packaging/reference_api.py`: write packaging/reference_api.json, what the package mujoco says of itself.

Needs the package; docs/api.md and the tests are made from what it wrote. The same introspection of our namespace is what it is
compared with.
"""

from __future__ import annotations

import ast
import inspect
import json
import numbers
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

STORED = Path(__file__).with_suffix(".json")
PREFIXES = ("mj_", "mjd_", "mju_", "mjv_", "mjr_", "get_mjcb_", "set_mjcb_")
MODULES = ("renderer", "rollout", "viewer", "minimize", "msh2obj", "gl_context")  # of Python, which programs import
# Every kind of element has what it can: so each class of the editable model can be made from it.
SCENE = """<mujoco><worldbody><light/><camera/><site name="s"/><geom type="plane" size="1 1 1"/>
  <body name="b" pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def introspected(mujoco: Any) -> dict[str, Any]:
    """The version, and of each kind of names what the package itself says of them."""
    names = [name for name in dir(mujoco) if not name.startswith("_")]
    values = {name: getattr(mujoco, name) for name in names}
    functions = {name: _function(value.__doc__) for name, value in values.items() if name.startswith(PREFIXES)}
    enumerations = {name: members(value) for name, value in values.items() if name.startswith("mjt")}
    classes = {name: value for name, value in values.items() if isinstance(value, type) and name not in enumerations}
    constants = {name: constant(value) for name, value in values.items() if isinstance(value, int | float | str | tuple)}
    known = {*functions, *enumerations, *classes, *constants}
    made = instances(mujoco)
    return {
        "version": mujoco.__version__,
        "functions": functions,
        "enumerations": enumerations,
        "constants": constants,
        "classes": {name: members_of(value, made.get(name)) for name, value in classes.items()},
        "modules": {name: _public(Path(mujoco.__file__).with_name(f"{name}.py")) for name in MODULES},
        "others": [name for name in names if name not in known and not _is_own_module(values[name])],
    }


def _is_own_module(value: object) -> bool:
    """Whether a value is a module of the package itself, which is there once a program has imported it."""
    return isinstance(value, ModuleType) and value.__name__.startswith("mujoco.")


def members(enumeration: Any) -> dict[str, int]:
    """The members of an enumeration, with aliases."""
    return {name: int(value) for name, value in enumeration.__members__.items()}


def constant(value: Any) -> Any:
    """A number or text as it is, a place on this disk as a word, a table as rows of text."""
    if isinstance(value, str) and "/" in value:
        return "folder"
    return [list(row) if isinstance(row, tuple) else row for row in value] if isinstance(value, tuple) else value


def members_of(kind: type, instance: object | None) -> dict[str, Any]:
    """The public fields of a class, with the type that each has in an instance ("" without one), and its methods."""
    fields: dict[str, str] = {}
    methods = []
    for name in dir(kind):
        if name.startswith("_"):
            continue
        if callable(inspect.getattr_static(kind, name)) or callable(getattr(kind, name, None)):
            methods.append(name)
        else:
            fields[name] = "" if instance is None else kind_of(instance, name)
    return {"fields": fields, "methods": methods}


def instances(mujoco: Any) -> dict[str, object]:
    """An instance of each class that can be made without a graphics card, by the class's name."""
    made: dict[str, object] = {}

    def make(name: str, function: Callable[[], object]) -> None:
        try:
            made[name] = function()
        except (AttributeError, TypeError, ValueError, IndexError, RuntimeError):
            return  # ours has no such class yet, or it cannot be made so: its row says what is missing

    model = mujoco.MjModel.from_xml_string(SCENE)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    made |= {"MjModel": model, "MjData": data}
    for name in ("MjOption", "MjvCamera", "MjvOption", "MjvPerturb", "MjvFigure", "MjLROpt", "MjvGeom", "MjvLight", "MjSpec"):
        make(name, lambda name=name: getattr(mujoco, name)())  # type: ignore[misc]
    make("MjStatistic", lambda: model.stat)
    make("MjVisual", lambda: model.vis)
    make("MjContact", lambda: data.contact[0])
    make("MjTimerStat", lambda: data.timer[0])
    make("MjWarningStat", lambda: data.warning[0])
    make("MjSolverStat", lambda: data.solver[0])
    make("MjvScene", lambda: mujoco.MjvScene(model, 10))
    make("MjvGLCamera", lambda: made["MjvScene"].camera[0])  # type: ignore[attr-defined]
    make("MjrRect", lambda: mujoco.MjrRect(0, 0, 1, 1))
    make("MjVisualHeadlight", lambda: model.vis.headlight)
    make("MjVisualRgba", lambda: model.vis.rgba)
    make("MjsCompiler", lambda: mujoco.MjSpec().compiler)
    make("MjsBody", lambda: mujoco.MjSpec().worldbody.add_body())
    make("MjsOrientation", lambda: mujoco.MjSpec().worldbody.add_body().alt)
    make("MjsDefault", lambda: mujoco.MjSpec().default)
    for kind in ("Geom", "Joint", "Site", "Camera", "Light", "Frame"):
        make(f"Mjs{kind}", lambda kind=kind: getattr(mujoco.MjSpec().worldbody.add_body(), f"add_{kind.lower()}")())  # type: ignore[misc]
    for kind in ("Actuator", "Equality", "Exclude", "Flex", "HField", "Key", "Material", "Mesh", "Numeric", "Pair", "Plugin",
                 "Sensor", "Skin", "Tendon", "Text", "Texture", "Tuple"):  # fmt: skip
        make(f"Mjs{kind}", lambda kind=kind: getattr(mujoco.MjSpec(), f"add_{kind.lower()}")())  # type: ignore[misc]
    return made


def kind_of(instance: object, name: str) -> str:
    """What a field is: float64[3] for an array, int, float, str, list, or the name of a class."""
    try:
        value = getattr(instance, name)
    except Exception as error:  # noqa: BLE001  # what an own class raises for a field that has no value
        return type(error).__name__
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    for kind, word in ((bool, "int"), (str, "str"), (bytes, "bytes"), (numbers.Integral, "int"), (numbers.Real, "float")):
        if isinstance(value, kind):
            return word
    return "int" if hasattr(value, "__int__") and hasattr(type(value), "__members__") else type(value).__name__


def _public(path: Path) -> dict[str, list[str] | None]:
    """The functions of a module with the names of their arguments, and its classes with those of their public methods."""
    found: dict[str, list[str] | None] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found[node.name] = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            own = [part.name for part in node.body if isinstance(part, ast.FunctionDef)]
            found[node.name] = sorted({name for name in own if not name.startswith("_")})
    return found


def public_here(function: Callable[..., object]) -> list[str]:
    """The names of the arguments of a function of ours."""
    return list(inspect.signature(function).parameters)


def text(content: dict[str, Any]) -> str:
    """The stored form: a line each name."""
    parts = [f' "version": {json.dumps(content["version"])}']
    for kind in ("functions", "enumerations", "constants", "classes", "modules"):
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in content[kind].items())
        parts.append(f' "{kind}": {{\n{rows}\n }}')
    parts.append(f' "others": {json.dumps(content["others"])}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


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
        if "NDArray" not in kind:  # anything that can be read as an array of this type
            return shape.rpartition(".")[2]
        extents = shape.strip("'[]").removesuffix(", 1")
        found = re.search(r"numpy\.(\w+)\]", kind)
        assert found
        return f"{'out ' if any('writeable' in flag for flag in flags) else ''}{found[1]}[{extents}]"
    name = re.sub(r"\b[\w.]+\.(\w+)", r"\1", ast.unparse(node))
    return name.removeprefix("Supports").lower() if name.startswith("Supports") else name


if __name__ == "__main__":
    import mujoco

    STORED.write_text(text(introspected(mujoco)), encoding="utf-8")
    sys.stdout.write(f"{STORED}\n")
