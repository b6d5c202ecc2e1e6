"""What the compiler lays out can be read only, what programs may write leads no kernel astray, and options are checked."""

import copy
import pickle
from pathlib import Path

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
from tumble.physics.errors import LaidOutError, MisfitError, ModelError, PhysicsError
from tumble.physics.state.export.references import strays
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL

INTERNAL = {f.name for f in MODEL_INTERNAL}
LAID_OUT = [f for f in MODEL if f.laid_out and f.name not in ("names", "paths")]  # these are bytes, and checked as such
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


# ---------------------------------------------------------------- read only


def test_whatever_the_compiler_lays_out_can_be_read_only() -> None:
    m = physics.MjModel.from_xml_string(EVERYTHING)
    physics.mj_step(m, physics.MjData(m))  # now it is bound: what kernels keep in it as well
    assert len(LAID_OUT) > 150
    for f in LAID_OUT:
        before = getattr(m, f.name).copy()
        with pytest.raises(LaidOutError, match=f.name):
            setattr(m, f.name, 1)
        with pytest.raises(ValueError, match="read-only"):
            getattr(m, f.name)[...] = 1
        np.testing.assert_array_equal(getattr(m, f.name), before)


def test_the_error_is_a_value_error_and_says_how_to_write(model: physics.MjModel) -> None:
    way = r"`with m\.unlocked\(\): m\.dof_parentid\[\.\.\.\] = "
    with pytest.raises(ValueError, match=f"dof_parentid is laid out .* {way}") as caught:
        model.dof_parentid = 2
    assert isinstance(caught.value, PhysicsError)
    assert physics.mj_step(model, physics.MjData(model)) is None  # which went in circles


def test_views_of_elements_are_read_only_too(model: physics.MjModel) -> None:
    with pytest.raises(LaidOutError, match="geom_type"):
        model.geom("g").type = 6
    with pytest.raises(ValueError, match="read-only"):
        model.geom("g").type[0] = 6
    with pytest.raises(LaidOutError):
        model.joint("j").bodyid = 0
    model.geom("g").group = 3
    assert model.geom_group[model.geom("g").id] == 3


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)), lambda m: m.twin(),
                                  lambda m: m.shadow()])  # fmt: skip
def test_copies_are_locked_as_well(model: physics.MjModel, twin) -> None:
    with pytest.raises(LaidOutError):
        twin(model).geom_type = 2


def test_a_compiled_file_is_locked(model: physics.MjModel, tmp_path) -> None:
    physics.mj_saveModel(model, str(tmp_path / "m"), None)
    with pytest.raises(LaidOutError):
        physics.MjModel.from_binary_path(str(tmp_path / "m")).geom_type = 2


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
    with pytest.raises(LaidOutError):
        model.geom_type = 2


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
        ("jnt_type", 1, 0, "leaves no room"),
        ("actuator_trnid", (0, 0), -1, "leads to nothing"),
        ("actuator_dyntype", 0, 1, "needs an activation"),
        ("dof_simplenum", 6, 2, "dof_simplenum leads beyond"),
        ("mesh_graph", 0, 10**6, "is not a hull"),
    ],
)
def test_what_leads_nowhere_is_refused_and_taken_back(model: physics.MjModel, field: str, index, value: int, says: str) -> None:
    before = getattr(model, field).copy()
    with pytest.raises(ModelError, match=says), model.unlocked():
        getattr(model, field)[index] = value
    np.testing.assert_array_equal(getattr(model, field), before)
    physics.mj_step(model, physics.MjData(model))


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
    with pytest.raises(LaidOutError):
        model.geom_type = 2


SOFT = [example.path for example in EXAMPLES if example.file in ("cloth.xml", "rope.xml")]
SOURCES = [seeds()["everything"], seeds()["flexes"], *SOFT, *GYM]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: getattr(source, "stem", "text"))
def test_all_that_is_compiled_leads_somewhere(source: str | Path) -> None:
    load_model = physics.MjModel.from_xml_path if isinstance(source, Path) else physics.MjModel.from_xml_string
    assert list(strays(load_model(source))) == []


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
