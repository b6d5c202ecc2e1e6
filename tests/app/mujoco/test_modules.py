"""Modules and names of the package that programs reach under a leading underscore, or below other modules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mujoco as theirs
import numpy as np
import pytest

from tumble import mujoco
from tumble.physics.errors import ArgumentError

ROOT = Path(__file__).parents[3]
SCENE = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
</worldbody></mujoco>"""


def test_modules_with_underscores_have_the_names_of_the_namespace() -> None:
    data = mujoco.MjData(mujoco.MjModel.from_xml_string(SCENE))
    assert mujoco._enums.mjtGeom is mujoco.mjtGeom
    assert mujoco._structs.MjData is mujoco.MjData
    assert mujoco._structs.MjvScene is mujoco.MjvScene
    assert isinstance(data.contact, mujoco._structs._MjContactList)
    assert mujoco._functions.mj_step is mujoco.mj_step
    assert {name for name in dir(theirs._enums) if name.startswith("mjt")} <= set(dir(mujoco._enums))
    for module in (mujoco._structs, mujoco._functions):
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            module.nothing  # noqa: B018  # reading it raises


def test_sizes_are_those_of_the_reference() -> None:
    ours, other = (engine.MjModel.from_xml_string(SCENE) for engine in (mujoco, theirs))
    sizes = dict(zip(ours._size_fields, ours._sizes.tolist(), strict=True))
    expected = dict(zip(other._size_fields, other._sizes.tolist(), strict=True))
    memory = {"narena", "nbuffer"}  # of the reference's own
    assert {name: sizes.get(name) for name in expected.keys() - memory} == {n: v for n, v in expected.items() if n not in memory}


def test_programs_that_list_fields_find_those_of_the_reference() -> None:
    ours, other = (engine.MjModel.from_xml_string(SCENE) for engine in (mujoco, theirs))
    pairs = {"model": (ours, other), "data": (mujoco.MjData(ours), theirs.MjData(other))}
    more = {
        name: {one for one in dir(mine) if not one.startswith("_")} - set(dir(reference))
        for name, (mine, reference) in pairs.items()
    }
    assert more == {"model": {"tumble", "unlocked", "files", "notes"}, "data": set()}
    fields = {name for name in vars(theirs.MjData) if isinstance(getattr(pairs["data"][1], name), np.ndarray)}
    assert fields <= mujoco.MjData.__dict__.keys() | {"plugin", "plugin_data", "maxuse_threadstack"}


def test_contacts_and_rows_that_a_program_wants_are_zero_until_it_writes_them() -> None:
    m = mujoco.MjModel.from_xml_string(SCENE)
    d, other = mujoco.MjData(m), theirs.MjData(theirs.MjModel.from_xml_string(SCENE))
    mujoco.mj_step(m, d)
    for engine, data in ((mujoco, d), (theirs, other)):
        engine._functions._realloc_con_efc(data, ncon=300, nefc=1200, nJ=7200)
    for name in ("ncon", "nefc", "nJ"):
        assert getattr(d, name) == getattr(other, name)
    for name in ("efc_J", "efc_pos", "efc_force"):
        np.testing.assert_array_equal(getattr(d, name), np.zeros_like(getattr(other, name)))
    assert d.contact.dist.shape == (300,)
    with pytest.raises(ArgumentError, match="contact: dim is 1, 3, 4 or 6, not 0"):
        mujoco.mj_fwdConstraint(m, d)
    mujoco._functions._realloc_con_efc(d, 0, 20)
    mujoco.mj_fwdConstraint(m, d)
    mujoco.mj_step(m, d, 3)
    assert np.isfinite(d.qpos).all()
    with pytest.raises(mujoco.FatalError, match=r"the data need .* of memory"):
        mujoco._functions._realloc_con_efc(d, 10**8, 10**8)
    assert d.ncon == d.nefc == 0
    with pytest.raises(ArgumentError, match="ncon, nefc and nJ are 0 or more"):
        mujoco._functions._realloc_con_efc(d, -1, 0)


BROKEN = """
import re
from tumble.mujoco import stand_in
stand_in.install()
import mujoco
worlds = {"<geom size='x'/>": [2],
          "<geom name='a' size='1'/><geom name='a' size='1'/>": [2], "<body><joint/></body>": [2], "</body>": [2],
          "<geom size='x'/>\\n<nothing/>": [2, 3]}
for text, lines in worlds.items():
    for load in (mujoco.MjModel.from_xml_string, lambda xml: mujoco.MjSpec.from_string(xml).compile()):
        try:
            load(f"<mujoco><worldbody>\\n{text}</worldbody></mujoco>")
        except ValueError as error:
            assert [int(n) for n in re.findall(r"(?:^|, )line ([0-9]+)", str(error), re.MULTILINE)] == lines, str(error)
        else:
            raise AssertionError(text)
"""


def test_errors_in_a_model_name_the_line_as_tools_for_the_package_expect() -> None:
    done = subprocess.run([sys.executable, "-c", BROKEN], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


PROGRAM = """
from tumble.mujoco import stand_in
stand_in.install()
import mujoco
from mujoco.introspect import mjxmacro, structs
from mujoco import _enums, _functions, _structs
from mujoco.egl import egl_ext as EGL
assert mujoco.__file__.startswith({root!r}), mujoco.__file__
assert not structs.__file__.startswith({root!r} + "/tumble")
assert structs.STRUCTS["mjData"].name == "mjData"
devices = EGL.eglQueryDevicesEXT()
assert EGL.eglGetPlatformDisplayEXT(EGL.EGL_PLATFORM_DEVICE_EXT, devices[0], None) != EGL.EGL_NO_DISPLAY
try:
    import mujoco.nothing
except ImportError as error:
    print(error)
"""


def test_python_parts_of_the_package_run_on_the_namespace() -> None:
    """Those under its licence, from where it is installed; and EGL for programs with contexts of their own."""
    program = PROGRAM.format(root=str(ROOT))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "No module named 'mujoco.nothing'\n"


PARTS = """
import sys
sys.path.insert(0, {folder!r})
from tumble.mujoco import stand_in
stand_in.install()
import mujoco
from mujoco import mjx
assert mjx is mujoco.mjx is sys.modules["mujoco.mjx"]
assert mjx.part.top is mjx
assert mjx.__spec__.name == mjx.__name__ == "mujoco.mjx"
try:
    from mujoco import sysid
except ZeroDivisionError:
    assert "tumble.mujoco.sysid" not in sys.modules
"""


def test_packages_in_the_folder_of_the_package_import_themselves(tmp_path: Path) -> None:
    """As mujoco.mjx does, which imports `mujoco.mjx.warp` by that name while it is imported itself."""
    folder = tmp_path / "mujoco" / "mjx"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from mujoco.mjx import part\n")
    (folder / "part.py").write_text("import mujoco.mjx as top\n")
    (tmp_path / "mujoco" / "sysid.py").write_text("1 / 0\n")
    program = PARTS.format(folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
