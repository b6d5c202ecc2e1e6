"""The steps of the tour, in one table: text, panel, target and task of each. The long form is docs/tour.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from tumble.app.base.keys_in_text import with_keys
from tumble.app.simulation.perturbation import Grip, GripMode


class Situation(Struct, frozen=True):
    """Snapshot of the window for the steps' conditions."""

    camera: Any = None
    pulls: int = 0  # so often a body was pulled with the mouse
    paused: bool = False
    filter: str = ""  # filter text for the contacts
    contact_chosen: bool = False
    contact_points: bool = False  # whether the view shows them
    element: str = ""  # whose parameters are shown, as in "geom left"
    softness: float = 0.0  # time constant of the softer roller's contacts: solref[0] [s]
    patch_shown: bool = False


Done = Callable[[Situation, Situation], bool]  # of the situation when the step began, and now


class Task(Struct, frozen=True):
    """Task of a step.

    text: in words; done: whether it is done; signals: after which to look, by their names in app.shell.tour.parts;
    help: function that does it for a user who skips it (app.shell.tour.helpers), where later steps need it.
    """

    text: str
    done: Done
    signals: tuple[str, ...]
    help: str = ""


class TourStep(Struct, frozen=True):
    """A step. scene: the bundled model it needs; dock: the panel it opens, by its key; target: the widget that it points at."""

    title: str
    text: str
    target: str
    dock: str = ""
    task: Task | None = None
    scene: str = "rollers.xml"


SOFTER = 0.2  # time constant of the tour's task [s]

STEPS: tuple[TourStep, ...] = (
    TourStep(
        "Two minutes with a contact that slips",
        "Two rollers turn towards each other, and a plank swings on them forever: the roller with more load pushes harder. "
        "This is the 3D view; dragging with the right button moves the picture, the wheel zooms.",
        target="viewport",
        task=Task("Drag in the view to look around.", lambda begin, now: now.camera != begin.camera, ("camera",)),
    ),
    TourStep(
        "Everything can be pulled",
        with_keys(
            "Double-click the plank to select it; then hold Ctrl and drag it with the right button. It follows the mouse on a "
            "spring. Backspace resets the scene."
        ),
        target="viewport",
        task=Task("Pull the plank or the block.", lambda begin, now: now.pulls > begin.pulls, ("advanced",)),
    ),
    TourStep(
        "Pause",
        "Space pauses and continues, and so does this button. The arrow keys take single steps, forward and back.",
        target="toolbar.pause",
        task=Task("Press Space.", lambda begin, now: now.paused, ("paused",), help="pause"),
    ),
    TourStep(
        "Find what slips",
        "This panel (Window, Contacts) lists all present contacts: forces, friction used, and whether they stick or slip. "
        "Only the contacts with the rollers slip.",
        target="contacts.search",
        dock="contacts",
        task=Task(
            "Type slip into the filter.",
            lambda begin, now: "slip" in now.filter.lower(),
            ("filter",),
            help="filter",
        ),
    ),
    TourStep(
        "A contact and its cone",
        "Choose a contact in the table. A slipping contact uses all of its friction; the gauge shows its force on the edge of "
        "the friction cone, and a ring in the view marks its place.",
        target="contacts.contacts",
        dock="contacts",
        task=Task(
            "Click the first contact.", lambda begin, now: now.contact_chosen, ("contact",), help="choose"
        ),
    ),
    TourStep(
        "Show it in the view",
        "C shows the points of all contacts, F their forces: the View menu has a key for everything that can be drawn. Click "
        "a point to choose it here.",
        target="viewport",
        dock="contacts",
        task=Task("Press C.", lambda begin, now: now.contact_points, ("points",), help="points"),
    ),
    TourStep(
        "Its parameters",
        "A contact takes its softness and friction from the two geoms that touch. This button shows those of the smaller one.",
        target="contacts.parameters",
        dock="contacts",
        task=Task(
            "Click Parameters.",
            lambda begin, now: now.element in ("geom left", "geom right"),
            ("element",),
            help="parameters",
        ),
    ),
    TourStep(
        "Make it softer",
        "These are the roller's numbers. The first of solref is its time constant in seconds: the larger, the softer. The dashed "
        "line below jumps immediately: it shows how deep the load would sink at rest. A contact takes its solref from "
        "both geoms, and effective solref says how: 50 % left, 50 % plank. " + with_keys("Ctrl+Z") + " undoes any change.",
        target="parameters.solref",
        dock="parameters",
        task=Task(
            f"Click the first number, type {SOFTER}, and press Enter.",
            lambda begin, now: now.softness > begin.softness or now.softness >= SOFTER,
            ("edits",),
            help="soften",
        ),
    ),
    TourStep(
        "See the effect",
        "Continue: the dot, which is the contact now, moves right along the curve, and the plank sinks into the "
        "roller. It does not reach the dashed line, because a slipping contact is also lifted.",
        target="parameters.lab",
        dock="parameters",
        task=Task("Press Space again.", lambda begin, now: not now.paused, ("paused",), help="play"),
    ),
    TourStep(
        "Save it",
        "You can try any number of a model like this while it runs. This button shows the change as a patch of the file, one "
        "attribute on one line, before anything is saved. Bundled scenes are saved as a copy.",
        target="parameters.write",
        dock="parameters",
        task=Task(
            "Click Write to file…, look at the patch, and close it.",
            lambda begin, now: now.patch_shown,
            ("write button", "write action"),
        ),
    ),
    TourStep(
        "What next",
        "The Window menu has more: Timeline goes back to any moment, Signals plots any number, Solver steps through the "
        "iterations of a solve, and Forks continues one moment in two ways. To open your own model, "
        "drop its file on the window.",
        target="menu.Window",
    ),
)


