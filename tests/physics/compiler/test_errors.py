"""What cannot be compiled is told at its place, with what is valid; no file crashes or exhausts the compiler."""

from pathlib import Path

import pytest

from tests.physics.compiler.mesh.shapes import lumpy, stl
from tests.physics.compiler.parity import refused
from tests.physics.compiler.test_hfields import ASSETS
from tests.physics.compiler.test_skins import WHOLE, binary
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel

BODY = '<geom size=".1"/>'
JOINT = f'<body><joint name="k"/>{BODY}</body>'
NAMED = '<geom name="g" size="1"/><body name="b"><joint/><geom name="h" size="1"/><site name="s"/></body>'


def scene(inside: str = "", after: str = "", before: str = "") -> str:
    """A model whose last line is `inside`, or what comes after the bodies where there is any."""
    return f"<mujoco>{before}<worldbody>\n{inside}\n</worldbody>\n{after}</mujoco>" if after else \
        f"<mujoco>{before}<worldbody>\n{inside}</worldbody></mujoco>"  # fmt: skip


# Names that would count as the last of their kind, or lead kernels before the first.
BLANK = [
    ('<contact><pair geom1="g" geom2=""/></contact>', "<pair> geom2 is empty: it needs the name of a geom"),
    ('<contact><exclude body1="" body2="b"/></contact>', "<exclude> body1 is empty: it needs the name of a body"),
    ('<tendon><fixed armature="1"><joint joint="" coef="1"/></fixed></tendon>', "<joint> joint is empty"),
    ('<tendon><spatial><site site="s"/><site site=""/></spatial></tendon>', "<site> site is empty"),
    ('<tendon><spatial><site site="s"/><geom geom=""/><site site="s"/></spatial></tendon>', "<geom> geom is empty"),
    ('<sensor><touch site=""/></sensor>', "<touch> site is empty: it needs the name of a site"),
    ('<sensor><jointpos joint=""/></sensor>', "<jointpos> joint is empty"),
]  # fmt: skip


IN_BODIES = [
    ('<body name="a"><joint/></body>', "2:1: <body> moves but has neither mass nor inertia"),
    (f'<body><joint/><body><joint/>{BODY}</body></body>', "2:1: <body> moves but has neither mass nor inertia"),
    ('<geom type="box" size="1 1"/>', "2:1: <geom> size of a box must be positive (three half lengths), is 1 1 0"),
    ('<geom size="0"/>', "2:1: <geom> size of a sphere must be positive (radius), is 0"),
    ('<geom type="plane" size="1 1 0"/>', "<geom> size of a plane must be positive"),
    ('<body><geom size="1" mass="-1"/></body>', "<geom> mass and density must not be negative"),
    ('<geom size="1e200"/>', "<geom> size must be at most 1e+30 in size, has 1e+200"),
    ('<geom size="1" condim="2"/>', "<geom> condim must be 1, 3, 4 or 6, is 2"),
    ('<geom size="1" fromto="0 0 0 1 1 1"/>', "<geom> fromto needs a capsule, cylinder, box or ellipsoid, not a sphere"),
    ('<geom type="capsule" size="1" fromto="1 1 1 1 1 1"/>', "<geom> fromto needs two different points"),
    ('<geom type="capsule" size="1" pos="1 1 1" fromto="0 0 0 1 1 1"/>', "<geom> has both fromto and pos"),
    ('<geom size="1" quat="0 0 0 0"/>', "<geom> quat must not be all zeros"),
    ('<geom size="1" xyaxes="1 0 0 2 0 0"/>', "<geom> xyaxes needs two different directions"),
    ('<site type="plane" size="1 1 1"/>', "<site> a site cannot be a plane; there are: sphere"),
    ('<geom type="mesh"/>', "<geom> of type mesh needs the attribute mesh, the name of a mesh"),
    ('<geom size="1" type="sdf"/>', '<geom> of type sdf needs the attribute mesh'),
    (f'<body><joint/>{BODY}<geom type="plane" size="1 1 1"/></body>', "<geom> a plane cannot move"),
    (f'<body><body><freejoint/>{BODY}</body></body>', "<freejoint> a free joint needs a body that is a child of the world"),
    (f'<body><freejoint/><joint/>{BODY}</body>', "<body> has 7 degrees of freedom in its joints, 6 are the most"),
    (f'<body><joint type="ball"/><joint/>{BODY}</body>', "<joint> a ball joint must be the last rotation"),
    (f'<body><joint axis="0 0 0"/>{BODY}</body>', "<joint> axis needs a direction, is all zeros"),
    (f'<body><joint limited="true"/>{BODY}</body>',
    '<joint> limited="true" needs a range whose first number is the smaller: none'),
    (f'<body><joint type="ball" range="1 2"/>{BODY}</body>', "<joint> range of a ball joint must start at 0, starts at 1"),
    (f'<body><joint/><joint/>{BODY}</body>', "<joint> moves its body as another joint does already"),
    (f'<body><joint springdamper="1 -1"/>{BODY}</body>', "<joint> springdamper needs two positive numbers"),
    ('<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 5"/></body>', "<inertial> no body has the principal inertias 1 1 5"),
    ('<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 .9 .8 -.9"/></body>',
    "<inertial> fullinertia must be positive definite"),
    ('<body><body mocap="true"/></body>', "<body> mocap needs a child of the world without joints"),
    ('<body sleep="never"/>', "<body> sleep can be set on a body that moves against the world alone"),
    ('<camera fovy="200"/>', "<camera> fovy must be between 0 and 180 degrees, is 200"),
    ('<camera focal="1 1"/>', "<camera> focal and principal need"),
    ('<site type="mesh" size="1 1 1"/>', "<site> a site cannot be a mesh"),
    ('<light dir="0 0 0"/>', "<light> dir needs a direction"),
    ('<body><composite type="cable" count="3 1 1"/></body>', "<composite> needs a geom of type capsule, cylinder, box"),
]  # fmt: skip


