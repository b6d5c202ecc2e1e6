# Two commands: `make run` opens the window, `make test` runs the tests. Each is complete on a fresh Debian or Ubuntu.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MODEL ?=

.PHONY: run test check kernels bench fuzz clean

run: $(VENV)/ready
	$(BIN)/python -m app $(if $(MODEL),"$(MODEL)")

test: $(VENV)/ready-dev
	$(BIN)/python -m pytest

check: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python packaging/kernels.py --check

# The library of compiled kernels, which is committed: to be built again when a kernel has changed.
kernels: $(VENV)/ready
	$(BIN)/python packaging/kernels.py

bench: $(VENV)/ready-dev
	$(BIN)/python -m tests.benchmarks

fuzz: $(VENV)/ready-dev
	$(BIN)/python -m pytest -m fuzz tests

$(VENV)/ready: requirements.txt packaging/system-packages.sh
	sh packaging/system-packages.sh
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/ready-dev: $(VENV)/ready requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
