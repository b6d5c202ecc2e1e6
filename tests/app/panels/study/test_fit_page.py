"""A fit in the real window: its values, its report, the patch of the file, and its records over the simulation."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PyQt6.QtCore import Qt

from tests.app.conftest import open_and_wait
from tests.app.study.fit.swing import ARM, ARM_STUDY, TRUTH, arm_rows, write
from tumble.app.panels.study.study_panel import FILE, FIT
from tumble.app.session.requests import OpenStudy
from tumble.app.study.fit import fit as fits

pytestmark = pytest.mark.pumped
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window_size():
    return (1200, 800)


@pytest.fixture
def arm(tmp_path):
    """A study that fits an arm to a record of one with other numbers."""
    (tmp_path / "arm.xml").write_text(ARM.format(friction=0.4, damping=0.05, kp=12.0))
    write(tmp_path / "arm.csv", "t,q,v,target", arm_rows(np.random.default_rng(0)))
    path = tmp_path / "arm.toml"
    path.write_text(ARM_STUDY.replace("window = 0.5", 'window = 0.5\ndata = ["arm.csv"]'))
    return path


def opened(window, qtbot, path):
    window.session.set_paused(True)
    with qtbot.waitSignal(window.session.model_loaded):
        window.open_path(path)
    return window.panels.study


def fitted(window, qtbot, path):
    panel = opened(window, qtbot, path)
    qtbot.mouseClick(panel.fit_page.go, LEFT)
    assert panel.fits.running
    qtbot.waitUntil(lambda: not panel.fits.running, timeout=60000)
    return panel


def test_a_fit_finds_the_values_and_writes_them_to_the_file_as_a_patch(window, qtbot, arm, monkeypatch):
    panel = fitted(window, qtbot, arm)
    page = panel.fit_page
    assert panel.tabs.currentIndex() == FIT
    assert not panel.go.isVisible()  # it measures nothing: there are no runs to do
    values = {page.table.item(k, 0).text(): float(page.table.item(k, 1).text()) for k in range(page.table.rowCount())}
    assert values == pytest.approx(TRUTH, rel=0.05)
    report = arm.with_suffix(".html")
    assert "95 % interval" in report.read_text()
    shown = []
    monkeypatch.setattr("tumble.app.panels.study.fit_page.QDesktopServices.openUrl", lambda url: shown.append(url) or True)
    qtbot.mouseClick(page.report, LEFT)
    assert shown[0].toLocalFile() == str(report)
    qtbot.mouseClick(page.write, LEFT)
    view = page.writing.view
    qtbot.waitUntil(lambda: view.isVisible() and view.save.isEnabled())
    with qtbot.waitSignal(window.session.model_loaded):
        qtbot.mouseClick(view.save, LEFT)
    assert window.session.loaded_model.dof_damping[0] == pytest.approx(values["damping"], rel=1e-4)


def test_a_stopped_fit_has_its_best_values_so_far(window, qtbot, arm, monkeypatch):
    begun = threading.Event()

    def search(cost, start, evaluations, seed, pool, done, stopped, *more):
        begun.set()
        done(3)
        while not stopped():
            pass
        return start

    monkeypatch.setattr(fits, "search", search)
    arm.write_text(arm.read_text().replace('search = "local"', 'search = "both"'))
    panel = opened(window, qtbot, arm)
    qtbot.mouseClick(panel.fit_page.go, LEFT)
    qtbot.waitUntil(begun.is_set)
    qtbot.waitUntil(lambda: "3 of 600" in panel.fit_page.state.text())
    qtbot.mouseClick(panel.fit_page.go, LEFT)
    qtbot.waitUntil(lambda: not panel.fits.running, timeout=60000)
    assert "best values so far" in panel.fit_page.state.text()
    assert panel.fit_page.table.rowCount() == 3


def test_a_record_of_the_fit_is_laid_over_by_its_columns(window, qtbot, arm):
    panel = opened(window, qtbot, arm)
    assert panel.fit_page.record.currentText() == "arm.csv"
    qtbot.mouseClick(panel.fit_page.lay_over, LEFT)
    measured = window.panels.signals.measured
    qtbot.waitUntil(lambda: measured.record is not None)
    assert measured.record.names == ("qpos[elbow]", "qvel[elbow]", "ctrl[servo]")
    assert len(window.session.frame.ghosts) == 1


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("window = 0.5", "window = -1.0", "fit.window: is 0 or more"),
        ('data = ["arm.csv"]', 'data = ["none*.csv"]', "there is no such file of measured data"),
        ('= "target"', '= "goal"', "there is no column 'goal'; there are t, q, v, target"),
        ("joint[elbow].damping", "joint[albow].damping", "no <joint> is called 'albow'"),
    ],
)
def test_a_mistake_of_a_fit_is_said_in_the_page(window, qtbot, arm, before, after, message):
    arm.write_text(arm.read_text().replace(before, after))
    panel = fitted(window, qtbot, arm)
    assert message in panel.fit_page.state.toolTip() or message in panel.fits.remark
    assert panel.fits.outcome is None


def test_a_study_without_a_fit_has_no_such_tab(window, qtbot, arm, tmp_path):
    panel = opened(window, qtbot, arm)
    assert panel.tabs.isTabVisible(FIT)
    other = tmp_path / "sweep.toml"
    other.write_text(ARM_STUDY[: ARM_STUDY.index("[fit]")] + '[measures]\nfast = {max = "qvel[elbow]"}\n')
    window.session.ask(OpenStudy(other))
    qtbot.waitUntil(lambda: panel.studies.path == other)
    assert not panel.tabs.isTabVisible(FIT)
    assert panel.tabs.currentIndex() == FILE
    assert panel.go.isVisible()
    open_and_wait(qtbot, window.session, tmp_path / "arm.xml")
