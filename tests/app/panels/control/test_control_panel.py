"""Controls that move by themselves to the bit, constraints and groups that are switched, and rows that outlast a reload."""

import math

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QDoubleSpinBox

from tests.app.conftest import MODELS, open_and_wait, written
from tests.app.simulation.test_correspondence import loaded
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.patch import make
from tumble.app.library.examples import EXAMPLES
from tumble.app.panels.control.control_panel import ControlPanel
from tumble.app.panels.control.generators import Generators
from tumble.app.simulation.commands import SetDriver, SetEquality
from tumble.app.simulation.generators import BLOCK, Generator, GeneratorDriver, NoisePath, Shape
from tumble.app.simulation.hooks import DriverSlot
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange

ARM = MODELS / "arm.xml"


class Witness:
    """A driver that comes last and notes what each step is taken with."""

    def __init__(self):
        self.seen = []

    def begin(self, model, data):
        pass

    def write_inputs(self, model, data):
        self.seen.append((float(data.time), float(data.ctrl[0])))

    def end(self):
        pass


def driven(generator, steps):
    sim, witness = Simulation(), Witness()
    model, data = loaded(ARM.read_text())
    sim.adopt(model, data, Exchange(data))
    for slot, driver in ((DriverSlot.CONTROLLER, witness), (DriverSlot.GENERATORS, GeneratorDriver({0: generator}))):
        SetDriver(slot, driver).apply(sim)
    sim.step(steps)
    return witness.seen


def test_every_step_is_taken_with_the_value_of_its_time():
    sine = driven(Generator(Shape.SINE, 0.1, 0.5, 3.0, 0.7), 300)
    assert len(sine) == 300
    assert all(ctrl == 0.1 + 0.5 * math.sin(2 * math.pi * 3.0 * time + 0.7) for time, ctrl in sine)
    square = driven(Generator(Shape.SQUARE, 0.0, 1.0, 2.5), 401)
    assert [ctrl for _, ctrl in square[50::100]] == [1, -1, 1, -1]  # in the middle of each half period of 0.2 s
    step = driven(Generator(Shape.STEP, -0.25, 1.0, start=0.1), 100)
    assert next(k for k, (_, ctrl) in enumerate(step) if ctrl == 0.75) in (50, 51)  # 0.1 s, rounded to either side
    assert {ctrl for _, ctrl in step} == {-0.25, 0.75}


def test_the_range_of_the_actuator_holds():
    assert {ctrl for _, ctrl in driven(Generator(Shape.SQUARE, 0.0, 9.0, 5.0), 200)} == {-1.5, 1.5}


def test_noise_is_a_function_of_seed_actuator_and_step():
    path = NoisePath(7, 0, 0.002, 0.1)
    ahead = [path.at(k) for k in range(3 * BLOCK)]
    assert [NoisePath(7, 0, 0.002, 0.1).at(k) for k in (5, 2 * BLOCK + 1, BLOCK - 1, 0)] == [
        ahead[5], ahead[2 * BLOCK + 1], ahead[BLOCK - 1], ahead[0],
    ]  # fmt: skip
    assert NoisePath(8, 0, 0.002, 0.1).at(5) != ahead[5] != NoisePath(7, 1, 0.002, 0.1).at(5)


def test_noise_has_requested_deviation_and_memory_over_blocks():
    timestep, memory = 0.01, 0.05
    path = NoisePath(1, 0, timestep, memory)
    x = np.array([path.at(k) for k in range(50 * BLOCK)])
    # 200,000 samples of which every 10th is independent: the errors of mean and deviation are below 1 %.
    assert abs(x.mean()) < 0.03
    assert x.std() == pytest.approx(1.0, abs=0.03)
    lag = int(memory / timestep)
    assert np.corrcoef(x[:-lag], x[lag:])[0, 1] == pytest.approx(math.exp(-1), abs=0.03)
    jumps = np.abs(np.diff(x))
    at_seams = jumps[BLOCK - 1 :: BLOCK]
    assert at_seams.max() < jumps.max()  # a block goes on where the one before ended
    r = math.exp(-timestep / memory)
    assert np.std(x[1:] - r * x[:-1]) == pytest.approx(math.sqrt(1 - r * r), rel=0.02)
    assert np.std((x[1:] - r * x[:-1])[BLOCK - 1 :: BLOCK]) == pytest.approx(math.sqrt(1 - r * r), rel=0.5)


def test_generator_starts_below_slider_and_slider_ends_it(window, qtbot):
    open_and_wait(qtbot, window.session, ARM)
    session, row = window.session, window.panels.control.rows[0]
    session.set_paused(True)
    session.reset()
    qtbot.mouseClick(row.wave, Qt.MouseButton.LeftButton)
    assert row.editor.isVisible()
    row.editor.shape.setFocus()
    qtbot.keyClick(row.editor.shape, Qt.Key.Key_Down)  # to the first shape, the sine
    row.editor.shape.activated.emit(row.editor.shape.currentIndex())
    assert window.session.part(Generators).of(0) == Generator(Shape.SINE, offset=0.0, amplitude=0.75)
    field = row.editor.fields["frequency"]
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.session.part(Generators).of(0) == Generator(Shape.SINE, offset=0.0, amplitude=0.75, frequency=2.0)
    session.step(100)
    qtbot.waitUntil(lambda: session.snapshot.time == pytest.approx(0.2))
    applied = 0.75 * math.sin(2 * math.pi * 2.0 * 0.198)  # the last step began there
    assert session.snapshot.ctrl[0] == pytest.approx(applied, rel=1e-9)
    qtbot.waitUntil(lambda: row.field.value() == pytest.approx(applied, abs=1e-3))
    row.slider.setValue(row.slider.maximum())
    assert window.session.part(Generators).of(0) is None
    assert row.editor.shape.currentText() == "Off"
    session.step(10)
    qtbot.waitUntil(lambda: session.snapshot.time == pytest.approx(0.22))
    assert session.snapshot.ctrl[0] == 1.5


