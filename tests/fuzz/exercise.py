"""What every mutant goes through, in a process of its own: `python -m tests.fuzz.exercise ours|theirs|python`.

Jobs come in and results go out as lines of JSON. `ours` opens a file as its kind is opened, see kinds.py. `theirs` asks the
reference whether it takes a model, and how long that lasts.
"""

import base64
import faulthandler
import functools
import json
import logging
import os
import re
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

NOTHING_SAID = 12  # letters: a shorter message is none
# What the program says where it did not know better.
# In one of the files of a model; or, where it was made without a file, at which element.
_PLACE = re.compile(r":\d+:\d+: |, \S+:\d+:\d+|line \d+|^Error: <\w+> ")
_UNCLEAR = re.compile(r"internal error|Traceback|<(ast|zipfile|_io)\.|<class ")


def main() -> None:
    """Serve jobs until the input ends."""
    faulthandler.enable()
    logging.disable(logging.CRITICAL)
    home = tempfile.mkdtemp()
    os.environ |= {"HOME": home, "XDG_CACHE_HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
    os.chdir(home)  # the reference writes its log where it stands
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whoever prints must not garble the answers
    serve = {"ours": _ours, "theirs": _theirs, "python": _python}[sys.argv[1]]
    if sys.argv[1] == "ours":
        _compile_kernels()
    answers.write("ready\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(serve(json.loads(line))) + "\n")
        answers.flush()
    shutil.rmtree(home, ignore_errors=True)
    answers.flush()
    os._exit(0)  # without what Qt and threads do at the end


def _compile_kernels() -> None:
    """Compile, or load from the cache, every stage there is: jobs are timed, and may need any of them."""
    import tests.fuzz.kinds  # noqa: F401  # brings in all modules
    from tumble.physics.kernel import Compiled

    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith("tumble.physics.")]
    for part in {id(x): x for module in modules for x in vars(module).values() if isinstance(x, Compiled)}.values():
        part.address  # noqa: B018  # reading it compiles


def _files(job: dict[str, Any]) -> dict[str, bytes]:
    return {name: base64.b64decode(data) for name, data in job["files"].items()}


def _theirs(job: dict[str, Any]) -> dict[str, Any]:
    import mujoco

    files = _files(job)
    main = next(iter(files))
    began = time.process_time()
    try:
        if os.path.isabs(main):
            m = mujoco.MjModel.from_xml_path(str(_beside(files)))
        else:
            held = {name: data for name, data in files.items() if name != main}
            m = mujoco.MjModel.from_xml_string(files[main].decode("utf-8", "replace"), held)
    except ValueError as problem:
        return {"outcome": "rejected", "message": str(problem), "seconds": time.process_time() - began}
    loaded = time.process_time() - began
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 20)
    return {"outcome": "accepted", "seconds": loaded, "all": time.process_time() - began}


def _beside(files: dict[str, bytes]) -> Path:
    """The model of a corpus with what is changed in place, and links to all else that lies near it."""
    main = Path(next(iter(files)))
    top = main.parents[min(3, len(main.parents) - 1)]
    made = Path(tempfile.mkdtemp())
    shutil.copytree(top, made / "x", symlinks=True, copy_function=os.symlink, ignore_dangling_symlinks=True)
    for name, data in files.items():
        place = made / "x" / Path(name).relative_to(top)
        place.unlink()
        place.write_bytes(data)
    return made / "x" / main.relative_to(top)


@functools.cache
def _bundled() -> dict[str, bytes]:
    """The files of the bundled models, by their names from where those models are."""
    from tumble import resources

    folder = Path(resources.__file__).parent / "models"
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _python(job: dict[str, Any]) -> dict[str, Any]:
    """Runs a program: for tests of the harness."""
    try:
        exec(_files(job)["program"], {})
    except MemoryError as problem:
        return {"outcome": "failed", "message": repr(problem)}
    return {"outcome": "accepted"}


def _ours(job: dict[str, Any]) -> dict[str, Any]:
    """The outcome, and how long it took of the processor's time [s], and what memory it wanted on the way [MB]."""
    began, at_first = time.process_time(), _memory(reset=True)
    result = _outcome(job)
    result |= {"seconds": time.process_time() - began, "memory": max(0, _memory() - at_first)}
    return result


def _memory(reset: bool = False) -> int:
    """The most that was resident since the last reset [MB]."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) >> 10


def _outcome(job: dict[str, Any]) -> dict[str, Any]:
    from tests.fuzz.kinds import KINDS, TEXT

    kind, files = KINDS[job["kind"]], _files(job)
    if kind.name in ("model", "spec") and next(iter(files)) == TEXT:
        files |= {name: data for name, data in _bundled().items() if name not in files}
    broken: list[str] = []
    sys.unraisablehook = lambda told: broken.append(repr(told.exc_value))  # how a kernel with bounds checks says it
    folder = Path(tempfile.mkdtemp(dir=os.environ["HOME"]))
    result: dict[str, Any] = {"outcome": "accepted"}
    try:
        for name, data in files.items() if kind.name not in ("model", "published", "asset", "spec") else ():
            (folder / name).write_bytes(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened = kind.opens(files, folder, job["seed"])
            result["opened"] = opened or 0.0
    except kind.clear as problem:
        result = _refused(kind.shown, str(problem), next(iter(files)), problem)
    except BaseException as problem:  # noqa: BLE001  # reported: the parent makes it a failure
        result = _failed(problem)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if broken:
        return {"outcome": "failed", "message": f"in a kernel: {'; '.join(sorted(set(broken)))}", "at": "kernel"}
    return result


def _refused(shown: bool, message: str, file: str, problem: BaseException) -> dict[str, Any]:
    """An error that is one of the clear ones: whether it is clear depends on what it says."""
    said = message.replace(str(file), "").strip(" :")
    if isinstance(problem, MemoryError) or ("memory" in message and "does not fit in this computer" in message):
        return {"outcome": "memory", "message": message[:2000], "at": _at(problem)}
    if len(said) < NOTHING_SAID or _UNCLEAR.search(message) or (shown and not says_where(message, file)):
        return {"outcome": "unclear", "message": message[:2000], "at": _at(problem)}
    return {"outcome": "rejected", "message": message[:2000]}


def says_where(message: str, file: str) -> bool:
    """Whether a message names the file, or a place or an element in it."""
    return os.path.basename(file) in message or _PLACE.search(message) is not None


def _failed(problem: BaseException) -> dict[str, Any]:
    outcome = "memory" if isinstance(problem, MemoryError) else "failed"
    told = "".join(traceback.format_exception(problem))[-4000:]
    return {"outcome": outcome, "message": repr(problem)[:2000], "at": _at(problem), "trace": told}


def _at(problem: BaseException) -> str:
    """Where an exception was raised: what tells one fault from another."""
    while problem.__cause__ is not None:
        problem = problem.__cause__
    frames, said = traceback.extract_tb(problem.__traceback__), " ".join(getattr(problem, "__notes__", ()))
    root = str(Path(__file__).parents[2])
    own = [frame for frame in frames if frame.filename.startswith(root) and "/.venv/" not in frame.filename] or list(frames)
    return f"{type(problem).__name__} in {Path(own[-1].filename).name}:{own[-1].name} {said}".rstrip() if own else repr(problem)


if __name__ == "__main__":
    main()
