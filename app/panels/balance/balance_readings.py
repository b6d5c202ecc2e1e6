"""Readings of the balance: forces by origin on chosen dofs, and where they act, from the live data."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble import physics
from tumble.physics.observe.energy_account import contact_idents, merged_idents
from tumble.physics.observe.motion.velocity_products import VelocityProducts
from tumble.physics.query.balance.equation import forces_by_origin
from tumble.physics.query.balance.terms import Wrench
from tumble.physics.query.balance.wrenches import wrenches_on

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

READ_INTERVAL = 0.1  # wall time between two readings while time runs, at least [s]
SHARE = 20.0  # ... and so many times what the last one took: of a large model it is 12 ms
MOST_BODIES = 60  # whose arrows are shown
NEGLIGIBLE = 1e-9  # of the largest force in the model: what is less, as about the axis of a turret at rest, is rounding


class BalanceScope(Enum):
    """Extent of a balance; the value is the label."""

    BODY = "Body"
    TREE = "Tree"
    MODEL = "Whole model"


class Chosen(Struct, frozen=True):
    """Part of the model whose forces are read. dofs, bodies: numbers; name: of the body or tree."""

    dofs: tuple[int, ...] = ()
    bodies: tuple[int, ...] = ()
    name: str = ""


def choose(model: MjModel, scope: BalanceScope, body: int) -> Chosen:
    """Dofs and bodies of a scope about a body; 0: of the first tree, where none is selected."""
    if scope is BalanceScope.MODEL or model.nv == 0:
        return Chosen(tuple(range(model.nv)), tuple(range(1, model.nbody)), "the whole model")
    tree = int(model.body_treeid[body]) if body > 0 else 0
    if tree < 0:
        return Chosen((), (body,), _name(model, body))
    root = int(model.tree_bodyadr[tree])
    if scope is BalanceScope.TREE:
        dofs, bodies = (np.flatnonzero(np.asarray(of) == tree).tolist() for of in (model.dof_treeid, model.body_treeid))
        return Chosen(tuple(dofs), tuple(bodies), _name(model, root))
    carrier = int(model.body_weldid[body or root])
    first, count = int(model.body_dofadr[carrier]), int(model.body_dofnum[carrier])
    welded = np.flatnonzero(np.asarray(model.body_weldid) == carrier)
    return Chosen(tuple(range(first, first + count)), tuple(welded.tolist()), _name(model, body or root))


def _name(model: MjModel, body: int) -> str:
    return physics.mj_id2name(model, physics.mjtObj.mjOBJ_BODY, body) or f"body {body}"


class BalanceReading(Struct):
    """Forces at one moment. chosen: what they are of; origin, ident (n,): as in Balance, contacts by pair.

    force (n, k): on the chosen dofs [N or N m]; power (n,): of these, at the present velocity [W]; wrenches: on the chosen
    bodies; hard: whether contacts are; asleep: whether all dofs are; time [s].
    """

    chosen: Chosen = field(default_factory=Chosen)
    origin: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    ident: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    force: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    power: Floats = field(default_factory=lambda: np.zeros(0))
    wrenches: tuple[Wrench, ...] = ()
    hard: bool = False
    asleep: bool = False
    time: float = 0.0


class ShownBalance(Struct):
    """The newest reading in a snapshot."""

    reading: BalanceReading = field(default_factory=BalanceReading)


class BalanceProbe:
    """Reads the balance of `chosen` a few times a second, each time while `eager`.

    arrows: where its forces act, too; each: contacts one by one rather than by pair.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.eager = True
        self.arrows = self.each = False
        self.chosen = Chosen()
        self.taken = 0  # readings so far
        self._now = now
        self._due_at = 0.0
        self._last = BalanceReading()
        self._products: tuple[MjModel, VelocityProducts] | None = None

    def room(self, model: MjModel, data: MjData) -> ShownBalance:
        return ShownBalance()

    def take(self, model: MjModel, data: MjData, into: ShownBalance) -> None:
        now, chosen = self._now(), self.chosen
        fits = max(chosen.dofs, default=-1) < model.nv and max(chosen.bodies, default=0) < model.nbody
        if fits and (self.eager or now >= self._due_at or self._last.chosen is not chosen):
            self.taken += 1
            if self._products is None or self._products[0] is not model:
                self._products = model, VelocityProducts(model)
            products = self._products[1]
            self._last = read_balance(model, data, chosen, products, arrows=self.arrows, each=self.each)
            self._due_at = now + max(READ_INTERVAL, SHARE * (self._now() - now))
        into.reading = self._last


def read_balance(
    model: MjModel, data: MjData, chosen: Chosen, products: VelocityProducts, *, arrows: bool, each: bool
) -> BalanceReading:
    """The balance of chosen dofs; arrows: wrenches too; each: contacts one by one."""
    dofs = np.array(chosen.dofs, int)
    balance = products.split(model, data, forces_by_origin(model, data), dofs)
    force, power = balance.on(dofs), balance.power(data.qvel, dofs)
    force[abs(force) < NEGLIGIBLE * abs(balance.force).max(initial=0.0)] = 0.0
    present = np.flatnonzero((force != 0.0).any(axis=1))
    ident = (contact_idents if each else merged_idents)(model, data, balance)[present]
    keys, which = np.unique(np.stack([balance.origin[present], ident], axis=1), axis=0, return_inverse=True)
    forces, powers = np.zeros((len(keys), len(dofs))), np.zeros(len(keys))
    np.add.at(forces, which.ravel(), force[present])
    np.add.at(powers, which.ravel(), power[present])
    bodies = np.array(chosen.bodies[:MOST_BODIES], int)
    return BalanceReading(
        chosen, keys[:, 0], keys[:, 1], forces, powers,
        tuple(wrenches_on(model, data, balance, bodies)) if arrows else (),
        int(model.tumble.contact_model) == int(physics.ContactModel.LCP),
        bool(len(dofs)) and bool((np.asarray(data.tree_asleep)[np.asarray(model.dof_treeid)[dofs]] >= 0).all()),
        float(data.time),
    )  # fmt: skip
