"""Compiled stages of a model under its current options, and their addresses in its stage table."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from tumble.physics.callback.colliders import ADDRESSES
from tumble.physics.callback.table import PLACES, VERSION
from tumble.physics.collision.dispatch import bind_collision, prepare_collision, unsupported_pairs
from tumble.physics.collision.driver import collision
from tumble.physics.collision.sdf.bind import bind_plugins
from tumble.physics.constraint.assemble import make_constraint, reference_constraint
from tumble.physics.constraint.equality import make_equality
from tumble.physics.dynamics.actuator.actuation import acceleration, actuation, delayed_ctrl
from tumble.physics.dynamics.actuator.linkage import transmission_stage
from tumble.physics.dynamics.actuator.transmission import transmission_vel
from tumble.physics.dynamics.cable import cable, has_cables
from tumble.physics.dynamics.camlight import camlight
from tumble.physics.dynamics.com import com_pos, com_vel
from tumble.physics.dynamics.crb import factor_m, make_m
from tumble.physics.dynamics.derivative.fluid import fluid_derivative
from tumble.physics.dynamics.derivative.rne import rne_derivative
from tumble.physics.dynamics.derivative.smooth import smooth_derivative
from tumble.physics.dynamics.energy import energy_pos, energy_vel
from tumble.physics.dynamics.fluid.medium import fluid
from tumble.physics.dynamics.kinematics import kinematics
from tumble.physics.dynamics.passive import passive
from tumble.physics.dynamics.rne import rne_bias
from tumble.physics.dynamics.tendon.bias import tendon_bias
from tumble.physics.dynamics.tendon.path import has_moving_armature, tendon_stage
from tumble.physics.errors import ModelError
from tumble.physics.island.discover import discover
from tumble.physics.kernel import Compiled, Stage
from tumble.physics.kernel.prepare import Told, load
from tumble.physics.parallel.pool import POOL
from tumble.physics.parallel.share import work
from tumble.physics.sensor.acceleration import sensor_acc
from tumble.physics.sensor.components import unsupported_sensors
from tumble.physics.sensor.contact_sensor import sensor_contacts
from tumble.physics.sensor.delayed import exchange_readings, late_readings
from tumble.physics.sensor.geometry import sensor_shapes
from tumble.physics.sensor.kinds import has_sensors_by
from tumble.physics.sensor.position import sensor_pos
from tumble.physics.sensor.tactile import sensor_taxels
from tumble.physics.sensor.touch_grid import sensor_grids
from tumble.physics.sensor.user import user_stages
from tumble.physics.sensor.velocity import sensor_vel
from tumble.physics.sleep.wake import rouse, wake_coupled, wake_touched
from tumble.physics.solver.dual.noslip import noslip
from tumble.physics.solver.dual.pgs import pgs
from tumble.physics.solver.dual.project import project_constraint
from tumble.physics.solver.lcp.rows import lcp_rows
from tumble.physics.solver.lcp.solve import compare_lcp, lcp
from tumble.physics.solver.primal.blocks import solve_blocks
from tumble.physics.solver.primal.newton import cg, newton, newton_room
from tumble.physics.state.arguments import require_kind
from tumble.physics.state.enums import mjtDisableBit, mjtEnableBit, mjtGeom, mjtIntegrator, mjtSolver
from tumble.physics.state.fields import MODEL
from tumble.physics.state.layout import MODEL_LAYOUT
from tumble.physics.state.model import Model
from tumble.physics.state.own import ContactModel
from tumble.physics.state.stages import Entry
from tumble.physics.step.forward import forward, forward_quiet
from tumble.physics.step.histories import keep_history
from tumble.physics.step.implicit import implicit, implicit_fast
from tumble.physics.step.integrate import euler, runge_kutta
from tumble.physics.step.inverse import compare_fwd_inv
from tumble.physics.step.islands import project_islands, solve_islands, solve_lane
from tumble.physics.step.simulate import simulate
from tumble.physics.step.sleep import fall_asleep, wake_touching

log = logging.getLogger(__name__)

_SOLVERS: dict[int, Stage] = {mjtSolver.mjSOL_PGS: pgs, mjtSolver.mjSOL_CG: cg, mjtSolver.mjSOL_NEWTON: newton}
_INTEGRATORS: dict[int, Stage] = {
    mjtIntegrator.mjINT_EULER: euler,
    mjtIntegrator.mjINT_RK4: runge_kutta,
    mjtIntegrator.mjINT_IMPLICIT: implicit,
    mjtIntegrator.mjINT_IMPLICITFAST: implicit_fast,
}
# The options, and the statistics that solvers read, with addresses between that stay.
_OPTIONS = slice(MODEL_LAYOUT.slot["opt_timestep"], MODEL_LAYOUT.slot["stat_extent"] + 1)
_OWN = slice(MODEL_LAYOUT.slot["tumble_contact_model"], MODEL_LAYOUT.slot["tumble_lcp_rest"] + 1)

# Flags that neither the rows depend on nor what solvers prepare of them.
_NOT_OF_ROWS = int(mjtDisableBit.mjDSBL_WARMSTART | mjtDisableBit.mjDSBL_AUTORESET | mjtDisableBit.mjDSBL_SENSOR)

# Options of which kernels take some numbers only.
_TRUSTED = [f for f in MODEL if f.shape == () and f.valid is not None]

_LCP, _RK4 = int(ContactModel.LCP), int(mjtIntegrator.mjINT_RK4)
_MOST_GAPS = 20  # lines that a model's gaps fill at most in the log


def needed(m: Model) -> dict[Entry, Compiled]:
    """The stages of the forward dynamics, by their entry in the stage table.

    Raises ModelError if an option asks for what there is not, naming what there is.
    """
    integrator, solver, hard = m.opt.integrator, m.opt.solver, is_hard(m)
    for option in _TRUSTED:  # what was set was checked; memory may have been written by other means
        option.require(getattr(m, option.name))
    disabled = m.opt.disableflags
    constrained = not disabled & mjtDisableBit.mjDSBL_CONSTRAINT
    sensing = m.nsensor > 0 and (not disabled & mjtDisableBit.mjDSBL_SENSOR or m.nhistory > 0)  # histories go on
    energy = bool(m.opt.enableflags & mjtEnableBit.mjENBL_ENERGY)
    polished = m.opt.noslip_iterations > 0 and not hard
    newtonian = solver == mjtSolver.mjSOL_NEWTON and not hard
    dual = polished or (solver == mjtSolver.mjSOL_PGS and not hard)
    implicit = integrator in (mjtIntegrator.mjINT_IMPLICIT, mjtIntegrator.mjINT_IMPLICITFAST)
    differentiated = implicit and not (hard and m.nflex)  # flexes have implicit equations of their own, without hard contacts
    medium = m.opt.density != 0.0 or m.opt.viscosity != 0.0
    sleeping = bool(m.opt.enableflags & mjtEnableBit.mjENBL_SLEEP)
    plan: dict[Entry, tuple[Compiled, bool]] = {
        Entry.WAKE_TOUCHED: (wake_touched if sleeping else rouse, True),
        Entry.KINEMATICS: (kinematics, True),
        Entry.COM_POS: (com_pos, True),
        Entry.CAMLIGHT: (camlight, m.ncam + m.nlight > 0),
        Entry.TENDON: (tendon_stage(m), m.ntendon > 0),
        Entry.WAKE_COUPLED: (wake_coupled, sleeping and m.neq + m.ntendon > 0),
        Entry.MAKE_M: (make_m, True),
        Entry.FACTOR_M: (factor_m, True),
        Entry.COLLISION: (collision, True),
        Entry.WAKE_TOUCHING: (wake_touching, sleeping),
        Entry.EQUALITY: (make_equality, m.neq > 0),
        Entry.MAKE_CONSTRAINT: (make_constraint, True),
        Entry.TRANSMISSION: (transmission_stage(m), m.nu > 0),
        Entry.SENSOR_POS: (sensor_pos, sensing),
        Entry.SENSOR_SHAPES: (sensor_shapes, sensing and has_sensors_by(m, Entry.SENSOR_SHAPES)),
        Entry.ENERGY_POS: (energy_pos, energy),
        Entry.TRANSMISSION_VEL: (transmission_vel, m.nu + m.ntendon > 0),
        Entry.COM_VEL: (com_vel, True),
        Entry.FLUID: (fluid, medium),
        Entry.PASSIVE: (passive, True),
        Entry.CABLE: (cable, has_cables(m) and not without_passive(disabled)),
        Entry.REFERENCE: (reference_constraint, constrained),
        Entry.RNE: (rne_bias, True),
        Entry.TENDON_BIAS: (tendon_bias, has_moving_armature(m)),
        Entry.SENSOR_VEL: (sensor_vel, sensing),
        Entry.ENERGY_VEL: (energy_vel, energy),
        Entry.ACTUATION: (actuation, True),
        Entry.EXCHANGE_READINGS: (exchange_readings, sensing and m.nhistory > 0),
        Entry.LATE_READINGS: (late_readings, sensing and m.nhistory > 0),
        Entry.DELAYED_CTRL: (delayed_ctrl, m.nhistory > 0 and m.nu > 0),
        Entry.KEEP_HISTORY: (keep_history, m.nhistory > 0),
        Entry.ACCELERATION: (acceleration, True),
        Entry.SOLVE: (lcp if hard else solve_islands, True),
        Entry.SOLVER: (_SOLVERS[solver], not hard),
        Entry.LANE: (solve_lane, not hard),
        Entry.ISLANDS: (discover, True),
        Entry.BLOCKS: (solve_blocks, m.sparse and newtonian),
        Entry.SENSOR_ACC: (sensor_acc, sensing),
        Entry.SENSOR_CONTACTS: (sensor_contacts, sensing and has_sensors_by(m, Entry.SENSOR_CONTACTS)),
        Entry.SENSOR_TAXELS: (sensor_taxels, sensing and has_sensors_by(m, Entry.SENSOR_TAXELS)),
        Entry.SENSOR_GRIDS: (sensor_grids, sensing and has_sensors_by(m, Entry.SENSOR_GRIDS)),
        Entry.FORWARD_INVERSE: (compare_lcp if hard else compare_fwd_inv, bool(m.opt.enableflags & mjtEnableBit.mjENBL_FWDINV)),
        Entry.INTEGRATE: (_integrator(integrator, hard, differentiated), hard or integrator in _INTEGRATORS),
        Entry.FALL: (fall_asleep, sleeping),
        Entry.PROJECT: (lcp_rows if hard else project_islands, hard or newtonian or dual),
        Entry.ROOM: (newton_room, newtonian),
        Entry.DUAL: (project_constraint, dual),
        Entry.NOSLIP: (noslip, polished),
        Entry.DERIV_SMOOTH: (smooth_derivative, differentiated),
        Entry.DERIV_FLUID: (fluid_derivative, differentiated and medium),
        Entry.DERIV_RNE: (rne_derivative, differentiated and integrator == mjtIntegrator.mjINT_IMPLICIT and not hard),
        Entry.FORWARD_QUIET: (forward_quiet, integrator == mjtIntegrator.mjINT_RK4 and not hard),
    }
    if sensing:
        plan |= {entry: (stage, True) for entry, stage in user_stages(m).items()}
    if m.nflex:
        from tumble.physics.run.soft_stages import soft_parts  # few models have flexes

        plan |= {entry: (part, True) for entry, part in soft_parts(m, differentiated).items()}
    return {entry: stage for entry, (stage, wanted) in plan.items() if wanted}


def _integrator(integrator: int, hard: bool, differentiated: bool) -> Stage:
    """The integrator's stage; with hard contacts that whose implicit terms are those of the LCP's rows."""
    if hard:
        return implicit_fast if differentiated else euler
    return _INTEGRATORS.get(integrator, euler)


def without_passive(disabled: int) -> bool:
    """True if the flags disable springs and dampers: as in the reference, that disables all passive forces."""
    both = mjtDisableBit.mjDSBL_SPRING | mjtDisableBit.mjDSBL_DAMPER
    return disabled & both == both


def is_hard(m: Model) -> bool:
    """True if the model's contacts are hard: steps are then those of the LCP, whatever the solver is."""
    return m.tumble_contact_model == _LCP


