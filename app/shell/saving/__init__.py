"""Export and import: the model as MJCF, state and camera by the clipboard, unsaved changes."""
