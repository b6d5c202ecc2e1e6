"""What the reader makes of a model that is right: values, places, sections, includes, files."""

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.test_textures import png
from tests.physics.histories import DELAYED
from tests.physics.scenes import GYM, SMOOTH_SCENE
from tumble.physics.compiler.assets.asset_files import open_file
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.reader import read_path, read_string
from tumble.physics.mjcf.spec import Element, Where
from tumble.physics.mjcf.writer import write
from tumble.physics.model import MjModel


def first(document, *tags: str) -> Element:
    """The first element on a path of tags below the root."""
    element = document.root
    for tag in tags:
        element = next(element.all(tag))
    return element


def geom(written: str) -> Element:
    return first(read_string(f"<mujoco><worldbody><geom {written}/></worldbody></mujoco>"), "worldbody", "geom")


def test_values_have_the_types_of_the_schema():
    g = geom('name="n" type="box" size="1 2 3" group="2" mass="1.5" shellinertia="true" rgba="1 0 0 1"')
    assert (g.get("name"), g.get("type"), g.get("group"), g.get("mass"), g.get("shellinertia")) == ("n", "box", 2, 1.5, True)
    assert isinstance(g.get("group"), int)
    assert isinstance(g.get("mass"), float)
    assert g.get("size").dtype == np.float64
    assert g.get("size").tolist() == [1, 2, 3]
    camera = first(read_string('<mujoco><worldbody><camera output="rgb depth" resolution="3 4"/></worldbody></mujoco>'),
                   "worldbody", "camera")
    assert camera.get("output") == ("rgb", "depth")
    assert camera.get("resolution").dtype == np.int64
    assert not g.has("density")
    assert (g.get("density"), g.get("margin", 7), g.get("fromto"), g.get("fromto", 7)) == (1000, 0, None, 7)
    blank = geom('pos="" mass=" "')
    assert not blank.has("pos")
    assert not blank.has("mass")
    assert (blank.given, geom('size="1"').given) == (frozenset(), {"size"})


@pytest.mark.parametrize(("text", "values"), [
    ("1 2 3", [1, 2, 3]), (" 1\n\t2   3 ", [1, 2, 3]), ("1. .5 +2e-1", [1, 0.5, 0.2]), ("0x10 0x1p-2 -0", [16, 0.25, 0]),
    ("inf -Infinity 1", [np.inf, -np.inf, 1]), ("1E3 1e-400 0", [1000, 0, 0]),
])
def test_numbers_may_be_written_as_for_the_reference(text, values):
    assert geom(f'pos="{text}"').get("pos").tolist() == values


def test_sizes_of_memory_have_suffixes():
    for text, value in (("10M", 10 * 2**20), ("1k", 1024), (" 3G", 3 * 2**30), ("-1", -1), ("7", 7)):
        assert first(read_string(f'<mujoco><size memory="{text}"/></mujoco>'), "size").get("memory") == value


def test_arrays_cannot_be_changed_since_elements_share_them():
    g = geom('pos="1 2 3"')
    for name in ("pos", "quat"):
        with pytest.raises(ValueError, match="read-only"):
            g.get(name)[0] = 9


def test_every_element_knows_its_place():
    document = read_string("<mujoco>\n  <worldbody>\n\n    <geom\n  size='1'/>   <site/></worldbody></mujoco>", name="a/m.xml")
    assert first(document, "worldbody", "geom").where == Where("a/m.xml", 4, 5, 28)
    assert str(first(document, "worldbody", "site").where) == "a/m.xml:5:16"


def test_repeated_settings_add_up_and_the_last_one_holds():
    document = read_string("""<mujoco>
        <option timestep="0.1" o_friction="3 4"><flag contact="disable" limit="disable"/></option>
        <option gravity="1 2 3" o_friction="2"><flag contact="enable"/></option>
        <compiler angle="radian" meshdir="a"/><compiler angle="degree"/>
        <visual><global fovy="3"/></visual><visual><global azimuth="4"/><map force="2"/></visual></mujoco>""")
    option = first(document, "option")
    assert len(list(document.root.all("option"))) == 1
    assert (option.get("timestep"), option.get("gravity").tolist()) == (0.1, [1, 2, 3])
    assert option.get("o_friction").tolist() == [2, 4, 0.005, 0.0001, 0.0001]
    flag = first(document, "option", "flag")
    assert (flag.get("contact"), flag.get("limit"), flag.get("gravity")) == ("enable", "disable", "enable")
    assert (first(document, "compiler").get("angle"), first(document, "compiler").get("meshdir")) == ("degree", "a")
    assert (first(document, "visual", "global").get("fovy"), first(document, "visual", "global").get("azimuth")) == (3, 4)
    assert first(document, "visual", "map").get("force") == 2


