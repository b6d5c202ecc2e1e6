"""What the reference loads, we load: what is odd is noted at its place, and means what it means to the reference."""

import re

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.test_errors import BODY, JOINT, scene
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel


def defaults(text: str) -> str:
    return f"<default>{text}</default>"


# Where, what the note says, and the fields that follow.
ODD = [
    (scene(f'<body><joint range="2 1"/>{BODY}</body>'), "<joint> range is reversed: 2 is not below 1", "jnt_limited jnt_range"),
    (scene(f'<body><joint type="ball" range="2 1"/>{BODY}</body>'), "<joint> range is reversed", "jnt_limited jnt_range"),
    (scene(f'<body><joint actuatorfrcrange="1 -1"/>{BODY}</body>'), "actuatorfrcrange is reversed",
     "jnt_actfrclimited jnt_actfrcrange"),
    (scene(f'<body><joint/>{BODY}</body>', before=defaults('<joint range="2 1"/>')), "range is reversed", "jnt_limited"),
    (scene(JOINT, '<tendon><fixed range="2 1"><joint joint="k" coef="1"/></fixed></tendon>'), "<fixed> range is reversed",
     "tendon_limited tendon_range"),
    (scene(f'<body><joint name="b" type="ball"/>{BODY}</body>',
           '<tendon><fixed><joint joint="b" coef="2"/></fixed></tendon>'), "<joint> is meant for a slide or hinge joint",
     "wrap_objid tendon_length0 tendon_invweight0"),
    (scene(JOINT, '<actuator><motor joint="k" ctrlrange="1 0" forcerange="1 0"/></actuator>'), "<motor> ctrlrange is reversed",
     "actuator_ctrllimited actuator_ctrlrange actuator_forcelimited actuator_forcerange"),
    (scene(JOINT, '<actuator><general joint="k" dyntype="filter" actrange="1 0"/></actuator>'), "actrange is reversed",
     "actuator_actlimited actuator_actrange"),
    (scene('<geom size="1" mass="-1"/>'), "mass and density are negative", "body_mass"),
    (scene('<body><inertial pos="0 0 0" mass="-1" diaginertia="-1 1 1"/></body>',
           before='<compiler balanceinertia="true"/>'), "mass is negative, -1: it is taken as 0", "body_mass body_inertia"),
    (scene('<camera mode="targetbody"/>'), 'mode "targetbody" needs a target', "cam_mode cam_targetbodyid"),
    (scene('<light mode="targetbodycom"/>'), 'mode "targetbodycom" needs a target', "light_mode light_targetbodyid"),
    (scene('<camera resolution="100000 -1"/>'), "resolution is 100000 -1", "cam_resolution"),
    (scene('<camera sensorsize="-1 1"/>'), "sensorsize is negative", "cam_sensorsize cam_intrinsic cam_fovy"),
    (scene(JOINT, before='<compiler boundmass="-1" boundinertia="-2"/>'), "boundmass is negative", "body_mass body_inertia"),
    (scene(JOINT, "<keyframe><key/></keyframe>", '<size nkey="-1"/>'), "nkey is negative", "nkey"),
    (scene(JOINT, '<actuator><intvelocity joint="k" actrange="-1 1"/><motor joint="k"/></actuator><keyframe>'
                  '<key act="" ctrl="5"/></keyframe>'), "ctrl has 1 numbers", "key_act key_ctrl"),
    (scene('<body mocap="true" pos="1 2 3"/><body mocap="true" pos="4 5 6"/>',
           '<keyframe><key mpos="7 8 9 10" mquat="0 1 0 0 0"/></keyframe>'), "mpos has 4 numbers", "key_mpos key_mquat"),
    (scene(JOINT, '<actuator><cylinder joint="k" area="-1"/></actuator>'), "area is negative", "actuator_gainprm"),
    (scene(JOINT, '<actuator><cylinder joint="k" diameter="-2" area="3"/></actuator>'), "diameter is negative",
     "actuator_gainprm"),
    (scene(JOINT, '<actuator><muscle joint="k" lengthrange="0 1" range="-1 1" lmin="-2" scale="-1" vmax="-1" timeconst="1 -1"'
                  ' force="-5"/></actuator>', defaults('<muscle scale="150" lmin=".4" force="7"/>')), "<muscle> lmin is negative",
     "actuator_dynprm"),
    (scene(JOINT, '<actuator><motor joint="k" nsample="2" delay="-.1"/></actuator>'), "<motor> delay is negative, -0.1",
     "actuator_delay actuator_history actuator_historyadr"),
    (scene(JOINT, '<sensor><jointpos joint="k" interval=".1"/></sensor>'), "<jointpos> interval needs a history, nsample",
     "sensor_interval sensor_history sensor_historyadr"),
    (scene(JOINT, '<sensor><jointpos joint="k" nsample="2" interval="0 -1"/></sensor>'), "interval has a phase and no period",
     "sensor_interval sensor_history sensor_historyadr"),
]  # fmt: skip


