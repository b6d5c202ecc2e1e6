"""What programs write to a model leads no kernel astray: the layout is checked before the next call, options when set."""

import copy
import pickle
import random
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.child import run_in_child
from tests.fuzz.seeds import EVERYTHING, seeds
from tests.physics.reference import load
from tests.physics.scenes import GYM
from tumble import physics
from tumble.app.library.examples import EXAMPLES
from tumble.app.replay.timeline import EDITABLE
from tumble.physics.changes import Effect, rule
from tumble.physics.errors import LaidOutError, MisfitError, ModelError
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL

INTERNAL = {f.name for f in MODEL_INTERNAL}
LAID_OUT = [f for f in MODEL if f.laid_out and f.name not in {"names", "paths", *INTERNAL}]  # names are bytes, checked as such
OPEN = [f for f in MODEL if f.open]

PAIR = """
<mujoco>
  <asset>
    <mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="other" vertex="0 0 0 2 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="a" pos="0 0 .09"><freejoint/><geom name="g" type="sphere" size=".1 .1 .1" mass="1"/></body>
    <body name="b" pos="1 0 1"><joint name="j"/><geom name="h" type="mesh" mesh="tetra" mass="1"/></body>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
</mujoco>
"""


@pytest.fixture
def model() -> physics.MjModel:
    return physics.MjModel.from_xml_string(PAIR)


# ---------------------------------------------------------------- written, and checked before the next call


def test_all_that_the_compiler_lays_out_can_be_written() -> None:
    m = physics.MjModel.from_xml_string(EVERYTHING)
    d = physics.MjData(m)
    assert len(LAID_OUT) > 150
    for f in LAID_OUT:
        values = getattr(m, f.name).copy()
        assert getattr(m, f.name).flags.writeable, f.name
        setattr(m, f.name, values)
        getattr(m, f.name)[...] = values
    physics.mj_step(m, d)


def test_what_the_engine_makes_for_itself_can_be_read_only(model: physics.MjModel) -> None:
    physics.mj_step(model, physics.MjData(model))
    for f in MODEL_INTERNAL:
        if f.laid_out and getattr(model, f.name).size:
            with pytest.raises(LaidOutError, match=f.name):
                setattr(model, f.name, 1)
            with pytest.raises(ValueError, match="read-only"):
                getattr(model, f.name)[...] = 1


@pytest.mark.parametrize(
    "write",
    [
        lambda m: m.geom_type.__setitem__(1, 6), lambda m: setattr(m, "geom_type", [0, 6, 7]),
        lambda m: setattr(m.geom("g"), "type", 6), lambda m: m.geom("g").type.fill(6),
        lambda m: np.copyto(m.geom_type[1:2], 6), lambda m: memoryview(m.geom_type).__setitem__(1, 6),
    ],
)  # fmt: skip
def test_the_next_call_follows_what_was_written(model: physics.MjModel, write: Callable[[physics.MjModel], None]) -> None:
    d = physics.MjData(model)
    physics.mj_step(model, d)
    write(model)
    physics.mj_resetData(model, d)
    physics.mj_forward(model, d)
    assert d.ncon == 4  # the corners of a box, not the point of a sphere
    assert model.geom_type.tolist() == [0, 6, 7]


def test_an_array_that_is_kept_can_be_written_again_and_again(model: physics.MjModel) -> None:
    d = physics.MjData(model)
    part = model.geom_type[1:]
    assert np.shares_memory(part, model.geom_type)
    for kind, contacts in ((6, 4), (2, 1), (6, 4)):
        part[0] = kind
        physics.mj_resetData(model, d)
        physics.mj_forward(model, d)
        assert d.ncon == contacts


def test_calls_look_only_while_a_program_has_an_array(model: physics.MjModel) -> None:
    d = physics.MjData(model)
    for _ in range(2):  # the first call binds the model, which reads arrays as programs do
        physics.mj_forward(model, d)
    assert not model.lock.due
    part = model.geom_type[1:]
    physics.mj_forward(model, d)
    assert set(model.lock.out) == {"geom_type"}
    del part
    model.geom("g").bodyid[0]
    physics.mj_forward(model, d)
    assert not model.lock.due
    assert not model.lock.out


