"""The numbers of sensors by name: `found`, `force x`, of several contacts with their slot; and their units."""

import pytest

from tumble.app.describe.signals import Catalogue, ReadingGroup, SignalError
from tumble.physics import MjModel

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


def test_readings_of_different_things_have_names_and_units_of_their_own():
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


def test_a_name_that_a_sensor_does_not_have_is_refused_with_those_that_it_has():
    with pytest.raises(SignalError, match="0 to 3, or torque x, torque y, torque z, dist"):
        named()[0].scalar("sensordata[sum, force x]")


def test_sensors_of_many_numbers_are_listed_as_groups():
    catalogue, units = named()
    entries = list(catalogue.grouped(catalogue.fields["sensordata"]))
    groups = [entry for entry in entries if isinstance(entry, ReadingGroup)]
    assert [(g.name, g.count) for g in groups] == [("sensordata[grip]", 14), ("sensordata[skin]", 36), ("sensor number 8", 17)]
    assert len(entries) - len(groups) + sum(g.count for g in groups) == len(units)
