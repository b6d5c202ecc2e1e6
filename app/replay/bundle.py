"""A model with all the files it was read from, in memory, independent of later changes to the files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct, field

from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.document import FileProblem, read_bytes

if TYPE_CHECKING:
    from tumble.physics.model import MjModel

NO_CHOICES: Mapping[str, Path] = MappingProxyType({})


class LoadError(Exception):
    """A model cannot be opened; the message gives the place and what is valid.

    looks: whether only rendering is affected; choices: where several models are meant, by name, what opens each; count: of the
    errors in its files.
    """

    def __init__(self, message: str, *, looks: bool = False, choices: Mapping[str, Path] = NO_CHOICES, count: int = 1) -> None:
        super().__init__(message)
        self.looks, self.choices, self.count = looks, choices, count


class Contents(Mapping[str, bytes]):
    """Files on disk as the reader requests them, kept by path; named: as Document.named."""

    def __init__(self, within: Path | None = None) -> None:
        """within: folder that all files must be in; None: no restriction."""
        self.read: dict[str, bytes] = {}
        self.named: dict[str, str] = {}
        self._within = within

    def __contains__(self, path: object) -> bool:
        return True

    def __getitem__(self, path: str) -> bytes:
        if path not in self.read:
            if self._within is not None and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self._within)):
                raise FileProblem("lies outside of the archive that names it")
            self.read[path] = read_bytes(path)
        return self.read[path]

    def __bool__(self) -> bool:
        return True  # it counts as non-empty, even before any file was read

    def __iter__(self) -> Iterator[str]:
        return iter(self.read)

    def __len__(self) -> int:
        return len(self.read)

    def bundle(self, path: Path) -> Bundle:
        """The files that were read, with the model file at this path."""
        main = str(path)
        folder = os.path.join(os.path.dirname(main), "")
        files = {name.removeprefix(folder): data for name, data in self.read.items() if name != main}
        # A model that names files by absolute paths finds them by these too, its own folder's included; any other is independent
        # of where it lay. What an included file names next to itself is found from the main file's folder.
        home = os.path.dirname(os.path.abspath(main))
        beside = {os.path.relpath(name, home): data for name, data in files.items() if os.path.isabs(name)}
        if beside or any(os.fsencode(os.path.join(home, "")) in data for data in self.read.values()):
            files |= {os.path.normpath(os.path.abspath(name)): data for name, data in self.read.items() if name != main} | beside
        return Bundle(path.name, self.read[main], files, self.named)


class Bundle(Struct, frozen=True):
    """main: the name of the model file; text: its contents, MJCF or a compiled model; files: contents of those it names.

    Files have the names by which the model calls them. named: those of files that it calls otherwise (Document.named).
    """

    main: str
    text: bytes
    files: Mapping[str, bytes]
    named: Mapping[str, str] = field(default_factory=dict)

    def changed(self, folder: Path, contents: Mapping[str, bytes]) -> Bundle:
        """The bundle with other contents of some files, by their paths, or with more files; folder: of the model file."""
        text, files, own = self.text, dict(self.files), os.path.join(folder, "")
        for path, data in contents.items():
            if os.path.normpath(path) == os.path.normpath(own + self.main):
                text = data
                continue
            names = [name for name in files if os.path.normpath(os.path.join(own, name)) == os.path.normpath(path)]
            files |= dict.fromkeys(names or [path.removeprefix(own)], data)
        return Bundle(self.main, text, files, self.named)

    def compile(self) -> MjModel:
        """The model, from memory alone, without assets for rendering that are missing. Raises LoadError."""
        from tumble.physics.compiler.compile import compile  # a window that is shown before it has a model waits for no compiler
        from tumble.physics.compiler.looks import without
        from tumble.physics.mjcf.reader import read_sealed
        from tumble.physics.model import MjModel
        from tumble.physics.state.export.saved import is_saved, unpacked

        try:
            if is_saved(self.text):
                return unpacked(self.text, MjModel, self.main)
            return without(
                lambda: read_sealed(self.text, self.files, self.main, self.named), lambda document: compile(document, MjModel)
            )
        except PhysicsError as error:
            raise LoadError(str(error)) from error
