"""<model> and <attach>: parts of other models, each read as its own file says, equal to the reference; and what carries them."""

import random
import time
from pathlib import Path

import mujoco
import pytest

from tests.physics.compiler.parity import assert_equal, differences
from tumble.physics.compiler.compose import compose
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.model import MjModel

CHILD = """<mujoco model="child"><compiler angle="radian" eulerseq="zyx" boundmass="9"/><option timestep="0.123"/>
<default><geom size=".2"/><default class="c"><geom size=".3"/><joint damping="4"/><position kp="7"/></default></default>
<custom><numeric name="num" data="1 2"/><text name="tx" data="hello"/>
  <tuple name="tu"><element objtype="body" objname="b"/></tuple></custom>
<asset><material name="unused"/><texture name="T" type="2d" builtin="flat" width="1" height="1"/>
  <material name="mat" texture="T"/></asset>
<worldbody><geom name="floor" type="plane" size="1 1 1"/><light name="sun" mode="targetbody" target="a"/><camera name="cam"/>
<frame pos="3 0 0"><body name="a" euler="0 0 1" childclass="c"><joint name="ja" range="-1 1"/><geom name="ga" material="mat"/>
  <site name="sa"/><body name="b" pos="0 0 1"><joint name="jb"/><geom name="gb"/><site name="sb"/></body></body></frame>
<body name="z" pos="0 1 0"><freejoint name="jz"/><geom name="gz"/><site name="sz"/></body></worldbody>
<contact><pair name="p1" geom1="ga" geom2="gb"/><pair name="p2" geom1="ga" geom2="gz"/><exclude name="e1" body1="a" body2="b"/>
  <exclude name="e2" body1="a" body2="z"/><exclude name="e3" body1="world" body2="a"/></contact>
<equality><weld name="w1" body1="a" body2="z"/><connect name="cc" body1="b" anchor="0 0 0"/>
  <joint name="eja" joint1="ja" joint2="jb"/><weld name="w2" body1="b" body2="world"/></equality>
<tendon><fixed name="t1"><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed>
  <spatial name="t2"><site site="sa"/><site site="sz"/></spatial></tendon>
<actuator><motor name="ma" joint="ja"/><position name="mz" class="c" tendon="t1"/><motor name="mt2" tendon="t2"/></actuator>
<sensor><clock name="clk"/><jointpos name="s1" joint="ja"/>
  <framepos name="s2" objtype="body" objname="a" reftype="body" refname="z"/>
  <actuatorfrc name="s3" actuator="mz"/><framepos name="s4" objtype="body" objname="a" reftype="body" refname="world"/></sensor>
<keyframe><key name="k" qpos="1 2 3 4 5 1 0 0 0" ctrl="1 2 3"/></keyframe></mujoco>"""

SMALL = '<mujoco><worldbody><body name="a"><joint name="ja"/><geom name="ga" size=".1"/></body></worldbody>{}</mujoco>'
OUTSIDE = '<body name="O"><joint name="jo"/><geom name="go" size=".1"/><site name="so"/></body>'
LATER = '<body name="Q"><joint name="jq" ref="20"/><geom name="gq" size=".1"/></body>'


def parent(inside: str, after: str = "", before: str = "", file: str = "child.xml") -> str:
    asset = f'<asset><model name="M" file="{file}"/></asset>'
    return f'<mujoco model="parent">{before}{asset}<worldbody>{inside}</worldbody>{after}</mujoco>'


def attach(body: str = "", prefix: str = "x_") -> str:
    return f'<attach model="M" prefix="{prefix}"' + (f' body="{body}"/>' if body else "/>")


def equal(xml: str, child: str = CHILD, **more: str) -> None:
    assert_equal(xml, {"child.xml": child.encode()} | {f"{name}.xml": text.encode() for name, text in more.items()})


def load(xml: str, child: str = CHILD, **more: str) -> MjModel:
    return MjModel.from_xml_string(xml, {"child.xml": child} | {f"{name}.xml": text for name, text in more.items()})


