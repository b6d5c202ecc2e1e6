"""A quick look at the text of a file, without reading it as a model: whether it is one, and what it includes."""

from __future__ import annotations

import re

GLANCE = 1 << 20  # how much of a file is searched [bytes]: more than any model has before its last <include>
_SKIPPED = re.compile(r"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>", re.DOTALL)
_ROOT = re.compile(r"<\s*([A-Za-z_][\w.-]*)")
_INCLUDE = re.compile(r"<\s*include\b[^>]*?\bfile\s*=\s*[\"']([^\"']+)[\"']")


def is_model(head: bytes) -> bool:
    """Whether a file that begins so is an MJCF model: its root is <mujoco>, not the one of a URDF file or of a part."""
    root = _ROOT.search(_SKIPPED.sub("", _decoded(head)))
    return root is not None and root[1] == "mujoco"


def includes(text: bytes) -> list[str]:
    """The files that a model includes, as it names them."""
    return [name.replace("\\", "/") for name in _INCLUDE.findall(_SKIPPED.sub("", _decoded(text)))]


def _decoded(data: bytes) -> str:
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return data.decode("utf-16" if wide else "utf-8", "replace")
