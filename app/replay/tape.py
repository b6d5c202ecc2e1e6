"""All that happened to a simulation, so that every moment of it can be reached again, bit for bit; in bounded memory.

The tape holds the whole state now and then (keys), and between them all that steps do not compute: changed inputs, and numbers
of the model. From the key before it, any moment is a few steps away. A position is a number of steps, together with all that
was done before the next one.

Bytes are compared, not commands: code that is about to touch the simulation calls `hold` first, and before the next step `note`
finds the changes since. Without changes, recording costs a copy of the state a few times a second.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.replay.branches import Branch, Branches, BranchInfo, change_bytes, numbers_before
from tumble.app.replay.state import Reader, ReplayError, State, TapeKey, same_bits
from tumble.app.replay.timeline import Edit, NumberChanges, Numbers, Timeline, changes_of, columns

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Array = NDArray[Any]
MOST_BYTES = 256 * 2**20
TRIMMED = 0.9  # of the memory is kept when it is full: so that not every step has to make room
KEY_SECONDS, MOST_BETWEEN = 0.1, 200  # between two keys: simulated time [s], steps

_step: Callable[[Any], int] = attrgetter("step")


class Position(Struct, frozen=True):
    """The position of a simulation on its tape, for display; see `Tape`. target: where it is going, or None.

    course: the number of the course of events, and since: from which position on it is not that of the branch it came from.
    """

    first: int = 0
    now: int = 0
    end: int = 0
    target: int | None = None
    rewritten: int = 0
    strayed: int = 0
    nbytes: int = 0
    course: int = 0
    since: int = 0
    branches: tuple[BranchInfo, ...] = ()


class Tape:
    """The record of one simulation; belongs to the thread that steps, which reports every step: `took` or `followed`.

    first: the earliest position that can be reached; now: where the simulation is; end: the last that is known. Where now
    is before the end, the steps that follow are on record: `ahead` returns how many may be taken before the next event, and
    `followed` does that. Any other action there starts another future: the recorded one becomes a branch, and `return_to`
    exchanges the two.
    checked, strayed: how many states were met again as recorded, and where one first was another; 0: nowhere.
    rewritten: how often the tape has changed numbers of the model.
    """

    def __init__(self, model: MjModel, data: MjData, most_bytes: int = MOST_BYTES, between: int | None = None) -> None:
        """data: in the state where the record begins; between: steps from one key to the next, None: chosen for fast seeking."""
        self.first = self.now = self.end = 0
        self.checked = self.strayed = self.rewritten = 0
        self.most_bytes = most_bytes
        self._model, self._data = model, data
        self._reader, self._numbers = Reader(model, data), Numbers(model)
        self._left: State | None = None  # the state after the last step, if it may have been changed since
        self._model_touched = False
        self._edits: list[Edit] = []
        self._inputs: list[NumberChanges] = []
        self._keys = [TapeKey(0, self._reader.read(), jump=True)]
        self._digests: dict[int, int] = {}  # of states in a file
        self._bytes = self._keys[0].state.nbytes
        self._branches = Branches()
        self._between = between or min(MOST_BETWEEN, max(1, round(KEY_SECONDS / max(float(model.opt.timestep), 1e-9))))

    @classmethod
    def of(cls, timeline: Timeline, model: MjModel, data: MjData, most_bytes: int = MOST_BYTES) -> Tape:
        """The tape of a file, at its beginning; the timeline must fit the model: `replay.checks.require`."""
        self = cls(model, data, most_bytes)
        values = zip(timeline.jump_step, timeline.jump_values, timeline.jump_asleep, timeline.jump_mocap, strict=True)
        self._keys = [TapeKey(int(step), State(*state), jump=True) for step, *state in values]
        self._inputs = changes_of(timeline.inputs)
        held: dict[str, Array] = {}
        for change in changes_of(timeline.edits):
            name = timeline.fields[change.field]
            now = held.setdefault(name, self._numbers[name])
            self._edits.append(Edit(change.step, name, change.index, now[change.index], change.value))
            now[change.index] = change.value
        self._digests = dict(zip(timeline.check_step.tolist(), timeline.check_digest.tolist(), strict=True))
        self.end = timeline.steps
        self._bytes = self._size()
        self._numbers.make(edit for edit in self._edits if edit.step == 0)
        self._keys[0].state.place(model, data)
        self._change_inputs()
        self._check()
        return self

    def position(self, target: int | None = None) -> Position:
        """The position of the simulation."""
        course, since = self._branches.way[-1]
        return Position(
            self.first, self.now, self.end, target, self.rewritten, self.strayed, self.nbytes, course, since,
            self._branches.infos,
        )  # fmt: skip

    @property
    def nbytes(self) -> int:
        """Memory of the record, branches included [bytes]."""
        return self._bytes + self._branches.nbytes

    # ---- recording

    def hold(self, *, model: bool = False) -> None:
        """Announce, before the first write, that the state or the inputs may change from now on; `note` then finds what did.

        model: numbers of the model may change too, those of `EDITABLE` (numbers.py). `note` compares all of them with what the
        tape knows, which takes a large model some time: it is done only on request. Changes that are not announced are not
        played back; it is found by the next `note` after a hold with model=True, and belongs to the position of that one.
        """
        self._model_touched |= model
        if self._left is None:
            self._left = self._reader.read()

    def note(self) -> None:
        """Record changes since the last step, if one was announced; they then belong to this position."""
        left, self._left = self._left, None
        edits = self._numbers.compare(self.now) if self._model_touched else []
        self._model_touched = False
        if left is None and not edits:
            return
        state, own = self._reader.read(), self._reader.own
        jump = left is not None and not (
            same_bits(state.values[:own], left.values[:own]) and same_bits(state.asleep, left.asleep)
        )
        changed = left is not None and not same_bits(state.values[own:], left.values[own:])
        if not (edits or jump or changed):
            return
        self.leave_future(edits)
        self._edits += edits
        if jump:
            self._put_key(TapeKey(self.now, state, jump=True))
        elif changed and left is not None:
            index = np.flatnonzero(state.values[own:].view(np.int64) != left.values[own:].view(np.int64))
            self._inputs.append(NumberChanges(self.now, index, state.values[own:][index]))
            self._bytes += change_bytes(self._inputs[-1])
            if self._keys[-1].step == self.now:
                self._put_key(TapeKey(self.now, state, self._keys[-1].jump))
        self._trim()

    def took(self, steps: int) -> None:
        """Steps were taken that are not on record, after `note`."""
        self._left = None
        self.now += steps
        self.end = self.now
        if self.now - self._keys[-1].step >= self._between:
            self._put_key(TapeKey(self.now, self._reader.read()))
            self._trim()

    def arrived(self, steps: int) -> None:
        """The simulation, at the end of the record, was put into a state that lies so many steps later, by whatever way."""
        self._left = None
        self.now += steps
        self.end = self.now
        self._put_key(TapeKey(self.now, self._reader.read(), jump=True))
        self._trim()

    def leave_future(self, edits: Sequence[Edit] = ()) -> None:
        """Make a branch of the record after this position; edits: made here, not on record yet, and no part of that."""
        if self.now == self.end:
            return
        self._branches.part(self._record([*edits]))
        for events in (self._keys, self._inputs, self._edits):
            del events[bisect_right(events, self.now, key=_step) :]
        self._digests = {step: digest for step, digest in self._digests.items() if step <= self.now}
        self._bytes = self._size()
        self.end = self.now
        self._measure()

    def return_to(self, number: int) -> bool:
        """Exchange the record for a branch, and go to where that was left; returns True if there is one of this number."""
        self.note()
        branch = self._branches.swap(number, self._record([]))
        if branch is None:
            return False
        self._keys, self._inputs, self._edits, self._digests = branch.keys, branch.inputs, branch.edits, branch.digests
        self.first, self.now, self.end = branch.keys[0].step, branch.at, branch.end
        self._bytes = self._size()
        self._numbers.hold(branch.numbers)
        self.rewritten += 1
        self._place(self._keys[bisect_right(self._keys, branch.at, key=_step) - 1])
        self._measure()
        return True

    def drop_branch(self, number: int) -> None:
        """Discard a branch."""
        self._branches.drop(number)
        self._measure()

    def _record(self, edits: list[Edit]) -> Branch:
        """The tape's contents as a branch that ends here; edits: as for `leave_future`."""
        numbers = numbers_before({name: self._numbers[name] for name in self._numbers.first}, edits)
        lists = [*self._keys], [*self._inputs], [*self._edits]
        return Branch(self._branches.way, self.now, self.end, *lists, dict(self._digests), numbers)

    def _measure(self) -> None:
        """Count the memory of branches, and drop the oldest while it is too much."""
        own = Branch(self._branches.way, self.now, self.end, self._keys, self._inputs, self._edits, self._digests)
        self._branches.measure(own)
        while self._branches and self.nbytes > self.most_bytes:
            self._branches.drop()
            self._branches.measure(own)

    def limit(self, most_bytes: int) -> None:
        """Limit the memory [bytes], by discarding the oldest branches, then the oldest part."""
        self.most_bytes = most_bytes
        self._trim()

    def _put_key(self, key: TapeKey) -> None:
        at = bisect_left(self._keys, key.step, key=_step)
        if at < len(self._keys) and self._keys[at].step == key.step:
            self._bytes -= self._keys[at].state.nbytes
            self._keys[at] = key
        else:
            self._keys.insert(at, key)
        self._bytes += key.state.nbytes

    def _size(self) -> int:
        return sum(key.state.nbytes for key in self._keys) + sum(change_bytes(change) for change in self._inputs)

    def _trim(self) -> None:
        if self.nbytes <= self.most_bytes:
            return
        self._measure()
        drop, inputs = 0, 0
        # Never beyond the present: future steps must be reached from there.
        last = max(1, bisect_right(self._keys, self.now, key=_step)) - 1
        while drop < last and self.nbytes > TRIMMED * self.most_bytes:
            self._bytes -= self._keys[drop].state.nbytes
            drop += 1
            while inputs < len(self._inputs) and self._inputs[inputs].step <= self._keys[drop].step:
                self._bytes -= change_bytes(self._inputs[inputs])
                inputs += 1
        del self._keys[:drop]
        del self._inputs[:inputs]
        self.first = self._keys[0].step
        del self._edits[: bisect_right(self._edits, self.first, key=_step)]
        if self._branches:
            self._branches.trim(self.first)
            self._measure()

    # ---- going there again

    def seek(self, step: int) -> None:
        """Bring the simulation to the nearest place at or before a position from which steps lead there.

        From there on it is ahead of the simulation: `now` is at most `step`. All results are due: mj_forward.
        """
        self.note()
        step = min(max(step, self.first), self.end)
        key = self._keys[bisect_right(self._keys, step, key=_step) - 1]
        if not key.step <= self.now <= step:
            self._place(key)

    def ahead(self) -> int:
        """Number of recorded steps from here until the simulation was touched, or must be checked."""
        position = bisect_right(self._keys, self.now, key=_step)
        stops = [self.end, *(key.step for key in self._keys[position : position + 1])]
        for events in (self._inputs, self._edits):
            following = bisect_right(events, self.now, key=_step)
            stops += [event.step for event in events[following : following + 1]]
        return min(min(stops) - self.now, self._between)

    def followed(self, steps: int) -> None:
        """Recorded steps were repeated, at most as many as `ahead` returned: apply the recorded events."""
        self._left = None
        self.now += steps
        edits = self._edits[slice(*self._span(self._edits))]
        key = self._key()
        if edits:
            self._numbers.make(edits)
            self.rewritten += 1
            if key is None or not key.jump:
                self._reader.read().place(self._model, self._data)  # poses that are computed once are due
        if key is not None and key.jump:
            key.state.place(self._model, self._data)
        else:
            self._change_inputs()
        self._check()

    def go(self, step: int, look: Callable[[], None] = lambda: None, since: int | None = None) -> None:
        """Go to a position, and compute all results there; look: called at every position from `since` on."""
        since = step if since is None else since
        self.seek(since)
        with unseen(self._data):
            while self.now < min(step, self.end):
                if self.now >= since:
                    look()
                steps = 1 if self.now >= since else min(self.ahead(), since - self.now)
                physics.mj_step(self._model, self._data, steps)
                self.followed(steps)
        self.settle()
        look()

    def repeat(self) -> None:
        """Compute the present results again, bit for bit: those of the last step, or of the present state where they are that."""
        self.note()
        now, stood = self.now, self._data.qacc.copy()
        key = self._key()
        if now > self.first and not (key is not None and key.jump):
            self.seek(now - 1)
            with unseen(self._data):
                while self.now < now:
                    steps = self.ahead()
                    physics.mj_step(self._model, self._data, min(steps, now - self.now))
                    self.followed(min(steps, now - self.now))
            if same_bits(self._data.qacc, stood):
                return
        self.settle()

    def settle(self) -> None:
        """Compute all results for the present state, without changing it."""
        before = self._reader.read()
        physics.mj_forward(self._model, self._data)
        if not same_bits(self._reader.read().asleep, before.asleep):  # they would have woken in the next step
            before.place(self._model, self._data)

    def _place(self, key: TapeKey) -> None:
        if key.step < self.now:
            edits = self._edits[bisect_right(self._edits, key.step, key=_step) : bisect_right(self._edits, self.now, key=_step)]
            self._numbers.take_back(edits)
        else:
            edits = self._edits[bisect_right(self._edits, self.now, key=_step) : bisect_right(self._edits, key.step, key=_step)]
            self._numbers.make(edits)
        self.rewritten += bool(edits)
        self.now = key.step
        key.state.place(self._model, self._data)

    def _key(self) -> TapeKey | None:
        """Record of the present position."""
        at = bisect_left(self._keys, self.now, key=_step)
        return self._keys[at] if at < len(self._keys) and self._keys[at].step == self.now else None

    def _span(self, events: list[Any]) -> tuple[int, int]:
        return bisect_left(events, self.now, key=_step), bisect_right(events, self.now, key=_step)

    def _change_inputs(self) -> None:
        for change in self._inputs[slice(*self._span(self._inputs))]:
            self._reader.write_inputs(change.index, change.value)

    def _check(self) -> None:
        """Compare with the record, and keep a key if the last is far back."""
        key, digest = self._key(), self._digests.get(self.now)
        comparable = digest is not None or (key is not None and not key.jump)
        before = self._keys[max(0, bisect_left(self._keys, self.now, key=_step) - 1)]
        if not comparable and (key is not None or self.now - before.step < self._between):
            return
        state = self._reader.read()
        good = digest is None or state.digest() == digest
        if key is None:
            self._put_key(TapeKey(self.now, state))
            self._trim()
        elif not key.jump:
            good &= same_bits(state.values, key.state.values) and same_bits(state.asleep, key.state.asleep)
        self.checked += comparable
        if not good and not self.strayed:
            self.strayed = self.now

    # ---- a part of it

    def key_before(self, position: int) -> int:
        """The position of the last key at or before another, as far as they reach: there a part can begin."""
        return self._keys[max(0, bisect_right(self._keys, position, key=_step) - 1)].step

    def timeline(self, begin: int = 0) -> Timeline:
        """Events from `key_before` a position to the end. Raises ReplayError if there was no step."""
        self.note()
        at = max(0, bisect_right(self._keys, begin, key=_step) - 1)
        start = self._keys[at]
        steps = self.end - start.step
        if steps <= 0:
            raise ReplayError("there is nothing to replay yet: no step was taken")
        keys = self._keys[at:]
        jumps = [start, *(key for key in keys[1:] if key.jump)]
        checks = {key.step: key.digest() for key in keys[1:] if not key.jump}
        checks |= {step: digest for step, digest in self._digests.items() if step > start.step}
        if self.now == self.end:
            checks[self.end] = self._reader.read().digest()
        inputs = self._inputs[bisect_right(self._inputs, start.step, key=_step) :]
        # Of a file's changes, those to come may be of fields that have not changed yet.
        fields = list(dict.fromkeys([*self._numbers.first, *(edit.name for edit in self._edits)]))
        edits = [self._since_first(name, start.step, number) for number, name in enumerate(fields)]
        for edit in self._edits[bisect_right(self._edits, start.step, key=_step) :]:
            edits.append(NumberChanges(edit.step - start.step, edit.index, edit.new, fields.index(edit.name)))
        return Timeline(
            steps=steps,
            fields=tuple(fields),
            edits=columns(edits),
            inputs=columns([NumberChanges(c.step - start.step, c.index, c.value) for c in inputs]),
            jump_step=np.array([key.step - start.step for key in jumps], np.int64),
            jump_values=np.array([key.state.values for key in jumps]),
            jump_asleep=np.array([key.state.asleep for key in jumps], np.int32),
            jump_mocap=np.array([key.state.mocap for key in jumps]),
            check_step=np.array(sorted(checks), np.int64) - start.step,
            check_digest=np.array([checks[step] for step in sorted(checks)], np.int64),
        )

    def _since_first(self, name: str, step: int, number: int) -> NumberChanges:
        """Differences of a model field at a position from its initial values."""
        held = self._numbers[name]
        first = self._numbers.first.get(name, held.copy())
        own = [edit for edit in self._edits if edit.name == name]
        for edit in reversed([edit for edit in own if step < edit.step <= self.now]):
            held[edit.index] = edit.old
        for edit in [edit for edit in own if self.now < edit.step <= step]:
            held[edit.index] = edit.new
        index = np.flatnonzero(held.view(np.int64) != first.view(np.int64))
        return NumberChanges(0, index, held[index], number)


@contextmanager
def unseen(data: MjData) -> Iterator[None]:
    """Repeated steps notify no tap and count no warning: they have done so before."""
    tap, data.inner.tap = data.tap, 0
    warnings = data.warning_number.copy(), data.warning_lastinfo.copy()
    try:
        yield
    finally:
        data.inner.tap = tap
        data.warning_number, data.warning_lastinfo = warnings
