"""Tries a program as it will be installed: no Python on the path, an empty home, a screen of its own (Xvfb).

    python packaging/smoke_test.py dist/tumble/tumble [--no-compiler]

The window opens its first scene, runs, steps, draws, and records a second of video (`tumble --smoke-test`); the commands
without a window are tried too. What they leave is read here, outside the program. Exits 0 if all is well.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import imageio_ffmpeg

CORNERS = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
FACES = ("1 2 4", "1 4 3", "5 7 8", "5 8 6", "1 5 6", "1 6 2", "3 4 8", "3 8 7", "1 3 7", "1 7 5", "2 6 8", "2 8 4")
BOX = CORNERS + "".join(f"f {face}\n" for face in FACES)
MODEL = """<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1"/>
<body pos="0 0 1"><freejoint/><geom type="box" size=".2 .2 .2"/></body></worldbody></mujoco>"""
PROGRAM = """
import multiprocessing, sys
import mujoco

def bodies(number):
    model = mujoco.MjModel.from_xml_path(sys.argv[1])
    return model.nbody - 1

if __name__ == "__main__":
    print(bodies(0))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(bodies, range(2)))
"""
PATIENCE = 900.0  # for each run of the program [s]


class Failure(Exception):
    """What is wrong with the program."""


@contextmanager
def screen():
    """A virtual screen; its name."""
    read, write = os.pipe()
    line = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(line, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        if not number:
            raise Failure("Xvfb does not start")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


class Trial:
    """One program, and the folder in which it is tried."""

    def __init__(self, program: Path, folder: Path, display: str) -> None:
        self.folder = folder
        self._program = program
        (folder / "home").mkdir()
        (folder / "empty").mkdir()
        self._environment = {"HOME": str(folder / "home"), "PATH": str(folder / "empty"), "DISPLAY": display, "LC_ALL": "C.UTF-8"}

    def has(self, package: str) -> bool:
        """Whether an optional package lies in the program's folder."""
        return (self._program.parent / "_internal" / package).is_dir()

    def run(self, *arguments: str) -> str:
        """Run the program; what it prints. It must end with 0 and complain about nothing."""
        began = perf_counter()
        done = subprocess.run(
            [self._program, *arguments], env=self._environment, cwd=self.folder, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        sys.stdout.write(f"  {perf_counter() - began:6.2f} s  tumble {' '.join(arguments)}\n")
        sys.stdout.flush()
        for trouble in ("Traceback", "Error", "Warning"):
            if trouble in done.stderr:
                raise Failure(f"tumble {arguments[0]} complains:\n{done.stderr}")
        if done.returncode:
            raise Failure(f"tumble {' '.join(arguments)} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout


def check_video(path: Path, least: int, most: int) -> None:
    """Raise Failure if a video cannot be played, or has another number of frames."""
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(path)
    if not least <= frames <= most:
        raise Failure(f"{path.name} has {frames} frames, {seconds} s; expected are {least} to {most}")


def check_window(trial: Trial, compiler: bool) -> None:
    """The window, with what is bundled."""
    trial.run("--smoke-test", "window")
    report = json.loads((trial.folder / "window" / "report.json").read_text())
    sys.stdout.write(f"            {json.dumps(report['seconds'])}\n")
    if not report["passed"]:
        raise Failure(report["failure"])
    if report["compiler_loaded"] and not compiler:
        raise Failure("the compiler was loaded: a kernel is missing from the library")
    lasted = report["seconds"]["recording"] - report["seconds"]["time runs"]  # a second, and more on a busy computer
    check_video(trial.folder / "window" / "recording.mp4", 30, round(30 * lasted) + 10)
    check_video(trial.folder / "window" / "export.mp4", 15, 16)


def check_commands(trial: Trial) -> None:
    """The commands that need no window."""
    (trial.folder / "box.xml").write_text(MODEL)
    if not trial.run("--version").startswith("Tumble "):
        raise Failure("--version does not say what it is")
    trial.run("check", "box.xml")
    trial.run("check", "arm")  # an example that is made of meshes
    if trial.has("coacd"):
        (trial.folder / "box.obj").write_text(BOX)
        if trial.run("decompose", "box.obj").count("<geom") != 1:
            raise Failure("a box is cut into more than one part")
    trial.run("simulate", "box.xml", "--seconds", "1", "--csv", "box.csv", "--record", "box.tumble")
    rows = len((trial.folder / "box.csv").read_text().splitlines())
    if rows < 500:
        raise Failure(f"box.csv has {rows} rows; a second has 500 steps")
    trial.run("render", "box.tumble", "-o", "box.mp4", "--seconds", "0.5", "--size", "320x240")
    check_video(trial.folder / "box.mp4", 30, 30)
    trial.run("render", "box.xml", "-o", "box.gif", "--seconds", "0.2", "--size", "160x120")
    trial.run("convert", "box.xml", "again.xml")
    (trial.folder / "program.py").write_text(PROGRAM)
    if trial.run("run", "program.py", "box.xml").splitlines() != ["1", "[1, 1]"]:
        raise Failure("a program for the package mujoco does not run, or not in processes that it starts")


def main() -> int:
    """Try the program named on the command line; 1 where something is wrong."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program", type=Path)
    options.add_argument("--no-compiler", action="store_true", help="fail where a kernel has to be compiled")
    given = options.parse_args()
    program = given.program.absolute()
    sys.stdout.write(f"{given.program}\n")
    try:
        with TemporaryDirectory(prefix="tumble-smoke-") as made, screen() as display:
            trial = Trial(program, Path(made), display)
            check_window(trial, compiler=not given.no_compiler)
            check_commands(trial)
    except (Failure, OSError, subprocess.TimeoutExpired) as error:
        sys.stderr.write(f"FAILED: {error}\n")
        return 1
    sys.stdout.write("  all is well\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
