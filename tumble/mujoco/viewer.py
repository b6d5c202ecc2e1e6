"""`mujoco.viewer`: the Tumble window, opened by a script.

`launch_passive` shows a simulation that the script makes; `launch` lets the window make it, and returns when it is closed. The
window is a process of its own, so it never blocks the script, and needs no special Python on any system.

  python -m tumble.mujoco.viewer --mjcf=model.xml
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tumble import ROOT, command_line
from tumble.app.viewer.connection import WindowError
from tumble.app.viewer.handle import KeyCallback, ViewerHandle, run_here, run_there
from tumble.physics import MjData, MjModel
from tumble.physics.callback import colliders, table

__all__ = ["Handle", "KeyCallbackType", "LoaderType", "WindowError", "launch", "launch_from_path", "launch_passive"]

Handle = ViewerHandle
KeyCallbackType = KeyCallback
LoaderType = Callable[[], tuple[MjModel, MjData]]


def launch_passive(
    model: MjModel,
    data: MjData,
    *,
    key_callback: KeyCallback | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> Handle:
    """Open a window that shows a simulation which the calling script makes, and return its handle.

    key_callback: called in another thread with the number of each key (as GLFW has it) that is pressed in the view; Space is
    the script's alone then. show_left_ui, show_right_ui: whether the panels of a side are open at first.
    Raises ValueError for other arguments, and WindowError if no window can be opened.
    """
    if not isinstance(model, MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    return Handle(model, data, key_callback, show_left_ui=show_left_ui, show_right_ui=show_right_ui)


def launch(
    model: MjModel | None = None,
    data: MjData | None = None,
    *,
    loader: LoaderType | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> None:
    """Open a window that runs a model, and return when it is closed; model and data have then what they had in the window.

    model, data: what to run, without data from the model's beginning; loader: called for both, in their place; nothing: the
    window opens as by itself. With callbacks installed (set_mjcb_control and its like) the steps are taken in this process, so
    that they are called.
    Raises ValueError for arguments that exclude each other, and WindowError if no window can be opened.
    """
    if model is not None and loader is not None:
        raise ValueError("model and loader are both specified")
    if model is None and data is not None:
        raise ValueError("mjData is specified but mjModel is not")
    if loader is not None:
        model, data = loader()
    if model is None:
        _open_alone()
        return
    if not isinstance(model, MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if data is None:
        data = MjData(model)
    called = any(place.installed is not None for place in table.PLACES) or bool(colliders.ADDRESSES)
    run = run_here if called else run_there
    run(model, data, loader, show_left_ui=show_left_ui, show_right_ui=show_right_ui)


def launch_from_path(path: str) -> None:
    """Open a window that runs the model of a file, and return when it is closed. Raises WindowError if it cannot be opened."""
    _open_alone(str(Path(path).absolute()))


def _open_alone(*arguments: str) -> None:
    """Run a window that has nothing to do with this process, until it is closed."""
    done = subprocess.run(command_line(*arguments), cwd=ROOT, check=False)
    if done.returncode != 0:
        raise WindowError(
            f"the window did not open, or the model did not load: exit code {done.returncode}, see the message above"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m mujoco.viewer", description="Open a model in a window.")
    parser.add_argument("--mjcf", metavar="FILE", default="", help="model file to open; without one, that which was open last")
    options = parser.parse_args(argv)
    try:
        if options.mjcf:
            launch_from_path(options.mjcf)
        else:
            launch()
    except WindowError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
