"""Models in archives: which member is opened, how errors name it, and that no archive does harm."""

import logging
import re
import warnings
import zipfile
from pathlib import Path

import mujoco
import pytest

from tests.physics.scenes import GYM
from tumble.app.library import archive as archives
from tumble.app.library import unpack
from tumble.app.library.archive import choose, on_disk, short, split
from tumble.app.session.loader import LoadError, read_compiled

BALL = '<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'
SCENE = '<mujoco><include file="ball.xml"/><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>'


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setattr(unpack, "cache_folder", lambda: tmp_path / "cache")


def packed(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    ("names", "archive", "wanted", "chosen"),
    [
        (["robot/go1.xml", "robot/scene.xml"], "a.zip", "", "robot/scene.xml"),
        (["parts/a.xml", "parts/b.xml", "hand.xml"], "a.zip", "", "hand.xml"),
        (["go1.xml", "go2.xml"], "go2.zip", "", "go2.xml"),
        (["go1.xml", "scene.xml"], "go1.mjz", "", "go1.xml"),
        (["go1/go1.xml", "scene.xml"], "go1.mjz", "", "go1/go1.xml"),
        (["model.xml", "scene.xml"], "a.mjz", "", "model.xml"),
        (["humanoid.xml"], "a.mjz", "", "humanoid.xml"),
        (["robot/go1.xml", "robot/scene.xml"], "a.zip", "go1", "robot/go1.xml"),
        (["robot/go1.xml", "go1.xml"], "a.zip", "go1.xml", "go1.xml"),
    ],
)
def test_the_model_of_an_archive_is_told_by_its_place_and_name(names, archive, wanted, chosen):
    assert choose(Path(archive), names, wanted) == chosen


@pytest.mark.parametrize(
    ("names", "wanted", "says"),
    [
        ([], "", "holds no model"),
        (["a.xml", "b.xml"], "", r"holds 2 models: a.xml, b.xml; name one, as in x.zip:a.xml"),
        (["a/scene.xml", "b/scene.xml"], "", "holds 2 models"),
        (["a/scene.xml", "b/scene.xml"], "scene", "may be a/scene.xml, b/scene.xml"),
        (["hopper.xml"], "hoper.xml", 'did you mean "hopper.xml"'),
    ],
)
def test_where_it_cannot_be_told_the_models_are_listed(names, wanted, says):
    with pytest.raises(LoadError, match=says):
        choose(Path("x.zip"), names, wanted)


def test_a_path_names_an_archive_and_a_member(tmp_path, monkeypatch):
    assert split(Path("C:/robots/go1.ZIP:a/scene.xml")) == (Path("C:/robots/go1.ZIP"), "a/scene.xml")
    assert split(Path("go1.mjz")) == (Path("go1.mjz"), "")
    assert split(Path("go1.xml")) is None
    assert short(Path("/home/me/go1.zip:a/scene.xml")) == "go1.zip:a/scene.xml"
    assert on_disk(Path("/home/me/go1.zip:a/scene.xml")) == Path("/home/me/go1.zip")
    monkeypatch.chdir(tmp_path)
    Path("odd.zip:name.xml").write_text(BALL)
    assert split(Path("odd.zip:name.xml")) is None  # a file of that very name


def test_archive_is_unpacked_once_and_restored_if_damaged(tmp_path):
    path = packed(tmp_path / "toy.zip", {"toy\\scene.xml": SCENE, "toy/": "", "toy/ball.xml": BALL, "__MACOSX/toy/._x.xml": "?"})
    file = unpack.file_of(path)
    assert read_compiled(file).model.nv == 6
    assert unpack.as_named(file) == Path(f"{path}:toy/scene.xml")
    before = file.stat().st_mtime_ns
    assert unpack.file_of(Path(f"{path}:ball")) == file.with_name("ball.xml")
    assert file.stat().st_mtime_ns == before
    file.with_name("ball.xml").unlink()
    assert read_compiled(unpack.file_of(path)).model.nv == 6
    moved = path.rename(tmp_path / "moved.zip")
    assert unpack.as_named(unpack.file_of(moved)) == Path(f"{moved}:toy/scene.xml")
    assert len(list(unpack.root().iterdir())) == 1


