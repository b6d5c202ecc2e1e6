"""An account of energy over steps: what each origin of force gives or takes, and what nothing accounts for.

    account = EnergyAccount(m, d)
    for _ in range(1000):
        account.before(m, d)
        mj_step(m, d)
        account.after(m, d)
    series = account.series(m, d)
    print(series.energy[-1] - series.energy[0], series.work.sum(axis=0), series.rest.sum())

The energy is kinetic and potential: of gravity, of springs, of soft bodies. Forces that have a potential do no work here, and
velocity products (Coriolis, centrifugal) are a part of the change of kinetic energy. Over a step from v to v' the work of a force
f is h f (v + v') / 2, with which the kinetic energy of constant inertia changes exactly; what an implicit integrator makes of the
acceleration is an origin of its own. The Runge-Kutta method evaluates forces within the step: its work is the mean of the power
at both ends. What is left, the rest, is the error of the integrator and of these sums: with half the time step it is about half
as large, and a quarter for Runge-Kutta.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tumble.physics.dynamics.energy import energy_pos, energy_vel
from tumble.physics.query.balance.equation import forces_by_origin
from tumble.physics.query.balance.terms import Balance, Integers, Numbers, Origin
from tumble.physics.query.inertia import mj_mulM
from tumble.physics.run.copy_data import mj_copyData
from tumble.physics.run.stepping import mj_forward
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtIntegrator
from tumble.physics.state.model import Model

# Origins whose energy the potential and the kinetic energy hold already.
IN_ENERGY = (
    Origin.INERTIA, Origin.GRAVITY, Origin.CORIOLIS, Origin.JOINT_SPRING, Origin.TENDON_SPRING, Origin.SOFT_SPRING,
)  # fmt: skip
INTEGRATOR = max(Origin) + 1  # an origin of work beyond those of forces: implicit integration
_RK4 = int(mjtIntegrator.mjINT_RK4)


class EnergySeries(Struct, frozen=True):
    """The account of n steps.

    time, kinetic, potential (n + 1,): at the beginning of each step, and at the end [s, J].
    origin, ident (k,): Origin or INTEGRATOR, and its element as in Balance; of a contact its pair, see `pair_code`.
    work (n, k): in each step [J]. force (n, k, j): on the chosen dofs at its beginning [N or N m].
    """

    time: Numbers
    kinetic: Numbers
    potential: Numbers
    origin: Integers
    ident: Integers
    work: Numbers
    force: Numbers

    @property
    def energy(self) -> Numbers:
        """Kinetic and potential energy (n + 1,) [J]."""
        return self.kinetic + self.potential

    @property
    def rest(self) -> Numbers:
        """Change of energy (n,) in each step that no work accounts for [J]."""
        return np.diff(self.energy) - self.work.sum(axis=1)


def pair_code(m: Model, d: Data, contacts: Integers) -> Integers:
    """Numbers (n,) of the pairs of contacts' sides, whatever their places in the list of contacts."""
    geom, flex = np.asarray(d.contact_geom)[contacts].astype(np.int64), np.asarray(d.contact_flex)[contacts]
    sides = np.where(geom >= 0, geom, -1 - flex) + m.nflex
    return np.asarray(sides[:, 0] * (m.ngeom + m.nflex) + sides[:, 1])


def pair_sides(m: Model, code: int) -> tuple[int, int]:
    """The sides of such a pair, or of a contact's `contact_idents`: geoms, or -1 - flex."""
    count = int(m.ngeom + m.nflex)
    first, second = divmod(int(code) % count**2, count)
    return first - int(m.nflex), second - int(m.nflex)


def contact_of(m: Model, code: int) -> int:
    """The contact of a `contact_idents`; -1 for a pair."""
    return int(code) // int(m.ngeom + m.nflex) ** 2 - 1


def merged_idents(m: Model, d: Data, balance: Balance) -> Integers:
    """Elements (n,) of the terms of a balance, with the pair for a contact."""
    ident = balance.ident.copy()
    here = np.isin(balance.origin, (Origin.CONTACT, Origin.CONTACT_SPRING))
    ident[here] = pair_code(m, d, ident[here])
    return ident


def contact_idents(m: Model, d: Data, balance: Balance) -> Integers:
    """Elements (n,) of the terms of a balance, with a number for a contact that tells its pair, too."""
    ident = merged_idents(m, d, balance)
    here = np.isin(balance.origin, (Origin.CONTACT, Origin.CONTACT_SPRING))
    ident[here] += int(m.ngeom + m.nflex) ** 2 * (1 + balance.ident[here])
    return ident