def test_repeated_sections_put_their_elements_in_a_row():
    document = read_string("""<mujoco><worldbody><geom name="a"/></worldbody><asset><material name="m"/></asset>
        <worldbody><geom name="b"/></worldbody><asset><material name="n"/></asset></mujoco>""")
    assert [s.tag for s in document.root.children] == ["worldbody", "asset"]
    assert [g.get("name") for g in first(document, "worldbody").all("geom")] == ["a", "b"]
    assert [m.get("name") for m in first(document, "asset").all("material")] == ["m", "n"]


def test_assets_without_a_name_have_that_of_their_file():
    document = read_string('<mujoco><asset><mesh file="d/arm.v2.obj"/><texture name="t" file="x.png"/></asset></mujoco>')
    assert first(document, "asset", "mesh").get("name") == "arm.v2"
    assert first(document, "asset", "texture").get("name") == "t"
    with pytest.raises(MjcfError, match='name "arm" is already the name of a mesh'):
        read_string('<mujoco><asset><mesh file="arm.obj"/><mesh file="d/arm.stl"/></asset></mujoco>')


def test_included_elements_stand_in_the_place_of_the_include():
    document = read_string('<mujoco model="m"><worldbody><geom name="a"/><include file="b.xml"/><geom name="d"/></worldbody>'
                           "</mujoco>",
                           {"b.xml": '<any model="x"><geom name="b"/><include file="c.xml"/></any>',
                            "c.xml": b'<mujocoinclude><geom name="c"/></mujocoinclude>'})
    assert [g.get("name") for g in first(document, "worldbody").children] == ["a", "b", "c", "d"]
    assert document.root.get("model") == "m"
    assert first(document, "worldbody").children[2].where == Where("c.xml", 1, 16, 15)


def test_includes_resolve_from_main_file_then_including_file(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "main.xml").write_text('<mujoco><worldbody><include file="sub/a.xml"/></worldbody></mujoco>')
    (tmp_path / "sub/a.xml").write_text('<mujoco><include file="b.xml"/></mujoco>')
    (tmp_path / "sub/b.xml").write_text('<mujoco><geom name="beside"/></mujoco>')
    document = read_path(tmp_path / "main.xml")
    assert first(document, "worldbody", "geom").get("name") == "beside"
    assert document.sources == [str(tmp_path / "main.xml"), str(tmp_path / "sub/a.xml"), str(tmp_path / "sub/b.xml")]
    (tmp_path / "b.xml").write_text('<mujoco><geom name="main"/></mujoco>')
    assert first(read_path(tmp_path / "main.xml"), "worldbody", "geom").get("name") == "main"


@pytest.mark.parametrize("compiler", ["", '<compiler assetdir="assets"/>', '<compiler strippath="true"/>'])
@pytest.mark.parametrize("places", [["part/assets"], ["main/assets/assets", "main/assets", "part/assets"]])
def test_assets_of_included_files_resolve_as_in_reference(tmp_path, compiler, places):
    for k, place in enumerate(places):
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / "a.png").write_bytes(png(k + 1, k + 1, 3))
    for folder in ("main", "part"):
        (tmp_path / folder).mkdir(exist_ok=True)
    texture = '<asset><texture name="a" type="2d" file="assets/a.png"/></asset>'
    (tmp_path / "part/part.xml").write_text(f"<mujoco>{compiler}{texture}</mujoco>")
    path = tmp_path / "main/main.xml"
    path.write_text('<mujoco><include file="../part/part.xml"/></mujoco>')
    try:
        expected = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        with pytest.raises(MjcfError, match="does not exist"):
            MjModel.from_xml_path(path)
        return
    ours = MjModel.from_xml_path(path)
    assert (ours.tex_width.tolist(), bytes(ours.paths)) == (expected.tex_width.tolist(), bytes(expected.paths))


def test_assets_are_found_by_path_or_name_before_disk(tmp_path):
    document = read_string("<mujoco/>", {"meshes/Arm.obj": b"1", "leg.obj": "2"})
    assert open_file(document, document.root, "Arm.obj", "meshes") == b"1"
    assert open_file(document, document.root, "arm.OBJ", "") == b"1"
    assert open_file(document, document.root, "leg.obj", "meshes") == b"2"
    (tmp_path / "m.xml").write_text('<mujoco><asset><mesh file="a.obj"/></asset></mujoco>')
    (tmp_path / "d").mkdir()
    (tmp_path / "d/a.obj").write_bytes(b"3")
    on_disk = read_path(tmp_path / "m.xml")
    assert open_file(on_disk, on_disk.root, "a.obj", "d") == b"3"
    mesh = first(on_disk, "asset", "mesh")
    with pytest.raises(MjcfError) as caught:
        open_file(on_disk, mesh, "a.obj", "")
    assert str(caught.value).startswith(f'{tmp_path}/m.xml:1:16: <mesh> file "a.obj" does not exist: it is not in {tmp_path}')
    with pytest.raises(MjcfError, match='<mujoco> file "d" is a folder, not a file'):
        open_file(on_disk, on_disk.root, "d", "")


