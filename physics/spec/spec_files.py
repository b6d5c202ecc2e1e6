"""Files of a spec: its text, and archives (.zip, .mjz) with the files that the text names."""

from __future__ import annotations

import io
import os
import zipfile
from typing import TYPE_CHECKING, Any

from tumble.physics.base.archive import MOST_BYTES, Archive, ArchiveError, File
from tumble.physics.base.files import write_whole
from tumble.physics.compiler.assets.asset_files import file_name, places
from tumble.physics.errors import ArgumentError, MjcfError, quoted
from tumble.physics.mjcf.document import FileProblem
from tumble.physics.mjcf.references import walk
from tumble.physics.spec.conversion import document_of
from tumble.physics.state.arguments import checked

if TYPE_CHECKING:
    from typing import Self

    from tumble.physics.spec.part import Owner


def pack(spec: Owner, file: File) -> None:
    """Write a spec with the files that it names. Raises MjcfError for a file that is missing, or that has no place in it."""
    name = spec.modelname or "model"
    folder = "".join(c if c.isalnum() or c in " ._-" else "_" for c in name).strip(" .") or "model"
    text = spec.to_xml()
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, f"{folder}/{folder}.xml", text.encode())
        for path, data in _files(spec).items():
            _put(archive, f"{folder}/{path}", data)
    if isinstance(file, str | os.PathLike):
        write_whole(file, whole.getvalue())
    else:
        file.write(whole.getvalue())


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a file, without a date: the same spec gives the same bytes, also where a clock says 1970, which archives cannot."""
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


def _files(spec: Owner) -> dict[str, bytes]:
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
    try:
        with Archive(file, most_bytes=MOST_BYTES) as archive:
            names = [name for name in archive.members if not name.startswith("__MACOSX/")]
            main = _main(sorted(names), archive.shown)
            folder = main.rpartition("/")[0]
            inside = f"{folder}/" if folder else ""
            text = archive.read(main).decode("utf-8", "replace")
            assets = {name.removeprefix(inside): archive.read(name) for name in names if name != main and name.startswith(inside)}
            return text, assets
    except ArchiveError as problem:
        raise MjcfError(str(problem)) from None


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


class Written:
    """The part of MjSpec that writes files, and reads archives."""

    __slots__ = ()

    def to_xml(self) -> str:
        """The spec as MJCF, which compiles to the same model, with the comments of the files that it was read from.

        Angles are in radians, orientations quaternions; what an element inherits is left out. Raises MjcfError for what no file
        can say.
        """
        from tumble.physics.spec.mjcf_text import write

        return write(self)

    @checked
    def to_file(self, filename: str | os.PathLike[str]) -> None:
        """Write `to_xml` to a file. Raises MjcfError as it does, and for a file that cannot be written."""
        text = self.to_xml()
        try:
            write_whole(filename, text.encode())
        except OSError as problem:
            raise MjcfError(f"{os.fspath(filename)}: cannot be written: {problem.strerror}") from problem

    def to_zip(self, file: File) -> None:
        """Write an archive (.zip, .mjz) with the text and the files that it names; file: a path, or a file open for writing.

        Raises MjcfError as `to_xml`, and for a file that is missing or outside of the model's folder.
        """
        _require_file(file, "write")
        pack(self, file)

    @classmethod
    def from_zip(cls, file: File) -> Self:
        """Read an archive (.zip, .mjz) with one model and its files, which become assets.

        file: a path, or a file open for reading.
        Raises MjcfError for what is no archive, is encrypted or too large, leaves its folder, or holds no model.
        """
        _require_file(file, "read")
        text, assets = unpack(file)
        made: Any = cls
        return made.from_string(text, include=assets, assets=assets)


def _require_file(file: object, ability: str) -> None:
    if not isinstance(file, str | os.PathLike) and not hasattr(file, ability):
        raise ArgumentError(f"file should be a path, or a file that is open to {ability}, not {quoted(file)}")