class Binding:
    """Options that a model is bound for, and the layout of rows that follows, which solvers need."""

    __slots__ = ("called", "colliders", "form", "key")

    def __init__(self, m: Model) -> None:
        """m: a latched model, whose options do not change."""
        self.key, self.called, self.colliders = _key(m), VERSION[0], dict(ADDRESSES)
        opt = m.opt
        polished = opt.noslip_iterations > 0
        self.form = (opt.cone, m.sparse, opt.solver, polished, is_hard(m), opt.disableflags & ~_NOT_OF_ROWS)

    def goes_with(self, m: Model) -> bool:
        """True if the model would be bound for the same options and colliders now."""
        return self.key == _key(m) and self.colliders == ADDRESSES


def _key(m: Model) -> bytes:
    """The options and statistics that kernels read, as they are at one moment."""
    words = m._slots
    return words[_OPTIONS].tobytes() + words[_OWN].tobytes()


def bind(m: Model) -> Binding:
    """Brings what kernels run up to date with the options, compiling what is missing; cheap when nothing has changed.

    Calls that are running go on with what they began with: what they were given is not written, another takes its place.
    """
    run = m.bound
    if run is None:
        return _bind_anew(m)
    binding: Binding = run.binding
    if binding.called == VERSION[0] and binding.goes_with(m):
        return binding
    return _bind_anew(m)


