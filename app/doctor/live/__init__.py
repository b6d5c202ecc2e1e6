"""Looking at a running simulation: signs in its snapshots, and its blow-ups as findings."""
