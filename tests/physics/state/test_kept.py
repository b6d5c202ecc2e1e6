"""Data's whole numbers, which kernels follow, are not written from Python, by no way; what programs write goes on working."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from tumble import physics
from tumble.physics import MjData, MjModel
from tumble.physics.errors import ArgumentError, LaidOutError, ModelError
from tumble.physics.state.data import LOCKED
from tumble.physics.state.fields import DATA

SCENE = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 .1"/>
  <body pos="0 0 .095"><freejoint/><geom size=".1"/></body>
  <body pos=".5 0 .09"><joint type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def pair() -> tuple[MjModel, MjData]:
    m = MjModel.from_xml_string(SCENE)
    d = MjData(m)
    physics.mj_step(m, d, 5)
    assert d.ncon == 2
    return m, d


@pytest.mark.parametrize("name", sorted(LOCKED))
def test_what_kernels_follow_is_read_only(pair: tuple[MjModel, MjData], name: str) -> None:
    _, d = pair
    now = copy.copy(getattr(d, name))
    if np.ndim(now) and not np.size(now):  # a copy of nothing
        return
    with pytest.raises(LaidOutError, match=f"{name} is (kept|computed) by the engine"):
        setattr(d, name, np.asarray(now) + 10**6 if np.ndim(now) else now + 10**6)
    if np.ndim(now):
        array = getattr(d, name)
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 10**6
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
        base = array.base
        while isinstance(base, np.ndarray):
            assert not base.flags.writeable
            base = base.base
    assert np.array_equal(getattr(d, name), now)


def test_no_other_whole_number_is_followed() -> None:
    """What can be written is listed here, so that a new field is thought about."""
    written = {f.name for f in DATA if not f.dtype.startswith("f")} - LOCKED
    assert written == {
        "ncon", "ne", "nf", "nl", "nefc", "maxuse_con", "maxuse_efc", "flg_energypos", "flg_energyvel", "flg_subtreevel",
        "flg_rnepost", "warning_lastinfo", "warning_number", "timer_number", "solver_niter", "solver_nnz", "solverstat_nactive",
        "solverstat_nchange", "solverstat_neval", "solverstat_nupdate", "eq_active", "tree_asleep", "bvh_active",
        "contact_exclude", "efc_state", "failed",
    }  # fmt: skip


def test_counts_can_only_be_lowered(pair: tuple[MjModel, MjData]) -> None:
    m, d = pair
    for value in (3, -1, 10**6):
        with pytest.raises(LaidOutError, match=r"ncon .* can become less than it is, 2, and no more"):
            d.ncon = value
    d.ncon = 0
    physics.mj_forward(m, d)
    assert d.ncon == 2


def test_a_tree_that_sleeps_with_none_is_refused(pair: tuple[MjModel, MjData]) -> None:
    m, d = pair
    d.tree_asleep[1] = 2
    with pytest.raises(ModelError, match=r"tree_asleep is negative, or .* below 2"):
        physics.mj_step(m, d)
    d.tree_asleep[1] = -1
    physics.mj_step(m, d)


@pytest.mark.parametrize(
    "write",
    [
        lambda d: setattr(d.contact[0], "dim", 5), lambda d: setattr(d.contact[1], "geom1", 9),
        lambda d: setattr(d.contact, "geom", 9), lambda d: setattr(d.contact[0], "efc_address", 99),
        lambda d: setattr(d.contact[:1], "geom2", 9), lambda d: setattr(d.contact[0], "geom", (-1, 0)),
    ],
)  # fmt: skip
def test_a_contact_that_was_written_is_looked_at_before_a_kernel_follows_it(
    pair: tuple[MjModel, MjData], write: Callable[[MjData], None]
) -> None:
    m, d = pair
    write(d)
    with pytest.raises(ArgumentError, match=r"^contact: "):
        physics.mj_fwdVelocity(m, d)
    assert d.ncon == d.nefc == 0
    physics.mj_step(m, d)
    assert d.ncon == 2


def test_a_contact_may_be_given_to_other_geoms(pair: tuple[MjModel, MjData]) -> None:
    m, d = pair
    d.contact[1].geom = 0, 1
    d.contact[0].geom2, d.contact.dim = 2, 1
    physics.mj_makeConstraint(m, d)
    assert d.contact.geom.tolist() == [[0, 2], [0, 1]]
    with pytest.raises(ValueError, match="read-only"):
        d.contact.geom[0] = 2


def test_numbers_of_contacts_and_rows_are_written_between_stages(pair: tuple[MjModel, MjData]) -> None:
    m, d = pair
    physics.mj_fwdPosition(m, d)
    physics.mj_fwdVelocity(m, d)
    d.contact[0].dist, d.contact[0].exclude = -0.01, 0
    d.contact[1].friction[:] = 0.5
    d.efc_aref[:] = 0
    physics.mj_fwdActuation(m, d)
    physics.mj_fwdAcceleration(m, d)
    physics.mj_fwdConstraint(m, d)
    assert np.isfinite(d.qacc).all()


def test_copies_and_pickles_have_all_of_it(pair: tuple[MjModel, MjData]) -> None:
    m, d = pair
    for other in (copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
        assert np.array_equal(other.contact.geom, d.contact.geom)
        assert np.array_equal(other.tree_asleep, d.tree_asleep)
        physics.mj_step(m, other, 3)
    alone = pickle.loads(pickle.dumps(d.contact))
    alone[0].dim = 6  # a list of its own


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("dim", 5, "dim is 1, 3, 4 or 6, not 5"),
        ("geom", (0, 7), "geom2 should be from 0 to 2, not 7"),
        ("geom", (-1, 1), "flex 1, where geom1 is -1, should be from 0"),
        ("efc_address", 10**6, "efc_address should be from -1"),
    ],
)
def test_a_contact_of_what_is_not_there_is_not_added(
    pair: tuple[MjModel, MjData], field: str, value: object, words: str
) -> None:
    m, d = pair
    con = copy.copy(d.contact[0])
    setattr(con, field, value)
    with pytest.raises(ArgumentError, match=words):
        physics.mj_addContact(m, d, con)
    assert d.ncon == 2


def set_dtype(array: np.ndarray) -> None:
    array.dtype = np.dtype(np.uint8)  # eight times as many


def set_shape(array: np.ndarray) -> None:
    array.shape = (1, array.size)


def set_strides(array: np.ndarray) -> None:
    array.strides = (0,) * array.ndim


@pytest.mark.parametrize("change", [set_dtype, set_shape, set_strides])
@pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")
def test_setting_type_or_shape_of_an_array_changes_one_view(
    pair: tuple[MjModel, MjData], change: Callable[[np.ndarray], None]
) -> None:
    m, d = pair
    state, mass, gravity = d.qpos.copy(), m.body_mass.copy(), m.opt.gravity.copy()
    for array in (d.qpos, d.xpos, d.qM, d.contact.dist, m.body_mass, m.body_pos, m.opt.gravity):
        change(array)
    other, twin = copy.copy(d), copy.copy(m)
    assert np.array_equal(other.qpos, state)
    assert np.array_equal(twin.body_mass, mass)
    assert np.array_equal(twin.opt.gravity, gravity)
    physics.mj_step(m, d)
    physics.mj_step(twin, other)
    assert np.array_equal(d._arrays["qpos"], other.qpos)


@pytest.mark.parametrize("kind", [0, 1])
def test_base_of_an_array_that_can_be_written_has_none_that_cannot(pair: tuple[MjModel, MjData], kind: int) -> None:
    block = copy.copy(pair[kind])
    locked = {name: array for name, array in block._arrays.items() if name in block._locked and array.size}
    reach = {id(base): base for name in block._arrays.keys() - block._locked if (base := getattr(block, name).base) is not None}
    assert locked
    assert reach
    assert [name for name, array in locked.items() if any(np.may_share_memory(array, base) for base in reach.values())] == []


def without(name: str) -> Callable[[dict[str, object]], object]:
    return lambda values: values.pop(name)


def with_value(name: str, value: object) -> Callable[[dict[str, object]], object]:
    return lambda values: values.update({name: value})


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (1, with_value("ncon", 10**6)), (1, with_value("nefc", -1)), (1, with_value("maxcon", 1)),
        (1, with_value("contact_geom", np.full((2, 2), 10**6, np.int32))), (1, with_value("qpos", np.zeros(1))),
        (1, with_value("qpos", "text")), (1, with_value("body_awake_ind", np.full(3, 10**6, np.int32))), (1, without("qvel")),
        (1, with_value("time", None)), (1, with_value("more", 1)),
        (0, with_value("nq", 10**6)), (0, with_value("body_mass", np.zeros(1))), (0, without("geom_size")),
        (0, with_value("body_parentid", np.full(3, 10**6, np.int32))), (0, with_value("opt_solver", 99)),
    ],
)  # fmt: skip
def test_a_state_is_taken_as_it_was_pickled_or_not_at_all(
    pair: tuple[MjModel, MjData], kind: int, change: Callable[[dict[str, object]], object]
) -> None:
    m, d = pair
    values, digest = pair[kind].__reduce__()[2]
    change(values)
    before = d.qpos.copy()
    for state in ((values, digest), values, (values, b""), None):
        with pytest.raises(ModelError, match=r"^this is not the state of Mj(Model|Data) as pickled"):
            pair[kind].__setstate__(state)
    assert np.array_equal(d.qpos, before)
    physics.mj_step(m, d)


def test_the_state_of_data_of_another_model_is_refused(pair: tuple[MjModel, MjData]) -> None:
    other = MjModel.from_xml_string(SCENE.replace('<geom size=".1"/></body></worldbody>', "</body></worldbody>").replace(
        '<joint type="slide" axis="0 0 1"/>', '<geom size=".2"/>'))  # fmt: skip
    for block, foreign in zip(pair, (other, MjData(other)), strict=True):
        with pytest.raises(ModelError, match=r"^this is not the state of"):
            block.__setstate__(foreign.__reduce__()[2])


def test_a_state_with_no_number_among_whole_ones_is_refused() -> None:
    m = MjModel.from_xml_string(
        '<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body></worldbody>'
        '<equality><weld body1="a"/></equality></mujoco>'
    )
    d = MjData(m)
    with pytest.raises(ArgumentError, match="eq_active is 0 or 1"):
        physics.mj_setState(m, d, np.array([np.nan]), int(physics.mjtState.mjSTATE_EQ_ACTIVE))
