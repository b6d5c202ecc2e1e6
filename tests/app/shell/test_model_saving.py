"""Save as MJCF: the model as it is now, edits and keyframes included, in one file that gives the same model."""

import numpy as np
import pytest

from tests.app.conftest import open_and_wait
from tests.app.replay.test_replay import write_heap
from tumble import physics
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.editing.keyframes import Keyframes
from tumble.app.library.examples import EXAMPLES
from tumble.app.shell import file_choice

pytestmark = pytest.mark.pumped


def saved(window, qtbot, pump, output, monkeypatch):
    """The model in the file that Ctrl+S writes, for which the user chooses this name."""
    monkeypatch.setattr(file_choice.QFileDialog, "getSaveFileName", lambda *args: (str(output), ""))
    said = []
    window.model_saving.said.connect(said.append)
    window.actions_by_name["save_model"].trigger()
    pump.obey()
    qtbot.waitUntil(lambda: any(text.startswith("Saved") for text in said))
    return physics.MjModel.from_xml_path(str(output))


def test_edits_and_new_keyframes_are_in_it_and_all_else_is_as_it_was(window, qtbot, pump, tmp_path, monkeypatch):
    session, path = window.session, write_heap(tmp_path / "model")
    session.set_paused(True)
    open_and_wait(qtbot, session, path)
    before = path.read_bytes()
    edits, keyframes = session.part(Edits), session.part(Keyframes)
    edits.set(EditPlace("geom_friction", 1), (0.3, 0.01, 0.0002), "friction")
    edits.set(EditPlace("opt.timestep"), (0.0015,), "time step")
    session.step(30)
    pump.obey()
    session.look()
    keyframes.save("rest")
    assert window.unsaved.text() == "3 unsaved changes"
    (tmp_path / "elsewhere").mkdir()
    again = saved(window, qtbot, pump, tmp_path / "elsewhere" / "all.xml", monkeypatch)
    assert window.viewport.error == ""  # which would say in what it differs
    assert again.geom_friction[1].tolist() == [0.3, 0.01, 0.0002]
    assert again.opt.timestep == 0.0015
    np.testing.assert_allclose(again.key("rest").qpos, session.snapshot.qpos, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(again.tex_data, session.model.tex_data)  # found from another folder
    assert path.read_bytes() == before
    assert edits.count == 2  # the model's own file still lacks them
    assert edits.unsaved == 0
    assert not window.unsaved.isVisible()

    # What a file cannot say is named, and the file of the model is not overwritten by its own text.
    edits.set(EditPlace("geom_rbound", 1), (9.0,), "bound")
    saved(window, qtbot, pump, tmp_path / "elsewhere" / "less.xml", monkeypatch)
    assert "differs from what runs" in window.viewport.error
    assert "geom_rbound" in window.viewport.error
    window.hide_error()
    window.model_saving.save(path)
    pump.obey()
    qtbot.waitUntil(lambda: "is a file of the model that runs" in window.viewport.error)


def test_the_assets_of_a_bundled_scene_go_along(window, qtbot, pump, tmp_path, monkeypatch):
    window.session.set_paused(True)
    path = next(e.path for e in EXAMPLES if e.path.stem == "metronomes")
    open_and_wait(qtbot, window.session, path)
    again = saved(window, qtbot, pump, tmp_path / "mine.xml", monkeypatch)
    assert window.viewport.error == ""
    assert again.nbody == window.session.model.nbody
    assert str(path.parent) not in (tmp_path / "mine.xml").read_text()
