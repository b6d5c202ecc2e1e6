"""Runs scripts one after the other in one process, each as the main program; prints a JSON object: what each has printed."""

import contextlib
import io
import json
import runpy
import sys
from pathlib import Path

said = {}
for name in tuple(sys.argv[1:]):
    sys.argv = [name]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path(name, run_name="__main__")
    said[Path(name).stem] = json.loads(out.getvalue())
import mujoco  # noqa: E402  # the scripts say which one it is only by their imports

said["engine"] = str(mujoco.__file__)
print(json.dumps(said))  # noqa: T201
