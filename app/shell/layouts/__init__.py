"""Where the panels are: sides that fold to their tabs, arrangements by name, and room for the view."""
