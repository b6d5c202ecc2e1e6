"""Models in archives: zip files, of which MuJoCo's .mjz is a kind. What they hold, and which member is the model.

An archive comes from anywhere, so nothing in it is trusted: names that lead out of it, more bytes than a model has, links,
passwords and damage are reported, each in a line, before anything is written.
"""

from __future__ import annotations

import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from app.base.files import reason
from app.library import text
from app.replay.bundle import LoadError
from physics.mjcf.suggest import listing, meant

MJZ = ".mjz"
SUFFIXES = (".zip", MJZ)
XML, URDF = (".xml", ".mjcf"), ".urdf"
MOST_MEMBERS = 50_000
MOST_BYTES = 4 * 2**30  # of all members, unpacked; the largest models that are published have a tenth of that
GLANCE = 1 << 16  # how much of a member is read to find out whether it is a model [bytes]
_WITH_MEMBER = re.compile(r"(?i)(.+?\.(?:zip|mjz)):(.+)", re.DOTALL)
_ENCRYPTED = 0x1  # in the flags of a member
# What Python raises for bytes that are no zip file any more; for a way of packing that it does not know, or a password.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError)
REFUSED = (NotImplementedError, RuntimeError)


def split(path: Path) -> tuple[Path, str] | None:
    """The archive and the member that a path names, as in robot.zip:scene.xml; "" if it leaves the choice.

    None: it names no archive. A file on disk of that very name goes first.
    """
    if path.suffix.lower() in SUFFIXES:
        return None if os.path.isdir(path) else (path, "")
    found = _WITH_MEMBER.fullmatch(str(path))
    if found is None or os.path.exists(path):
        return None
    return Path(found[1]), found[2].replace("\\", "/")


def on_disk(path: Path) -> Path:
    """The file on disk that a path names: itself, or the archive of the member that it names."""
    found = split(path)
    return path if found is None else found[0]


def short(path: Path) -> str:
    """A file for reading, without its folder: scene.xml, or robot.zip:scene.xml."""
    return str(path)[len(str(on_disk(path).parent)) :].lstrip(os.sep)


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """An archive for reading. Raises LoadError for what is none, also where that shows only as a member is read."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except FileNotFoundError:
        raise LoadError(f"{path}: no such file") from None
    except DAMAGED as error:
        raise LoadError(f"{path}: {_damage(path, error)}") from error
    except REFUSED as error:
        raise LoadError(f"{path}: cannot be unpacked: {error}") from error
    except (OSError, ValueError) as error:
        raise LoadError(f"{path}: cannot be read: {reason(error) if isinstance(error, OSError) else error}") from error


def _damage(path: Path, error: Exception) -> str:
    with path.open("rb") as file:
        head = file.read(2)
    if not head:
        return "is empty"
    return f"is damaged or cut short: {error}" if head == b"PK" else "is not a zip archive"


def members(path: Path, archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files in an archive by clean names, folders between slashes. Raises LoadError for one that is not to be unpacked."""
    infos = archive.infolist()
    if len(infos) > MOST_MEMBERS:
        raise LoadError(f"{path}: holds {len(infos)} files; at most {MOST_MEMBERS} are unpacked")
    total = sum(info.file_size for info in infos)
    if total > MOST_BYTES:
        raise LoadError(f"{path}: unpacks to {total / 2**30:.1f} GiB; at most {MOST_BYTES / 2**30:g} GiB are unpacked")
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        name = _clean(path, info)
        if not name or _is_link(info):
            continue  # a folder, which its files bring along, or what would lead elsewhere
        if info.flag_bits & _ENCRYPTED:
            raise LoadError(f"{path}: {name} is encrypted; archives with a password are not opened")
        if name in found:
            raise LoadError(f"{path}: holds {name} twice")
        found[name] = info
    for name in found:
        for parent in list(Path(name).parents)[:-1]:
            if parent.as_posix() in found:
                raise LoadError(f"{path}: {parent.as_posix()} is both a file and a folder in it")
    return found


def _clean(path: Path, info: zipfile.ZipInfo) -> str:
    """The name of a member; "" for a folder. Raises LoadError if it would lie outside."""
    raw = info.filename.replace("\\", "/")  # as some programs of Windows write it
    parts = [part for part in raw.split("/") if part not in ("", ".")]
    if raw.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", raw):
        raise LoadError(f"{path}: {info.filename!r} points outside the archive; nothing was unpacked")
    return "" if raw.endswith("/") else "/".join(parts)


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(info.external_attr >> 16)


def models(archive: zipfile.ZipFile, files: dict[str, zipfile.ZipInfo]) -> list[str]:
    """The members that are MJCF models, by name; if there is none, those that are URDF."""
    found: dict[bool, list[str]] = {True: [], False: []}
    for name, info in files.items():
        base = name.rpartition("/")[2]
        if not base.lower().endswith((*XML, URDF)) or base.startswith("._"):
            continue  # the latter: what macOS stores along with a file
        with archive.open(info) as member:
            root = text.root_of(member.read(GLANCE))
            if root in text.ROOTS:
                found[root == text.MJCF].append(name)
    return sorted(found[True] or found[False])


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
        found = [name for name in top if name.rpartition("/")[2] == base]
        if found and len(folders) == 1:
            return found[0]
    raise LoadError(f"{path}: holds {len(names)} models: {listing(names)}; name one, as in {path.name}:{top[0]}")


def _wanted(path: Path, names: Sequence[str], wanted: str) -> str:
    clean = os.path.normpath(wanted).replace(os.sep, "/")
    for name in (clean, f"{clean}.xml"):
        if name in names:
            return name
        found = [known for known in names if known.endswith(f"/{name}")]
        if len(found) == 1:
            return found[0]
        if found:
            raise LoadError(f"{path}: {wanted} may be {listing(found)}; name one, as in {path.name}:{found[0]}")
    raise LoadError(f"{path}: holds no model {wanted}; {meant(wanted, names)}")
