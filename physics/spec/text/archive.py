"""Specs in archives: a model's text with the files that it names, as a .zip or .mjz file."""

from __future__ import annotations

import os
import zipfile
from typing import IO, TYPE_CHECKING

from physics.compiler.assets.files import file_name, places
from physics.errors import MjcfError
from physics.mjcf.document import FileProblem
from physics.mjcf.references import walk
from physics.spec.build import document_of

if TYPE_CHECKING:
    from physics.spec.spec import MjSpec

File = str | os.PathLike[str] | IO[bytes]

# Far above any published model; what is larger is a mistake or an attack.
MOST_MEMBERS = 50_000
MOST_BYTES = 2 * 2**30  # of all members, unpacked
_ENCRYPTED = 0x1


def pack(spec: MjSpec, file: File) -> None:
    """Write a spec with the files that it names. Raises MjcfError for a file that is missing, or that has no place in it."""
    name = spec.modelname or "model"
    folder = "".join(c if c.isalnum() or c in " ._-" else "_" for c in name).strip(" .") or "model"
    text = spec.to_xml()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{folder}/{folder}.xml", text)
        for path, data in _files(spec).items():
            archive.writestr(f"{folder}/{path}", data)


def _files(spec: MjSpec) -> dict[str, bytes]:
    """The contents of the files that a spec names, by their paths from its text."""
    document = document_of(spec)
    found: dict[str, bytes] = {}
    for element, rule in walk(document.root):
        for attribute in rule.attributes.values():
            file = file_name(element, attribute.name) if attribute.kind == "file" else ""
            if not file:
                continue
            settings = element.settings
            possible = places(element, file, settings.texturedir if element.tag == "texture" else settings.meshdir)
            path = os.path.normpath(possible[0]).replace(os.sep, "/")
            if path.startswith("../") or os.path.isabs(path):
                raise element.error(f'{attribute.name} "{file}" is outside of the model\'s folder: it has no place in an archive')
            try:
                found[path] = document.fetch(possible)[1]
            except FileProblem as problem:
                raise element.error(f'{attribute.name} "{file}" {problem}') from None
    return found


def unpack(file: File) -> tuple[str, dict[str, bytes]]:
    """The text of the model in an archive, and the other files by their paths from its folder.

    The model is the file of the archive's name, the only .xml of those that lie the least deep, or model.xml among them.
    Raises MjcfError for what is no archive, is encrypted or too large, or holds no model.
    """
    shown = os.fspath(file) if isinstance(file, str | os.PathLike) else str(getattr(file, "name", "archive"))
    try:
        with zipfile.ZipFile(file) as archive:
            members = _members(archive, shown)
            main = _main(sorted(members), shown)
            folder = main.rpartition("/")[0]
            inside = f"{folder}/" if folder else ""
            text = _read(archive, members[main], shown).decode("utf-8", "replace")
            assets = {
                name.removeprefix(inside): _read(archive, info, shown)
                for name, info in members.items() if name != main and name.startswith(inside)
            }  # fmt: skip
            return text, assets
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as problem:
        raise MjcfError(f"{shown}: cannot be read as an archive: {problem}") from None


def _members(archive: zipfile.ZipFile, shown: str) -> dict[str, zipfile.ZipInfo]:
    """The files in an archive, by their names in it."""
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > MOST_MEMBERS:
        raise MjcfError(f"{shown}: has {len(infos)} files; at most {MOST_MEMBERS} are read")
    total = sum(info.file_size for info in infos)
    if total > MOST_BYTES:
        raise MjcfError(f"{shown}: has {total} bytes unpacked; at most {MOST_BYTES} are read")
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        name = info.filename.replace("\\", "/")
        if info.flag_bits & _ENCRYPTED:
            raise MjcfError(f"{shown}: {name} is encrypted")
        if name.startswith("/") or ".." in name.split("/") or ":" in name.split("/")[0]:
            raise MjcfError(f"{shown}: {name} leaves the archive's folder; valid are paths inside of it")
        if not name.startswith("__MACOSX/"):
            found[name] = info
    return found


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, shown: str) -> bytes:
    """One file; it may not be longer than the archive says."""
    with archive.open(info) as member:
        data = member.read(info.file_size + 1)
    if len(data) != info.file_size:
        raise MjcfError(f"{shown}: {info.filename} is not as long as the archive says: {info.file_size} bytes")
    return data


def _main(names: list[str], shown: str) -> str:
    """The model among the files of an archive."""
    models = [name for name in names if name.lower().endswith((".xml", ".mjcf", ".urdf"))]
    if not models:
        raise MjcfError(f"{shown}: holds no model; expected a file NAME.xml")
    depth = min(name.count("/") for name in models)
    top = [name for name in models if name.count("/") == depth]
    if len(top) == 1:
        return top[0]
    stem = os.path.splitext(os.path.basename(shown))[0]
    for wanted in (f"{stem}.xml", "model.xml", "scene.xml"):
        for name in top:
            if name.rpartition("/")[2] == wanted:
                return name
    raise MjcfError(f"{shown}: holds {len(top)} models: {', '.join(top[:8])}; valid: one, or one of the archive's name")
