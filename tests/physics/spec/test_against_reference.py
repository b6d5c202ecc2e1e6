"""What the same calls make in both engines: the models agree field by field."""

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.parity import differences
from tests.physics.spec.random_specs import Maker
from tumble import physics


def both(make):
    return make(physics), make(mujoco)


@pytest.mark.parametrize("seed", range(8))
def test_random_specs_compile_to_the_reference_s_model(seed):
    assert differences(*both(lambda engine: Maker(engine, seed).make().compile())) == []


def attached(engine, seed):
    rng = np.random.default_rng(seed)
    parent, child = Maker(engine, seed).make(), Maker(engine, seed + 100, "c").make()
    parent.add_key(name="rest", time=1.0)
    model = child.copy().compile()
    child.add_key(name="far", qpos=rng.normal(size=model.nq), ctrl=rng.normal(size=model.nu))
    body = parent.bodies[rng.integers(len(parent.bodies))]
    match seed % 4:
        case 0:
            parent.attach(child, prefix="p-", frame=body.add_frame(pos=rng.normal(size=3), euler=rng.normal(size=3)))
        case 1:
            parent.attach(child, suffix="-s", site=body.add_site(pos=rng.normal(size=3), zaxis=rng.normal(size=3)))
        case 2:
            body.add_frame(pos=rng.normal(size=3)).attach_body(child.bodies[1], "p-", "-s")
        case _:
            frame = child.worldbody.add_frame(name="top", pos=rng.normal(size=3))
            for top in child.worldbody.bodies:
                if top.frame is None:
                    top.set_frame(frame)
            body.attach_frame(frame, "p-", "")
    return parent.compile()


@pytest.mark.parametrize("seed", range(8))
def test_attached_specs_compile_to_the_reference_s_model(seed):
    assert differences(*both(lambda engine: attached(engine, seed))) == []


XML = """<mujoco><compiler angle="radian"/>
<default><geom friction=".5 .1 .1"/><default class="leg"><geom rgba="1 0 0 1" size=".2"/><joint damping="3"/></default></default>
<worldbody><frame euler="0 0 1"><body name="a" childclass="leg"><joint name="j" range="-1 1"/><geom name="g" mass="2"/>
<inertial pos="0 0 1" mass="3" fullinertia="2 2 2 .1 0 0"/><site name="s" zaxis="1 0 0"/></body></frame></worldbody>
<equality><weld name="w" body1="a" relpose="1 0 0 1 0 0 0"/><joint name="q" joint1="j" polycoef="1 2"/></equality>
<tendon><fixed name="t" stiffness="2"><joint joint="j" coef="2"/></fixed></tendon>
<actuator><position name="p" joint="j" kp="7" kv="2"/><muscle name="m" tendon="t" force="5"/></actuator>
<sensor><framepos objtype="site" objname="s"/><contact geom1="g" num="2" data="found force"/></sensor></mujoco>"""


def plain(value):
    """A field's value as lists and numbers: enumerations of the reference are neither numbers nor lists."""
    if isinstance(value, str | bytes | float):
        return value
    return [float(v) if not isinstance(v, str) else v for v in value] if hasattr(value, "__len__") else int(value)


def test_fields_read_from_a_text_are_the_reference_s():
    ours, theirs = both(lambda engine: engine.MjSpec.from_string(XML))
    for kind in ("bodies", "frames", "joints", "geoms", "sites", "equalities", "tendons", "actuators", "sensors"):
        pairs = list(zip(getattr(ours, kind), getattr(theirs, kind), strict=True))
        assert pairs
        for mine, other in pairs:
            for name, field in mine.structure.fields.items():
                if field.kind not in ("orientation", "plugin") and name != "childclass":  # there it says what it inherits, too
                    assert plain(getattr(mine, name)) == pytest.approx(plain(getattr(other, name)), nan_ok=True), (kind, name)
    assert [float(v) for v in ours.frames[0].alt.euler] == [0, 0, 1]


BODY_KINDS = ("body", "frame", "joint", "geom", "site", "camera", "light")
KINDS = ("mesh", "hfield", "skin", "texture", "material", "pair", "exclude", "equality", "tendon", "actuator", "sensor",
         "numeric", "text", "tuple", "key", "flex")  # fmt: skip


@pytest.mark.parametrize("kind", [*BODY_KINDS, *KINDS])
def test_defaults_of_all_fields_are_the_reference_s(kind):
    def new(engine):
        spec = engine.MjSpec()
        return getattr(spec.worldbody.add_body() if kind in BODY_KINDS else spec, f"add_{kind}")()

    mine, other = both(new)
    for name, field in mine.structure.fields.items():
        if field.kind not in ("orientation", "plugin") and name != "childclass":  # there it says what it inherits, too
            assert plain(getattr(mine, name)) == pytest.approx(plain(getattr(other, name)), nan_ok=True), name


@pytest.mark.parametrize("kind", [*BODY_KINDS, *KINDS])
def test_what_is_written_into_a_new_element_changes_no_default_of_its_kind(kind):
    spec = physics.MjSpec()
    structure = getattr(spec.worldbody.add_body() if kind in BODY_KINDS else spec, f"add_{kind}")().structure
    defaults = [field.default for field in structure.fields.values() if isinstance(field.default, np.ndarray) and field.size]
    assert not [default for default in defaults if default.flags.writeable]