AFTER_BODIES = [
    ('<actuator><motor joint="kne"/></actuator>', '<motor> joint "kne" is not a joint; valid: k'),
    ("<actuator><motor/></actuator>", "<motor> acts on nothing: give it one of joint, jointinparent, tendon"),
    ('<actuator><motor joint="k" ctrllimited="true"/></actuator>', '<motor> ctrllimited="true" needs a ctrlrange'),
    ('<actuator><position joint="k" kv="1" dampratio="2"/></actuator>', "<position> has both kv and dampratio"),
    ('<actuator><position joint="k" inheritrange="1"/></actuator>', "<position> inheritrange finds no range"),
    ('<actuator><general joint="k" actdim="2"/></actuator>', "<general> actdim must be 0 to 0 with dyntype none, is 2"),
    ('<actuator><general joint="k" actrange="0 1"/></actuator>', "<general> actrange limits an activation"),
    ('<actuator><motor joint="k" delay="1"/></actuator>', "<motor> delay needs a history: give it nsample"),
    ('<actuator><motor joint="k" delay="1" nsample="-1"/></actuator>', "<motor> delay needs a history: give it nsample"),
    ('<actuator><motor joint="k" nsample="16777217"/></actuator>', "<motor> nsample must be at most 16777216, is 16777217"),
    ('<sensor><jointpos joint="k" delay="1"/></sensor>', "<jointpos> delay needs a history: give it nsample"),
    ('<sensor><clock interval="-1"/></sensor>', "<clock> interval must not be negative, is -1"),
    ('<sensor><clock nsample="2" interval="1 .5"/></sensor>', "<clock> the phase of interval must not be positive, is 0.5"),
    ('<sensor><clock nsample="2" interval="1 -1"/></sensor>', "<clock> the phase of interval must be greater than -1, is -1"),
    ('<sensor><rangefinder camera="c" nsample="16777216"/></sensor><worldbody><camera name="c" resolution="9 9"/></worldbody>',
     "<rangefinder> nsample brings the histories of all signals to"),
    ('<actuator><muscle joint="k"/></actuator>', "<muscle> comes to no rest when it is pulled at"),
    ('<actuator><muscle joint="k" lengthrange="0 1" vmax="0"/></actuator>', "scale, vmax, fpmax and fvmax of a muscle must be"),
    ('<actuator><cylinder joint="k" timeconst="-1"/></actuator>', "<cylinder> timeconst must not be negative, is -1"),
    ('<actuator><damper joint="k" ctrlrange="-1 1"/></actuator>', "<damper> ctrlrange of a damper or an adhesion"),
    ("<tendon><fixed/></tendon>", "<fixed> is made of nothing"),
    ('<tendon><fixed springlength="2 1"><joint joint="k" coef="1"/></fixed></tendon>', "<fixed> springlength is reversed"),
    ('<sensor><jointlimitpos joint="k"/></sensor>', "<jointlimitpos> needs a joint with limits"),
    ('<sensor><ballquat joint="k"/></sensor>', "<ballquat> needs a ball joint"),
    ('<sensor><user dim="2000000000"/></sensor>', "<user> gives 2000000000 numbers"),
    ('<sensor><contact num="0"/></sensor>', "<contact> num must be positive"),
    ('<sensor><user dim="2" datatype="axis"/></sensor>', "<user> dim must be 3"), ("<keyframe><key qpos='1 2'/></keyframe>",
    "<key> qpos needs 1"),
    ('<custom><numeric name="n" size="501"/></custom>', "<numeric> size must be 1 to 500, is 501"),
    ('<custom><tuple name="n"/></custom>', "<tuple> is empty"),
]  # fmt: skip


