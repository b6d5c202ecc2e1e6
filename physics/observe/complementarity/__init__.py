"""Hard contacts as a linear complementarity problem at one moment: its matrix, what its splittings do to it, and how they fare."""
