"""Replays: the same bits again, in another process, from a file alone; and files that are none."""

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.app.conftest import MODELS
from tumble import physics
from tumble.app.library.examples import EXAMPLES
from tumble.app.replay import replay_file as archive
from tumble.app.replay.bundle import Bundle
from tumble.app.replay.replay_file import Player, Replay, load, save
from tumble.app.replay.state import SPEC, ReplayError, leaders
from tumble.app.replay.tape import Tape
from tumble.app.session.loader import read_compiled
from tumble.app.simulation import commands
from tumble.app.simulation.changes import Change
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange

ROOT = Path(__file__).parents[3]

HEAP = """<mujoco>
  <option timestep="0.004"{option}><flag sleep="{sleep}"/></option>
  <include file="floor.xml"/>
  <worldbody>
    <body name="post" mocap="true" pos="0.4 0 0.2"><geom type="capsule" size="0.05 0.2"/></body>
    <body name="arm" pos="0 0 0.5">
      <joint name="swing" axis="0 0 1" damping="0.05"/><geom name="rod" type="capsule" size="0.04" fromto="0 0 0 0.6 0 0"/>
      <body pos="0.6 0 0"><joint name="dip" axis="0 1 0" damping="0.05"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0.3 0 -0.35"/></body>
    </body>
    {balls}
  </worldbody>
  <equality><weld name="tie" body1="b0" body2="b1" active="false"/></equality>
  <actuator><motor name="swing" joint="swing" gear="2" nsample="4" delay="0.012"/>
    <position name="dip" joint="dip" kp="4" nsample="5" delay="0.018" interp="cubic"/></actuator>
  <sensor><jointvel joint="dip" nsample="3" delay="0.01" interval="0.014"/></sensor>
</mujoco>"""
FLOOR = """<mujocoinclude>
  <asset><texture name="tiles" type="2d" file="pictures/tiles.png"/><material name="tiles" texture="tiles"/></asset>
  <worldbody><geom name="floor" type="plane" size="2 2 0.1" material="tiles"/></worldbody>
</mujocoinclude>"""


def write_heap(folder, sleep="disable", option=""):
    """A model of three files: a scene, a floor that it includes, a texture that that names."""
    from PIL import Image

    (folder / "pictures").mkdir(parents=True)
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).save(folder / "pictures" / "tiles.png")
    (folder / "floor.xml").write_text(FLOOR)
    kinds = ("box", "sphere", "capsule")
    balls = "".join(
        f'<body name="b{k}" pos="{0.3 * (k % 3) - 0.3} {0.3 * (k // 3) - 0.3} {0.15 + 0.1 * k}"><freejoint/>'
        f'<geom type="{kinds[k % 3]}" size="0.08 0.09 0.07"/></body>'
        for k in range(6)
    )
    path = folder / "heap.xml"
    path.write_text(HEAP.format(sleep=sleep, option=option, balls=balls))
    return path


def state(model, data):
    vector = np.empty(physics.mj_stateSize(model, SPEC))
    physics.mj_getState(model, data, vector, SPEC)
    return vector.tobytes()


def edit(sim, field, index, values):
    """Numbers of the model, as the window changes them."""
    commands.SetModel(Change(field, index, values)).apply(sim)


