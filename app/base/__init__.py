"""What everything in app/ may use: files, settings, processes, work in the background."""
