"""All errors of a file at once: in its order, without those that follow from others."""

from pathlib import Path

import pytest

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.faults import MOST
from tumble.physics.mjcf.spec import PlacedError
from tumble.physics.model import MjModel

SEVERAL = """<mujoco>
<asset><mesh name="gone" file="no.stl"/></asset>
<worldbody>
<body name="a"><joint name="j"/><geom type="bxo" size=".1"/><geom size="-1"/>
<geom type="mesh" mesh="gone"/><gemo size=".1"/><geom sise=".1" typ="box"/></body>
</worldbody>
<actuator><motor joint="k"/><motor joint="j" gear="x"/></actuator>
</mujoco>"""


def _error(xml: str) -> PlacedError:
    with pytest.raises(PlacedError) as caught:
        MjModel.from_xml_string(xml)
    return caught.value


def test_errors_of_all_stages_are_listed_in_file_order() -> None:
    error = _error(SEVERAL)
    lines = str(error).splitlines()
    assert [line.split(": <")[0] for line in lines] == [one.place for one in error.errors]
    assert [(one.where.line, one.where.column) for one in error.errors if one.where] == [
        (2, 8), (4, 33), (4, 61), (5, 32), (5, 49), (5, 49), (7, 11), (7, 29),
    ]  # fmt: skip
    for word, line in zip(("no.stl", "bxo", "size of a sphere", "gemo", "sise", "typ", '"k" is not', "gear"), lines, strict=True):
        assert word in line
    assert isinstance(error, MjcfError)
    assert isinstance(error, ValueError)
    assert (error.where, error.what) == (error.errors[0].where, error.errors[0].what)


GONE = '<geom type="mesh" mesh="gone"/>' * 40
# What is one error, though it seems several, and how that begins and ends.
ONE = [
    ('<worldbody><geom size="-1"/></worldbody>', "1:20: <geom> size of a sphere must be positive", "(radius), is -1"),
    (f"<worldbody>{GONE}</worldbody>", '1:20: <geom> mesh "gone" is not a mesh', "(39 more elements name it)"),
    (f'<asset><mesh name="gone" file="no.stl"/></asset><worldbody>{GONE}</worldbody>', '1:16: <mesh> file "no.stl"', ""),
    ('<default><geom size="o.1"/></default><worldbody><geom/><geom/><geom/></worldbody>', "1:18: <geom> size", ""),
    ('<worldbody><geom name="a" size="1"/><geom name="a" size="1"/></worldbody>', '1:45: <geom> name "a" is already', ""),
]  # fmt: skip


@pytest.mark.parametrize(("xml", "begins", "ends"), ONE)
def test_what_has_one_cause_is_one_error(xml: str, begins: str, ends: str) -> None:
    error = _error(f"<mujoco>{xml}</mujoco>")
    assert len(error.errors) == 1
    assert str(error).startswith(f"model.xml:{begins}")
    assert str(error).endswith(ends)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    "cause",
    [
        '<bdoy name="b"><joint name="k"/></bdoy>',  # names are lost with what is left out
        '<body nmae="b"><joint name="k"/><geom size=".1"/></body>',
        '<include file="parts.xml"/>',
    ],
)
def test_follow_up_errors_of_a_hidden_name_are_suppressed(cause: str) -> None:
    follow = '<weld body1="b"/><joint joint1="k"/>'
    error = _error(f"<mujoco><worldbody>{cause}</worldbody><equality>{follow}</equality></mujoco>")
    assert len(error.errors) == 1
    assert error.where is not None
    assert error.where.column == 20


# What is wrong in parts that others are made of: each is named once, and the error of an actuator beside it.
HALVES = [
    '<extension><plugin plugin="mujoco.sdf.bolt"><instance name="a" nme="b"/></plugin></extension><worldbody>'
    '<geom type="sdf" mesh="m"><plugin instance="a"/></geom></worldbody>'
    '<asset><mesh name="m"><plugin instance="a"/></mesh></asset>',
    '<worldbody><geom type="sdf" mesh="m"/></worldbody><asset><mesh name="m"><plugin instance="a"/></mesh></asset>',
    '<worldbody><geom size="1"><plugin plugin="mujoco.sdf.bolt"><config key="r"/></plugin></geom></worldbody>',
    '<asset><material name="a"><layer role="rgb"/></material></asset><worldbody><geom size="1" material="a"/></worldbody>',
    '<deformable><skin><bone/></skin></deformable>',
    '<deformable><skin><bnoe/></skin></deformable>',
    '<deformable><flex/></deformable>',
    '<asset><hfield name="a" size="1 1 x"/></asset><worldbody><geom type="hfield" hfield="a"/></worldbody>',
]  # fmt: skip
# The same of parts that hide others: nothing else is said.
HIDING = [
    '<asset><model/></asset>',
    '<worldbody><replicate count="x"><geom size="1"/></replicate></worldbody>',
    '<worldbody><replicate count="2"><body><geom/><geom size="x"/></body></replicate></worldbody>',
    '<worldbody><composite type="cable"/></worldbody>',
    '<worldbody><flexcomp/></worldbody>',
    '<worldbody><attach/></worldbody>',
    '<compiler inertiagrouprange="1 x"/>',
    '<default><material><layer/></material></default>',
]  # fmt: skip


