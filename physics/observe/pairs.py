"""Timing of collision detection: each pair of geoms that is tested, alone, over and over, on a fork of the data.

times = physics.collision_times(m, d)
slowest = max(times.pairs, key=lambda pair: pair.seconds)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from time import perf_counter

from msgspec import Struct

from tumble.physics.collision.candidates import unpack
from tumble.physics.collision.contact import pair_margin
from tumble.physics.collision.driver import collision, is_worth_testing
from tumble.physics.collision.filter import place
from tumble.physics.collision.sweep import sweep
from tumble.physics.kernel import run, stage
from tumble.physics.observe.fork import fork
from tumble.physics.run.room import run_stage
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model

_ROUNDS = 3  # of which the fastest counts: the others were interrupted
_LEAST, _MOST = 4, 400  # calls in a round


class PairTime(Struct, frozen=True):
    """One narrow phase: geoms as in the contact (lower type first), explicit pair or -1, contacts found, its time [s]."""

    geom1: int
    geom2: int
    pair: int
    contacts: int
    seconds: float


class TypeTime(Struct, frozen=True):
    """All narrow phases of two types: how many pairs were tested, contacts found, and their time [s]."""

    type1: mjtGeom
    type2: mjtGeom
    pairs: int
    contacts: int
    seconds: float


class CollisionTimes(Struct, frozen=True):
    """Times of one collision [s].

    whole: from poses to contacts. broad: the sweep over units, sorting what it finds; middle: the trees over bodies of many
    geoms and over what is static; both 0 if the pairs are few and listed. seen: pairs that these leave, or that are
    listed. pairs: of these, those whose spheres and boxes meet, which the narrow phase tests.
    """

    whole: float
    broad: float
    middle: float
    seen: int
    pairs: tuple[PairTime, ...]

    @property
    def narrow(self) -> float:
        """The time of all narrow phases [s]."""
        return sum(pair.seconds for pair in self.pairs)

    @property
    def rest(self) -> float:
        """Remaining time [s]: bounding spheres and boxes of pairs, and making contacts of points."""
        return max(0.0, self.whole - self.broad - self.middle - self.narrow)

    def by_type(self, m: Model) -> list[TypeTime]:
        """The narrow phases by types of geoms, the most expensive first."""
        groups: dict[tuple[int, int], list[PairTime]] = defaultdict(list)
        for pair in self.pairs:
            groups[int(m.geom_type[pair.geom1]), int(m.geom_type[pair.geom2])].append(pair)
        found = [
            TypeTime(mjtGeom(a), mjtGeom(b), len(some), sum(p.contacts for p in some), sum(p.seconds for p in some))
            for (a, b), some in groups.items()
        ]
        return sorted(found, key=lambda kind: -kind.seconds)


@stage
def replay(m, d):
    """Runs the stage at the address d.run_first as often as d.run_last says: the same narrow phase again and again."""
    address = d.run_first
    for _ in range(d.run_last):
        d.hit_num = 0
        run(address, m, d)


def collision_times(m: Model, d: Data, told: Callable[[float], None] | None = None) -> CollisionTimes:
    """Time the collision of the present poses, pair by pair. Changes neither m nor d.

    told: hears how much is done, 0 to 1. User callbacks that discard pairs are not asked. Raises ModelError if memory is short.
    """
    m, d = fork(m, d)
    run_stage(m, d, collision)
    whole = _time(lambda: collision(m, d))
    listed = m.collide_nactive >= 0
    broad, middle = (0.0, 0.0) if listed else _selection(m, d)
    seen = [tuple(map(int, row)) for row in m.collide_active[: m.collide_nactive]] if listed else _candidates(m, d)
    tested = [found for found in seen if is_worth_testing(m, d, *found) and m.collide_fn[_place(m, found)] > 0]
    pairs = []
    for k, found in enumerate(tested):
        pairs.append(_time_pair(m, d, *found))
        if told is not None:
            told((k + 1) / len(tested))
    return CollisionTimes(whole, broad, middle, len(seen), tuple(pairs))


def _place(m: Model, found: tuple[int, ...]) -> int:
    return int(place(m.geom_type[found[0]], m.geom_type[found[1]]))


def _candidates(m: Model, d: Data) -> list[tuple[int, ...]]:
    return [tuple(map(int, unpack(m, d, k))) for k in range(d.collide_ncandidate)]


def _selection(m: Model, d: Data) -> tuple[float, float]:
    """Times of the broad and of the middle phase [s]; the candidates are then those of both."""
    both = _time(lambda: sweep(m, d))
    bare, data = fork(m, d)
    for root in bare.collide_group[: bare.collide_ngroup, 1]:
        # A tree that ends at its root, whose box is known: what remains is the broad phase.
        bare.as_run.collide_node[root] = 0, 0, -1
    data.inner.collide_ncandidate = 0
    broad = min(both, _time(lambda: sweep(bare, data)))
    return broad, both - broad


def _time_pair(m: Model, d: Data, g1: int, g2: int, pair: int) -> PairTime:
    d.inner.hit_geom1, d.inner.hit_geom2, d.hit_margin = g1, g2, float(pair_margin(m, g1, g2, pair))
    d.inner.run_first, d.inner.run_last = int(m.collide_fn[place(m.geom_type[g1], m.geom_type[g2])]), 1
    once = _fastest([_lap(lambda: replay(m, d))])
    contacts = int(d.hit_num)
    d.inner.run_last = int(min(max(2e-5 / once, _LEAST), _MOST))
    seconds = _fastest(_lap(lambda: replay(m, d)) for _ in range(_ROUNDS)) / d.run_last
    return PairTime(g1, g2, pair, contacts, seconds)


def _time(call: Callable[[], None]) -> float:
    """Duration of a call [s], over several."""
    once = _lap(call)
    return _fastest(_lap(call) for _ in range(int(min(max(0.02 / once, _ROUNDS), 50))))


def _fastest(laps: Iterable[float]) -> float:
    return max(min(laps), 1e-9)


def _lap(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start
