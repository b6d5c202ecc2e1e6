"""The doctor: rules that find what is wrong with a model, its state and its run, each with evidence, cause, effect and change."""
