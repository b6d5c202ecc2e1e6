"""Rule drift-pyramid: bodies that slide elsewhere because the friction cone is a pyramid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Measure, ModelChange, Prediction, Severity
from tumble.app.doctor.measures import is_moment
from tumble.app.doctor.proof import tried
from tumble.app.doctor.trees import driven
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel
from tumble.physics.dynamics.contact_force import SLIP_AT
from tumble.physics.observe.creep import creep_of
from tumble.physics.observe.thickness import thickness_of
from tumble.physics.query.force import contact_velocities, forces_of
from tumble.physics.run.program import is_hard

Numbers = NDArray[np.float64]
MOMENTS = 25  # of a run that are looked at
LASTS = 3  # moments at which a geom has to slide so
SLIDES = 0.02  # speed [m/s] from which a contact slides
TURNED = np.deg2rad(8.0)  # angle between friction and sliding that is no rounding
FAR = 0.2  # share of its thickness by which a geom has to be led astray
TUMBLES = 0.3  # angle [rad] by which the two runs may turn a body differently: what tumbles goes apart for other reasons
MOST_DOFS = 6  # of a tree, likewise
_PYRAMID, _ELLIPTIC = int(physics.mjtCone.mjCONE_PYRAMIDAL), int(physics.mjtCone.mjCONE_ELLIPTIC)


class _Place(Struct, frozen=True):
    """Position [m] (3,) and orientation (3, 3) of a geom."""

    position: Numbers
    turn: Numbers

    @classmethod
    def of(cls, data: MjData, geom: int) -> _Place:
        """Where a geom is."""
        return cls(np.array(data.geom_xpos[geom]), np.array(data.geom_xmat[geom]).reshape(3, 3))

    def astray(self, other: _Place) -> float:
        """Distance from another place [m]; 0 where it tumbles."""
        cosine = (np.trace(self.turn @ other.turn.T) - 1) / 2
        tumbles = np.arccos(np.clip(cosine, -1, 1)) > TUMBLES
        return 0.0 if tumbles else float(np.linalg.norm(self.position - other.position))


class _Slide(Struct):
    """A geom that slides on what is fixed: the other geom, when first [s], steps of the run to the last moment and its place then.

    angle: the largest between friction and sliding [rad]; moments: that were looked at.
    """

    other: int
    time: float
    steps: int
    place: _Place
    angle: float = 0.0
    moments: int = 0


class _Drift:
    def __init__(self, case: Examination) -> None:
        self._case = case
        model = case.model
        self._looks = int(model.opt.cone) == _PYRAMID and not is_hard(model)
        self._slides: dict[int, _Slide] = {}
        alone = np.asarray(model.tree_dofnum) <= MOST_DOFS
        alone[list(driven(model, case.start))] = False
        tree = np.asarray(model.body_treeid)[np.asarray(model.geom_bodyid)]
        self._static = tree < 0
        self._alone = ~self._static & np.append(alone, False)[tree]

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        watch = self._case.watch
        if not self._looks or not data.ncon or not is_moment(watch.steps, watch.length, MOMENTS):
            return
        geoms = np.asarray(data.contact_geom)[: data.ncon]
        sliding = (geoms >= 0).all(1) & self._static[geoms].any(1) & self._alone[geoms].any(1)
        if not sliding.any():
            return
        creep = creep_of(data)
        sliding &= (creep.used >= SLIP_AT) & (creep.speed > SLIDES) & (creep.normal > 0)
        if sliding.any():
            self._take(data, np.flatnonzero(sliding))

    def _take(self, data: MjData, contacts: NDArray[np.int64]) -> None:
        """Note slides whose friction is not against them."""
        rows = data.contact_efc_address, data.contact_dim, data.contact_friction, data.efc_type
        velocity, force = contact_velocities(np.asarray(data.efc_vel), *rows)[contacts, 1:3], forces_of(data)[contacts, 1:3]
        length = np.linalg.norm(velocity, axis=1) * np.linalg.norm(force, axis=1)
        cosine = -(velocity * force).sum(axis=1) / np.where(length > 0, length, 1.0)
        angles = np.where(length > 0, np.arccos(np.clip(cosine, -1, 1)), 0.0)
        round_cone = np.isclose(data.contact_friction[contacts, 0], data.contact_friction[contacts, 1])
        now: dict[int, tuple[int, float]] = {}
        for k, angle in zip(contacts[round_cone].tolist(), angles[round_cone].tolist(), strict=True):
            first, second = (int(g) for g in data.contact_geom[k])
            geom, other = (first, second) if self._alone[first] else (second, first)
            now[geom] = other, max(angle, now.get(geom, (0, 0.0))[1])
        for geom, (other, angle) in now.items():
            if angle > TURNED:
                steps, place = self._case.watch.steps, _Place.of(data, geom)
                slide = self._slides.setdefault(geom, _Slide(other, float(data.time), steps, place))
                slide.steps, slide.place = steps, place
                slide.angle, slide.moments = max(slide.angle, angle), slide.moments + 1

    def findings(self) -> Iterable[Finding]:
        """The findings of the run: the geom that is led farthest astray for its size."""
        case = self._case
        slides = {geom: slide for geom, slide in self._slides.items() if slide.moments >= LASTS}
        if not slides:
            return
        change, places = Change("opt.cone", None, (_ELLIPTIC,)), dict[int, _Place]()
        tried(case, (change,), _places(slides, places))
        size = thickness_of(case.model)
        shares = {geom: slide.place.astray(places[geom]) / float(size[geom]) for geom, slide in slides.items()}
        geom = max(shares, key=lambda g: shares[g])
        if shares[geom] > FAR:
            slide, far = slides[geom], shares[geom] * float(size[geom])
            name, seconds = case.name(OBJ.mjOBJ_GEOM, geom), slide.steps * float(case.model.opt.timestep)
            yield Finding(
                RULE.id, Severity.WARNING,
                f"{name} slides {1e3 * far:.3g} mm astray in {seconds:.3g} s: its friction cone is a pyramid, and pulls up to "
                f"{np.rad2deg(slide.angle):.0f} degrees off the sliding",
                "The result depends on how the axes of the contact lie.", ((OBJ.mjOBJ_GEOM, geom), (OBJ.mjOBJ_GEOM, slide.other)),
                {"astray": far, "angle": slide.angle, "size": float(size[geom])},
                ModelChange(
                    "option.cone", "pyramidal", "elliptic", "friction is against the sliding", (change,),
                    Prediction(_astray(geom, seconds, places[geom]), far, 0.0),
                ),
                pair=(geom, slide.other), time=slide.time,
            )  # fmt: skip


def _places(slides: dict[int, _Slide], into: dict[int, _Place]) -> Measure:
    """Fills in where each geom is at the end of its slide: a second look at the run."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        for step, data in enumerate(steps, 1):
            into.update({geom: _Place.of(data, geom) for geom, slide in slides.items() if slide.steps == step})
        return 0.0

    return Measure("places", "", of)


def _astray(geom: int, seconds: float, place: _Place) -> Measure:
    """Distance of a geom after some time of a run from where an elliptic cone leads it [m]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        last = round(seconds / float(model.opt.timestep))
        data = next(islice(steps, last - 1, None))
        return float(np.linalg.norm(np.asarray(data.geom_xpos[geom]) - place.position))

    return Measure("distance from its place with an elliptic cone", "m", of)


RULE = DoctorRule(
    "drift-pyramid", "Sliding bodies that a pyramidal cone leads astray",
    "Friction opposes sliding. A pyramidal cone has corners on the axes of the contact's frame: for any other direction the "
    "force of the most power points to a corner, up to 45 degrees off, and on the diagonals it is 0.7 of what it should be. "
    "Looked at are bodies without actuators that slide on what is fixed and do not tumble; the run is repeated with an elliptic "
    "cone, and both are compared at the end of the slide.",
    observe=_Drift,
)  # fmt: skip
