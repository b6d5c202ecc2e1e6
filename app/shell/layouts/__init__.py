"""Layout of panels: sides that fold to their tabs, named layouts, and room for the view."""
