"""What other systems ask of the window: OpenGL's format before Qt is there, and menus from which macOS takes entries."""

import ctypes

import pytest
from PyQt6.QtGui import QAction, QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from tumble.app.shell import application

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
    asked = QSurfaceFormat.defaultFormat()
    assert (asked.majorVersion(), asked.minorVersion()) == (3, 3)
    assert asked.profile() == QSurfaceFormat.OpenGLContextProfile.CoreProfile
    assert asked.renderableType() == QSurfaceFormat.RenderableType.OpenGL
    assert not asked.testOption(QSurfaceFormat.FormatOption.DeprecatedFunctions)


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


def test_macos_takes_no_entry_of_the_menus_that_is_not_named_for_it(window):
    """Qt would guess by the first word, and only among entries that are not in a submenu: Options is a panel's."""
    bar = window.menuBar()
    menus = [menu for action in bar.actions() if (menu := action.menu()) is not None]
    entries = [action for menu in menus for action in menu.actions()]
    assert len(entries) > 100
    assert any(action.text().replace("&", "").startswith("Options") for action in entries)
    role = QAction.MenuRole
    taken = {action.objectName(): action.menuRole() for action in entries if action.menuRole() != role.NoRole}
    assert taken == {"about": role.AboutRole, "preferences": role.PreferencesRole, "quit": role.QuitRole}