def test_a_whole_model_attached_without_a_prefix_is_that_model() -> None:
    # a relation with the world by its name has no meaning in another model
    child = CHILD.replace('<weld name="w2" body1="b" body2="world"/>', "").replace(' timestep="0.123"', "")
    lines = differences(load(parent(attach(prefix="")), child), MjModel.from_xml_string(child))
    assert all(line.startswith(("names", "name_", "nnames", "nbuffer")) for line in lines), lines


@pytest.mark.parametrize("body", ["", "a", "b", "z"])
@pytest.mark.parametrize("around", ["{}", '<frame pos="1 2 3" euler="10 20 30">{}</frame>'])
def test_attached_parts_are_those_of_the_reference(body: str, around: str) -> None:
    equal(parent(OUTSIDE + around.format(attach(body)) + LATER))


def test_parts_in_a_body_and_several_of_one_model() -> None:
    equal(parent(f'<body name="H" pos="1 1 1"><geom size=".1"/>{attach("a")}</body>' + LATER))
    equal(parent(OUTSIDE + attach("a") + '<frame pos="5 0 0">' + attach("a", "y_") + "</frame>" + LATER))
    equal(parent(attach() + attach(prefix="y_")))
    equal(parent(attach("world")), SMALL.format('<sensor><framepos objtype="body" objname="world"/></sensor>'))


def test_the_parent_can_refer_to_what_it_attaches() -> None:
    after = ('<actuator><motor joint="x_jb"/></actuator><sensor><jointpos joint="x_jb"/></sensor>'
             '<contact><exclude body1="x_b" body2="H"/></contact>')  # fmt: skip
    equal(parent(f'<body name="H">{attach("b")}</body>', after))
    equal(parent(attach("a") + '<geom class="x_c"/><body childclass="x_c"><geom/></body>'))


def test_attached_elements_use_compiler_settings_of_their_file() -> None:
    for settings in ('angle="degree"', 'angle="radian" eulerseq="zyx" inertiagrouprange="1 5"', 'boundinertia="1"'):
        child = SMALL.format("").replace("<worldbody>", f"<compiler {settings}/><worldbody>")
        child = child.replace("<geom", '<geom group="1" euler="10 20 30" pos="0 .1 0"').replace("<joint ", '<joint range="1 2" ')
        equal(parent(OUTSIDE + attach("a")), child)
        equal(parent(OUTSIDE + attach("a"), before='<compiler angle="radian" boundmass="3" settotalmass="7"/>'), child)


def test_keyframes_of_both_models_speak_of_their_own_part() -> None:
    key = '<keyframe><key name="k" qpos="1" ctrl="3"/></keyframe>'
    child = SMALL.format('<actuator><motor name="m" joint="ja"/></actuator>' + key)
    mine = '<keyframe><key name="p" qpos="{}"/></keyframe>'
    equal(parent(OUTSIDE + attach("a") + LATER), child)
    equal(parent(OUTSIDE + attach("a") + LATER.replace(' ref="20"', ""), mine.format("9")), child)
    equal(parent(OUTSIDE + attach("a") + LATER, mine.format("9 8 7")), child)
    equal(parent(attach("a") + attach("a", "y_") + OUTSIDE, mine.format("9")), child)
    mocap = ('<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body>'
             '<body name="m" mocap="true"><geom size=".1"/></body></worldbody>'
             '<keyframe><key name="k" qpos="1 2 3 0 1 0 0" mpos="7 8 9" mquat="0 1 0 0"/></keyframe></mujoco>')  # fmt: skip
    equal(parent('<body name="n" mocap="true" pos="0 0 7"><geom size=".1"/></body>' + OUTSIDE + attach()), mocap)


