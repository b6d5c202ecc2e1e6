"""Columns of the tables of contacts and constraint rows: texts, sort keys and search."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from tumble.app.describe.contacts import FIRST_CONTACT_KIND, MODE_WORDS, Names
from tumble.app.describe.numbers import MINUS, fixed, short
from tumble.app.panels.contacts.state import ContactState, Kind, PairTotals, RowState, Zone, sides
from tumble.physics import ContactMode
from tumble.physics.observe.thickness import DEEP

Array = NDArray[Any]

ZONE_WORDS = {
    Zone.mjCNSTRSTATE_SATISFIED: "satisfied",
    Zone.mjCNSTRSTATE_QUADRATIC: "quadratic",
    Zone.mjCNSTRSTATE_LINEARNEG: "linear \N{MINUS SIGN}",
    Zone.mjCNSTRSTATE_LINEARPOS: "linear +",
    Zone.mjCNSTRSTATE_CONE: "cone",
}
KIND_WORDS = {
    Kind.mjCNSTR_EQUALITY: "equality",
    Kind.mjCNSTR_FRICTION_DOF: "joint friction",
    Kind.mjCNSTR_FRICTION_TENDON: "tendon friction",
    Kind.mjCNSTR_LIMIT_JOINT: "joint limit",
    Kind.mjCNSTR_LIMIT_TENDON: "tendon limit",
    Kind.mjCNSTR_CONTACT_FRICTIONLESS: "contact",
    Kind.mjCNSTR_CONTACT_PYRAMIDAL: "contact edge",
    Kind.mjCNSTR_CONTACT_ELLIPTIC: "contact",
}
DEEP_WORD = "deep"
_DIRECTIONS = ("normal", "tangent 1", "tangent 2", "torsion", "rolling 1", "rolling 2")


def row_name(names: Names, rows: RowState, r: int) -> str:
    """Element of a constraint row."""
    kind, ident = int(rows.type[r]), int(rows.id[r])
    return names.element(kind, ident) if kind < FIRST_CONTACT_KIND else names.contact(rows.geom[ident], rows.soft[ident])


def direction(rows: RowState, r: int) -> str:
    """Role of a row in its contact; empty for other kinds."""
    kind = int(rows.type[r])
    if kind < FIRST_CONTACT_KIND:
        return ""
    k = r - int(rows.address[int(rows.id[r])])
    if kind == Kind.mjCNSTR_CONTACT_PYRAMIDAL:
        return f"{_DIRECTIONS[1 + k // 2]} {'+' if k % 2 == 0 else MINUS}"
    return _DIRECTIONS[k]


class Column(Struct, frozen=True):
    """A column: title, tip; key: sort key, an array or list over all rows; text of a row; number: set in columns;
    width: in pixels, 0 for the usual one."""

    title: str
    tip: str
    key: Callable[[Any, Names], ArrayLike]
    text: Callable[[Any, Names, int], str]
    number: bool = True
    width: int = 0


def speed(value: float) -> str:
    """A speed [m/s] in mm/s."""
    return fixed(1e3 * value, 3 if value < 0.1 else 1)


def _tiny(value: float) -> str:
    """A number of which rounding is worth seeing."""
    return short(value, 0.0)


MU = "\N{GREEK SMALL LETTER MU}"
_MODES = "stick: the force is inside the friction cone; slip: on its surface; open: no force; smooth: no friction"
_ZONES = "quadratic: acts as a soft spring; satisfied: no force; linear: friction at its limit; cone: the contact slips"
_GAP = (
    "Distance of the surfaces; negative: they overlap. A contact with a margin pushes before they touch:\n"
    "its depth in the impedance lab counts from there"
)
_DEPTH = (
    "Depth over the thickness of the thinner of the two, the shortest way through it.\n"
    f"From {DEEP:.0%} on it is deep; the word deep in the filter finds such contacts"
)
_SUM, _MOST, _LEAST = (f". Of a pair: {what} of its contacts" for what in ("the sum", "the largest", "the least"))
_ROW = "Of a contact: along which direction of its frame; of a pyramid: which of two opposite edges"
_RESIDUAL = (
    "How far the row is from solved [m/s², rad/s²]: R times the force that its acceleration does not ask for.\n"
    "Only rounding with Newton and CG, which take the force from the acceleration; none with LCP"
)


def _state_words(s: ContactState | PairTotals, k: int) -> str:
    """State of a contact; of a pair, counts of its contacts' states."""
    word = MODE_WORDS[ContactMode(int(s.mode[k]))]
    if isinstance(s, ContactState):
        return word
    return f"{s.count[k]} {word}" if s.alike[k] == s.count[k] else f"{s.alike[k]} of {s.count[k]} {word}"


def _depth_words(share: float) -> str:
    return f"{f'{DEEP_WORD} ' if share >= DEEP else ''}{100 * share:.1f}"


def _words(title: str, tip: str, text: Callable[[Any, Names, int], str], width: int = 0, field: str = "") -> Column:
    """A column of words; sorted by them, or by a field."""

    def key(moment: Sized, names: Names) -> ArrayLike:
        own: ArrayLike = getattr(moment, field) if field else [text(moment, names, k) for k in range(len(moment))]
        return own

    return Column(title, tip, key, text, number=False, width=width)


