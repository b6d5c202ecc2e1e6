"""A quick look at the text of a file, without reading it as a model: detects models and their includes."""

from __future__ import annotations

import re
from pathlib import Path

GLANCE = 1 << 20  # how much of a file is searched [bytes]: more than any model has before its last <include>
MJCF, URDF = ROOTS = ("mujoco", "robot")
_SKIPPED = re.compile(r"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>", re.DOTALL)
_ROOT = re.compile(r"<\s*([A-Za-z_][\w.-]*)")
_INCLUDE = re.compile(r"<\s*include\b[^>]*?\bfile\s*=\s*[\"']([^\"']+)[\"']")


def root_of(head: bytes) -> str:
    """The root tag of a file that begins so; "" without one. A model has one of ROOTS, an included file another."""
    root = _ROOT.search(_SKIPPED.sub("", _decoded(head)))
    return "" if root is None else root[1]


def may_be_model(path: Path) -> bool:
    """False for an XML file with another root element than those of models; such a file is included, or of something else."""
    try:
        with path.open("rb") as file:
            head = file.read(GLANCE)
    except OSError:
        return True  # opening reports it
    return not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or root_of(head) in ROOTS


def includes(text: bytes) -> list[str]:
    """The files that a model includes, as it names them."""
    return [name.replace("\\", "/") for name in _INCLUDE.findall(_SKIPPED.sub("", _decoded(text)))]


def _decoded(data: bytes) -> str:
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return data.decode("utf-16" if wide else "utf-8", "replace")