def test_swapped_meshes_and_welds_are_those_of_the_reference() -> None:
    text = PAIR.replace("<actuator>", '<equality><weld body1="a"/></equality><actuator>')
    ends = []
    for engine in (physics, mujoco):
        m = engine.MjModel.from_xml_string(text)
        d = engine.MjData(m)
        engine.mj_step(m, d)
        m.geom_dataid[2], m.eq_obj1id[0] = m.mesh("other").id, m.body("b").id
        engine.mj_step(m, d, 20)
        ends.append(d.qpos.copy())
    np.testing.assert_allclose(*ends, rtol=0, atol=1e-9)


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)), lambda m: m.twin(),
                                  lambda m: m.shadow()])  # fmt: skip
def test_copies_have_what_was_written_and_are_checked_too(model: physics.MjModel, twin) -> None:
    model.geom_type[1] = 6
    other = twin(model)
    other.geom_type[1] = 99
    with pytest.raises(ModelError, match=r"geom_type\[1\] is 99"):
        physics.mj_step(other, physics.MjData(model))
    assert other.geom_type[1] == model.geom_type[1] == 6
    model.geom_type[1] = 99
    with pytest.raises(ModelError, match="geom_type has an unknown type"):
        twin(model)


def test_a_compiled_file_has_what_was_written_and_is_checked_too(model: physics.MjModel, tmp_path) -> None:
    model.geom_type[1] = 6
    physics.mj_saveModel(model, str(tmp_path / "m"), None)
    other = physics.MjModel.from_binary_path(str(tmp_path / "m"))
    assert other.geom_type.tolist() == [0, 6, 7]
    other.geom_type[1] = 99
    for call in (lambda: physics.MjData(other), lambda: physics.mj_getTotalmass(other)):
        other.geom_type[1] = 99
        with pytest.raises(ModelError, match=r"geom_type\[1\] is 99; it is as it was before"):
            call()


def test_kernels_that_run_go_on_with_the_arrays_that_they_have(model: physics.MjModel) -> None:
    d = physics.MjData(model)
    physics.mj_forward(model, d)
    run = model.bound
    assert run is not None
    model.geom_type[1] = 6
    physics.mj_forward(model, d)
    assert model.bound is not run
    assert run._arrays["geom_type"][1] == 2
    assert not np.shares_memory(model.geom_type, model._arrays["geom_type"])


def test_checks_of_some_fields_find_what_all_checks_find() -> None:
    """Which checks read which fields is a table: with a gap in it, a wrong number would be found in files alone."""
    dice, missed = random.Random(5), []
    for text in (EVERYTHING, seeds()["flexes"]):
        m = physics.MjModel.from_xml_string(text)
        for f in LAID_OUT:
            array = m._arrays[f.name].reshape(-1)
            for value in (-(2**31), -2, 2**31 - 1, dice.randint(0, 9)) if array.size else ():
                at = dice.randrange(array.size)
                before, array[at] = array[at], np.array(value).astype(array.dtype)
                if bool(next(m.strays(), "")) != bool(next(m.strays({f.name}), "")):
                    missed.append((f.name, at, value))
                array[at] = before
    assert missed == []


# ---------------------------------------------------------------- unlocked


def test_unlocked_layout_edit_equals_the_same_xml_edit(model: physics.MjModel) -> None:
    d = physics.MjData(model)
    physics.mj_step(model, d)
    with model.unlocked():
        model.geom("g").type = physics.mjtGeom.mjGEOM_BOX
    model.geom_rbound[model.geom("g").id] = 0.1 * 3**0.5
    expected = physics.MjModel.from_xml_string(PAIR.replace('type="sphere"', 'type="box"'))
    expected.body_inertia = model.body_inertia
    other = physics.MjData(expected)
    for m, data in ((model, d), (expected, other)):
        physics.mj_resetData(m, data)
        physics.mj_step(m, data, 3)
        assert data.ncon == 4
    np.testing.assert_allclose(d.qpos, other.qpos, rtol=0, atol=1e-12)  # two compilers' roundings of the same box


