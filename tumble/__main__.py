"""The command line: `tumble [model.xml]` opens the window, `tumble render ...` and its like do without one."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from tumble import __version__
from tumble.app.base.log_relay import ENGINE, unlogged
from tumble.render.mesh import SIMPLIFY

if TYPE_CHECKING:
    from tumble.app.shell.main_window import MainWindow
    from tumble.app.viewer.following import FollowingWorker

PLAIN = (".xml", ".mjcf", ".urdf", ".toml")  # files whose suffix is right; what is in them is read once the window is shown
BAD_MODEL = 2
NO_WINDOW = 3
COMMANDS = {
    "run": "a Python program written for the package mujoco, with Tumble's engine",
    "render": "a video or a picture of a simulation or a replay",
    "simulate": "run a model; numbers to CSV, or a replay",
    "check": "what is wrong or too stiff in a model; whether a replay still runs the same",
    "bench": "how fast a model runs, by stage",
    "convert": "a model in one MJCF file, or compiled",
    "decompose": "a mesh cut into convex parts, so that hollows stay hollow in collisions",
    "compare": "how two models differ, and how far apart they run",
    "models": "which models can be opened by name",
    "remote": "control a window that is open: open, run, pause, step, set, read, take a picture",
    "sweep": "run a study: a model with many values of its parameters, and what is measured of it",
    "fit": "find the parameters of a model from measured data",
    "schema": "the grammar of MJCF, for editors that complete and check it",
}
_EPILOG = (
    "commands without a window, each with --help:\n"
    + "\n".join(f"  tumble {name:<9} {what}" for name, what in COMMANDS.items())
    + "\n\nThe name of a command is always the command; a file of that name is opened as ./name.\n"
    "exit codes: 0 the window was closed, 1 the smoke test failed, 2 the command line or the model is wrong, "
    "3 no screen or no OpenGL 3.3, or they are gone"
)


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    result = argparse.ArgumentParser(prog="tumble", description="Open an MJCF model and watch it move.",
                                     epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    result.add_argument(
        "model",
        nargs="?",
        type=Path,
        help="model file (*.xml, *.urdf), archive (*.zip, *.mjz), compiled model (*.tumble-model), replay (*.tumble), "
        "study (*.toml) or name (humanoid); "
        "without one, the model that was open last",
    )
    result.add_argument("--speed", type=_positive, default=1.0, metavar="X", help="simulated seconds per second (default 1)")
    result.add_argument("--paused", action="store_true", help="start paused")
    result.add_argument(
        "--smoke-test", type=_folder, metavar="FOLDER",
        help="test this installation: open the window, run, record a second of video into FOLDER; exit code 0: all well",
    )  # fmt: skip
    result.add_argument("--remote", action="store_true", help="let programs of yours control the window (tumble remote --help)")
    result.add_argument("--remote-file", type=Path, metavar="FILE", help="the same; where its port and token are written")
    result.add_argument("--script", metavar="ADDRESS", help=argparse.SUPPRESS)  # the viewer of a script starts it so
    result.add_argument("--version", action="version", version=f"Tumble {__version__}")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run; 0 after the window was closed, 2 for a wrong command line or a model that does not load, 3 where no window can be
    shown; else a command's code."""
    argv = sys.argv[1:] if argv is None else argv
    if argv and argv[0] == SIMPLIFY:
        from tumble.render.mesh.simplify import main as simplify

        return simplify()
    if argv[:1] != ["run"]:  # a program of the user's has all threads
        # Of NumPy's matrices, which is not imported yet: its threads wait by spinning, on the cores that the simulation has.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if argv and argv[0] in COMMANDS:
        from tumble.app.cli.main import run

        return run(argv[0], argv[1:])
    options = parser().parse_args(argv)
    terminal = logging.StreamHandler()
    terminal.setLevel(logging.WARNING)  # the log dock shows more
    logging.basicConfig(format="%(levelname)s: %(message)s", handlers=[terminal])
    logging.getLogger("tumble.app").setLevel(logging.INFO)
    # Nothing that is imported and built until the window appears is garbage, and searching for some takes a tenth of that time.
    gc.disable()
    try:
        with unlogged(*ENGINE):
            return (0 if _is_plain(options.model) else _understand(options)) or _run(options)
    finally:
        gc.enable()


def _is_plain(model: Path | None) -> bool:
    """True if there is nothing to look up before the window is shown: no model, or the file of one."""
    return model is None or (model.suffix.lower() in PLAIN and model.is_file())


def _understand(options: argparse.Namespace) -> int:
    """The file that is meant, in the options; BAD_MODEL, once said, if there is none such, else 0."""
    from tumble.app.library.lookup import meaning
    from tumble.app.session.loader import LoadError, check_path

    try:
        if options.model is not None:
            options.model = meaning(options.model)
            check_path(options.model)
    except LoadError as error:
        sys.stderr.write(f"{error}\n")
        return BAD_MODEL
    return 0


