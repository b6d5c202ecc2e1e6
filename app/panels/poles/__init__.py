"""The poles panel: the step linearized about the present state, its modes in the view, and a regulator from it."""
