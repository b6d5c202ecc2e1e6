"""Small parts: words for models and warnings, drops, actions, errors, what scripts are told and other systems ask."""

import ctypes
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from PyQt6.QtGui import QAction, QOffscreenSurface, QOpenGLContext, QSurfaceFormat
from PyQt6.QtWidgets import QApplication, QPushButton

from tumble import physics
from tumble.app.describe.names import actuators, joints
from tumble.app.describe.numbers import TIMES
from tumble.app.describe.warnings import describe
from tumble.app.look import actions, theme
from tumble.app.rescue.error_dialog import ErrorDialog
from tumble.app.shell import application, file_choice
from tumble.app.shell.application import ErrorCatcher
from tumble.render.options import RenderOptions

MODEL = """<mujoco><compiler angle="radian"/><worldbody><body name="b"><joint name="h" axis="0 0 1"
range="-1 2" limited="true"/><geom size=".1"/><body pos="0 0 1"><joint type="slide" axis="0 0 1"/>
<geom size=".1"/><body><joint type="ball"/><geom size=".1"/></body></body>
</body></worldbody><actuator><motor joint="h" gear="50" name="m"/><position joint="h" kp="3" ctrlrange="-1 1" ctrllimited="true"/>
<velocity joint="h" kv="2"/><motor name="direct" joint="h"/></actuator></mujoco>"""


def test_actuators_tell_name_unit_and_range():
    model = physics.MjModel.from_xml_string(MODEL)
    infos = actuators(model)
    assert [info.unit for info in infos] == [f"{TIMES} 50 N·m", "rad", "rad/s", "N·m"]
    assert [info.name for info in infos] == ["m", "actuator 1", "actuator 2", "direct"]
    assert (infos[1].low, infos[1].high, infos[1].limited) == (-1, 1, True)
    assert not infos[0].limited


def test_joints_of_one_dof_have_sliders():
    infos = joints(physics.MjModel.from_xml_string(MODEL))
    assert [(info.name, info.unit, info.qpos_adr) for info in infos] == [("h", "rad", 0), ("joint 1", "m", 1)]
    assert (infos[0].low, infos[0].high) == (-1, 2)


def test_warnings_name_the_element():
    model = physics.MjModel.from_xml_string(MODEL)
    bad = physics.mjtWarning
    assert "joint h " in describe(model, int(bad.mjWARN_BADQPOS), 0, 1.5)
    assert "of joint 2 " in describe(model, int(bad.mjWARN_BADQACC), 4, 1.5)
    assert "control of direct" in describe(model, int(bad.mjWARN_BADCTRL), 3, 1.5)
    assert "1.500 s: inertia" in describe(model, int(bad.mjWARN_INERTIA), 3, 1.5)


def test_the_first_of_several_drops_is_chosen_and_the_rest_named():
    assert "only files on this computer" in file_choice.choose([]).remark
    assert file_choice.choose([Path("a.xml")]) == file_choice.DropChoice(Path("a.xml"))
    chosen = file_choice.choose([Path("a.xml"), Path("b.xml"), Path("c.xml")])
    assert chosen.model == Path("a.xml")
    assert "b.xml, c.xml" in chosen.remark
    chosen = file_choice.choose([Path("notes.txt"), *(Path(f"{k}.xml") for k in range(49))])
    assert chosen.model == Path("0.xml")  # the first that can be one
    assert chosen.remark.endswith("not opened: notes.txt, 1.xml, 2.xml and 46 more")


def test_python_file_is_dropped_as_a_controller_or_with_a_model():
    assert file_choice.choose([Path("hop.py")]) == file_choice.DropChoice(controller=Path("hop.py"))
    assert file_choice.choose([Path("hop.py"), Path("a.xml")]) == file_choice.DropChoice(Path("a.xml"), Path("hop.py"))
    chosen = file_choice.choose([Path("hop.py"), Path("a.xml"), Path("walk.py")])
    assert chosen.controller == Path("hop.py")
    assert chosen.remark.endswith("not opened: walk.py")


ALL = (
    *(*actions.FILE, *actions.SIMULATION, *actions.CAMERA, *actions.WINDOW, *actions.HELP),
    *(*actions.VISUALIZATION, *actions.RENDERING, *actions.GROUPS, actions.FRAMES, actions.LABELS, actions.FLEX_LAYER),
    *(*actions.CONTACTS, *actions.ARROWS),
)


