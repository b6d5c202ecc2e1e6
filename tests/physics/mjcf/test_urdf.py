"""URDF files load as the reference loads them, field by field, and a wrong one says where."""

import random
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.parity import assert_equal, differences
from tumble import physics
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.model import MjModel

BALL = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'
APART = '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>'
TETRAHEDRON = b"v 0 0 0\nv 1 .1 0\nv 0 1 0\nv .2 0 1.7\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def link(name: str, inside: str = BALL) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(kind: str, inside: str = "", parent: str = "a", child: str = "b") -> str:
    return f'<joint name="{parent}{child}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(*parts: str) -> str:
    return '<robot name="r">\n' + "\n".join(parts) + "\n</robot>"


def test_the_example_of_the_reference() -> None:
    path = Path(mujoco.__file__).parent / "testdata/model.urdf"
    assert differences(MjModel.from_xml_path(path), mujoco.MjModel.from_xml_path(str(path))) == []


LIMITS = ['<limit lower="-1" upper="2" effort="-30" velocity="5"/>', '<limit upper="1"/>', '<limit lower="1" upper="-1"/>', ""]


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "fixed", "planar"])
def test_joints(kind: str) -> None:
    more = ('<axis xyz="1 2 -3"/><dynamics damping=".5" friction=".2"/>', '<axis xyz="0 0 -1"/><mimic joint="x"/>', "", "")
    names = [*"abcde"]
    hung = [joint(kind, f'<origin xyz="1 2 3" rpy=".1 {i} -.3"/>{limit}{extra}', parent, child)
            for i, (limit, extra, parent, child) in enumerate(zip(LIMITS, more, names, names[1:], strict=False))]  # fmt: skip
    assert_equal(robot(APART, *map(link, names), *hung))


def test_what_moves_freely() -> None:
    free = '<origin xyz="0 0 1" rpy="1 2 3"/><limit lower="-1" upper="1" effort="3"/><dynamics damping="1" friction="2"/>'
    assert_equal(robot(link("world", ""), link("b"), joint("floating", free, "world")))
    assert_equal(robot(APART, link("a"), link("b"), joint("spherical", '<limit lower="0" upper="1"/><dynamics damping="2"/>')))
    assert_equal(robot(link("a"), link("b"), joint("floating", free)))  # on a link that is fused


MATERIALS = robot(
    APART,
    link("a", '<visual><geometry><box size="1 2 3"/></geometry><material name="m"/></visual>' + BALL),
    '<material name="m"><color rgba="1 0 0 1"/><texture filename="t.png"/></material>',
    link("b", f"{BALL}<visual name='v'><geometry><capsule radius='.1' length='2'/></geometry>"
              f"<material name='m'><color rgba='0 1 0 1'/></material></visual>{BALL}"),
    link("c", '<visual><geometry><cylinder radius=".1" length="1"/></geometry><material name="unknown"/></visual>'),
)  # fmt: skip


@pytest.mark.parametrize("compiler", ["", 'discardvisual="false"', 'fusestatic="false"', 'fusestatic="false" angle="degree"'])
def test_looks_and_settings(compiler: str) -> None:
    settings = f'<mujoco><compiler {compiler}/><option timestep=".01"/><size nuserdata="3"/></mujoco>'
    assert_equal(MATERIALS.replace(APART, settings))


def test_inertia() -> None:
    inertia = '<inertia ixx="1" ixy=".1" ixz=".2" iyy="1.1" iyz=".3" izz="1.2"/>'
    turned = f'<inertial><origin xyz="1 2 3" rpy=".1 .2 .3"/><mass value="2"/>{inertia}</inertial>'
    none = f"<inertial><mass value='1'/>{inertia}</inertial>"
    for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"):
        none = none.replace(f'{name}="', f'{name}="0" was_{name}="')
    assert_equal(robot(APART, link("a", turned), link("b", none), link("c", BALL + turned)))