class TourProgress:
    """One step at a time. Completed steps stay completed; no step is required to continue."""

    def __init__(self, steps: Sequence[TourStep]) -> None:
        self._steps = tuple(steps)
        self._begin = Situation()
        self._done: set[int] = set()
        self.index = 0

    @property
    def step(self) -> TourStep:
        """The present step."""
        return self._steps[self.index]

    @property
    def count(self) -> int:
        """Steps in all."""
        return len(self._steps)

    @property
    def is_first(self) -> bool:
        """True for the first step."""
        return self.index == 0

    @property
    def is_last(self) -> bool:
        """True for the last step."""
        return self.index == self.count - 1

    @property
    def is_done(self) -> bool:
        """True if the step's task is done; False for a step without one."""
        return self.index in self._done

    def go(self, by: int) -> None:
        """Go so many steps forward, or back, within the tour."""
        self.index = min(max(self.index + by, 0), self.count - 1)

    def begin(self, now: Situation) -> None:
        """The step begins, in this situation; tasks that are already fulfilled count as done."""
        self._begin = now
        self.look(now)

    def restart(self, now: Situation) -> None:
        """The step begins again: its scene was just loaded, and earlier changes were not made by the user."""
        self._done.discard(self.index)
        self.begin(now)

    def look(self, now: Situation) -> bool:
        """True if the step is done, or was before."""
        task = self.step.task
        if task is not None and task.done(self._begin, now):
            self._done.add(self.index)
        return self.is_done


class PullWatch:
    """Called repeatedly with the mouse's hold on a body; a pull counts once the body has been moved."""

    def __init__(self) -> None:
        self.count = 0
        self._begin: Grip | None = None
        self._counted = False

    def note(self, grip: Grip | None) -> None:
        """Follow the mouse's grip; None if no body is held."""
        if grip is None or grip.mode is not GripMode.TRANSLATE:
            self._begin, self._counted = None, False
        elif self._begin is None or grip.body != self._begin.body:
            self._begin, self._counted = grip, False
        elif not self._counted and bool((grip.target != self._begin.target).any()):
            self.count, self._counted = self.count + 1, True
