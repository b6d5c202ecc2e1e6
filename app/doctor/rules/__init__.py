"""One rule a module; `doctor/rule_table.py` lists them, and docs/doctor.md is written from them."""
