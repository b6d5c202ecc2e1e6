"""The one table of fields, and the structs, arrays and enumerations of model and data made from it."""