class _StepTerms(Struct):
    """Terms of one step. key (n,): origin and ident in one number; power (n,) [W]; force (n, dofs)."""

    key: Integers
    power: Numbers
    force: Numbers


class EnergyAccount:
    """Follows steps of one model and data; dofs: those whose forces are kept as well."""

    def __init__(self, m: Model, d: Data, dofs: tuple[int, ...] = ()) -> None:
        self._dofs = np.array(dofs, int)
        self._ahead = int(m.opt.integrator) == _RK4
        self._end = Data(m)  # for results of moments that the data do not hold
        self._moments: list[_StepTerms] = []
        self._energies: list[tuple[float, float, float]] = []  # time, kinetic, potential
        self._span = 4 * (int(m.ngeom + m.nflex) ** 2 + int(m.nbody + m.njnt + m.nu + m.ntendon + m.neq + m.nv)) + 4

    def before(self, m: Model, d: Data) -> None:
        """A step is about to be taken."""
        self._qpos, self._qvel, self._time = np.array(d.qpos), np.array(d.qvel), float(d.time)
        if self._ahead:
            self._note_state(m, d)

    def after(self, m: Model, d: Data) -> None:
        """It was taken."""
        if self._ahead:
            return
        middle = 0.5 * (self._qvel + d.qvel)
        balance = forces_by_origin(m, d)
        moment = self._moment(m, d, balance, middle)
        change = np.zeros(m.nv)
        mj_mulM(m, d, change, (np.asarray(d.qvel) - self._qvel) / float(m.opt.timestep) - np.asarray(d.qacc))
        moment.key = np.append(moment.key, self._key(np.array([INTEGRATOR]), np.array([-1])))
        moment.power = np.append(moment.power, float(change @ middle))
        moment.force = np.vstack([moment.force, change[self._dofs][None, :]])
        self._moments.append(moment)
        after = np.array(d.qpos), np.array(d.qvel)
        d.qpos[:], d.qvel[:] = self._qpos, self._qvel  # with which the poses and the inertia in the data go
        self._note_energy(m, d, self._time)
        d.qpos[:], d.qvel[:] = after

    def series(self, m: Model, d: Data) -> EnergySeries:
        """The account of all steps so far, up to the present state of the data, which does not change."""
        self._note_state(m, d)
        last = self._moments.pop()
        moments = [*self._moments, last] if self._ahead else self._moments
        keys = np.unique(np.concatenate([moment.key for moment in moments])) if moments else np.zeros(0, int)
        power = np.zeros((len(moments), len(keys)))
        force = np.zeros((len(self._moments), len(keys), len(self._dofs)))
        for k, moment in enumerate(moments):
            places = np.searchsorted(keys, moment.key)
            np.add.at(power[k], places, moment.power)
            if k < len(force):
                np.add.at(force[k], places, moment.force)
        if self._ahead:
            power = 0.5 * (power[1:] + power[:-1])
        origin, ident = np.divmod(keys, self._span)
        work = power * float(m.opt.timestep)
        work[:, np.isin(origin, IN_ENERGY)] = 0.0
        time, kinetic, potential = np.array(self._energies).T
        self._energies.pop()
        return EnergySeries(time, kinetic, potential, origin, ident - 1, work, force)

    def _note_state(self, m: Model, d: Data) -> None:
        """Results and energies of the present state."""
        mj_copyData(self._end, m, d)
        mj_forward(m, self._end)
        self._moments.append(self._moment(m, self._end, forces_by_origin(m, self._end), np.asarray(self._end.qvel)))
        self._note_energy(m, self._end, float(d.time))

    def _note_energy(self, m: Model, d: Data, time: float) -> None:
        energy_pos(m, d)
        energy_vel(m, d)
        self._energies.append((time, float(d.energy[1]), float(d.energy[0])))

    def _moment(self, m: Model, d: Data, balance: Balance, velocity: Numbers) -> _StepTerms:
        key = self._key(balance.origin, merged_idents(m, d, balance))
        return _StepTerms(key, balance.power(velocity), balance.on(self._dofs))

    def _key(self, origin: Integers, ident: Integers) -> Integers:
        return np.asarray(origin, np.int64) * self._span + ident + 1
