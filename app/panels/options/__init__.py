"""Every option and flag of the model."""
