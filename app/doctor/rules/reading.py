"""Rules reading and engine-gap: oddities of the file that the reader noted, and parts of it that have no effect here."""

from __future__ import annotations

from collections.abc import Iterable

from tumble.app.base.editor import place_in
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import FilePlace, Finding, Severity
from tumble.physics.run.program import gaps


def _notes(case: Examination) -> Iterable[Finding]:
    for note in case.model.notes:
        found = place_in(note)
        place = None if found is None else FilePlace(*found)
        at = None if place is None else case.element_at(place)
        yield Finding(READING.id, Severity.ADVICE, note, elements=() if at is None else (at,), place=place)


def _gaps(case: Examination) -> Iterable[Finding]:
    """What an engine's list names: sensors, each in a line that begins with its name."""
    model = case.model
    sensors = {f"sensor {model.sensor(s).name or f'number {s}'}:": s for s in range(model.nsensor)}
    for gap in gaps(model):
        at = next((s for name, s in sensors.items() if gap.startswith(name)), None)
        yield Finding(ENGINE_GAP.id, Severity.ERROR, gap, elements=() if at is None else ((OBJ.mjOBJ_SENSOR, at),))


READING = DoctorRule(
    "reading", "Oddities of the file",
    "The reader loads what MuJoCo loads and notes what is probably not meant: attributes without effect, files that were not "
    "found, elements that repeat each other.",
    _notes,
)  # fmt: skip
ENGINE_GAP = DoctorRule(
    "engine-gap", "Parts without effect in this engine",
    "A combination of options that this engine does not compute is named, so that its result is not taken for the requested one.",
    _gaps,
)  # fmt: skip
