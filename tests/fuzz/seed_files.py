"""What mutants are made from beyond models: a file of every other kind that the program reads, made by the program itself."""

import functools
import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.fuzz.asset_seeds import Files, asset_seeds
from tumble import physics
from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.remote.protocol import encoded
from tumble.app.replay.replay_file import SUFFIX, Replay, save
from tumble.app.session.loader import read_compiled
from tumble.app.simulation import commands
from tumble.app.simulation.changes import Change
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange, Snapshot, key_element, state_lines
from tumble.physics.compiler.assets.mesh import store
from tumble.physics.kernel import cache
from tumble.physics.state.export.saved import packed

Seeds = dict[str, Files]

ARM = """<mujoco model="arm">
  <option timestep="0.004"/>
  <asset><texture name="t" type="2d" file="t.png"/><material name="p" texture="t"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 0.1" material="p"/><camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 0 1"/>
    <body name="post" mocap="true" pos="0.4 0 0.2"><geom type="capsule" size="0.05 0.2"/></body>
    <body name="arm" pos="0 0 0.5"><joint name="swing" axis="0 0 1" damping="0.05"/>
      <geom name="rod" type="capsule" size="0.04" fromto="0 0 0 0.6 0 0"/></body>
    <body name="ball" pos="0.3 0 0.2"><freejoint/><geom name="ball" size="0.08"/></body>
    <body name="box" pos="-0.3 0 0.1"><freejoint/><geom name="box" type="box" size="0.08 0.08 0.08"/></body>
  </worldbody>
  <actuator><motor name="swing" joint="swing" gear="2"/>
    <general name="slow" joint="swing" dyntype="filter" dynprm="0.1" gainprm="1"/></actuator>
  <sensor><jointvel joint="swing"/></sensor>
  <keyframe><key name="up" time="1"/></keyframe>
</mujoco>"""


def _picture() -> bytes:
    return asset_seeds()["picture"][1]["c.png"]


def arm_model() -> physics.MjModel:
    """The model that what is no model is opened with: conditions, messages, states on the clipboard."""
    return physics.MjModel.from_xml_string(ARM, {"t.png": _picture()})


def _in_folder(make: Callable[[Path], None]) -> Seeds:
    """The files that `make` leaves in a folder, each a seed."""
    with tempfile.TemporaryDirectory() as name:
        make(Path(name))
        return {path.name: {path.name: path.read_bytes()} for path in sorted(Path(name).iterdir()) if path.is_file()}


def replays() -> Seeds:
    """Replays of a moving, disturbed arm, with and without sleep."""

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as name:
            model = Path(name) / "arm.xml"
            (Path(name) / "t.png").write_bytes(_picture())
            for sleep in ("disable", "enable"):
                option = f'<option timestep="0.004"><flag sleep="{sleep}"/></option>'
                model.write_text(ARM.replace('<option timestep="0.004"/>', option))
                save(_recorded(model), folder / f"{sleep}{SUFFIX}")

    return _in_folder(make)


def _recorded(path: Path) -> Replay:
    compiled = read_compiled(path)
    assert compiled.bundle is not None
    sim, data = Simulation(), physics.MjData(compiled.model)
    sim.adopt(compiled.model, data, Exchange(data))
    for k in range(120):
        sim.touch()
        if k % 9 == 0:
            commands.SetCtrl(0, 0.1 * (k % 7)).apply(sim)
        if k % 40 == 39:
            commands.SetModel(Change("geom_friction", 0, (0.5 + 0.001 * k, 0.005, 0.0001))).apply(sim)
            sim.data.mocap_pos[0, 0] += 0.01
        if k == 80:
            commands.SetModel(Change("opt.solver", None, (1.0,))).apply(sim)
            commands.Reset().apply(sim)
        sim.step(1)
    assert sim.tape is not None
    view = {"camera": {"kind": 0, "lookat": [0, 0, 0.3], "distance": 2, "azimuth": 90, "elevation": -20}, "seconds": 0.48,
            "panels": ["contacts"], "flags": ["CONTACTPOINT"], "bookmarks": [[20, "start"], [60, "hit"]]}  # fmt: skip
    return Replay(compiled.bundle, sim.tape.timeline(), view)


def recovery_files() -> Seeds:
    """What lies in the recovery folder when the process is gone: a replay, and its stacks."""
    replay = next(iter(replays().values()))
    return {"left": {f"arm.4194301-0123abcd{SUFFIX}": next(iter(replay.values())),
        "4194301-0123abcd.crash": b"Fatal error\n  File x\n"}}


