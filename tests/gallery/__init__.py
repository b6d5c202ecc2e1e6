"""`make gallery`: the examples in both looks beside the reference's pictures of the same states."""
