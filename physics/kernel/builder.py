"""A process that compiles what its standard input names, a `module:function` a line.

It answers each with a line of two numbers, the bytes of the object code and the processor time it took [s], and the code;
with none if it cannot be compiled, which it says on standard error.
"""

import importlib
import os
import signal
import sys
import time

from numba.core import errors

from physics.kernel.compile import object_code
from physics.kernel.function import STAGES


class _Plain:
    """Messages without colours: numba makes thousands about implementations that do not fit, which are never shown."""

    def __getattr__(self, name: str) -> type[str]:
        return str


GENTLY = 15  # niceness of work ahead of need


def main() -> None:
    """Compile what standard input names, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is for the program, which ends this process
    if "--gently" in sys.argv and hasattr(os, "nice"):
        os.nice(GENTLY)
    vars(errors)["_termcolor_inst"] = _Plain()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    for line in sys.stdin:
        key = line.strip()
        importlib.import_module(key.partition(":")[0])
        begin = time.process_time()
        try:
            code = object_code(STAGES[key])
        except (errors.NumbaError, RuntimeError) as error:  # of this function; others may be well
            sys.stderr.write(f"{key}: {error}\n")
            code = b""
        answers.write(b"%d %.2f\n" % (len(code), time.process_time() - begin) + code)
        answers.flush()


if __name__ == "__main__":
    main()
