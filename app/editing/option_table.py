"""All options of a model by section: captions, units, valid ranges, and bits of the flags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble import physics
from tumble.app.describe.integrators import NAMES as INTEGRATORS
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.parameters import LARGEST, Parameter, Part
from tumble.physics import ContactModel, Splitting, mjtCone, mjtSolver
from tumble.physics.state.constants import mjMAXTHREAD

if TYPE_CHECKING:
    from tumble.physics import SolveSettings

MOST = 2**31 - 1


class Choice(Struct, frozen=True):
    """An option with a name for each of its values, and a tip where that does not tell enough."""

    attribute: str
    place: EditPlace
    values: tuple[tuple[int, str], ...]
    tip: str
    tips: tuple[str, ...] = ()


class Flag(Struct, frozen=True):
    """A bit of an option. disables: it is set where the feature is off, as MuJoCo keeps what is on by default."""

    name: str
    place: EditPlace
    bit: int
    disables: bool
    tip: str

    def is_on(self, bits: float) -> bool:
        """True if the feature is on."""
        return bool(int(bits) & self.bit) != self.disables

    def switched(self, bits: float, on: bool) -> float:
        """The bits with the feature on or off."""
        return float(int(bits) | self.bit if on != self.disables else int(bits) & ~self.bit)


class Section(Struct, frozen=True):
    """Options that belong together."""

    title: str
    rows: tuple[Parameter | Choice, ...] = ()
    flags: tuple[Flag, ...] = ()


def _number(
    attribute: str, tip: str, unit: str = "", low: float = 0.0, high: float = LARGEST, owner: str = "opt", *, whole: bool = False
) -> Parameter:
    return Parameter(attribute, f"{owner}.{attribute}", (Part(attribute, unit, low, high),), tip, (), whole)


def _vector(attribute: str, unit: str, tip: str) -> Parameter:
    return Parameter(attribute, f"opt.{attribute}", tuple(Part(axis, unit) for axis in "xyz"), tip)


def _flags(enum: type, prefix: str, field: str, tips: dict[str, str], *, disables: bool) -> tuple[Flag, ...]:
    return tuple(
        Flag(name.lower(), EditPlace(field), int(enum[prefix + name]), disables, tip)  # type: ignore[index]
        for name, tip in tips.items()
    )


ON = {
    "CONSTRAINT": "All constraints: equality, friction loss, limits and contacts",
    "EQUALITY": "Equality constraints",
    "FRICTIONLOSS": "Dry friction of joints and tendons",
    "LIMIT": "Limits of joints and tendons",
    "CONTACT": "Contacts: without them nothing collides",
    "SPRING": "Springs of joints and tendons",
    "DAMPER": "Dampers of joints and tendons",
    "GRAVITY": "Gravity",
    "CLAMPCTRL": "Controls are clamped to their ranges",
    "WARMSTART": "The solver starts from the previous acceleration",
    "FILTERPARENT": "A body does not collide with its parent",
    "ACTUATION": "Actuators",
    "REFSAFE": "Time constants of solref are at least two time steps",
    "SENSOR": "Sensors",
    "EULERDAMP": "Damping is implicit in the Euler integrator",
    "AUTORESET": "The state is reset when it blows up",
    "NATIVECCD": "Penetration depth of convex shapes by GJK and EPA; off: by MPR, for which older files were tuned",
    "ISLAND": "Each island of trees that touch is solved separately",
}
OFF = {
    "OVERRIDE": "Every contact has the parameters of the override",
    "ENERGY": "Potential and kinetic energy are computed",
    "FWDINV": "Forward and inverse dynamics are compared",
    "INVDISCRETE": "Inverse dynamics are those of discrete time steps",
    "MULTICCD": "Several points of contact where faces, edges and ends of convex shapes meet",
    "SLEEP": "Trees at rest are skipped until something touches them; not with Runge-Kutta",
}

SPLITTING_TIPS = {
    Splitting.JACOBI: "All rows at once. Whole steps overshoot where several contacts resist one motion, and would not converge: "
    "each sweep takes the relaxation, at most 1, with which the cost falls most",
    Splitting.GAUSS_SEIDEL: "One row after the other: converges for every positive definite A where bounds stand",
    Splitting.SOR: "Gauss-Seidel whose updates are stretched by lcp_omega: converges below 2, not from 2 on",
    Splitting.CONJUGATE: "Gauss-Seidel with steps along conjugate directions between the sweeps: fastest for stacks",
}
TIMESTEP = _number("timestep", "Simulated time that one step takes", "s", 1e-7, 1.0)
SECTIONS = (
    Section("Step", (
        TIMESTEP,
        Choice("integrator", EditPlace("opt.integrator"), tuple((int(kind), name) for kind, name in INTEGRATORS.items()),
               "How a step is integrated: the implicit ones take damping of joints, tendons and actuators at the step's end"),
    )),
    Section("World", (
        _vector("gravity", "m/s²", "Gravitational acceleration"),
        _vector("wind", "m/s", "Velocity of the medium"),
        _vector("magnetic", "T", "Magnetic field, for magnetometers"),
        _number("density", "Density of the medium: drag that grows with the square of speed", "kg/m³"),
        _number("viscosity", "Viscosity of the medium: drag in proportion to speed", "Pa s"),
    )),
    Section("Solver", (
        Choice("contacts", EditPlace("tumble.contact_model"), (
            (int(ContactModel.SOFT), "soft, convex"), (int(ContactModel.LCP), "hard, LCP"),
        ), "What a constraint force is: the minimizer of a convex cost, or the solution of a complementarity problem"),
        Choice("solver", EditPlace("opt.solver"), (
            (int(mjtSolver.mjSOL_NEWTON), "Newton"), (int(mjtSolver.mjSOL_CG), "CG"), (int(mjtSolver.mjSOL_PGS), "PGS"),
        ), "Which algorithm finds the forces of soft contacts"),
        Choice("cone", EditPlace("opt.cone"), (
            (int(mjtCone.mjCONE_PYRAMIDAL), "pyramidal"), (int(mjtCone.mjCONE_ELLIPTIC), "elliptic"),
        ), "Shape of the friction cones"),
        Choice("jacobian", EditPlace("opt.jacobian"), (
            (int(physics.mjtJacobian.mjJAC_AUTO), "auto"), (int(physics.mjtJacobian.mjJAC_DENSE), "dense"),
            (int(physics.mjtJacobian.mjJAC_SPARSE), "sparse"),
        ), "How the constraint Jacobian is stored"),
        _number("iterations", "Maximum iterations of the solver in a step", "", 1, MOST, whole=True),
        _number("tolerance", "The solver stops when it improves by less"),
        _number("ls_iterations", "Maximum iterations of a line search", "", 1, MOST, whole=True),
        _number("ls_tolerance", "The line search stops when the slope has fallen to this fraction"),
        _number("impratio", "Ratio of friction impedance to normal impedance: the larger, the less contacts creep", "", 1e-9),
        _number("noslip_iterations", "Maximum iterations of the noslip pass, which removes creep", "", 0, MOST, whole=True),
        _number("noslip_tolerance", "The noslip pass stops when it improves by less"),
        _number("threads", "Threads that solve islands", "", 1, mjMAXTHREAD, "tumble", whole=True),
    )),
    Section("Hard contacts (LCP)", (
        Choice("method", EditPlace("tumble.lcp_method"), tuple((int(k), k.name.replace("_", "-").lower()) for k in Splitting),
               "How the matrix is split; Window, Hard contacts compares all splittings at the present state",
               tuple(SPLITTING_TIPS[kind] for kind in Splitting)),
        Choice("block", EditPlace("tumble.lcp_block"), ((1, "3x3 blocks"), (0, "row by row")),
               "Whether a contact's normal and tangents are solved together"),
        _number("lcp_omega", "Relaxation of SOR, which converges below 2; Jacobi chooses its own in each sweep", "", 0.01, 1.99,
                "tumble"),
        _number("lcp_sweeps", "Maximum sweeps over all rows in a step", "", 0, MOST, "tumble", whole=True),
        _number("lcp_tolerance", "Sweeps end when the residual is below this", "m/s", 0, LARGEST, "tumble"),
        _number("lcp_stabilization", "Share of a penetration that a step corrects", "", 0, 1, "tumble"),
        _number("lcp_slop", "Penetration that is not corrected", "m", 0, LARGEST, "tumble"),
        _number("lcp_speed", "Fastest correction of a penetration", "m/s", 0, LARGEST, "tumble"),
        _number("lcp_restitution", "Speed of separation over that of approach", "", 0, 1, "tumble"),
        _number("lcp_rest", "Slower approaches do not bounce", "m/s", 0, LARGEST, "tumble"),
    )),
    Section("Collision and sleep", (
        _number("ccd_iterations", "Maximum iterations of convex collision", "", 1, MOST, whole=True),
        _number("ccd_tolerance", "Precision of convex collision", "m"),
        _number("sdf_initpoints", "Points from which the search in signed distance fields starts", "", 0, MOST, whole=True),
        _number("sdf_iterations", "Maximum steps of each of these searches", "", 0, MOST, whole=True),
        _number("sleep_tolerance", "Trees slower than this may fall asleep", "m/s"),
    )),
    Section("On by default", (), _flags(physics.mjtDisableBit, "mjDSBL_", "opt.disableflags", ON, disables=True)),
    Section("Off by default", (), _flags(physics.mjtEnableBit, "mjENBL_", "opt.enableflags", OFF, disables=False)),
)  # fmt: skip


def place_of(row: Parameter | Choice) -> EditPlace:
    """The place of a row's numbers."""
    return row.place if isinstance(row, Choice) else EditPlace(row.field)


