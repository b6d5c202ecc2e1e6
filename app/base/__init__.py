"""What all of app/ may use: files, settings, processes, work in the background."""
