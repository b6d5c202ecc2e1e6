"""Actions of the view: cameras and tools, several views, flags, kinds of labels and frames, trails and slow motion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PyQt6.QtGui import QAction, QActionGroup

from tumble.app.base import settings
from tumble.app.look import actions
from tumble.app.session.session import Session
from tumble.app.session.slow_motion import SlowMotion
from tumble.app.session.trails import PastGhosts, TrailPoint, Trails
from tumble.app.shell.view_flags import ViewFlags
from tumble.app.viewport.contacts.legend import ArrowLength
from tumble.app.viewport.tiles.arrangement import Arrangement
from tumble.app.viewport.widget import Viewport
from tumble.render.mesh.flex_mesh import layers
from tumble.render.options import FrameMode, LabelMode, after
from tumble.render.scene.volumes import deepest

if TYPE_CHECKING:
    from tumble.app.shell.window import ShellWindow

Slots = dict[str, Callable[[], object]]


def connect(window: ShellWindow, made: dict[str, QAction]) -> None:
    """Connect the actions of the view, and keep their check marks up to date."""
    session, view = window.session, window.viewport
    for name, slot in _slots(view, session).items():
        made[name].triggered.connect(lambda checked=False, slot=slot: slot())
    _connect_camera(window, made)
    _connect_flags(session, view, made)
    _connect_views(session, view, made)
    KindChoice(session, view, made, LabelMode, "label")
    KindChoice(session, view, made, FrameMode, "frame")
    _connect_motion(session, view, made)



def _slots(view: Viewport, session: Session) -> Slots:
    return {
        "align": view.align,
        "next_camera": partial(view.cycle_camera, 1),
        "previous_camera": partial(view.cycle_camera, -1),
        "select_parent": partial(_select_parent, session),
        "flex_layer": lambda: session.status.emit(_next_layer(view, session)),
        "longer_arrows": lambda: session.status.emit(_stretch_arrows(session.part(ArrowLength), 1.25)),
        "shorter_arrows": lambda: session.status.emit(_stretch_arrows(session.part(ArrowLength), 0.8)),
        "tree_depth": lambda: session.status.emit(_next_depth(view, session)),
    }

def _select_parent(session: Session) -> None:
    """Select the parent of the selected body."""
    if session.selection > 0:
        session.select(int(session.loaded_model.body_parentid[session.selection]))


def _stretch_arrows(length: ArrowLength, factor: float) -> str:
    """Draw the arrows of contact forces longer or shorter; returns how long they are."""
    length.stretch(factor)
    return f"Force arrows: {length.words} of their default length"


def _next_layer(view: Viewport, session: Session) -> str:
    """Draw the next layer of solid flexes; returns which, and whether it can be seen."""
    count = 1 if session.model is None else layers(session.model)
    options = view.options
    options.flex_layer = (options.flex_layer + 1) % count
    view.update()
    seen = options.flex_face and not options.flex_skin
    return f"Flex layer {options.flex_layer + 1} of {count}{'' if seen else ': seen with flex faces on and flex skin off'}"


def _next_depth(view: Viewport, session: Session) -> str:
    """Draw the next depth of the trees of bounding volumes; returns which, and whether it can be seen."""
    most = 0 if session.model is None else deepest(session.model)
    options = view.options
    options.tree_depth = (options.tree_depth + 1) % (most + 1)
    view.update()
    seen = options.body_tree or options.mesh_tree
    return f"Depth {options.tree_depth} of {most}{'' if seen else ': seen with body tree or mesh tree on'}"


def _connect_camera(window: ShellWindow, made: dict[str, QAction]) -> None:
    """Switches of the camera and of the tools of the view."""
    session, view = window.session, window.viewport
    view.camera_changed.connect(lambda: made["orthographic"].setChecked(view.camera.orthographic))
    made["orthographic"].triggered.connect(view.toggle_projection)
    switches = (
        ("axes", settings.AXES, partial(view.tools.switch, view.axes)),
        ("smooth_camera", settings.SMOOTH_CAMERA, partial(setattr, view, "smooth")),
        ("hover", settings.HOVER, partial(view.tools.switch, view.hover)),
    )  # fmt: skip
    for name, setting, act in switches:
        act(session.store.get(setting))
        made[name].setChecked(session.store.get(setting))
        made[name].toggled.connect(act)
        made[name].toggled.connect(partial(session.store.put, setting))
    made["gizmo"].toggled.connect(lambda on: window.posing.set_gizmo(on))
    made["gizmo_local"].toggled.connect(lambda on: window.posing.set_local(on))
    made["gizmo_snap"].toggled.connect(lambda on: window.posing.set_snap(on))
    made["measure"].toggled.connect(lambda on: window.posing.set_measure(on, bodies=False))
    made["measure_bodies"].toggled.connect(lambda on: window.posing.set_measure(on, bodies=True))


def _connect_flags(session: Session, view: Viewport, made: dict[str, QAction]) -> None:
    """Switches of drawing options, stored for each model."""
    for spec in (*actions.VISUALIZATION, *actions.CONTACTS, *actions.RENDERING, *actions.GROUPS):
        made[spec.name].triggered.connect(partial(view.set_option, spec.name))
    made["reset_flags"].triggered.connect(ViewFlags(session, view).reset)
    view.options_changed.connect(partial(_show_flags, view, made))
    _show_flags(view, made)


def _show_flags(view: Viewport, made: dict[str, QAction]) -> None:
    """Update the switches from the active view."""
    for spec in (*actions.VISUALIZATION, *actions.CONTACTS, *actions.RENDERING, *actions.GROUPS):
        made[spec.name].setChecked(view.option(spec.name))


def _connect_views(session: Session, view: Viewport, made: dict[str, QAction]) -> None:
    """Connect the actions for the number of views and the active one."""
    tiles, group = view.tiles, QActionGroup(view)
    ways = {made[f"views_{arrangement.value}"]: arrangement for arrangement in Arrangement}
    for action, arrangement in ways.items():
        group.addAction(action)
        action.triggered.connect(lambda on, arrangement=arrangement: tiles.arrange(arrangement))
    made["only_view"].triggered.connect(tiles.set_only)
    made["next_view"].triggered.connect(lambda: tiles.activate_next())
    made["inset_corner"].triggered.connect(lambda: tiles.set_corner(tiles.corner.next))

    def show() -> None:
        for action, arrangement in ways.items():
            action.setChecked(arrangement is tiles.arrangement)
        made["only_view"].setChecked(tiles.only)
        for name, possible in (("only_view", tiles.several), ("next_view", tiles.several),
                               ("inset_corner", tiles.arrangement is Arrangement.INSET)):  # fmt: skip
            made[name].setEnabled(possible)

    tiles.changed.connect(show)
    show()


class KindChoice:
    """The choice among the kinds of one enumeration; field: of the view's options."""

    def __init__(
        self, session: Session, view: Viewport, made: dict[str, QAction], kinds: type[LabelMode] | type[FrameMode], field: str
    ) -> None:
        self._session, self._view, self._field = session, view, field
        self._actions = {kind: made[f"{field}_{kind.name.lower()}"] for kind in kinds}
        for kind, action in self._actions.items():
            action.triggered.connect(partial(self.choose, kind))
        made[f"{field}s"].triggered.connect(self.next)
        view.options_changed.connect(self._show)
        self._show()

    def next(self) -> None:
        """The next kind; after the last none."""
        kind = after(getattr(self._view.options, self._field))
        self.choose(kind)
        self._session.status.emit(f"{self._field.capitalize()}s: {kind.name.lower().replace('_', ' ')}")

    def choose(self, kind: LabelMode | FrameMode, checked: bool = True) -> None:
        """Show one kind."""
        setattr(self._view.options, self._field, kind)
        self._view.redraw()

    def _show(self) -> None:
        """Mark the kind of the active view."""
        shown = getattr(self._view.options, self._field)
        for kind, action in self._actions.items():
            action.setChecked(kind is shown)


