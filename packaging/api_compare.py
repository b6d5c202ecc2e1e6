"""What of the reference's package is in our namespace, and what is another: by the introspection that stored the reference's."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
for _folder in (ROOT, ROOT / "packaging"):
    sys.path.insert(0, str(_folder))

import reference_api  # noqa: E402

from tumble import mujoco  # noqa: E402

REFERENCE: dict[str, Any] = json.loads(reference_api.STORED.read_text(encoding="utf-8"))
_PLAIN = re.compile(r"int|float|str|bytes|\w+\[.*\]")  # types that are the same here; classes have names of our own


def absent() -> list[str]:
    """Every name that the reference has and we have not, members of classes and modules included."""
    found = [name for kind in ("functions", "enumerations", "constants", "classes") for name in REFERENCE[kind]]
    found = [name for name in [*found, *REFERENCE["others"]] if not hasattr(mujoco, name)]
    made = reference_api.instances(mujoco)
    for name, row in REFERENCE["classes"].items():
        if hasattr(mujoco, name):
            holder = made.get(name, getattr(mujoco, name))
            found += [f"{name}.{member}" for member in (*row["fields"], *row["methods"]) if not _has(holder, member)]
    for name, rows in REFERENCE["modules"].items():
        if find_spec(f"tumble.mujoco.{name}") is None:
            found.append(name)
            continue
        module = import_module(f"tumble.mujoco.{name}")
        for what, parts in rows.items():
            value = getattr(module, what, None)
            if value is None:
                found.append(f"{name}.{what}")
            elif isinstance(value, type):
                set_when_made = getattr(value.__init__, "__code__", absent.__code__).co_names
                found += [f"{name}.{what}.{part}" for part in parts if not hasattr(value, part) and part not in set_when_made]
    return found


def different() -> dict[str, str]:
    """Names that are here and are another: what the reference has, and what is here."""
    found: dict[str, str] = {}
    for name, theirs in REFERENCE["enumerations"].items():
        if hasattr(mujoco, name):
            ours = reference_api.members(getattr(mujoco, name))
            found |= {f"{name}.{member}": f"{theirs.get(member)}, here {ours.get(member)}"
                      for member in {*theirs, *ours} if theirs.get(member) != ours.get(member)}  # fmt: skip
    for name, value in REFERENCE["constants"].items():
        if hasattr(mujoco, name) and (ours := reference_api.constant(getattr(mujoco, name))) != value:
            found[name] = f"{value}, here {ours}"
    made = reference_api.instances(mujoco)
    for name, row in REFERENCE["classes"].items():
        for member, kind in row["fields"].items():
            if name in made and _PLAIN.fullmatch(kind) and _has(made[name], member):
                ours = reference_api.kind_of(made[name], member)
                if ours != kind:
                    found[f"{name}.{member}"] = f"{kind}, here {ours}"
    for name, rows in REFERENCE["modules"].items():
        module = import_module(f"tumble.mujoco.{name}") if find_spec(f"tumble.mujoco.{name}") else None
        for what, arguments in rows.items():
            value = getattr(module, what, None)
            if value is not None and not isinstance(value, type):
                ours = reference_api.public_here(value)
                if ours != arguments:
                    found[f"{name}.{what}"] = f"({', '.join(arguments)}), here ({', '.join(ours)})"
    return found


def _has(holder: object, member: str) -> bool:
    """Whether an object has a member, which need not have a value yet."""
    return member in dir(holder) or hasattr(holder, member)
