"""The geom, site or camera whose pose and size are edited while the model runs, and its height field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.describe.names import name_of
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.shapes.heights import MOST, Brush, Grid, Size, dab, held, scaled
from tumble.app.editing.shapes.structure import StructureFollower
from tumble.app.session.session import Session
from tumble.physics.algebra.quat import quat_mat, quat_mul
from tumble.physics.state.enums import mjtCamLight, mjtGeom, mjtObj

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vector = NDArray[np.float64]

LEAST = 1e-5  # size [m] below which no handle goes
_OBJECTS = {"geom": mjtObj.mjOBJ_GEOM, "site": mjtObj.mjOBJ_SITE, "cam": mjtObj.mjOBJ_CAMERA}
_HFIELD, _PLANE = mjtGeom.mjGEOM_HFIELD, mjtGeom.mjGEOM_PLANE
_ALL = ((0, 0), (1, 1), (2, 2))
# By type, (axis, number of the size) of what can be dragged, and the captions of the numbers.
SIZES: dict[int, tuple[tuple[tuple[int, int], ...], tuple[str, ...]]] = {
    int(_PLANE): (((0, 0), (1, 1)), ("half x", "half y", "grid")),
    int(_HFIELD): (_ALL, ("half x", "half y", "height", "base")),
    int(mjtGeom.mjGEOM_SPHERE): (((0, 0),), ("radius",)),
    int(mjtGeom.mjGEOM_CAPSULE): (((0, 0), (2, 1)), ("radius", "half length")),
    int(mjtGeom.mjGEOM_CYLINDER): (((0, 0), (2, 1)), ("radius", "half length")),
    int(mjtGeom.mjGEOM_ELLIPSOID): (_ALL, ("radius x", "radius y", "radius z")),
    int(mjtGeom.mjGEOM_BOX): (_ALL, ("half x", "half y", "half z")),
}


def size_problem(kind: int, values: Values) -> str:
    """Problem with numbers as the size of a type of geom; "" where they can. Those beyond the ones that count may be any."""
    used = values[: len(SIZES[kind][1])] if kind in SIZES else ()
    if any(v < 0 for v in used) or any(v <= 0 for v in (used[2:] if kind == int(_PLANE) else used)):
        return "sizes must be more than 0; of a plane the first two may be 0, without end"
    return ""


class ShapeElement(Struct, frozen=True):
    """An element with a pose. prefix: of its fields (`geom`, `site`, `cam`); index: its number."""

    prefix: str
    index: int

    def body(self, model: MjModel) -> int:
        """The body that it is fixed to."""
        return int(getattr(model, f"{self.prefix}_bodyid")[self.index])

    def kind(self, model: MjModel) -> int:
        """The type of a geom or site; -1 for a camera."""
        return -1 if self.prefix == "cam" else int(getattr(model, f"{self.prefix}_type")[self.index])

    def words(self, model: MjModel) -> str:
        """Kind and name, as text for the user."""
        return f"{'camera' if self.prefix == 'cam' else self.prefix} {name_of(model, _OBJECTS[self.prefix], self.index)}"

    def hfield(self, model: MjModel) -> int:
        """The height field of a geom; -1: it has none."""
        is_field = self.prefix == "geom" and self.kind(model) == int(_HFIELD)
        return int(model.geom_dataid[self.index]) if is_field else -1

    def size_place(self, model: MjModel) -> EditPlace | None:
        """Place of its size; None: it has none of its own."""
        field, kind = self.hfield(model), self.kind(model)
        if field >= 0:
            return EditPlace("hfield_size", field)
        if self.prefix == "cam" or kind not in SIZES or (self.prefix == "geom" and model.geom_dataid[self.index] >= 0):
            return None
        return EditPlace(f"{self.prefix}_size", self.index)

    def place(self, what: str) -> EditPlace:
        """The place of its `pos` or `quat`."""
        return EditPlace(f"{self.prefix}_{what}", self.index)

    def fixed_why(self, model: MjModel) -> str:
        """Reason why it cannot be moved; "" if it can."""
        if self.prefix == "cam" and model.cam_mode[self.index] != mjtCamLight.mjCAMLIGHT_FIXED:
            mode = mjtCamLight(int(model.cam_mode[self.index])).name.removeprefix("mjCAMLIGHT_").lower()
            return f"the camera moves by itself: its mode is {mode}"
        return ""


def rotation(quat: Vector | Values) -> Vector:
    """The rotation matrix (3, 3) of a unit quaternion."""
    return np.array(quat_mat(quat)).reshape(3, 3)


class BodyPose(Struct, frozen=True, eq=False):
    """Pose of a body in the world: pos (3,) [m], quat (4,)."""

    pos: Vector
    quat: Vector

    def world(self, pos: Values, quat: Values) -> tuple[Vector, Vector]:
        """A pose of the body's frame in the world."""
        return self.pos + rotation(self.quat) @ np.array(pos), np.array(quat_mul(self.quat, np.array(quat)))

    def local(self, pos: Vector, quat: Vector) -> tuple[Values, Values]:
        """A pose of the world in the body's frame, in round numbers."""
        inverse = self.quat * (1.0, -1.0, -1.0, -1.0)
        turned = np.array(quat_mul(inverse, quat))
        return _rounded(rotation(self.quat).T @ (pos - self.pos)), tuple((turned / np.linalg.norm(turned)).tolist())


