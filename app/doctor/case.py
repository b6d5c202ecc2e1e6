"""A model under examination: at its start, in its file, and over a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.doctor.body_shape import BodyShapes
from tumble.app.doctor.finding import FilePlace, Finding
from tumble.app.editing.stiffness import ElementAt, Servo, StiffnessWatch, servos
from tumble.physics.compiler.compile import outline
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.observe.again import Again

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel
    from tumble.physics.compiler.draft import Draft
    from tumble.physics.mjcf.document import Document
    from tumble.physics.mjcf.spec import Element

SECONDS = 1.0  # simulated time of a run
OBJ = physics.mjtObj
# Lists of a draft by kind of element, and whether their objects hold the element of the file or are it.
_LISTS = {
    OBJ.mjOBJ_BODY: ("bodies", True), OBJ.mjOBJ_GEOM: ("geoms", True), OBJ.mjOBJ_JOINT: ("joints", True),
    OBJ.mjOBJ_PAIR: ("pairs", False), OBJ.mjOBJ_EQUALITY: ("equalities", False), OBJ.mjOBJ_TENDON: ("tendons", False),
    OBJ.mjOBJ_ACTUATOR: ("actuators", False), OBJ.mjOBJ_SENSOR: ("sensors", False), OBJ.mjOBJ_KEY: ("keys", False),
    OBJ.mjOBJ_SITE: ("sites", True), OBJ.mjOBJ_CAMERA: ("cameras", True),
}  # fmt: skip


class NoRun(Exception):
    """A rule looks at the run of an examination without one."""


class Observer(Protocol):
    """A rule's look at a run."""

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""


ENERGY_GROWS = frozenset({"energy-grows"})  # what rules explain whose faults give energy


class DoctorRule(Struct, frozen=True):
    """A rule of the doctor.

    id: as in `soft-contact`; title: what it finds, for a heading; about: the physics behind it, a paragraph; examine: findings of
    the file, of the start and of the common figures of a run; observe: makes the rule's own observer of a run, None for none.
    explains: ids of the rules whose findings are left out where this rule names their contacts or elements, or where they name
    none; counts: whether it compares with the beginning of a run, so that a run that begins in the midst shows nothing.
    """

    id: str
    title: str
    about: str
    examine: Callable[[Examination], Iterable[Finding]] | None = None
    observe: Callable[[Examination], Observer] | None = None
    explains: frozenset[str] = frozenset()
    counts: bool = False


class Examination:
    """A model under examination.

    start: its data before the first step, after mj_forward; servos: springs of actuators and joints at the start;
    watch: figures of the run so far; data: at its end; going: called before each step with the number done and of all, may raise
    to stop; check: called between rules and in long ones, may raise to stop. runs: whether there is a run; without
    one, rules that look at it raise NoRun. begun: whether `start` is a moment of a run rather than its beginning: rules that do
    not look at the run have nothing to say of it. looked: whether the run was looked at.
    """

    def __init__(
        self,
        model: MjModel,
        path: Path | None = None,
        data: MjData | None = None,
        seconds: float = SECONDS,
        *,
        begun: bool = False,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Examine a model over a run of so many seconds, 0: without one.

        path: of the file, for places of elements and what only the file says; data: state to start from, None: the initial.
        """
        self.model, self.path, self.check = model, path, check
        self.runs, self.begun, self.looked = seconds > 0, begun, False
        self.start = physics.MjData(model) if data is None else data
        physics.mj_forward(model, self.start)
        self.servos: list[Servo] = servos(model, self.start)
        self._watch = StiffnessWatch(max(1, round(seconds / float(model.opt.timestep))))
        self._data = physics.MjData(model)
        physics.mj_copyData(self._data, model, self.start)
        self._watch.resting.begin(self._data)
        self.going: Callable[[int, int], None] = lambda done, steps: None

    @property
    def seconds(self) -> float:
        """Simulated time of the run [s]."""
        return self._watch.length * float(self.model.opt.timestep)

    @cached_property
    def again(self) -> Again:
        """For steps of the run that are solved again with other settings."""
        return Again(self.model)

    @cached_property
    def shapes(self) -> BodyShapes:
        """Solids of the bodies."""
        return BodyShapes(self.model)

    @property
    def watch(self) -> StiffnessWatch:
        """Figures of the run so far."""
        self._look_at_run()
        return self._watch

    @property
    def data(self) -> MjData:
        """The data at the end of the run."""
        self._look_at_run()
        return self._data

    def _look_at_run(self) -> None:
        if not self.runs:
            raise NoRun
        self.looked = True

    def run(self, observers: Iterable[Observer], going: Callable[[int, int], None]) -> None:
        """Take the steps; going: called before each with the number done and of all, may raise to stop."""
        looking, self.going = list(observers), going
        while self.watch.steps < self.watch.length:
            going(self.watch.steps, self.watch.length)
            physics.mj_step(self.model, self.data)
            self.watch.look(self.model, self.data)
            for each in looking:
                each.look(self.model, self.data)

    @cached_property
    def document(self) -> Document | None:
        """Text of the file; None without a file, and where it can no longer be read."""
        if self.path is None:
            return None
        try:
            return read_path(self.path)
        except PhysicsError:
            return None

    @cached_property
    def draft(self) -> Draft | None:
        """Elements of the file; None without a file, and where it does not load any more."""
        if self.document is None:
            return None
        try:
            return outline(self.document)
        except PhysicsError:
            return None

    def element(self, at: ElementAt) -> Element | None:
        """The element of the file; None where it is not known."""
        kind, index = at
        elements = self._elements.get(kind, [])
        return elements[index] if 0 <= index < len(elements) else None

    @cached_property
    def _elements(self) -> dict[physics.mjtObj, list[Element]]:
        """Elements of the file by kind and number; none where they are not known."""
        if self.draft is None:
            return {}
        lists = {kind: getattr(self.draft, name) for kind, (name, _) in _LISTS.items()}
        return {kind: [one.element for one in found] if _LISTS[kind][1] else found for kind, found in lists.items()}

    def element_at(self, place: FilePlace) -> ElementAt | None:
        """The element that is written at a place, of several, as those of replicate, the first; None without one."""
        for kind, elements in self._elements.items():
            for index, element in enumerate(elements):
                where = element.where
                if (where.line, where.column) == (place.line, place.column) and Path(where.file) == place.path:
                    return kind, index
        return None

    def place(self, at: ElementAt) -> FilePlace | None:
        """The element's line in its file; None where it is not known."""
        element = self.element(at)
        where = None if element is None else element.where
        return FilePlace(Path(where.file), where.line, where.column) if where is not None and where.file else None

    def name(self, kind: physics.mjtObj, index: int) -> str:
        """The name of an element, or its kind and number."""
        return name_of(self.model, kind, index)

    def path_of(self, at: ElementAt, attribute: str) -> str:
        """An attribute of an element as changes name it: `geom[foot].solref`."""
        kind, index = at
        name = physics.mj_id2name(self.model, kind, index)
        return f"{kind.name.removeprefix('mjOBJ_').lower()}[{name or index}].{attribute}"
