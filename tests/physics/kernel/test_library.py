"""The library of kernels: complete, fitting its sources, enough without numba, and not needed where it is not there."""

import ctypes
import json
import lzma
import os
import subprocess
import sys

import numpy as np
import pytest

from tests.physics.reference import posed
from tumble import physics
from tumble.physics.kernel import library
from tumble.physics.kernel.digest import ROOT
from tumble.physics.kernel.function import STAGES
from tumble.physics.kernel.prepare import everything
from tumble.physics.kernel.target import TARGETS, bundled
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

HERE = bundled() or TARGETS[0]

pytestmark = pytest.mark.skipif(bundled() is None, reason="there is no library for this computer")

PROGRAM = """
import sys
from tumble import physics
model = physics.MjModel.from_xml_string('''<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 1"><freejoint/>
  <geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>''')
data = physics.MjData(model)
for _ in range(600):
    physics.mj_step(model, data)
print(data.ncon, [name for name in ("numba", "llvmlite", "scipy") if name in sys.modules])
"""


def run(program: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], env=os.environ | env, cwd=ROOT.parent, capture_output=True, text=True)


def test_library_has_every_kernel_with_current_digest():
    entries = library.contents().entries
    assert {part.key: part.digest for part in everything()} == {key: entry.digest for key, entry in entries.items()}


@pytest.mark.parametrize("name", [known.name for known in TARGETS if known.name.startswith(HERE.name.removesuffix("-v3"))])
def test_a_fresh_home_simulates_contact_without_numba_or_llvm(name, tmp_path):
    """With the libraries of older processors too, which this one runs."""
    done = run(PROGRAM, HOME=str(tmp_path), TUMBLE_CACHE=str(tmp_path / "cache"), TUMBLE_KERNELS=name)
    assert (done.stdout.strip(), done.stderr) == ("4 []", "")


def test_where_nothing_can_be_written_it_is_opened_from_memory(tmp_path):
    blocked = tmp_path / "file"
    blocked.touch()
    done = run(PROGRAM, TUMBLE_CACHE=str(blocked))
    assert done.stdout.strip() == "4 []"
    assert str(blocked) in done.stderr


def test_a_damaged_copy_in_the_cache_is_replaced(tmp_path):
    cache = tmp_path / "cache"
    assert run(PROGRAM, TUMBLE_CACHE=str(cache)).returncode == 0
    copy = next(cache.glob("kernels-*.so"))
    copy.write_bytes(copy.read_bytes()[:5000])
    done = run(PROGRAM, TUMBLE_CACHE=str(cache))
    assert done.stdout.strip() == "4 []"
    assert "damaged" in done.stderr
    assert run(PROGRAM, TUMBLE_CACHE=str(cache)).stderr == ""


def compiled(part):
    """A stage from the compiler, to be called with the addresses of a model and its data."""
    from tumble.physics.kernel.compile import object_code
    from tumble.physics.kernel.function import symbol
    from tumble.physics.kernel.load import load

    return ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(load(object_code(part), symbol(part.key)))


def test_library_and_freshly_compiled_kernels_agree_exactly():
    """One stage, both ways, on the same numbers: the same bits."""
    part = STAGES["tumble.physics.dynamics.crb:factor_m"]
    chain = "<body pos='.1 .2 .3'><joint axis='1 2 3'/><geom size='.1'/>" * 9 + "</body>" * 9
    model, data = posed(f"<mujoco><worldbody>{chain}</worldbody></mujoco>")
    expected = data.qLD.copy()
    data.qLD[:] = 0
    compiled(part)(model.address, data.address)
    assert np.array_equal(data.qLD, expected)


COMPILED = """
import hashlib, importlib, sys
from tumble.physics.kernel.compile import object_code
from tumble.physics.kernel.function import STAGES
for key in sys.argv[1:]:
    importlib.import_module(key.partition(":")[0])
    digest = hashlib.sha256(object_code(STAGES[key])).hexdigest()
print(digest)
"""


@pytest.mark.slow
def test_code_does_not_depend_on_what_was_compiled_before() -> None:
    """Otherwise nobody can verify a library by building it. `x**2` was exact if an exact function had been compiled before."""
    energy, exact = "tumble.physics.dynamics.energy:energy_pos", "tumble.physics.collision.sdf.pair:plane_sdf"
    digests = [
        subprocess.run(
            [sys.executable, "-c", COMPILED, *keys], env=os.environ | {"PYTHONHASHSEED": "0"}, cwd=ROOT.parent, check=True,
            capture_output=True, text=True,
        ).stdout
        for keys in ([energy], [exact, energy])
    ]  # fmt: skip
    assert digests[0]
    assert digests[0] == digests[1]


@pytest.mark.parametrize("damage", ["list", "library", "both missing"])
def test_what_is_damaged_is_not_used_and_said(tmp_path, monkeypatch, caplog, damage):
    for path in library.FOLDER.iterdir():
        if damage != "both missing":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    if damage == "list":
        (tmp_path / library.LIST).write_text('{"libraries": 3')
    elif damage == "library":
        (tmp_path / f"{HERE.name}{HERE.suffix}.xz").write_bytes(lzma.compress(b"something else"))
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    monkeypatch.setenv("TUMBLE_CACHE", str(tmp_path / "cache"))
    library.contents.cache_clear()
    library._opened.cache_clear()
    part = STAGES["tumble.physics.dynamics.crb:factor_m"]
    try:
        assert not library.holds(part.key, part.digest)
        assert len(caplog.messages) == (0 if damage == "both missing" else 1)
    finally:
        monkeypatch.undo()
        library.contents.cache_clear()
        library._opened.cache_clear()


def test_a_kernel_that_could_raise_or_allocate_is_refused():
    from tumble.physics.kernel.compile import object_code

    for function in (raises, allocates):
        part = physics.kernel.Stage(function)
        with pytest.raises(RuntimeError, match="neither raise nor allocate"):
            object_code(part)


def raises(m, d):
    d.qpos[0] = (1.0, 2.0)[d.ncon]


def allocates(m, d):
    x = np.zeros(d.ncon)
    d.qpos[0] = x[d.nefc]


BEFORE_THE_START = """
from tests.physics.kernel.test_library import run_compiled, takes_what_is_two_before
print(run_compiled(takes_what_is_two_before))
"""


@pytest.mark.slow
def test_kernels_do_not_wrap_negative_indices():
    assert run_compiled(takes_what_is_two_before) == 1.0  # Python would take the 3
    done = run(BEFORE_THE_START, NUMBA_BOUNDSCHECK="1")
    assert "about to leave an array" in done.stderr


def run_compiled(function) -> float:
    """The first velocity that a stage leaves in a model with the positions 1, 2, 3, 4."""
    model = Model({"nq": 4, "nv": 4})
    data = Data(model)
    data.qpos[:] = 1, 2, 3, 4
    compiled(physics.kernel.Stage(function))(model.address, data.address)
    return float(data.qvel[0])


def takes_what_is_two_before(m, d):
    d.qvel[0] = d.qpos[2:4][d.ncon - 2]


def test_the_list_says_what_each_function_costs_to_compile():
    listed = json.loads((library.FOLDER / library.LIST).read_text())["kernels"]
    assert sum(seconds for _, seconds in listed.values()) > 10
    assert library.cost("tumble.physics.solver.primal.newton:newton") > library.cost("tumble.physics.dynamics.crb:factor_m")
