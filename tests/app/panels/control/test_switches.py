"""Equality constraints, actuator groups and noise in the control panel: live, undone, and the same again from the tape."""

import pytest
from PyQt6.QtWidgets import QDoubleSpinBox

from tests.app.conftest import open_and_wait
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.patch import make
from tumble.app.panels.control.generators import Generators, Shape
from tumble.app.panels.control.panel import ControlPanel

pytestmark = pytest.mark.pumped
XML = """<mujoco><worldbody>
<body name="lamp" pos="0 0 2"><freejoint/><geom size=".1"/></body>
<body name="a"><joint name="left" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
<body name="b" pos="0 1 0"><joint name="right" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
</worldbody>
<equality><weld body1="lamp"/><joint name="gear" joint1="left" joint2="right" active="false"/></equality>
<actuator><position name="p" joint="left" kp="9" group="1"/><motor joint="right" ctrlrange="-1 3" ctrllimited="true"/></actuator>
</mujoco>"""


@pytest.fixture
def panel(window, qtbot, tmp_path):
    path = tmp_path / "lamp.xml"
    path.write_text(XML)
    open_and_wait(qtbot, window.session, path)
    made = window.panels.control
    assert isinstance(made, ControlPanel)
    return made


def test_an_equality_is_switched_while_it_runs_undone_and_on_the_tape_bit_for_bit(panel, window, qtbot, pump):
    boxes = panel.equalities.boxes
    assert [box.text() for box in boxes] == ["weld: lamp \N{EN DASH} world", "gear"]
    assert [box.isChecked() for box in boxes] == [True, False]
    pump.run(0.2)
    boxes[0].click()
    pump.run(0.2)
    data = pump.simulation.data
    fell = data.qpos[2]
    assert fell < 1.9
    assert window.session.selection == 1  # what it held
    assert window.edits.stack.undoText().endswith("off")
    panel.equalities.all.click()
    pump.run(0.2)
    assert data.eq_active.all()  # none was on
    assert [box.isChecked() for box in boxes] == [True, True]
    window.edits.stack.undo()
    window.edits.stack.undo()
    pump.run(0.2)
    assert data.eq_active.tolist() == [1, 0]
    assert [box.isChecked() for box in boxes] == [True, False]
    end = pump.simulation.tape.now
    before = data.qpos.tobytes() + data.qvel.tobytes() + data.eq_active.tobytes()
    window.session.history.go(0)
    pump.obey()
    assert pump.simulation.tape.now == 0
    window.session.history.go(end)
    pump.obey()
    assert data.qpos.tobytes() + data.qvel.tobytes() + data.eq_active.tobytes() == before
    assert pump.simulation.tape.strayed == 0


def test_what_an_equality_held_asleep_wakes_when_it_is_switched_off(tmp_path, qtbot, window, pump):
    path = tmp_path / "hang.xml"
    path.write_text(XML.replace("<mujoco>", '<mujoco><option><flag sleep="enable"/></option>'))
    open_and_wait(qtbot, window.session, path)
    pump.run(0.01)
    pump.run_until(lambda: pump.simulation.data.tree_asleep[0] >= 0)
    window.session.set_equality(0, False)
    pump.run(0.1)
    assert pump.simulation.data.tree_asleep[0] < 0
    assert pump.simulation.data.qvel[2] < -0.5


def test_a_group_of_actuators_is_switched_off_undone_and_written_to_the_file(panel, window, pump):
    buttons = panel.groups.buttons
    assert [button.isEnabled() for button in buttons] == [True, True, False, False, False, False]
    window.session.set_ctrl(0, 1.0)
    pump.run(0.01)
    assert pump.simulation.data.actuator_force[0] > 1
    buttons[1].click()
    pump.run(0.01)
    assert pump.simulation.data.actuator_force[0] == 0
    assert not panel.rows[0].label.isEnabled()
    assert panel.rows[1].label.isEnabled()
    place = EditPlace("opt.disableactuator")
    assert window.edits.changes() == {place: ((0.0,), (2.0,))}
    assert window.session.path is not None
    patch = make(window.session.path, window.session.loaded_model, window.edits.changes())
    assert any(line.startswith("+") and 'actuatorgroupdisable="1"' in line for file in patch.files for line in file.diff())
    window.edits.stack.undo()
    assert buttons[1].isChecked()


def test_noise_is_that_of_simulate_on_all_controls_until_it_is_cleared(panel, window, pump):
    generators = window.session.part(Generators)
    fields = panel.noise.findChildren(QDoubleSpinBox)
    assert [field.accessibleName() for field in fields] == ["Noise: deviation", "Noise: memory"]
    panel.noise.deviation.setValue(0.5)
    noise = [generators.of(i) for i in range(2)]
    assert {generator.shape for generator in noise} == {Shape.NOISE}
    assert [(n.offset, n.amplitude, n.memory) for n in noise] == [(0.0, 0.5, 0.1), (1.0, 1.0, 0.1)]  # about the middle of -1 to 3
    pump.run(0.1)
    assert (pump.simulation.data.ctrl != 0).all()
    panel.clear.click()
    pump.run(0.01)
    assert (pump.simulation.data.ctrl == 0).all()
    assert panel.noise.deviation.value() == 0
