"""The page on one contact: it follows the choice, shows the numbers of iterates, and costs nothing while closed."""

from time import process_time

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt

from tests.app.conftest import MODELS, open_and_wait, open_panel
from tests.app.mouse import wheel
from tests.app.panels.moments import live, stepped
from tests.app.pump import let_pass
from tumble import physics
from tumble.app.panels.solver.contact_sections import SectionAxes, SectionChoice, SectionKind, iterate_text, make_pictures
from tumble.app.panels.solver.contact_solves import APART, HARD, NO_CONTACT, SOLVERS, ContactTarget, HeldStep, solve_contact
from tumble.app.panels.solver.section_canvas import coverage
from tumble.app.panels.solver.section_view import SectionView
from tumble.app.session.contact_tracking import places
from tumble.app.session.requests import ShowOptimization

HEAP, BALL, SOFT = MODELS / "heap.xml", MODELS / "ball.xml", MODELS / "soft.xml"
LEFT = Qt.MouseButton.LeftButton
BOX = """<mujoco><option cone="{cone}"/><worldbody><geom name="floor" type="plane" size="1 1 1" condim="{dim}"/>
<body pos="0 0 .099"><freejoint/><geom name="box" type="box" size=".1 .1 .1" condim="{dim}"/></body></worldbody></mujoco>"""


def held(xml, steps=1, **options):
    """A step of a model, held."""
    m = physics.MjModel.from_xml_string(xml)
    for name, value in options.items():
        setattr(m.tumble, name, value)
    d = physics.MjData(m)
    physics.start_recording(d)
    d.qvel[:] = -0.3 * np.abs(np.random.default_rng(0).normal(size=m.nv))
    for _ in range(steps):
        physics.mj_step(m, d)
    again = physics.Again(m, alone=True)
    again.hold(d)
    return HeldStep(1, float(d.time), m, again)


# ---- without a window


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("dim", [1, 3, 4])
@pytest.mark.parametrize("kind", list(SectionKind))
def test_pictures_have_a_path_for_each_solver_and_the_zone_of_the_solution(cone, dim, kind):
    solves = solve_contact(held(BOX.format(cone=cone, dim=dim)), None, warm=False)
    for axes in SectionAxes:
        picture = make_pictures(solves, SectionChoice(axes, kind))
        for section in (picture.primal, picture.dual):
            assert len(section.paths) == len(SOLVERS)
            x, y, width, height = section.box
            for path in section.paths:
                assert ((path.points >= (x, y)) & (path.points <= (x + width, y + height))).all()
            assert (section.curve is None) == (dim > 1)
        assert solves.problem.zones(solves.paths[0].motion[-1]) in codes_at(picture.primal)
        assert 0 in codes_at(picture.dual)  # allowed


def test_arrow_keys_choose_iterates_and_solvers(qtbot):
    view = SectionView(("dim",), "Costs")
    qtbot.addWidget(view)
    solves = solve_contact(held(BOX.format(cone="elliptic", dim=3)), None, warm=False)
    view.show_picture(make_pictures(solves, SectionChoice()).primal)
    newton, cg, _ = (path.iterate.tolist() for path in view.picture.paths)
    chosen = []
    view.picked.connect(lambda solver, iterate: chosen.append((solver, iterate)))
    view.picked.connect(lambda solver, iterate: view.choose((solver, iterate) if iterate >= 0 else None))
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Home):
        qtbot.keyClick(view, key)
    assert chosen[:3] == [(0, newton[-1] - 1), (0, newton[-1]), (0, newton[-1])]
    assert chosen[3:] == [(1, min(newton[-1], cg[-1])), (-1, -1)]


def codes_at(section):
    """Zones of the pixels about the place that a section goes through."""
    codes, (x, y, width, height) = section.canvas.codes, section.box
    column = round((section.base[0] - x) / width * (codes.shape[1] - 1))
    row = round((section.base[1] - y) / height * (codes.shape[0] - 1))
    return codes[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]


def test_contour_lines_lie_where_the_value_is():
    x, y = np.meshgrid(np.linspace(-1, 1, 101), np.linspace(-1, 1, 81))
    cover = coverage(np.hypot(x, y), np.array([0.5]), 1.1)
    away = np.abs(np.hypot(x, y) - 0.5)
    assert (cover[away < 0.004] > 200).all()
    assert (cover[away > 0.06] == 0).all()


def test_zoomed_section_has_the_same_costs():
    solves = solve_contact(held(BOX.format(cone="elliptic", dim=3)), None, warm=False)
    whole = make_pictures(solves, SectionChoice())
    x, y = whole.dual.base
    box = (x - 0.5, y - 0.5, 1.0, 1.0)
    part = make_pictures(solves, SectionChoice(boxes=(None, box)))
    assert part.dual.box == box
    assert part.dual.whole == whole.dual.whole == whole.dual.box
    assert part.dual.base == whole.dual.base


