"""Text functions under MuJoCo's names: version, names of types, warnings, sizes, matrices."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from tumble.physics.errors import ShapeError
from tumble.physics.query.argument_checks import line, numbers
from tumble.physics.query.matrices import triplets
from tumble.physics.state.arguments import checked
from tumble.physics.state.enums import mjtObj, mjtWarning
from tumble.physics.state.model import Model
from tumble.physics.state.named import KINDS, find, names_of

_VERSION = (3, 5, 0)  # of MuJoCo, whose names, shapes and numbers these are
_LOG = "MUJOCO_LOG.TXT"
_UNITS = "KMGTPE"  # each 1024 times the one before

_TYPES = {
    kind: kind.name.removeprefix("mjOBJ_").lower()
    for kind in mjtObj
    if kind is mjtObj.mjOBJ_FRAME or mjtObj.mjOBJ_UNKNOWN < kind < mjtObj.mjNOBJECT
}

_WARNINGS = {
    mjtWarning.mjWARN_INERTIA: "the inertia matrix is singular at dof {}",
    mjtWarning.mjWARN_CONTACTFULL: "there is no memory for more than {} contacts",
    mjtWarning.mjWARN_CNSTRFULL: "there is no memory for more than {} constraint rows",
    mjtWarning.mjWARN_VGEOMFULL: "there is no memory for more than {} things to draw",
    mjtWarning.mjWARN_BADQPOS: "the position is not finite or huge: qpos[{}]",
    mjtWarning.mjWARN_BADQVEL: "the velocity is not finite or huge: qvel[{}]",
    mjtWarning.mjWARN_BADQACC: "the acceleration is not finite or huge: qacc[{}]",
    mjtWarning.mjWARN_BADCTRL: "the control is not finite or huge: ctrl[{}]",
}


def mj_version() -> int:
    """The version of MuJoCo whose names, shapes and numbers these are: 3.5.0 is 3005000."""
    major, minor, patch = _VERSION
    return 1_000_000 * major + 1000 * minor + patch


def mj_versionString() -> str:
    """The version of MuJoCo whose names, shapes and numbers these are: "3.5.0"."""
    return ".".join(map(str, _VERSION))


@checked
def mju_type2Str(type: int) -> str | None:
    """The word for a kind of element (mjtObj), as in "body"; None if it has none."""
    return _TYPES.get(mjtObj(type)) if type in mjtObj._value2member_map_ else None


@checked
def mju_str2Type(str: str | bytes) -> int:
    """The kind of element (mjtObj) that a word such as "body" stands for; 0 if there is none."""
    return next((int(kind) for kind, word in _TYPES.items() if word == as_text(str)), 0)


@checked
def mju_warningText(warning: int, info: int) -> str:
    """A warning (mjtWarning) in words; info: its detail, as in d.warning.lastinfo."""
    text = _WARNINGS.get(mjtWarning(warning)) if 0 <= warning < mjtWarning.mjNWARNING else None
    return f"unknown warning {warning}" if text is None else text.format(info)


@checked
def mju_writeNumBytes(nbytes: int) -> str:
    """A number of bytes, with the largest of the letters K, M, G, T, P, E (powers of 1024) that it is a whole number of."""
    unit = 0
    while nbytes and nbytes % 1024 == 0 and unit < len(_UNITS):
        nbytes //= 1024
        unit += 1
    return f"{nbytes}{_UNITS[unit - 1] if unit else ''}"


@checked
def mju_writeLog(type: str, msg: str) -> None:
    """Append a line with the time, a word for its type and a message to MUJOCO_LOG.TXT in the present folder. Raises OSError."""
    with Path(_LOG).open("a", encoding="utf-8") as file:
        file.write(f"{datetime.now():%Y-%m-%d %H:%M:%S}\n{type}: {msg}\n\n")


def mju_printMat(mat: Any) -> None:
    """Print mat (n, k), a row a line, on the standard output."""
    full = numbers(mat, "mat")
    if full.ndim != 2:
        raise ShapeError(f"mat should be a matrix, (n, k); it has shape {full.shape}")
    rows = ("".join(f"{value:.8f} " for value in row) for row in full)
    sys.stdout.write("\n".join([*rows, "\n"]))


def mju_printMatSparse(mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """Print a sparse matrix, each number with its row and column, on the standard output."""
    lines = ["" for _ in line(rownnz, "rownnz")]
    for row, column, value in zip(*triplets(mat, rownnz, rowadr, colind), strict=True):
        lines[row] += f"({row} {column}): {value: 9.6f}  "
    sys.stdout.write("\n".join([*lines, "\n"]))


@checked
def mj_name2id(m: Model, type: int, name: str | bytes) -> int:
    """The id of the element of a kind (mjtObj) that has this name; -1 if there is none."""
    kind = KINDS.get(int(type))
    return -1 if kind is None else find(m, kind, as_text(name))


@checked
def mj_id2name(m: Model, type: int, id: int) -> str | None:
    """The name of element `id` of a kind (mjtObj); None if it has no name, or does not exist."""
    kind = KINDS.get(int(type))
    names = () if kind is None else names_of(m, kind)
    return names[id] or None if 0 <= id < len(names) else None


def as_text(word: str | bytes) -> str:
    """A word that may be given in bytes, as C has it; what is not UTF-8 is none that anything is called."""
    return word if isinstance(word, str) else bytes(word).decode("utf-8", "replace")
