"""Preferences: keys are changed, conflicts are resolved, settings take effect at once, and all of it stays."""

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtWidgets import QFileDialog

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.preferences.keys import KeyFileError, KeyMap

pytestmark = pytest.mark.pumped
CTRL = Qt.KeyboardModifier.ControlModifier


def opened(window, qtbot):
    qtbot.keyClick(window.viewport, Qt.Key.Key_Comma, CTRL)
    dialog = window.preferences.dialog
    assert dialog.isVisible()
    return dialog


def test_changed_shortcut_works_at_once_and_persists(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    page = opened(window, qtbot).keys
    page.choose("pause")
    page.change.click()
    qtbot.keyClick(page.change, Qt.Key.Key_F9)
    assert window.keys.keys("pause") == ("F9",)
    assert window.actions_by_name["pause"].toolTip().endswith("(F9)")
    window.preferences.dialog.close()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    was = window.session.paused
    window.session.set_paused(not was)
    window.session.set_paused(was)
    assert window.actions_by_name["pause"].toolTip().endswith("(F9)")
    qtbot.keyClick(window.viewport, Qt.Key.Key_Space)
    assert window.session.paused is was
    qtbot.keyClick(window.viewport, Qt.Key.Key_F9)
    assert window.session.paused is not was
    action = window.actions_by_name["pause"]
    action.setShortcuts(["Space"])  # as at the start of another window
    assert KeyMap({"pause": action}, window.session.store).keys("pause") == ("F9",)


def test_keys_of_others_are_given_on_consent_or_by_files(window, qtbot, monkeypatch):
    page = opened(window, qtbot).keys
    page.choose("align")
    page.change.click()
    qtbot.keyClick(page.change, Qt.Key.Key_P, CTRL)
    assert window.keys.keys("align") == ("Ctrl+A",)
    assert "Save screenshot" in page.remark.text()
    page.take.click()
    assert (window.keys.keys("align"), window.keys.keys("screenshot")) == (("Ctrl+P",), ())
    assert not window.keys.conflicts()
    page.back.click()
    assert window.keys.keys("align") == ("Ctrl+A",)
    page.all.click()
    assert window.keys.keys("screenshot") == ("Ctrl+P",)
    assert window.session.store.get(settings.KEYS) == []
    path = str(window.session.store.folder / "keys.json")
    window.keys.replace("pause", "F9")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (path, ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (path, ""))
    page.save.click()
    window.keys.reset_all()
    page.load.click()
    assert window.keys.keys("pause") == ("F9",)
    with open(path, "w") as file:
        file.write("[]")
    page.load.click()
    assert "Nothing is changed" in page.remark.text()
    assert window.keys.keys("pause") == ("F9",)


def test_keys_and_settings_are_searched_and_all_listed(window, qtbot):
    assert not window.keys.conflicts()
    dialog = opened(window, qtbot)
    assert set(window.actions_by_name) < set(window.keys.names)
    groups = {dialog.keys.tree.topLevelItem(k).text(0) for k in range(dialog.keys.tree.topLevelItemCount())}
    assert {"View", "File", "Window", "View ▸ Rendering"} <= groups
    qtbot.keyClicks(dialog.search, "memory")
    assert dialog.tabs.tabText(0) == "Settings (1)"
    dialog.by_key.click()
    qtbot.keyClick(dialog.by_key, Qt.Key.Key_L, CTRL)
    assert dialog.tabs.currentWidget() is dialog.keys
    shown = [name for name in window.keys.names if not dialog.keys._items[name].isHidden()]
    assert shown == ["reload"]
    dialog.search.setText("rendering shadow")
    assert [name for name in window.keys.names if not dialog.keys._items[name].isHidden()] == ["shadow"]


def test_settings_take_effect_at_once_and_keys_are_kept(window, qtbot, tmp_path):
    store = window.session.store
    store.put(settings.MEASURED_QUALITY, {"renderer": "a graphics card with a long name " * 5, "level": "fine", "seconds": 0.01})
    dialog = opened(window, qtbot)
    qtbot.waitUntil(lambda: dialog.settings.verticalScrollBar().maximum() > 0)
    assert dialog.settings.horizontalScrollBar().maximum() == 0  # no text is so long that it hides what is beside it
    time, memory = dialog.settings.controls["view/time"], dialog.settings.controls["time/memory"]
    time.click()
    assert window.viewport.show_time is False
    memory.setValue(512)
    assert store.get(settings.HISTORY_MEMORY) == 512
    reload = dialog.settings.controls["files/reload"]
    reload.click()
    assert not window.actions_by_name["reload_on_save"].isChecked()
    for key, name in (("view/smooth", "smooth_camera"), ("view/axes", "axes")):
        box, was = dialog.settings.controls[key], window.actions_by_name[name].isChecked()
        box.click()
        assert window.actions_by_name[name].isChecked() is not was
    assert (window.viewport.smooth, window.viewport.axes.active) == (store.get(settings.SMOOTH_CAMERA), store.get(settings.AXES))
    window.actions_by_name["reload_on_save"].trigger()
    dialog.appear()
    assert reload.isChecked()
    window.keys.clear("pause")
    window.keys.add("faster", "F9")
    window.session.store.sync()
    again = Settings(window.session.store.folder / "settings.json")
    assert len(again.get(settings.KEYS)) == 2


def test_invalid_or_conflicting_shortcuts_resolve_to_unique(tmp_path, qapp):
    actions = {name: QAction(name) for name in ("pause", "step", "reset")}
    for action, key in zip(actions.values(), ("Space", "Right", "Backspace"), strict=True):
        action.setShortcuts([QKeySequence(key)])
    store = Settings(tmp_path / "settings.json")
    store.put(settings.KEYS, [[], ["step", "Nonsense+Key"], ["reset", "Space"]])
    keys = KeyMap(actions, store)
    assert [keys.keys(name) for name in actions] == [(), ("Right",), ("Space",)]
    for broken in ("", "[]", '{"keys": {"pause": "Space"}}', '{"keys": {"pause": ["Nonsense+Key"]}}', '{"keys": 3}'):
        with pytest.raises(KeyFileError):
            keys.from_text(broken)
    assert keys.from_text('{"keys": {"pause": ["Right", "Right"], "step": ["Right"], "nope": []}}') == ["nope"]
    assert [keys.keys(name) for name in actions] == [("Right",), (), ("Backspace",)]
    assert not keys.conflicts()
