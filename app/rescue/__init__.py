"""Error handling: errors in a dialog, bug reports, the last state after a crash."""