@pytest.mark.parametrize(("xml", "says", "fields"), ODD)
def test_odd_input_is_noted_and_compiles_as_in_reference(xml: str, says: str, fields: str) -> None:
    theirs, ours = mujoco.MjModel.from_xml_string(xml), MjModel.from_xml_string(xml)
    assert any(says in note for note in ours.notes), ours.notes
    assert all(re.match(r"model\.xml:\d+:\d+: <\w+> ", note) for note in ours.notes)
    for name in fields.split():
        assert np.allclose(getattr(ours, name), getattr(theirs, name)), name


# Nothing is odd about these: an element may inherit what means nothing for it.
FINE = [
    scene(f'<body><joint type="free"/>{BODY}</body>', before=defaults('<joint limited="true"/>')),
    scene('<geom type="cylinder" size="1 1"/>', before='<option><flag multiccd="enable"/></option>'),
    scene(f'<body><freejoint/>{BODY}</body>', before=defaults('<joint limited="true" range="2 1"/>')),
    scene(f'<body><joint type="free" actuatorfrclimited="true" actuatorfrcrange="2 1"/>{BODY}</body>'),
    scene(f'<body><joint type="ball" actuatorfrcrange="-1 1"/>{BODY}</body>'),
    scene(f'<body><joint limited="false" range="2 1"/>{BODY}</body>'),
    scene(f'<body><joint range="0 0"/>{BODY}</body>', before='<compiler autolimits="false"/>'),
    scene('<camera output="depth rgb"/>'),
    scene('<geom size="1" user="nan 1"/>'),
    scene(JOINT, '<sensor><jointvel joint="k" cutoff="inf"/><jointpos joint="k" interval="0 0" interp="cubic"/></sensor>'),
    scene(JOINT, '<custom><numeric name="n" data="nan inf"/></custom>'),
    scene(JOINT, before='<compiler><lengthrange accel="-1" timestep="0"/></compiler>'),
    scene(JOINT, before='<default class=""><geom density="7"/></default>'),
    scene('<body><geom type="capsule" size=".1" fromto="0 0 0 1 1 1" pos="0 0 0"/></body>'),
    scene(f'<site name="w" pos="0 0 3"/><body><joint/><site name="s"/>{BODY}</body>',
          '<tendon><spatial armature="1"><site site="w"/><site site="s"/></spatial></tendon>'),
    scene("<geom name='a\x0b\x01' size='1'/>]]>\x0c"),
    '<!DOCTYPE mujoco SYSTEM "nowhere.dtd"><mujoco><worldbody><geom size="1"/></worldbody></mujoco>',
]
# What a default class says of a position, by the tag of the actuator that is of it.
INHERITED = [
    scene(JOINT.replace("/>", ' range="-10 10"/>', 1), f'<actuator><{tag} joint="k" ctrlrange="0 1"/></actuator>',
          defaults('<position inheritrange="1" kp="3"/>'))
    for tag in ("motor", "velocity", "damper", "general", 'general biastype="affine" gainprm="3" biasprm="0 -2"',
                'general gaintype="affine"', 'muscle lengthrange="0 1" range=".75 1.05"')
]  # fmt: skip
FINE += INHERITED
LIMITS = ("actuator_ctrllimited", "actuator_ctrlrange", "actuator_gainprm", "actuator_biasprm", "jnt_limited", "jnt_range",
          "jnt_actfrclimited", "jnt_actfrcrange", "cam_output", "geom_user", "sensor_cutoff",
          "sensor_history", "numeric_data", "body_mass", "body_simple")  # fmt: skip


@pytest.mark.parametrize("xml", FINE)
def test_input_accepted_silently_by_reference_gives_no_note(xml: str) -> None:
    theirs, ours = mujoco.MjModel.from_xml_string(xml), MjModel.from_xml_string(xml)
    assert ours.notes == ()
    for name in LIMITS:
        assert np.allclose(getattr(ours, name), getattr(theirs, name), equal_nan=True), name


