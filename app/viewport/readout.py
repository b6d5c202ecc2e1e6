"""The numbers written over the view."""

from __future__ import annotations

from app.describe.names import body_name
from app.describe.numbers import TIMES, duration, moment, rate_text
from app.describe.sizes import bodies
from app.session.session import Session


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