def disturb(sim, rng, k):
    """What a restless user does, by the window's commands."""
    m = sim.model
    if k % 7 == 0:
        commands.SetCtrl(int(rng.integers(m.nu)), float(rng.uniform(-1, 1))).apply(sim)
    if k % 501 == 500:
        sim.data.xfrc_applied[1 + int(rng.integers(m.nbody - 1)), :3] = rng.uniform(-3, 3, 3)
    if k % 501 == 12:
        sim.data.xfrc_applied[:] = 0
    if k % 997 == 996:
        sim.data.mocap_pos[0] = rng.uniform((-0.4, -0.4, 0), (0.4, 0.4, 0.8))
        sim.data.eq_active[0] ^= 1
    if k % 1499 == 1498:
        edit(sim, "geom_friction", 0, (float(rng.uniform(0.2, 1)), 0.005, 0.0001))
        edit(sim, "body_mass", m.body("b2").id, (float(rng.uniform(0.5, 3)),))
    if k % 2503 == 2502:
        edit(sim, "opt.solver", None, (float(rng.integers(0, 3)),))
        edit(sim, "opt.jacobian", None, (float(rng.integers(0, 2)),))
        edit(sim, "geom_rgba", 1, tuple(rng.uniform(0, 1, 4)))
        edit(sim, "geom_contype", 1, (float(rng.integers(0, 2)),))
        edit(sim, "geom_condim", 2, (float(rng.choice([1, 3, 4, 6])),))
    if k % 3001 == 3000:
        sim.set_paused(True)
        commands.SetState("qpos", int(m.joint("dip").qposadr[0]), (float(rng.uniform(-1, 1)),)).apply(sim)
        commands.WakeTrees(tuple(range(m.ntree))).apply(sim)
    if k % 4999 == 4998:
        commands.Reset().apply(sim)


def record(path, steps, act=disturb):
    """Run a model under disturbances; the replay of it, and the bits of the last state."""
    compiled = read_compiled(path)
    model = compiled.model
    data = physics.MjData(model)
    physics.mj_step(model, data, 37)  # it has run before the recording begins
    sim = Simulation()
    sim.adopt(model, data, Exchange(data))
    rng = np.random.default_rng(1)
    for k in range(steps):
        sim.touch()  # as the thread does before it carries a command out
        act(sim, rng, k)
        sim.step(1)
    return Replay(compiled.bundle, sim.tape.timeline()), state(model, data)


def play(replay):
    player = Player(replay)
    while player.ready():
        player.step()
    assert player.strayed == 0
    assert player.checked > 0
    return player


PLAY = """
import sys
from pathlib import Path
from tumble.app.replay.replay_file import load
from tumble.app.replay.replay_file import Player
from tests.app.replay.test_replay import state
player = Player(load(Path(sys.argv[1])))
while player.ready():
    player.step()
sys.stdout.write(state(player.model, player.data).hex())
"""