def _bind_anew(m: Model) -> Binding:
    if not m.told_of_gaps:
        m.told_of_gaps = True
        for gap in gaps(m):
            log.warning("%s", gap)
    run, made = m.bound, m.latched()
    made.collide_flags = -1  # whoever runs this model may have been writing its list of active pairs
    binding = made.binding = Binding(made)
    if run is None or not run.binding.goes_with(made):
        compiled = needed(made)
        load([*compiled.values(), *prepare_collision(made)])
        bind_collision(made)
        made.stage = [compiled[entry].address if entry in compiled else 0 for entry in Entry]
        made.pool = POOL.address if made.tumble.threads > 1 else 0
        if POOL.is_used_by(m):
            POOL.require(m, made.tumble.threads - 1)
    bind_callbacks(made)
    m.bound = made
    return binding


def bind_callbacks(m: Model) -> None:
    """Write the addresses of the callbacks that are installed into the stage table, where the options let them be called."""
    bind_plugins(m)
    disabled = m.opt.disableflags
    for place in PLACES:
        m.stage[place.entry] = place.address
    if without_passive(disabled):
        m.stage[Entry.PASSIVE_CALLBACK] = 0
    if disabled & mjtDisableBit.mjDSBL_SENSOR:
        m.stage[Entry.SENSOR_CALLBACK] = 0


