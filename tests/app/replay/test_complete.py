"""A replay has all files of its model, from wherever they came, and opening it reads no others."""

import shutil

import pytest
from PIL import Image

from tumble.app.replay.bundle import Bundle, LoadError
from tumble.app.session.loader import read_compiled

INNER = '<mujocoinclude><include file="ball.xml"/></mujocoinclude>'
BALL = '<mujocoinclude><worldbody><body name="own"><freejoint/><geom size="{size}"/></body></worldbody></mujocoinclude>'


@pytest.mark.parametrize("name", ["{base}/parts/inner.xml", "../parts/inner.xml", "{base}/model/inside/inner.xml"])
def test_a_replay_has_files_of_absolute_paths_and_of_folders_above_and_reads_no_others(tmp_path, monkeypatch, name):
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


def test_files_of_one_name_in_two_absolute_folders_stay_two_when_the_folders_are_gone(tmp_path):
    """Found by their last names alone, one would be read for both."""
    for folder, size in (("left", 0.25), ("right", 0.5)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ball.xml").write_text(BALL.format(size=size).replace("own", folder))
    (tmp_path / "model").mkdir()
    path = tmp_path / "model" / "scene.xml"
    names = "".join(f'<include file="{tmp_path}/{folder}/ball.xml"/>' for folder in ("left", "right"))
    path.write_text(f"<mujoco>{names}</mujoco>")
    bundle = read_compiled(path).bundle
    for folder in ("left", "right"):
        shutil.rmtree(tmp_path / folder)
    assert bundle.compile().geom_size[:, 0].tolist() == [0.25, 0.5]


def test_a_replay_that_lacks_a_file_does_not_look_for_it_elsewhere(tmp_path, monkeypatch):
    secret = tmp_path / "secret.xml"
    secret.write_text(BALL.format(size=0.5))
    monkeypatch.chdir(tmp_path)
    for name in ("secret.xml", str(secret)):
        bundle = Bundle("spy.xml", f'<mujoco><include file="{name}"/></mujoco>'.encode(), {})
        with pytest.raises(LoadError, match="does not exist among the files that came with the model"):
            bundle.compile()


def test_files_of_one_name_in_two_folders_stay_two(tmp_path):
    for folder, size in (("left", 0.25), ("right", 0.5)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ball.xml").write_text(BALL.format(size=size).replace("own", folder))
    path = tmp_path / "scene.xml"
    path.write_text('<mujoco><include file="left/ball.xml"/><include file="right/ball.xml"/></mujoco>')
    assert read_compiled(path).bundle.compile().geom_size[:, 0].tolist() == [0.25, 0.5]
