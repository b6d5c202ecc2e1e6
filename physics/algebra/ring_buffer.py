"""A ring buffer of timed samples: one stretch of `history`, which holds the past of a control or of a reading.

From its address on: a number of its user (a sensor's last time of computation), the cursor (the place of the newest sample),
the times of n samples, and their values, dim numbers each. Place p after the cursor's is the oldest: samples are counted
from the oldest, 0, to the newest, n - 1.
Sources: MuJoCo documentation, Modeling, Delays; API reference, mj_readSensor.
"""

from tumble.physics.kernel import exact, kernel
from tumble.physics.state.constants import mjMINVAL

HEAD = 2  # numbers before the times
HOLD, LINEAR = 0, 1  # orders of interpolation; all others are cubic

# Times are sums of steps: t - delay misses the sample it means by rounding, and to hold the sample before it instead would make
# the delay a whole step longer. A part of the samples' distance that is far above rounding and far below anything meant.
SAME_MOMENT = 1e-6


@kernel
def place(h, at, n, k):
    """Index of sample k among times and values; an invalid cursor counts as 0."""
    cursor = h[at + 1]
    newest = int(cursor) if 0.0 <= cursor < n else 0
    return (newest + 1 + k) % n


@kernel
def time_of(h, at, n, k):
    """The time of sample k."""
    return h[at + HEAD + place(h, at, n, k)]


@kernel
def value_of(h, at, n, dim, k):
    """The address of the values of sample k."""
    return at + HEAD + n + dim * place(h, at, n, k)


@kernel
def first_from(h, at, n, t):
    """The first sample that is not before time t; n if all are."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if time_of(h, at, n, middle) < t:
            low = middle + 1
        else:
            high = middle
    return low


@exact
def insert(h, at, n, dim, t):
    """Make room for a sample of time t, by the loss of the oldest; returns the address of its values, for the caller to write.

    A sample of the same time is replaced. One that is older than all replaces the oldest.
    """
    k = first_from(h, at, n, t)
    if k < n and abs(t - time_of(h, at, n, k)) < mjMINVAL:
        return value_of(h, at, n, dim, k)
    if k == n:
        h[at + 1] = float(place(h, at, n, 0))
        k = n - 1
    elif k > 0:
        for older in range(k - 1):
            to, source = value_of(h, at, n, dim, older), value_of(h, at, n, dim, older + 1)
            h[at + HEAD + place(h, at, n, older)] = time_of(h, at, n, older + 1)
            for j in range(dim):
                h[to + j] = h[source + j]
        k -= 1
    h[at + HEAD + place(h, at, n, k)] = t
    return value_of(h, at, n, dim, k)


@exact
def read(h, at, n, dim, t, order, out, to):
    """out[to:to + dim] <- the signal at time t, interpolated; before the oldest sample and after the newest it is constant."""
    last = n - 1
    if t <= time_of(h, at, n, 0) + mjMINVAL:
        copy_sample(h, value_of(h, at, n, dim, 0), dim, out, to)
        return
    if not t < time_of(h, at, n, last) - mjMINVAL:
        copy_sample(h, value_of(h, at, n, dim, last), dim, out, to)
        return
    k = first_from(h, at, n, t)
    begin, end = time_of(h, at, n, k - 1), time_of(h, at, n, k)
    width = end - begin
    if order == HOLD:
        held = k if end - t < max(mjMINVAL, SAME_MOMENT * width) else k - 1
        copy_sample(h, value_of(h, at, n, dim, held), dim, out, to)
        return
    x0, x1, u = value_of(h, at, n, dim, k - 1), value_of(h, at, n, dim, k), (t - begin) / width
    if order == LINEAR:
        for j in range(dim):
            out[to + j] = (1.0 - u) * h[x0 + j] + u * h[x1 + j]
        return
    # Hermite's cubic whose slope at a sample is that of the line between its neighbours, and zero at the ends of the buffer
    before, beyond = value_of(h, at, n, dim, max(k - 2, 0)), value_of(h, at, n, dim, min(k + 1, last))
    rate0 = 1.0 / (end - time_of(h, at, n, k - 2)) if k > 1 else 0.0
    rate1 = 1.0 / (time_of(h, at, n, k + 1) - begin) if k < last else 0.0
    for j in range(dim):
        slope0, slope1 = (h[x1 + j] - h[before + j]) * rate0, (h[beyond + j] - h[x0 + j]) * rate1
        out[to + j] = hermite(u, h[x0 + j], width * slope0, h[x1 + j], width * slope1)


@exact
def hermite(u, x0, slope0, x1, slope1):
    """The cubic over u = 0 to 1 with these values and slopes at its ends."""
    v = 1.0 - u
    return v * v * ((1.0 + 2.0 * u) * x0 + u * slope0) + u * u * ((1.0 + 2.0 * v) * x1 - v * slope1)


@kernel
def copy_sample(h, source, dim, out, to):
    """out[to:to + dim] <- h[source:source + dim]."""
    for j in range(dim):
        out[to + j] = h[source + j]
