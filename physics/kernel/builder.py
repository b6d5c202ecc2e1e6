"""A process that compiles what its standard input names, a `module:function` a line.

It answers each with a line of two numbers, the bytes of the object code and the processor time it took [s], and the code;
with none if it cannot be compiled, which it says on standard error.
"""

import importlib
import os
import signal
import sys
import time
from typing import Any

from physics.kernel.function import STAGES

GENTLY = 15  # niceness of work ahead of need

# What numba uses where it is there: colours, for thousands of messages that are never shown, and SciPy's matrix products, for
# which it imports half of SciPy. No kernel has any.
_UNUSED = ("colorama", "scipy")


def main() -> None:
    """Compile what standard input names, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is for the program, which ends this process
    absent: dict[str, Any] = dict.fromkeys(_UNUSED)
    sys.modules.update(absent)  # as if they were not installed
    from numba.core import errors

    from physics.kernel.compile import object_code

    if "--gently" in sys.argv and hasattr(os, "nice"):
        os.nice(GENTLY)
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
