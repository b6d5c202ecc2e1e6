"""A compiled model opens in the window as any other model; only its text cannot be changed."""

import numpy as np
import pytest

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics
from tumble.app.session.loader import take_first_look
from tumble.app.shell.drops import choose

pytestmark = pytest.mark.pumped


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "arm.tumble-model"
    physics.mj_saveModel(physics.MjModel.from_xml_path(str(MODELS / "arm.xml")), str(path))
    return path


def test_it_runs_as_the_model_that_was_saved(session, saved, qtbot, pump):
    open_and_wait(qtbot, session, saved)
    pump.run(0.2)
    model = physics.MjModel.from_xml_path(str(MODELS / "arm.xml"))
    data = physics.MjData(model)
    snapshot = session.snapshot
    physics.mj_step(model, data, round(snapshot.time / model.opt.timestep))
    assert data.time > 0
    np.testing.assert_array_equal(snapshot.qpos, data.qpos)


def test_it_is_read_again_where_its_file_has_changed(session, saved, qtbot):
    open_and_wait(qtbot, session, saved)
    known = dict(session.model.files)
    assert list(known) == [str(saved)]
    session.read_again(known)
    with qtbot.waitSignal(session.model_loaded):
        changed = physics.MjModel.from_binary_path(saved)
        changed.opt.timestep = 0.0012
        physics.mj_saveModel(changed, str(saved))
        session.read_again(known)
    assert session.model.opt.timestep == 0.0012


def test_what_can_be_shown_before_kernels_are_there_is_its_initial_pose(saved):
    first, again = take_first_look(saved), take_first_look(MODELS / "arm.xml")
    np.testing.assert_array_equal(first.frame.geom_xpos, again.frame.geom_xpos)


def test_it_is_chosen_among_what_is_dropped(saved):
    assert choose([saved.with_name("notes.txt"), saved]).model == saved
