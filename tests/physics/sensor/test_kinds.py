"""A kind of sensor is one row of a table: schema, compiler, notes and kernels follow from it."""

import numpy as np

from tests.physics.callback import scene as callbacks
from tests.physics.sensor import contact_scene, scene, test_shapes, test_tactile
from tumble.physics import MjModel
from tumble.physics.mjcf.schema import find
from tumble.physics.sensor.kinds import ALWAYS_AWAKE, BY_TAG, BY_TYPE, KINDS, OF_CONTACT, OF_RAY
from tumble.physics.sensor.output import is_apart
from tumble.physics.state.enums import mjtConDataField, mjtDataType, mjtRayDataField, mjtSensor
from tumble.physics.state.stages import Entry

COMPUTED = [kind for kind in KINDS if not kind.status]


def test_every_type_of_sensor_has_one_row():
    assert sorted(kind.type for kind in KINDS) == sorted(mjtSensor)
    assert len(BY_TAG) == len(BY_TYPE) == len(KINDS)


def test_the_sensors_of_the_schema_are_those_of_the_table():
    assert list(find("sensor").children) == [kind.tag for kind in KINDS]


def test_the_schema_names_what_a_sensor_is_of_and_says_what_is_missing():
    for kind in KINDS:
        rule = find(f"sensor/{kind.tag}")
        words = [word for spec in (kind.of, kind.to) for word in spec.split() if word != "@"]
        assert set(words) <= rule.attributes.keys(), kind.tag
        assert ("objtype" in rule.attributes, "reftype" in rule.attributes) == (kind.of == "@", kind.to == "@"), kind.tag
        assert (rule.status.level != "refused") == (not kind.status), kind.tag


def test_directions_have_three_numbers_and_orientations_four():
    lengths = {mjtDataType.mjDATATYPE_AXIS: 3, mjtDataType.mjDATATYPE_QUATERNION: 4}
    assert [kind.tag for kind in KINDS if lengths.get(kind.datatype, kind.dim) != kind.dim] == []


def test_every_kind_that_is_computed_is_in_a_scene_that_is_compared_with_the_reference():
    compared = scene.SCENE + test_shapes.SCENE.format(sensors=test_shapes.SENSORS) + test_tactile.FINGER + callbacks.SCENE
    compared += contact_scene.scene(0, contact_scene.sensors(np.random.default_rng(0), 1))
    assert [kind.tag for kind in COMPUTED if f"<{kind.tag}" not in compared] == []


def test_a_compiled_sensor_is_what_its_row_says():
    m = MjModel.from_xml_string(test_shapes.SCENE.format(sensors=test_shapes.SENSORS))
    of_shapes = {kind.tag for kind in KINDS if kind.by is Entry.SENSOR_SHAPES}
    assert {BY_TYPE[mjtSensor(kind)].tag for kind in m.sensor_type} == of_shapes
    for s in range(m.nsensor):
        kind = BY_TYPE[mjtSensor(m.sensor_type[s])]
        assert (m.sensor_needstage[s], m.sensor_datatype[s]) == (kind.stage, kind.datatype)
        assert kind.extent is not None or m.sensor_dim[s] == kind.dim


def test_kernels_know_the_sets_of_kinds():
    for kind in KINDS:
        assert is_apart(int(kind.type)) == (kind.by is not None)
        assert bool(ALWAYS_AWAKE >> kind.type & 1) == kind.awake


def test_what_can_be_asked_for_stands_in_the_order_of_its_bits():
    for table, fields, prefix in ((OF_CONTACT, mjtConDataField, "mjCONDATA_"), (OF_RAY, mjtRayDataField, "mjRAYDATA_")):
        names = [name for name in fields.__members__ if not name.startswith("mjN")]
        assert [prefix + name.upper() for name, _, _ in table] == names
        assert [fields[name] for name in names] == list(range(len(table)))
