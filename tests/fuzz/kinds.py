"""The kinds of files that the program reads, in one table: what mutants are made from, how they are made, how they are opened,
and which exceptions are clear errors there. What is none of those is a fault, and so is a message that says nothing.
"""

import functools
import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from tests.fuzz import calls, conditions, corpora, open_files, open_window, seed_files, writes
from tests.fuzz.asset_seeds import Files, asset_seeds, refused_seeds
from tests.fuzz.mutate import mutant
from tests.fuzz.mutate_archive import mutant_archive
from tests.fuzz.mutate_bytes import mutant_bytes, mutant_file, mutant_json, mutant_lines, mutant_messages
from tests.fuzz.seeds import seeds
from tumble.app.describe.expression import ExpressionError
from tumble.app.film.camera_path import PathError
from tumble.app.preferences.keys import KeyFileError
from tumble.app.remote.protocol import LineError, PlaceError
from tumble.app.replay.bundle import LoadError
from tumble.app.replay.state import ReplayError
from tumble.app.shell.state_paste import PasteError
from tumble.app.simulation.controller_file import ControllerError
from tumble.app.viewport.cameras import CameraTextError
from tumble.physics.errors import MjcfError, ModelError, PhysicsError

Change = Callable[[random.Random, bytes], bytes]
TEXT = "model.xml"


class Kind(Struct, frozen=True):
    """draw: a mutant; seeds: what it is made from, which is opened without an error; opens: in a child, given files, their folder
    and the mutant's seed; clear: its errors. share: of a campaign. shown: what a clear message says: the file's name, mostly.
    """

    name: str
    draw: Callable[[random.Random], Files]
    seeds: Callable[[], dict[str, Files]]
    opens: Callable[[Files, Path, int], float | None]
    clear: tuple[type[Exception], ...]
    share: int
    shown: bool = True


def _models() -> dict[str, Files]:
    return {name: {TEXT: text.encode()} for name, text in seeds().items()}


@functools.cache
def _model_names() -> tuple[list[str], dict[str, Files]]:
    made = _models()
    return sorted(made), made


def _model(rng: random.Random) -> Files:
    """Every fourth of the model that has everything."""
    names, made = _model_names()
    name = "everything" if rng.random() < 0.25 else rng.choice(names)
    return {TEXT: mutant(rng, made[name][TEXT].decode()).encode("utf-8", "replace")}


def _assets() -> dict[str, Files]:
    return {name: {TEXT: xml.encode(), **files} for name, (xml, files) in asset_seeds().items()}


@functools.cache
def _asset_names() -> tuple[list[str], dict[str, Files], list[bytes]]:
    refused = {name: {TEXT: xml.encode(), **files} for name, (xml, files) in refused_seeds().items()}
    made = _assets() | refused
    return sorted(made), made, [data for files in made.values() for name, data in files.items() if name != TEXT]


def _asset(rng: random.Random) -> Files:
    """A model of which one file is changed, now and then the text as well."""
    names, made, others = _asset_names()
    files = made[rng.choice(names)]
    name = rng.choice([name for name in files if name != TEXT])
    text = mutant(rng, files[TEXT].decode()).encode("utf-8", "replace") if rng.random() < 0.1 else files[TEXT]
    return files | {TEXT: text, name: mutant_file(rng, name, files[name], others)}


def _published(rng: random.Random) -> Files:
    found = corpora.corpus()
    return corpora.corpus_mutant(rng, found[rng.choice(sorted(found))])


def _published_seeds() -> dict[str, Files]:
    return {name: {str(path): path.read_bytes()} for name, path in corpora.corpus().items()}


def _changed(make: Callable[[], dict[str, Files]], change: Change) -> Callable[[random.Random], Files]:
    """Draws a seed, and changes one of its files, mostly the first."""

    @functools.cache
    def made() -> dict[str, Files]:
        return make()

    def draw(rng: random.Random) -> Files:
        files = made()[rng.choice(sorted(made()))]
        name = next(iter(files)) if rng.random() < 0.9 else rng.choice(sorted(files))
        return files | {name: change(rng, files[name])}

    return draw


def _compiled(rng: random.Random, data: bytes) -> bytes:
    """Bytes of the header, which is JSON, and of the fields; the digest is right again most times."""
    head = int.from_bytes(data[20:24], "little")
    if rng.random() < 0.25:
        header = mutant_json(rng, data[64 : 64 + head])
        made = data[:20] + len(header).to_bytes(4, "little") + data[24:64] + header + data[64 + head :]
    else:
        made = data[:64] + data[64 : 64 + head] + mutant_bytes(rng, data[64 + head :])
    return open_files.with_digest(made) if rng.random() < 0.9 else mutant_bytes(rng, data)


