"""Names of the numbers of sensors with their units, and of soft bodies, their constraints and contacts."""

import numpy as np
import pytest

from tumble import physics
from tumble.app.describe.contacts import Names
from tumble.app.describe.islands import equality_name, held_bodies
from tumble.app.describe.names import actuators, selected_words
from tumble.app.describe.signals import Catalogue, ReadingGroup, SignalError
from tumble.app.panels.contact_events.lanes import Lanes
from tumble.app.session.contact_tracking import ContactChoice, places
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics import MjModel
from tumble.physics.observe.touch import ContactTap

XML = """<mujoco><asset><mesh name="pad" builtin="plate" params="3 4" scale=".1 .1 .1"/></asset><worldbody>
  <geom name="floor" type="plane" size="1 1 1"/><geom name="tip" type="box" size=".1 .1 .1"/><camera name="c" resolution="2 1"/>
  <body pos="0 0 1"><joint name="k"/><geom name="ball" size=".1"/><site name="s"/></body></worldbody><sensor>
  <contact name="grip" num="2" data="found force pos"/><contact name="sum" reduce="netforce" data="torque dist"/>
  <rangefinder name="eye" site="s"/><rangefinder name="lens" camera="c" data="dist normal"/>
  <fromto name="gap" geom1="ball" geom2="floor"/><framepos name="where" objtype="site" objname="s"/>
  <jointpos name="turn" joint="k"/>
  <tactile name="skin" geom="tip" mesh="pad"/><contact data="found force torque dist pos normal tangent"/></sensor></mujoco>"""


def named():
    """The names of all readings and their units."""
    catalogue = Catalogue(MjModel.from_xml_string(XML))
    return catalogue, {signal.name: signal.unit for signal in catalogue.listed(catalogue.fields["sensordata"])}


def test_sensor_readings_have_distinct_names_and_units():
    catalogue, units = named()
    grip = ["found", "force x", "force y", "force z", "pos x", "pos y", "pos z"]
    expected = [f"sensordata[grip, {slot} {name}]" for slot in (0, 1) for name in grip]
    expected += [f"sensordata[sum, {name}]" for name in ("torque x", "torque y", "torque z", "dist")] + ["sensordata[eye]"]
    expected += [f"sensordata[lens, {pixel} {name}]" for pixel in (0, 1) for name in ("dist", "normal x", "normal y", "normal z")]
    expected += [f"sensordata[gap, {end} {axis}]" for end in ("from", "to") for axis in "xyz"]
    expected += [f"sensordata[where, {k}]" for k in range(3)] + ["sensordata[turn]"]
    expected += [f"sensordata[skin, {name} {k}]" for name in ("pressure", "slide1", "slide2") for k in range(12)]
    count = len(expected)
    assert list(units)[:count] == expected
    assert len(units) == count + 17  # one without a name
    shown = ("grip, 1 force z", "grip, 0 found", "sum, torque x", "sum, dist", "eye", "lens, 1 normal x", "gap, to z", "where, 1",
             "turn", "skin, pressure 3", "skin, slide2 3")  # fmt: skip
    assert [units[f"sensordata[{name}]"] for name in shown] == ["N", "", "N·m", "m", "m", "", "m", "m", "rad", "", "m/s"]
    for k, name in enumerate(units):
        assert catalogue.scalar(name).start == k
    assert catalogue.scalar("sensordata[grip, 9]").start == 9  # by number as well


def test_unknown_sensor_component_error_lists_valid_names():
    with pytest.raises(SignalError, match="0 to 3, or torque x, torque y, torque z, dist"):
        named()[0].scalar("sensordata[sum, force x]")


def test_a_field_without_numbers_is_said_to_have_none():
    with pytest.raises(SignalError, match="plugin_state has no number here"):
        named()[0].scalar("plugin_state")


def test_sensors_of_many_numbers_are_listed_as_groups():
    catalogue, units = named()
    entries = list(catalogue.grouped(catalogue.fields["sensordata"]))
    groups = [entry for entry in entries if isinstance(entry, ReadingGroup)]
    assert [(g.name, g.count) for g in groups] == [("sensordata[grip]", 14), ("sensordata[skin]", 36), ("sensor number 8", 17)]
    assert len(entries) - len(groups) + sum(g.count for g in groups) == len(units)


