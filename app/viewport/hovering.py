"""The object under the mouse, once it rests: its name and main number on a plate next to it, until it moves on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import QPointF, Qt, QTimer
from PyQt6.QtGui import QPainter

from tumble import physics
from tumble.app.describe.contacts import MODE_WORDS, Names
from tumble.app.describe.names import body_name, ctrl_unit, name_of
from tumble.app.describe.numbers import metric, short
from tumble.app.describe.signals import shown_unit
from tumble.app.session.session import Session
from tumble.app.simulation.snapshot import Snapshot
from tumble.app.viewport.choosing import REACH
from tumble.app.viewport.looking import Looking
from tumble.app.viewport.plates import paint_lines
from tumble.app.viewport.surface import ViewSurface
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool
from tumble.physics import ContactMode, mjtGeom, mjtJoint, mjtObj
from tumble.physics.state.fields import DATA
from tumble.render.constants import CONTACT
from tumble.render.picking.pick import Hit
from tumble.render.scene.contact_legend import modes

if TYPE_CHECKING:
    from tumble.physics import MjModel

REST, AGAIN = 500, 250  # delay before it appears; interval of updates while the simulation runs [ms]
STEADY = 3.0  # pixels that a resting hand may move
MOST = 3  # sensors of one site that are listed
_SENSORDATA = next(field for field in DATA if field.name == "sensordata")
_KINDS = ("free", "ball", "slide", "hinge")  # of joints, by mjtJoint
_CROSS = " \N{MULTIPLICATION SIGN} "
Lines = list[str]


class HoverTool(ViewTool):
    """Hover of one viewport. It picks once when the mouse rests, and again only if the simulation has advanced."""

    hovers = True

    def __init__(self, viewport: ViewSurface, session: Session, looking: Looking) -> None:
        self._viewport, self._session, self._looking = viewport, session, looking
        self._where, self._tile = QPointF(), viewport.tiles.under
        self._names: tuple[MjModel, Names] | None = None
        self.lines: list[str] = []  # displayed text
        self._timer = QTimer(viewport)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._look)
        session.advanced.connect(self._go_on)
        session.model_loaded.connect(self._hide)

    def hover(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Wait for the mouse to rest."""
        moved = (mouse.where - self._where).manhattanLength() > STEADY or self._viewport.tiles.under is not self._tile
        if moved or (not self._timer.isActive() and not self.lines):
            self._where, self._tile = mouse.where, self._viewport.tiles.under
            self._hide()
            self._timer.start(REST)
        return False

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """A press ends the hover."""
        self._hide()
        return False

    def leave_view(self) -> None:
        """The mouse has gone."""
        self._hide()

    def _hide(self) -> None:
        self._timer.stop()
        if self.lines:
            self.lines = []
            self._viewport.update()

    def _go_on(self) -> None:
        if self.lines and not self._timer.isActive():
            self._timer.start(AGAIN)

    def _look(self) -> None:
        before, self.lines = self.lines, self._found()
        if self.lines != before:
            self._viewport.update()

    def _found(self) -> list[str]:
        """The lines about the object under the mouse; none while something more important is there."""
        view, session, model = self._viewport, self._session, self._session.model
        busy = view.cursor().shape() is not Qt.CursorShape.ArrowCursor or view.show_help or view.dropping
        if busy or model is None or session.snapshot is None:
            return []
        if self._tile not in view.tiles.shown():
            return []
        with view.tiles.aiming(self._tile):
            hit = self._looking.pick(self._where, None, REACH)
        if hit is None:
            return []
        if self._names is None or self._names[0] is not model:
            self._names = model, Names(model)
        return seen_words(model, self._names[1], session.snapshot, hit)

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw the plate in the view that the mouse is over."""
        if self.lines and canvas.hovered:
            paint_lines(painter, self._where, self.lines, (canvas.width, canvas.height))


def seen_words(model: MjModel, names: Names, snapshot: Snapshot, hit: Hit) -> Lines:
    """The lines that describe the hit, the first one its kind and name; empty if the snapshot no longer has it."""
    if hit.objtype == CONTACT:
        return _contact(model, names, snapshot, hit.objid)
    kind = mjtObj(hit.objtype)
    name = body_name(model, hit.objid) if kind is mjtObj.mjOBJ_BODY else name_of(model, kind, hit.objid)
    what = kind.name.removeprefix("mjOBJ_").lower()
    lines = [name if name == f"{what} {hit.objid}" else f"{what} {name}"]
    if hit.body >= 0 and kind is not mjtObj.mjOBJ_BODY:
        lines.append(f"of {'body ' + body_name(model, hit.body) if hit.body else 'the world'}")
    more = _MORE.get(kind)
    return [*lines, *(more(model, snapshot, hit) if more is not None else ())]


def _contact(model: MjModel, names: Names, snapshot: Snapshot, index: int) -> Lines:
    if index >= snapshot.ncon:
        return []
    sides = snapshot.contact_sides()[index]
    mode = ContactMode(int(modes(model, snapshot.frame)[index]))
    normal = float(snapshot.contact("force")[index, 0])
    gap = float(snapshot.contact("dist")[index])
    return [
        "contact",
        names.pair(sides),
        f"{MODE_WORDS[mode]}, {metric(normal, 'N')} normal",
        f"{metric(abs(gap), 'm')} {'deep' if gap <= 0 else 'apart'}",
    ]


def _geom(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    kind = mjtGeom(int(model.geom_type[hit.objid]))
    shape = kind.name.removeprefix("mjGEOM_").lower()
    if kind in (mjtGeom.mjGEOM_MESH, mjtGeom.mjGEOM_SDF):
        return [f"mesh {name_of(model, mjtObj.mjOBJ_MESH, int(model.geom_dataid[hit.objid]))}"]
    if kind is mjtGeom.mjGEOM_HFIELD:
        return [f"height field {name_of(model, mjtObj.mjOBJ_HFIELD, int(model.geom_dataid[hit.objid]))}"]
    return [f"{shape} {_size(kind, [float(v) for v in model.geom_size[hit.objid]])}".strip()]


def _size(kind: mjtGeom, size: Sequence[float]) -> str:
    """Sides of boxes, axes of ellipsoids, radius and length of round ones, in metres; "" for infinite shapes."""
    if kind is mjtGeom.mjGEOM_SPHERE:
        return f"radius {metric(size[0], 'm')}"
    if kind in (mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_CYLINDER):
        return f"radius {metric(size[0], 'm')}, length {metric(2 * size[1], 'm')}"
    if kind is mjtGeom.mjGEOM_PLANE:
        return f"{short(2 * size[0])}{_CROSS}{short(2 * size[1])} m" if size[0] > 0 and size[1] > 0 else ""
    return _CROSS.join(short(2 * v) for v in size) + " m"


def _site(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    of_site = np.asarray(model.sensor_objtype) == int(mjtObj.mjOBJ_SITE)
    sensors = np.flatnonzero(of_site & (np.asarray(model.sensor_objid) == hit.objid))
    lines = [_reading(model, snapshot, int(s)) for s in sensors[:MOST]]
    return [*lines, f"and {len(sensors) - MOST} more sensors"] if len(sensors) > MOST else lines


def _sensor(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    return [_reading(model, snapshot, hit.objid)]


def _reading(model: MjModel, snapshot: Snapshot, sensor: int) -> str:
    first, count = int(model.sensor_adr[sensor]), int(model.sensor_dim[sensor])
    values = " ".join(short(float(v)) for v in snapshot.frame.sensordata[first : first + min(count, MOST)])
    unit = shown_unit(model, _SENSORDATA, first, 0, 1)
    return f"{name_of(model, mjtObj.mjOBJ_SENSOR, sensor)}: {values}{' …' if count > MOST else ''} {unit}".rstrip()


def _joint(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    kind = int(model.jnt_type[hit.objid])
    value = float(snapshot.qpos[int(model.jnt_qposadr[hit.objid])])
    if kind == mjtJoint.mjJNT_HINGE:
        return [f"hinge, {short(math.degrees(value))}°"]
    return [f"slide, {metric(value, 'm')}" if kind == mjtJoint.mjJNT_SLIDE else _KINDS[kind]]


def _tendon(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    return [f"{metric(float(snapshot.ten_length[hit.objid]), 'm')} long"]


def _actuator(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    return [f"control {short(float(snapshot.ctrl[hit.objid]))} {ctrl_unit(model, hit.objid)}".rstrip()]


def _body(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    return [f"mass {metric(1e3 * float(model.body_mass[hit.objid]), 'g')}"]


def _camera(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    return [f"{short(float(model.cam_fovy[hit.objid]))}° high"]


def _light(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    return [physics.mjtLightType(int(model.light_type[hit.objid])).name.removeprefix("mjLIGHT_").lower()]


def _flex(model: MjModel, snapshot: Snapshot, hit: Hit) -> Lines:
    return [f"vertex {hit.vertex}, element {hit.element}"]


_MORE: dict[mjtObj, Callable[[MjModel, Snapshot, Hit], Lines]] = {
    mjtObj.mjOBJ_GEOM: _geom, mjtObj.mjOBJ_SITE: _site, mjtObj.mjOBJ_SENSOR: _sensor, mjtObj.mjOBJ_JOINT: _joint,
    mjtObj.mjOBJ_TENDON: _tendon, mjtObj.mjOBJ_ACTUATOR: _actuator, mjtObj.mjOBJ_BODY: _body, mjtObj.mjOBJ_CAMERA: _camera,
    mjtObj.mjOBJ_LIGHT: _light, mjtObj.mjOBJ_FLEX: _flex,
}  # fmt: skip
