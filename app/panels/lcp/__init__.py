"""Hard contacts as a complementarity problem: its splittings, what is predicted of them, and how they do."""
