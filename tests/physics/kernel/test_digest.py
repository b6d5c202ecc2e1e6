"""The digest of a kernel's sources: another right after any edit of what it calls, the same after any other."""

import os

import pytest

from tumble.physics.kernel import digest


@pytest.fixture
def fresh_digests():
    digest.forget()
    yield
    digest.forget()


def test_an_edit_of_a_callee_in_another_file_rebuilds_exactly_its_callers(monkeypatch, fresh_digests):
    modules = ("tumble.physics.dynamics.crb", "tumble.physics.dynamics.actuator.actuation", "tumble.physics.dynamics.kinematics")
    before = {name: digest.digest(name) for name in modules}
    read = digest.read

    def edited(module: str) -> tuple[bytes, tuple[str, ...]]:
        source, imports = read(module)
        return (source + b"# edited" if module == "tumble.physics.algebra.sparse" else source), imports

    digest.forget()
    monkeypatch.setattr(digest, "read", edited)
    after = {name: digest.digest(name) for name in modules}
    monkeypatch.undo()
    changed = {name for name in modules if before[name] != after[name]}
    assert changed == set(modules[:2])  # kinematics uses no sparse matrix


def test_digest_follows_imports_written_in_every_way(fresh_digests):
    assert "tumble.physics.algebra.sparse" in digest.read("tumble.physics.dynamics.crb")[1]
    assert "tumble.physics.state.stages" in digest.read("tumble.physics.step.forward")[1]  # an import list in parentheses


def test_a_system_that_ignores_case_finds_the_same_modules(fresh_digests, monkeypatch):
    """There a class Model in an import list is no module model."""

    def ignoring_case(path: str) -> bool:
        folder, name = os.path.split(path)
        return os.path.isdir(folder) and name.lower() in map(str.lower, os.listdir(folder))

    before = digest.digest("tumble.physics.step.forward")
    digest.forget()
    monkeypatch.setattr(os.path, "isfile", ignoring_case)
    assert digest.digest("tumble.physics.step.forward") == before


def test_how_kernels_are_looked_for_changes_no_digest_and_how_they_are_compiled_changes_all(fresh_digests):
    assert not any(name.startswith("tumble.physics.kernel") for name in digest.read("tumble.physics.dynamics.crb")[1])
    assert {"tumble.physics.kernel.compile", "tumble.physics.state.view"} <= set(digest.MAKERS)
