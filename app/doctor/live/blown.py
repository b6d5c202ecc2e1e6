"""The finding of a running simulation whose state blew up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble import physics
from tumble.app.describe.warnings import bad_joint, describe
from tumble.app.doctor.finding import Finding, Severity
from tumble.app.doctor.rules import blow_up
from tumble.app.simulation.autopsy import BAD
from tumble.app.simulation.snapshot import Snapshot

if TYPE_CHECKING:
    from tumble.physics import MjModel


def blown_finding(model: MjModel, snapshot: Snapshot, time: float) -> Finding | None:
    """Finding of the rule blow-up; None without a warning of one.

    snapshot: the first after it; time: of the last one before [s].
    """
    kind = next((kind for kind in BAD if snapshot.warning_number[kind]), None)
    if kind is None:
        return None
    info = int(snapshot.warning_info[kind])
    joint = bad_joint(model, kind, info)
    elements = ((physics.mjtObj.mjOBJ_JOINT, joint),) if joint >= 0 else ()
    evidence = {"warning": physics.mjtWarning(kind).name, "number": int(snapshot.warning_number[kind])}
    text = describe(model, kind, info, time)
    return Finding(blow_up.RULE.id, Severity.ERROR, text, "", elements, evidence, time=time)
