"""A replay has all files of its model, from wherever they came, and while it is opened and played no others are opened."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from tests.app.conftest import written
from tests.app.film.filming import recorded
from tests.fuzz.asset_seeds import asset_seeds
from tumble.app.replay.bundle import Bundle, LoadError
from tumble.app.replay.replay_file import load, save, shelf
from tumble.app.session.loader import read_compiled
from tumble.physics.compiler.assets.mesh import store
from tumble.physics.kernel.cache import directory

INNER = '<mujocoinclude><include file="ball.xml"/></mujocoinclude>'
BALL = '<mujocoinclude><worldbody><body name="own"><freejoint/><geom size="{size}"/></body></worldbody></mujocoinclude>'


@pytest.mark.parametrize("name", ["{base}/parts/inner.xml", "../parts/inner.xml", "{base}/model/inside/inner.xml"])
def test_bundle_resolves_absolute_and_parent_paths_itself(tmp_path, monkeypatch, name):
    for folder in (tmp_path / "parts", tmp_path / "model" / "inside"):
        folder.mkdir(parents=True)
        (folder / "inner.xml").write_text(INNER)
        (folder / "ball.xml").write_text(BALL.format(size=0.25))
    path = tmp_path / "model" / "scene.xml"
    path.write_text(f'<mujoco><include file="{name.format(base=tmp_path)}"/></mujoco>')
    bundle = read_compiled(path).bundle
    for trap in tmp_path.rglob("ball.xml"):
        trap.write_text(BALL.format(size=0.5))
    monkeypatch.chdir("/")  # where a folder above is the folder itself
    assert bundle.compile().geom_size[0, 0] == 0.25
    shutil.rmtree(tmp_path / "parts")
    monkeypatch.chdir(tmp_path)
    assert bundle.compile().geom_size[0, 0] == 0.25


def test_a_replay_has_the_textures_beside_an_included_file(tmp_path):
    for folder in ("parts", "model"):
        (tmp_path / folder).mkdir()
    Image.new("RGB", (3, 3)).save(tmp_path / "parts" / "a.png")
    asset = '<asset><texture name="a" type="2d" file="a.png"/></asset>'
    (tmp_path / "parts" / "part.xml").write_text(f'<mujoco><compiler assetdir="assets"/>{asset}</mujoco>')
    path = tmp_path / "model" / "scene.xml"
    path.write_text('<mujoco><include file="../parts/part.xml"/></mujoco>')
    bundle = read_compiled(path).bundle
    shutil.rmtree(tmp_path / "parts")
    assert bundle.compile().tex_width.tolist() == [3]


@pytest.mark.parametrize("absolute", [False, True])
def test_files_of_one_name_in_two_folders_stay_two(tmp_path, absolute):
    """Of absolute folders also when these are gone: found by their last names alone, one would be read for both."""
    place = tmp_path if absolute else tmp_path / "model"
    (tmp_path / "model").mkdir()
    for folder, size in (("left", 0.25), ("right", 0.5)):
        (place / folder).mkdir()
        (place / folder / "ball.xml").write_text(BALL.format(size=size).replace("own", folder))
    names = "".join(f'<include file="{f"{place}/" if absolute else ""}{folder}/ball.xml"/>' for folder in ("left", "right"))
    bundle = read_compiled(written(tmp_path / "model" / "scene.xml", f"<mujoco>{names}</mujoco>")).bundle
    for folder in ("left", "right") if absolute else ():
        shutil.rmtree(place / folder)
    assert bundle.compile().geom_size[:, 0].tolist() == [0.25, 0.5]


def test_bundle_with_a_missing_file_never_reads_from_disk(tmp_path, monkeypatch):
    secret = written(tmp_path / "secret.xml", BALL.format(size=0.5))
    monkeypatch.chdir(tmp_path)
    for name in ("secret.xml", str(secret)):
        bundle = Bundle("spy.xml", f'<mujoco><include file="{name}"/></mujoco>'.encode(), {})
        with pytest.raises(LoadError, match="does not exist among the files that came with the model"):
            bundle.compile()


ROOT = Path(__file__).parents[3]

# Opens replays as the window does, plays them, and says what was opened, what was listed, and what errors there were.
CHILD = """
import json, os, sys
seen = []
EVENTS = {"open", "os.listdir", "os.scandir", "os.readlink"}

def watch(event, arguments):
    if event in EVENTS and isinstance(arguments[0], (str, bytes)):
        seen.append(os.fsdecode(arguments[0]))

sys.addaudithook(watch)
from pathlib import Path
from tumble.app.replay import replay_file as archive
from tumble.app.replay.bundle import LoadError
from tumble.app.replay.replay_file import Player
from tumble.app.session.loader import Loader, LoadRequest
errors = []
for name in sys.argv[1:]:
    try:
        assert Loader(LoadRequest(Path(name)), lambda look: None, lambda progress: None).run() is not None
    except LoadError as error:
        errors.append(str(error))
        continue
    player = Player(archive.load(Path(name)))
    while player.ready():
        player.step()
    assert not player.strayed, name
