"""Types of the attributes of models and data, for mypy and editors: stub files only, there is nothing to import at run time.

All but attribute.pyi is written from the table of fields: `make docs`.
"""
