"""The root of an elliptic contact's Hessian."""

import math

from tumble.physics.kernel import kernel


@kernel
def root_of_cone(h, dim, g):
    """g <- lower G of h = G G', so that each column of G adds one outer product; a zero column where h is singular."""
    for j in range(dim):
        for k in range(j + 1):
            s = h[j * dim + k]
            for p in range(k):
                s -= g[j, p] * g[k, p]
            if k < j:
                g[j, k] = s / g[k, k] if g[k, k] > 0.0 else 0.0
            else:
                g[j, j] = math.sqrt(s) if s > 1e-14 * h[j * dim + j] else 0.0
