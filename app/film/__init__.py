"""Pictures over time: recording, export, camera paths, screenshots, and the files they end in."""