def compiled_models() -> Seeds:
    """Files of compiled models."""
    small = physics.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
    mesh = physics.MjModel.from_xml_string(*asset_seeds()["obj"])
    return {name: {"m.tumble-model": packed(m)} for name, m in (("arm", arm_model()), ("small", small), ("mesh", mesh))}


def archives() -> Seeds:
    """Models in archives, alone, in a folder, with others."""
    made: Seeds = {}
    for name, members in {
        "alone": {"model.xml": ARM.encode(), "t.png": _picture()},
        "folder": {"arm/arm.xml": ARM.encode(), "arm/t.png": _picture(), "arm/README.md": b"An arm.\n"},
        "several": {"scene.xml": b'<mujoco><include file="parts/arm.xml"/></mujoco>', "parts/arm.xml": ARM.encode(),
        "t.png": _picture()},
    }.items():
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in members.items():
                archive.writestr(member, data)
        made[name] = {"arm.zip" if name != "folder" else "arm.mjz": file.getvalue()}
    return made


def archive_records() -> Seeds:
    """The record of an archive that was unpacked before."""
    said = {"archive": "/nowhere/arm.zip", "sizes": {"model.xml": len(ARM), "t.png": len(_picture())}, "models": ["model.xml"]}
    return {"record": {"archive.json": json.dumps(said).encode()}}


# Of each setting something other than at first; those of several values have some of every kind.
_CAMERA = {"kind": 0, "lookat": [0.0, 0.0, 0.3], "distance": 2.0, "azimuth": 90.0, "elevation": -20.0, "orthographic": False}
CHOSEN: dict[str, object] = {
    "window/theme": "dark", "window/font_scale": 1.2, "files/recent": ["/a/x.xml", "/b/y.zip"], "files/last": "/nowhere/x.xml",
    "files/reopening": "/nowhere/y.xml", "view/camera": [_CAMERA], "files/models": ["/nowhere"],
    "files/folder": "/nowhere", "view/samples": 2, "view/time": False,
    "view/model_flags": [{"file": "/nowhere.xml", "options": {"shadow": False, "label": "BODY"}}],
    "window/folded": [{"side": "bottom", "keys": ["log", "cost"], "front": "log", "size": 200}],
    "window/layouts": [{"name": "mine", "state": "AAAA/wAAAAD9", "folded": []}],
    "panels/breakpoints": [{"key": "expression 1", "on": True, "limit": None, "text": "qpos[0] > 1", "file": "x.xml"},
                           {"key": "blowup", "on": True, "limit": 10.0, "text": "", "file": ""}],
    "panels/plots": [["time", "qpos[swing]"], ["qvel[0]"]],
    "keys/changed": [["play", "Ctrl+P"], ["reset", "F5", "Ctrl+R"]],
    "view/views": [{"file": "", "name": "View 1", "camera": _CAMERA}],
    "time/memory": 128, "controllers/trusted": ["0" * 64], "video/fps": 60, "view/snap_length": 0.02, "remote/on": False,
    "files/editor": "vi {file}", "view/gizmo": True, "palette/recent": ["play", "reset"],
}  # fmt: skip


def settings_files() -> Seeds:
    """A settings file in which nothing is as at first."""

    def make(folder: Path) -> None:
        store = Settings(folder / "settings.json")
        for setting in settings.ALL:
            if setting.key in CHOSEN:
                store.put(setting, CHOSEN[setting.key])
        store.put(settings.GEOMETRY, b"\x01\xd9\xd0\xcb\x00\x03\x00\x00" + bytes(58))
        store.put(settings.LAYOUT, b"\x00\x00\x00\xff\x00\x00\x00\x05\xfd\x00\x00\x00\x00")
        store.sync()

    return _in_folder(make)


def kernel_files() -> Seeds:
    """A compiled kernel as the cache keeps it."""

    def make(folder: Path) -> None:
        kept = os.environ.get("TUMBLE_CACHE")
        os.environ["TUMBLE_CACHE"] = str(folder / "cache")
        cache.write("fuzz.kernel:add", "0" * 64, b"\x7fELF" + bytes(range(256)) * 4)
        found = next((folder / "cache").rglob(f"add-*{cache.SUFFIX}"))
        (folder / "a.kernel").write_bytes(found.read_bytes())
        del os.environ["TUMBLE_CACHE"]
        os.environ |= {} if kept is None else {"TUMBLE_CACHE": kept}

    return _in_folder(make)