def test_attached_models_attach_and_replicate() -> None:
    grand = SMALL.format("<sensor><clock/><jointpos joint='ja'/></sensor>").replace("<worldbody>",
        '<compiler angle="radian"/><default><default class="q"><geom rgba="1 0 0 1"/></default></default><worldbody>'
    ).replace('<geom name', '<geom class="q" euler="0 0 1" name')  # fmt: skip
    middle = ('<mujoco><asset><model name="N" file="grand.xml"/></asset><worldbody><body name="a"><geom size=".1"/>'
              '<attach model="N" prefix="n_"/></body></worldbody></mujoco>')  # fmt: skip
    equal(parent(OUTSIDE + attach()), middle, grand=grand)
    equal(parent(f'<replicate count="3" offset="1 0 0">{attach("a")}</replicate>'), middle.replace("<attach", "<frame/><attach"),
          grand=grand.replace("<clock/>", ""))  # fmt: skip
    equal(parent(attach()), SMALL.format("").replace("<body", '<replicate count="3" offset="1 0 0"><body')
          .replace("</worldbody>", "</replicate></worldbody>"))  # fmt: skip


def test_attaching_an_existing_body_moves_it_as_reference() -> None:
    """So that a model which the reference has saved, with what was attached written out, still loads."""
    twice = f'<frame pos="1 0 0" euler="0 0 90">{attach("a")}</frame><frame pos="5 0 0">{attach("a")}</frame>'
    equal(parent(twice), SMALL.format(""))
    m = load(parent(twice), SMALL.format(""))
    assert any("exists already" in note for note in m.notes)


def test_attached_files_resolve_from_the_naming_model_folder(tmp_path: Path) -> None:
    (tmp_path / "sub/deep").mkdir(parents=True)
    (tmp_path / "sub/c.xml").write_text('<mujoco><include file="deep/i.xml"/><worldbody><body name="a"/></worldbody></mujoco>')
    (tmp_path / "sub/deep/i.xml").write_text('<mujoco><custom><numeric name="n" data="1"/></custom></mujoco>')
    (tmp_path / "p.xml").write_text(parent(attach("a"), file="sub/c.xml"))
    (tmp_path / "q.xml").write_text('<mujoco><include file="sub\\part.xml"/></mujoco>')
    (tmp_path / "sub/part.xml").write_text(parent(attach("a"), file="c.xml"))
    for name in ("p.xml", "q.xml"):
        ours, theirs = MjModel.from_xml_path(tmp_path / name), mujoco.MjModel.from_xml_path(str(tmp_path / name))
        assert not differences(ours, theirs)
    document = read_path(tmp_path / "p.xml")
    assert [Path(file).name for file in document.all_sources()] == ["p.xml", "c.xml", "i.xml"]
    assert document.sources == [str(tmp_path / "p.xml")]
    assert str(tmp_path / "sub/c.xml") in document.files
    body = next(compose(document).all("worldbody")).children[0]
    assert (body.get("name"), body.settings.folder, body.where.file) == ("x_a", "sub", str(tmp_path / "sub/c.xml"))


def test_models_that_attach_themselves_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(parent("", file="b.xml"))
    (tmp_path / "b.xml").write_text(parent("", file="c.xml"))
    (tmp_path / "c.xml").write_text(parent("", file="b.xml"))
    with pytest.raises(MjcfError, match=r'c.xml:1:\d+: <model> file "b.xml" attaches itself: a.xml > b.xml > c.xml > b.xml; '):
        read_path(tmp_path / "a.xml")
    (tmp_path / "c.xml").write_text(parent("", file="a.xml"))
    with pytest.raises(MjcfError, match=r"attaches itself: a.xml > b.xml > c.xml > a.xml"):
        read_path(tmp_path / "a.xml")


def test_exponential_attach_is_one_clear_error_quickly(tmp_path: Path) -> None:
    for i in range(40):
        twice = "".join(f'<attach model="M" prefix="{p}" body="a"/>' for p in "xy")
        (tmp_path / f"{i}.xml").write_text(parent(f'<body name="a">{twice}</body>', file=f"{i + 1}.xml"))
    (tmp_path / "40.xml").write_text(SMALL.format(""))
    begun = time.process_time()
    with pytest.raises(MjcfError, match=r"\d+.xml:1:\d+: <body> makes the model too large: at most 1000000 elements"):
        MjModel.from_xml_path(tmp_path / "0.xml")
    assert time.process_time() - begun < 20


