"""Over the view: arrows and cones of contacts, marks, the profiler (F3) and the sensors (F4)."""

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest

from tests.app.conftest import MODELS, open_and_wait, picture
from tests.app.mouse import move, on_screen
from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.describe.contacts import area_words
from tumble.app.describe.subject import Subject, constraint_subject, element_subject, row_subject
from tumble.app.doctor.case import Examination
from tumble.app.doctor.examine import examine
from tumble.app.doctor.finding import Finding, Severity
from tumble.app.library.examples import EXAMPLES
from tumble.app.panels.breakpoints.breakpoints import Breakpoints
from tumble.app.panels.doctor.examiner import Examiner
from tumble.app.profile import Profiler
from tumble.app.replay.replay_view import options_from, options_to
from tumble.app.session.marking import mark
from tumble.app.viewport.contacts.legend import MOST, ArrowLength, lay_out, pressure_text
from tumble.app.viewport.contacts.mark import EDGE, apart_figures, contact_mark
from tumble.physics import MjData, MjModel, mj_forward, mjtConstraint, mjtObj
from tumble.render.camera import look_at

SLOPE, HEAP = MODELS / "incline.xml", MODELS / "heap.xml"
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window_size():
    """Room for a legend next to a panel."""
    return (1200, 800)


def held(window, qtbot, pump, path=SLOPE, steps=150):
    """A model that stands after so many steps."""
    open_and_wait(qtbot, window.session, path)
    session = window.session
    session.set_paused(True)
    session.reset()
    pump.step(steps)
    assert session.snapshot.ncon > 0
    return session


def legend_of(window):
    window.viewport.grabFramebuffer()
    return window.viewport.tiles.active.contacts.legend


def differing(first, second):
    """Pixels in which two pictures of the view differ clearly."""
    both = [np.frombuffer(image.constBits().asstring(image.sizeInBytes()), np.uint8).astype(int) for image in (first, second)]
    return int((abs(both[0] - both[1]).reshape(-1, 4).max(axis=1) > 25).sum())


def test_arrow_length_follows_slider_and_is_stored_bounded(window, qtbot, pump, tmp_path):
    held(window, qtbot, pump)
    view, length = window.viewport, window.session.part(ArrowLength)
    window.actions_by_name["contact_force"].trigger()
    height = view.height()
    window.panels.contacts.dock.show()
    qtbot.waitUntil(lambda: view.height() < height)
    qtbot.wait(50)  # the docks have found their places
    usual = legend_of(window)
    slider = window.panels.contacts.bar.slider
    slider.setValue(slider.value() + 8)
    factor = 10.0**0.4
    assert view.options.force_size == pytest.approx(factor)
    longer = legend_of(window)
    assert longer.share / longer.newtons == pytest.approx(factor * usual.share / usual.newtons)
    places = lay_out(longer, view.width(), view.height())
    start, end = places.start, places.end
    view.grabFramebuffer()  # which tells the handle where it is
    QTest.mousePress(view, LEFT, pos=end.toPoint())
    half = QPointF(start.x() + 0.5 * (end.x() - start.x()), end.y())
    camera = view.camera
    move(view, half, LEFT)
    QTest.mouseRelease(view, LEFT, pos=half.toPoint())
    assert length.value == pytest.approx(0.5 * factor, rel=0.03)  # of pixels
    assert view.camera is camera  # which did not turn
    assert slider.value() == length.step
    for _ in range(12):
        window.actions_by_name["longer_arrows"].trigger()
    assert length.value == MOST
    window.session.store.sync()
    assert Settings(tmp_path / "settings.json").get(settings.FORCE_SIZE) == MOST
    kept = options_from(options_to(view.options))
    assert kept.force_size == MOST
    assert options_from({"force_size": 1e9}).force_size == options_from({"force_size": True}).force_size == 1.0


