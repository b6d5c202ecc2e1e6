"""Pictures over time: cameras, frames at exact times, and the files they end in."""