def places() -> Iterator[EditPlace]:
    """Every place in the sections, once."""
    seen: dict[EditPlace, None] = {}
    for section in SECTIONS:
        seen.update((place_of(row), None) for row in section.rows)
        seen.update((flag.place, None) for flag in section.flags)
    yield from seen


# ---- solvers and friction cones as other panels offer them, each with the settings that choose it

SOLVERS: dict[str, SolveSettings] = {
    "Newton": {"solver": mjtSolver.mjSOL_NEWTON, "contact_model": ContactModel.SOFT},
    "CG": {"solver": mjtSolver.mjSOL_CG, "contact_model": ContactModel.SOFT},
    "PGS": {"solver": mjtSolver.mjSOL_PGS, "contact_model": ContactModel.SOFT},
    "LCP Jacobi": {"contact_model": ContactModel.LCP, "lcp_method": Splitting.JACOBI},
    "LCP Gauss-Seidel": {"contact_model": ContactModel.LCP, "lcp_method": Splitting.GAUSS_SEIDEL},
    "LCP SOR": {"contact_model": ContactModel.LCP, "lcp_method": Splitting.SOR},
    "LCP conjugate": {"contact_model": ContactModel.LCP, "lcp_method": Splitting.CONJUGATE},
}
CONES: dict[str, SolveSettings] = {
    "cone as it is": {},
    "pyramidal cone": {"cone": mjtCone.mjCONE_PYRAMIDAL},
    "elliptic cone": {"cone": mjtCone.mjCONE_ELLIPTIC},
}