BEFORE_BODIES = [
    ('<compiler coordinate="global"/>', 'coordinate="global" is no longer valid'), ('<option timestep="0"/>',
    "timestep must be positive"),
    ('<option actuatorgroupdisable="40"/>', "actuatorgroupdisable takes groups 0 to 30"), ('<size nkey="2000000000"/>',
    "nkey must be at most"),
    ('<size nuser_geom="1000000000"/>', "nuser_geom must be -1 (as needed) to 10000"), ('<size nuserdata="2000000000"/>',
    "nuserdata must be"),
    ('<statistic extent="0"/>', "extent must be positive"), ('<visual><map znear="0"/></visual>', "znear must be positive"),
    ('<visual><global realtime="0"/></visual>', "realtime must be positive"),
    ('<asset><mesh name="m" file="a.stl"/></asset>', '<mesh> file "a.stl" does not exist'),
    ('<asset><hfield name="h" size="1 1 1 1"/></asset>', "<hfield>"),
]  # fmt: skip


@pytest.mark.parametrize(("xml", "place", "says"), [
    *((scene(inside), r"2:\d+: <", says) for inside, says in IN_BODIES),
    *((scene(JOINT, after), r"4:\d+: <", says) for after, says in AFTER_BODIES),
    *((scene(NAMED, after), "4:", says) for after, says in BLANK),
    *((scene(JOINT, before=before), "1:", says) for before, says in BEFORE_BODIES),
    (scene(f'<body><joint range="1 2"/>{BODY}</body>', before='<compiler autolimits="false"/>'), r"2:\d+: <",
     'has range but not limited: write limited="true"'),
])  # fmt: skip
def test_what_cannot_be_is_told_at_its_place(xml: str, place: str, says: str) -> None:
    refused(xml, says, place=rf"^model\.xml:{place}")


VERTICES, FACES = lumpy()
KINDS = {
    "mesh": ('<mesh name="n" file="FILE"/>', ".stl", stl(VERTICES[FACES])),
    "hfield": ('<hfield name="n" size="1 1 1 1" file="FILE"/>', ".png", ASSETS["grey.png"]),
    "skin": ('<skin name="n" file="FILE"/>', ".skn", binary(WHOLE)),
    "texture": ('<texture name="n" type="2d" file="FILE"/>', ".png", ASSETS["grey.png"]),
}  # fmt: skip


def write(folder: Path, kind: str, file: str) -> Path:
    element = KINDS[kind][0].replace("FILE", file)
    model = folder / "m.xml"
    world, folders = '<worldbody><body name="a"/></worldbody>', 'meshdir="all things" texturedir="all things"'
    model.write_text(f"<mujoco><compiler {folders}/><asset>\n{element}</asset>{world}</mujoco>")
    return model


@pytest.mark.parametrize("kind", KINDS)
def test_missing_asset_file_error_suggests_the_closest_name(kind: str, tmp_path: Path) -> None:
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