def _connect_motion(session: Session, view: Viewport, made: dict[str, QAction]) -> None:
    """Connect the actions of trails, ghosts of the past and smooth slow motion, and keep their check marks up to date."""
    trails, ghosts, slow = session.part(Trails), session.part(PastGhosts), session.part(SlowMotion)

    def refresh() -> None:
        made["trail"].setChecked(trails.has(session.selection))
        made["no_trails"].setEnabled(bool(trails.bodies))
        for point in TrailPoint:
            made[f"trail_{point.value}"].setChecked(trails.point is point)

    def toggle() -> None:
        if session.selection <= 0:
            session.status.emit("Select a body first: double-click it")
        x, y, z = (float(v) for v in view.local_point)
        trails.toggle(session.selection, (x, y, z))
        refresh()

    def choose(point: TrailPoint) -> None:
        trails.set_point(point)
        refresh()

    made["trail"].triggered.connect(toggle)
    made["no_trails"].triggered.connect(trails.remove_all)
    made["no_trails"].setProperty("why", "there are no trails")
    for point in TrailPoint:
        made[f"trail_{point.value}"].triggered.connect(partial(lambda point, checked: choose(point), point))
    trails.changed.connect(refresh)
    session.selection_changed.connect(refresh)
    made["past_ghosts"].setChecked(ghosts.on)
    made["past_ghosts"].toggled.connect(ghosts.set_on)
    made["smooth_motion"].setChecked(slow.on)
    made["smooth_motion"].toggled.connect(slow.set_on)
    refresh()