def test_friction_cone_shows_for_chosen_contact_until_clicked(window, qtbot, pump):
    session = held(window, qtbot, pump)
    view, choice = window.viewport, session.contact_choice
    window.actions_by_name["contact_point"].trigger()
    window.panels.contacts.dock.show()
    qtbot.waitUntil(lambda: choice.open)
    plain = picture(view)
    choice.choose_pair((session.model.geom("slope").id, session.model.geom("ice").id), session.model, session.snapshot)
    with_cone = picture(view)
    window.actions_by_name["friction_cone"].trigger()
    without = picture(view)
    window.actions_by_name["friction_cone"].trigger()
    assert differing(with_cone, without) > 200
    assert differing(plain, without) < differing(with_cone, plain)
    QTest.mouseClick(view, LEFT, pos=on_screen(view, session.snapshot.contact("pos")[choice.index]).toPoint())
    assert choice.pair is None
    assert differing(picture(view), plain) == 0


def test_contacts_findings_and_rows_mark_what_they_are_of(window, qtbot, pump):
    session = held(window, qtbot, pump)
    model, snapshot, view = session.loaded_model, session.snapshot, window.viewport
    slope, ice = model.geom("slope").id, model.geom("ice").id
    mark(session, Subject(pair=(ice, slope)))  # in either order
    assert session.contact_choice.pair == (slope, ice)
    corner = int(np.flatnonzero((snapshot.contact_sides() == (slope, ice)).all(axis=1))[-1])
    x, y, z = snapshot.contact("pos")[corner]
    mark(session, Subject(pair=(slope, ice), point=(x, y, z)))
    assert session.contact_choice.index == corner
    point = np.array([x, y, z])

    def at():
        seen = view.view()
        found = contact_mark(session, seen, 800, 600)
        return found.x, found.y, found.way

    view.set_camera(look_at(view.camera, point))
    assert at() == (pytest.approx(400, abs=1), pytest.approx(300, abs=1), None)
    seen = view.view()
    view.set_camera(look_at(view.camera, point + 50.0 * seen.right))
    assert at()[:2] == (pytest.approx(EDGE), pytest.approx(300, abs=1))
    assert abs(at()[2] or 0.0) == pytest.approx(np.pi, abs=0.05)  # to the left
    view.set_camera(look_at(view.camera, point + 50.0 * seen.forward))
    assert at()[2] is not None  # behind the eye
    assert apart_figures(session) == []
    floor = model.geom("ice").id
    other = next(g for g in range(model.ngeom) if g not in (slope, floor) and model.geom_bodyid[g] > 0)
    mark(session, Subject(pair=(ice, other)))
    assert session.contact_choice.index == -1
    assert len(apart_figures(session)) == 2
    stiff = MjModel.from_xml_string(
        """<mujoco><option timestep="0.01"><flag refsafe="disable"/></option><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .1"><freejoint/><geom name="ball" size=".1" solref="0.002 1"/></body></worldbody></mujoco>"""
    )
    found = [finding for finding in examine(Examination(stiff), lambda done, steps: None) if finding.severity is Severity.ERROR]
    assert (0, 1) in {finding.pair for finding in found}
    examiner = session.part(Examiner)
    window.panels.doctor.dock.show()
    examiner.findings = [Finding("sink", Severity.ERROR, "ice sinks", elements=((mjtObj.mjOBJ_GEOM, ice),), pair=(slope, ice))]
    examiner.changed.emit()
    window.panels.doctor.list.chosen.emit()
    assert session.contact_choice.pair == (slope, ice)
    data = MjData(model)
    mj_forward(model, data)
    friction = next(r for r in range(data.nefc) if data.efc_type[r] == int(mjtConstraint.mjCNSTR_FRICTION_DOF))
    subject = row_subject(model, data, friction)
    assert subject == constraint_subject(model, int(data.efc_type[friction]), int(data.efc_id[friction]))
    mark(session, subject)
    assert session.selection == subject.body == int(model.dof_bodyid[data.efc_id[friction]]) > 0
    assert session.contact_choice.pair is None
    assert element_subject(model, mjtObj.mjOBJ_GEOM, ice).body == int(model.geom_bodyid[ice])


def test_a_breakpoint_that_is_hit_marks_its_contact(window, qtbot, pump):
    open_and_wait(qtbot, window.session, SLOPE)
    session = window.session
    points = session.part(Breakpoints)
    points.set_limit("slip", 50.0)
    points.set_on("slip", True)
    pump.run(1.0)
    qtbot.waitUntil(lambda: points.last is not None)
    model = session.loaded_model
    assert points.last.subject.pair == session.contact_choice.pair == (model.geom("slope").id, model.geom("ice").id)
    qtbot.waitUntil(lambda: session.contact_choice.index >= 0)
    snapshot = session.snapshot
    near = np.linalg.norm(snapshot.contact("pos") - points.last.subject.point, axis=1)
    assert session.contact_choice.index == int(np.argmin(near))


