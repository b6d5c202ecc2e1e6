"""The object under the mouse, once it rests: its name and main number on a plate next to it, until it moves on."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
    return lines + _more(model, snapshot, kind, hit)


def _more(model: MjModel, snapshot: Snapshot, kind: mjtObj, hit: Hit) -> Lines:
    """The lines with the numbers of an element."""
    i = hit.objid
    match kind:
        case mjtObj.mjOBJ_GEOM:
            return [_shape(model, i)]
        case mjtObj.mjOBJ_SITE:
            of_site = (model.sensor_objtype == int(mjtObj.mjOBJ_SITE)) & (model.sensor_objid == i)
            sensors = np.flatnonzero(of_site).tolist()
            more = [f"and {len(sensors) - MOST} more sensors"] if len(sensors) > MOST else []
            return [_reading(model, snapshot, s) for s in sensors[:MOST]] + more
        case mjtObj.mjOBJ_SENSOR:
            return [_reading(model, snapshot, i)]
        case mjtObj.mjOBJ_JOINT:
            joint, value = mjtJoint(int(model.jnt_type[i])), float(snapshot.qpos[int(model.jnt_qposadr[i])])
            word = joint.name.removeprefix("mjJNT_").lower()
            numbers = {mjtJoint.mjJNT_HINGE: f", {short(math.degrees(value))}°", mjtJoint.mjJNT_SLIDE: f", {metric(value, 'm')}"}
            return [word + numbers.get(joint, "")]
        case mjtObj.mjOBJ_TENDON:
            return [f"{metric(float(snapshot.ten_length[i]), 'm')} long"]
        case mjtObj.mjOBJ_ACTUATOR:
            return [f"control {short(float(snapshot.ctrl[i]))} {ctrl_unit(model, i)}".rstrip()]
        case mjtObj.mjOBJ_BODY:
            return [f"mass {metric(1e3 * float(model.body_mass[i]), 'g')}"]
        case mjtObj.mjOBJ_CAMERA:
            return [f"{short(float(model.cam_fovy[i]))}° high"]
        case mjtObj.mjOBJ_LIGHT:
            return [physics.mjtLightType(int(model.light_type[i])).name.removeprefix("mjLIGHT_").lower()]
        case mjtObj.mjOBJ_FLEX:
            return [f"vertex {hit.vertex}, element {hit.element}"]
    return []


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


def _shape(model: MjModel, geom: int) -> str:
    kind = mjtGeom(int(model.geom_type[geom]))
    if kind in (mjtGeom.mjGEOM_MESH, mjtGeom.mjGEOM_SDF):
        return f"mesh {name_of(model, mjtObj.mjOBJ_MESH, int(model.geom_dataid[geom]))}"
    if kind is mjtGeom.mjGEOM_HFIELD:
        return f"height field {name_of(model, mjtObj.mjOBJ_HFIELD, int(model.geom_dataid[geom]))}"
    size = _size(kind, [float(v) for v in model.geom_size[geom]])
    return f"{kind.name.removeprefix('mjGEOM_').lower()} {size}".strip()


def _size(kind: mjtGeom, size: Sequence[float]) -> str:
    """Sides of boxes, axes of ellipsoids, radius and length of round ones, in metres; "" for infinite shapes."""
    if kind is mjtGeom.mjGEOM_SPHERE:
        return f"radius {metric(size[0], 'm')}"
    if kind in (mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_CYLINDER):
        return f"radius {metric(size[0], 'm')}, length {metric(2 * size[1], 'm')}"
    if kind is mjtGeom.mjGEOM_PLANE:
        return f"{short(2 * size[0])}{_CROSS}{short(2 * size[1])} m" if size[0] > 0 and size[1] > 0 else ""
    return _CROSS.join(short(2 * v) for v in size) + " m"


def _reading(model: MjModel, snapshot: Snapshot, sensor: int) -> str:
    first, count = int(model.sensor_adr[sensor]), int(model.sensor_dim[sensor])
    values = " ".join(short(float(v)) for v in snapshot.frame.sensordata[first : first + min(count, MOST)])
    unit = shown_unit(model, _SENSORDATA, first, 0, 1)
    return f"{name_of(model, mjtObj.mjOBJ_SENSOR, sensor)}: {values}{' …' if count > MOST else ''} {unit}".rstrip()
