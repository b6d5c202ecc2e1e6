"""How each kind of file is opened: by the function of the program that opens it, and then used as the program uses it.

Each function is given the files of a mutant, the folder where they lie, and the mutant's seed; it raises what the program's
function raises. These run in a child process: see exercise.py.
"""

import contextlib
import hashlib
import os
import random
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np

from tests.fuzz.asset_seeds import Files
from tests.fuzz.run_model import cast_rays, simulate
from tests.fuzz.seed_files import archives, arm_model
from tumble import physics
from tumble.app.describe import expression
from tumble.app.describe.signals import Catalogue
from tumble.app.film.camera_path import read_path
from tumble.app.library import unpack
from tumble.app.remote import protocol
from tumble.app.replay import replay_file as archive
from tumble.app.replay.replay_file import Player, Replay
from tumble.app.rescue import recovery
from tumble.app.session.loader import Loaded, Loader, LoadRequest
from tumble.app.shell.state_paste import parse
from tumble.app.simulation import controller_file
from tumble.app.simulation.snapshot import ATTRIBUTES
from tumble.app.viewport.cameras import read_camera
from tumble.mujoco.msh2obj import msh_to_obj
from tumble.physics.compiler.assets.mesh import store
from tumble.physics.errors import ModelError
from tumble.physics.kernel import cache
from tumble.render.camera import Camera

STEPS = 300  # of a replay that are repeated: what it says is used by then


class Unclear(Exception):
    """What should not have been accepted, or not so."""


def only(files: Files, folder: Path) -> Path:
    """The path of the file that is opened: the first."""
    return folder / next(iter(files))


def open_model(files: Files, folder: Path, seed: int) -> float:
    """A model and the files that it names, from memory; one of an absolute path with the files around it, changed as given.

    Returns how long it took to open [s].
    """
    main, began = next(iter(files)), process_time()
    if os.path.isabs(main):
        m = physics.MjModel.from_xml_path(main, texts=files)
    else:
        m = physics.MjModel.from_xml_string(files[main].decode("utf-8", "replace"), {k: v for k, v in files.items() if k != main})
    opened = process_time() - began
    cast_rays(m)
    simulate(m, random.Random(seed), random.Random(-1 - seed))
    return opened


def open_spec(files: Files, folder: Path, seed: int) -> None:
    """A model as programs edit it: read, compiled, written, and what was written read again."""
    main, *_ = files
    assets = {k: v for k, v in files.items() if k != main}
    spec = physics.MjSpec.from_string(files[main].decode("utf-8", "replace"), assets, assets)
    spec.compile()
    text = spec.to_xml()
    physics.MjSpec.from_string(text, assets, assets).compile()
    spec.copy().compile()


def open_spec_archive(files: Files, folder: Path, seed: int) -> None:
    """A model in an archive, as programs open it."""
    physics.MjSpec.from_zip(str(only(files, folder))).compile()


def open_compiled(files: Files, folder: Path, seed: int) -> None:
    """A compiled model, from its path; it is stepped."""
    m = physics.MjModel.from_binary_path(only(files, folder))
    cast_rays(m)
    simulate(m, random.Random(seed), random.Random(-1 - seed))


def with_digest(data: bytes) -> bytes:
    """A compiled model of which some bytes were changed, whose length and digest are right again."""
    head = struct.Struct("<16sIIQ32s")
    if len(data) < head.size:
        return data
    magic, version, header, _, _ = head.unpack_from(data)
    return head.pack(magic, version, header, len(data), hashlib.sha256(data[head.size :]).digest()) + data[head.size :]


def open_in_window(files: Files, folder: Path, seed: int) -> None:
    """Whatever a window opens, by its loader: a model, a replay, an archive."""
    with _own_cache(folder):
        loaded = Loader(LoadRequest(only(files, folder)), lambda look: None, lambda progress: None).run()
        assert isinstance(loaded, Loaded)
        with contextlib.suppress(ModelError):  # options that do not go together: the window says so, and pauses
            physics.mj_step(loaded.model, loaded.data, 5)


def open_replay(files: Files, folder: Path, seed: int) -> None:
    """A replay: opened, its model compiled, run again, written again."""
    replay = archive.load(only(files, folder))
    player = Player(replay)
    for _ in range(STEPS):
        if not player.ready():
            break
        player.step()
    assert isinstance(replay, Replay)
    archive.save(replay, folder / f"again{archive.SUFFIX}")


