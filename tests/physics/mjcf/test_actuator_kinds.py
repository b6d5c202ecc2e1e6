"""A kind of actuator is one row of the schema and one method of the compiler."""

from tumble.physics.compiler.relations.actuators import Force
from tumble.physics.mjcf.schema import ACTUATOR_TAGS, DEFAULT, find
from tumble.physics.mjcf.schema.actuators import KINDS
from tumble.physics.state.enums import mjtBias, mjtDyn, mjtGain


def test_the_kinds_of_the_schema_are_those_of_the_table():
    assert sorted(ACTUATOR_TAGS) == sorted([*KINDS, "plugin"])
    assert KINDS.keys() <= DEFAULT.children.keys()


def test_every_kind_has_a_method_that_makes_forces_of_its_attributes():
    assert [tag for tag in KINDS if not callable(getattr(Force, tag, None))] == []


def test_what_must_not_be_negative_is_an_attribute_of_its_kind():
    for kind in KINDS.values():
        attributes = find(f"actuator/{kind.tag}").attributes
        assert all(attributes[name].kind == "real" for name in kind.magnitudes.split()), kind.tag


def test_what_pushes_one_way_has_no_choice_of_a_limit():
    for kind in KINDS.values():
        assert kind.one_sided != ("ctrllimited" in find(f"actuator/{kind.tag}").attributes), kind.tag


def test_gains_biases_and_dynamics_are_those_of_the_enumerations():
    general = find("actuator/general").attributes
    for name, kinds in (("gaintype", mjtGain), ("biastype", mjtBias), ("dyntype", mjtDyn)):
        assert list(general[name].words) == [kind.name.rpartition("_")[2].lower() for kind in kinds]
