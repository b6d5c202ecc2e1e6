"""Any numbers of model and data over time."""
