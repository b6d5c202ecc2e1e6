"""The functions of a step that users call: mj_step, its parts one by one, and the reset."""
