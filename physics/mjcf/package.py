"""Mesh paths of URDF files: `package://name/path`, `file:///path`, or a path from the file's folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tumble.physics.mjcf.document import Document

_SCHEME = re.compile(r"(package|model|file)://(.*)")
_LEVELS = 8  # folders around the file in which its package may lie


def find_mesh(document: Document, written: str, meshdir: str, strip: bool) -> str:
    """The name by which a mesh is found from `meshdir` or the document's folder; "" if no file is named.

    strip: its last part alone counts first, as the reference takes it; only where that is no file, the whole path does. A
    package is a folder of its name around the document, or one that ROS_PACKAGE_PATH or AMENT_PREFIX_PATH tell of. A mesh that
    is nowhere has the name with which it was looked for first. One that is found around the document is noted in its `named`,
    which tells where it was if the document is sealed.
    """
    known = f"{document.folder}:{written}"
    if document.sealed and known in document.named:
        return document.named[known]
    path = written.replace("\\", "/")
    match = _SCHEME.fullmatch(path)
    scheme, rest = (match[1], match[2]) if match else ("", path)
    plain = rest.rpartition("/")[2] if strip else rest
    if not plain:
        return ""
    if document.has(os.path.join(meshdir, plain)) or document.has(plain):
        return plain
    around = scheme in ("package", "model") and not document.sealed
    others = _in_packages(document, rest) if around else iter((os.path.join(meshdir, rest), rest))
    found = next((name for name in others if document.has(name)), "")
    if not found or document.sealed:
        return os.path.normpath(found or plain)
    document.named[known] = os.path.relpath(found, document.directory or ".") if os.path.isabs(found) else os.path.normpath(found)
    return document.named[known]


def _in_packages(document: Document, rest: str) -> Iterator[str]:
    """Candidate paths of a package's file; rest: the package's name and the path in it."""
    package, _, inside = rest.partition("/")
    folder = Path(os.path.abspath(document.directory or "."))
    for around in islice((folder, *folder.parents), _LEVELS):
        if around.name == package:
            yield str(around / inside)
        yield str(around / rest)
    for place in filter(None, os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep)):
        if os.path.basename(os.path.normpath(place)) == package:
            yield os.path.join(place, inside)
        yield os.path.join(place, rest)
    for place in filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)):
        yield os.path.join(place, "share", rest)
