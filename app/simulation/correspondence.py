"""Correspondence of a reloaded model: its elements matched with those of the previous model, and the transferred state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe import islands
from tumble.physics.state.history import buffer_of
from tumble.physics.state.named import KINDS, names_of

if TYPE_CHECKING:
    from tumble.app.simulation.snapshot import Snapshot
    from tumble.physics import MjData, MjModel

Ints = NDArray[np.int64]

_BY_PREFIX = {kind.prefix: kind for kind in KINDS.values()}
_ON_A_BODY = ("jnt", "geom", "site", "cam", "light")
# Numbers of the state that a joint of each type has (mjtJoint: free, ball, slide, hinge): in qpos, in qvel.
_POSITIONS, _DOFS = (7, 4, 1, 1), (6, 3, 1, 1)
GONE = -1
_NO_JOINT = -2


class PastState(Struct, frozen=True):
    """A state of the model before, in arrays that stay as they are. time [s]; numbers: by the name of the field."""

    time: float
    numbers: Mapping[str, NDArray[Any]]


class Correspondence:
    """The elements of a model that are in the next one too.

    An element is the one of the same name. One without a name is the one at the same place among those without: on the
    same body, of the same joint for an actuator, of the same type for an equality. Joints of another type are others.
    """

    def __init__(self, old: MjModel, new: MjModel) -> None:
        self._old, self._new = old, new
        self._found: dict[str, Ints] = {"body": _bodies(old, new)}
        joints = self._all("jnt")
        self._found["jnt"] = np.where(_same(old.jnt_type, new.jnt_type, joints), joints, GONE)
        self._moves = self._state()

    def element(self, prefix: str, index: int) -> int:
        """The number in the new model of an element (`body`, `geom`, `jnt`, `dof`, ...) of the old one; GONE: it has none."""
        elements = self._found["dof"] if prefix == "dof" else self._all(prefix)
        return int(elements[index]) if 0 <= index < len(elements) else GONE

    def knows(self, prefix: str) -> bool:
        """True if the model has elements of this kind, by the prefix of their fields."""
        return prefix == "dof" or prefix in _BY_PREFIX

    def taken(self, source: MjData | Snapshot) -> PastState:
        """Transferred state, from data or a snapshot of the old model; a snapshot has only the fields for drawing."""
        fields = [name for name in self._moves if hasattr(source, name)]
        return PastState(source.time, {name: np.array(getattr(source, name)) for name in fields})

    def transfer(self, state: PastState, data: MjData) -> None:
        """Transfer the state of the old model to data of the new one.

        Time, positions and velocities of joints, activations, controls, histories, applied forces, mocap poses, active
        equalities. New values in the file for a mocap body's pose or an active equality take precedence. All trees
        are awake. `mj_forward` is due afterwards.
        """
        data.time = state.time
        for name, numbers in state.numbers.items():
            to, origin = self._moves[name]
            getattr(data, name)[to] = numbers[origin]
        resting = np.flatnonzero(data.qvel[self._new.tree_dofadr] == 0)  # motion keeps trees awake
        islands.wake(self._new, data, resting)

    def _all(self, prefix: str) -> Ints:
        if prefix not in self._found:
            kind = _BY_PREFIX[prefix]
            names = names_of(self._old, kind), names_of(self._new, kind)
            self._found[prefix] = _match(*names, *self._places(prefix, len(names[0]), len(names[1])))
        return self._found[prefix]

    def _places(self, prefix: str, old: int, new: int) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
        """Traits by which unnamed elements are matched between models, with the new model's ids."""
        a, b = self._old, self._new
        if prefix in _ON_A_BODY:
            field = f"{prefix}_bodyid"
            return self._found["body"][getattr(a, field)].tolist(), getattr(b, field).tolist()
        if prefix == "eq":
            return a.eq_type.tolist(), b.eq_type.tolist()
        if prefix == "actuator":
            joints = [self.element("jnt", j) if j >= 0 else _NO_JOINT for j in _driven_joints(a)]
            return joints, _driven_joints(b)
        return [0] * old, [0] * new

    def _state(self) -> dict[str, tuple[Ints, Ints]]:
        """For each field of the state: which numbers of the new data come from which of the old."""
        old, new = self._old, self._new
        joints, bodies = _pairs(self._found["jnt"]), _pairs(self._found["body"])
        kinds = [int(old.jnt_type[a]) for _, a in joints]
        positions = _spans(joints, new.jnt_qposadr, old.jnt_qposadr, [_POSITIONS[k] for k in kinds])
        dofs = _spans(joints, new.jnt_dofadr, old.jnt_dofadr, [_DOFS[k] for k in kinds])
        self._found["dof"] = np.full(old.nv, GONE)
        self._found["dof"][dofs[1]] = dofs[0]
        actuators = _pairs(self._all("actuator"))
        acting = [(b, a) for b, a in actuators if old.actuator_actnum[a] == new.actuator_actnum[b] > 0]
        mocap = [
            (int(new.body_mocapid[b]), int(old.body_mocapid[a]))
            for b, a in bodies
            if min(new.body_mocapid[b], old.body_mocapid[a]) >= 0
            and np.array_equal(new.body_pos[b], old.body_pos[a])
            and np.array_equal(new.body_quat[b], old.body_quat[a])
        ]
        equalities = [(b, a) for b, a in _pairs(self._all("eq")) if new.eq_active0[b] == old.eq_active0[a]]
        histories = self._histories()
        user = range(new.nuserdata if new.nuserdata == old.nuserdata else 0)
        return {
            "qpos": positions, "qvel": dofs, "qacc_warmstart": dofs, "qfrc_applied": dofs,
            "act": _spans(acting, new.actuator_actadr, old.actuator_actadr, [int(new.actuator_actnum[b]) for b, _ in acting]),
            "ctrl": _columns(actuators), "xfrc_applied": _columns(bodies), "mocap_pos": _columns(mocap),
            "mocap_quat": _columns(mocap), "eq_active": _columns(equalities), "userdata": _columns([(i, i) for i in user]),
            "history": histories,
        }  # fmt: skip


    def _histories(self) -> tuple[Ints, Ints]:
        """Histories of as many samples, of sensors of the same type; with their times."""
        old, new = self._old, self._new
        numbers: list[tuple[int, int]] = []
        for prefix, alike in (("actuator", ("history",)), ("sensor", ("history", "type", "dim"))):
            for b, a in _pairs(self._all(prefix)):
                if all(np.array_equal(getattr(new, f"{prefix}_{n}")[b], getattr(old, f"{prefix}_{n}")[a]) for n in alike):
                    (to, size), (origin, _) = buffer_of(new, prefix, b), buffer_of(old, prefix, a)
                    numbers += zip(range(to, to + size), range(origin, origin + size), strict=True)
        return _columns(numbers)


