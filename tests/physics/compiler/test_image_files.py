"""Height fields, skins and textures whose files are not there, not files, or named in any script."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.physics.compiler.test_hfields import ASSETS
from tests.physics.compiler.test_skins import WHOLE, binary
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel

KINDS = {
    "hfield": ('<hfield name="n" size="1 1 1 1" file="FILE"/>', ".png", ASSETS["grey.png"]),
    "skin": ('<skin name="n" file="FILE"/>', ".skn", binary(WHOLE)),
    "texture": ('<texture name="n" type="2d" file="FILE"/>', ".png", ASSETS["grey.png"]),
}  # fmt: skip


def write(folder: Path, kind: str, file: str) -> Path:
    element = KINDS[kind][0].replace("FILE", file)
    model = folder / "m.xml"
    world = '<worldbody><body name="a"/></worldbody>'
    model.write_text(f'<mujoco><compiler assetdir="all things"/><asset>\n{element}</asset>{world}</mujoco>')
    return model


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_file_is_told_with_its_folder_and_the_likeliest_name(kind: str, tmp_path: Path) -> None:
    _, ending, data = KINDS[kind]
    (tmp_path / "all things").mkdir()
    (tmp_path / "all things" / f"Hügel 1{ending}").write_bytes(data)
    with pytest.raises(MjcfError) as error:
        MjModel.from_xml_path(write(tmp_path, kind, f"Hugel 1{ending}"))
    assert str(error.value).startswith(f'{tmp_path / "m.xml"}:2:1: <{kind}> file "Hugel 1{ending}" does not exist')
    assert f'it is not in {tmp_path / "all things"}; did you mean "Hügel 1{ending}"?' in str(error.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["a b", "地形", "Ü\u0301ber", "x;y&amp;z", "a.b.c"])
def test_names_with_spaces_and_in_any_script(name: str, kind: str, tmp_path: Path) -> None:
    _, ending, data = KINDS[kind]
    folder = tmp_path / "all things" / "sub folder"
    folder.mkdir(parents=True)
    (folder / (name.replace("&amp;", "&") + ending)).write_bytes(data)
    for between in ("/", "\\"):
        assert MjModel.from_xml_path(write(tmp_path, kind, f"sub folder{between}{name}{ending}")).npaths > 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("file", "says"), [("..", "is a folder"), ("/dev/zero", "is a device")])
def test_what_is_no_file_is_not_opened(file: str, says: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "all things").mkdir()
    with pytest.raises(MjcfError, match=says):
        MjModel.from_xml_path(write(tmp_path, kind, file))
