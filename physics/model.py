"""`MjModel`: a model and the ways to load one."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType, NoneType
from typing import ClassVar, TypeVar

from tumble.physics.compiler.compile import compile, first_look
from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.looks import without
from tumble.physics.compiler.progress import Listener, told_to
from tumble.physics.errors import ArgumentError, CompiledFileError, MjcfError, ModelError
from tumble.physics.mjcf.document import Document, FileProblem, digest, read_bytes
from tumble.physics.mjcf.faults import gathered
from tumble.physics.mjcf.notes import Notes, collected
from tumble.physics.mjcf.reader import read_path, read_string
from tumble.physics.mjcf.source import file_error
from tumble.physics.run.reset import start_asleep
from tumble.physics.state.arguments import require_kind
from tumble.physics.state.data import Data
from tumble.physics.state.export.saved import unpacked
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.data_fields import COMPUTED, STATE, STATUS
from tumble.physics.state.fields.growing import DUAL, ISLAND, ROW
from tumble.physics.state.fields.internal import MODEL_INTERNAL
from tumble.physics.state.fields.option_fields import OPTION, STATISTIC, VISUAL
from tumble.physics.state.fields.own import OWN_FLEX, OWN_OPTION
from tumble.physics.state.fields.sizes import DATA_SIZES
from tumble.physics.state.model import Model
from tumble.physics.state.named import DataNames, ModelNames

log = logging.getLogger(__name__)

_LOGGED = 50  # notes of one file that go into the log

_PATHS = (str, bytes, os.PathLike)

# What programs find that list what models and data have: fields and methods of the reference, and what is meant for them of ours.
_NOT_LISTED = {f.name for part in (OPTION, STATISTIC, VISUAL, OWN_OPTION, OWN_FLEX, MODEL_INTERNAL) for f in part}
_MODEL_LISTED = {f.name for f in MODEL} - _NOT_LISTED | vars(ModelNames).keys() | {
    "opt", "stat", "vis", "tumble", "signature", "unlocked", "files", "notes",
    "from_xml_path", "from_xml_string", "from_binary_path",
}  # fmt: skip
_IN_ROWS = ("warning_", "timer_", "solverstat_")  # columns of d.warning, d.timer, d.solver
_DATA_FIELDS = [
    f.name for f in (*DATA_SIZES, *STATUS, *STATE, *COMPUTED, *ROW, *DUAL, *ISLAND) if not f.name.startswith(_IN_ROWS)
]
_DATA_LISTED = {*_DATA_FIELDS, *vars(DataNames), "contact", "solver", "warning", "timer", "model", "plugin", "plugin_data"}

T = TypeVar("T")


def _whole(read: Callable[[], Document], make: Callable[[Document], T]) -> T:
    """Result of `make` for a document. Raises MjcfError with all errors of reading and making."""
    with gathered():
        return make(read())


class MjModel(Model):
    """A compiled MJCF model: everything that does not change while it is simulated.

    files: the paths that were looked for while it was loaded from a file, with digests, as `Document.files` says.
    notes: what was odd in the file and did not keep it from loading, each `file:line:column: <tag> what`; logged as warnings.
    """

    files: Mapping[str, str] = MappingProxyType({})
    notes: tuple[str, ...] = ()
    origin: object = None  # of a model that was loaded from a text: reads it again; of one of a spec: that
    _read_last: ClassVar[Callable[[], Document] | None] = None  # of the model that was loaded last from a text

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name.startswith("_") or name in _MODEL_LISTED]

    def strays(self, changed: Collection[str] | None = None) -> Iterator[str]:
        """As of `Model`, and sensors that their stages cannot compute."""
        yield from super().strays(changed)
        from tumble.physics.sensor.valid import READS, sensor_strays

        if changed is None or any(map(re.compile(READS).fullmatch, changed)):
            yield from sensor_strays(self)

    @classmethod
    def from_xml_path(
        cls,
        filename: str | os.PathLike[str],
        assets: Mapping[str, bytes] | None = None,
        *,
        files: dict[str, str] | None = None,
        named: dict[str, str] | None = None,
        texts: Mapping[str, bytes] | None = None,
        told: Listener | None = None,
        without_looks: bool = False,
        seen: Callable[[MjModel, Data], None] | None = None,
    ) -> MjModel:
        """Load a model from an MJCF file; assets: contents of files by name, looked up before the disk.

        texts: contents to read in place of the disk, by path. files: filled with `files` of the model, even
        if the model does not load; named: with the names of meshes that were looked for around a robot (`Document.named`). told:
        called with each asset that is about to be read; what it raises ends the load.
        without_looks: leave out textures, materials and skins that cannot be read or are not supported, which is noted.
        seen: called with what `first_look` returns while hulls of meshes take their time, and else not at all.
        Raises MjcfError, at file:line:column, for a file that cannot be read or compiled.
        """
        require_kind(filename, _PATHS, "filename", "a path")
        looked_for = {} if files is None else files
        with told_to(told):
            read = lambda: read_path(filename, texts, looked_for, assets, named=named)  # noqa: E731
            model = cls._load(read, os.fspath(filename), without_looks, seen)
        model.files = looked_for
        path = os.path.abspath(filename)
        model.origin = MjModel._read_last = lambda: read_path(path, texts, {}, assets)
        return model

    @classmethod
    def from_xml_string(cls, xml: str, assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Load a model from MJCF text; assets: contents of the files that it names. Raises MjcfError as from_xml_path."""
        model = cls._load(lambda: read_string(xml, assets), "model.xml")
        model.origin = MjModel._read_last = lambda: read_string(xml, assets)
        return model

    @staticmethod
    def last_document() -> Document:
        """The document of the model that was loaded last from MJCF or URDF, read again. Raises MjcfError if there is none."""
        if MjModel._read_last is None:
            raise MjcfError("no model was loaded from MJCF or URDF yet")
        return MjModel._read_last()

    @classmethod
    def from_binary_path(cls, filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Load a compiled model that mj_saveModel wrote; assets: contents of files by name, looked up before the disk.

        It steps as the model that was saved, bit for bit. Raises CompiledFileError, a ModelError and a ValueError, for a
        file that is missing, damaged, of another version, or of another kind.
        """
        require_kind(filename, _PATHS, "filename", "a path")
        require_kind(assets, (Mapping, NoneType), "assets", "contents of files by name, a dict")
        name = os.fspath(filename)
        try:
            if assets is not None and name in assets:
                return unpacked(bytes(assets[name]), cls, name)
            data = read_bytes(name)
            model = unpacked(data, cls, name)
        except FileProblem as problem:
            raise CompiledFileError(f"{name}: {problem}") from None
        except ModelError as problem:
            raise CompiledFileError(str(problem)) from None
        model.files = {name: digest(data)}
        return model

    @classmethod
    def first_look(
        cls, filename: str | os.PathLike[str], texts: Mapping[str, bytes] | None = None, without_looks: bool = False
    ) -> tuple[MjModel, Data]:
        """A file's model without kernels, and data in its initial pose: for display, not for simulation.

        texts, without_looks: as for from_xml_path. Raises MjcfError as it does.
        """

        def look() -> tuple[MjModel, Data]:
            if without_looks:
                return without(lambda: read_path(filename, texts, {}), lambda document: first_look(document, cls))
            return _whole(lambda: read_path(filename, texts, {}), lambda document: first_look(document, cls))

        return cls._guard(look, os.fspath(filename))

    @classmethod
    def from_document(cls, document: Document, told: Callable[[Draft], None] | None = None) -> MjModel:
        """The model of a document that is put together already; told: as for `compile`. Raises MjcfError as from_xml_path."""
        with collected() as found:
            model = cls._guard(lambda: compile(document, cls, told), document.file)
        model._note(found, document.file)
        return model

    def _note(self, found: Notes, file: str) -> None:
        """Keep the notes of a file, and log them."""
        self.notes = found.lines()
        for note in self.notes[:_LOGGED]:
            log.warning("%s", note)
        if len(self.notes) > _LOGGED:
            log.warning("%s: %d more notes are in the model's notes", file, len(self.notes) - _LOGGED)

    @classmethod
    def _load(
        cls,
        read: Callable[[], Document],
        file: str,
        without_looks: bool = False,
        seen: Callable[[MjModel, Data], None] | None = None,
    ) -> MjModel:
        with collected() as found:
            if without_looks:
                model = cls._guard(lambda: without(read, lambda document: compile(document, cls, seen=seen)), file)
            else:
                model = cls._guard(lambda: _whole(read, lambda document: compile(document, cls, seen=seen)), file)
        model._note(found, file)
        return model

    @staticmethod
    def _guard(make: Callable[[], T], file: str) -> T:
        """The result of `make`; raises MjcfError if the model is too large."""
        try:
            return make()
        except ArgumentError:
            raise
        except MemoryError as error:
            raise file_error(file, "describes a model that does not fit in this computer's memory") from error
        except ModelError as error:
            raise file_error(file, f"describes a model that is too large: {error}") from error


class MjData(Data):
    """State, inputs and everything computed from them; trees that begin asleep do so."""

    def __init__(self, model: Model) -> None:
        """Raises ModelError if that needs too much memory, or where trees are to begin asleep that cannot."""
        super().__init__(model)
        start_asleep(model, self)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name.startswith("_") or name in _DATA_LISTED]


for _name in _DATA_FIELDS:  # programs look for fields in `MjData.__dict__`
    setattr(MjData, _name, Data.__dict__[_name])