@pytest.mark.parametrize("sleep", [pytest.param("disable", marks=pytest.mark.slow), "enable"])
def test_minute_of_contacts_replays_exactly_in_new_process(tmp_path, sleep):
    path = write_heap(tmp_path / "model", sleep)
    replay, last = record(path, 15_000)
    assert replay.timeline.steps * 0.004 == 60
    file = tmp_path / "minute.tumble"
    save(replay, file)
    shutil.rmtree(tmp_path / "model")  # the replay has all it needs
    ran = subprocess.run([sys.executable, "-c", PLAY, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == last.hex()


@pytest.mark.parametrize("option", [
    ' solver="PGS"', ' integrator="RK4" cone="elliptic"', ' solver="CG" jacobian="sparse"', ' integrator="implicitfast"',
])  # fmt: skip
def test_every_solver_and_integrator_replays(tmp_path, option):
    replay, last = record(write_heap(tmp_path / "model", option=option), 1600)
    player = play(replay)
    assert state(player.model, player.data) == last


def test_replay_that_starts_asleep_and_wakes_is_exact(tmp_path):
    asleep = []

    def rarely(sim, rng, k):
        asleep.append(int(np.sum(sim.data.tree_asleep >= 0)))
        if k % 600 == 599:
            sim.data.xfrc_applied[sim.model.body("b4").id, 2] = 40 * (k % 1200 == 599)
        if k == 900:
            commands.SettleTrees((2, 3)).apply(sim)

    path = write_heap(tmp_path / "model", "enable")
    compiled = read_compiled(path)
    model = compiled.model
    sim = Simulation()
    data = physics.MjData(model)
    sim.adopt(model, data, Exchange(data))
    sim.step(2500)
    assert np.any(data.tree_asleep >= 0)
    sim.adopt(model, data, Exchange(data))  # and so the tape begins here
    for k in range(2000):
        sim.touch()
        rarely(sim, np.random.default_rng(0), k)
        sim.step(1)
    assert min(asleep) < max(asleep)
    player = play(Replay(compiled.bundle, sim.tape.timeline()))
    assert state(model, data) == state(player.model, player.data)
    np.testing.assert_array_equal(data.tree_asleep, player.data.tree_asleep)


def test_trees_that_sleep_from_the_beginning_wake_alike_in_a_replay():
    """The dominoes: what nothing has computed for them stays so, also where the tape goes back to before they woke."""
    model = physics.MjModel.from_xml_path(str(next(one.path for one in EXAMPLES if one.file == "dominoes.xml")))
    data = physics.MjData(model)
    tape = Tape(model, data, sys.maxsize, 50)
    for _ in range(8):
        physics.mj_step(model, data, 50)
        tape.took(50)
    last = data.qpos.copy()
    tape.seek(50)
    physics.mj_step(model, data, 350)
    assert np.array_equal(data.qpos, last)
    other = physics.MjData(model)
    again = Tape.of(tape.timeline(), model, other)
    while again.now < again.end:
        physics.mj_step(model, other, 1)
        again.followed(1)
    assert (again.strayed, again.checked) == (0, 8)
    assert np.array_equal(other.qpos, last)


def test_a_state_that_blows_up_and_resets_itself_replays(tmp_path):
    def kick(sim, rng, k):
        sim.data.ctrl[:] = 0.3
        if k == 100:
            sim.data.qvel[0] = 1e12

    replay, last = record(write_heap(tmp_path / "model"), 300, kick)
    player = play(replay)
    assert int(player.data.warning.number.sum()) > 0
    assert state(player.model, player.data) == last


def test_saved_replay_round_trips_with_identical_bytes(tmp_path):
    replay, _ = record(write_heap(tmp_path / "model"), 60)
    replay = Replay(replay.bundle, replay.timeline, {"camera": {"azimuth": 12.5}, "docks": "AAAA"})
    save(replay, tmp_path / "a.tumble")
    save(replay, tmp_path / "b.tumble")
    assert (tmp_path / "a.tumble").read_bytes() == (tmp_path / "b.tumble").read_bytes()
    again = load(tmp_path / "a.tumble")
    assert again.view == replay.view
    assert again.bundle == Bundle("heap.xml", replay.bundle.text, dict(replay.bundle.files))
    assert sorted(again.bundle.files) == ["floor.xml", "pictures/tiles.png"]
    np.testing.assert_array_equal(again.timeline.inputs["value"], replay.timeline.inputs["value"])


def test_the_model_from_a_bundle_is_the_one_from_the_disk(tmp_path):
    path = write_heap(tmp_path / "model")
    bundle = read_compiled(path).bundle
    disk = physics.MjModel.from_xml_path(str(path))
    shutil.rmtree(path.parent)
    memory = bundle.compile()
    for name in ("tex_data", "geom_matid", "body_mass", "names", "qpos0", "M_colind"):
        np.testing.assert_array_equal(np.asarray(getattr(memory, name)), np.asarray(getattr(disk, name)))


def test_replay_keeps_model_as_loaded_if_its_files_change(tmp_path):
    path = write_heap(tmp_path / "model")

    def save_over(sim, rng, k):
        if k == 5:
            path.write_text("<mujoco><worldbody><geom/></worldbody></mujoco>")
        if k == 6:
            shutil.rmtree(path.parent)
        disturb(sim, rng, k)

    replay, last = record(path, 300, save_over)
    player = play(replay)
    assert state(player.model, player.data) == last


def test_shelved_replay_writes_large_files_once_by_digest(good, tmp_path):
    replay = load(good)
    large = b"solid " + bytes(range(256)) * 2000
    bundle = replace(replay.bundle, files={"part.stl": large, "a.xml": b"<a/>"})
    with_mesh = replace(replay, bundle=bundle)
    path = tmp_path / "kept.tumble"
    archive.save(with_mesh, path, shelved=True)
    (kept,) = archive.shelf(path).iterdir()
    assert kept.read_bytes() == large
    written = kept.stat().st_mtime_ns
    (archive.shelf(path) / ("0" * 64)).write_bytes(b"of the model before")
    archive.save(with_mesh, path, shelved=True)
    assert [(file.name, file.stat().st_mtime_ns) for file in archive.shelf(path).iterdir()] == [(kept.name, written)]
    assert load(path).bundle.files == {"part.stl": large, "a.xml": b"<a/>"}
    elsewhere = tmp_path / "elsewhere.tumble"
    elsewhere.write_bytes(archive.whole(path))
    assert load(elsewhere).bundle.files == {"part.stl": large, "a.xml": b"<a/>"}
    kept.write_bytes(large[:-1])
    with pytest.raises(ReplayError, match="has other contents than its name says"):
        load(path)
    kept.unlink()
    with pytest.raises(ReplayError, match=f"{kept.name}|No such file"):
        load(path)


def test_nothing_recorded_is_told():
    model = physics.MjModel.from_xml_path(str(MODELS / "ball.xml"))
    with pytest.raises(ReplayError, match="no step was taken"):
        Tape(model, physics.MjData(model)).timeline()


def test_a_replay_that_goes_another_way_is_noticed(tmp_path):
    replay, _ = record(write_heap(tmp_path / "model"), 600)
    values = replay.timeline.inputs["value"]
    values[len(values) // 3] += 1e-9  # as another processor might round
    player = Player(replay)
    while player.ready():
        player.step()
    assert 0 < player.strayed <= 500


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    replay, _ = record(write_heap(folder / "model", "enable"), 1600)
    save(replay, folder / "good.tumble")
    return folder / "good.tumble"


def changed(good, path, name, data):
    """A copy in which one entry is another."""
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            new.writestr(info.filename, data if info.filename == name else old.read(info))
    return path


def npy(array, pickle=False):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=pickle)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("inputs_index", 10**6, "an input is none of the model's"),
        ("inputs_index", -1, "an input is none of the model's"),
        ("edits_index", 10**6, "is outside of it"),
        ("edits_field", 99, "of no field"),
        ("edits_value", np.inf, "becomes no number"),
        ("jump_asleep", 5, "not cycles"),
        ("jump_step", 3, "no initial state"),
        ("check_step", 10**9, "checks are out of order"),
    ],
)
def test_replay_with_invalid_numbers_is_refused_before_stepping(good, tmp_path, name, value, says):
    with zipfile.ZipFile(good) as archive:
        array = np.lib.format.read_array(io.BytesIO(archive.read(f"{name}.npy")))
    array = array.copy()
    array.reshape(-1)[0 if name != "check_step" else -1] = value
    path = changed(good, tmp_path / "bad.tumble", f"{name}.npy", npy(array))
    with pytest.raises(ReplayError, match=says):
        Player(load(path))


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [("geom_condim", 5, "none of 1, 3, 4, 6"), ("geom_matid", 7, "none of -1 to 0"), ("jnt_limited", 0.5, "none of 0 to 1")],
)
def test_whole_numbers_out_of_their_range_are_refused(good, tmp_path, field, value, says):
    replay = load(good)
    line = replay.timeline
    line.edits["field"][:], line.edits["index"][:], line.edits["value"][:] = 0, 0, value
    with pytest.raises(ReplayError, match=f"{field} becomes {says}"):
        Player(Replay(replay.bundle, replace(line, fields=(field,))))


