"""What a filter hides is said, and cleared by a click: in the tree of the model, in lists and in the preferences."""

import pytest
from PyQt6.QtCore import Qt

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.panels.parameters.several import SeveralDialog

pytestmark = pytest.mark.pumped


def said(field):
    """How many rows a filter says it hides."""
    text = field.hidden.text()
    assert text == "" or text.endswith(": clear")
    return int(text.split()[3].rstrip(":")) if text else 0


def test_the_tree_of_the_model_says_how_many_elements_a_search_hides(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "boxes.xml")
    panel = window.panels.inspector
    panel.dock.bring()
    view = panel.view
    elements = [node for node in view.nodes.nodes if node.is_element]
    assert said(view.search) == 0
    view.search.setText("geom 1")
    qtbot.waitUntil(lambda: said(view.search) > 0)

    def shown(nodes):
        for node in nodes:
            yield node
            yield from shown(node.shown)

    seen = [node for node in shown(list(view.nodes.roots)) if node.is_element]
    assert said(view.search) == len(elements) - len(seen)
    view.search.hidden.click()
    qtbot.waitUntil(lambda: said(view.search) == 0)
    assert view.search.text() == ""


def test_the_list_of_geoms_says_how_many_its_words_hide(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "boxes.xml")
    model = window.session.loaded_model
    dialog = SeveralDialog(model, (0,), window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.search.setText("WORLD floor")
    hidden = [k for k in range(model.ngeom) if dialog.list.item(k).isHidden()]
    assert 0 < len(hidden) < model.ngeom
    assert said(dialog.search) == len(hidden)
    dialog.search.hidden.click()
    assert not any(dialog.list.item(k).isHidden() for k in range(model.ngeom))


def test_the_preferences_say_how_many_settings_and_keys_a_search_hides(window, qtbot):
    window.actions_by_name["preferences"].trigger()
    dialog = window.preferences.dialog
    dialog.search.setText("pause")
    titles = [dialog.tabs.tabText(k) for k in range(2)]
    left = sum(int(title.rpartition("(")[2].rstrip(")")) for title in titles)
    assert said(dialog.search) == dialog.settings.total + dialog.keys.total - left > 0
    qtbot.mouseClick(dialog.search.hidden, Qt.MouseButton.LeftButton)
    assert dialog.search.text() == ""
    assert not dialog.search.hidden.isVisible()
    dialog.close()