def test_one_for_all_and_clearing_ends_them(window, qtbot):
    open_and_wait(qtbot, window.session, EXAMPLES[1].path)
    row = window.panels.control.rows[3]
    qtbot.mouseClick(row.wave, Qt.MouseButton.LeftButton)
    row.editor.shape.setCurrentIndex(4)
    row.editor.shape.activated.emit(4)
    qtbot.mouseClick(row.editor.all, Qt.MouseButton.LeftButton)
    nu = window.session.model.nu
    assert {window.session.part(Generators).of(i).shape for i in range(nu)} == {Shape.NOISE}
    qtbot.waitUntil(lambda: len(set(window.session.snapshot.ctrl)) > nu / 2)  # different noise for each
    qtbot.mouseClick(window.panels.control.clear, Qt.MouseButton.LeftButton)
    assert all(window.session.part(Generators).of(i) is None for i in range(nu))
    qtbot.waitUntil(lambda: not window.session.snapshot.ctrl.any())


def test_generators_survive_reload_but_not_another_model(window, qtbot, tmp_path):
    path = written(tmp_path / "arm.xml", ARM.read_text())
    open_and_wait(qtbot, window.session, path)
    sine = Generator(Shape.SINE, frequency=5.0)
    window.session.part(Generators).set(0, sine)
    text = path.read_text().replace(' ctrl="1"', "").replace(' ctrl="-1"', "")  # one number a control
    text = text.replace("<actuator>", '<actuator><motor name="first" joint="hinge"/>')
    with qtbot.waitSignal(window.session.model_loaded):
        path.write_text(text)
    assert window.session.part(Generators).of(0) is None
    assert window.session.part(Generators).of(1) == sine
    assert window.panels.control.rows[1].wave.toolTip() == "Driven by: Sine"
    seen = set()
    window.session.ctrl_changed.connect(lambda i, value: seen.add(i))
    qtbot.waitUntil(lambda: seen == {1})
    open_and_wait(qtbot, window.session, MODELS / "spin.xml")
    assert window.session.part(Generators).of(1) is None


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
    open_and_wait(qtbot, window.session, written(tmp_path / "lamp.xml", XML))
    control = window.panels.control
    assert isinstance(control, ControlPanel)
    return control


def test_equality_toggle_is_undoable_and_replayed_exactly(panel, window, qtbot, pump):
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


def test_switching_equality_off_wakes_its_sleeping_body(tmp_path, qtbot, window, pump):
    path = written(tmp_path / "hang.xml", XML.replace("<mujoco>", '<mujoco><option><flag sleep="enable"/></option>'))
    open_and_wait(qtbot, window.session, path)
    pump.run(0.01)
    pump.run_until(lambda: pump.simulation.data.tree_asleep[0] >= 0)
    window.session.send(SetEquality(0, False))
    pump.run(0.1)
    assert pump.simulation.data.tree_asleep[0] < 0
    assert pump.simulation.data.qvel[2] < -0.5


def test_actuator_group_toggle_is_undoable_and_saved(panel, window, pump):
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
    patch = make(window.session.path, window.session.loaded_model, window.edits.changes())
    assert any(line.startswith("+") and 'actuatorgroupdisable="1"' in line for file in patch.files for line in file.diff())
    window.edits.stack.undo()
    assert buttons[1].isChecked()


def test_control_noise_drives_all_controls_until_cleared(panel, window, pump):
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


def test_reload_keeps_sliders_unless_their_range_changes(window, qtbot, tmp_path):
    path = written(tmp_path / "arm.xml", (MODELS / "arm.xml").read_text())
    open_and_wait(qtbot, window.session, path)
    session, panels = window.session, window.panels
    (row, *_), (joint, *_) = panels.control.rows, panels.joints.rows
    qtbot.mouseClick(row.wave, Qt.MouseButton.LeftButton)
    before = session.model
    with qtbot.waitSignal(session.model_loaded):
        window.reload()
    assert session.model is not before
    assert panels.control.rows[0] is row
    assert panels.joints.rows[0] is joint
    assert row.editor.isVisibleTo(row)
    session.set_paused(True)
    row.slider.setValue(row.slider.maximum())
    joint.slider.setValue(joint.slider.maximum())
    qtbot.waitUntil(lambda: session.snapshot.ctrl[0] == 1.5)
    qtbot.waitUntil(lambda: session.snapshot.qpos[0] > 1.0)
    with qtbot.waitSignal(session.model_loaded):
        path.write_text(path.read_text().replace("1.5", "1.25"))
    assert panels.control.rows[0] is not row
    qtbot.waitUntil(lambda: panels.control.rows[0].isVisible())
