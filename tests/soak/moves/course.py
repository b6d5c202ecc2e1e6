"""What a soak does with a simulation: steps, rates, the timeline, breakpoints, forks, generators; edits, copies, checks."""

from PyQt6.QtCore import QPoint
from PyQt6.QtWidgets import QWidget

from tests.soak import hands
from tests.soak.player import Play, Player
from tumble.app.describe.expression import ExpressionError
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.editing.keyframes import Keyframes
from tumble.app.panels.breakpoints.breakpoints import Breakpoints
from tumble.app.panels.control.generators import Generators
from tumble.app.simulation.generators import Generator, Shape


def pause_and_step(player: Player) -> Play:
    player.trigger("pause")
    yield 0.1
    for _ in range(player.rng.randint(1, 12)):
        player.trigger(player.rng.choice(("step", "step", "back")))
        yield 0.03
    player.session.set_paused(False)
    yield player.obeyed()


def rates(player: Player) -> Play:
    for _ in range(4):
        player.trigger(player.rng.choice(("faster", "slower")))
        yield 0.1
    player.session.set_rate(1.0)


def reset(player: Player) -> Play:
    model = player.session.model
    if model is not None:
        keys = [None, *range(model.nkey)]
        player.session.reset(player.rng.choice(keys))
    yield 0.3


def scrub(player: Player) -> Play:
    """Drag along the timeline, go on from there, and return to the branch that was left."""
    history = player.session.history
    player.window.panels.open(["timeline"])
    yield 0.6
    for _ in range(12):
        history.go(player.rng.randint(history.first, max(history.first, history.end)))
        yield 0.05
    yield player.obeyed()
    player.rng.choice((history.play, history.go_on))()
    yield 0.4
    if history.branches and player.rng.random() < 0.5:
        history.return_to(player.rng.choice(history.branches).number)
        yield player.obeyed()
    player.session.set_paused(False)


def time_strip(player: Player) -> Play:
    """The mouse on the timeline."""
    player.window.panels.open(["timeline"])
    yield 0.3
    panel = player.window.panels.timeline
    strips = [child.viewport() for child in panel.findChildren(QWidget) if type(child).__name__ == "TimeStripView"]
    for strip in strips:
        at = hands.place(strip, player.rng)
        hands.press(strip, at)
        for _ in range(8):
            at = QPoint(player.rng.randrange(max(strip.width(), 1)), at.y())
            hands.move(strip, at)
            yield 0.04
        hands.release(strip, at)
        hands.wheel(strip, at, player.rng.randint(-3, 3))
    player.session.set_paused(False)
    yield 0.1


def bookmarks(player: Player) -> Play:
    history = player.session.history
    player.trigger("bookmark")
    yield 0.1
    for mark in history.bookmarks[:-3]:
        history.unmark(mark.step)
    if history.bookmarks:
        history.go(player.rng.choice(history.bookmarks).step)
        yield 0.2
    player.session.set_paused(False)


def keyframes(player: Player) -> Play:
    keys = player.session.part(Keyframes)
    player.trigger("save_keyframe")
    yield player.obeyed()
    yield 0.3
    if player.session.model is not None and player.session.model.nkey:
        keys.go(0)
        yield 0.1
    player.trigger("undo")
    yield 0.1


def breakpoints(player: Player) -> Play:
    points, snapshot = player.session.part(Breakpoints), player.session.snapshot
    if snapshot is None:
        return
    player.window.panels.open(["breakpoints"])
    try:
        key = points.add(player.rng.choice((f"time > {snapshot.time + 0.2:.3f}", "ncon > 0", "abs(qvel[0]) > 100")))
    except ExpressionError:
        return  # this model has no such number
    player.session.set_paused(False)
    yield 0.6
    points.remove(key)
    player.session.set_paused(False)
    yield 0.1


def forks(player: Player) -> Play:
    player.trigger("fork")
    yield 0.8
    player.trigger("fork")
    yield 0.5


def generators(player: Player) -> Play:
    model, own = player.session.model, player.session.part(Generators)
    if model is None or model.nu == 0:
        return
    for _ in range(3):
        actuator = player.rng.randrange(model.nu)
        player.session.set_ctrl(actuator, player.rng.uniform(-1, 1))
        own.set(actuator, Generator(player.rng.choice(list(Shape))))
        yield 0.2
    player.trigger("clear_ctrl")
    yield player.obeyed()


def edit(player: Player) -> Play:
    """Change parameters, take some back, and bring some back again."""
    model, edits, rng = player.session.model, player.session.part(Edits), player.rng
    if model is None or model.ngeom == 0:
        return
    for _ in range(rng.randint(1, 5)):
        geom = rng.randrange(model.ngeom)
        field = rng.choice(("geom_friction", "geom_solref", "geom_margin", "geom_rgba"))
        value = {
            "geom_friction": (rng.uniform(0, 2), 0.005, 0.0001),
            "geom_solref": (rng.uniform(0.005, 0.1), 1.0),
            "geom_margin": (rng.uniform(0, 0.01),),
            "geom_rgba": (rng.random(), rng.random(), rng.random(), 1.0),
        }[field]
        edits.set(EditPlace(field, geom), value, field)
        yield 0.1
    if rng.random() < 0.5:
        edits.set(EditPlace("opt.gravity"), (0.0, 0.0, rng.uniform(-12, 0)), "gravity")
    for _ in range(rng.randint(1, 8)):
        player.trigger(rng.choice(("undo", "undo", "redo")))
        yield 0.05
    if rng.random() < 0.5:
        player.trigger("restore")
    yield player.obeyed()


def write_model(player: Player) -> Play:
    """Edit a number, and have the model's file changed, or a copy of it saved."""
    model, edits = player.session.model, player.session.part(Edits)
    if model is None or model.ngeom == 0:
        return
    edits.set(EditPlace("geom_friction", 0), (player.rng.uniform(0.1, 2), 0.005, 0.0001), "friction")
    yield 0.1
    player.file = player.output("saved.xml")
    player.trigger(player.rng.choice(("save_model", "write", "save_binary", "print_model", "print_data")))
    yield 1.5
    edits.restore()
    yield player.obeyed()


def copy_and_paste(player: Player) -> Play:
    player.trigger(player.rng.choice(("copy_state", "copy_state_text", "copy_camera", "copy_camera_text")))
    yield 0.1
    player.trigger("paste_state")
    yield player.obeyed()


def check_model(player: Player) -> Play:
    player.trigger(player.rng.choice(("check", "collision", "explain")))
    yield 2.0
