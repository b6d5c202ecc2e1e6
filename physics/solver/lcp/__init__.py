"""Hard contacts as a linear complementarity problem, solved by matrix splitting or conjugate sweeps."""
