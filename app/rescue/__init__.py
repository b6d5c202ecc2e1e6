"""When something goes wrong: errors in a dialog, bug reports, the last state after a crash."""