class Shaping(QObject):
    """The chosen element, and its changes, each drag of which is one step of undo.

    chosen_changed: another element, or none; edited: its numbers are others.
    """

    chosen_changed = pyqtSignal()
    edited = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._edits, self._structure = session, session.part(Edits), session.part(StructureFollower)
        self.chosen: ShapeElement | None = None
        self._heights: Grid | None = None  # of the field under the brush [m]
        self._pending: dict[EditPlace, Values] = {}
        self._text = ""
        session.model_loaded.connect(self._follow)
        session.advanced.connect(self._send)
        self._edits.changed.connect(self._note)

    def choose(self, element: ShapeElement | None) -> None:
        """Choose an element to be edited."""
        if element != self.chosen:
            self.chosen = element
            self.chosen_changed.emit()

    def elements(self, body: int) -> list[ShapeElement]:
        """The geoms, sites and cameras of a body, the world where it is 0."""
        model = self._session.model
        if model is None:
            return []
        return [
            ShapeElement(prefix, int(i))
            for prefix in _OBJECTS
            for i in np.flatnonzero(np.asarray(getattr(model, f"{prefix}_bodyid")) == body)
        ]

    # ---- where it is

    def body_pose(self) -> BodyPose | None:
        """The pose of the body of the chosen element."""
        model, snapshot = self._session.model, self._session.snapshot
        if self.chosen is None or model is None or snapshot is None:
            return None
        body = self.chosen.body(model)
        return BodyPose(np.array(snapshot.xpos[body], float), np.array(snapshot.xquat[body], float))

    def local_pose(self) -> tuple[Values, Values]:
        """Position and quaternion of the chosen element in its body."""
        assert self.chosen is not None
        return self._edits.value(self.chosen.place("pos")), self._edits.value(self.chosen.place("quat"))

    def size(self) -> Values:
        """The numbers of the size of the chosen element that count; () without."""
        model = self._session.model
        place = None if self.chosen is None or model is None else self.chosen.size_place(model)
        if place is None or self.chosen is None or model is None:
            return ()
        return self._edits.value(place)[: len(SIZES[self.chosen.kind(model)][1])]

    def problem(self, what: str, values: Values) -> str:
        """Problem with numbers as a position, quaternion or size; "" where they can."""
        if not all(np.isfinite(values)):
            return "every number must be finite"
        if what == "quat" and np.linalg.norm(values) < 1e-8:
            return "a quaternion must not be all zeros"
        kind = -1 if self.chosen is None else self.chosen.kind(self._session.loaded_model)
        return size_problem(kind, values) if what == "size" else ""

    # ---- changes

    def begin(self) -> None:
        """A drag begins."""
        self._structure.begin_gesture()

    def move(self, pos: Values, quat: Values) -> None:
        """Give the chosen element a pose in its body."""
        if self.chosen is not None:
            words = self.chosen.words(self._session.loaded_model)
            self._change({self.chosen.place("pos"): pos, self.chosen.place("quat"): quat}, f"Move {words}")

    def resize(self, size: Values) -> None:
        """Give the chosen element a size: the numbers that count."""
        model = self._session.model
        place = None if self.chosen is None or model is None else self.chosen.size_place(model)
        if place is not None and self.chosen is not None and model is not None:
            before = self._edits.value(place)
            self._change({place: (*size, *before[len(size) :])}, f"Resize {self.chosen.words(model)}")

    def end(self) -> None:
        """The drag is over: what only a compiler can derive from it follows."""
        self._finish_heights()
        self._send(late=True)
        self._structure.end_gesture()

    def cancel(self) -> None:
        """The drag has not been."""
        self._pending.clear()
        self._heights = None
        if self._edits.stack.canUndo() and self._edits.changed_in(self._structure.gesture):
            self._edits.stack.undo()
        self._structure.end_gesture()

    def _change(self, values: dict[EditPlace, Values], text: str) -> None:
        self._pending |= values
        self._text = text
        self._send()

    def _send(self, *, late: bool = False) -> None:
        """Send changes once the ones before have arrived: a large model takes its time. late: all at once."""
        if self._pending and (late or self._session.is_obeyed or not self._structure.gesture):
            values, self._pending = self._pending, {}
            self._edits.set_all(values, self._text, self._structure.gesture)

    def _note(self, place: EditPlace) -> None:
        model = self._session.model
        if self.chosen is not None and model is not None and (
            place in (self.chosen.place("pos"), self.chosen.place("quat")) or place == self.chosen.size_place(model)
        ):  # fmt: skip
            self.edited.emit()

    def _follow(self) -> None:
        """Another model: the same element is chosen in one that is the same again."""
        kept, before = self._session.kept, self.chosen
        self._pending.clear()
        self._heights = None
        index = -1 if kept is None or before is None else kept.element(before.prefix, before.index)
        self.chosen = None if before is None or index < 0 else ShapeElement(before.prefix, index)
        self.chosen_changed.emit()

    # ---- height fields

    def brush_problem(self) -> str:
        """Reason why the brush cannot be used on the chosen element; "" where it can."""
        model = self._session.model
        if self.chosen is None or model is None or self.chosen.hfield(model) < 0:
            return "Choose a geom with a height field"
        if len(model.hfield_data) > MOST:
            return f"The height fields have {len(model.hfield_data)} samples: {MOST} are the most that can be brushed"
        return ""

    def dab(self, at: tuple[float, float], brush: Brush, seconds: float) -> None:
        """Hold the brush at a place (x, y) [m] of the chosen field's frame for a time; within a drag."""
        if self.brush_problem() or self.chosen is None:
            return
        model = self._session.loaded_model
        field = self.chosen.hfield(model)
        size, samples = self._field(field)
        if self._heights is None:
            self._heights = samples.astype(float) * size[2]
        self._heights = dab(self._heights, size, at, brush, seconds)
        now, size = held(self._heights, size)
        self._change(self._of_field(field, now, size), f"{brush.mode.value} {self.chosen.words(model)}")

    def _finish_heights(self) -> None:
        """Bring the field into the form in which a compiler gives it; its geoms make up for what the lowest sample was."""
        heights, self._heights = self._heights, None
        if heights is None or self.chosen is None:
            return
        model = self._session.loaded_model
        field = self.chosen.hfield(model)
        samples, size, lift = scaled(heights, self._field(field)[0])
        values = self._of_field(field, samples, size)
        for geom in np.flatnonzero((model.geom_type == int(_HFIELD)) & (model.geom_dataid == field)).tolist() if lift else ():
            element = ShapeElement("geom", geom)
            pos, quat = (np.array(self._edits.value(element.place(what))) for what in ("pos", "quat"))
            values[element.place("pos")] = tuple((pos + lift * rotation(quat)[:, 2]).tolist())
        self._pending |= values

    def _field(self, field: int) -> tuple[Size, NDArray[np.float32]]:
        """Size and samples (nrow, ncol) of a height field, with changes on their way."""
        model = self._session.loaded_model
        places = EditPlace("hfield_size", field), EditPlace("hfield_data")
        size, data = (self._pending.get(place) or self._edits.value(place) for place in places)
        adr, shape = int(model.hfield_adr[field]), (int(model.hfield_nrow[field]), int(model.hfield_ncol[field]))
        a, b, c, d = size
        return (a, b, c, d), np.array(data[adr : adr + shape[0] * shape[1]], np.float32).reshape(shape)

    def _of_field(self, field: int, samples: NDArray[np.float32], size: Size) -> dict[EditPlace, Values]:
        adr = int(self._session.loaded_model.hfield_adr[field])
        data = [*self._edits.value(EditPlace("hfield_data"))]
        data[adr : adr + samples.size] = samples.ravel().tolist()
        return {EditPlace("hfield_data"): tuple(data), EditPlace("hfield_size", field): size}


def _rounded(values: Vector) -> Values:
    """A position to the micrometre."""
    return tuple(round(float(v), 6) + 0.0 for v in values)