def test_replay_cannot_change_index_fields(good, tmp_path):
    with zipfile.ZipFile(good) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    manifest["fields"][0] = "geom_bodyid"
    path = changed(good, tmp_path / "bad.tumble", "manifest.json", json.dumps(manifest).encode())
    with pytest.raises(ReplayError, match="'geom_bodyid' is not a field of the model that may change"):
        Player(load(path))


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("manifest.json", b"{", "damaged"),
        ("manifest.json", b"[1]", "no replay file"),
        ("manifest.json", b'{"format": "tumble replay", "version": 7, "writer": "Tumble 9.0"}', "version 7 .* by Tumble 9.0"),
        ("jump_values.npy", b"\x93NUMPY", "damaged"),
        ("jump_values.npy", npy(np.zeros(3)), "rank 1, not"),
        ("jump_step.npy", npy(np.array([{}], object), pickle=True), "damaged"),
        *((f"{name}.npy", npy(np.zeros(3, np.int64)), f"damaged: the columns of {kind} have different lengths")
          for name, kind in (("check_digest", "checks"), ("inputs_step", "inputs"), ("jump_step", "jumps"))),
    ],
)
def test_damaged_newer_or_pickled_entry_names_the_file(good, tmp_path, name, data, says):
    with pytest.raises(ReplayError, match=rf"bad\.tumble: .*{says}"):
        load(changed(good, tmp_path / "bad.tumble", name, data))


