"""The first sentence goes for good, and the tour leads through the real window and leaves it as it was."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.editing.edits import EditPlace
from tumble.app.library.examples import EXAMPLES
from tumble.app.shell.tour.guide import HELPERS
from tumble.app.shell.tour.steps import STEPS, Situation, Task, TourProgress, TourStep
from tumble.app.shell.tour.targets import PullWatch, find_area
from tumble.app.shell.tour.welcome import FIRST, Banner, Welcome
from tumble.app.simulation.perturbation import Grip, GripMode

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window_size():
    return (1100, 700)


def grip(x, mode=GripMode.TRANSLATE):
    return Grip(1, mode, np.zeros(3), np.array([x, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))


def test_pull_is_counted_once_when_the_held_target_moves():
    watch = PullWatch()
    for held in (None, grip(0), grip(0), None, grip(0, GripMode.ROTATE), grip(1, GripMode.ROTATE)):
        watch.note(held)
    assert watch.count == 0
    for held in (grip(0), grip(1), grip(2), None, grip(0), grip(3)):
        watch.note(held)
    assert watch.count == 2


def test_tour_task_stays_done_and_steps_can_be_skipped():
    pause = Task("Pause.", lambda begin, now: now.paused, ())
    pull = Task("Pull.", lambda begin, now: now.pulls > begin.pulls, ())
    steps = [TourStep("a", "", "view", task=pause), TourStep("b", "", "view", task=pull), TourStep("c", "", "view")]
    progress = TourProgress(steps)
    progress.begin(Situation())
    assert progress.is_first
    assert not progress.look(Situation())
    assert progress.look(Situation(paused=True))
    assert progress.look(Situation())  # playing again does not undo it
    progress.go(1)
    progress.begin(Situation(pulls=3))
    assert not progress.look(Situation(pulls=3))  # pulls of the step before are not this one's
    progress.go(1)
    assert progress.is_last
    progress.begin(Situation())
    assert not progress.is_done
    progress.go(1)
    assert progress.is_last
    progress.go(-2)
    assert progress.is_done
    progress.restart(Situation())
    assert not progress.is_done


def test_every_tour_helper_belongs_to_a_step():
    assert {step.task.help for step in STEPS if step.task is not None and step.task.help} == set(HELPERS)


def test_welcome_banner_shows_with_a_model_and_goes_for_good(window, qtbot):
    store, banner = window.session.store, window.welcome.banner
    assert not banner.isVisible()  # there is nothing to pull yet
    open_and_wait(qtbot, window.session, MODELS / "ball.xml")
    assert banner.isVisible()
    assert window.viewport.rect().contains(banner.geometry())
    camera = window.viewport.camera
    QTest.mousePress(banner, LEFT, pos=QPoint(8, 8))
    QTest.mouseMove(banner, QPoint(40, 8))
    QTest.mouseRelease(banner, LEFT, pos=QPoint(40, 8))
    assert window.viewport.camera != camera  # its words are no wall before the view
    assert window.focusWidget() is window.viewport
    other = Welcome(window, store)
    QTest.mouseClick(banner.cross, LEFT)
    assert window.welcome.banner is None
    store.sync()
    assert Settings(store.folder / "settings.json").get(settings.FIRST_SENTENCE) is False
    assert Welcome(window, store).banner is None
    store.put(settings.FIRST_SENTENCE, True)
    for x in (0.0, 0.1):
        window.session.hold(grip(x))
        window.session.advanced.emit()
    assert not store.get(settings.FIRST_SENTENCE)  # who has pulled needs no telling
    assert other.banner is not None  # but a word of praise


def next_step(guide, qtbot):
    task, index = guide.progress.step.task, guide.progress.index
    QTest.mouseClick(guide.card.next, LEFT)
    assert guide.progress.index == index + 1
    assert task is None or not task.help or index in guide.progress._done  # it was done for the user


def seen_docks(window):
    """Where the docks are that can be seen."""
    return {dock.objectName(): dock.geometry().getRect() for dock in window.docks if not dock.visibleRegion().isEmpty()}


def test_tour_finds_its_targets_and_restores_the_window(window, qtbot):
    own = MODELS / "ball.xml"
    open_and_wait(qtbot, window.session, own)
    place = EditPlace("opt.timestep")
    changed = (window.edits.value(place)[0] / 2,)
    window.edits.set(place, changed, "Change timestep")
    window.setAnimated(False)  # so that panels have their sizes at once
    window.panels.dock("signals").show()
    qtbot.wait(50)
    layout, shown = seen_docks(window), [dock.isVisible() for dock in window.docks]
    open_and_wait(qtbot, window.session, EXAMPLES[-1].path, window.actions_by_name["tour"].trigger)
    guide = window.welcome.guide
    assert not guide.progress.is_done  # a camera that comes with the scene is not the user's doing
    focus = window.focusWidget()
    for step in STEPS:
        assert not step.dock or step.dock in window.panels.keys, step.title
        qtbot.waitUntil(lambda step=step: find_area(window, step.target) is not None)
        qtbot.waitUntil(guide.pointer.isVisible)
        assert window.rect().contains(guide.card.geometry())
        if step is not STEPS[-1]:
            next_step(guide, qtbot)
    assert window.focusWidget() is focus
    QTest.mouseClick(guide.card.next, LEFT)
    assert own.name in guide.card.next.text()
    open_and_wait(qtbot, window.session, own, lambda: QTest.mouseClick(guide.card.next, LEFT))
    assert window.welcome.guide is None
    assert window.edits.value(place) == changed
    assert [dock.isVisible() for dock in window.docks] == shown
    qtbot.waitUntil(lambda: seen_docks(window) == layout)
    assert not window.session.paused
    assert not window.viewport.option("contact_point")


@pytest.mark.parametrize("over", [False, True], ids=["at the last step", "at the card that offers the way back"])
def test_the_tour_ends_when_another_model_is_opened(window, qtbot, over):
    open_and_wait(qtbot, window.session, MODELS / "ball.xml")
    window.panels.dock("signals").show()
    shown = [dock.isVisible() for dock in window.docks]
    open_and_wait(qtbot, window.session, EXAMPLES[-1].path, window.actions_by_name["tour"].trigger)
    guide = window.welcome.guide
    guide.progress.go(len(STEPS) - 1)
    guide._enter()
    if over:
        guide.leave()
    open_and_wait(qtbot, window.session, window.session.path)  # the scene again: the tour goes on
    assert guide.card.isVisible()
    open_and_wait(qtbot, window.session, MODELS / "spin.xml")
    assert not guide.card.isVisible()
    assert window.welcome.guide is None
    assert window.session.path == MODELS / "spin.xml"
    assert [dock.isVisible() for dock in window.docks] == shown


def test_the_first_sentence_fits_any_view_or_is_not_shown(qtbot):
    view = QWidget()
    qtbot.addWidget(view)
    view.show()
    banner = Banner(view)
    for side in (1100, 1, 240, 360, 700, 3840, 360, 1100):
        view.resize(side, side)
        banner.show_in(side, side, FIRST)
        assert banner.isVisible() == (side >= 360), side
        if banner.isVisible():
            assert view.rect().contains(banner.geometry()), side
            assert banner.text.height() >= banner.text.heightForWidth(banner.text.width()), side
