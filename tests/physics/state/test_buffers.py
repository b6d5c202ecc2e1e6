"""A buffer that grows is declared once: capacities, needs, growth and what a reset keeps follow from one table."""

import mujoco
import pytest

from tests.physics.reference import mirror_model
from tests.physics.state.kinds import KINDS
from tumble.physics.errors import ModelError
from tumble.physics.run.reset import mj_resetData
from tumble.physics.run.room import lacks_room
from tumble.physics.state.data import Data
from tumble.physics.state.fields import DATA
from tumble.physics.state.fields.buffers import BUFFERS, BY_CAPACITY, Growth
from tumble.physics.step.forward import is_short

GROWING = [buffer for buffer in BUFFERS if buffer.growth is not None]


@pytest.fixture
def d():
    return Data(mirror_model(mujoco.MjModel.from_xml_string(KINDS)))


@pytest.mark.parametrize("buffer", GROWING, ids=lambda buffer: buffer.capacity)
def test_a_buffer_grows_to_what_is_asked_for(d, buffer):
    d.inner.record_limit = 10**6
    target = getattr(d, buffer.capacity) + 3
    d.inner.needJ = target * d.model.nv
    d.grow(buffer.capacity, target + (buffer.capacity == "maxlane"))  # that asks for threads, the first of which needs none
    assert getattr(d, buffer.capacity) >= target
    for f in DATA:
        if buffer.capacity in f.shape:
            assert d._arrays[f.name].shape[f.shape.index(buffer.capacity)] == getattr(d, buffer.capacity), f.name


def test_a_reset_keeps_the_room_and_forgets_who_asked_for_it(d):
    for buffer in GROWING[:2]:
        d.inner.needJ = 1000 * d.model.nv
        d.grow(buffer.capacity, 1000)
        d.put_number(buffer.need, 7)
    rooms = {buffer.capacity: getattr(d, buffer.capacity) for buffer in BUFFERS}
    mj_resetData(d.model, d)
    assert {buffer.capacity: getattr(d, buffer.capacity) for buffer in BUFFERS} == rooms
    assert [buffer.need for buffer in GROWING if getattr(d, buffer.need)] == []


def test_what_does_not_grow_by_itself_says_so(d):
    with pytest.raises(ValueError, match="maxisland does not grow by itself"):
        d.grow("maxisland", 10)


WORDS = {
    "maxcon": "no room for 9 contacts: {}; contype, conaffinity and <exclude> keep apart what need not collide",
    "maxefc": "no room for 9 constraint rows of {nv} dofs: {}; fewer or frictionless (condim) contacts need fewer rows, and so "
              "does cone elliptic",
    "maxA": "no room for the matrix efc_AR of 3 constraint rows: {}; solver Newton or CG has no such matrix",
    "maxH": "no room for the Hessian of {nv} dofs: {}; solver CG has no such matrix",
    "maxD": "no room for the Jacobian of an island: {}; jacobian dense has no such copy",
    "maxL": "no room for 9 entries of lcp_half: {}; fewer contacts need fewer",
    "maxlane": "no room for 9 threads: {}; fewer (m.tumble.threads) need less",
}  # fmt: skip


@pytest.mark.parametrize("capacity", WORDS)
def test_out_of_memory_error_says_what_would_need_less(d, capacity, monkeypatch):
    def refuse(name, value):
        raise ModelError("none left")

    monkeypatch.setattr(d, "_grow", refuse)
    with pytest.raises(ModelError) as caught:
        d.grow(capacity, 9)
    assert str(caught.value) == WORDS[capacity].replace("{}", "none left").replace("{nv}", str(d.model.nv))


def test_a_record_that_finds_no_memory_ends_where_it_is(d, monkeypatch, caplog):
    def refuse(name, value):
        raise ModelError("none left")

    d.inner.record_limit = 100
    monkeypatch.setattr(d, "_grow", refuse)
    d.grow("maxR", 50)
    assert d.record_limit == d.maxR
    assert caplog.messages == ["no memory for more iterations of the solver to be recorded: none left"]


def test_buffer_grows_to_the_minimum_when_memory_is_short(d, monkeypatch):
    tried = []

    def refuse_the_first(name, value):
        tried.append(value)
        if len(tried) == 1:
            raise ModelError("none left")

    monkeypatch.setattr(d, "_grow", refuse_the_first)
    d.grow("maxcon", 40)
    growth = BY_CAPACITY["maxcon"].growth({"maxcon": d.maxcon}, 40)
    assert isinstance(growth, Growth)
    assert tried == [growth.capacities["maxcon"][1], 40]


NEEDS = [buffer.need for buffer in BUFFERS if buffer.need] + ["needcollide"]


@pytest.fixture(scope="module")
def data():
    return Data(mirror_model(mujoco.MjModel.from_xml_string(KINDS)))


def test_a_step_that_lacks_nothing_goes_on(data):
    assert not is_short(data)  # the kernel's Python form
    assert not lacks_room(data)


@pytest.mark.parametrize("need", NEEDS)
def test_a_step_stops_for_whatever_a_stage_asks_for(data, need):
    data.put_number(need, 1)
    try:
        assert is_short(data)
        assert lacks_room(data)
    finally:
        data.put_number(need, 0)