def test_model_file_with_wrong_digest_is_refused(good, tmp_path):
    with zipfile.ZipFile(good) as archive:
        name = next(n for n in archive.namelist() if n.startswith("files/"))
    with pytest.raises(ReplayError, match="other contents than its name says"):
        load(changed(good, tmp_path / "bad.tumble", name, b"something else"))


def test_a_file_cut_off_anywhere_is_told_and_never_more(good, tmp_path):
    data = good.read_bytes()
    for length in np.linspace(0, len(data) - 1, 40).astype(int):
        (tmp_path / "cut.tumble").write_bytes(data[:length])
        with pytest.raises(ReplayError, match=r"cut\.tumble: is (empty|damaged or cut short|not a replay file)"):
            load(tmp_path / "cut.tumble")


def test_bytes_flipped_anywhere_are_told_or_change_nothing(good, tmp_path):
    data, rng = good.read_bytes(), np.random.default_rng(0)
    errors = 0
    for _ in range(150):
        broken = bytearray(data)
        broken[int(rng.integers(len(data)))] ^= int(rng.integers(1, 256))
        (tmp_path / "flipped.tumble").write_bytes(broken)
        try:
            load(tmp_path / "flipped.tumble")
        except ReplayError:
            errors += 1
    assert errors > 100


def test_what_is_missing_a_folder_or_a_pipe_is_told(tmp_path):
    for path in (tmp_path / "none.tumble", tmp_path):
        with pytest.raises(ReplayError, match=r"cannot be read: Is a directory|no such file"):
            load(path)
    os.mkfifo(tmp_path / "pipe.tumble")
    with pytest.raises(ReplayError, match="a device or a pipe"):
        load(tmp_path / "pipe.tumble")


def test_leaders_are_the_lowest_of_each_cycle():
    assert list(leaders(np.array([2, -11, 0, 4, 3, 5]))) == [0, 0, 0, 3, 3, 5]


@pytest.mark.skipif(not Path("/proc/meminfo").exists(), reason="the limit of memory is Linux's")
def test_replay_with_200_aliases_of_a_file_uses_bounded_memory(good, tmp_path):
    zeros = bytes(50 * 2**20)
    digest = hashlib.sha256(zeros).hexdigest()
    path = tmp_path / "bomb.tumble"
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        manifest = json.loads(old.read("manifest.json"))
        manifest["files"] |= {f"{k}.png": digest for k in range(200)}
        for info in old.infolist():
            new.writestr(info.filename, json.dumps(manifest) if info.filename == "manifest.json" else old.read(info))
        new.writestr(f"files/{digest}", zeros)
    tracemalloc.start()
    try:
        with pytest.raises(ReplayError, match=r"bomb\.tumble: damaged: .* counted by name"):
            load(path)
        assert tracemalloc.get_traced_memory()[1] < 4 * len(zeros)
    finally:
        tracemalloc.stop()
