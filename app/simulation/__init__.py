"""The simulation thread: commands in, snapshots out, and what looks at or acts on each step."""
