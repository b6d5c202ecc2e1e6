"""Where the frozen program starts: the command line, with the bundled ffmpeg."""

import multiprocessing
import os
import sys
from pathlib import Path

_FFMPEG = Path(getattr(sys, "_MEIPASS", "")) / "ffmpeg"


def main() -> int:
    """Run the command line; its exit code."""
    multiprocessing.freeze_support()  # a process that a program of `tumble run` has started is this program, too
    if _FFMPEG.is_file():  # the user's own choice goes before it
        os.environ.setdefault("IMAGEIO_FFMPEG_EXE", str(_FFMPEG))
    from tumble.__main__ import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