def _mended(before: dict[str, bytes], now: dict[str, bytes]) -> dict[str, bytes]:
    """A replay whose files are called by their digests again, in the manifest too."""
    names = {}
    for name, data in now.items():
        if name.startswith("files/") and before.get(name) != data:
            names[name] = "files/" + hashlib.sha256(data).hexdigest()
    made = {names.get(name, name): data for name, data in now.items()}
    for old, new in names.items():
        made["manifest.json"] = made["manifest.json"].replace(old[6:].encode(), new[6:].encode())
    return made


def _replay(rng: random.Random, data: bytes) -> bytes:
    return mutant_archive(rng, data, _mended)


def _recovery(rng: random.Random, data: bytes) -> bytes:
    return _replay(rng, data) if data.startswith(b"PK") else mutant_bytes(rng, data)


def _line(files: Files) -> dict[str, Files]:
    return {"one": files}


_CALL: Files = {"calls.json": json.dumps([["call", "mj_step", "m", "d"], ["call", "mj_forward", "m", "d"]]).encode()}
_WRITE: Files = {"writes.json": json.dumps(["everything", ["m", "geom_matid", 0, 0], ["d", "qpos", 0, 0.1]]).encode()}

KINDS: dict[str, Kind] = {kind.name: kind for kind in (
    Kind("model", _model, _models, open_files.open_model, (MjcfError,), 22),
    Kind("published", _published, _published_seeds, open_files.open_model, (MjcfError,), 16),
    Kind("asset", _asset, _assets, open_files.open_model, (MjcfError,), 12),
    Kind("spec", _model, _models, open_files.open_spec, (MjcfError,), 6),
    Kind("spec archive", _changed(seed_files.archives, mutant_archive), seed_files.archives, open_files.open_spec_archive,
         (MjcfError,), 2),
    Kind("compiled", _changed(seed_files.compiled_models, _compiled), seed_files.compiled_models, open_files.open_compiled,
         (ModelError,), 4),
    Kind("archive", _changed(seed_files.archives, mutant_archive), seed_files.archives, open_files.open_in_window, (LoadError,),
        4),
    Kind("replay", _changed(seed_files.replays, _replay), seed_files.replays, open_files.open_replay,
         (ReplayError, LoadError, PhysicsError), 8, False),
    Kind("replay in a window", _changed(seed_files.replays, _replay), seed_files.replays, open_files.open_in_window, (LoadError,),
        3),
    Kind("recovery", _changed(seed_files.recovery_files, _recovery), seed_files.recovery_files, open_files.open_recovery, (), 3),
    Kind("settings", _changed(seed_files.settings_files, mutant_json), seed_files.settings_files, open_window.open_settings, (),
        4),
    Kind("keys", _changed(seed_files.key_files, mutant_json), seed_files.key_files, open_window.open_keys,
         (KeyFileError, UnicodeDecodeError), 1, False),
    Kind("messages", _changed(seed_files.messages, mutant_messages), seed_files.messages, open_window.open_messages, (LineError,),
        3,
         False),
    Kind("window place", _changed(seed_files.window_places, mutant_json), seed_files.window_places, open_files.open_place,
         (PlaceError,), 1),
    Kind("archive record", _changed(seed_files.archive_records, mutant_json), seed_files.archive_records, open_files.open_record,
        (), 1),
    Kind("kernel", _changed(seed_files.kernel_files, mutant_bytes), seed_files.kernel_files, open_files.open_kernel, (), 1),
    Kind("mesh", _changed(seed_files.mesh_files, mutant_bytes), seed_files.mesh_files, open_files.open_mesh_file, (), 1),
    Kind("msh", _changed(lambda: {"msh": {"m.msh": asset_seeds()["msh"][1]["m.msh"]}}, mutant_bytes),
         lambda: {"msh": {"m.msh": asset_seeds()["msh"][1]["m.msh"]}}, open_files.open_msh, (ValueError,), 1),
    Kind("camera path", _changed(seed_files.camera_paths, mutant_json), seed_files.camera_paths, open_files.open_camera_path,
         (PathError,), 1),
    Kind("camera", _changed(seed_files.cameras, mutant_lines), seed_files.cameras, open_files.open_camera, (CameraTextError,), 1,
        False),
    Kind("state", _changed(seed_files.states, mutant_lines), seed_files.states, open_files.open_state, (PasteError,), 1, False),
    Kind("controller", _changed(seed_files.controllers, mutant_bytes), seed_files.controllers, open_files.open_controller,
         (ControllerError,), 1),
    Kind("condition", lambda rng: {"condition.txt": conditions.mutant_condition(rng)}, seed_files.conditions,
         open_files.open_condition, (ExpressionError,), 3, False),
    Kind("calls", lambda rng: {"calls.json": calls.calls_of(rng)}, lambda: _line(_CALL), calls.open_calls, (PhysicsError,), 6,
        False),
    Kind("writes", lambda rng: {"writes.json": writes.writes_of(rng)}, lambda: _line(_WRITE), writes.open_writes, (PhysicsError,),
        6, False),
)}  # fmt: skip


def available() -> list[Kind]:
    """The kinds that have seeds here."""
    return [kind for kind in KINDS.values() if kind.name != "published" or corpora.corpus()]
