"""The keys that users of `simulate` have in their hands do the same here."""

import mujoco
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeySequence

from tests.app.conftest import MODELS, open_and_wait
from tumble.render.options import FrameMode, LabelMode

pytestmark = pytest.mark.pumped

KEYS = {
    "Space": "pause", "Right": "step", "Left": "back", "=": "faster", "-": "slower", "Backspace": "reset", "Ctrl+L": "reload",
    "Ctrl+A": "align", "Ctrl+C": "copy_state", "Esc": "free_camera", "[": "previous_camera", "]": "next_camera",
    "PgUp": "select_parent", "Tab": "left_panels", "Shift+Tab": "right_panels", "F1": "help", "F2": "info",
    "F3": "profiler", "F4": "sensors", "F5": "fullscreen",
    "F6": "frames", "F7": "labels", "Ctrl+P": "screenshot", "Ctrl+Q": "quit", "Ctrl+O": "open", "Ctrl+S": "save_model",
    **{str(i): f"geom_group_{i}" for i in range(6)}, **{f"Shift+{i}": f"site_group_{i}" for i in range(6)},
}  # fmt: skip
# What the reference calls its flags, where we have another name.
OTHER_NAMES = {
    "center_of_mass": "com", "range_finder": "rangefinder", "static_body": "static",
}  # fmt: skip


def flags():
    """Of the reference: the key of each flag that has one, the switch of ours, and whether it is on at first."""
    found = {}
    for text, first, key in (*mujoco.mjVISSTRING, *mujoco.mjRNDSTRING):
        name = text.replace("&", "").lower().replace(" ", "_")
        if key.strip():
            found.setdefault(key, (OTHER_NAMES.get(name, name), first == "1"))  # "," is of two: the first has it
    return found


def test_each_key_of_simulate_has_its_action(window):
    wrong = {key: name for key, name in KEYS.items() if QKeySequence(key).toString() not in window.keys.keys(name)}
    assert not wrong


def test_each_flag_of_the_reference_has_its_key_and_its_first_value(window):
    assert len(flags()) > 31
    for key, (name, first) in flags().items():
        assert window.keys.keys(name) == (key,), name
        assert window.viewport.option(name) is first, name


def test_function_keys_show_and_cycle_what_they_do_in_simulate(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    view = window.viewport
    for key, name in (
        (Qt.Key.Key_Y, "rangefinder"), (Qt.Key.Key_E, "equality"), (Qt.Key.Key_Comma, "activation"),
        (Qt.Key.Key_Apostrophe, "scale_inertia"), (Qt.Key.Key_QuoteLeft, "body_tree"), (Qt.Key.Key_Backslash, "mesh_tree"),
    ):  # fmt: skip
        before = view.option(name)
        qtbot.keyClick(view, key)
        assert view.option(name) is not before
    qtbot.keyClick(view, Qt.Key.Key_F6)
    assert view.options.frame is FrameMode.BODY
    qtbot.keyClick(view, Qt.Key.Key_F7)
    assert view.options.label is LabelMode.BODY
    actions = window.actions_by_name
    actions["label_constraint"].trigger()  # from the menu
    assert view.options.label is LabelMode.CONSTRAINT
    assert [name for name, action in actions.items() if name.startswith("label_") and action.isChecked()] == ["label_constraint"]
    qtbot.keyClick(view, Qt.Key.Key_F2)
    assert view.show_info
    qtbot.keyClick(view, Qt.Key.Key_F5)
    assert window.isFullScreen()
    qtbot.keyClick(view, Qt.Key.Key_F5)
    assert not window.isFullScreen()
