"""Stiffness, damping and impedance of a constraint row, from solref and solimp.

A row asks for the acceleration aref = -B v - K d(r) r of a mass-normalized spring and damper, and gets a
share d(r) of it, the impedance; the regularizer R = (1 - d) / d * diagApprox makes the solver give that share.
Source: MuJoCo documentation, Modeling, Solver parameters; Computation, Parameters.
"""

from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMAXIMP, mjMINIMP, mjMINVAL
from tumble.physics.state.enums import mjtDisableBit

NO_REFSAFE = int(mjtDisableBit.mjDSBL_REFSAFE)
DEFAULT_REF = (0.02, 1.0)


@kernel
def valid_ref(first, second, least, fallback):
    """The two numbers of a solref, made safe; `fallback` replaces a pair that mixes the two forms.

    Two positive numbers are time constant [s], which is raised to `least` [s], and damping ratio [1]; two that are not are
    -stiffness [1/s^2] and -damping [1/s].
    """
    if (first > 0.0) != (second > 0.0):
        first, second = fallback
    if first > 0.0:
        first = max(first, least)
    return first, second


@kernel
def least_time(timestep, disableflags):
    """The shortest time constant [s] that a solref may ask for: a spring faster than two steps cannot be integrated."""
    return 0.0 if disableflags & NO_REFSAFE else 2.0 * timestep


@kernel
def load_ref(m, a, i, fallback):
    """Row i of a solref array, made safe: see valid_ref."""
    return valid_ref(a[i, 0], a[i, 1], least_time(m.opt_timestep, m.opt_disableflags), fallback)


@kernel
def clip_impedance(x):
    """x within the impedances that the solver can handle."""
    return min(max(x, mjMINIMP), mjMAXIMP)


@kernel
def valid_imp(low, high, width, middle, power):
    """The five numbers of a solimp, made valid: d0, dwidth [1], width [m or rad], midpoint, power [1]."""
    return clip_impedance(low), clip_impedance(high), max(width, 0.0), clip_impedance(middle), max(power, 1.0)


@kernel
def load_imp(a, i):
    """Row i of a solimp array, made valid: see valid_imp."""
    return valid_imp(a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4])


@kernel
def impedance(solimp, pos):
    """Constraint impedance d(r): a sigmoid from d0 at r = 0 to dwidth at |r| = width.

    solimp: five valid numbers (load_imp); pos: distance from the margin [m or rad].
    Returns the impedance [1] and its slope [1/m or 1/rad].
    """
    low, high, width, middle, power = solimp
    if low == high or width <= mjMINVAL:
        return 0.5 * (low + high), 0.0
    x = abs(pos) / width
    if x >= 1.0:
        return high, 0.0
    if x == 0.0:
        return low, 0.0
    # Two power laws, y = a x^p below the midpoint and y = 1 - b (1 - x)^p above it, meet there with equal slope.
    if power == 1.0:
        y, slope = x, 1.0
    elif x <= middle:
        ratio = (x / middle) ** (power - 1.0) if power != 2.0 else x / middle
        y, slope = x * ratio, power * ratio
    else:
        ratio = ((1.0 - x) / (1.0 - middle)) ** (power - 1.0) if power != 2.0 else (1.0 - x) / (1.0 - middle)
        y, slope = 1.0 - (1.0 - x) * ratio, power * ratio
    slope *= (high - low) / width
    return low + y * (high - low), slope if pos > 0.0 else -slope


@kernel
def stiffness(solref, high):
    """K [1/s^2] of a valid solref, where the impedance far from the surface is `high`."""
    first, second = solref
    if first > 0.0:
        return 1.0 / max(mjMINVAL, high * high * first * first * second * second)
    return -first / max(mjMINVAL, high * high)


@kernel
def damping(solref, high):
    """B [1/s] of a valid solref."""
    first, second = solref
    if second > 0.0:
        return 2.0 / max(mjMINVAL, high * first)
    return -second / max(mjMINVAL, high)


@kernel
def regularizer(imp, invweight):
    """R [1/kg or 1/(kg m^2)], with which the solver gives a row the share `imp`; invweight: its inverse inertia, in that unit."""
    return max(mjMINVAL, (1.0 - imp) * invweight / imp)


@kernel
def reference_acceleration(k, b, imp, vel, pos):
    """aref [m/s^2 or rad/s^2] that a row asks for at a velocity and a distance from its margin."""
    return -b * vel - k * imp * pos