def open_recovery(files: Files, folder: Path, seed: int) -> None:
    """The folder in which processes leave their last state: nothing in it may keep a window from starting, or others from being
    offered."""
    found, damaged = recovery.take_over(folder)
    for left in found:
        if not left.model.isprintable() and len(left.model) > 10_000:
            raise Unclear(f"a model that is called {left.model[:50]!r} is offered")
        left.release()
    if not found and not damaged and any(name.endswith(archive.SUFFIX) for name in files):
        raise Unclear("a file is neither offered nor set aside")


def open_record(files: Files, folder: Path, seed: int) -> None:
    """An archive that was unpacked before, whose record is damaged: it is unpacked again."""
    path = folder / "arm.zip"
    path.write_bytes(archives()["alone"]["arm.zip"])
    with _own_cache(folder):
        first = unpack.file_of(path)
        record = first.parent.parent / unpack.RECORD
        record.write_bytes(files["archive.json"])
        again = unpack.file_of(path)
        with zipfile.ZipFile(path) as held:
            if again.read_bytes() != held.read(again.name):
                raise Unclear(f"{again} is not what the archive has")
        unpack.as_named(again)
        unpack.in_words(f"{again}:1:1: x")
        physics.MjModel.from_xml_path(again)


@contextlib.contextmanager
def _own_cache(folder: Path) -> Iterator[None]:
    """What is unpacked lies in the folder of this mutant."""
    kept = unpack.cache_folder
    unpack.cache_folder = lambda: folder / "cache"
    try:
        yield
    finally:
        unpack.cache_folder = kept


def open_kernel(files: Files, folder: Path, seed: int) -> None:
    """A file of the kernel cache: nothing but what was written there is taken for code."""
    kept, key, digest = os.environ.get("TUMBLE_CACHE", ""), "fuzz.kernel:add", f"{seed:064x}"
    os.environ["TUMBLE_CACHE"] = str(folder / "kernels")
    try:
        cache.write(key, digest, b"code")
        path = next((folder / "kernels").rglob(f"add-*{cache.SUFFIX}"))
        path.write_bytes(files["a.kernel"])
        cache._memory.clear()
        found = cache.read(key, digest)
    finally:
        os.environ["TUMBLE_CACHE"] = kept
    if found is not None and found != b"\x7fELF" + bytes(range(256)) * 4:
        raise Unclear("damaged code was taken for whole")


def open_mesh_file(files: Files, folder: Path, seed: int) -> None:
    """A file of the cache of meshes, its digest right: it is a mesh, or as if there were none."""
    kept, content = store.directory, files["mesh.kept"]
    store.directory = lambda: folder
    try:
        (folder / f"m{store.SUFFIX}").write_bytes(store._MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
        store.read("m")
    finally:
        store.directory = kept


def open_msh(files: Files, folder: Path, seed: int) -> None:
    """A mesh in MuJoCo's own format, turned into Wavefront's."""
    msh_to_obj(only(files, folder))


def open_camera_path(files: Files, folder: Path, seed: int) -> None:
    """A flight of the camera, flown."""
    path = read_path(only(files, folder), Camera())
    for time in (-1.0, 0.0, 0.5, 1e6):
        camera = path.at(time)
        if not np.all(np.isfinite([*camera.lookat, camera.distance, camera.azimuth, camera.elevation])):
            raise Unclear(f"the camera is at {camera}")


def open_controller(files: Files, folder: Path, seed: int) -> None:
    """A controller: only read, since one that the user trusts may do what it likes."""
    controller_file.read(only(files, folder))


def open_place(files: Files, folder: Path, seed: int) -> None:
    """The file that says how a window is reached."""
    protocol.read_place(only(files, folder))


_model: list[physics.MjModel] = []


def _arm() -> physics.MjModel:
    """A model that is compiled once in a process, for what nothing is changed by."""
    if not _model:
        _model.append(arm_model())
    return _model[0]


def open_state(files: Files, folder: Path, seed: int) -> None:
    """A state on the clipboard."""
    data = physics.MjData(_arm())
    sizes = {name: int(np.size(getattr(data, field))) for name, field in ATTRIBUTES.items()}
    parse(files["state.txt"].decode("utf-8", "replace"), sizes)


def open_camera(files: Files, folder: Path, seed: int) -> None:
    """A camera on the clipboard."""
    read_camera(files["camera.txt"].decode("utf-8", "replace"), Camera(), _arm())


def open_condition(files: Files, folder: Path, seed: int) -> None:
    """A condition: read, and looked at in two moments."""
    m = _arm()
    d = physics.MjData(m)
    found = expression.parse(files["condition.txt"].decode("utf-8", "replace"), Catalogue(m))
    for _ in range(2):
        found.holds(m, d)
        found.told(m, d)
        physics.mj_step(m, d, 3)
