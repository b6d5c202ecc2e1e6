"""A process that compiles what its standard input names, a `module:function` a line.

Its arguments name the targets. It answers each line with one of numbers, the processor time it took for the first target [s] and
the bytes of the object code for each, and the code; with no bytes if it cannot be compiled, which it says on standard error.
"""

import importlib
import os
import signal
import sys
import time
from typing import Any

from tumble.physics.kernel.function import STAGES
from tumble.physics.kernel.library import symbol
from tumble.physics.kernel.target import TARGETS, target

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

    from tumble.physics.kernel.compile import emit, lower

    if "--gently" in sys.argv and hasattr(os, "nice"):
        os.nice(GENTLY)
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    known = {each.name: each for each in (target(), *TARGETS)}
    targets = [known[name] for name in sys.argv if name in known]
    for line in sys.stdin:
        key = line.strip()
        importlib.import_module(key.partition(":")[0])
        begin = time.process_time()
        try:
            bitcode = lower(STAGES[key])
            name = symbol(key)
            codes = [emit(bitcode, name, targets[0])]
            seconds = time.process_time() - begin
            codes += [emit(bitcode, name, other) for other in targets[1:]]
        except (errors.NumbaError, RuntimeError) as error:  # of this function; others may be well
            sys.stderr.write(f"{key}: {error}\n")
            seconds, codes = 0.0, [b""] * len(targets)
        head = f"{seconds:.2f} {' '.join(str(len(code)) for code in codes)}\n"
        answers.write(head.encode() + b"".join(codes))
        answers.flush()


if __name__ == "__main__":
    main()
