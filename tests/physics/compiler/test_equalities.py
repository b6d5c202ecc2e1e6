"""Equality constraints in a file: the model is the reference's, and mistakes are told at their place."""

import mujoco
import pytest

from tests.physics.compiler.parity import assert_equal, both, differences
from tests.physics.constraint.equality_scenes import MECHANISMS, every
from tumble.physics.compiler.setconst import mj_setConst
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel
from tumble.physics.state.data import Data

SCENE = """<mujoco><compiler {compiler}/><worldbody>
<body name="a" pos="0 0 1" euler="10 20 30"><freejoint/><geom size=".1" pos=".1 0 0"/>
  <site name="sa" pos=".1 .2 .3" euler="30 20 10"/></body>
<body name="b" pos="1 .3 1" euler="40 0 5"><joint name="h" ref="10"/><joint name="s" type="slide"/><geom size=".1"/>
  <site name="sb" pos="-.1 .1 0" euler="3 50 0"/>
  <body name="c" pos="0 0 .4"><joint name="ball" type="ball"/><geom size=".1"/></body></body>
<body name="st" pos="2 2 2"><geom size=".1"/><site name="ss"/></body>
</worldbody>
<tendon><fixed name="t1"><joint joint="h" coef="2"/></fixed><fixed name="t2"><joint joint="s" coef="3"/></fixed></tendon>
<equality>
{equality}
</equality></mujoco>"""

VALID = [
    '<connect body1="a" body2="b" anchor=".1 .2 .3" solref="-10 -3" solimp=".8"/>',
    '<connect name="q" body1="a" anchor=".1 .2 .3" active="false"/>',
    '<connect body1="world" body2="a" anchor=".1 .2 .3"/>',
    '<connect body1="world" body2="st" anchor=".1 .2 .3"/>',
    '<connect body1="a" body2="" anchor="0 0 0"/>',
    '<connect site1="sa" site2="sb"/>',
    '<weld body1="a" body2="b"/>',
    '<weld body1="a"/>',
    '<weld body1="a" body2="b" anchor=".1 .2 .3" torquescale="3" relpose="1 2 3 1 1 0 0"/>',
    '<weld body1="a" body2="b" anchor=".1 .2 .3" relpose="1 2 3 0 0 0 0" torquescale="-2"/>',
    '<weld body1="a" body2="b" relpose="1 2 3 0 0 0 -5" torquescale="0"/>',
    '<weld site1="sa" site2="sb" torquescale="3"/>',
    '<weld body1="world" body2="st"/>',
    '<joint joint1="h"/>',
    '<joint joint1="h" joint2="s" polycoef=".1 .2 .3"/>',
    '<joint joint1="h" joint2=""/>',
    '<tendon tendon1="t1" tendon2="t2" polycoef=".1 .2 .3 .4 .5"/>',
    '<tendon tendon1="t1"/>',
]

MISTAKES = [
    ('<connect body1="a" body2="b"/>', "<connect> needs an anchor, the point of body1"),
    ('<connect site1="sa"/>', "<connect> needs both site1 and site2"),
    ('<connect site1="sa" site2=""/>', "<connect> needs both site1 and site2"),
    ('<connect site1="sa" site2="sb" anchor="1 2 3"/>', "<connect> anchor goes with body1"),
    ('<weld site1="sa" site2="sb" relpose="1 2 3 1 0 0 0"/>', "<weld> relpose goes with body1"),
    ('<connect body1="" body2="b" anchor="0 0 0"/>', "<connect> needs a body1, its name is empty"),
    ('<connect body1="a" body2="a" anchor="0 0 0"/>', "<connect> ties an object to itself"),
    ('<weld body1="world"/>', "<weld> ties an object to itself"),
    ('<joint joint1="h" joint2="h"/>', "<joint> ties an object to itself"),
    ('<tendon tendon1="t1" tendon2="t1"/>', "<tendon> ties an object to itself"),
    ('<joint joint1="ball"/>', "<joint> needs slide or hinge joints"),
    ('<joint joint1="h" joint2="ball"/>', "<joint> needs slide or hinge joints"),
    ('<joint joint1=""/>', "<joint> needs a joint1, its name is empty"),
    ('<joint joint1="g"/>', '<joint> joint1 "g" is not a joint'),
]


def test_every_form_makes_the_references_model() -> None:
    assert_equal(SCENE.format(compiler="", equality="\n".join(VALID)))


@pytest.mark.parametrize("compiler", ['alignfree="true"', 'fusestatic="true"', 'discardvisual="true"', 'angle="radian"'])
def test_settings_that_change_frames_and_bodies(compiler: str) -> None:
    assert_equal(SCENE.format(compiler=compiler, equality="\n".join(VALID)))


def test_sites_keep_their_names_when_their_bodies_are_fused() -> None:
    """The reference numbers the sites before it fuses the bodies, and then ties the wrong ones."""
    m = MjModel.from_xml_string(SCENE.format(compiler='fusestatic="true"', equality='<weld site1="sa" site2="ss"/>'))
    assert m.nbody == 4
    assert (m.eq_obj1id[0], m.eq_obj2id[0]) == (m.site("sa").id, m.site("ss").id)


@pytest.mark.parametrize("name", [*MECHANISMS, "every"])
def test_scenes_and_their_default_classes(name: str) -> None:
    assert_equal(MECHANISMS.get(name, every()))


@pytest.mark.parametrize(("equality", "message"), MISTAKES)
def test_mistakes_are_told_at_their_place(equality: str, message: str) -> None:
    """The reference refuses each of them, too."""
    xml = SCENE.format(compiler="", equality=equality)
    with pytest.raises(ValueError, match=r"Error|Invalid"):
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(MjcfError) as caught:
        both(xml)
    assert f":11:1: {message}" in str(caught.value)


def test_constants_follow_the_reference_configuration() -> None:
    """After moving joints and bodies, anchors and relative poses are those of the new configuration, or kept if written."""
    m, reference = both(SCENE.format(compiler="", equality="\n".join(VALID)))
    for model in (m, reference):
        model.qpos0[7] += 0.3
        model.body_pos[4] += 0.2
        model.eq_data[6, 6:10] = 0.0
        model.eq_data[8, 6:10] *= 2.0
        model.eq_data[1, :3] = 0.5
    mj_setConst(m, Data(m))
    mujoco.mj_setConst(reference, mujoco.MjData(reference))
    assert differences(m, reference) == []


def test_springs_of_tendons_rest_where_the_springs_of_joints_do() -> None:
    assert_equal("""<mujoco><worldbody><body><joint name="j" ref="20" springref="5"/><geom size=".1"/></body></worldbody>
      <tendon><fixed stiffness="2"><joint joint="j" coef="2"/></fixed>
        <fixed springlength="0.1 0.2"><joint joint="j" coef="1"/></fixed></tendon></mujoco>""")
