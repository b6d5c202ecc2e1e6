"""Newton and conjugate gradients on the primal problem."""
