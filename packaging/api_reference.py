"""`python packaging/api_reference.py`: write docs/api.md; with --check, say whether it is up to date.

What has become of every public name of the package mujoco, as packaging/reference_api.json has them: where it is here, or why it
is not (packaging/api_reasons.py); and how tests of other packages fare (packaging/peers.json).
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
for _folder in (ROOT, ROOT / "packaging"):
    sys.path.insert(0, str(_folder))

import reference_api  # noqa: E402
from api_reasons import DIFFERENT, PEERS, REASONS  # noqa: E402

from tumble import mujoco  # noqa: E402

REFERENCE: dict[str, Any] = json.loads(reference_api.STORED.read_text(encoding="utf-8"))
_PLAIN = re.compile(r"int|float|str|bytes|\w+\[.*\]")  # types that are the same here; classes have names of our own
PAGE = ROOT / "docs" / "api.md"
PEERS_STORED = ROOT / "packaging" / "peers.json"  # counts that `python -m tests.peers --store` writes
FAILED = 1
UNNAMED = re.compile(r"arg\d+")  # of arguments that the reference takes by place alone
GROUPS = {
    "mj_": "models, data and simulation",
    "mjd_": "derivatives",
    "mju_": "vectors, matrices, rotations and other utilities",
    "mjv_": "what is in a picture: scenes, cameras, perturbations",
    "mjr_": "drawing",
    "get_mjcb_": "callbacks that are set",
    "set_mjcb_": "callbacks to set",
}

HEAD = """# The names of MuJoCo's Python package, one by one