def test_a_fixed_link_is_weighed_where_it_is() -> None:
    """Two equal masses 2 m apart balance half way, however the inertia of one is turned."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy=".1" ixz=".2" iyy="1.1" iyz=".3" izz="1.2"/></inertial>'
    hung = [joint("continuous", parent="z", child="a"), joint("fixed", '<origin xyz="0 2 0"/>')]
    m = MjModel.from_xml_string(robot(link("z"), link("a", inertial), link("b", inertial), *hung))
    np.testing.assert_allclose(m.body_ipos[1], (0, 1, 0), atol=1e-12)
    assert m.body_mass[1] == 2


def generated(seed: int) -> str:
    """A tree of links with joints of all kinds, written in any order."""
    r = random.Random(seed)
    names = [f"l{i}" for i in range(r.randint(2, 8))]

    def numbers(n: int, low: float = -1.0, high: float = 1.0) -> str:
        return " ".join(f"{r.uniform(low, high):.4g}" for _ in range(n))

    def shape(tag: str) -> str:
        forms = (f'box size="{numbers(3, 0.1)}"', f'cylinder radius="{numbers(1, 0.1)}" length="{numbers(1, 0.1)}"',
                 f'sphere radius="{numbers(1, 0.1)}"', 'mesh filename="package://p/meshes/t.obj" scale="1 2 1"')  # fmt: skip
        return f'<{tag}><origin xyz="{numbers(3)}" rpy="{numbers(3, -3, 3)}"/><geometry><{r.choice(forms)}/></geometry></{tag}>'

    parts = [link(name, shape("collision") + shape(r.choice(("visual", "collision")))) for name in names]
    for i, name in enumerate(names[1:], 1):
        kind = r.choice(("revolute", "continuous", "prismatic", "fixed", "planar"))
        limit = f'<limit lower="{numbers(1, -2, 0)}" upper="{numbers(1, 0, 2)}" effort="{numbers(1, 0, 9)}"/>'
        inside = f'<origin xyz="{numbers(3)}" rpy="{numbers(3, -3, 3)}"/><axis xyz="{numbers(3)}"/>{limit}'
        parts.append(joint(kind, inside, r.choice(names[:i]), name))
    r.shuffle(parts)
    return robot(f'<mujoco><compiler fusestatic="false" discardvisual="{r.choice(("true", "false"))}"/></mujoco>', *parts)


@pytest.mark.parametrize("seed", range(12))
def test_random_robots(seed: int, tmp_path: Path) -> None:
    (tmp_path / "t.obj").write_bytes(TETRAHEDRON)
    path = tmp_path / "r.urdf"
    path.write_text(generated(seed))
    lines = differences(MjModel.from_xml_path(path), mujoco.MjModel.from_xml_path(str(path)))
    assert [line for line in lines if not line.startswith(("mesh_graph", "mesh_poly", "nmeshpoly", "mesh_normal"))] == []


def test_urdf_meshes_resolve_by_package_with_separate_scales(tmp_path: Path) -> None:
    for folder in ("arm/meshes", "arm/urdf", "other"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "arm/meshes/t.obj").write_bytes(TETRAHEDRON)
    (tmp_path / "other/t.obj").write_bytes(TETRAHEDRON.replace(b"1.7", b"2.7"))
    names = ("package://arm/meshes/t.obj", "../meshes/t.obj", "package://other/t.obj", f"file://{tmp_path}/other/t.obj")
    shapes = [f'<collision><geometry><mesh filename="{name}" scale="1 1 {scale}"/></geometry></collision>'
              for name in names for scale in (1, 2)]  # fmt: skip
    path = tmp_path / "arm/urdf/arm.urdf"
    path.write_text(robot(link("a", "".join(shapes))))
    m = MjModel.from_xml_path(path)
    heights = np.ptp(m.mesh_vert[m.mesh_vertadr[0] : m.mesh_vertadr[0] + 4], axis=0)
    assert m.nmesh == 4  # each file at each scale, by whichever path
    assert heights.max() > 1
    assert len({round(float(size), 6) for size in m.geom_rbound}) == 4


@pytest.mark.parametrize("kind", ["dae", "glb"])
def test_meshes_of_scenes(kind: str) -> None:
    trimesh = pytest.importorskip("trimesh")
    box = trimesh.creation.box((1, 2, 3))
    data = box.export(file_type="dae") if kind == "dae" else trimesh.Scene(box).export(file_type="glb")
    if kind == "dae":
        data = data.replace(b"<up_axis>", b'<unit meter="0.01"/><up_axis>')
    text = robot(link("a", f'<collision><geometry><mesh filename="package://p/box.{kind}"/></geometry></collision>'))
    m = MjModel.from_xml_string(text, {f"box.{kind}": data})
    np.testing.assert_allclose(sorted(m.geom_size[0]), np.array([0.5, 1, 1.5]) * (0.01 if kind == "dae" else 1), rtol=1e-6)
    with pytest.raises(MjcfError, match=rf"<mesh> file \"box.{kind}\" cannot be read"):
        MjModel.from_xml_string(text, {f"box.{kind}": b"<nothing/>"})


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "trimesh", None)
    text = robot(link("a", '<collision><geometry><mesh filename="box.dae"/></geometry></collision>'))
    with pytest.raises(MjcfError, match=r"needs trimesh, which is not installed: pip install 'tumble\[urdf\]'"):
        MjModel.from_xml_string(text, {"box.dae": b"<COLLADA/>"})


WRONG = {
    robot(link("a"), link("a")): '3:1: <link> name "a" is already the name of the link at r.urdf:2:1',
    robot(link("a"), link("b"), joint("hinge")): '4:1: <joint> type "hinge" is not valid; valid: revolute, continuous, prismatic',
    robot(link("a"), link("b"), joint("fixed", child="c")): '4:49: <child> link "c" is not a link; valid: a, b',
    robot(link("a"), link("b"), joint("fixed"), joint("planar")): '5:1: <joint> hangs the link "b", which the joint at r.urdf:4',
    robot(link("a"), link("b"), joint("fixed"), joint("fixed", "", "b", "a")): "5:1: <joint> hangs the link",
    robot(link("a"), link("world"), joint("continuous", child="world")): '4:1: <joint> moves the link "world"',
    robot(link("a", "<collision><geometry/></collision>")): "2:27: <geometry> has no shape; valid: <box>, <cylinder>",
    robot(link("a", "<inertial/>")): "2:16: <inertial> needs a <mass>",
    robot(link("a"), link("b"), joint("planar", '<axis xyz="0 0 0"/>')): "4:67: <axis> needs a direction",
    robot(link("a"), link("b"), joint("fixed", '<origin xyz="1 2"/>')): "4:66: <origin> xyz needs 3 numbers, has 2",
    robot("<link/>"): "2:1: <link> needs the attribute name",
    robot("<mujoco><compiler/></mujoco>", "<mujoco/>"): "3:1: <mujoco> is a second one in <robot>",
    robot('<mujoco><compiler fusestatic="maybe"/></mujoco>'): '2:9: <compiler> fusestatic "maybe" is not valid',
    robot(link("a", '<collision><geometry><mesh filename="x/"/></geometry></collision>')): '2:37: <mesh> filename "x/" names',
    robot(*(link(f"l{i}") for i in range(600)), *(joint("fixed", "", f"l{i}", f"l{i + 1}") for i in range(599))): "too deeply",
}


@pytest.mark.parametrize("text", WRONG, ids=list(WRONG.values()))
def test_a_wrong_file_says_where(text: str, tmp_path: Path) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(text)
    with pytest.raises(MjcfError) as caught:
        MjModel.from_xml_path(path)
    assert WRONG[text] in str(caught.value).replace(str(tmp_path) + "/", "")


def test_what_is_left_out_is_noted() -> None:
    m = MjModel.from_xml_string(robot('<mujoco><compiler fusestatics="false"/><visual/></mujoco>', link("a", BALL)))
    assert [note.partition(": ")[2].partition(":")[0] for note in m.notes] == [
        '<compiler> has no attribute "fusestatics"', "<visual> is not read inside of <robot>",
    ]  # fmt: skip


def test_it_is_attached_like_any_other_model(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(robot(link("a"), link("b"), joint("revolute", '<limit lower="-1" upper="1"/>')))
    attached = '<asset><model name="r" file="arm.urdf"/></asset><worldbody><attach model="r" body="b" prefix="x_"/></worldbody>'
    path = tmp_path / "scene.xml"
    path.write_text(f"<mujoco>{attached}</mujoco>")
    assert differences(MjModel.from_xml_path(path), mujoco.MjModel.from_xml_path(str(path))) == []
    assert read_path(path).format == "MJCF"
    assert physics.mju_getXMLDependencies(str(path))[1].endswith("arm.urdf")


GRIPPER = robot(
    *map(link, "abcd"),
    joint("prismatic", '<axis xyz="0 1 0"/><limit lower="0" upper="0.5" effort="20"/>'),
    joint("prismatic", '<axis xyz="0 -1 0"/><mimic joint="ab" multiplier="0.5" offset="0.1"/>', child="c"),
    joint("fixed", child="d"),
    """<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
    <joint name="ab"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>
    <actuator name="drive"><mechanicalReduction> 50 </mechanicalReduction></actuator></transmission>""",
)


def test_a_finger_that_mimics_another_follows_it_as_the_file_says() -> None:
    m = MjModel.from_xml_string(GRIPPER)
    m.opt.gravity = 0
    m.opt.disableflags |= physics.mjtDisableBit.mjDSBL_CONTACT  # the balls begin in one place
    d = physics.MjData(m)
    d.ctrl = 0.4
    physics.mj_step(m, d, 2000)
    leader, follower = d.joint("ab").qpos[0], d.joint("ac").qpos[0]
    assert leader > 0.4
    assert follower == pytest.approx(0.1 + 0.5 * leader, abs=0.01)


def test_a_transmission_is_a_motor_whose_force_is_that_before_the_reduction() -> None:
    m = MjModel.from_xml_string(GRIPPER)
    assert m.actuator(0).name == "drive"
    np.testing.assert_allclose(m.actuator_gear[0], (50, 0, 0, 0, 0, 0))
    np.testing.assert_allclose(m.actuator_ctrlrange[0], (-0.4, 0.4))  # 20 N behind the reduction
    assert m.actuator_ctrllimited[0]
    d = physics.MjData(m)
    d.ctrl = 0.2
    physics.mj_forward(m, d)
    assert d.qfrc_actuator[m.joint("ab").dofadr[0]] == pytest.approx(10)


def test_joints_with_command_interfaces_are_driven_once() -> None:
    driven = '<joint name="ab"><command_interface name="position"/><state_interface name="position"/></joint>'
    seen = '<joint name="ac"><state_interface name="position"/></joint>'
    control = f'<ros2_control name="system" type="system">{driven}{seen}</ros2_control>'
    m = MjModel.from_xml_string(GRIPPER.replace("</robot>", control + "</robot>"))
    assert (m.nu, m.notes) == (1, ())
    m = MjModel.from_xml_string(robot(*map(link, "ab"), joint("revolute"), control))
    assert [m.actuator(k).name for k in range(m.nu)] == ["ab"]


LEFT_OUT = {
    '<mimic joint="x"/>': 'joint "x" is no other joint; valid: ',
    '<mimic joint="ab"/>': 'joint "ab" is no other joint',
    '<mimic joint="ac" multiplier="two"/>': "has a multiplier or offset that is no number",
    '<mimic joint="ad"/>': 'joint "ad" has no single dof',
}


@pytest.mark.parametrize("mimic", LEFT_OUT)
def test_mimicry_that_cannot_be_followed_is_noted(mimic: str) -> None:
    text = robot(*map(link, "abcd"), joint("revolute", mimic), joint("revolute", child="c"), joint("planar", child="d"))
    m = MjModel.from_xml_string(text)
    assert m.neq == 0
    assert LEFT_OUT[mimic] in m.notes[0]
    assert "6:" in m.notes[0]


def test_transmissions_of_other_kinds_are_noted() -> None:
    text = GRIPPER.replace("SimpleTransmission", "DifferentialTransmission")
    m = MjModel.from_xml_string(text)
    assert m.nu == 0
    assert "is no simple one" in m.notes[0]
    m = MjModel.from_xml_string(GRIPPER.replace(" 50 ", "fast"))
    assert m.actuator_gear[0, 0] == 1
    assert '"fast" is no reduction' in m.notes[0]
