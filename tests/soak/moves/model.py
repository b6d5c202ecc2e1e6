"""What a soak does with the model: edits, undo, copies, checks."""

from tests.soak.player import Play, Player
from tumble.app.editing.edits import EditPlace, Edits


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