print(json.dumps([seen, errors]))
"""

PARTS = {
    "part.xml": b"<mujocoinclude><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujocoinclude>",
    "child.xml": b"<mujoco model='child'><worldbody><body name='arm'><joint/><geom size='.2'/></body></worldbody></mujoco>",
}
SCENE = """<mujoco>
  <compiler meshdir="{away}/meshes" texturedir="{away}"/>
  <include file="{away}/part.xml"/>
  <asset>
    <mesh name="in" file="m.stl"/><mesh name="abs" file="{away}/m.obj"/><mesh name="up" file="../m.msh"/>
    <texture name="t" type="2d" file="c.png"/><texture type="skybox" fileright="{away}/r.png" fileup="{away}/u.png"/>
    <texture name="own" type="2d" file="{away}/t.bin"/>
    <hfield name="h" file="{away}/h.png" size="1 1 .5 .3"/><hfield name="b" file="{away}/h.hf" size="1 1 .5 .3"/>
    <model name="child" file="{away}/child.xml"/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="in"/><geom type="mesh" mesh="abs"/><geom type="mesh" mesh="up"/>
    <geom type="hfield" hfield="h"/><geom type="hfield" hfield="b" pos="4 0 0"/>
    <attach model="child" body="arm" prefix="c_"/>
    <body name="ball"><freejoint/><geom size=".1"/></body><body name="brick"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <deformable><skin name="s" file="{away}/s.skn"/></deformable>
</mujoco>"""
ROBOT = """<robot name="r"><link name="base"/><joint name="j" type="revolute"><parent link="base"/><child link="a"/>
  <limit lower="-1" upper="1"/></joint><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1"
  iyz="0" izz="1"/></inertial>
  {shapes}</link></robot>"""
MESHES = ("package://parts/meshes/m.stl", "file://{away}/m.obj", "{away}/m.obj", "../../parts/m.obj")


def robot(away, **compiler):
    shapes = [f'<collision><geometry><mesh filename="{name.format(away=away)}"/></geometry></collision>' for name in MESHES]
    settings = "".join(f' {name}="{value}"' for name, value in compiler.items())
    return ROBOT.format(shapes="".join(shapes)).replace("<link", f"<mujoco><compiler{settings}/></mujoco><link", 1)


@pytest.fixture
def away(tmp_path):
    """A folder full of parts, away from the model."""
    held = {name: data for _, files in asset_seeds().values() for name, data in files.items()} | PARTS
    place = tmp_path / "parts"
    (place / "meshes").mkdir(parents=True)
    for name, data in held.items():
        (place / name).write_bytes(data)
    (place / "meshes" / "m.stl").write_bytes(held["m.stl"])
    return place


@pytest.fixture
def kept(tmp_path):
    """Writes the replay of a model; its large files lie beside it."""

    def keep(name, text):
        model, path = tmp_path / "work" / "model" / name, tmp_path / "kept" / f"{name}.tumble"
        for each in (model, path):
            each.parent.mkdir(parents=True, exist_ok=True)
        model.write_text(text)
        save(recorded(model, 3), path, shelved=True)
        return path

    return keep


def opened(*replays):
    """What is opened while these are opened and played, and what is said of those that cannot be."""
    line, environment = [sys.executable, "-P", "-c", CHILD, *map(str, replays)], os.environ | {"PYTHONPATH": str(ROOT)}
    ran = subprocess.run(line, capture_output=True, text=True, check=False, cwd="/", env=environment)
    assert ran.returncode == 0, ran.stderr
    seen, errors = json.loads(ran.stdout)
    return {os.path.normpath(os.path.join("/", name)) for name in seen}, errors


def test_opening_a_replay_reads_no_file_outside_it(away, kept, tmp_path):
    """Files that it has are found in it, by absolute paths, `package://` and the like; any other is an error."""
    replays = [
        kept("scene.xml", SCENE.format(away=away)),
        kept("robot.urdf", robot(away, strippath="false")),
        kept("stripped.urdf", robot(away, meshdir=str(away))),
    ]
    spy = load(kept("spy.xml", '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'))
    refused = [
        ("beyond.xml", f'<mujoco><include file="{away}/part.xml"/></mujoco>'),
        ("above.xml", '<mujoco><include file="../parts/part.xml"/></mujoco>'),
        ("picture.xml", f'<mujoco><asset><hfield file="{away}/h.png" size="1 1 .5 .3"/></asset></mujoco>'),
        ("robot2.urdf", robot(away)),
    ]
    for name, text in refused:
        path = tmp_path / "kept" / f"{name}.tumble"
        save(replace(spy, bundle=replace(spy.bundle, main=name, text=text.encode(), files={})), path)
        replays.append(path)
    seen, errors = opened(*replays)
    assert len(errors) == len(refused), errors
    allowed = {*replays, *(path for replay in replays for path in shelf(replay).glob("*"))}
    own = [sys.prefix, sys.base_prefix, ROOT, directory(), store.directory(), "/proc", "/sys", "/dev"]
    assert {name for name in seen if Path(name) not in allowed and not any(map(Path(name).is_relative_to, own))} == set()
    assert set(map(str, replays)) <= seen  # it was watched
