"""Models in archives: zip files, of which MuJoCo's .mjz is a kind. Their members, and the choice of the model.

An archive comes from anywhere, so nothing in it is trusted: names that lead out of it, more bytes than a model has, links,
passwords and damage are reported, each in a line, before anything is written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tumble.app.library import text
from tumble.app.replay.bundle import LoadError
from tumble.physics.base.archive import Archive, ArchiveError
from tumble.physics.mjcf.suggest import listing, meant

MJZ = ".mjz"
SUFFIXES = (".zip", MJZ)
XML, URDF = (".xml", ".mjcf"), ".urdf"
MOST_BYTES = 4 * 2**30  # of all members, unpacked; the largest models that are published have a tenth of that
GLANCE = 1 << 16  # how much of a member is read to find out whether it is a model [bytes]
_WITH_MEMBER = re.compile(r"(?i)(.+?\.(?:zip|mjz)):(.+)", re.DOTALL)


def split(path: Path) -> tuple[Path, str] | None:
    """The archive and the member that a path names, as in robot.zip:scene.xml; "" if it leaves the choice.

    None: it names no archive. A file on disk of that very name goes first.
    """
    if path.suffix.lower() in SUFFIXES:
        return None if os.path.isdir(path) else (path, "")
    match = _WITH_MEMBER.fullmatch(str(path))
    if match is None or os.path.exists(path):
        return None
    return Path(match[1]), match[2].replace("\\", "/")


def on_disk(path: Path) -> Path:
    """The file on disk that a path names: itself, or the archive of the member that it names."""
    parts = split(path)
    return path if parts is None else parts[0]


def short(path: Path) -> str:
    """A file for reading, without its folder: scene.xml, or robot.zip:scene.xml."""
    return str(path)[len(str(on_disk(path).parent)) :].lstrip(os.sep)


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """An archive for reading. Raises LoadError for an invalid one, also when only reading a member reveals it."""
    try:
        with Archive(path, most_bytes=MOST_BYTES, to_disk=True) as archive:
            yield archive
    except ArchiveError as error:
        raise LoadError(str(error)) from error


def models(archive: Archive) -> list[str]:
    """The members that are MJCF models, by name; if missing, those that are URDF."""
    by_format: dict[bool, list[str]] = {True: [], False: []}
    for name in archive.members:
        base = name.rpartition("/")[2]
        if not base.lower().endswith((*XML, URDF)) or base.startswith("._"):
            continue  # the latter: what macOS stores along with a file
        root = text.root_of(archive.glance(name, GLANCE))
        if root in text.ROOTS:
            by_format[root == text.MJCF].append(name)
    return sorted(by_format[True] or by_format[False])


def choose(path: Path, names: Sequence[str], wanted: str = "") -> str:
    """The model of an archive that is opened. Raises LoadError, listing them, if it is unclear which.

    Of an .mjz first what MuJoCo takes: NAME.xml, NAME/NAME.xml, model.xml. Then, of the models that lie the least deep, the
    only one; where they lie in one folder, scene.xml, that of the archive's name, model.xml.
    wanted: a member, or the end of its path, which goes before all.
    """
    if not names:
        raise LoadError(f"{path}: holds no model (*.xml with the root <mujoco>, *.urdf with <robot>)")
    if wanted:
        return _wanted(path, names, wanted)
    stem, depth = path.stem, min(name.count("/") for name in names)
    first = (f"{stem}.xml", f"{stem}/{stem}.xml", "model.xml") if path.suffix.lower() == MJZ else ()
    top = [name for name in names if name.count("/") == depth]
    for chosen in first:
        if chosen in names:
            return chosen
    if len(top) == 1:
        return top[0]
    folders = {name.rpartition("/")[0] for name in top}
    for base in ("scene.xml", f"{stem}.xml", "model.xml"):
        matches = [name for name in top if name.rpartition("/")[2] == base]
        if matches and len(folders) == 1:
            return matches[0]
    text = f"{path}: holds {len(names)} models: {listing(names)}; name one, as in {path.name}:{top[0]}"
    raise LoadError(text, choices={name: Path(f"{path}:{name}") for name in names})


def _wanted(path: Path, names: Sequence[str], wanted: str) -> str:
    clean = os.path.normpath(wanted).replace(os.sep, "/")
    for name in (clean, f"{clean}.xml"):
        if name in names:
            return name
        matches = [known for known in names if known.endswith(f"/{name}")]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise LoadError(f"{path}: {wanted} may be {listing(matches)}; name one, as in {path.name}:{matches[0]}")
    raise LoadError(f"{path}: holds no model {wanted}; {meant(wanted, names)}")
