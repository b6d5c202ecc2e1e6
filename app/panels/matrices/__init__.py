"""The matrices panel: inertia, Jacobians and what follows from them, as pictures."""
