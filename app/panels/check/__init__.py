"""What `tumble check` finds in the model that runs."""