@pytest.mark.parametrize("half", HALVES)
def test_what_follows_from_a_part_that_is_wrong_is_not_reported(half: str) -> None:
    error = _error(f'<mujoco>{half}\n<actuator><motor joint="gone"/></actuator></mujoco>')
    assert [one.where.line for one in error.errors if one.where] == [1, 2]


@pytest.mark.parametrize("part", HIDING)
def test_error_in_a_generating_element_stops_reading(part: str) -> None:
    error = _error(f'<mujoco>{part}\n<sensor><touch site="gone"/></sensor></mujoco>')
    assert [one.where.line for one in error.errors if one.where] == [1]


def test_a_wrong_setting_in_a_robot_ends_its_reading() -> None:
    with pytest.raises(MjcfError, match=r"<compiler> angle .* valid: radian"):
        MjModel.from_xml_string('<robot name="r"><mujoco><compiler angle="x"/></mujoco><link name="a"/></robot>')


def test_twenty_errors_are_listed_and_the_others_counted() -> None:
    error = _error("<mujoco><worldbody>" + "\n".join('<geom size="-1"/>' for _ in range(25)) + "</worldbody></mujoco>")
    lines = str(error).splitlines()
    assert len(lines) == MOST + 1
    assert lines[-1] == "and 5 more"
    assert len(error.errors) == 25


def test_errors_of_two_files_stand_by_file(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_text('<mujoco>\n<worldbody><geom size="-1"/></worldbody>\n</mujoco>')
    path = tmp_path / "model.xml"
    path.write_text('<mujoco><worldbody><geom size="-2"/></worldbody><include file="part.xml"/>\n'
                    '<worldbody><geom size="-3"/></worldbody></mujoco>')  # fmt: skip
    with pytest.raises(PlacedError) as caught:
        MjModel.from_xml_path(path)
    places = [(Path(one.where.file).name, one.where.line) for one in caught.value.errors if one.where]
    assert places == [("model.xml", 1), ("model.xml", 2), ("part.xml", 2)]


def test_passes_over_relations_gather_too() -> None:
    error = _error("""<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
<tendon><spatial/><fixed/></tendon><sensor><touch site=""/><user dim="2"/><jointlimitpos joint="j"/></sensor>
<actuator><motor joint="j" cranklength="2"/><motor joint="j" cranklength="3"/></actuator>
<equality><joint joint1="j" joint2="j"/></equality></mujoco>""")
    assert [one.where.line for one in error.errors if one.where] == [2, 2, 2, 2, 3, 3, 4]


def test_attached_model_has_one_note_for_ignored_sections(tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text('<mujoco><option timestep="0.01"/><size memory="1M"/><visual/><worldbody><body name="b">'
                                        '<geom size=".1"/></body></worldbody></mujoco>')  # fmt: skip
    path = tmp_path / "model.xml"
    copies = "".join(f'<attach model="r" body="b" prefix="{k}_"/>' for k in range(3))
    path.write_text(f'<mujoco><asset><model name="r" file="robot.xml"/></asset><worldbody>{copies}</worldbody></mujoco>')
    (note,) = MjModel.from_xml_path(path).notes
    assert note.endswith("is an attached model: its <option>, <size> and <visual> do not count, those of the main model do")


def test_repeated_note_is_merged_with_a_count() -> None:
    bodies = '<body><geom size=".1"/><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>\n' * 3
    notes = MjModel.from_xml_string(f"<mujoco><worldbody>\n{bodies}</worldbody></mujoco>").notes
    assert [note for note in notes if "mass is negative" in note] == [
        "model.xml:2:24: <inertial> mass is negative, -1: it is taken as 0 (3 times in this file)"
    ]