@pytest.mark.parametrize("text", ["a & b", "&nbsp;x", "&x;", "a &amp; b &lt; &#65; &quot;", "a &amp b", "&#xZZ;"])
def test_an_ampersand_that_begins_no_entity_is_text(text: str) -> None:
    xml = f'<mujoco model="{text}"/>'
    theirs, ours = mujoco.MjModel.from_xml_string(xml), MjModel.from_xml_string(xml)
    assert bytes(ours.names) == theirs.names
    stray = "&amp;" not in text or "&amp b" in text
    assert [note.partition(" that begins")[0] for note in ours.notes] == \
        ([f"model.xml:1:{16 + text.index('&')}: <mujoco> has an &"] if stray else [])  # fmt: skip


# Files that are not as they should be, and what is noted: the model is the reference's.
NOTED = [
    ('<mujoco>\n<worldbody><geom name="a<b"size="1"rgba="1 0 0 1"/><geom name="c" size="2"/></worldbody></mujoco>',
     "2:28: <mujoco> has a < in a value, or no blank after one: it is read all the same"),
    ('<mujoco>\n<include file="a.xml" path="a"/></mujoco>',
     '2:1: <include> has no attribute "path": it is ignored; valid: file'),
    ('<mujoco><body name="b"><joint/><geom size="1"/></body></mujoco>',
     "1:9: <body> stands outside of <worldbody>: it is left out"),
    ('<mujoco>\n<frame><geom size="1"/></frame></mujoco>', "2:1: <frame> stands outside of <worldbody>: it is left out"),
    ('<mujoco model="one"/>\n<mujoco model="two"/>', "2:1: <mujoco> ends before: what follows is not read"),
]  # fmt: skip


@pytest.mark.parametrize(("xml", "note"), NOTED)
def test_what_is_not_as_it_should_be_is_noted(xml: str, note: str) -> None:
    files = {"a.xml": b"<mujoco><worldbody/></mujoco>"}
    ours, theirs = MjModel.from_xml_string(xml, files), mujoco.MjModel.from_xml_string(xml, files)
    assert ours.notes == (f"model.xml:{note}",)
    assert bytes(ours.names) == theirs.names
    assert (ours.nbody, ours.ngeom, ours.nv) == (theirs.nbody, theirs.ngeom, theirs.nv)
    assert (ours.geom_size == theirs.geom_size).all()
    assert (ours.geom_rgba == theirs.geom_rgba).all()


def test_places_count_what_was_mended() -> None:
    with pytest.raises(MjcfError, match=r"model\.xml:2:52: <geom> size"):
        MjModel.from_xml_string(NOTED[0][0].replace('size="2"', 'size="0"'))


def test_intvelocity_keeps_stiffness_despite_invalid_damping() -> None:
    """An intvelocity with a damping that cannot be is left without its stiffness by the reference: see differences.md."""
    for written in ('kv="-1"', 'kv="1" dampratio="1"'):
        ours = MjModel.from_xml_string(
            scene(JOINT, f'<actuator><intvelocity joint="k" actrange="-1 1" kp="3" {written}/></actuator>'))
        assert ours.actuator_biasprm[0, :3].tolist() == [0, -3, 0]
        assert ours.actuator_biastype[0] == mujoco.mjtBias.mjBIAS_AFFINE
        assert len(ours.notes) == 1


def test_invalid_meaninertia_is_replaced_by_the_computed_one() -> None:
    ours = MjModel.from_xml_string(scene(JOINT, before='<statistic meaninertia="0"/>'))
    plain = MjModel.from_xml_string(scene(JOINT))
    assert ours.stat.meaninertia == plain.stat.meaninertia > 0
    assert "meaninertia must be positive" in ours.notes[0]


def test_a_file_that_is_odd_all_over_does_not_flood_the_log(caplog: pytest.LogCaptureFixture) -> None:
    odd = "".join(f'<body><geom size="1"/><inertial pos="0 0 0" mass="-{i}" diaginertia="1 1 1"/></body>' for i in range(1, 301))
    ours = MjModel.from_xml_string(scene(odd))
    assert len(ours.notes) == 300
    assert len(caplog.messages) == 51
    assert caplog.messages[-1] == "model.xml: 250 more notes are in the model's notes"


def test_the_notes_of_one_load_are_not_those_of_the_next() -> None:
    odd, fine = ODD[0][0], FINE[0]
    first, again = MjModel.from_xml_string(odd).notes, MjModel.from_xml_string(odd).notes
    assert first == again != ()
    assert MjModel.from_xml_string(fine).notes == ()
