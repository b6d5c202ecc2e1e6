"""The panels of the window: the only place that lists them.

A new panel is a module `<key>_panel` with the class `<Key>Panel`, here or in `app/panels/<key>/` with what else belongs
to it; and a line in PANELS.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise

from msgspec import Struct
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QMainWindow

from tumble.app.look import theme
from tumble.app.session.requests import Request
from tumble.app.widgets.dock import FIRST_SIZE, NO_PAGES, Dock, Panel, Workbench, keep_in_sight

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
# Widths of the sides at first: shares of the window's, within these limits [px]. With larger text they are wider, but together no
# more than this share of the window.
LEFT_WIDTH, RIGHT_WIDTH = (0.2, 288, 340), (0.22, 314, FIRST_SIZE.width())
BOTH_WIDTHS = 0.525


MODEL, CONTROL, CONTACT, TIME, PROGRAM = GROUPS = ("Model", "Control", "Contact and solver", "Time", "Program")


class PanelSpec(Struct, frozen=True):
    """A panel. key: the name of its module and its folder, and in requests; title: text for the user.

    side: where it is at first, as one of the tabs there in their order; open: whether it is at first; chooses_contacts: while it
    is open, behind another tab too, contacts can be chosen in the view; group: one of GROUPS, below which the Window menu has it;
    height: at the bottom, until the user gives it another [px]; known_as: its name in layouts, settings and replays, where it
    was renamed since some were saved; "": its key. words: by which the command palette finds it besides its title; pages: titles
    of its pages that the palette finds by words of their own.
    """

    key: str
    title: str
    side: Qt.DockWidgetArea
    open: bool = False
    chooses_contacts: bool = False
    group: str = PROGRAM
    height: int = 300
    known_as: str = ""
    words: str = ""
    pages: Mapping[str, str] = NO_PAGES

    @property
    def name(self) -> str:
        """Name under which layouts, settings and replays remember its dock."""
        return self.known_as or self.key

    def make(self, bench: Workbench, dock: Dock) -> Panel:
        """The panel; imported on demand, since importing all would take longer than the rest of the start."""
        panel: Panel = getattr(import_module(self.module), self.class_name)(dock, bench)
        return panel

    @property
    def module(self) -> str:
        """Module of the panel, by its full name: in the folder of the panel, if it has one."""
        room = "tumble.app.panels"
        folder = f"{room}.{self.key}"
        found = find_spec(folder)
        is_package = found is not None and found.origin is not None  # an update leaves folders with nothing but __pycache__
        return f"{folder if is_package else room}.{self.key}_panel"

    @property
    def class_name(self) -> str:
        """Class name of the panel, in its module: ContactEventsPanel for contact_events."""
        return self.key.title().replace("_", "") + "Panel"


PANELS = (
    PanelSpec("joints", "Joints", LEFT, open=True, group=CONTROL,
              words="joint angles, qpos, qvel, pose, joint limit, slider of a joint, degrees of freedom"),
    PanelSpec("inspector", "Model", LEFT, open=True, group=MODEL,
              words="fields of the model, mjmodel, tree of bodies, attributes, mass, gravity compensation, gravcomp, "
              "stiffness, damping, armature, change the model while it runs"),
    PanelSpec("islands", "Islands and sleep", LEFT, group=CONTACT,
              words="sleep, asleep, wake, why is it awake, constraint islands, kinematic trees, sleep tolerance, put to "
              "sleep"),
    PanelSpec("keyframes", "Keyframes", LEFT, group=CONTROL,
              words="save the state, restore the state, initial state, load a pose"),
    PanelSpec("control", "Control", RIGHT, open=True, group=CONTROL,
              words="ctrl, sliders of actuators, controller, control callback, sine generator, noise"),
    PanelSpec("forces", "Applied forces", RIGHT, group=CONTROL,
              words="push, qfrc_applied, xfrc_applied, external force, external torque, perturbation, wrench"),
    PanelSpec("parameters", "Parameters", RIGHT, open=True, group=MODEL,
              words="solref, solimp, impedance, stiffness, damping ratio, time constant, friction coefficient, "
              "regularization, reference acceleration, depth, penetration, margin, gap, condim, soft contact, "
              "contact parameters, solver parameters, priority, solmix"),
    PanelSpec("geometry", "Geometry", RIGHT, group=MODEL,
              words="resize geom, size, move geom, rotate geom, site, camera pose, frustum, height field, hfield, terrain brush, "
              "sculpt, raise, lower, smooth, structure, shape"),
    PanelSpec("options", "Options", RIGHT, open=True, group=MODEL,
              words="timestep, time step, integrator, runge-kutta, euler, implicitfast, gravity, wind, density, viscosity, "
              "fluid, cone, flags, iterations, tolerance, impratio, noslip, hard contacts, lcp, enableflags, "
              "disableflags"),
    PanelSpec("soft", "Soft bodies", RIGHT, group=MODEL,
              words="flex, cloth, cable, strain, elastic energy, deformable, young, poisson"),
    PanelSpec("breakpoints", "Breakpoints", RIGHT, chooses_contacts=True, group=TIME,
              words="stop when, pause when, condition, why did it blow up, nan, diverges, instability, warning"),
    PanelSpec("camera_path", "Camera path", RIGHT, group=PROGRAM,
              words="film, animate the camera, keyframes of the camera"),
    PanelSpec("balance", "Balance", BOTTOM, group=CONTROL, height=340,
              words="balance of forces, which force, equation of motion, where does the force come from, passive forces, "
              "bias force, coriolis, centrifugal, gravity compensation, fluid forces, drag, lift",
              pages={"Energy": "why does energy grow, energy drift, is energy conserved, kinetic energy, potential energy, "
                     "power, work"}),
    PanelSpec("inverse", "Inverse dynamics", BOTTOM, group=CONTROL, height=340,
              words="which forces make this motion, required torque, torques of joints, qfrc_inverse, fwdinv, smoothing, "
              "keyframe path, trajectory, residual force of the root"),
    PanelSpec("matrices", "Matrices", BOTTOM, group=CONTACT, height=360,
              words="inertia matrix, mass matrix, jacobian, condition number, sparsity, moment arms, delassus, qderiv, tendon"),
    PanelSpec("actuators", "Actuators", BOTTOM, group=CONTROL, height=340,
              words="muscle curve, force length, force velocity, activation, time constant, moment arm, servo, adhesion, "
              "slider crank, length range, delay, history, clamp, saturation, transmission"),
    PanelSpec("poles", "Poles", BOTTOM, group=CONTROL, height=340,
              words="poles, lqr, regulator, why is it unstable, eigenvalues, modes, linearization, transition, derivatives, "
              "stability, damping ratio, balance controller, vibration"),
    PanelSpec("contacts", "Contacts", BOTTOM, chooses_contacts=True, group=CONTACT, height=320,
              words="contact force, normal force, friction force, friction cone, slip, stick, creep, why does it slip, "
              "penetration depth",
              pages={"Constraint rows": "constraint force, efc_force, limit, equality, friction loss, residual, aref, "
                     "reference acceleration"}),
    PanelSpec("contact_events", "Contact events", BOTTOM, chooses_contacts=True, group=CONTACT, height=280,
              words="when do they touch, impact, impulse, make, break, bounce, chattering, footsteps"),
    PanelSpec("collision", "Collision", BOTTOM, chooses_contacts=True, group=CONTACT, height=320,
              words="why do they not collide, gjk, epa, minkowski difference, contype, conaffinity, exclude, geom "
              "distance, signed distance, broad phase, convex hull, filtering, multiccd"),
    PanelSpec("solver", "Solver", BOTTOM, chooses_contacts=True, group=CONTACT, height=340,
              words="convergence, iterations, newton, conjugate gradient, cg, pgs, cost function, iterates, duality gap, "
              "line search, warm start, compare solvers",
              pages={"Contact": "primal problem, primal cost, dual problem, dual cost, optimization of a contact, penalty, "
                     "contours, ray and slice"}),
    PanelSpec("lcp", "Hard contacts", BOTTOM, chooses_contacts=True, group=CONTACT, height=360,
              words="lcp, linear complementarity problem, complementarity, splitting, jacobi, gauss-seidel, sor, relaxation, "
              "omega, spectral radius, why does it not converge, contraction, sweeps, projected, block",
              pages={"Natural map": "residual of each row"}),
    PanelSpec("cost", "Performance", BOTTOM, chooses_contacts=True, group=PROGRAM,
              words="profiler, profile, timer, speed, how long does a step take, why is it slow, slowest stage, steps per "
              "second",
              pages={"Memory": "how much memory, size of the arena, bytes"}),
    PanelSpec("forks", "Forks", BOTTOM, group=TIME,
              words="compare two settings, what if, ghost, alternative, fork"),
    PanelSpec("signals", "Signals", BOTTOM, group=TIME, height=320,
              words="plot, curve, sensor, sensordata, csv, oscilloscope, measured data, graph, history of a value"),
    PanelSpec("timeline", "Timeline", BOTTOM, group=TIME, height=200,
              words="go back in time, history, branch, replay, reproducible, deterministic, warnings, bookmarks"),
    PanelSpec("study", "Study", BOTTOM, group=MODEL, height=380,
              words="sweep, parameter study, fit, system identification, sensitivity, calibrate, optimization, pareto, "
              "many runs"),
    PanelSpec("doctor", "Doctor", BOTTOM, chooses_contacts=True, group=MODEL, height=320, known_as="check",
              words="what is wrong, diagnose, check the model, why is it unstable, problems, advice"),
    PanelSpec("log", "Log", BOTTOM, group=PROGRAM, height=190,
              words="messages, errors, warnings"),
)


class Panels:
    """The docks by key, in the order of the table, and their panels, each created on first use or when first visible.

    A panel is an attribute: `panels.contacts`.
    """

    def __init__(self, bench: Workbench) -> None:
        self._specs = PANELS
        self._docks = {
            spec.key: Dock(spec.name, spec.title, partial(spec.make, bench), spec.words, spec.pages) for spec in self._specs
        }
        self.keys, self.docks = list(self._docks), list(self._docks.values())
        for spec, dock in zip(self._specs, self.docks, strict=True):
            keep_in_sight(dock)
            if spec.chooses_contacts:
                dock.opened.connect(partial(bench.session.contact_choice.show_in, spec.key))
        bench.session.asked_for.connect(self._answer)

    def __getattr__(self, key: str) -> Panel:
        if key not in self.__dict__.get("_docks", {}):
            raise AttributeError(f"no panel {key}; there are {', '.join(self.__dict__.get('_docks', {}))}")
        return self._docks[key].panel

    def dock(self, key: str) -> Dock:
        """The dock of a panel."""
        return self._docks[key]

    def side(self, key: str) -> Qt.DockWidgetArea:
        """On which side a panel is at first."""
        return next(spec.side for spec in self._specs if spec.key == key)

    def height(self, name: str) -> int:
        """First height of a panel at the bottom [px], where text has its usual size; name: of its dock."""
        return next(spec.height for spec in self._specs if spec.name == name)

    def groups(self) -> dict[str, list[Dock]]:
        """The docks by the groups of the Window menu."""
        return {group: [self._docks[spec.key] for spec in self._specs if spec.group == group] for group in GROUPS}

    def of_side(self, side: Qt.DockWidgetArea) -> list[Dock]:
        """The docks that are on a side at first."""
        return [self._docks[spec.key] for spec in self._specs if spec.side == side]

    @property
    def names(self) -> list[str]:
        """Names of the docks, by which replays remember them."""
        return [spec.name for spec in self._specs]

    def open_names(self) -> list[str]:
        """Names of the docks that are open, in front of their tabs or behind them."""
        return [dock.objectName() for dock in self.docks if dock.isVisible()]

    def open(self, names: Iterable[str]) -> None:
        """Open docks that are closed, each in front of its tabs; others stay where they are."""
        wanted = set(names)
        for dock in self.docks:
            if dock.objectName() in wanted and not dock.isVisible():
                dock.bring()

    def lay_out(self, window: QMainWindow, opened: Iterable[str] | None = None) -> None:
        """Move the docks to their default places. opened: keys of those that are open; None: as in the table."""
        wanted = {spec.key for spec in self._specs if spec.open} if opened is None else set(opened)
        for side in (LEFT, RIGHT, BOTTOM):
            there = [(spec, self._docks[spec.key]) for spec in self._specs if spec.side == side]
            for _, dock in there:
                if dock.isFloating():
                    dock.setFloating(False)
                dock.hide()  # next to each other, before they are tabs, they would make the window wider
                window.addDockWidget(side, dock)
            for (_, before), (_, after) in pairwise(there):
                window.tabifyDockWidget(before, after)
            for spec, dock in there:
                dock.setVisible(spec.key in wanted)
        fronts = [self.of_side(side)[0] for side in (LEFT, RIGHT)]
        for front in fronts:
            front.raise_()
        widths = [min(max(share * window.width(), least), most) for share, least, most in (LEFT_WIDTH, RIGHT_WIDTH)]
        grown = max(1.0, min(theme.scale(), BOTH_WIDTHS * window.width() / sum(widths)))
        window.resizeDocks(fronts, [round(grown * width) for width in widths], Qt.Orientation.Horizontal)

    def _answer(self, request: Request) -> None:
        self._docks[request.panel].panel.answer(request)
