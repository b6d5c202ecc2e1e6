"""Words for the collision of two geoms: why they do not collide, what would change that, and how a search for it ended."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.describe.numbers import DASH, MICRO, MINUS, length, microseconds
from tumble.physics.observe.collision_record import CollisionEnd
from tumble.physics.observe.collision_steps import SearchKind
from tumble.physics.observe.pair_check import ApartReason, PairNote
from tumble.physics.query.geom_shapes import hull_filling

if TYPE_CHECKING:
    from tumble.physics import CollisionTimes, MjModel, PairTime
    from tumble.physics.observe.collision_record import CollisionRecord
    from tumble.physics.observe.collision_steps import CollisionStep
    from tumble.physics.observe.pair_check import PairCheck

SHAPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
Kind = physics.mjtGeom
ARROW = "\N{RIGHTWARDS ARROW}"
SEARCH_WORDS = {
    SearchKind.WALK: "distance walk (GJK)", SearchKind.TURN: "turn to the origin (GJK)",
    SearchKind.POLYTOPE: "polytope (EPA)", SearchKind.REFINE: "shapes moved apart", SearchKind.PORTAL: "portal (MPR)",
    SearchKind.CLIP: "faces clipped",
}  # fmt: skip
_ROUNDING = 1e-6  # of the tolerance: bounds that are nearer to each other have met
_SOON = 0.02  # of the model's extent: a distance that a margin could bridge


class Sentence(Struct, frozen=True):
    """A statement about a pair, and a remedy in terms of MJCF; "" without one."""

    text: str
    cure: str = ""


class PairWords(Struct, frozen=True):
    """Texts on a pair of geoms; names: of the geoms, in the order of the check."""

    model: MjModel
    check: PairCheck
    first: str
    second: str
    place: str = ""  # of the <exclude> that is meant: file:line

    def headline(self) -> str:
        """One-line answer to whether they collide."""
        number = len(self.check.contacts)
        if not self.check.reasons:
            return f"They collide: {number} contact{'' if number == 1 else 's'}."
        return "They do not collide."

    def reasons(self) -> list[Sentence]:
        """Why not, the first reason first."""
        return [_SENTENCES.get(reason) or getattr(self, f"_{reason.name.lower()}")() for reason in self.check.reasons]

    def notes(self) -> list[str]:
        """Further remarks."""
        return [self._note(note, geom) for note, geom in self.check.notes]

    def name(self, geom: int) -> str:
        """The name of one of the two."""
        return self.first if geom == self.check.geom1 else self.second

    def _note(self, note: PairNote, geom: int) -> str:
        name = self.name(geom) if geom >= 0 else ""
        if note is PairNote.HULL:
            filled = 100 * (hull_filling(self.model, int(self.model.geom_dataid[geom])) - 1)
            return (
                f"{name} is a mesh and collides as its convex hull: hollows and holes are filled, which adds {filled:.0f} % of "
                'its volume. H shows the hull. Cut it into convex parts (in the Model panel), or use type="sdf".'
            )
        if note is PairNote.EXPLICIT:
            pair = name_of(self.model, physics.mjtObj.mjOBJ_PAIR, self.check.pair)
            dim = int(self.model.pair_dim[self.check.pair])
            return (
                f"<pair> {pair} names these geoms: masks, parent and <exclude> do not count, and its own margin "
                f"{length(self.check.margin)}, gap {length(self.check.gap)} and condim {dim} do."
            )
        return _NOTES[note].format(name=name)

    # ---- the reasons

    def _same_body(self) -> Sentence:
        body = self._body(self.check.geom1)
        return Sentence(
            f"Both belong to body {body}, and geoms of one body never collide.",
            f"put one of them into another body; {self._pair}",
        )

    def _welded(self) -> Sentence:
        one, other = self._body(self.check.geom1), self._body(self.check.geom2)
        return Sentence(
            f"No joint is between bodies {one} and {other}: they are one rigid body.", "give the lower of the two bodies a joint"
        )

    def _parent(self) -> Sentence:
        m, (a, b) = self.model, (self.check.geom1, self.check.geom2)
        one, other = int(m.geom_bodyid[a]), int(m.geom_bodyid[b])
        above, below = (one, other) if one < other else (other, one)
        names = (name_of(m, physics.mjtObj.mjOBJ_BODY, k) for k in (above, below))
        return Sentence(
            "Body {} is the parent of {}, and parent and child do not collide.".format(*names),
            f'<option><flag filterparent="disable"/></option> for all; {self._pair}',
        )

    def _masks(self) -> Sentence:
        m, (a, b) = self.model, (self.check.geom1, self.check.geom2)
        types, affinities = ([int(x) for x in field[[a, b]]] for field in (m.geom_contype, m.geom_conaffinity))
        text = "; ".join(
            f"{name} has contype {_bits(kind)}, conaffinity {_bits(affinity)}"
            for name, kind, affinity in zip((self.first, self.second), types, affinities, strict=True)
        )
        return Sentence(
            f"Their masks do not match: {text}. One's contype has to share a bit with the other's conaffinity.",
            _mask_cure((self.first, self.second), types, affinities),
        )

    def _excluded(self) -> Sentence:
        name = name_of(self.model, physics.mjtObj.mjOBJ_EXCLUDE, self.check.exclude)
        one, other = self._body(self.check.geom1), self._body(self.check.geom2)
        where = f" ({self.place})" if self.place else ""
        return Sentence(f"<exclude> {name}{where} keeps bodies {one} and {other} apart.", f"remove that <exclude>; {self._pair}")

    def _no_collider(self) -> Sentence:
        one, other = (SHAPES[int(self.model.geom_type[g])] for g in (self.check.geom1, self.check.geom2))
        return Sentence(
            f"A {one} and a {other} never collide: there is no collision of these types.", "use a box instead of a plane"
        )

    def _too_far(self) -> Sentence:
        dist, margin = self.check.record.dist, self.check.margin
        if dist != dist:
            return Sentence(f"They are farther apart than the margin of {length(margin)}.")
        text = f"They are {length(dist)} apart, and contacts begin at a distance of {length(margin)} (margin)."
        if dist > _SOON * float(self.model.stat.extent):
            return Sentence(text)
        return Sentence(text, f'margin="{_up(dist - margin + self._margin_of_second)}" on {self.second}, to have them earlier')

    def _in_gap(self) -> Sentence:
        dist = self.check.record.dist
        return Sentence(
            f"There is a contact, at {length(dist)}, but it carries no force yet: that begins below margin minus gap, "
            f"{length(self.check.margin)} \N{MINUS SIGN} {length(self.check.gap)}.",
            "lower gap, or raise margin" if self.check.gap > 0 else "",
        )

    @property
    def _margin_of_second(self) -> float:
        return float(self.model.geom_margin[self.check.geom2])

    @property
    def _pair(self) -> str:
        return f'or name the two in <contact><pair geom1="{self.first}" geom2="{self.second}"/></contact>'

    def _body(self, geom: int) -> str:
        return name_of(self.model, physics.mjtObj.mjOBJ_BODY, int(self.model.geom_bodyid[geom]))


_SENTENCES = {  # those that are the same for all pairs; the others are methods of PairWords
    ApartReason.CONTACT_OFF: Sentence(
        "The flag contact is disabled: nothing collides.", '<option><flag contact="enable"/></option>'
    ),
    ApartReason.CONSTRAINT_OFF: Sentence(
        "The flag constraint is disabled: there are no constraints, contacts included.",
        '<option><flag constraint="enable"/></option>',
    ),
    ApartReason.BOTH_FIXED: Sentence(
        "Neither can move: both are fixed to the world, or to a mocap body, and fixed bodies do not collide with each other.",
        "give one of their bodies a joint, such as <freejoint/>",
    ),
    ApartReason.ASLEEP: Sentence(
        "Both are asleep, and sleeping bodies make no new contacts.",
        "it is checked again once one of them wakes (Islands and sleep)",
    ),
    ApartReason.FILTERED: Sentence(
        "They touch, and the contactfilter callback discards it.", "set_mjcb_contactfilter(None), or change what it returns"
    ),
    ApartReason.DROPPED: Sentence(
        "They touch, but the step had no room for this contact, or was taken before a change of the model.",
        'take a step; <size memory="..."/> gives more room',
    ),
}
_NOTES = {
    PairNote.FIELD: "{name} is a signed distance field: it collides as it is, holes included.",
    PairNote.TERRAIN: "{name} is a height field: it collides as prisms, from its surface down to the bottom of its base.",
    PairNote.OVERRIDE: "The flag override is on: margin, solref, solimp and friction of all contacts are those of <option>.",
    PairNote.FRICTIONLESS: "Their condim is 1: contacts push but have no friction.",
}


def pipeline(record: CollisionRecord) -> str:
    """Names of the algorithms that ran, in order."""
    parts = ["prism"] if record.prism is not None else []
    words = [SEARCH_WORDS[kind].partition(" (")[0] for kind in record.kinds]
    if not any(kind is not SearchKind.CLIP for kind in record.kinds):
        parts.append(_without_search(record))
    return f" {ARROW} ".join([*parts, *words])


def _without_search(record: CollisionRecord) -> str:
    """Name of the closed-form collider of two types."""
    if not record.collides:
        return "no collision of these types"
    if Kind.mjGEOM_SDF in record.types:
        return "descent in the signed distance"
    return "prisms of the height field" if Kind.mjGEOM_HFIELD in record.types else "closed form"


def without_steps(record: CollisionRecord) -> str:
    """Why there are no steps to show."""
    if not record.collides:
        return "These types never collide: there are no steps"
    if Kind.mjGEOM_SDF in record.types:
        return "Steps are not shown for signed distance fields"
    return "Closed form: there are no steps" if Kind.mjGEOM_HFIELD not in record.types else "No prism is near: there are no steps"


def ending(record: CollisionRecord) -> str:
    """Why the search ended."""
    if record.ended is CollisionEnd.NO_SEARCH:
        return "nothing to iterate"
    if record.ended is CollisionEnd.LIMIT:
        since = "; refined since" if SearchKind.REFINE in record.kinds else ""
        return f"limit: {record.limit} iterations (ccd_iterations), bounds {length(record.gap)} apart{since}"
    if record.ended is CollisionEnd.CONVERGED:
        return "converged: on the boundary" if SearchKind.PORTAL in record.kinds else "converged: the bounds have met"
    if record.ended is CollisionEnd.REFINED:
        return "refined by moving the shapes apart"
    if record.ended is CollisionEnd.APART:
        return "ended: a direction separates them"
    return "ended: no better point was found"


def numbers(record: CollisionRecord, step: CollisionStep | None) -> list[tuple[str, str]]:
    """Captions and values of a step; None: of the answer alone."""
    normal = record.normal if step is None else step.normal
    rows = [("found by", pipeline(record))]
    if step is not None:
        count = sum(other.kind is step.kind for other in record.steps)
        rows.append(("step", f"{SEARCH_WORDS[step.kind]}, {step.number + 1} of {count}"))
        if step.kind is not SearchKind.CLIP:
            rows.append(("distance", f"{_bound(step.low)} \N{HORIZONTAL ELLIPSIS} {_bound(step.high)}"))
            rows.append(("gap", _closeness(record, step)))
    several = f", of {len(record.hit_dist)} points" if len(record.hit_dist) > 1 else ""
    rows.append(("answer", length(record.dist) + several))
    if Kind.mjGEOM_SDF not in record.types:
        rows.append(("ended", ending(record)))
    if normal[0] == normal[0]:
        rows.append(("normal", "  ".join(f"{round(x, 4) + 0.0:.4f}".replace("-", MINUS) for x in normal)))
    return rows


def _bound(x: float) -> str:
    return "not known" if math.isinf(x) else length(x)


def _closeness(record: CollisionRecord, step: CollisionStep) -> str:
    """Gap between the bounds, next to the tolerance, as text."""
    gap = step.high - step.low
    if math.isinf(gap):
        return "not known"
    seen = length(gap) if gap > _ROUNDING * record.tolerance else "0"
    return f"{seen}; tolerance {length(record.tolerance)}"


def _up(x: float) -> str:
    """A number a little above."""
    return f"{1.01 * x:.3g}"


def _bits(mask: int) -> str:
    """A mask, with its bits where it has several."""
    return str(mask) if mask in (0, 1) else f"{mask} (bits {mask & 0xFFFFFFFF:b})"


def _mask_cure(names: tuple[str, str], types: list[int], affinities: list[int]) -> str:
    """The change of one mask that lets two geoms collide."""
    for name, kind, affinity in ((names[0], types[1], affinities[0]), (names[1], types[0], affinities[1])):
        if kind != 0:
            return f'conaffinity="{affinity | (kind & -kind)}" on {name}'
    for name, other, affinity in ((names[0], names[1], affinities[1]), (names[1], names[0], affinities[0])):
        if affinity != 0:
            return f'contype="{affinity & -affinity}" on {name}, which {other} already takes'
    return f'contype="1" on {names[0]} and conaffinity="1" on {names[1]}'




class TimeRow(Struct, frozen=True):
    """A row of the table. pair: geoms as in the contact; None: all pairs of two types, which are the rows below."""

    label: str
    contacts: int
    seconds: float
    pair: tuple[int, int] | None = None
    below: tuple[TimeRow, ...] = ()


def time_rows(model: MjModel, names: Sequence[str], times: CollisionTimes) -> list[TimeRow]:
    """The pairs by types, and below by geoms, each the most expensive first. names: of the geoms."""
    pairs = sorted(times.pairs, key=lambda pair: -pair.seconds)
    types = model.geom_type
    rows = []
    for kind in times.by_type(model):
        below = tuple(
            _row_of(pair, names) for pair in pairs if (types[pair.geom1], types[pair.geom2]) == (kind.type1, kind.type2)
        )
        label = f"{SHAPES[kind.type1]} {DASH} {SHAPES[kind.type2]}, {kind.pairs}\N{MULTIPLICATION SIGN}"
        rows.append(TimeRow(label, kind.contacts, kind.seconds, below=below))
    return rows


def _row_of(pair: PairTime, names: Sequence[str]) -> TimeRow:
    label = f"{names[pair.geom1]} {DASH} {names[pair.geom2]}"
    return TimeRow(label, pair.contacts, pair.seconds, (pair.geom1, pair.geom2))


def time_summary(times: CollisionTimes) -> str:
    """Two sentences on where collision detection spends its time."""
    if not times.pairs:
        return f"{times.seen} pairs seen, none near enough to be tested. A collision takes {microseconds(times.whole)} {MICRO}."
    phases = {"broad phase": times.broad, "middle phase": times.middle, "pairs": times.narrow, "the rest": times.rest}
    parts = ", ".join(f"{name} {microseconds(seconds)}" for name, seconds in phases.items() if seconds > 0)
    return (
        f"A collision takes {microseconds(times.whole)} {MICRO}: {parts}. "
        f"{times.seen} pairs were seen, {len(times.pairs)} near enough to be tested."
    )
