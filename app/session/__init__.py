"""The open model: loading, reloading, history and selection."""
