"""PGS and the no-slip pass on the dual problem."""