def test_no_key_means_two_things():
    keys = Counter(key for spec in ALL for key in spec.keys)
    assert [key for key, count in keys.items() if count > 1] == []
    assert len({spec.name for spec in ALL}) == len(ALL)


def test_switches_are_renderer_options_and_icons_exist():
    options = RenderOptions()
    for spec in (*actions.VISUALIZATION, *actions.CONTACTS, *actions.RENDERING):
        assert isinstance(options.is_on(spec.name), bool)
    for spec in ALL:
        assert not spec.icon or (theme.RESOURCES / "icons" / f"{spec.icon}.svg").is_file()


def test_the_style_sheet_leaves_no_name_unreplaced(qapp):
    theme.apply(qapp)
    assert "@" not in qapp.styleSheet()


def test_an_error_of_any_thread_reaches_the_log_and_one_dialog(qtbot, monkeypatch, caplog):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # put back afterwards
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    catcher = ErrorCatcher()
    catcher.install()

    def fail():
        raise ValueError("from a thread")

    for _ in range(2):
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    qtbot.waitUntil(lambda: catcher.desk.dialog is not None)
    sys.excepthook(KeyError, KeyError("from a slot"), None)
    dialog = catcher.desk.dialog
    qtbot.waitUntil(lambda: dialog.more.text().startswith("2 more"))
    assert [w for w in QApplication.topLevelWidgets() if isinstance(w, ErrorDialog) and w.isVisible()] == [dialog]
    assert dialog.message.text() == "ValueError: from a thread"
    assert "in fail" in dialog.trace.toPlainText()
    texts = [button.text() for button in dialog.findChildren(QPushButton)]
    assert "Save bundle…" not in texts  # there is no window yet whose bundle it could save
    assert sum("from a" in record.getMessage() for record in caplog.records) == 3
    dialog.close()
    assert catcher.desk.dialog is None


CONTEXT_FLAGS, FORWARD_COMPATIBLE = 0x821E, 1


class Asked(Exception):
    """The application would be made now."""


@pytest.fixture
def _format():
    before = QSurfaceFormat.defaultFormat()
    yield
    QSurfaceFormat.setDefaultFormat(before)


@pytest.mark.usefixtures("_format")
def test_the_format_is_set_before_the_application_is_made(monkeypatch):
    def make(argv):
        raise Asked

    QSurfaceFormat.setDefaultFormat(QSurfaceFormat())
    monkeypatch.setattr(application, "QApplication", make)
    with pytest.raises(Asked):
        application.create([])
    default = QSurfaceFormat.defaultFormat()
    assert (default.majorVersion(), default.minorVersion()) == (3, 3)
    assert default.profile() == QSurfaceFormat.OpenGLContextProfile.CoreProfile
    assert default.renderableType() == QSurfaceFormat.RenderableType.OpenGL
    assert not default.testOption(QSurfaceFormat.FormatOption.DeprecatedFunctions)


def test_contexts_are_forward_compatible_as_macos_demands(qapp):
    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.create()
    assert context.create()
    assert context.makeCurrent(surface)
    address = context.getProcAddress(b"glGetIntegerv")
    assert address
    flags = ctypes.c_int()
    ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_void_p)(int(address))(CONTEXT_FLAGS, ctypes.addressof(flags))
    context.doneCurrent()
    assert flags.value & FORWARD_COMPATIBLE


def test_macos_menu_roles_are_assigned_explicitly(window):
    """Qt would guess by the first word, and only among entries that are not in a submenu: Options is a panel's."""
    bar = window.menuBar()
    menus = [menu for action in bar.actions() if (menu := action.menu()) is not None]
    entries = [action for menu in menus for action in menu.actions()]
    assert len(entries) > 100
    assert any(action.text().replace("&", "").startswith("Options") for action in entries)
    role = QAction.MenuRole
    taken = {action.objectName(): action.menuRole() for action in entries if action.menuRole() != role.NoRole}
    assert taken == {"about": role.AboutRole, "preferences": role.PreferencesRole, "quit": role.QuitRole}
