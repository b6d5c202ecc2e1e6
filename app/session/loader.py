"""Loading a model while another runs: read, compile, prepare the kernels, take the first look.

The compiler is imported where it is called, in the thread that loads: the window is shown meanwhile.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field

from tumble import physics
from tumble.app.library import archive as archives
from tumble.app.library import unpack
from tumble.app.library.folders import only_model
from tumble.app.replay import replay_file as archive
from tumble.app.replay.bundle import Bundle, Contents, LoadError
from tumble.app.replay.replay_file import require
from tumble.app.replay.state import ReplayError
from tumble.app.replay.tape import Tape
from tumble.app.simulation.correspondence import Correspondence, PastState
from tumble.app.simulation.snapshot import Exchange
from tumble.physics.errors import MjcfError, PhysicsError
from tumble.physics.mjcf.document import FileProblem, digest, read_bytes
from tumble.physics.mjcf.spec import each_of
from tumble.physics.state.export import saved
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel
    from tumble.physics.compiler.progress import AssetProgress, Listener
    from tumble.physics.kernel.prepare import Told
    from tumble.physics.state.data import Data

    Progress = physics.KernelProgress | AssetProgress

T = TypeVar("T")

log = logging.getLogger(__name__)

URDF = ".urdf"
MODEL_SUFFIXES = (".xml", ".mjcf", URDF)
SUFFIXES = (*MODEL_SUFFIXES, saved.SUFFIX, *archives.SUFFIXES, archive.SUFFIX)
FOREIGN_SUFFIX = ".mjb"


class LoadCancelled(Exception):
    """Another model was requested, or the window closes."""


class Unchanged(Exception):
    """The files are those that were read before."""


class CompiledModel(Struct, frozen=True):
    """A model with its sources."""

    model: MjModel
    bundle: Bundle


class LoadRequest(Struct, frozen=True):
    """A model to be loaded. path: of a model, an archive or a replay; compiled: if it exists already.

    known: digests of files: load only if one has changed. without_looks: as for `MjModel.from_xml_path`. before: the model whose
    state continues in this one.
    """

    path: Path
    compiled: CompiledModel | None = None
    known: Mapping[str, str] | None = None
    without_looks: bool = False
    before: MjModel | None = None


class FirstLook(Struct, frozen=True):
    """A model that cannot be stepped yet, without hulls of meshes, and its poses as they will be at first."""

    path: Path
    model: MjModel
    frame: Frame


class Loaded(Struct, frozen=True):
    """A model ready to run: compiled, its kernels prepared, its first snapshot published.

    tape: its record, empty or that of a replay file; view: view settings of such a file; kept: what continues in it of the
    model before, where it is that one read again; recompiled: from that one's text with the changes made while it ran.
    """

    path: Path | None
    model: MjModel
    data: MjData
    exchange: Exchange
    bundle: Bundle | None
    tape: Tape
    view: Mapping[str, Any] = field(default_factory=dict)
    kept: Correspondence | None = None
    recompiled: bool = False

    def begin_with(self, before: PastState) -> Loaded:
        """This, with a first snapshot of the state of the model before; the simulation thread brings the state itself over."""
        assert self.kept is not None
        self.kept.transfer(before, self.data)
        physics.mj_forward(self.model, self.data)
        self.exchange.writing.fill(self.data)
        self.exchange.publish()
        return self


def file_digest(path: str) -> str:
    """The digest of a file as in `MjModel.files`; "" if it cannot be read."""
    try:
        return digest(read_bytes(path))
    except FileProblem:
        return ""


def check_path(path: Path) -> None:
    """Raise LoadError for paths that are not a model: a missing file, another kind of file, a folder without or with several."""
    path, _ = archives.split(path) or (path, "")
    if os.path.isdir(path):
        path = only_model(path)
    if not os.path.exists(path):
        raise LoadError(f"{path}: no such file")
    if path.suffix.lower() == FOREIGN_SUFFIX:
        raise LoadError(f"{path}: {saved.FOREIGN}")
    if path.suffix.lower() not in SUFFIXES:
        kind = f"a {path.suffix} file" if path.suffix else "a file without suffix"
        raise LoadError(
            f"{path}: {kind} is not a model; models are XML files (*.xml, *.urdf), archives of them end in "
            f"{' or '.join(archives.SUFFIXES)}, replays in {archive.SUFFIX}, compiled models in {saved.SUFFIX}"
        )


def without_text(path: Path, *, to_read: bool = False) -> str:
    """Why the file of a model has no text that could be changed, or at least read (to_read); "" if it has."""
    if path.suffix.lower() == URDF:
        return "" if to_read else f"{path.name} is a URDF file, which cannot express it: save the model as MJCF to change it"
    kinds = {archive.SUFFIX: "a replay, with the model as it was", saved.SUFFIX: "a compiled model"}
    kind = kinds.get(path.suffix.lower())
    return f"{path.name} is {kind}: open the model's own file to change it" if kind else ""


def read_compiled(
    path: Path,
    files: dict[str, str] | None = None,
    told: Listener | None = None,
    without_looks: bool = False,
    seen: Callable[[FirstLook], None] | None = None,
) -> CompiledModel:
    """The compiled model of a file, and its sources; raises LoadError with `file:line:column: <element> ...`.

    files: gets the files that were looked for, as `MjModel.files`, even where the model does not load. told: called with
    each asset; exceptions end the load. without_looks: as for `MjModel.from_xml_path`. seen: called with a first look at a model
    whose meshes take long to get their hulls.
    """
    if files is not None:
        files[str(path)] = ""  # if nothing else is found out
    contents = Contents(unpack.folder_of(path))
    if is_compiled(path):
        return _read(path, lambda: _read_saved(path, contents, files))

    def show(model: MjModel, data: Data) -> None:
        if seen is not None:
            seen(FirstLook(path, model, Frame.from_data(data)))

    model = _read(
        path,
        lambda: physics.MjModel.from_xml_path(
            str(path),
            files=files,
            named=contents.named,
            texts=contents,
            told=told,
            without_looks=without_looks,
            seen=None if seen is None else show,
        ),
    )
    return CompiledModel(model, contents.bundle(path))


def is_compiled(path: Path) -> bool:
    """True for the path of a compiled model."""
    return path.suffix.lower() == saved.SUFFIX


def _read_saved(path: Path, contents: Contents, files: dict[str, str] | None) -> CompiledModel:
    name = str(path)
    try:
        data = contents[name]
    except FileProblem as problem:
        raise LoadError(f"{path}: {problem}") from None
    digests = {} if files is None else files
    digests[name] = digest(data)
    model = physics.MjModel.from_binary_path(name, {name: data})
    model.files = digests
    return CompiledModel(model, contents.bundle(path))


def _look_at_saved(path: Path) -> tuple[MjModel, Data]:
    """A compiled model, and data in its initial pose, without kernels."""
    from tumble.physics.compiler.setconst import pose_without_kernels
    from tumble.physics.state.data import Data

    model = physics.MjModel.from_binary_path(str(path))
    data = Data(model)
    pose_without_kernels(model, data)
    return model, data


def take_first_look(path: Path, told: Listener | None = None, without_looks: bool = False) -> FirstLook:
    """A first look at a file before its kernels are compiled. Raises LoadError as `read_compiled`."""
    from tumble.physics.compiler.progress import told_to

    look = _look_at_saved if is_compiled(path) else partial(physics.MjModel.first_look, without_looks=without_looks)
    with told_to(told):
        model, data = _read(path, lambda: look(path))
    return FirstLook(path, model, Frame.from_data(data))


def prepare_all(model: MjModel, told: Told) -> None:
    """Compile all kernels for loading and stepping a model; told: called with the progress, from 0 to 1."""
    from tumble.physics.compiler.setconst import LOADING
    from tumble.physics.kernel.prepare import load
    from tumble.physics.run.program import to_compile

    load((*LOADING, *to_compile(model)), told)


def _read(path: Path, read: Callable[[], T]) -> T:
    """Result of `read` for a file. Raises LoadError for all that goes wrong."""
    check_path(path)
    try:
        return read()
    except MjcfError as error:
        raise LoadError(str(error), looks=bool(error.looks), count=len(each_of(error))) from error
    except (PhysicsError, OSError, UnicodeError) as error:
        raise LoadError(str(error)) from error
    except (MemoryError, RecursionError) as error:
        raise LoadError(f"{path}: too large to load ({type(error).__name__})") from error
    except (LoadCancelled, LoadError):
        raise
    except Exception as error:  # a bug of the program; the message must reach the window all the same
        log.exception("loading %s failed", path)
        raise LoadError(f"{path}: internal error while loading: {type(error).__name__}: {error}") from error


class Loader:
    """One load, which `run` does in a separate thread; a new load supersedes it through `cancel`.

    The callbacks are called in that thread: still(first look) before kernels are compiled, or hulls of meshes
    that take long, progress(Progress) while files are
    read and kernels compiled; none of them after a cancel. files: at the end, those that were looked for, with
    digests as `MjModel.files` has them.
    """

    def __init__(self, request: LoadRequest, still: Callable[[FirstLook], None], progress: Callable[[Progress], None]) -> None:
        self.files: dict[str, str] = {}
        self.failure: LoadError | None = None
        self.request, self.path = request, request.path
        self._file = request.path  # of an archive, the model in it
        self._still, self._progress = still, progress
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Cancel the load; returns at once."""
        self._cancelled.set()

    def run(self) -> Loaded | None:
        """Load; None: the files are as known. Raises LoadError with a message for the user, and LoadCancelled."""
        try:
            return self._load()
        except Unchanged:
            return None
        except LoadError as error:
            self.failure = error
            raise LoadError(unpack.in_words(str(error))) from error
        except PhysicsError as error:  # the model needs a missing feature
            raise LoadError(f"{self.path}: {error}") from error
        except LoadCancelled:
            raise
        except Exception as error:  # a bug of the program; the message must reach the window all the same
            log.exception("preparing %s failed", self.path)
            raise LoadError(f"{self.path}: internal error while preparing: {type(error).__name__}: {error}") from error

    def _load(self) -> Loaded:
        known = self.request.known
        if known is not None and all(file_digest(path) == before for path, before in known.items()):
            raise Unchanged
        if self.path.suffix.lower() == archive.SUFFIX:
            return self._load_replay(self.path)
        compiled = self.request.compiled
        if compiled is None:
            self._file = self._unpacked()
            self._look_first(self._file)
            compiled = read_compiled(self._file, self.files, self._report, self.request.without_looks, self._show_first)
        self.files |= compiled.model.files
        data = self._prepare(compiled.model)
        return self._show(compiled.model, data, compiled.bundle, Tape(compiled.model, data))

    def _unpacked(self) -> Path:
        """The model file itself; an archive is looked for like the files in it, so that another one is noticed."""
        parts = archives.split(self.path)
        if parts is not None:
            self.files[str(parts[0])] = file_digest(str(parts[0]))
        check_path(self.path)
        return unpack.file_of(self.path)

    def _load_replay(self, path: Path) -> Loaded:
        check_path(path)
        try:
            replay = archive.load(path)
            physics.prepare_loading(self._report)  # of a replay there is no first look: its model may lie in no file
            model = replay.bundle.compile()
            data = self._prepare(model)
            require(replay.timeline, model, data)
            tape = Tape.of(replay.timeline, model, data)
        except (ReplayError, LoadError) as error:
            text = str(error)
            raise LoadError(text if text.startswith(str(path)) else f"{path}: {text}") from error
        return self._show(model, data, replay.bundle, tape, replay.view)

    def _prepare(self, model: MjModel) -> MjData:
        """Data of a model with compiled kernels."""
        self._check()
        physics.prepare(model, self._report)
        data = physics.MjData(model)
        self._check()
        return data

    def _show(
        self, model: MjModel, data: MjData, bundle: Bundle | None, tape: Tape, view: Mapping[str, Any] | None = None
    ) -> Loaded:
        self._check()
        tape.settle()
        self._check()
        exchange = Exchange(data)
        exchange.writing.fill(data)
        self._check()
        exchange.writing.position = tape.position()
        exchange.publish()
        kept = None if self.request.before is None else Correspondence(self.request.before, model)
        recompiled = kept is not None and self.request.compiled is not None
        return Loaded(self._file, model, data, exchange, bundle, tape, view or {}, kept, recompiled)

    def _look_first(self, path: Path) -> None:
        """Show the model at rest while its missing kernels are compiled, all at once."""
        if physics.loads_at_once():
            return
        look = take_first_look(path, self._report, self.request.without_looks)
        self._show_first(look)
        prepare_all(look.model, self._report)

    def _show_first(self, look: FirstLook) -> None:
        self._check()
        self._still(look)

    def _report(self, progress: Progress) -> None:
        self._check()
        self._progress(progress)

    def _check(self) -> None:
        if self._cancelled.is_set():
            raise LoadCancelled
