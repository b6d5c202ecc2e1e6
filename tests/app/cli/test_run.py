"""`tumble run`: a program that imports mujoco, as Python runs it, with our engine in that package's place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tumble.__main__ import main

ROOT = Path(__file__).parents[3]
PROGRAM = """
import json, multiprocessing, subprocess, sys
import helper
import mujoco

def child(number):
    return mujoco.__file__, number

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        spawned = pool.apply(child, (7,))
    started = subprocess.check_output([sys.executable, "-c", "import mujoco; print(mujoco.__file__)"], text=True).strip()
    m = mujoco.MjModel.from_xml_string(helper.XML)
    print(json.dumps({"argv": sys.argv, "path": sys.path[0], "file": __file__, "mujoco": mujoco.__file__,
                      "version": mujoco.__version__, "spawned": spawned, "started": started, "nq": m.nq}))
    sys.exit(7)
"""


def start(folder: Path, *line: str) -> subprocess.Popen[str]:
    """The command in a process of its own, which has not imported the package itself."""
    begin = f"import sys; sys.path.insert(1, {str(ROOT)!r}); from tumble.__main__ import main; sys.exit(main())"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.Popen([sys.executable, "-c", begin, "run", *line], cwd=folder, env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)  # fmt: skip


def test_run_matches_python_and_children_use_our_engine(tmp_path: Path) -> None:
    ball = "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    (tmp_path / "helper.py").write_text(f"XML = {ball!r}")
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "fails.py").write_text("import mujoco\n\ndef f():\n    return mujoco.mj_stateSize(1, 2)\n\nf()\n")
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
        packed.writestr("__main__.py", "import sys, mujoco\nprint('printed')\nraise SystemExit(sys.argv[1])")
    (tmp_path / "tool.py").write_text("import sys\nprint(__name__, sys.argv[1:], __spec__.name)\n")
    ran = [start(tmp_path, *line) for line in (
        ("program.py", "--json", "-m"), ("fails.py",), ("--json", "packed.zip", "ended so"), ("-m", "tool", "-x"),
    )]  # fmt: skip
    (output, _), (_, trace), (one, other), (tool, _) = (process.communicate(timeout=120) for process in ran)
    assert [process.returncode for process in ran] == [7, 1, 1, 0]

    ours = str(ROOT / "tumble" / "mujoco" / "__init__.py")
    assert json.loads(output) == {
        "argv": ["program.py", "--json", "-m"], "path": str(tmp_path), "file": str(tmp_path / "program.py"), "mujoco": ours,
        "version": "3.5.0", "spawned": [ours, 7], "started": ours, "nq": 7,
    }  # fmt: skip

    lines = trace.splitlines()
    assert lines[:2] == ["Traceback (most recent call last):", f'  File "{tmp_path / "fails.py"}", line 6, in <module>']
    assert str(ROOT / "tumble" / "app") not in trace
    assert json.loads(one) == {"command": "run", "exit_code": 1}
    assert other == "printed\nended so\n"
    assert tool == "__main__ ['-x'] tool\n"


def test_a_program_has_modules_of_any_name_but_tumble(tmp_path: Path) -> None:
    """Of the folders of our sources, and of what else lies there."""
    names = ("app", "physics", "render", "resources", "tests", "packaging")
    for name in names:
        (tmp_path / f"{name}.py").write_text(f"OWN = {name!r}")
    asks = "\n".join(f"import {name}; assert {name}.OWN == {name!r}" for name in names)
    draws = "m = mujoco.MjModel.from_xml_string('<mujoco/>')\nr = mujoco.Renderer(m, 8, 8)\nr.update_scene(mujoco.MjData(m))"
    (tmp_path / "program.py").write_text(f"{asks}\nimport mujoco\n{draws}\nprint(r.render().shape)")
    process = start(tmp_path, "program.py")
    assert process.communicate(timeout=120) == ("(8, 8, 3)\n", "")


@pytest.mark.parametrize(
    ("name", "says"),
    [("none.py", "none.py: no such file; tumble run takes"), ("folder", "folder: there is no __main__.py in it"),
     ("file.py/none.py", "file.py/none.py: cannot be read: Not a directory")],
)  # fmt: skip
def test_a_program_that_is_not_there_is_one_line(
    name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.py").write_text("")
    assert main(["run", name]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert captured.err.startswith(says)
