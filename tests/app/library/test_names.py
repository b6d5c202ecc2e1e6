"""Models by short name: where they are found, which one is meant, and what is said where that cannot be told."""

import sys
from pathlib import Path

import pytest

from tests.app.conftest import written
from tests.physics.scenes import GYM
from tumble.__main__ import main
from tumble.app.library import lookup
from tumble.app.library.folders import BUNDLED, VARIABLE, ModelSource, models_in, package_folder, sources
from tumble.app.library.lookup import Shelf, find, meaning, rows
from tumble.app.session.loader import LoadError

ROBOT = '<mujoco><worldbody><body><freejoint/><geom size="{size}"/></body></worldbody></mujoco>'
SMALL = ROBOT.format(size=0.1)
SCENE = (
    '<!-- <mujocoinclude/> --><mujoco><include file="{file}"/><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>'
)


def write(folder, name, text=SMALL):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return written(path, text)


@pytest.fixture
def menagerie(tmp_path):
    """Folders as MuJoCo Menagerie has them."""
    folder = tmp_path / "menagerie"
    write(folder, "unitree_go1/go1.xml")
    write(folder, "unitree_go1/scene.xml", SCENE.format(file="go1.xml"))
    for side in ("left", "right"):
        write(folder, f"shadow_hand/{side}_hand.xml")
        write(folder, f"shadow_hand/scene_{side}.xml", SCENE.format(file=f"{side}_hand.xml"))
    write(folder, "panda-0123456789abcdef/robot.xml")
    write(folder, "panda-0123456789abcdef/assets/robot.urdf.xml", '<robot name="no MJCF"/>')
    return folder


def shelf(folder, key):
    return Shelf(ModelSource(key, str(folder), (folder,)), models_in(folder, key))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("go1", "unitree_go1/scene.xml"),
        ("unitree_go1", "unitree_go1/scene.xml"),
        ("Unitree-Go1", "unitree_go1/scene.xml"),
        ("menagerie/unitree_go1", "unitree_go1/scene.xml"),
        ("unitree_go1/go1", "unitree_go1/go1.xml"),
        ("left_hand", "shadow_hand/scene_left.xml"),
        ("panda", "panda-0123456789abcdef/robot.xml"),
        ("panda/robot", "panda-0123456789abcdef/robot.xml"),
    ],
)
def test_model_name_means_scene_and_path_means_file(menagerie, name, file):
    known = [shelf(menagerie, "menagerie")]
    assert find(name, known) == menagerie / file
    assert [row.model.title for row in rows(known) if row.model] == ["panda", "left_hand", "right_hand", "go1"]  # each robot once


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("go2", "did you mean go1"),
        ("shadow_hand", "menagerie/shadow_hand/scene_right"),
        ("x" * 5000, "no such file"),
        ("", "no such"),
    ],
)
def test_an_unknown_name_is_told_with_what_is_close_to_it(menagerie, name, says):
    with pytest.raises(LoadError, match=says):
        find(name, [shelf(menagerie, "menagerie")])


def test_of_two_sources_the_first_is_taken_and_the_other_named(menagerie, tmp_path, caplog):
    other = write(tmp_path / "other", "go1.xml")
    shelves = [shelf(menagerie, "menagerie"), shelf(tmp_path / "other", "other")]
    assert find("go1", shelves) == menagerie / "unitree_go1/scene.xml"
    assert "there is also other/go1" in caplog.text
    assert find("other/go1", shelves) == other


def test_of_two_in_one_source_none_is_taken_and_both_are_named(tmp_path):
    for folder in ("fetch", "hand"):
        write(tmp_path, f"{folder}/reach.xml")
    with pytest.raises(LoadError, match=r"several: mine/fetch/reach, mine/hand/reach; name one, as in tumble mine/fetch/reach"):
        find("reach", [shelf(tmp_path, "mine")])


def test_a_file_that_exists_wins_and_no_folder_is_looked_through(tmp_path, monkeypatch):
    monkeypatch.setattr(lookup, "shelves", lambda stored: pytest.fail("folders were looked through"))
    monkeypatch.chdir(tmp_path)
    for name in ("tumbler", "go1.xml", "go1.zip"):
        write(tmp_path, name)
        assert meaning(Path(name)) == Path(name)
    for name in ("missing.xml", "/nowhere/go1", "robot.zip:scene.xml"):
        assert meaning(Path(name)) == Path(name)


def test_packages_are_found_and_not_imported(tmp_path, monkeypatch):
    trap = tmp_path / "dm_control"
    write(trap, "__init__.py", "raise AssertionError('imported')")
    write(trap, "suite/common/materials.xml")
    cheetah = write(trap, "suite/cheetah.xml", SCENE.format(file="./common/materials.xml"))
    monkeypatch.syspath_prepend(tmp_path)
    source_list, remarks = sources((), {VARIABLE: "", "HOME": "/nowhere", "XDG_CACHE_HOME": "/nowhere"})
    assert remarks == []
    control = next(source for source in source_list if source.key == "dm_control")
    assert [model.path for model in control.models() if not model.part] == [cheetah]
    assert "dm_control" not in sys.modules
    assert package_folder("no_such_package_at_all") is None


def test_model_path_variable_precedes_settings_folders(menagerie, tmp_path):
    own = write(tmp_path / "own", "a.xml").parent
    environment = {VARIABLE: f"{menagerie}:{tmp_path / 'gone'}:{menagerie}", "XDG_CACHE_HOME": "/nowhere"}
    source_list, remarks = sources([str(own), str(menagerie)], environment)
    assert [(source.key, source.own) for source in source_list[:3]] == [("menagerie", False), ("own", True), (BUNDLED, False)]
    assert remarks == [f"{tmp_path / 'gone'}, which {VARIABLE} names, is no folder"]


def test_the_commands_take_names(menagerie, monkeypatch, capsys):
    monkeypatch.setenv(VARIABLE, str(menagerie))
    monkeypatch.setattr(lookup, "stored_folders", list)
    assert main(["compare", "go1", str(menagerie / "unitree_go1/scene.xml"), "--seconds", "0", "--quiet"]) == 0
    assert "the models are the same" in capsys.readouterr().out
    for command in (["check"], []):
        assert main([*command, "go2"]) == 2
        errors = capsys.readouterr().err
        assert "did you mean go1" in errors
        assert len(errors.splitlines()) == 1


def test_what_is_installed_here_is_found(monkeypatch, capsys):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(lookup, "stored_folders", list)
    assert meaning(Path("humanoid")) == GYM[0].with_name("humanoid.xml")
    assert meaning(Path("figure")).name == "figure.xml"
    assert main(["models"]) == 0
    assert str(GYM[0].with_name("ant.xml")) in capsys.readouterr().out