WRONG = {
    r'<attach> model "N" is not a model of <asset>; .*alid: M': parent(attach("a").replace('"M"', '"N"')),
    r'<attach> body "aa" is not in child.xml; did you mean "a"\? Valid: a, b, z': parent(attach("aa")),
    r'<model> file "no.xml" does not exist': parent("", file="no.xml"),
    r'child.xml:5:\d+: <texture> name "T" is already the name of a texture, the <texture> at model.xml:1:': parent(
        attach("a", ""), before='<asset><texture name="T" type="2d" builtin="flat" width="1" height="1"/></asset>'),
    r'model.xml:1:\d+: <body> name "x_a" is already the name of a body, the <body> at child.xml:8:': parent(
        attach("a") + '<body name="x_a"><geom size="1"/></body>'),
    r'<attach> makes a body "x_a", which exists already, at child.xml:8:\d+, in another body': parent(
        attach("a") + f"<body>{attach('a')}</body>"),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_what_cannot_be_attached_is_told_at_its_place(message: str) -> None:
    with pytest.raises(MjcfError, match=message):
        load(WRONG[message])


def test_other_formats_are_refused_by_name() -> None:
    with pytest.raises(MjcfError, match=r"child.xml:1:1: <sdf> is the root of an SDFormat file, which is not read"):
        load(parent(attach()), '<sdf/>')
    with pytest.raises(MjcfError, match=r"child\.xml"):
        load(parent(attach()), "PK\x03\x04")


@pytest.mark.parametrize("seed", range(6))
def test_random_parts_of_parts_equal_the_reference(seed: int) -> None:
    draw = random.Random(seed)

    def model(name: str, inner: str) -> tuple[str, str]:
        """A model of one or two bodies, in degrees or radians, that attaches or replicates what is inside it."""
        unit = draw.choice(["degree", "radian"])
        bodies = "".join(
            f'<body name="{k}" pos="{draw.uniform(-1, 1):.2f} 0 1" euler="{draw.uniform(-1, 1):.2f} 0 .5"><joint name="{k}"/>'
            f'<geom name="{k}" size=".1" class="c"/><site name="{k}"/>{inner * (k == "a")}</body>' for k in "ab")  # fmt: skip
        if draw.random() < 0.4:
            many, angle = draw.randint(1, 3), draw.randint(0, 9)
            bodies = f'<replicate count="{many}" offset="0 1 0" euler="0 0 {angle}">{bodies}</replicate>'
            first = "a0"
        else:
            first = "a"
        sensors = "".join(f'<jointpos name="s{k}" joint="{k}"/><framequat objtype="site" objname="{k}"/>' for k in "ab")
        asset = '<asset><model name="M" file="' + name + '.xml"/></asset>' if inner else ""
        classes = f'<default><default class="c"><geom rgba="{draw.random():.2f} 0 0 1"/></default></default>'
        return (f'<mujoco><compiler angle="{unit}"/>{classes}{asset}<worldbody>{bodies}<geom name="w" size=".3"/></worldbody>'
                f'<actuator><position name="m" joint="{draw.choice("ab")}" kp="3"/></actuator><sensor>{sensors}</sensor>'
                f'<contact><exclude body1="a" body2="b"/></contact></mujoco>'), first  # fmt: skip

    files = {}
    inner, first = "", ""
    for level in range(3):
        text, first = model(f"p{level - 1}", inner)
        files[f"p{level}.xml"] = text.encode()
        body = draw.choice(["", f' body="{first}"'])
        inner = f'<frame pos="0 {level} 0"><attach model="M" prefix="{draw.choice(["x_", "y-"])}"{body}/></frame>'
    main = f'<mujoco><asset><model name="M" file="p2.xml"/></asset><worldbody>{inner}</worldbody></mujoco>'
    assert_equal(main, files)
