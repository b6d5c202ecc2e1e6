"""The simulation thread: commands in, snapshots out, and observers and drivers of each step."""
