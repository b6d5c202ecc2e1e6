# Two commands: `make run` opens the window, `make test` runs the tests. Each is complete on a fresh Debian or Ubuntu.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MODEL ?=
PEERS ?=
SUITES ?=
MINUTES ?= 60
SEED ?= 0
CHECKED ?=
# Processes that run tests: one more than there are cores, 8 at most (each takes up to 1 GB). WORKERS=0: all in one process.
WORKERS ?= auto
# A file's tests stay together and in order: they may share what a module's fixtures make. Files come in the order of their names,
# app first and render last: by their numbers of tests, those with a few that take long would come last, and one worker wait.
PYTEST_WORKERS := -n $(WORKERS) --maxprocesses 8 --dist loadfile --no-loadscope-reorder

# The compiled form of modules is kept, whatever the shell says: the suite starts some hundred programs, and workers read it too.
test test-shuffled slow long: export PYTHONDONTWRITEBYTECODE =

.PHONY: help run test test-shuffled slow check docs kernels bench battery peers fuzz gallery long soak package clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

run: $(VENV)/ready  ## the window; MODEL=FILE opens a model
	$(BIN)/tumble $(if $(MODEL),"$(MODEL)")

test: $(VENV)/ready-dev  ## all tests that take less than a second each; WORKERS=N processes
	$(BIN)/python -m pytest $(PYTEST_WORKERS)

# In random order, which changes no result; `--randomly-seed=...` as printed at its head repeats one.
test-shuffled: $(VENV)/ready-dev  ## the same in random order
	$(BIN)/python -m pytest $(PYTEST_WORKERS) -p randomly -v

# Tests of a second and more, and the rest of those of which there are many of a kind.
slow: $(VENV)/ready-dev  ## the longer tests
	$(BIN)/python -m pytest $(PYTEST_WORKERS) -m "slow and not fuzz"

check: $(VENV)/ready-dev  ## style, types, layers, workflows, and whether what is built from sources fits them
	$(BIN)/ruff check .
	for system in linux win32 darwin; do $(BIN)/mypy --platform $$system --cache-dir .mypy_cache/$$system || exit 1; done
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --quiet --no-progress --strict-collection .github
	$(BIN)/python packaging/kernels.py --check
	$(BIN)/python packaging/mjcf_reference.py --check
	$(BIN)/python packaging/typed_fields.py --check
	$(BIN)/python packaging/public_names.py --check
	$(BIN)/python packaging/api_reference.py --check

# The page that says of each element and attribute of MJCF what becomes of it, the grammar of MJCF for editors, the types of the
# fields of models and data, the public names for type checkers, and the page that says of each function of the reference where it is.
docs: $(VENV)/ready  ## pages and types that are written from the tables
	$(BIN)/python packaging/mjcf_reference.py
	$(BIN)/python packaging/typed_fields.py
	$(BIN)/python packaging/public_names.py
	$(BIN)/python packaging/api_reference.py

# The library of compiled kernels, which is committed: to be built again when a kernel has changed.
kernels: $(VENV)/ready-package  ## the libraries of compiled kernels, for all machines
	$(BIN)/python packaging/kernels.py

bench: $(VENV)/ready-dev  ## measurements beside the reference
	$(BIN)/python -m tests.benchmarks

# Generated pairs of shapes in both engines, and who is right where they differ. BATTERY_NUMBER and BATTERY_SEED: how many, and which.
battery: $(VENV)/ready-dev  ## pairs of shapes in both engines
	$(BIN)/python -m tests.battery
	$(BIN)/python -m tests.battery.hfield

# Tests that packages bring, with the reference and with this engine. PEERS: folders of packages, with colons between them, besides
# those that are installed; SUITES: which suites, `bindings mjcf -v`.
peers: $(VENV)/ready-dev  ## the tests of programs for the reference, with both engines; PEERS=FOLDERS, SUITES=...
	$(BIN)/python -m tests.peers --packages "$(PEERS)" $(SUITES)

# Mutants of every kind of file, on all cores; what goes wrong is kept in tests/fuzz/cases. MINUTES, SEED: how long, and which;
# CHECKED=1: with kernels that check every index, which are compiled first.
# FUZZ_CORPORA: folders of published models, besides those of installed packages.
fuzz: $(VENV)/ready-dev  ## damaged files of every kind; MINUTES, SEED, CHECKED
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --seed $(SEED) $(if $(CHECKED),--checked)

# The examples in both looks beside the reference's pictures of the same states, in build/gallery.
gallery: $(VENV)/ready-dev  ## pictures of the examples beside the reference's
	$(BIN)/python -m tests.gallery build/gallery

# Long and randomized tests.
long: $(VENV)/ready-dev  ## long and randomized tests
	$(BIN)/python -m pytest -m fuzz tests

# The real window, played at random for so many hours; fails if memory or anything else grew. CORPUS: folders of models besides
# the examples; SCENE=busy: soft bodies, four views and a controller; SOAK: further options, as `--seed 17 --only "use panel" docks`.
HOURS ?= 8
CORPUS ?=
SCENE ?= plain
SOAK ?=
soak: $(VENV)/ready-dev  ## the window played at random; HOURS, SCENE, CORPUS, SOAK
	$(BIN)/python -m tests.soak --hours $(HOURS) --scene $(SCENE) $(if $(CORPUS),--corpus $(CORPUS)) $(SOAK)

# Leaves in dist/: the wheel, the program as a folder, its Debian package, and an AppImage where the tool for it is installed.
package: $(VENV)/ready-package build/ffmpeg/ffmpeg  ## wheel, frozen program, Debian package
	rm -rf build/lib dist/tumble-*.whl
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(BIN)/twine check --strict dist/tumble-*.whl
	$(BIN)/check-wheel-contents --toplevel tumble dist/tumble-*.whl
	$(BIN)/pyinstaller --noconfirm --log-level WARN --distpath dist --workpath build/pyinstaller packaging/tumble.spec
	$(BIN)/python packaging/smoke_test.py dist/tumble/tumble --no-compiler
	$(BIN)/python packaging/build_deb.py
	sh packaging/appimage.sh

build/ffmpeg/ffmpeg: packaging/small_ffmpeg.sh
	sh packaging/small_ffmpeg.sh build/ffmpeg

$(VENV)/ready: requirements.txt pyproject.toml packaging/system-packages.sh
	sh packaging/system-packages.sh
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --config-settings editable_mode=compat --editable .
	touch $@

$(VENV)/ready-dev: $(VENV)/ready requirements-dev.txt
	sh packaging/system-packages.sh build
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

$(VENV)/ready-package: $(VENV)/ready requirements-package.txt
	sh packaging/system-packages.sh build
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-package.txt
	touch $@

clean:  ## remove what was built
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