def test_model_may_be_an_asset_and_asset_names_are_unique(tmp_path):
    held = {"robot.xml": b'<mujoco><include file="parts/arm.xml"/></mujoco>',
            "arm.xml": b'<mujoco><worldbody><geom name="arm"/></worldbody></mujoco>'}  # fmt: skip
    for path in ("robot.xml", tmp_path / "nowhere" / "robot.xml"):
        assert first(read_path(path, assets=held), "worldbody", "geom").get("name") == "arm"
    twice = r"^model.xml:1:1: <mujoco> .*Repeated file name in assets: 'a.obj' and 'd/A.OBJ'$"
    with pytest.raises(MjcfError, match=twice):
        read_string("<mujoco/>", {"a.obj": b"1", "d/A.OBJ": b"2"})
    for assets, wrong in ((["a.obj"], "a dict"), ({3: b""}, "the name 3"), ({"a.obj": 3}, "bytes or text, not 3")):
        with pytest.raises(TypeError, match=wrong):
            read_string("<mujoco/>", assets)


def test_text_comments_and_declarations_are_passed_over():
    document = read_string('\ufeff \n<?xml version="1.0" encoding="utf-16"?><!-- a -- b --->'
                           "<mujoco> text <![CDATA[<x>]]><worldbody/></mujoco>")
    assert [s.tag for s in document.root.children] == ["worldbody"]


CLASSES = """<mujoco><default><tendon width="0.02"/><motor gear="3"/><default class="fast"><position kp="7"/></default></default>
  <worldbody><body><joint name="a"/><geom size="0.1"/></body></worldbody>
  <tendon><fixed><joint joint="a" coef="0.1"/></fixed></tendon>
  <actuator><position joint="a" class="fast"/><general joint="a" gainprm="0.3333333333333333 1e-17 -0.0"/></actuator></mujoco>"""


def flat(element: Element) -> list[tuple]:
    """Tag and values of an element and all in it; classes aside, whose names are the writer's."""
    values = {n: v.tolist() if isinstance(v, np.ndarray) else v for n, v in element.attributes.items() if "class" not in n}
    inside = [row for child in element.children if child.tag != "default" for row in flat(child)]
    return [(element.tag, values, len(element.children)), *inside]


@pytest.mark.parametrize("path", GYM, ids=lambda path: path.stem)
def test_the_elements_of_published_models_come_back(path):
    document = read_path(path)
    before = flat(document.root)[1:]
    text = write(document, document.directory)
    again = read_string(text)
    assert [row for row in flat(again.root)[1:] if row[0] != "default"] == before
    assert write(again, "") == text


@pytest.mark.parametrize("text", [SMOOTH_SCENE, CLASSES, DELAYED, "<mujoco/>"])
def test_a_second_writing_changes_nothing(text):
    once = write(read_string(text), "")
    assert write(read_string(once), "") == once


def test_histories_come_back_as_the_same_numbers():
    read, written = (MjModel.from_xml_string(text) for text in (DELAYED, write(read_string(DELAYED), "")))
    for name in ("actuator_history", "actuator_delay", "sensor_history", "sensor_delay", "sensor_interval", "nhistory"):
        np.testing.assert_array_equal(getattr(written, name), getattr(read, name), name)
        assert np.any(getattr(read, name))


def test_any_sign_that_a_name_may_have_comes_back():
    name = "a < b & 'c' \"d\" > \t\n\r é 𝜋 \x7f &amp; ]]> --"
    body = Element("body", read_string("<mujoco/>").root.where)
    body.attributes["name"] = name
    document = read_string("<mujoco><worldbody/></mujoco>")
    document.root.children[0].children.append(body)
    again = read_string(write(document, ""))
    assert again.root.children[0].children[0].attributes["name"] == name


def test_a_model_as_deep_as_is_read_is_written():
    deep = f"<mujoco><worldbody>{'<body>' * 495}{'</body>' * 495}</worldbody></mujoco>"
    lines = write(read_string(deep), "").splitlines()
    assert lines[2 + 494] == "  " * 496 + "<body/>"