MODEL = physics.MjModel.from_xml_string("""<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <flexcomp name="sheet" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="0 0 .02" radius=".03" mass="1"/>
  <flexcomp name="rope" type="grid" dim="1" count="3 1 1" spacing=".1 .1 .1" pos="1 0 .02" radius=".03" mass="1"><pin id="0"/>
  </flexcomp></worldbody><equality><flexvert flex="sheet"/><flex flex="rope"/></equality></mujoco>""")


def test_flex_equality_has_a_name_and_lists_its_bodies():
    assert [equality_name(MODEL, k) for k in range(2)] == ["flexvert: sheet", "flex: rope"]
    assert held_bodies(MODEL, 0) == [MODEL.body(f"sheet_{k}").id for k in range(9)]
    assert held_bodies(MODEL, 1) == [MODEL.body(f"rope_{k}").id for k in (1, 2)]  # not the world, which it is pinned to


def test_a_vertex_that_is_selected_is_said_to_be_of_its_flex():
    assert selected_words(MODEL, MODEL.body("sheet_4").id) == "sheet_4 of the soft body sheet: Ctrl+drag pulls it"
    assert selected_words(MODEL, MODEL.body("ball").id) == "ball: Ctrl+drag turns it, Ctrl+right drag pulls it"


def test_each_flex_has_a_contact_lane_with_selectable_contacts(qapp):
    data, lanes, choice = physics.MjData(MODEL), Lanes(), ContactChoice()
    tap = ContactTap(data)
    tap.attach()
    physics.mj_step(MODEL, data, 3)
    lanes.take(tap.since(0))
    tap.detach()
    assert sorted(lanes.pairs) == [(0, -2), (0, -1)]
    snapshot = Snapshot(data)
    snapshot.fill(data)
    choice.choose_pair((0, -2), MODEL, snapshot)
    assert snapshot.contact("flex")[choice.index].tolist() == [-1, 1]
    assert choice.carrier == -1  # the panel of parameters is of geoms, and the floor is the larger one
    assert [place.pair for place in places(MODEL, snapshot)] == [tuple(pair) for pair in snapshot.contact_sides().tolist()]


def test_flex_contacts_name_vertex_or_element_and_are_searched():
    data = physics.MjData(MODEL)
    physics.mj_forward(MODEL, data)
    names, geom = Names(MODEL), np.array(data.contact.geom)
    soft = np.stack([data.contact.flex, data.contact.elem, data.contact.vert], axis=2)
    texts = [names.contact(g, s) for g, s in zip(geom, soft, strict=True)]
    assert {"floor \N{EN DASH} sheet vertex 4", "floor \N{EN DASH} rope vertex 2"} <= set(texts)
    sides = np.where(geom >= 0, geom, -1 - soft[:, :, 0])
    assert {names.pair(pair) for pair in sides} == {"floor \N{EN DASH} sheet", "floor \N{EN DASH} rope"}
    matches = names.with_word("rope", sides)
    assert [("rope" in text) for text in texts] == matches.tolist()
    assert 0 < matches.sum() < len(matches)
    assert names.contact(np.array([0, 1]), np.full((2, 3), -1)) == "floor \N{EN DASH} ball"
    assert names.contact(np.array([1, -1]), np.array([[-1, -1, -1], [0, 7, -1]])) == "ball \N{EN DASH} sheet element 7"


def test_a_muscle_s_slider_goes_from_rest_to_full_excitation():
    body = '<body><joint name="j"/><geom size=".1"/></body>'
    drives = '<muscle joint="j" lengthrange="0 1"/><motor joint="j"/><muscle joint="j" lengthrange="0 1" ctrlrange="0 .5"/>'
    m = physics.MjModel.from_xml_string(f"<mujoco><worldbody>{body}</worldbody><actuator>{drives}</actuator></mujoco>")
    assert [(info.low, info.high) for info in actuators(m)] == [(0, 1), (-1, 1), (0, 0.5)]
