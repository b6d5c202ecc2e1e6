"""A model's text with the files that belong to it."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from tumble.physics.mjcf.spec import Element, Where

if TYPE_CHECKING:
    from tumble.physics.mjcf.defaults import DefaultClass

MJCF, URDF = "MJCF", "URDF"

# Larger than any mesh or texture that is published with a model; a guard against endless devices and mistakes.
MAX_FILE_BYTES = 2 * 2**30


class FileProblem(Exception):
    """Why a file cannot be read, in words for a message."""


class FileMissing(FileProblem):
    """There is no such file."""


class Document(Struct):
    """A model that was read, and where its files come from.

    root: the <mujoco> element. file: the model's name in messages. directory: the folder of the main file, to which
    all file names are relative. assets: contents by name, looked up before the disk. sources: the paths of the files
    that made up the text, the main one first, for reading the model again when one changes. texts: what to read in
    place of files on disk, by path: a change is tried before it is saved. contents: of the files that made up the text, by the
    names that places in it have. files: every path that was looked for on disk,
    and the digest of what was read there; "" if there was none: a file that comes to be there would be read instead.
    without: places of elements that are left out, see physics/compiler/looks.py. format: of the main file, MJCF or URDF.
    classes: the default classes, by name. models: the models that <asset> names for <attach>, by name.

    sealed: the texts are all there is, and the disk is not looked at. named: the names of meshes that were looked for around a
    robot, by what its text calls them: a sealed one has no folders around it.

    Of an attached model: folder: its own as seen from the main file's, which is top; parents: the identity of the main file,
    of each that it is attached through, and its own; library: all that are read, by identity, shared: each is read once.
    """

    file: str
    directory: str
    assets: Mapping[str, bytes]
    sources: list[str] = field(default_factory=list)
    texts: Mapping[str, bytes] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    format: str = MJCF
    root: Element = field(default_factory=lambda: Element("mujoco", Where("", 1, 1)))
    classes: dict[str, DefaultClass] = field(default_factory=dict)
    models: dict[str, Document] = field(default_factory=dict)
    folder: str = ""
    top: str = ""
    parents: tuple[str, ...] = ()
    library: dict[str, Document] = field(default_factory=dict)
    sealed: bool = False
    named: dict[str, str] = field(default_factory=dict)

    def all_sources(self) -> list[str]:
        """The paths of all files with elements of the model, those of attached models too; the main one first."""
        found, seen, pending = list(self.sources), {id(self)}, list(self.models.values())
        while pending:
            model = pending.pop(0)
            if id(model) not in seen:
                seen.add(id(model))
                found += model.sources
                pending += model.models.values()
        return list(dict.fromkeys(found))

    def fetch(self, names: Iterable[str]) -> tuple[str, bytes]:
        """The first of these files that exists: its path or asset name, and its contents.

        Raises FileProblem when there is none, or it is a folder, a device or too large.
        """
        names = list(dict.fromkeys(names))
        for name in names:
            key = self.asset(name)
            if key is not None:
                return key, self.assets[key]
        paths = [os.path.join(self.directory, name) for name in names]
        for path in paths:
            try:
                return path, self.read(path)
            except FileMissing:
                continue
        if self.sealed:
            raise FileProblem("does not exist among the files that came with the model")
        known = f" and not among the assets: {', '.join(sorted(self.assets))}" if self.assets else ""
        raise FileProblem(f"does not exist: not found at {' or '.join(dict.fromkeys(paths))}{known}")

    def has(self, name: str) -> bool:
        """True if `fetch` finds a file of this name, or something that it can say more about."""
        path = os.path.join(self.directory, name)
        return self.asset(name) is not None or (path in self.texts if self.sealed else os.path.exists(path))

    def identity(self, path: str) -> str:
        """Canonical form of a path, equal for all paths of one file."""
        return os.path.normpath(path) if self.sealed else os.path.realpath(path)

    def read(self, path: str) -> bytes:
        """The contents of a file on disk, or of the text in its place; raises FileProblem."""
        self.files[path] = ""
        if self.sealed and path not in self.texts:
            raise FileMissing("does not exist")
        data = self.texts[path] if path in self.texts else read_bytes(path)
        self.files[path] = digest(data)
        return data

    def asset(self, name: str) -> str | None:
        """The key of an asset: its exact name, else the same file name, as the reference compares them."""
        for wanted in (name, os.path.normpath(name)):
            if wanted in self.assets:
                return wanted
        base = os.path.basename(name).lower()
        return next((key for key in self.assets if os.path.basename(key).lower() == base), None)


def digest(data: bytes) -> str:
    """The digest of a file's contents: SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read_bytes(path: str) -> bytes:
    """The contents of a regular file. Raises FileProblem for anything else, without opening it."""
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise FileProblem("is a folder, not a file")
        if not stat.S_ISREG(status.st_mode):
            raise FileProblem("is a device or a pipe, not a file")
        if status.st_size > MAX_FILE_BYTES:
            raise FileProblem(f"has {status.st_size} bytes; at most {MAX_FILE_BYTES} are read")
        return Path(path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise FileMissing("does not exist") from None
    except (OSError, ValueError) as problem:
        raise FileProblem(f"cannot be read: {getattr(problem, 'strerror', None) or problem}") from None


# Mesh paths of URDF files: `package://name/path`, `file:///path`, or a path from the file's folder.
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