def test_contact_is_the_one_nearest_to_the_target_and_absent_ones_are_explained():
    step = held(BOX.format(cone="elliptic", dim=3))
    d = step.again._data
    for warm in (False, True):
        solves = solve_contact(step, ContactTarget((0, 1), np.array([0.1, 0.1, 0.0])), warm=warm)
        assert solves.chosen
        assert (d.contact.pos[solves.problem.contact][:2] > 0).all()
    assert solve_contact(step, ContactTarget((0, 0), np.zeros(3)), warm=False) == APART
    alone = held("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    assert solve_contact(alone, None, warm=False) == NO_CONTACT
    hard = held(BOX.format(cone="elliptic", dim=3), contact_model=physics.ContactModel.LCP)
    assert solve_contact(hard, None, warm=False) == HARD


def test_island_with_too_many_rows_is_explained():
    places = [(0.05 * (k % 20), 0.05 * (k // 20)) for k in range(160)]
    balls = "".join(f'<body pos="{x} {y} .049"><freejoint/><geom size=".05"/></body>' for x, y in places)
    xml = f'<mujoco><worldbody><geom type="plane" size="5 5 1"/>{balls}</worldbody></mujoco>'
    assert "up to 1000" in solve_contact(held(xml), None, warm=False)


# ---- in the window


def shown(window, qtbot, path=HEAP, steps=40):
    """The page in front, at a step that stands."""
    panel = open_panel(qtbot, window, "solver", path, paused=True)
    panel.tabs.setCurrentWidget(panel.contact)
    if steps:
        stepped(window, qtbot, steps)
    page = panel.contact
    wait(window, qtbot, page)
    return panel, page


def wait(window, qtbot, page):
    """The page shows the step that stands, and has nothing left to compute."""

    def settled():
        window.session.look()
        if page._working or page._asked or page._due or page._later.isActive():
            return False
        if page.picture is None:
            return bool(page.empty.text())
        return abs(page.picture.solves.time - window.session.snapshot.time) < 2.5 * window.session.model.opt.timestep

    qtbot.waitUntil(settled)


@pytest.mark.pumped
def test_page_solves_the_step_that_stands_and_leaves_it_alone(window, qtbot):
    panel, page = shown(window, qtbot)
    data = live(window)
    before = data.qpos.copy(), data.qacc.copy(), data.efc_force.copy()
    solves = page.picture.solves
    assert not solves.chosen
    hardest = int(np.argmax(window.session.snapshot.contact("force")[:, 0]))
    assert solves.problem.contact == hardest
    force = window.session.snapshot.contact("force")[hardest, :3]
    np.testing.assert_allclose(solves.paths[0].force[-1], force, atol=1e-3 * force[0])
    assert solves.time == pytest.approx(panel.comparison.reading.time)
    for old, new in zip(before, (data.qpos, data.qacc, data.efc_force), strict=True):
        np.testing.assert_array_equal(old, new)


@pytest.mark.pumped
def test_page_follows_the_chosen_contact(window, qtbot):
    _, page = shown(window, qtbot)
    session = window.session
    force = session.snapshot.contact("force")[:, 0]
    other = int(np.argsort(force)[len(force) // 2])
    session.contact_choice.choose(places(session.model, session.snapshot)[other], session.snapshot)
    qtbot.waitUntil(lambda: page.picture is not None and page.picture.solves.chosen)
    assert page.picture.solves.problem.contact == other
    assert "pressed hardest" not in page.name.text()
    session.contact_choice.clear()
    qtbot.waitUntil(lambda: page.picture is not None and not page.picture.solves.chosen)
    assert "pressed hardest" in page.name.text()


@pytest.mark.pumped
def test_click_on_an_iterate_shows_its_numbers_and_moves_the_section(window, qtbot):
    _, page = shown(window, qtbot)
    view, solver = page.dual, list(SOLVERS).index("CG")
    view.show_solver(0, False)
    view.show_solver(2, False)
    path = page.picture.dual.paths[solver]
    iterate = int(path.iterate[1])
    base = page.picture.dual.base
    at = view._place(*path.points[1])
    hit = view.mark_at(at)
    assert hit is not None
    assert hit[0] == solver
    qtbot.mouseClick(view, LEFT, pos=at.toPoint())
    qtbot.waitUntil(lambda: page.picture.choice.through is not None and not page._working)
    assert page.through == hit
    assert page.numbers.text() == iterate_text(page.picture.solves, *hit)
    assert f"CG {hit[1]}/" in page.numbers.text()
    expected = page.picture.solves.paths[solver].force[hit[1]]
    assert page.picture.dual.base[1] == pytest.approx(expected[0])
    assert page.picture.dual.base != base or iterate == 0
    qtbot.mouseClick(page.solution, LEFT)
    qtbot.waitUntil(lambda: page.picture.choice.through is None and not page._working)
    assert page.picture.dual.base == base


@pytest.mark.pumped
def test_wheel_zooms_around_the_mouse_and_double_click_shows_all(window, qtbot):
    _, page = shown(window, qtbot)
    view = page.primal
    whole, middle = page.picture.primal.box, QPointF(view.rect().center())
    middle = QPointF(middle.toPoint())
    before = view._value(middle)
    wheel(view, middle.toPoint(), 1)
    assert view.box[2] < whole[2]
    np.testing.assert_allclose(view._value(middle), before, rtol=1e-9, atol=1e-9)
    qtbot.waitUntil(lambda: page.picture.primal.box == view.box and not page._working)
    qtbot.mouseDClick(view, LEFT, pos=view.rect().bottomRight())
    qtbot.waitUntil(lambda: view.box is None and page.picture.primal.box == whole)


@pytest.mark.pumped
def test_warm_start_begins_at_the_step_before(window, qtbot):
    _, page = shown(window, qtbot)
    cold = page.picture.solves.paths[0].cost[0]
    page.warm.click()
    wait(window, qtbot, page)
    assert page.picture.solves.paths[0].cost[0] < cold


@pytest.mark.pumped
def test_without_contacts_and_without_a_model_there_is_a_sentence(window, qtbot):
    panel = open_panel(qtbot, window, "solver")
    panel.tabs.setCurrentWidget(panel.contact)
    assert panel.contact.picture is None
    panel, page = shown(window, qtbot, BALL, steps=1)
    assert page.empty.text() == NO_CONTACT
    assert page.empty.isVisible()
    assert not page.splitter.isVisible()
    shown(window, qtbot, HEAP)
    assert page.splitter.isVisible()


@pytest.mark.pumped
def test_contacts_panel_leads_to_the_page(window, qtbot):
    open_panel(qtbot, window, "contacts", HEAP, paused=True)
    stepped(window, qtbot, 40)
    contacts = window.panels.contacts
    assert not contacts.solver.isEnabled()
    session = window.session
    session.contact_choice.choose(places(session.model, session.snapshot)[0], session.snapshot)
    qtbot.waitUntil(contacts.solver.isEnabled)
    qtbot.mouseClick(contacts.solver, LEFT)
    solver = window.panels.solver
    qtbot.waitUntil(lambda: solver.live and solver.tabs.currentWidget() is solver.contact)
    qtbot.waitUntil(lambda: solver.contact.picture is not None and solver.contact.picture.solves.chosen)
    solver.tabs.setCurrentIndex(0)
    session.ask(ShowOptimization())
    assert solver.tabs.currentWidget() is solver.contact


@pytest.mark.pumped
def test_steps_are_held_only_while_the_page_is_seen(window, qtbot):
    panel = open_panel(qtbot, window, "solver", HEAP)
    let_pass(window.session, qtbot, 0.1)
    assert panel.hold.taken == 0
    panel.tabs.setCurrentWidget(panel.contact)
    let_pass_until(window, qtbot, lambda: panel.hold.taken > 0 and panel.contact.picture is not None)
    for hide in (lambda: panel.tabs.setCurrentIndex(0), panel.dock.hide):
        hide()
        let_pass(window.session, qtbot, 0.05)
        taken = panel.hold.taken
        let_pass(window.session, qtbot, 0.2)
        assert panel.hold.taken == taken
        assert panel.contact.picture is None
        panel.dock.show()
        panel.tabs.setCurrentWidget(panel.contact)
        let_pass_until(window, qtbot, lambda: panel.contact.picture is not None)


def let_pass_until(window, qtbot, condition):
    """Time passes until a condition holds."""
    for _ in range(1000):
        let_pass(window.session, qtbot, 0.02)
        qtbot.wait(10)  # results come with the events
        if condition():
            return
    pytest.fail("the condition never held")


@pytest.mark.pumped
def test_showing_a_picture_takes_little_of_a_frame(window, qtbot):
    """With painting, three times in a second: 3 ms a frame of 60 would be 60 ms each."""
    _, page = shown(window, qtbot)
    picture = page.picture
    page._show(picture)
    page.grab()
    began = process_time()
    for _ in range(5):
        page._show(picture)
        page.primal._ground = page.dual._ground = None
        for view in (page.primal, page.dual, page.costs):
            view.grab()
    assert (process_time() - began) / 5 < 0.06


@pytest.mark.pumped
def test_page_survives_resets_edits_and_other_models_while_open(window, qtbot):
    panel, page = shown(window, qtbot)
    session = window.session
    session.set_paused(False)
    let_pass(session, qtbot, 0.2)
    session.reset()
    let_pass(session, qtbot, 0.1)
    open_and_wait(qtbot, session, SOFT)
    let_pass(session, qtbot, 0.3)
    open_and_wait(qtbot, session, BALL)
    let_pass(session, qtbot, 0.1)
    session.set_paused(True)
    wait(window, qtbot, page)
    assert page.picture is None or page.picture.solves.problem.J.shape[1] == session.model.nv
    assert panel.live
