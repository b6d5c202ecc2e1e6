"""The numbers written over the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.names import body_name
from tumble.app.describe.numbers import TIMES, duration, moment, rate_text
from tumble.app.describe.sizes import bodies
from tumble.app.session.session import Session
from tumble.render.camera import CameraKind

if TYPE_CHECKING:
    from tumble.app.viewport.tiles.tiles import Tiles
    from tumble.render.renderer import Renderer

LEFT_VIEW = with_keys("Nothing that moves is in view: Backspace starts again, Ctrl+A looks at where the model began")


def time_lines(session: Session, fps: float) -> list[tuple[str, str]]:
    """Time, rate (reached, and wanted if it differs), pictures a second, contacts."""
    snapshot = session.snapshot
    assert snapshot is not None
    if session.paused:
        rate = "paused"
    else:
        rate = f"{snapshot.measured:.2f}{TIMES}"
        if session.rate != 1.0 or snapshot.measured < 0.95 * session.rate:
            rate += f" of {rate_text(session.rate)}"
    lines = [("time", moment(snapshot.time, 2)), ("rate", rate)]
    if not session.paused:
        lines.append(("fps", f"{fps:.0f}"))
    return [*lines, ("contacts", str(snapshot.ncon))]


def hint(session: Session, tiles: Tiles, renderer: Renderer | None) -> str:
    """Advice for an empty view: no model is open, or everything that moves has left the only view; "" otherwise."""
    if session.snapshot is None:
        return "" if session.loads.busy else with_keys("Drop a model file (*.xml) here, or open one with Ctrl+O")
    gone = renderer is not None and not renderer.shows_motion and not tiles.several
    return LEFT_VIEW if gone and tiles.current.camera.kind is CameraKind.FREE else ""


def info_lines(session: Session) -> list[tuple[str, str]]:
    """Sizes of the model and of the last step's problem."""
    snapshot, model = session.snapshot, session.loaded_model
    assert snapshot is not None
    lines = [
        ("timestep", duration(float(model.opt.timestep))),
        ("bodies", str(bodies(model))),
        ("dofs", str(model.nv)),
        ("actuators", str(model.nu)),
        ("contacts", str(snapshot.ncon)),
        ("constraint rows", str(snapshot.nefc)),
        ("solver iterations", str(snapshot.iterations)),
    ]
    if snapshot.energy.any():
        lines.append(("energy", f"{snapshot.energy.sum():.4g} J"))
    if session.selection > 0:
        lines.append(("selected", body_name(model, session.selection)))
    return lines
