"""Replay files: a zip of plain data. Nothing in it is ever run, and nothing is believed before it is checked.

`manifest.json`: format, version, the number of steps, which files the model has, and what the view looked like;
`files/<sha256>`: their contents, by digest; `*.npy`: the columns of the timeline.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app import __version__
from app.base import files
from app.replay.bundle import Bundle
from app.replay.state import ReplayError
from app.replay.timeline import Timeline

SUFFIX = ".tumble"
FORMAT, VERSION = "tumble replay", 2
LARGE = 2**18  # bytes of a file that is kept outside, if that is wanted
MOST_BYTES = 2 * 2**30  # of all that a file holds, unpacked: against files that unpack without end
MOST_VIEW = 2**20  # bytes of what it says about the view
_COLUMNS = ("step", "index", "value", "field")
_ARRAYS = ("jump_step", "jump_values", "jump_asleep", "jump_mocap", "check_step", "check_digest")
_KINDS = {"value": np.float64, "jump_values": np.float64, "jump_mocap": np.float64, "jump_asleep": np.int32}
# Every file in a zip gets this time, so that the same replay is the same bytes.
_DATE = (2000, 1, 1, 0, 0, 0)

_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Replay:
    """bundle: the model; timeline: what happened; view: what the window keeps of itself, such as camera and docks, as JSON."""

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
    files.write_whole(path, _packed_replay(replay, shelf(path) if shelved else None))


def whole(path: Path) -> bytes:
    """The bytes of a replay file with all of its model inside. Raises ReplayError, OSError."""
    return _packed_replay(load(path), None) if shelf(path).is_dir() else path.read_bytes()


def _packed_replay(replay: Replay, large: Path | None) -> bytes:
    """The bytes of a replay file; large: the folder that takes the contents of large files; what else lies there goes."""
    buffer = io.BytesIO()
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in replay.bundle.files.items()}
    main = hashlib.sha256(replay.bundle.text).hexdigest()
    line = replay.timeline
    manifest = {
        "format": FORMAT, "version": VERSION, "writer": f"Tumble {__version__}", "main": replay.bundle.main, "text": main,
        "files": digests, "steps": line.steps, "fields": list(line.fields), "view": replay.view,
    }  # fmt: skip
    contents = {digests[name]: data for name, data in replay.bundle.files.items()} | {main: replay.bundle.text}
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, "manifest.json", json.dumps(manifest, indent=1).encode())
        for digest, data in contents.items():
            if large is not None and len(data) >= LARGE:
                _shelve(large / digest, data)
            else:
                _put(archive, f"files/{digest}", data)
        for name, array in _arrays(line).items():
            _put(archive, f"{name}.npy", _packed(array))
    for old in large.iterdir() if large is not None and large.is_dir() else ():
        if old.name not in contents:  # of the model as it was before a reload
            old.unlink(missing_ok=True)
    return buffer.getvalue()


def _shelve(place: Path, data: bytes) -> None:
    if not place.exists():
        try:
            place.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise files.FileError(f"{place.parent}: cannot be made: {files.reason(error)}") from error
        files.write_whole(place, data)


def load(path: Path) -> Replay:
    """The replay in a file; the model is not compiled yet. Raises ReplayError that says what is wrong with the file."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive, shelf(path))
    except (zipfile.BadZipFile, EOFError) as error:
        raise ReplayError(f"{path}: not a replay file, or an incomplete one: {error}") from error
    except OSError as error:
        raise ReplayError(f"{path}: cannot be read: {files.reason(error)}") from error
    except ReplayError as error:
        raise ReplayError(f"{path}: {error}") from error
    # Damage may meet any line of zipfile, zlib, json and numpy, each of which raises in its own ways.
    except (ValueError, LookupError, TypeError, AttributeError, RuntimeError, zlib.error, SyntaxError, MemoryError) as error:
        raise ReplayError(f"{path}: damaged: {type(error).__name__}: {error}") from error


def _arrays(line: Timeline) -> dict[str, NDArray[Any]]:
    """Every array of a timeline by the name it has in the file."""
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


def _read(archive: zipfile.ZipFile, large: Path) -> Replay:
    if sum(info.file_size for info in archive.infolist()) > MOST_BYTES:
        raise ReplayError(f"it unpacks to more than {MOST_BYTES >> 30} GB")
    manifest = json.loads(archive.read("manifest.json"))
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ReplayError("no replay file")
    if manifest.get("version") != VERSION:
        writer = manifest.get("writer", "another program")
        raise ReplayError(
            f"it has version {manifest.get('version')} of the format, written by {writer}; this is Tumble {__version__}, which "
            f"reads version {VERSION}"
        )
    view = manifest.get("view", {})
    if not isinstance(view, dict) or len(json.dumps(view)) > MOST_VIEW:
        raise ReplayError("damaged: its view settings are not valid, or too long")
    steps, fields = manifest["steps"], manifest["fields"]
    if not (isinstance(steps, int) and steps > 0 and isinstance(fields, list) and all(isinstance(f, str) for f in fields)):
        raise ReplayError("damaged: its manifest does not say how long it is")
    arrays = {name: _array(archive, name) for name in _names()}
    parts: dict[str, Any] = {name: arrays[name] for name in _ARRAYS}
    for kind in ("edits", "inputs"):
        parts[kind] = {name: arrays[f"{kind}_{name}"] for name in _COLUMNS}
        if len({column.shape for column in parts[kind].values()}) != 1:
            raise ReplayError(f"damaged: the columns of {kind} have different lengths")
    return Replay(_bundle(archive, manifest, large), Timeline(steps, tuple(fields), **parts), view)


def _names() -> tuple[str, ...]:
    return (*(f"{kind}_{name}" for kind in ("edits", "inputs") for name in _COLUMNS), *_ARRAYS)


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    array = np.lib.format.read_array(io.BytesIO(archive.read(f"{name}.npy")), allow_pickle=False)
    wanted = _KINDS.get(name.rpartition("_")[2] if name.startswith(("edits", "inputs")) else name, np.int64)
    rank = 2 if name in ("jump_values", "jump_asleep", "jump_mocap") else 1
    if array.dtype != wanted or array.ndim != rank:
        raise ReplayError(f"damaged: {name} is {array.dtype} of rank {array.ndim}, not {np.dtype(wanted)} of rank {rank}")
    return np.ascontiguousarray(array)


def _bundle(archive: zipfile.ZipFile, manifest: dict[str, Any], large: Path) -> Bundle:
    """The model's files, each with the contents that its digest promises; large: the folder of those that are not inside."""
    inside = set(archive.namelist())

    def content(digest: object) -> bytes:
        if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
            raise ReplayError(f"damaged: {str(digest)[:80]} is not a digest of a file")
        name = f"files/{digest}"
        data = archive.read(name) if name in inside else (large / digest).read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            raise ReplayError(f"damaged: files/{digest} has other contents than its name says")
        return data

    return Bundle(str(manifest["main"]), content(manifest["text"]), {str(n): content(d) for n, d in manifest["files"].items()})