@pytest.mark.parametrize(
    ("field", "index", "value", "says"),
    [
        ("dof_parentid", 0, 5, "dof_parentid leads in a circle"),
        ("body_parentid", 1, 2, "body_parentid leads in a circle"),
        ("geom_bodyid", 0, 99, "geom_bodyid leads beyond nbody=3"),
        ("body_dofadr", 1, 1000, "body_dofadr leads beyond nv=7"),
        ("geom_dataid", 2, 2, "geom_dataid leads beyond the meshes"),
        ("geom_type", 1, 7, "geom_dataid of a mesh leads to none"),
        ("M_rowadr", 3, 7, "M_"),
        ("M_rowadr", 0, 1, r"do not follow one another: M_rowadr\[0\] is 1"),
        ("jnt_type", 1, 0, "leaves no room"),
        ("actuator_trnid", (0, 0), -1, "leads to nothing"),
        ("actuator_dyntype", 0, 1, "needs an activation"),
        ("dof_simplenum", 6, 2, "dof_simplenum leads beyond"),
        ("dof_treeid", 5, 1, "dof_treeid leads to another tree than tree_dofadr and tree_dofnum"),
        ("tree_dofnum", 0, 5, "tree_dofadr leads to dofs that do not follow one another"),
        ("dof_parentid", 6, 5, "dof_parentid leads to another tree"),
        ("mesh_graph", 0, 10**6, "is not a hull"),
    ],
)
def test_what_leads_nowhere_is_refused_and_taken_back(model: physics.MjModel, field: str, index, value: int, says: str) -> None:
    before = getattr(model, field).copy()
    d = physics.MjData(model)
    with pytest.raises(ModelError, match=says), model.unlocked():
        getattr(model, field)[index] = value
    np.testing.assert_array_equal(getattr(model, field), before)
    getattr(model, field)[index] = value
    with pytest.raises(ModelError, match=says):
        physics.mj_step(model, d)
    np.testing.assert_array_equal(getattr(model, field), before)
    physics.mj_step(model, d)


def test_nothing_runs_on_a_model_that_is_being_changed(model: physics.MjModel) -> None:
    d = physics.MjData(model)
    uses = (physics.mj_step, physics.mj_forward, physics.mj_setConst, physics.mj_resetData, physics.mj_kinematics)
    for use in (*(lambda f=f: f(model, d) for f in uses), lambda: physics.MjData(model)):
        with pytest.raises(ModelError, match="the model is being changed"), model.unlocked():
            use()
    physics.mj_step(model, d)


def test_a_block_that_raises_leaves_the_model_as_it_was(model: physics.MjModel) -> None:
    def fail() -> None:
        with model.unlocked(), model.unlocked():
            model.geom_type[1] = 6
            raise KeyError("mine")

    with pytest.raises(KeyError):
        fail()
    assert model.geom_type[1] == physics.mjtGeom.mjGEOM_SPHERE
    physics.mj_step(model, physics.MjData(model))


SOFT = [example.path for example in EXAMPLES if example.file in ("cloth.xml", "rope.xml")]
SOURCES = [seeds()["everything"], seeds()["flexes"], *SOFT, *GYM]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: getattr(source, "stem", "text"))
def test_all_that_is_compiled_leads_somewhere(source: str | Path) -> None:
    load_model = physics.MjModel.from_xml_path if isinstance(source, Path) else physics.MjModel.from_xml_string
    assert list(load_model(source).strays()) == []


@pytest.mark.parametrize(
    ("field", "index", "value"),
    [("flex_elem", 0, 999), ("flex_edge", (0, 1), -2), ("flex_vertbodyid", 1, -1), ("flex_dim", 0, 4), ("flex_vertnum", 0, 10**6),
     ("flexedge_J_colind", 0, 10**6)],
)  # fmt: skip
def test_flexes_that_lead_nowhere_are_refused(field: str, index, value: int) -> None:
    m = physics.MjModel.from_xml_string(seeds()["flexes"])
    assert getattr(m, field).size
    with pytest.raises(ModelError, match="cannot be laid out so"), m.unlocked():
        getattr(m, field)[index] = value


# ---------------------------------------------------------------- what may be written