def _match(old: Sequence[str], new: Sequence[str], old_place: Sequence[Hashable], new_place: Sequence[Hashable]) -> Ints:
    """For each old element the new one: by name, or for unnamed ones the same kind at the same place."""
    named = {name: i for i, name in enumerate(new) if name}
    nameless: dict[Hashable, list[int]] = defaultdict(list)
    for i, place in enumerate(new_place):
        if not new[i]:
            nameless[place].append(i)
    result = np.full(len(old), GONE)
    for i, name in enumerate(old):
        if name:
            result[i] = named.get(name, GONE)
        elif nameless[old_place[i]]:
            result[i] = nameless[old_place[i]].pop(0)
    return result


def _bodies(old: MjModel, new: MjModel) -> Ints:
    """Bodies by name; those without by their parent and order. The world is the world."""
    kind = _BY_PREFIX["body"]
    old_names, new_names = names_of(old, kind), names_of(new, kind)
    named = {name: i for i, name in enumerate(new_names) if name}
    children: dict[int, list[int]] = defaultdict(list)
    for b in range(1, new.nbody):
        if not new_names[b]:
            children[int(new.body_parentid[b])].append(b)
    result = np.full(old.nbody, GONE)
    result[0] = 0
    for b in range(1, old.nbody):  # parents come first
        candidates = children[int(result[old.body_parentid[b]])]
        if old_names[b]:
            result[b] = named.get(old_names[b], GONE)
        elif candidates:
            result[b] = candidates.pop(0)
    return result


def _same(old: NDArray[Any], new: NDArray[Any], found: Ints) -> NDArray[np.bool_]:
    """True where an attribute of old elements equals that of their matches."""
    if len(new) == 0:
        return np.zeros(len(old), bool)
    return np.asarray(old) == np.asarray(new)[found]


def _driven_joints(model: MjModel) -> list[int]:
    """The joint of each actuator, where it is on one."""
    on_joint = np.asarray(model.actuator_trntype) == int(physics.mjtTrn.mjTRN_JOINT)
    joints: list[int] = np.where(on_joint, model.actuator_trnid[:, 0], _NO_JOINT).tolist()
    return joints


def _pairs(found: Ints) -> list[tuple[int, int]]:
    """(new, old) of all elements that are in both."""
    return [(int(b), a) for a, b in enumerate(found) if b != GONE]


def _columns(pairs: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _spans(
    pairs: list[tuple[int, int]], new_adr: NDArray[np.int32], old_adr: NDArray[np.int32], counts: list[int]
) -> tuple[Ints, Ints]:
    """As `_columns`, for elements that have several numbers each, from an address on."""
    numbers = [(int(new_adr[b]) + k, int(old_adr[a]) + k) for (b, a), n in zip(pairs, counts, strict=True) for k in range(n)]
    return _columns(numbers)
