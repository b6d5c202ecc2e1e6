"""Hard contacts of one moment as a linear complementarity problem: its matrix, its splittings, and how their sweeps converge."""