RANDOM = """
import random
import numpy as np
from tumble import physics
from tumble.physics.state.fields import MODEL
from tests.fuzz.seeds import EVERYTHING, seeds

dice, done = random.Random(3), 0
for text in (EVERYTHING, seeds()["flexes"]):
    m = physics.MjModel.from_xml_string(text)
    d, kept = physics.MjData(m), {f.name: getattr(m, f.name).copy() for f in MODEL if f.open}
    for name, array in kept.items():
        for value in (dice.choice((-(2**31), -1, 2**31 - 1)), dice.randint(2, 99)):
            if not array.size:
                continue
            getattr(m, name)[...] = np.array(value).astype(array.dtype)
            physics.mj_resetData(m, d)
            physics.mj_step(m, d, 2)
            physics.mj_ray(m, d, np.zeros(3), np.ones(3), None, 1, -1, np.zeros(1, np.int32))
            getattr(m, name)[...] = array
            done += 1
print(done)
"""


def test_no_value_of_what_may_be_written_harms_a_step() -> None:
    assert int(run_in_child(RANDOM, 100)) > 60


def test_what_may_change_while_a_model_runs_may_be_written() -> None:
    arrays = [f for f in MODEL if f.shape and not f.dtype.startswith("f") and f.name not in INTERNAL]
    assert {f.name for f in arrays if rule(f.name).effect is not Effect.FIXED} <= {f.name for f in OPEN}
    assert {f.name for f in arrays if f.name in EDITABLE} <= {f.name for f in OPEN}


@pytest.mark.parametrize(("wrote", "has"), [(-5, 1), (0, 1), (2, 1), (5, 4), (7, 6), (2**31 - 1, 6)])
def test_dimensions_that_no_contact_has_become_fewer(model: physics.MjModel, wrote: int, has: int) -> None:
    d = physics.MjData(model)
    model.geom_condim = wrote
    physics.mj_forward(model, d)
    assert d.ncon > 0
    assert set(d.contact.dim.tolist()) == {has}


def test_rangefinder_writes_no_more_than_its_sensor_size() -> None:
    m, d = load("""<mujoco><worldbody><camera name="c" resolution="2 2"/><geom size="1" pos="0 0 -3"/></worldbody>
        <sensor><rangefinder camera="c" data="dist"/><clock/></sensor></mujoco>""")
    d.time = 5.0
    m.cam_resolution = 300
    physics.mj_forward(m, d)
    assert d.sensordata[-1] == 5.0


# ---------------------------------------------------------------- options

WRONG = [
    ("opt", "solver", 3, "valid are 0 PGS, 1 CG, 2 Newton"), ("opt", "cone", -1, "valid are 0 pyramidal, 1 elliptic"),
    ("opt", "jacobian", 9, "valid are 0 dense, 1 sparse, 2 auto"), ("opt", "integrator", 2**62, "valid are 0 Euler"),
    ("opt", "timestep", np.nan, "should be finite"), ("opt", "timestep", np.inf, "should be finite"),
    ("opt", "density", -np.inf, "should be finite"), ("opt", "gravity", [0, 0, np.nan], "should be finite"),
    ("opt", "o_solref", np.inf, "should be finite"), ("tumble", "threads", 0, "1 to 128 threads"),
    ("tumble", "threads", 129, "1 to 128 threads"), ("tumble", "contact_model", 2, "valid are 0 SOFT, 1 LCP"),
    ("tumble", "lcp_omega", 2.0, "between 0 and 2"), ("tumble", "lcp_sweeps", -1, "0 or more"),
]  # fmt: skip


@pytest.mark.parametrize(("group", "name", "value", "says"), WRONG)
def test_an_option_is_checked_where_it_is_set(model: physics.MjModel, group: str, name: str, value: object, says: str) -> None:
    for owner, attribute in ((getattr(model, group), name), (model, f"{group}_{name}")):
        before = np.copy(getattr(owner, attribute))
        with pytest.raises(MisfitError, match=rf"{name}=.*{says}"):
            setattr(owner, attribute, value)
        np.testing.assert_array_equal(getattr(owner, attribute), before)
    physics.mj_step(model, physics.MjData(model))


def test_what_the_reference_takes_without_harm_is_taken(model: physics.MjModel) -> None:
    d = physics.MjData(model)
    for name, value in (("timestep", 0.0), ("timestep", -0.01), ("impratio", 0.0), ("iterations", -1), ("tolerance", np.inf)):
        setattr(model.opt, name, value)
        physics.mj_step(model, d)
    assert np.isfinite(d.qpos).all()