def unbind(m: Model) -> None:
    """Have the next call of bind look at everything again: something else than an option has changed."""
    if m.bound is not None:
        m.bound.binding.key = b""


def require_integrator(m: Model) -> None:
    """Raise ModelError if the integrator that the options ask for does not go with sleep, naming those that do."""
    integrator = m.opt_integrator
    if integrator == _RK4 and m.opt_enableflags & mjtEnableBit.mjENBL_SLEEP and not is_hard(m):
        raise ModelError(
            "option integrator=RK4 does not go with the flag sleep: trees would have to wake within a step; take Euler, or "
            "switch sleep off"
        )


def gaps(m: Model) -> list[str]:
    """Features that the model uses and the engine lacks, one line each: nothing is omitted silently."""
    found = []
    for g1, g2 in unsupported_pairs(m):
        shapes = " and ".join(mjtGeom(m.geom_type[g]).name.rpartition("_")[2].lower() for g in (g1, g2))
        names = " and ".join(m.geom(g).name or f"number {g}" for g in (g1, g2))
        found.append(f"geoms {names} cannot collide yet: no collision of {shapes}")
    found += unsupported_sensors(m)
    if len(found) > _MOST_GAPS:
        found[_MOST_GAPS:] = [f"and {len(found) - _MOST_GAPS} more of these"]
    return found


def to_compile(m: Model) -> Iterator[Compiled]:
    """Everything that a step of this model runs, and a look at its state before."""
    yield from needed(m).values()
    yield from prepare_collision(m)
    yield simulate
    yield forward
    if m.tumble.threads > 1:
        yield work


def prepare(m: Model, told: Told | None = None) -> None:
    """Has all kernels ready that a step of this model needs; told: hears how far that is if some have to be compiled.

    Raises ArgumentError for what is no model, ModelError if an option asks for what there is not.
    """
    require_kind(m, Model, "m", "an MjModel")
    load(to_compile(m), told)
    bind(m)
