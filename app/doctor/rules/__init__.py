"""One rule a module; `doctor/table.py` lists them, and docs/doctor.md is written from them."""
