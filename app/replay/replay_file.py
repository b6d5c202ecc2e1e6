"""Replay files: a zip of plain data. Nothing in it is ever run, and everything is checked before use; and running them.

`manifest.json`: format, version, the number of steps, the model's files, and the view settings;
`files/<sha256>`: their contents, by digest; `*.npy`: the columns of the timeline.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from msgspec import Meta, Struct, ValidationError, convert, field
from numpy.typing import NDArray

from tumble import __version__, physics
from tumble.app.base import files
from tumble.app.replay.bundle import Bundle
from tumble.app.replay.state import Reader, ReplayError, leaders
from tumble.app.replay.tape import Tape
from tumble.app.replay.timeline import EDITABLE, Timeline, limits
from tumble.physics.base.archive import MOST_BYTES, MOST_JSON, Archive, ArchiveError
from tumble.physics.mjcf.document import FileProblem, read_bytes

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel
    from tumble.physics.kernel.prepare import Told

SUFFIX = ".tumble"
FORMAT, VERSION = "tumble replay", 2
LARGE = 2**18  # bytes of a file that is kept outside, if that is wanted
MOST_STEPS = 10**12  # three years at a millisecond
MOST_VIEW = 2**20  # most bytes of the view settings
_COLUMNS = ("step", "index", "value", "field")
_ARRAYS = ("jump_step", "jump_values", "jump_asleep", "jump_mocap", "check_step", "check_digest")
_KINDS = {"value": np.float64, "jump_values": np.float64, "jump_mocap": np.float64, "jump_asleep": np.int32}
# Every file in a zip gets this time, so that the same replay is the same bytes.
_DATE = (2000, 1, 1, 0, 0, 0)

Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class Manifest(Struct, frozen=True):
    """`manifest.json` besides format, version and writer: `Bundle` with digests in place of contents, `Timeline`, `Replay`."""

    main: str
    text: Digest
    files: dict[str, Digest]
    steps: Annotated[int, Meta(gt=0, le=MOST_STEPS)]
    fields: tuple[str, ...]
    named: dict[str, str] = field(default_factory=dict)
    view: dict[str, Any] = field(default_factory=dict)


class Replay(Struct, frozen=True):
    """bundle: the model; timeline: events; view: settings of the window, such as camera and docks, as JSON."""

    bundle: Bundle
    timeline: Timeline
    view: dict[str, Any] = field(default_factory=dict)


def shelf(path: Path) -> Path:
    """The folder of large files that belong to a replay file and are not inside it."""
    return path.with_suffix(".files")


def save(replay: Replay, path: Path, *, shelved: bool = False) -> None:
    """Write a replay file, whole or not at all. Raises FileError, ReplayError.

    shelved: contents of large files, such as meshes, go into the folder `shelf(path)`, each once however often the replay is
    written: for a file that is written again and again.
    """
    large = shelf(path) if shelved else None
    data, digests = _packed_replay(replay, large)
    files.write_whole(path, data)
    for old in large.iterdir() if large is not None and large.is_dir() else ():
        if old.name not in digests:  # of the model as it was before a reload; until now the file before needed it
            old.unlink(missing_ok=True)


def whole(path: Path) -> bytes:
    """The bytes of a replay file with all of its model inside. Raises ReplayError, OSError."""
    return _packed_replay(load(path), None)[0] if shelf(path).is_dir() else path.read_bytes()


def _packed_replay(replay: Replay, large: Path | None) -> tuple[bytes, Collection[str]]:
    """The bytes of a replay file, and the digests of its files; large: the folder that takes the contents of large ones."""
    buffer = io.BytesIO()
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in replay.bundle.files.items()}
    main = hashlib.sha256(replay.bundle.text).hexdigest()
    line = replay.timeline
    manifest = {
        "format": FORMAT, "version": VERSION, "writer": f"Tumble {__version__}", "main": replay.bundle.main, "text": main,
        "files": digests, "named": dict(replay.bundle.named),
        "steps": line.steps, "fields": list(line.fields), "view": replay.view,
    }  # fmt: skip
    contents = {digests[name]: data for name, data in replay.bundle.files.items()} | {main: replay.bundle.text}
    text = json.dumps(manifest, indent=1).encode()
    if len(replay.bundle.text) + sum(map(len, replay.bundle.files.values())) > MOST_BYTES or len(text) > MOST_JSON:
        raise ReplayError(f"the model's files have more than {MOST_BYTES >> 30} GB, or too many names: no replay could be opened")
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, "manifest.json", text)
        for digest, data in contents.items():
            if large is not None and len(data) >= LARGE:
                _shelve(large / digest, data)
            else:
                _put(archive, f"files/{digest}", data)
        for name, array in _arrays(line).items():
            _put(archive, f"{name}.npy", _packed(array))
    return buffer.getvalue(), contents.keys()


def _shelve(place: Path, data: bytes) -> None:
    if not place.exists():
        try:
            place.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise files.FileError(f"{place.parent}: cannot be created: {files.reason(error)}") from error
        files.write_whole(place, data)


def load(path: Path) -> Replay:
    """The replay in a file; the model is not compiled yet. Raises ReplayError with the problem of the file."""
    try:
        with Archive(path, kind="replay file") as archive:
            return _read(archive, shelf(path))
    except ArchiveError as error:
        raise ReplayError(str(error)) from error
    except MemoryError as error:
        raise ReplayError(f"{path}: does not fit in this computer's memory") from error
    except ReplayError as error:
        raise ReplayError(f"{path}: {error}") from error


def _arrays(line: Timeline) -> dict[str, NDArray[Any]]:
    """Every array of a timeline by its name in the file."""
    columns = {f"{kind}_{name}": getattr(line, kind)[name] for kind in ("edits", "inputs") for name in _COLUMNS}
    return columns | {name: getattr(line, name) for name in _ARRAYS}


def _packed(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


def _read(archive: Archive, large: Path) -> Replay:
    manifest = archive.json("manifest.json")
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ReplayError("no replay file")
    if manifest.get("version") != VERSION:
        writer = manifest.get("writer", "another program")
        raise ReplayError(
            f"it has version {manifest.get('version')} of the format, written by {writer}; this is Tumble {__version__}, which "
            f"reads version {VERSION}"
        )
    try:
        described = convert(manifest, Manifest)
    except ValidationError as error:
        raise ReplayError(f"damaged: its manifest is not valid: {error}") from None
    if len(json.dumps(described.view)) > MOST_VIEW:
        raise ReplayError("damaged: its view settings are too long")
    arrays = {name: _array(archive, name) for name in _names()}
    parts: dict[str, Any] = {name: arrays[name] for name in _ARRAYS}
    for kind in ("edits", "inputs"):
        parts[kind] = {name: arrays[f"{kind}_{name}"] for name in _COLUMNS}
        _require_alike(kind, list(parts[kind].values()))
    _require_alike("jumps", [arrays[name] for name in _ARRAYS if name.startswith("jump")])
    _require_alike("checks", [arrays[name] for name in _ARRAYS if name.startswith("check")])
    return Replay(_bundle(archive, described, large), Timeline(described.steps, described.fields, **parts), described.view)


def _require_alike(kind: str, columns: list[NDArray[Any]]) -> None:
    if len({len(column) for column in columns}) != 1:
        raise ReplayError(f"damaged: the columns of {kind} have different lengths")


def _names() -> tuple[str, ...]:
    return (*(f"{kind}_{name}" for kind in ("edits", "inputs") for name in _COLUMNS), *_ARRAYS)


def _array(archive: Archive, name: str) -> NDArray[Any]:
    wanted = _KINDS.get(name.rpartition("_")[2] if name.startswith(("edits", "inputs")) else name, np.int64)
    return archive.array(f"{name}.npy", wanted, 2 if name in ("jump_values", "jump_asleep", "jump_mocap") else 1)


def _bundle(archive: Archive, manifest: Manifest, large: Path) -> Bundle:
    """The model's files, each with the contents that its digest promises; large: the folder of those that are not inside."""
    contents: dict[str, bytes] = {}
    total = 0

    def content(digest: str) -> bytes:
        nonlocal total
        if digest not in contents:
            contents[digest] = _content(archive, digest, large)
        total += len(contents[digest])
        if total > archive.most:  # by name: a name is decoded once
            raise ReplayError(f"damaged: the files of its model have more than {archive.most / 2**30:.2g} GB, counted by name")
        return contents[digest]

    files_ = {name: content(digest) for name, digest in manifest.files.items()}
    return Bundle(manifest.main, content(manifest.text), files_, manifest.named)