def test_what_the_reference_packs_is_opened(tmp_path):
    spec = mujoco.MjSpec.from_file(str(GYM[0].with_name("half_cheetah.xml")))
    with (tmp_path / "any.mjz").open("wb") as file:
        spec.to_zip(file)
    assert read_compiled(unpack.file_of(tmp_path / "any.mjz")).model.nv == 9


def test_errors_name_the_archive_and_the_member_and_no_file_outside_is_read(tmp_path):
    (tmp_path / "secret.xml").write_text(BALL)
    for text, says in (
        ("<mujoco>\n<wordlbody/></mujoco>", r"bad\.zip:a/bad\.xml:2:1: <wordlbody>"),
        (f'<mujoco><include file="{tmp_path / "secret.xml"}"/></mujoco>', "lies outside of the archive"),
    ):
        with pytest.raises(LoadError) as caught:
            read_compiled(unpack.file_of(packed(tmp_path / "bad.zip", {"a/bad.xml": text})))
        assert re.search(says, unpack.in_words(str(caught.value)))


def with_flag(data):
    """As if a password were needed."""
    local, central = data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8
    return bytes(byte | 1 if k in (local, central) else byte for k, byte in enumerate(data))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda data: b"", "is empty"),
        (lambda data: b"<mujoco/>", "is not a zip archive"),
        (lambda data: data[:-30], "is damaged or cut short"),
        (lambda data: data.replace(b"freejoint", b"freejoinx"), "is damaged or cut short: Bad CRC-32"),
        (with_flag, "ball.xml is encrypted"),
        (lambda data: data.replace(b"ball.xml", b"../b.xml"), "points outside the archive"),
        (lambda data: data.replace(b"ball.xml", b"..\\b.xml"), "points outside the archive"),
        (lambda data: data.replace(b"ball.xml", b"/tmp/b.x"), "points outside the archive"),
        (lambda data: data.replace(b"ball.xml", b"C:\\b.xml"), "points outside the archive"),
        (lambda data: data.replace(b"ball.xml", b"ball.txt"), "holds no model"),
    ],
)
def test_a_bad_archive_is_one_clear_line_and_leaves_nothing(tmp_path, damage, says):
    path = packed(tmp_path / "bad.zip", {"ball.xml": BALL})
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(LoadError, match=says) as caught:
        unpack.file_of(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    assert not [left for left in (tmp_path / "cache").rglob("*") if left.is_file()]


def test_too_much_twice_the_same_and_links_are_not_unpacked(tmp_path, monkeypatch):
    with warnings.catch_warnings(), zipfile.ZipFile(tmp_path / "twice.zip", "w") as archive:
        warnings.simplefilter("ignore")  # Python warns that the name is there already
        archive.writestr("ball.xml", BALL)
        archive.writestr("ball.xml", BALL)
    with pytest.raises(LoadError, match=r"holds ball.xml twice"):
        unpack.file_of(tmp_path / "twice.zip")
    with pytest.raises(LoadError, match="both a file and a folder"):
        unpack.file_of(packed(tmp_path / "both.zip", {"a": "", "a/ball.xml": BALL}))
    link = zipfile.ZipInfo("passwd")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        archive.writestr("ball.xml", BALL)
        archive.writestr(link, "/etc/passwd")
    assert [file.name for file in unpack.file_of(tmp_path / "link.zip").parent.iterdir()] == ["ball.xml"]
    monkeypatch.setattr(archives, "MOST_BYTES", 1000)
    with pytest.raises(LoadError, match="at most"):
        unpack.file_of(packed(tmp_path / "bomb.zip", {"ball.xml": BALL, "zeros": "0" * 1000}))


def test_where_nothing_can_be_written_it_is_said(tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("no folder")
    with pytest.raises(LoadError, match="cannot be unpacked into"):
        unpack.file_of(packed(tmp_path / "ball.zip", {"ball.xml": BALL}))


def test_old_archives_are_forgotten(tmp_path, monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(unpack, "MOST_KEPT", 1)
    first = unpack.file_of(packed(tmp_path / "first.zip", {"ball.xml": BALL}))
    second = unpack.file_of(packed(tmp_path / "second.zip", {"ball.xml": BALL + " "}))
    assert (first.exists(), second.exists()) == (False, True)
