"""Snapshots, published by the simulation thread: copies of the state, exchanged without a lock, or written as text.

The exchange holds four snapshots. One belongs to the writer, at most one waits to be read, one belongs to the
reader, and the fourth covers the instant in which the reader holds two. Buffers change hands through deques,
whose append and popleft are atomic, so that no thread ever waits or sees a half-written snapshot.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.app.replay.tape import Position
from tumble.app.simulation.fork_runner import Moment
from tumble.app.simulation.hooks import Probe, Reading
from tumble.physics.query.force import forces_of
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Array = NDArray[Any]

# Fields of MjData that are copied unchanged: the state and the fields for docks; the fields for the renderer.
STATE_FIELDS = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "xquat", "energy", "ten_length")
DRAWN = ("pos", "frame", "force", "dist", "friction", "dim", "geom")  # columns of the contacts
NOT_COPIED = ("time", "ghosts", "trails", "flexelem_rgba", "gone", *(f"contact_{name}" for name in DRAWN))
FRAME_FIELDS = tuple(name for name in Frame.__struct_fields__ if name not in NOT_COPIED)
COPIED_FIELDS = tuple(dict.fromkeys(STATE_FIELDS + FRAME_FIELDS))
MOST_PACE = 0.1
# Contacts there is room for at first; doubled when it is too small, so that the steady state allocates nothing.
FIRST_CONTACTS = 64
CONTACT_COLUMNS = {"pos": 3, "frame": 9, "dist": 0, "force": 6, "friction": 5, "dim": 0, "geom": 2, "flex": 2, "elem": 2,
                   "vert": 2}  # fmt: skip
# Attributes of <key> and the fields they hold.
ATTRIBUTES = {"qpos": "qpos", "qvel": "qvel", "act": "act", "ctrl": "ctrl", "mpos": "mocap_pos", "mquat": "mocap_quat"}


class Snapshot:
    """One moment of the simulation, in its own arrays; the reader's until its next read.

    The fields of COPIED_FIELDS have the names, shapes and units of MjData; frame: the fields for the renderer, in the
    same arrays. time [s]; taken: when it was copied, by perf_counter [s]; ncon, nefc: counts;
    iterations: of the solver in the last step; warning_number, warning_info: (nwarning,); paused;
    rate: wanted, measured: reached [simulated s / wall s]; obeyed: commands carried out before it was taken; forks: those
    that run in parallel; position: on the tape.
    """

    qpos: Array
    qvel: Array
    act: Array
    ctrl: Array
    mocap_pos: Array
    mocap_quat: Array
    xpos: Array
    xquat: Array
    xmat: Array
    xipos: Array
    energy: Array
    ten_length: Array

    def __init__(self, data: MjData) -> None:
        for name in COPIED_FIELDS:
            setattr(self, name, np.empty_like(np.asarray(getattr(data, name))))
        self.warning_number = np.zeros(len(data.warning), np.int64)
        self.warning_info = np.zeros(len(data.warning), np.int64)
        self.time = self.taken = 0.0
        self.ncon = self.nefc = self.iterations = self.obeyed = 0
        self.paused = True
        self.rate = 1.0
        self.measured = 0.0
        self.forks: tuple[Moment, ...] = ()
        self.position = Position()
        self.frame = Frame(**{name: getattr(self, name) for name in FRAME_FIELDS})
        self.frame.wrap_xpos = self.frame.wrap_xpos.reshape(-1, 3)
        self.frame.wrap_obj = self.frame.wrap_obj.reshape(-1)
        self._extra: dict[Probe[Any], Any] = {}
        self._room = 0
        self._contact: dict[str, Array] = {}

    def contact(self, name: str) -> Array:
        """A column of the contacts: pos (ncon,3) [m], frame (ncon,9), dist (ncon,) [m], friction (ncon,5), dim (ncon,),
        geom, flex, elem, vert (ncon,2), or force (ncon,6) [N, N m] in the contact's frame."""
        return self._contact[name][: self.ncon]

    def contact_sides(self) -> Array:
        """Sides of the contacts (ncon,2): geom ids, or -1 - flex id."""
        geom, flex = (self.contact(name).astype(np.int64) for name in ("geom", "flex"))
        sides: Array = np.where(geom >= 0, geom, -1 - flex)
        return sides

    def fill(self, data: MjData) -> None:
        """Copy the live data; called by the thread that owns it."""
        for name in COPIED_FIELDS:
            np.copyto(getattr(self, name), getattr(data, name))
        self.time, self.taken = float(data.time), perf_counter()
        self.nefc = int(data.nefc)
        self.iterations = int(data.solver_niter[0]) if self.nefc else 0
        self.warning_number[:] = data.warning.number
        self.warning_info[:] = data.warning.lastinfo
        self._fill_contacts(data)
        frame = self.frame
        frame.time = self.time
        for name in DRAWN:
            setattr(frame, f"contact_{name}", self.contact(name))

    def take(self, probes: Sequence[Probe[Any]], model: MjModel, data: MjData) -> dict[Probe[Any], Exception]:
        """Update the probes: start new ones, drop removed ones; called by the thread that owns the data.

        Returns those that failed, with their errors.
        """
        failed: dict[Probe[Any], Exception] = {}
        for probe in [p for p in self._extra if p not in probes]:
            del self._extra[probe]
        for probe in probes:
            try:
                if probe not in self._extra:
                    self._extra[probe] = probe.room(model, data)
                probe.take(model, data, self._extra[probe])
            except Exception as error:  # noqa: BLE001  # raised by the caller, when all is published
                self._extra.pop(probe, None)
                failed[probe] = error
        return failed

    def reading(self, probe: Probe[Reading]) -> Reading | None:
        """The reading of a probe at this moment; None: it was not watched then."""
        return self._extra.get(probe)

    def _fill_contacts(self, data: MjData) -> None:
        contact, n = data.contact, int(data.ncon)
        if n > self._room or not self._contact:
            self._room = max(FIRST_CONTACTS, 2 * n)
            self._contact = {k: np.zeros((self._room, width) if width else self._room) for k, width in CONTACT_COLUMNS.items()}
        self.ncon = n
        if n == 0:
            return
        for name in ("pos", "frame", "dist", "friction", "dim", "geom", "flex", "elem", "vert"):
            self._contact[name][:n] = np.asarray(getattr(contact, name)).reshape(self._contact[name][:n].shape)
        forces_of(data, self._contact["force"][:n])


