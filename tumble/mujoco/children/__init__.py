"""Package that a child process of `tumble run` finds where it imports the package mujoco: this folder is on its search path."""