def _run(options: argparse.Namespace) -> int:
    """Show the window, and load the model in the background: the window appears first, and shows the progress of a long load."""
    from PyQt6 import sip

    from tumble.app.base.log_relay import LogRelay
    from tumble.app.base.settings import Settings
    from tumble.app.rescue import graphics
    from tumble.app.shell import application
    from tumble.app.shell.curtain import Opening, import_contents
    from tumble.app.shell.main_window import MainWindow
    from tumble.physics.base.system import keep_heap_small

    if problem := graphics.no_screen():
        sys.stderr.write(f"{problem}\n")
        return NO_WINDOW
    keep_heap_small()
    imports = import_contents()
    app = application.create(sys.argv[:1])
    if problem := graphics.no_platform():
        graphics.tell(problem)
        return NO_WINDOW
    relay = LogRelay()
    logging.getLogger().addHandler(relay)
    catcher = application.ErrorCatcher(app)
    catcher.install()
    tested: Path | None = options.smoke_test
    store = Settings() if tested is None else Settings(tested / "settings.json")  # a test leaves the user's alone
    worker = None
    if options.script is not None:
        from tumble.app.viewer.following import FollowingWorker

        worker = FollowingWorker()
    opening = Opening("" if options.model is None else options.model.name, imports)
    try:
        window = MainWindow(store, relay, worker, opening)
    except graphics.NoOpenGL as problem:
        graphics.tell(str(problem))
        return NO_WINDOW
    catcher.desk = window.safety.desk
    session = window.session
    session.set_rate(options.speed)
    session.set_paused(options.paused)
    if options.remote or options.remote_file is not None:
        window.remote.set_on(True, options.remote_file)
    window.show()
    signals = application.EndSignals(app)
    signals.asked.connect(window.end_from_outside)
    signals.asked.connect(app.quit)  # a dialog that stands open would keep it
    window.safety.recovery.catch_faults()
    if worker is not None:
        if not _connect(window, worker, options.script):
            window.cleanup()
            return BAD_MODEL
    elif options.model is None:
        window.open_path(window.reopening.begin())
    else:  # as without a window, a named model that does not load ends the program; the session logs the message
        session.load_failed.connect(lambda _: session.model is None and not window.controlling.goes_on and app.exit(BAD_MODEL))
        window.open_path(options.model)
    if worker is None:
        window.safety.look_for_left()
    if tested is not None:
        from tumble.app.shell.smoke_test import SmokeTest

        test = SmokeTest(window, tested)
        test.ended.connect(app.exit)
        test.start()
    gc.freeze()  # these objects stay: later garbage collections skip them
    gc.enable()
    graphics.on_screen_gone(partial(_end_without_screen, window))
    try:
        code = app.exec()
        if code == graphics.SCREEN_GONE and tested is None:
            _end_without_screen(window)
    finally:
        ended = window.cleanup()  # if it was not closed: a thread that reports something as the program ends finds no receiver
        logging.getLogger().removeHandler(relay)
        sip.delete(window)  # before the application, which a window must not outlive: now and then that is a crash
    if not ended:  # Python would wait for the thread, and the user for a program that cannot be seen
        logging.shutdown()
        os._exit(code)
    if window.lost_graphics:
        signals.close()  # what the message waits for is nothing that a signal would have to save
        graphics.tell(graphics.LOST, graphics.LEFT)
        return NO_WINDOW
    return code


def _end_without_screen(window: MainWindow) -> NoReturn:
    """End the process. The recording is finished and the last state stays; closing the window would ask the X server."""
    from tumble.app.rescue import graphics

    sys.stderr.write(f"{graphics.GONE}. {graphics.LEFT}\n")
    sys.stderr.flush()
    if "filming" in window.__dict__:
        window.filming.close()
    logging.shutdown()
    os._exit(NO_WINDOW)


def _connect(window: MainWindow, worker: FollowingWorker, address: str) -> bool:
    """Let a window show the simulation of the script that has started this process; whether the script is still there."""
    from multiprocessing import AuthenticationError

    from tumble.app.viewer.window import ScriptLink

    window.welcome.stand_aside()
    window.script = ScriptLink(window, worker, window)
    try:
        window.script.connect_to(address, bytes.fromhex(os.environ.pop("TUMBLE_SCRIPT_TOKEN", "")))
    except (OSError, EOFError, AuthenticationError) as error:
        sys.stderr.write(f"the script that wanted this window is gone: {error}\n")
        return False
    return True


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e4:
        raise argparse.ArgumentTypeError(f"{text} is not a speed between 0 and 10000")
    return value


def _folder(text: str) -> Path:
    """A folder, made if there is none."""
    try:
        Path(text).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text} cannot be a folder: {error.strerror}") from error
    return Path(text).absolute()


if __name__ == "__main__":
    sys.exit(main())
