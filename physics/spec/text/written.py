"""File output of a spec: text and archives."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tumble.physics.base.files import write_whole
from tumble.physics.errors import ArgumentError, MjcfError, quoted
from tumble.physics.spec.text.mjz import File, pack, unpack
from tumble.physics.state.arguments import checked

if TYPE_CHECKING:
    from typing import Self


class Written:
    """The part of MjSpec that writes files, and reads archives."""

    __slots__ = ()

    def to_xml(self) -> str:
        """The spec as MJCF, which compiles to the same model, with the comments of the files that it was read from.

        Angles are in radians, orientations quaternions; what an element inherits is left out. Raises MjcfError for what no file
        can say.
        """
        from tumble.physics.spec.text.write import write

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
