"""Rules of a run: its contacts, solver, sleep and energy."""
