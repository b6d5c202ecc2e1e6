"""Where two engines disagree about a pair, and which of them is right."""

import mujoco
import numpy as np
from msgspec import Struct

from tests.battery.cases import Case
from tests.battery.engines import Points
from tests.battery.shapes import Shape, hull_of
from tests.battery.truth import best_axis, separation

DISTANCE = 1e-6  # of the scale
NORMAL = 1e-4  # rad
_SHADOW = 2e-9  # of the scale: axes that separate so equally well are equally good; an axis 1e-4 rad off loses 5e-9 of a radius

# Tolerance: normals differ, but on both axes the overlap is the least one to the tolerance that was asked for.
OURS, THEIRS, TIE, TOLERANCE, NEITHER = "ours right", "reference right", "tie", "within tolerance", "neither"


class Verdict(Struct, frozen=True):
    """One comparison. what: "" where they agree, else number, distance or normal; right: who is; errors in units of the scale."""

    what: str
    right: str = ""
    ours: float = 0.0
    theirs: float = 0.0


def refuted(rm: mujoco.MjModel, rd: mujoco.MjData, ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether the reference's normal of two geoms is wrong and ours is better: its frame is none, or they overlap more along it.

    ours, theirs: frames (3, 3).
    """
    if np.abs(theirs @ theirs.T - np.eye(3)).max() > 1e-6:
        return bool(np.abs(ours @ ours.T - np.eye(3)).max() < 1e-9)
    shapes = []
    for g in rd.contact.geom[0]:
        kind = mujoco.mjtGeom(rm.geom_type[g]).name[len("mjGEOM_"):].lower()
        size, hull = rm.geom_size[g], None
        if kind == "mesh":
            first, number = rm.mesh_vertadr[rm.geom_dataid[g]], rm.mesh_vertnum[rm.geom_dataid[g]]
            size, hull = np.ones(3), hull_of(rm.mesh_vert[first : first + number].astype(float))
        shapes.append(Shape(kind, size, rd.geom_xpos[g], rd.geom_xmat[g].reshape(3, 3), hull))
    case = Case(shapes[0], shapes[1], 0.0, "")
    return bool(separation(case, ours[0]) > separation(case, theirs[0]) + 1e-7 * case.scale)


def disagreement(case: Case, ours: Points, theirs: Points) -> str:
    """What differs first: the number of points, a distance, the normal of the deepest; "" if nothing does."""
    if len(ours.dist) != len(theirs.dist):
        return "number"
    if not len(ours.dist):
        return ""
    if np.abs(np.sort(ours.dist) - np.sort(theirs.dist)).max() > DISTANCE * case.scale:
        return "distance"
    return "normal" if turned(ours, theirs) > NORMAL else ""


def turned(ours: Points, theirs: Points) -> float:
    """Angle between the normals of the deepest points [rad]."""
    a, b = ours.frame[ours.deepest(), 0], theirs.frame[theirs.deepest(), 0]
    return float(2 * np.arcsin(min(1.0, 0.5 * np.linalg.norm(a - b))))


def judge(case: Case, ours: Points, theirs: Points, what: str) -> Verdict:
    """Which of two that disagree is right; of two that agree, whether they are."""
    hints = [p.frame[p.deepest(), 0] for p in (ours, theirs) if len(p.dist)]
    depth, _ = best_axis(case, np.array(hints).reshape(-1, 3))
    if not len(ours.dist) or not len(theirs.dist):
        return _there(case, depth, ours, theirs, what)
    errors = [abs(p.dist.min() - depth) / case.scale for p in (ours, theirs)]
    losses = [max(0.0, depth - float(separation(case, p.frame[p.deepest(), 0]))) / case.scale for p in (ours, theirs)]
    if what == "normal" or (what == "" and max(errors) <= DISTANCE):
        right = _right(losses, _SHADOW, 4 * _SHADOW)
        close = max(losses) * case.scale <= 4 * case.tolerance
        return Verdict(what, TOLERANCE if right in (NEITHER, THEIRS) and close else right, *losses)
    return Verdict(what, _right(errors, DISTANCE, DISTANCE), *errors)


def _there(case: Case, depth: float, ours: Points, theirs: Points, what: str) -> Verdict:
    """Where one of them, or both, found no point."""
    over = (depth - case.margin) / case.scale
    if abs(over) <= DISTANCE:
        return Verdict(what, TIE, abs(over), abs(over))
    wrong = [(len(p.dist) > 0) != (over < 0) for p in (ours, theirs)]
    right = {(False, False): TIE, (False, True): OURS, (True, False): THEIRS, (True, True): NEITHER}[wrong[0], wrong[1]]
    return Verdict(what, right, abs(over) * wrong[0], abs(over) * wrong[1])


def _right(errors: list[float], good: float, bad: float) -> str:
    ours, theirs = errors
    if ours <= good and theirs <= good:
        return TIE
    if ours <= bad or theirs <= bad:
        return OURS if ours < theirs else THEIRS
    return NEITHER
