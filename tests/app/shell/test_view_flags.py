"""What is drawn beyond the default belongs to a model, is listed in a chip, and is reset by one action."""

import pytest

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.shell.view_flags import ViewFlags, beyond_default
from tumble.render.options import LabelMode, RenderOptions

pytestmark = pytest.mark.pumped


def _flags(window):
    found = window.viewport.findChild(ViewFlags)
    assert found is not None
    return found


def test_flags_belong_to_a_model(window, qtbot):
    view, session, actions = window.viewport, window.session, window.actions_by_name
    open_and_wait(qtbot, session, MODELS / "ball.xml")
    for name in ("contact_point", "geom_group_3", "label_body"):
        actions[name].trigger()
    assert set(beyond_default(view.options)) == {"contact_point", "geom_group_3", "label"}
    open_and_wait(qtbot, session, MODELS / "spin.xml")
    assert beyond_default(view.options) == {}
    assert not actions["contact_point"].isChecked()
    open_and_wait(qtbot, session, MODELS / "ball.xml")
    assert set(beyond_default(view.options)) == {"contact_point", "geom_group_3", "label"}
    assert view.options.label is LabelMode.BODY
    assert actions["contact_point"].isChecked()


def test_the_chip_lists_what_is_on_and_takes_it_back(window, qtbot):
    view, chip = window.viewport, _flags(window).chip
    open_and_wait(qtbot, window.session, MODELS / "ball.xml")
    assert chip.isHidden()
    for name in ("contact_point", "transparent"):
        window.actions_by_name[name].trigger()
    assert chip.isVisible()
    assert view.rect().contains(chip.geometry())
    entries = [action for action in chip.menu().actions() if not action.isSeparator()]
    assert [action.text() for action in entries][-1] == "Reset what is drawn"
    assert len(entries) == 3
    entries[0].trigger()
    assert len(beyond_default(view.options)) == 1
    window.actions_by_name["reset_flags"].trigger()
    assert view.options == RenderOptions()
    assert chip.isHidden()


def test_a_reload_keeps_the_flags(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "ball.xml")
    window.actions_by_name["contact_force"].trigger()
    open_and_wait(qtbot, window.session, MODELS / "ball.xml", window.session.reload)
    assert window.viewport.option("contact_force")