def _number(title: str, tip: str, field: str, text: Callable[[float], str] = short, width: int = 0) -> Column:
    """A column of a field's numbers."""
    return Column(title, tip, lambda s, n: getattr(s, field), lambda s, n, k: text(getattr(s, field)[k]), width=width)


CONTACT_COLUMNS = (
    _words("Pair", "The two geoms; without names, their bodies; of soft bodies what touches",
           lambda s, n, k: n.contact(s.geom[k], s.soft[k])),
    _words("State", _MODES, lambda s, n, k: _state_words(s, k), 70, "mode"),
    _number("Used %", f"Friction force over its limit: |ft| / ({MU} fn){_MOST}", "used",
            lambda x: f"{100 * x:.1f}", 60),
    _number("Normal N", f"Normal force{_SUM}", "normal", lambda x: fixed(x, 2), 72),
    _number("Friction N", f"Tangential force{_SUM}", "tangential", lambda x: fixed(x, 2), 74),
    _number(
        "Creep mm/s", f"Sliding speed at the point; a soft contact creeps a little while it sticks{_MOST}", "creep", speed, 86
    ),
    _number("Gap mm", f"{_GAP}{_LEAST}", "dist", lambda x: fixed(1e3 * x, 4), 72),
    _number("Depth %", f"{_DEPTH}{_MOST}", "sunk", _depth_words, 80),
    _number("Dim", "1: normal force; 3: and sliding; 4: and torsional; 6: and rolling friction", "dim",
            lambda x: str(int(x)), 44),
)  # fmt: skip
ROW_COLUMNS = (
    _words("Of", "The element that the row belongs to", lambda s, n, r: row_name(n, s, r)),
    _words("Row", _ROW, lambda s, n, r: direction(s, r), 78),
    _words("Type", "Kind of constraint", lambda s, n, r: KIND_WORDS[Kind(int(s.type[r]))], 100, "type"),
    _words("State", _ZONES, lambda s, n, r: ZONE_WORDS[Zone(int(s.state[r]))], 76, "state"),
    _number("Force", "Force of the row [N, N m]", "force"),
    _number("Pos", "Violation, or distance from it [m, rad]", "pos"),
    _number("Vel", "Velocity J qvel [m/s, rad/s]", "vel"),
    _number("Aref", "Reference acceleration of the constraint [m/s², rad/s²]", "aref"),
    _number("R", "Regularization: compliance of the row [1/kg, 1/(kg m²)]", "R", _tiny),
    _number("D", "1/R [kg, kg m²]", "D"),
    _number("Residual", _RESIDUAL, "residual", _tiny),
)


def arrange(count: int, found: Array | None, key: ArrayLike | None, *, descending: bool) -> Array:
    """The rows to show, in order: those found (None: all), sorted by a key (None: in their order); the sort is stable."""
    rows = np.arange(count) if found is None else np.flatnonzero(found)
    if key is None or len(rows) == 0:
        return rows
    values = np.asarray(key)[rows]
    if values.dtype.kind in "US":
        values = np.unique(values, return_inverse=True)[1]
    return rows[np.argsort(-values if descending else values, kind="stable")]


def find_contacts(text: str, state: ContactState, names: Names) -> Array | None:
    """Mask (n,) of contacts with all words, each in a name of geom or body or as state; None without words."""
    words = text.lower().split()
    if not words:
        return None
    result = np.ones(len(state), bool)
    for word in words:
        modes = [mode for mode, name in MODE_WORDS.items() if name.startswith(word)]
        hit = names.with_word(word, sides(state)) | np.isin(state.mode, modes)
        result &= hit | (state.sunk >= DEEP) if DEEP_WORD.startswith(word) else hit
    return result


def find_rows(text: str, rows: RowState, names: Names) -> Array | None:
    """Mask of constraint rows with all words in element name, kind or state; None without words."""
    words: Sequence[str] = text.lower().split()
    if not words:
        return None
    contact = np.asarray(rows.type) >= FIRST_CONTACT_KIND
    which = np.where(contact, rows.id, 0)
    result = np.ones(len(rows), bool)
    for word in words:
        kinds = [k for k, name in KIND_WORDS.items() if word in name]
        zones = [z for z, name in ZONE_WORDS.items() if name.startswith(word)]
        hit = np.isin(rows.type, kinds) | np.isin(rows.state, zones)
        if contact.any():
            hit |= contact & names.with_word(word, sides(rows))[which]
        for r in np.flatnonzero(~contact):
            hit[r] |= word in names.element(int(rows.type[r]), int(rows.id[r])).lower()
        result &= hit
    return result


def summary(state: ContactState) -> str:
    """Number of contacts, and counts of their states."""
    total = len(state)
    if total == 0:
        return "No contacts"
    counts = [(int((state.mode == mode).sum()), word) for mode, word in MODE_WORDS.items()]
    parts = [f"{count} {word}" for count, word in counts if count]
    deep = int((state.sunk >= DEEP).sum())
    return f"{total} contact{'s' if total > 1 else ''}: {', '.join(parts)}{f'; {deep} {DEEP_WORD}' if deep else ''}"