def _content(archive: Archive, digest: str, large: Path) -> bytes:
    name = f"files/{digest}"
    try:
        data = archive.read(name) if name in archive.members else read_bytes(str(large / digest))
    except FileProblem as problem:
        raise ReplayError(f"damaged: it has no {name}, and {large / digest} {problem}") from None
    if hashlib.sha256(data).hexdigest() != digest:
        raise ReplayError(f"damaged: {name} has other contents than its name says")
    return data


def require(timeline: Timeline, model: MjModel, data: MjData) -> None:
    """Raise ReplayError if the numbers of a timeline cannot be those of this model."""
    line, reader = timeline, Reader(model, data)
    jumps, state = len(line.jump_step), reader.read()
    _demand(jumps > 0 and line.jump_step[0] == 0, "it has no initial state")
    for name, array, width in (("values", line.jump_values, state.values.size), ("asleep", line.jump_asleep, model.ntree),
                               ("mocap", line.jump_mocap, 7 * model.nmocap)):  # fmt: skip
        _demand(array.shape == (jumps, width), f"jump_{name} has shape {array.shape}, not {(jumps, width)}")
    for row in line.jump_asleep:
        leaders(row)
    for name, steps in (("jump", line.jump_step), ("edit", line.edits["step"]), ("input", line.inputs["step"]),
                        ("check", line.check_step)):  # fmt: skip
        _demand(np.all(np.diff(steps) >= 0) and np.all((steps >= 0) & (steps <= line.steps)), f"{name}s are out of order")
    _demand(np.all(np.diff(line.jump_step) > 0), "two jumps come before the same step")
    _demand(_within(line.inputs["index"], reader.inputs), "an input is none of the model's")
    _demand(_within(line.edits["field"], len(line.fields)), "a change of the model is of no field")
    for number, name in enumerate(line.fields):
        _require_field(line, model, number, name)


