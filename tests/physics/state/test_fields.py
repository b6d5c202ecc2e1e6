"""The table of fields is complete and true, and the memory made from it behaves."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

from tests.physics.reference import mirror_model, option, posed
from tests.physics.state.kinds import KINDS
from tumble import physics
from tumble.physics.errors import ModelError
from tumble.physics.state import enums
from tumble.physics.state.data import Data
from tumble.physics.state.fields import DATA, MODEL
from tumble.physics.state.fields.scratch import SCRATCH
from tumble.physics.state.model import Model

# The reference's Python shows these as bytes, not as arrays.
BYTES = {"names", "paths", "text_data", "plugin_attr"}
# Its threads and its loadable plugins: nothing a simulation is made of.
MACHINERY = {"maxuse_threadstack", "plugin", "plugin_data"}


@pytest.fixture(scope="module")
def reference():
    model, data = posed(KINDS, mujoco)
    assert data.ncon > 0
    return model, data


@pytest.fixture
def pair():
    m = mirror_model(mujoco.MjModel.from_xml_string(KINDS))
    return m, Data(m)


def test_every_field_says_what_it_is():
    silent = [f.name for f in (*MODEL, *DATA) if not f.doc]
    silent += [f.name for f in (*MODEL, *DATA) if not f.unit and f not in SCRATCH]  # working memory holds what a stage needs
    assert not silent


def grouped(holder, name):
    return option(holder, name) if name.startswith(("opt_", "stat_", "vis_")) else getattr(holder, name, None)


def test_model_fields_have_the_type_and_shape_of_the_reference(reference):
    theirs, ours = reference[0], mirror_model(reference[0])
    compared = 0
    for f in MODEL:
        value = grouped(theirs, f.name)
        if value is None or f.name in BYTES or np.size(value) == 0:
            continue
        mine = grouped(ours, f.name)
        assert np.shape(mine) == np.shape(value), f.name
        if f.shape:
            assert mine.dtype.itemsize == value.dtype.itemsize, f.name
            assert mine.dtype.kind == value.dtype.kind or value.dtype.kind == "b", f.name  # a few bytes show as bool
        else:
            assert isinstance(mine, float) == isinstance(value, float | np.floating), f.name
        compared += 1
    assert compared > 400


def test_every_array_of_the_reference_is_declared(reference):
    for holder, fields in zip(reference, (MODEL, DATA), strict=True):
        declared = {f.name for f in fields}
        theirs = {n for n in dir(holder) if n[0] != "_" and isinstance(getattr(holder, n), np.ndarray)}
        assert theirs <= declared | MACHINERY, sorted(theirs - declared)


def test_data_fields_have_the_type_and_shape_of_the_reference(reference):
    ours, theirs = Data(mirror_model(reference[0])), reference[1]
    for name in ("ncon", "nefc", "ne", "nf", "nl", "nJ", "nisland", "nidof", "nA"):
        ours.put_number(name, getattr(theirs, name))
    compared = 0
    for f in DATA:
        value = getattr(theirs, f.name, None)
        if isinstance(value, np.ndarray) and f.shape and not f.name.startswith(("efc_J", "iefc_J", "efc_AR")):
            mine = getattr(ours, f.name)
            if f.used != "nisland":  # room for islands is not counted the same way
                assert mine.shape == value.shape, f.name
            assert mine.dtype.itemsize == value.dtype.itemsize, f.name
            compared += 1
    assert compared > 100


def test_assigning_an_array_copies_in_place(pair):
    m, d = pair
    view, address = d.qpos, d.qpos.ctypes.data
    d.qpos = np.arange(m.nq)
    assert d.qpos.ctypes.data == address
    assert view[3] == 3.0
    d.qpos = 7
    assert view[3] == 7.0
    with pytest.raises(ModelError, match=r"qpos has shape \(13,\), the value has shape \(2,\)"):
        d.qpos = [1, 2]


def test_growing_keeps_what_is_stored(pair):
    _, d = pair
    d.inner.ncon = 2
    d.contact_pos[:] = [[1, 2, 3], [4, 5, 6]]
    before = d.maxcon
    d.grow("maxcon", before + 1)
    assert d.maxcon >= 2 * before
    assert d.contact.pos.tolist() == [[1, 2, 3], [4, 5, 6]]
    d.inner.nefc = 3
    d.efc_force[:] = [1, 2, 3]
    d.grow("maxefc", d.maxefc + 1)
    assert d.efc_force.tolist() == [1, 2, 3]
    assert len(d._arrays["efc_J"]) == d.maxefc * d.model.nv


def test_groups_name_what_they_have(pair):
    m, d = pair
    with pytest.raises(AttributeError, match="no attribute 'timestop'; there are: timestep, impratio"):
        _ = m.opt.timestop
    with pytest.raises(AttributeError, match="there are: timestep"):
        m.opt.timestop = 1
    m.opt.timestep = 0.25
    assert m.opt_timestep == 0.25
    with pytest.raises(AttributeError, match="there are: dist, pos"):
        _ = d.contact.distance
    d.inner.ncon = 1
    d.contact[0].dist = 0.5
    assert d.contact.dist[0] == d.contact[-1].dist == 0.5
    with pytest.raises(IndexError, match="index 1 of 1"):
        d.contact[1]
    with pytest.raises(AttributeError, match="there are: dist"):
        _ = d.contact[0].distance


def test_unknown_sizes_are_refused():
    with pytest.raises(ValueError, match="not a size of a model: nbodies"):
        Model({"nbodies": 3})


OURS = [value for name, value in vars(enums).items() if name.startswith("mjt")]


@pytest.mark.parametrize("ours", OURS, ids=lambda e: e.__name__)
def test_members_are_the_references(ours):
    theirs = getattr(mujoco, ours.__name__)
    assert {name: int(value) for name, value in ours.__members__.items()} == {
        name: int(value) for name, value in theirs.__members__.items()
    }
    assert [(str(ours(int(value))), repr(ours(int(value)))) for value in theirs.__members__.values()] == [
        (str(value), repr(value)) for value in theirs.__members__.values()
    ]


def test_a_member_prints_as_its_name_and_computes_as_a_number():
    hinge = physics.mjtJoint.mjJNT_HINGE
    assert f"{hinge}" == str(hinge) == "mjtJoint.mjJNT_HINGE"
    assert f"{hinge:2d}" == " 3"
    assert (hinge.name, hinge.value, hinge + 1, [*"abcd"][hinge]) == ("mjJNT_HINGE", 3, 4, "d")
    assert physics.mjtJoint(value=3) is copy.deepcopy(hinge) is pickle.loads(pickle.dumps(hinge)) is hinge
    with pytest.raises(ValueError, match="17"):
        physics.mjtJoint(17)