class Exchange:
    """Hands snapshots of one model from the thread that steps to the thread that draws."""

    def __init__(self, data: MjData) -> None:
        self.writing = Snapshot(data)  # which the writer may fill
        self._waiting: deque[Snapshot] = deque()
        self._free: deque[Snapshot] = deque([Snapshot(data), Snapshot(data)])
        self._reading = Snapshot(data)
        self._read_at = perf_counter()
        self.pace = 0.0  # wall time between the last two snapshots that were read, at most MOST_PACE [s]

    def publish(self) -> None:
        """Offer the filled snapshot; an unread one is taken back to be filled again."""
        try:
            spare = self._waiting.popleft()
        except IndexError:
            spare = self._free.popleft()
        self._waiting.append(self.writing)
        self.writing = spare

    @property
    def waits(self) -> bool:
        """True if a newer snapshot than the last one read is waiting."""
        return bool(self._waiting)

    def read(self) -> tuple[Snapshot, bool]:
        """The newest snapshot, and whether it is new; the one returned before goes back to the writer."""
        try:
            fresh = self._waiting.popleft()
        except IndexError:
            return self._reading, False
        now = perf_counter()
        self.pace, self._read_at = min(MOST_PACE, now - self._read_at), now
        self._free.append(self._reading)
        self._reading = fresh
        return fresh, True


def key_element(snapshot: Snapshot) -> str:
    """A <key> element whose numbers read back bit for bit."""
    lines = [f'<key time="{snapshot.time!r}"']
    values = {name: getattr(snapshot, field).ravel() for name, field in ATTRIBUTES.items()}
    lines += [f'{name}="{_numbers(array)}"' for name, array in values.items() if array.size]
    return "\n     ".join(lines) + "/>"


def state_lines(snapshot: Snapshot) -> str:
    """Time and the other numbers of the state, a line each, as Python reads them, bit for bit."""
    values = {name: getattr(snapshot, field).ravel() for name, field in ATTRIBUTES.items()}
    lines = [f"{name} = [{', '.join(repr(float(v)) for v in array)}]" for name, array in values.items() if array.size]
    return "\n".join([f"time = {snapshot.time!r}", *lines])


def _numbers(values: Iterable[Any]) -> str:
    return " ".join(repr(float(v)).removesuffix(".0") for v in values)