def _require_field(line: Timeline, model: MjModel, number: int, name: str) -> None:
    """Check the new value of a model field."""
    _demand(name in EDITABLE, f"{name!r} is not a field of the model that may change")
    chosen = line.edits["field"] == number
    index, value = line.edits["index"][chosen], line.edits["value"][chosen]
    _demand(_within(index, np.size(getattr(model, name))), f"a change of {name} is outside of it")
    _demand(np.all(np.isfinite(value)), f"{name} becomes no number")
    if (valid := EDITABLE[name].valid) is not None:
        _demand(all(map(valid.holds, value.tolist())), f"{name} becomes what it cannot be")
    if EDITABLE[name].dtype.startswith("f"):
        return
    low, high = limits(EDITABLE[name]) or (0, 0)
    most = getattr(model, high) - 1 if isinstance(high, str) else high
    _demand(np.all((value == np.round(value)) & (value >= low) & (value <= most)), f"{name} becomes none of {low} to {most}")
    if high == 6:  # dimensions of a contact
        _demand(np.all(np.isin(value, (1, 3, 4, 6))), f"{name} becomes none of 1, 3, 4, 6")


def _within(index: NDArray[Any], size: int) -> bool:
    return bool(np.all((index >= 0) & (index < size)))


def _demand(holds: object, otherwise: str) -> None:
    if not holds:
        raise ReplayError(f"damaged: {otherwise}")


class Player:
    """A simulation that repeats a recording. model, data: as they are after `now` steps.

    The bits are the same on the same kind of processor with the same version; elsewhere rounding may differ, and contacts
    make much of little. So the recording has digests of the state on its way. checked: how many were met so far;
    strayed: after how many steps the state was first another than recorded, 0: it never was.
    """

    def __init__(self, replay: Replay, told: Told | None = None) -> None:
        """told: as for physics.prepare. Raises LoadError, ReplayError, PhysicsError."""
        self.replay = replay
        self.model = replay.bundle.compile()
        physics.prepare(self.model, told)
        self.data = physics.MjData(self.model)
        require(replay.timeline, self.model, self.data)
        self._tape = Tape.of(replay.timeline, self.model, self.data)

    @property
    def now(self) -> int:
        """Steps taken so far."""
        return self._tape.now

    @property
    def checked(self) -> int:
        """Number of states that were compared with the recorded ones."""
        return self._tape.checked

    @property
    def strayed(self) -> int:
        """Step at which the state first differed from the recording; 0: never."""
        return self._tape.strayed

    def ready(self) -> bool:
        """True if there is a next step; inputs before it are applied."""
        return self._tape.now < self._tape.end

    def step(self) -> None:
        """Take the next step, after `ready`."""
        physics.mj_step(self.model, self.data)
        self._tape.followed(1)


def stray_text(player: Player) -> str:
    """The message for a replay that has diverged."""
    return (
        f"differs from the recording from step {player.strayed} of {player.replay.timeline.steps}: it was written by another "
        "version, or on another kind of processor"
    )