def mesh_files() -> Seeds:
    """A mesh as the cache keeps it, without the line of its digest, which is made right when it is opened."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(400, 3))
    text = "\n".join(f"v {x} {y} {z}" for x, y, z in points) + "\n" + "\n".join(f"f {k + 1} {k + 2} {k + 3}" for k in range(398))
    asset = '<asset><mesh name="m" file="m.obj" inertia="convex"/></asset>'
    xml = f'<mujoco>{asset}<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'

    def make(folder: Path) -> None:
        kept = store.directory
        store.directory = lambda: folder / "meshes"
        try:
            physics.MjModel.from_xml_string(xml, {"m.obj": text.encode()})
            store.settle()
        finally:
            store.directory = kept
        for path in (folder / "meshes").iterdir():
            (folder / "mesh.kept").write_bytes(path.read_bytes().partition(b"\n")[2])

    return _in_folder(make)


def camera_paths() -> Seeds:
    """A flight of the camera."""
    keys = [{"time": 0, "azimuth": 90, "lookat": [0, 0, 0.5], "distance": 3, "elevation": -10}, {"time": 2.5, "turns": 1},
        {"time": 4}]
    return {"path": {"path.json": json.dumps({"keys": keys}).encode()}}


def key_files() -> Seeds:
    """The keys of actions as the preferences save them."""
    return {"keys": {"keys.json": json.dumps({"tumble-keys": 1, "keys": {"play": ["Space", "Ctrl+P"], "reset": []}}).encode()}}


def controllers() -> Seeds:
    """A controller; what it says is not run."""
    return {"controller": {"c.py": b"from tumble import physics\n\ndef control(model, data):\n    data.ctrl[0] = 0.5\n"}}


def window_places() -> Seeds:
    """The file that says how a window is reached."""
    return {"place": {"remote-1.json": json.dumps({"port": 40000, "token": "abc", "pid": 1}).encode()}}


def messages() -> Seeds:
    """What other programs ask of a window."""
    said: list[dict[str, object]] = [
        {"do": "status"}, {"do": "pause"}, {"do": "step", "steps": 3}, {"do": "reset", "key": "up"}, {"do": "run", "rate": 0.5},
        {"do": "set", "values": {"qpos[0]": 0.1, "ctrl": [0.2, 0.1], "opt.timestep": 0.003, "geom_friction[floor]": [1, 0.01,
        0.001]}},
        {"do": "read", "names": ["qpos", "time", "xpos[ball]"]}, {"do": "signals", "search": "qpos", "most": 5},
        {"do": "open", "path": "/nowhere.xml"}, {"do": "picture", "width": 32, "height": 32},
    ]  # fmt: skip
    alone = {str(line["do"]): {"lines.txt": encoded(line)} for line in said[:8]}
    return alone | {"all": {"lines.txt": b"".join(map(encoded, said))}}


def states() -> Seeds:
    """A state on the clipboard, as an element and as lines."""
    model = arm_model()
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    snapshot = Snapshot(data)
    snapshot.fill(data)
    return {"element": {"state.txt": key_element(snapshot).encode()}, "lines": {"state.txt": state_lines(snapshot).encode()}}


def cameras() -> Seeds:
    """A camera on the clipboard, as an element and as lines."""
    element = '<camera pos="0 -3 1" xyaxes="1 0 0 0 0.3 1" fovy="45"/>'
    lines = "lookat = [0.0, 0.0, 0.3]\ndistance = 2.5\nazimuth = 90.0\nelevation = -20.0\northographic = False"
    return {"element": {"camera.txt": element.encode()}, "lines": {"camera.txt": lines.encode()}}


@functools.cache
def all_conditions() -> tuple[str, ...]:
    """Conditions of every form."""
    return (
        "qpos[0] > 1", "abs(qvel[swing]) > 0.5 and not time < 2", "norm(qvel) >= 1e-3 or ncon == 2", "-2^2^3 + (1 - 4)/0 < 1",
        "max(contact.dist, 0.1) < min(qpos)", "xpos[ball, z] != 0.5", "sum(qfrc_applied) * len(qpos) == 0",
        "opt.timestep > 0.001",
        "sqrt(sin(time)^2 + cos(time)^2)", "1 < 2", "sensordata[0] == 0",
    )  # fmt: skip


def conditions() -> Seeds:
    """Conditions at which a simulation stops."""
    return {f"{k}": {"condition.txt": text.encode()} for k, text in enumerate(all_conditions())}
