"""What a soak does in the view: the camera, bodies that are dragged, what is drawn."""

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest

from tests.soak import hands
from tests.soak.player import Play, Player
from tumble.app.film.camera_keys import CameraGuide, CameraKeys, Motion
from tumble.app.look import actions
from tumble.app.viewport.choosing import FoundBodies
from tumble.app.viewport.tiles.arrangement import Arrangement
from tumble.render.options import MODES, PictureMode

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
RIGHT_BUTTON, LEFT_BUTTON = Qt.MouseButton.RightButton, Qt.MouseButton.LeftButton


def camera(player: Player) -> Play:
    view, rng = player.view, player.rng
    button, modifiers = rng.choice((LEFT_BUTTON, RIGHT_BUTTON, Qt.MouseButton.MiddleButton)), hands.PLAIN
    at = hands.place(view, rng)
    hands.press(view, at, button, modifiers)
    for _ in range(rng.randint(3, 20)):
        at += QPoint(rng.randint(-12, 12), rng.randint(-12, 12))
        hands.move(view, at, button, modifiers)
        yield 0.02
    hands.release(view, at, button, modifiers)
    hands.wheel(view, at, rng.randint(-3, 3))
    yield 0.1
    player.trigger(rng.choice(("align", "next_camera", "previous_camera", "orthographic", "free_camera")))
    yield 0.4


def drag_body(player: Player) -> Play:
    """Select a body with a double click, and pull or turn it."""
    view, rng = player.view, player.rng
    points = (hands.place(view, rng) for _ in range(30))
    found = next((at for at in points if (hit := view.looking.pick(at.toPointF())) is not None and hit.body > 0), None)
    if found is None:
        return
    QTest.mouseDClick(view, LEFT_BUTTON, hands.PLAIN, found)
    yield 0.1
    button = rng.choice((LEFT_BUTTON, RIGHT_BUTTON))
    if rng.random() < 0.3:
        player.trigger("gizmo")
    hands.press(view, found, button, CTRL)
    for _ in range(rng.randint(5, 25)):
        found += QPoint(rng.randint(-15, 15), rng.randint(-15, 15))
        hands.move(view, found, button, CTRL)
        yield 0.03
    hands.release(view, found, button, CTRL)
    player.session.select(0)
    yield player.obeyed()


def look_around(player: Player) -> Play:
    """Rest with the mouse until what is there is named, and draw a box around some of it."""
    view, rng = player.view, player.rng
    for _ in range(3):
        hands.move(view, hands.place(view, rng), Qt.MouseButton.NoButton, hands.PLAIN)
        yield 0.8
    corner = hands.place(view, rng)
    hands.press(view, corner, LEFT_BUTTON, SHIFT)
    for _ in range(4):
        corner += QPoint(rng.randint(-60, 90), rng.randint(-60, 90))
        hands.move(view, corner, LEFT_BUTTON, SHIFT)
        yield 0.05
    hands.release(view, corner, LEFT_BUTTON, SHIFT)
    yield 0.3
    player.session.part(FoundBodies).clear()
    player.session.select(0)
    yield player.obeyed()


def measure(player: Player) -> Play:
    player.trigger(player.rng.choice(("measure", "measure_bodies")))
    for _ in range(3):
        QTest.mouseClick(player.view, LEFT_BUTTON, hands.PLAIN, hands.place(player.view, player.rng))
        yield 0.1
    player.trigger("copy_measure")
    player.trigger("free_camera")
    yield 0.1


def flags(player: Player) -> Play:
    """What is drawn, and back: on or off it is as before."""
    specs = (*actions.VISUALIZATION, *actions.CONTACTS, *actions.RENDERING, *actions.GROUPS)
    chosen = player.rng.sample([spec.name for spec in specs if spec.name not in MODES], 5)
    chosen.append(player.rng.choice(list(MODES)))  # of two, the one would end the other
    for _ in range(2):
        for name in chosen:
            player.trigger(name)
            yield 0.08
    for name in ("labels", "frames", "flex_layer", "tree_depth"):
        player.trigger(name)
        yield 0.1


def several_views(player: Player) -> Play:
    """Arrange views, use the mouse and the header of some, and have one alone again."""
    view, rng = player.view, player.rng
    for arrangement in rng.sample(list(Arrangement), 3):
        player.trigger(f"views_{arrangement.value}")
        yield 0.2
        for tile in list(view.tiles.shown()):
            area = view.tiles.area(tile)
            at = hands.place(view, rng) if area.picture.isEmpty() else area.picture.center()
            hands.press(view, at, LEFT_BUTTON, hands.PLAIN)
            hands.move(view, at + QPoint(9, 4), LEFT_BUTTON, hands.PLAIN)
            hands.release(view, at + QPoint(9, 4), LEFT_BUTTON, hands.PLAIN)
            view.set_mode(rng.choice(list(PictureMode)))
            yield 0.1
        player.trigger(rng.choice(("only_view", "next_view", "inset_corner")))
        yield 0.2
    for tile in view.tiles.all:
        tile.options.mode = PictureMode.SHADED
    player.trigger("views_one")
    yield 0.1


def insets(player: Player) -> Play:
    for name in player.rng.sample(("profiler", "sensors", "info", "help"), 2):
        player.trigger(name)
        yield 0.6
        player.trigger(name)
        yield 0.1


def camera_path(player: Player) -> Play:
    keys, guide = player.session.part(CameraKeys), player.session.part(CameraGuide)
    for k in range(3):
        keys.add(0.5 * k, player.view.camera)
        player.trigger(player.rng.choice(("align", "next_camera")))
        yield 0.2
    guide.set_motion(player.rng.choice(list(Motion)))
    yield 0.6
    guide.set_motion(next(iter(Motion)))
    keys.clear()
    player.trigger("free_camera")
    yield 0.1