def test_force_arrows_follow_scrubbed_iterate_at_one_scale(window, qtbot, pump):
    session = held(window, qtbot, pump, HEAP, 12)
    window.panels.solver.dock.show()
    page = window.panels.solver.convergence
    qtbot.waitUntil(lambda: page.go.isEnabled() and page.slider.maximum() > 0)
    record = window.panels.solver.comparison.record
    pictures, scales = [], []
    for iterate in (0, page.slider.maximum(), 1):
        page.slider.setValue(iterate)
        np.testing.assert_array_equal(session.frame.contact_force, record.contact_forces(iterate))
        pictures.append(picture(window.viewport))
        scales.append(window.viewport.tiles.active.drawn_options(window.viewport.view()).force_newtons)
    assert differing(pictures[0], pictures[1]) > 50
    assert differing(pictures[1], pictures[2]) > 5
    assert scales[0] <= scales[1] == scales[2]  # it does not shrink from one to the other
    page.stop_scrubbing()
    np.testing.assert_array_equal(session.frame.contact_force, session.snapshot.contact("force"))


def test_the_legend_gives_a_pressure_its_unit(window, qtbot, pump):
    session = held(window, qtbot, pump)
    window.actions_by_name["contact_patch"].trigger()
    legend = legend_of(window)
    assert legend.pascals >= legend.patch.pressure > 0
    assert not lay_out(legend, 900, 600).pressure.isEmpty()
    assert pressure_text(legend).startswith(f"{legend.patch.force:.4g} N on ")
    assert pressure_text(legend).endswith("Pa")
    assert [area_words(area) for area in (2.0, 0.04, 3e-5)] == ["2 m²", "400 cm²", "30 mm²"]
    mark(session, Subject(pair=legend.patch.pair))
    patch = legend_of(window).patch
    assert (patch.pair, patch.force) == (legend.patch.pair, legend.patch.force)


def test_f3_plots_step_costs_and_f4_shows_sensor_bars(window, qtbot, pump):
    rover = next(example.path for example in EXAMPLES if example.path.stem == "rover")
    open_and_wait(qtbot, window.session, rover)
    insets, profiler = window.viewport.insets, window.session.part(Profiler)
    insets.show_profiler(True)
    assert {plot.empty for plot in insets.plots()} == {"Waiting for a step"}  # it plays
    window.session.set_paused(True)
    assert {plot.empty for plot in insets.plots()} == {"No steps yet: Space plays"}
    window.session.set_paused(False)
    insets.show_profiler(False)
    assert (insets.plots(), insets.bars()) == ([], None)
    plain = window.viewport.grabFramebuffer()
    window.viewport.setFocus()
    for key in (Qt.Key.Key_F3, Qt.Key.Key_F4):
        QTest.keyClick(window, key)
    pump.run(0.3)
    qtbot.waitUntil(lambda: bool(insets.plots()[0].time.size))
    cost, _, sizes = insets.plots()
    assert [name for name, _, _ in cost.curves] == ["step", "collision", "constraints"]
    step, collision, constraints = (values[-1] for _, _, values in cost.curves)
    assert 0 < collision + constraints < step
    data = pump.simulation.data
    assert sizes.curves[0][2][-1] == data.nefc
    assert cost.limit == pytest.approx(1e6 * window.session.loaded_model.opt.timestep)
    bars = insets.bars()
    assert len(bars.rows) == window.session.loaded_model.nsensordata
    name, value, share = bars.rows[2]
    assert name == "acceleration, 2"
    assert float(value.split()[0]) == pytest.approx(data.sensordata[2], rel=1e-3)
    assert value.endswith("m/s²")
    assert 0 < share <= 1
    assert window.viewport.grabFramebuffer() != plain
    for key in (Qt.Key.Key_F3, Qt.Key.Key_F4):
        QTest.keyClick(window, key)
    assert (insets.plots(), insets.bars(), profiler.is_on) == ([], None, False)