Written by `make docs` from what the package mujoco {version} says of itself (`packaging/reference_api.json`), from what is here,
and from the reasons in `packaging/api_reasons.py`. `from tumble import mujoco` gives the namespace to a program of yours, and
[`tumble run`](command-line.md#run) to one that is written for the package.

Of {total} public names {done} are here.{rest}
Enumerations have the same members and values, constants the same values, functions the same arguments, and structures the same
fields with the same types and shapes, where nothing else is said.

An array of the wrong shape raises `ShapeError`, which is a TypeError; where the reference ends the process, an exception is
raised.
"""
MODULES_TITLE = "## Modules: programs import them by name"
PEERS_TITLE = """## Programs for the package

`make peers` runs tests that packages bring, and environments that they register, with the reference and with the namespace.
An environment counts twice: its positions and velocities after a reset and after each of ten steps with random actions, which
must be the reference's to 1e-6, and its picture. States that rounding decides do not pass with the reference: those differing by
more than 1e-6 in the reference itself when velocities change by 1e-13 before each step.
"""
PEERS_HEAD = "suite | package | tests | skipped | pass with the reference | pass here"
REASONS_TITLE = "Suites without a row were not counted yet. These pass with the reference and not here:"


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


def arguments(name: str) -> str:
    """The arguments of a function of the reference, as it is called; with our names of those that it takes by place alone."""
    rows = REFERENCE["functions"][name]["arguments"]
    here = getattr(mujoco, name, None)
    ours = list(inspect.signature(here).parameters) if here is not None else []
    names = [ours[k] if ours and UNNAMED.fullmatch(row[0]) else row[0] for k, row in enumerate(rows)]
    return ", ".join(named if len(row) == 2 else f"{named}={row[2]}" for named, row in zip(names, rows, strict=True))


def reason(name: str) -> tuple[str, str]:
    """Why a name is not here: a status and the reason. Raises LookupError if nothing says so."""
    for level, names in REASONS.items():
        if name in names:
            return level, names[name]
    raise LookupError(f"{name} is neither here nor in packaging/api_reasons.py")


def place(value: Any) -> str:
    """The file of a function or class."""
    plain = inspect.unwrap(getattr(value, "function", value))
    return Path(str(sys.modules[plain.__module__].__file__)).resolve().relative_to(ROOT).as_posix()


def about(value: Any) -> str:
    """The first sentence of what it says of itself, in one line."""
    return (inspect.getdoc(value) or "").split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def _table(title: str, head: str, rows: Iterator[str]) -> list[str]:
    found = list(rows)
    columns = head.count("|") + 1
    return [title, "", f"| {head} |", "|" + " --- |" * columns, *found, ""] if found else []


def _not_here(missing: list[str]) -> Iterator[str]:
    for level, names in REASONS.items():
        by_reason: dict[str, list[str]] = {}
        for name in (name for name in missing if name in names):
            by_reason.setdefault(names[name], []).append(f"`{name}`")
        for why, which in by_reason.items():
            yield f"| {', '.join(which)} | {level} | {why} |"


def _different(found: dict[str, str]) -> Iterator[str]:
    for name, how in found.items():
        yield f"| `{name}` | {how} | {DIFFERENT[name]} |"


def _functions(prefix: str) -> Iterator[str]:
    for name in (name for name in REFERENCE["functions"] if name.startswith(prefix)):
        here = getattr(mujoco, name, None)
        if here is None:
            level, why = reason(name)
            yield f"| `{name}({arguments(name)})` | **{level}**: {why} | |"
        else:
            yield f"| `{name}({arguments(name)})` | {about(here)} | `{place(here)}` |"


def _enumerations() -> Iterator[str]:
    for name, members in REFERENCE["enumerations"].items():
        yield f"| `{name}` | {', '.join(members)} |"


def _constants() -> Iterator[str]:
    for name, value in REFERENCE["constants"].items():
        if hasattr(mujoco, name):
            yield f"| `{name}` | {f'{len(value)} texts' if isinstance(value, list) else value} |"


def _classes(missing: list[str]) -> Iterator[str]:
    for name, row in REFERENCE["classes"].items():
        here = getattr(mujoco, name, None)
        if here is None:
            continue
        lacks = sum(1 for other in missing if other.startswith(f"{name}."))
        counts = [f"{len(row[what])} {what}" for what in ("fields", "methods") if row[what]]
        text = f"{', '.join(counts) or 'as it is'}{f', without {lacks}' if lacks else ''}"
        module = getattr(here, "__module__", "")
        yield f"| `{name}` | {text} | {f'`{place(here)}`' if module.startswith('tumble.') else 'of Python'} |"


def _modules() -> Iterator[str]:
    for name, rows in REFERENCE["modules"].items():
        yield f"| `mujoco.{name}` | {', '.join(f'`{what}`' for what in rows) or '`GLContext`'} | `tumble/mujoco/{name}.py` |"


def _peers() -> Iterator[str]:
    for name, row in json.loads(PEERS_STORED.read_text(encoding="utf-8")).items():
        yield f"| {name} | {' | '.join(str(value) for value in row.values())} |"


def _peer_reasons() -> Iterator[str]:
    for why in dict.fromkeys(PEERS.values()):
        yield f"| {', '.join(f'`{name}`' for name, other in PEERS.items() if other == why)} | {why} |"


def page() -> str:
    """The whole page. Raises LookupError for a name, a difference or a reason that stands alone."""
    missing, others = absent(), different()
    names = [name for kind in ("functions", "enumerations", "constants", "classes", "others") for name in REFERENCE[kind]]
    levels = [reason(name)[0] for name in missing if name in names]
    check(missing, others)
    rest = "".join(f" {levels.count(level)} are {level}." for level in REASONS if level in levels)
    lines = [HEAD.format(version=REFERENCE["version"], total=len(names), done=len(names) - len(levels), rest=rest)]
    lines += _table("## What is not here", "name | status | why", _not_here(missing))
    lines += _table("## What is different", "name | how | why", _different(others))
    for prefix, title in GROUPS.items():
        lines += _table(f"## {prefix}: {title}", "function | what it does | file", _functions(prefix))
    lines += _table("## Enumerations", "name | members", _enumerations())
    lines += _table("## Constants", "name | value", _constants())
    lines += _table("## Structures and other classes", "name | what it has | file", _classes(missing))
    lines += _table(MODULES_TITLE, "module | what is in it | file", _modules())
    lines += _table(PEERS_TITLE.rstrip("\n"), PEERS_HEAD, _peers())
    lines += _table(REASONS_TITLE, "tests | why", _peer_reasons())
    return "\n".join(lines).rstrip() + "\n"


def check(missing: list[str], others: dict[str, str]) -> None:
    """Raise LookupError unless there is one reason for each name that is missing or different, and for no other."""
    reasons = [name for names in REASONS.values() for name in names]
    for what, found, given in (("missing", missing, reasons), ("different", list(others), list(DIFFERENT))):
        problems = [f"{name}: no reason why it is {what}" for name in found if name not in given]
        problems += [f"{name}: a reason, but it is not {what}" for name in given if name not in found]
        problems += [f"{name}: two reasons" for name in sorted({name for name in given if given.count(name) > 1})]
        if problems:
            raise LookupError("packaging/api_reasons.py: " + "; ".join(problems))


def main() -> int:
    parser = argparse.ArgumentParser(prog="make docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where the page is another")
    options = parser.parse_args()
    try:
        text = page()
    except LookupError as error:
        sys.stderr.write(f"{error}\n")
        return FAILED
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        sys.stderr.write(f"{PAGE} is not what the code says: run `make docs`\n")
        return FAILED
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
